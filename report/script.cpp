// The repair as a commented shell script, root causes first. It is printed, never run, by rocvet.
#include "base/printable.h"
#include "base/text.h"
#include "report/layout.h"

namespace rocvet {
namespace {

/// One comment line, whatever the text holds.
std::string comment(std::string_view text) {
  return "# " + printable(text) + "\n";
}

/// The machine is started again once, at the end.
bool is_reboot(const Step& step) {
  return step == "sudo reboot" || step == "reboot";
}

/// A step that could not be quoted says so itself.
std::string by_hand(const Step& step) {
  const std::string& text = step.text();
  return text.starts_with("# ") ? text.substr(2) : "by hand: " + text;
}

}  // namespace

std::string write_fix_script(const Report& report) {
  std::string out = "#!/bin/bash\n# What rocvet " ROCVET_VERSION
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
    out += "\n" + comment(std::to_string(++number) + ". " + cause.id + " (" + how_sure(cause) +
                          "): " + cause.summary);
    for (const std::string& line : cause.evidence) out += comment("   saw: " + line);
    if (!cause.experiment.empty())
      out += comment("   to be sure first: " + cause.experiment.text());
    if (cause.remedy.needs_root) out += comment("   needs root");
    if (cause.remedy.empty())
      out += comment("   no command mends this; see: rocvet explain " + cause.id);
    for (const Step& step : cause.remedy.steps) {
      if (is_reboot(step)) {
        reboot = true;
        continue;
      }
      out += step.is_command() ? step.text() + "\n" : comment("   " + by_hand(step));
    }
    if (!cause.remedy.undo.empty()) out += comment("   undo: " + cause.remedy.undo.text());
    if (!cause.remedy.verify.empty()) out += comment("   verify: " + cause.remedy.verify.text());
    reboot |= cause.remedy.needs_reboot;
    login |= cause.remedy.needs_login;
  }
  if (reboot) out += "\n" + comment("Then reboot.");
  if (login && !reboot) out += "\n" + comment("Then log out and in again.");
  return out;
}

}  // namespace rocvet
