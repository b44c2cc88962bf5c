// A kernel log, from dmesg, the journal or a syslog, up to the messages that the database knows.
#include <string>

#include "checks/check.h"
#include "checks/logs/kernel_events.h"
#include "checks/logs/log_groups.h"
#include "db/database.h"
#include "fuzz/target.h"
#include "machine/read_kernel_log.h"
#include "machine/read_security.h"
#include "source/kernel_ring.h"

using namespace rocvet;

FUZZ_TARGET(kernel_log) {
  const Database& database = Database::embedded();
  fuzz::use(drop_message_levels(bytes));
  const KernelLog log = parse_kernel_log(bytes, "cmd/dmesg");
  fuzz::must(log.lines.size() <= 20001, "no more than 20,000 lines are kept");
  for (const LogEvent& event : decode_log(log, database.knowledge()))
    fuzz::must(event.message != nullptr && event.count > 0, "an event is of a known message");

  Machine machine;
  machine.kernel_log = log;
  const Context context{machine, database};
  fuzz::use(init_findings(context));
  fuzz::use(firmware_findings(context));
  fuzz::use(pcie_findings(context));
  fuzz::use(module_findings(context));
  fuzz::use(execution_findings(context));
  fuzz::use(power_findings(context));
  fuzz::use(host_findings(context));
}
