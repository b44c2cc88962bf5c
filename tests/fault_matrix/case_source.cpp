#include "tests/fault_matrix/case_source.h"

// How a case becomes a machine is written down once, and that file keeps it to itself.
#include "unit/checks/case_machine.cpp"

namespace rocvet {

Result<std::unique_ptr<Source>> case_source(const std::string& base,
                                            const std::vector<const TomlNode*>& cases) {
  auto source = std::make_unique<FakeSource>();
  if (!add_base(*source, base)) return wrong("base", "no base machine '" + base + "'");
  for (const TomlNode* tables : cases) {
    if (auto laid = lay_over(*source, *tables); !laid) return laid.error();
  }
  return std::unique_ptr<Source>(std::move(source));
}

}  // namespace rocvet
