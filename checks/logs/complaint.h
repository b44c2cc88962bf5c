// What the application's log complains of, as far as a check wants to know.
#pragma once

#include <string_view>

#include "checks/check.h"

namespace rocvet {

/// How the evidence of a kernel's line begins that the application's log brought.
constexpr std::string_view kTold = "application's log: ";

/// How strongly programs' messages speak of a cause: the greatest weight of one text; 0..1.
/// People's words do not count.
double said(const Context& context, std::string_view cause);
/// Whether the log is of a HIP program that met no code for its GPU.
bool lacks_code(const Context& context);

}  // namespace rocvet
