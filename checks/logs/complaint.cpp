#include "checks/logs/complaint.h"

#include <algorithm>

#include "checks/logs/app_errors.h"
#include "checks/logs/kernel_events.h"

namespace rocvet {

double said(const Context& context, std::string_view cause) {
  double most = 0;
  for (const AppError& error : app_errors(context)) {
    if (error.text->is_prose()) continue;
    for (const Vote& vote : parse_votes(error.text->causes)) {
      if (vote.cause == cause) most = std::max(most, vote.strength);
    }
  }
  return most;
}

bool lacks_code(const Context& context) {
  for (const char* text : {"hipErrorNoBinaryForGpu", "no kernel image", "invalid device function",
                           "Unable to find code object", "TensileLibrary", "rocBLAS error",
                           "is not supported", "unsupported gfx", "for GPU arch"}) {
    if (app_log_has(context, text)) return true;
  }
  return false;
}

}  // namespace rocvet
