#include "checks/logs/log_parts.h"

#include "base/text.h"
#include "machine/read_kernel_log.h"

namespace rocvet {
namespace {

/// People quote the lines that they think matter; whoever passes a log passes more than that.
constexpr std::size_t kLogNotQuote = 20;

/// `collected`: the log has lines that collect_env alone prints; a program of anybody's may begin
/// with the version of PyTorch too.
bool starts_environment(std::string_view line, bool collected) {
  line = trim(line);
  return line == "Collecting environment information..." ||
         (collected && line.starts_with("PyTorch version:")) || line == "System Info";
}

bool is_collected(std::string_view log) {
  return log.find("used to build PyTorch") != log.npos || log.find("Is debug build") != log.npos ||
         log.find("vLLM Version") != log.npos;
}

/// What cannot be in collect_env's output, which is "key: value", lists and tables: the markup
/// around it, a prompt, a program's log, an exception.
bool ends_environment(std::string_view line) {
  for (const std::string_view mark : {"```", "</", "#", ">>> ", "$ ", "Traceback ", "INFO", "WARN",
                                      "ERROR", "(EngineCore", "(Worker", "(APIServer"}) {
    if (line.starts_with(mark)) return true;
  }
  const std::string_view word = line.substr(0, line.find_first_of(" :"));
  return word.ends_with("Error") || word.ends_with("Exception");
}

}  // namespace

LogParts log_parts(std::string_view log) {
  std::size_t of_kernel = 0;
  each_line(log, [&](std::string_view line) { of_kernel += is_kernel_line(line); });
  LogParts parts;
  const bool collected = is_collected(log);
  bool in_environment = false;
  each_line(log, [&](std::string_view line) {
    if (starts_environment(line, collected)) {
      in_environment = true;
    } else if (in_environment && ends_environment(line)) {
      in_environment = false;
    }
    std::string& part = of_kernel >= kLogNotQuote && is_kernel_line(line) ? parts.kernel
                        : in_environment                                  ? parts.environment
                                                                          : parts.rest;
    part += line;
    part += '\n';
  });
  return parts;
}

}  // namespace rocvet
