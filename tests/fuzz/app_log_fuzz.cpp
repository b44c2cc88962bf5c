// A log of an application as --log gives it, up to the messages that the database knows in it, and
// every check that looks at such a log.
#include <string>

#include "base/terminal_codes.h"
#include "checks/check.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/loader_words.h"
#include "checks/logs/log_parts.h"
#include "checks/logs/spoken_gpus.h"
#include "checks/logs/told_version.h"
#include "db/database.h"
#include "fuzz/target.h"
#include "machine/collect_filter.h"

using namespace rocvet;

FUZZ_TARGET(app_log) {
  const Database& database = Database::embedded();
  const Knowledge& knowledge = database.knowledge();
  // As read_app_log() does it.
  const std::string log = strip_terminal_codes(bytes);
  fuzz::use(decode_app_log(log, knowledge));
  const LogParts parts = log_parts(log);
  fuzz::must(parts.kernel.size() + parts.environment.size() + parts.rest.size() <= log.size() + 3,
             "each line is in one of the parts");
  fuzz::use(told_versions(parts.rest, knowledge));
  fuzz::use(recordable_log(log));

  Machine machine;
  machine.app_log = log;
  const Context context{machine, database};
  fuzz::use(app_errors(context));
  fuzz::use(someone_complains(context));
  fuzz::use(libraries_not_opened(context));
  fuzz::use(versions_not_found(context));
  fuzz::use(rocr_functions_not_found(context));
  fuzz::use(program_without(context, "librocblas.so.4"));
  fuzz::use(targets_spoken_of(context));
}
