#include "machine/read_app_log.h"

#include <algorithm>

#include "base/read_tail.h"
#include "base/terminal_codes.h"

namespace rocvet {
namespace {

constexpr std::size_t kMostAppLogBytes = 4u << 20;

}  // namespace

Result<std::string> read_app_log(Source& source, const std::string& file) {
  const auto clean = [](const std::string& text) {
    const std::string_view all = text;
    return strip_terminal_codes(all.substr(all.size() - std::min(all.size(), kMostAppLogBytes)));
  };
  if (!file.empty()) return read_tail(file, kMostAppLogBytes).transform(clean);
  // Nothing is run for it: on the live machine there is no such command.
  if (source.kind() == "live") return not_captured("--log");
  const Result<CommandOutput> output = source.run("app.log");
  if (!output) return output.error();
  return clean(output->out);
}

}  // namespace rocvet
