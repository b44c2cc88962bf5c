#include "machine/module_options.h"

#include "base/text.h"

namespace rocvet {

OptionValue parse_option(std::string_view text) {
  text = trim(text);
  OptionValue value{std::string(text), std::nullopt};
  if (text == "Y" || text == "y") value.number = 1;
  if (text == "N" || text == "n") value.number = 0;
  if (value.number) return value;
  const bool hex = text.starts_with("0x") || text.starts_with("-0x");
  value.number = parse_signed_number(text, hex ? 16 : 10);
  return value;
}

Result<OptionValue> option_of(const ModuleOptions& options, const std::string& name) {
  if (!options) return options.error();
  const auto found = options->find(name);
  return found == options->end() ? missing(name, "is no option of the module") : found->second;
}

}  // namespace rocvet
