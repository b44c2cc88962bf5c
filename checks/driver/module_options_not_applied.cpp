#include <map>

#include "base/text.h"
#include "checks/check.h"
#include "checks/common/judged.h"
#include "checks/common/say.h"
#include "checks/facts/options.h"
#include "checks/facts/packages.h"

namespace rocvet {
namespace {

constexpr std::string_view kModuleOptionsNotAppliedDoc = R"(
## What it looks for
`options amdgpu` lines of modprobe.d against the parameters of the loaded module.

## Why it matters
amdgpu is loaded from the initial RAM disk, which has its own copy of the files. Until that is
rebuilt and the machine restarted, the option does nothing, and one searches for why it does not
help.

## How to mend it
Rebuild the initial RAM disk and restart.

## Not this
An option that the kernel command line overrides.

## References
- https://docs.kernel.org/gpu/amdgpu/module-parameters.html
- https://man7.org/linux/man-pages/man5/modprobe.d.5.html
)";

/// Numbers compare as numbers ("0xffffffff" and "4294967295", "Y" and "1"), the rest as text.
std::string normal(std::string_view text) {
  text = trim(text);
  if (text == "Y" || text == "y") return "1";
  if (text == "N" || text == "n") return "0";
  const auto number = parse_number(text, text.starts_with("0x") ? 16 : 10);
  return number ? std::to_string(*number) : std::string(text);
}

std::vector<Finding> run_module_options_not_applied(const Context& context) {
  const Machine& machine = context.machine;
  if (machine.surroundings.container) return {skip("modules are the host's matter")};
  if (!machine.driver.amdgpu)
    return {unread(machine.driver.amdgpu.error(), "amdgpu is not loaded")};
  const ModuleOptions& live = machine.driver.amdgpu->options;
  if (!live) return {unknown(live.error())};
  std::map<std::string, std::pair<std::string, std::string>> wanted;  // the last line wins
  for (const ModprobeLine& line : machine.driver.modprobe) {
    if (line.command != "options" || line.module != "amdgpu" || line.shadowed) continue;
    for (const std::string_view word : words(line.argument)) {
      const std::size_t equals = word.find('=');
      if (equals == word.npos) continue;
      wanted[std::string(word.substr(0, equals))] = {std::string(word.substr(equals + 1)),
                                                     line.file};
    }
  }
  std::vector<std::string> evidence;
  Judged judged;
  for (const auto& [name, value] : wanted) {
    const Result<OptionValue> option = option_of(live, name);
    if (option.is_missing() || has_argument(machine, "amdgpu." + name)) continue;
    if (!judged.has(option)) continue;
    if (normal(option->text) != normal(value.first))
      evidence.push_back(value.second + ": " + name + "=" + value.first +
                         ", in force: " + option->text);
  }
  if (evidence.empty() && wanted.empty()) return {pass("no options of amdgpu are written down")};
  if (evidence.empty())
    return judged.rest({}, "the options of amdgpu that are written down are in force",
                       "the options that are written down are none of this driver's");
  return warning("options of amdgpu are written down and not in force")
      .saw(evidence)
      .fix({initramfs_command(machine), "sudo reboot"})
      .root()
      .reboot();
}

}  // namespace

extern const Check kModuleOptionsNotApplied;
constinit const Check kModuleOptionsNotApplied{
    .code = "RV228",
    .id = "module-options-not-applied",
    .topic = "driver",
    .title = "Options of amdgpu are written down and not in force",
    .doc = kModuleOptionsNotAppliedDoc,
    .run = run_module_options_not_applied};

}  // namespace rocvet
