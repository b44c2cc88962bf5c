// Which environment variables rocvet looks at; no other is ever read, shown or recorded.
#pragma once

#include <string_view>

namespace rocvet {

bool environment_name_allowed(std::string_view name);

}  // namespace rocvet
