// What may be said of a published wheel, and the commands that install it. Internal to db/.
#pragma once

#include <string>
#include <string_view>

#include "db/database.h"
#include "db/published.h"

namespace rocvet::db {

/// Of a channel for what is released, and named by its publisher.
bool is_released(const WheelRow& row);
/// Whether there is a command for it: the document's own, or pip with PyTorch's index.
bool can_be_installed(const WheelRow& row);
/// Whether wheels of it bring ROCm along: then it need not be the one that is installed.
bool brings_rocm(std::string_view framework);
WheelInfo wheel_info(const WheelRow& row);

}  // namespace rocvet::db
