#include "checks/common/memo.h"

namespace rocvet {

Memo& memo_of(const Context& context) {
  if (!context.memo) context.memo = std::make_shared<Memo>();
  return *context.memo;
}

}  // namespace rocvet
