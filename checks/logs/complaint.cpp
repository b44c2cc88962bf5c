#include "checks/logs/complaint.h"

#include <algorithm>

#include "checks/logs/app_errors.h"

namespace rocvet {

double said(const Context& context, std::string_view id) {
  const Cause* cause = context.db.knowledge().cause(id);
  double most = 0;
  for (const AppError& error : app_errors(context)) {
    if (error.text->prose || cause == nullptr) continue;
    for (const Sign& sign : cause->signs) {
      if (sign.saw.starts_with("text.") && sign.saw.substr(5) == error.text->id)
        most = std::max(most, sign.shows);
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
