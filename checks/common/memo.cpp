#include "checks/common/memo.h"

namespace rocvet {

Memo& memo_of(const Context& context) {
  if (!context.memo) context.memo = std::make_shared<Memo>();
  return *context.memo;
}

const LogParts& given_log(const Context& context) {
  Memo& memo = memo_of(context);
  if (!memo.log) {
    memo.log.emplace();
    if (context.machine.app_log) memo.log = log_parts(*context.machine.app_log);
  }
  return *memo.log;
}

}  // namespace rocvet
