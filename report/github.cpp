// Annotations of GitHub Actions: a workflow command for each complaint, which the job's page and
// the pull request show. Escapes as in actions/toolkit, packages/core/src/command.ts.
#include "report/complaints.h"
#include "report/layout.h"

namespace rocvet {
namespace {

std::string escaped_for_github(std::string_view text, bool property) {
  std::string out;
  for (const char c : text) {
    if (c == '%')
      out += "%25";
    else if (c == '\r')
      out += "%0D";
    else if (c == '\n')
      out += "%0A";
    else if (property && c == ':')
      out += "%3A";
    else if (property && c == ',')
      out += "%2C";
    else
      out += c;
  }
  return out;
}

std::string_view command_of(Verdict verdict) {
  if (verdict == Verdict::fail) return "error";
  return verdict == Verdict::warn ? "warning" : "notice";
}

}  // namespace

std::string write_github(const Report& report) {
  std::string out;
  for (const Complaint& one : complaints(report)) {
    std::string text = one.text;
    if (!one.action.empty()) text += "\nfix: " + one.action;
    out += "::" + std::string(command_of(one.verdict)) +
           " title=" + escaped_for_github("rocvet: " + name_of(one), true) +
           "::" + escaped_for_github(text, false) + "\n";
  }
  return out + machine_line(report.machine) + "\n" + tally_text(report) + "\n";
}

}  // namespace rocvet
