// The repair as a commented shell script, root causes first. It is printed, never run, by rocvet.
#include <algorithm>
#include <iterator>

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

/// Whether a step can be run as it stands: a command, with nothing left to be filled in. Advice in
/// words, alternatives ("or …") and commands with a place to fill in stay comments.
bool runnable(std::string_view step) {
  for (const char letter : step) {
    if (static_cast<unsigned char>(letter) < 0x20) return false;
  }
  constexpr std::string_view kCommands[] = {
      "sudo",    "echo",   "export",    "unset",          "pip",
      "conda",   "docker", "podman",    "flatpak",        "rm",
      "ln",      "printf", "df",        "lspci",          "curl",
      "ulimit",  "rocvet", "systemctl", "amdgpu-install", "dmesg",
      "rocminfo"};
  const std::string_view first = step.substr(0, step.find(' '));
  if (std::find(std::begin(kCommands), std::end(kCommands), first) == std::end(kCommands))
    return false;
  for (const std::string_view open :
       {"IMAGE", "COMMAND", "SERVICE", "ACCOUNT", "APPLICATION", "OLD_VERSION", "BRIDGE", "PAGES",
        "DISTRO", "X.Y", "gfxN", "-N-", "…", "<", " keep ", "? "}) {
    if (step.find(open) != step.npos) return false;
  }
  // A remark in parentheses is no part of a command; "$(…)" is.
  return step.find(" (") == step.npos;
}

/// The machine is started again once, at the end.
bool is_reboot(std::string_view step) {
  return step == "sudo reboot" || step == "reboot";
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
    out += "\n" + comment(std::to_string(++number) + ". " + cause.id + " (" +
                          fixed(cause.confidence * 100, 0) + " % sure): " + cause.summary);
    for (const std::string& line : cause.evidence) out += comment("   saw: " + line);
    if (!cause.experiment.empty()) out += comment("   to be sure first: " + cause.experiment);
    if (cause.remedy.needs_root) out += comment("   needs root");
    if (cause.remedy.empty())
      out += comment("   no command mends this; see: rocvet explain " + cause.id);
    for (const std::string& step : cause.remedy.steps) {
      if (is_reboot(step)) {
        reboot = true;
        continue;
      }
      out += runnable(step) ? step + "\n" : comment("   by hand: " + step);
    }
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
