// The name of something that a check may see. What it means, and which check sees it, stands in
// db/vocabulary.toml.
#pragma once

#include "base/data_name.h"
#include "observation_names.h"

namespace rocvet {

using ObservationName = DataName<kObservationNames>;

}  // namespace rocvet
