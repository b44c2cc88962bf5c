// The repair as a commented shell script, root causes first. It is printed, never run, by rocvet.
#include "machine/text.h"
#include "report/report.h"

namespace rocvet {
namespace {

/// One comment line, whatever the text holds.
std::string comment(std::string_view text) {
  std::string out = "# ";
  for (const char c : text) out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  return out + "\n";
}

}  // namespace

std::string write_fix_script(const Report& report) {
  std::string out = "#!/bin/sh\n# What rocvet " ROCVET_VERSION
                    " advises for this machine, in order. Read it before you run it.\n";
  if (report.diagnosis.root_causes.empty()) {
    return out + comment(report.verdict == Verdict::fail
                             ? "No root cause was named; `rocvet check` lists what failed."
                             : "Nothing needs mending.");
  }
  out += "set -e\n";
  bool reboot = false, login = false;
  int number = 0;
  for (const RootCause& cause : report.diagnosis.root_causes) {
    out += "\n" + comment(std::to_string(++number) + ". " + cause.id + " (" +
                          fixed(cause.confidence * 100, 0) + " % sure): " + cause.summary);
    for (const std::string& line : cause.evidence) out += comment("   saw: " + line);
    if (!cause.experiment.empty()) out += comment("   to be sure first: " + cause.experiment);
    if (cause.remedy.needs_root) out += comment("   needs root");
    if (cause.remedy.empty())
      out += comment("   no command mends this; see: rocvet explain " + cause.id);
    for (const std::string& step : cause.remedy.steps) out += step + "\n";
    if (!cause.remedy.undo.empty()) out += comment("   undo: " + cause.remedy.undo);
    if (!cause.remedy.verify.empty()) out += comment("   verify: " + cause.remedy.verify);
    reboot |= cause.remedy.needs_reboot;
    login |= cause.remedy.needs_login;
  }
  if (reboot) out += "\n" + comment("Then reboot.");
  if (login && !reboot) out += "\n" + comment("Then log out and in again.");
  return out;
}

}  // namespace rocvet
