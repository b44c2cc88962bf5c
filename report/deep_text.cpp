// What --deep found out, a line for each library.
#include "base/text.h"
#include "checks/facts/deep.h"
#include "report/layout.h"

namespace rocvet {

std::string deep_text(const Machine& machine) {
  std::string out;
  if (!machine.deep) return out;
  for (const DeepProbe& probe : machine.deep->probes) {
    std::string name = deep_name(probe);
    if (name.size() < 8) name.resize(8, ' ');
    out +=
        (deep_fault(machine, probe) ? "deep!  " : "deep   ") + name + "  " + deep_sentence(probe);
    if (!probe.library.empty())
      out += " (" + probe.library + (probe.version.empty() ? "" : " " + probe.version) + ")";
    out += "\n";
  }
  return out;
}

}  // namespace rocvet
