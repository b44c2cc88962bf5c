// What a verb gives up that only reads what strangers wrote: snapshots, logs, saved reports.
#pragma once

#include "cli/options.h"

namespace rocvet::cli {

/// From here on this process runs nothing, reaches no network and writes only where `options` has
/// its outputs: a fault in a parser is of no use to whoever wrote the input.
void only_read(const CommonOptions& options);

}  // namespace rocvet::cli
