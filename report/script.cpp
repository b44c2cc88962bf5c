// The repair as a commented shell script, root causes first. It is printed, never run, by rocvet.
#include <algorithm>

#include "base/printable.h"
#include "base/text.h"
#include "report/layout.h"

namespace rocvet {
namespace {

/// What only the reader knows: the script takes it from a variable, and ends before its first step
/// where that is not set.
struct Asked {
  std::string_view gap;
  Literal code;
  std::string_view variable, what;
};
constexpr Asked kAsked[] = {
    {"SERVICE", "\"$SERVICE\"", "SERVICE", "the systemd unit that uses the GPU, as ollama.service"},
    {"ACCOUNT", "\"$ACCOUNT\"", "ACCOUNT", "the account that the service runs as"},
    {"IMAGE", "\"$IMAGE\"", "IMAGE", "the container image, as docker.io/rocm/pytorch"},
    {"CONTAINER", "\"$CONTAINER\"", "CONTAINER", "the container, as docker ps names it"},
    {"APPLICATION", "\"$APPLICATION\"", "APPLICATION",
     "the name of the flatpak, as org.blender.Blender"},
    {"ROCM_PACKAGE", "\"$ROCM_PACKAGE\"", "ROCM_PACKAGE",
     "the package for ROCm, as onnxruntime-rocm"},
    {"PACKAGE", "\"$PACKAGE\"", "PACKAGE", "the package that is meant"},
    {"OLD_VERSION", "\"$OLD_VERSION\"", "OLD_VERSION", "a version that dkms status calls broken"},
    {"GOOD_VERSION", "\"$GOOD_VERSION\"", "GOOD_VERSION",
     "the last version that worked, as apt list -a or zypper search -s has it"},
    {"RELEASE", "\"$RELEASE\"", "RELEASE",
     "the ROCm release to install, as 7.0.2: rocvet advise names it"},
    {"SETTING", "\"$SETTING\"", "SETTING", "NAME=value that the service needs"},
    {"PROXY", "\"$PROXY\"", "PROXY", "the proxy of the site, as http://proxy.example.org:3128"},
    {"NAMESPACE", "\"$NAMESPACE\"", "NAMESPACE", "the namespace of the pod"},
    {"DEPLOYMENT", "\"$DEPLOYMENT\"", "DEPLOYMENT", "the deployment that wants the GPU"},
    {"DEVICECONFIG", "\"$DEVICECONFIG\"", "DEVICECONFIG", "the DeviceConfig of the GPU operator"},
    {"SERVICEACCOUNT", "\"$SERVICEACCOUNT\"", "SERVICEACCOUNT", "the service account of the pod"},
    {"NODE", "\"$NODE\"", "NODE", "the node of the cluster that has the GPU"},
    {"INTERFACE", "\"$INTERFACE\"", "INTERFACE",
     "the network card by which the nodes reach each other, as ip -br addr has it"},
    {"BUILD", "\"$BUILD\"", "BUILD", "the folder that the project is built in"},
    {"VENV", "\"$VENV\"", "VENV", "the folder of the Python environment"},
    {"SOURCE_FILE", "\"$SOURCE_FILE\"", "SOURCE_FILE", "the file with CUDA in it"},
    {"GIT_TAG", "\"$GIT_TAG\"", "GIT_TAG", "a release of the project for this ROCm"},
    {"INDEX", "\"$INDEX\"", "INDEX",
     "the address of an index with a build for the GPU: rocvet compat names it"},
    {"/opt/rocm-X.Y.Z", "\"$ROCM_FOLDER\"", "ROCM_FOLDER", "the folder of the ROCm that is meant"},
    {"rocmX.Y", "rocm\"$ROCM\"", "ROCM", "the ROCm that the wheels are for, as 6.4"},
    {"rocm-rel-X.Y", "rocm-rel-\"$ROCM\"", "ROCM", "the ROCm that the wheels are for, as 7.1"},
    {"gfxN", "\"$GFX\"", "GFX", "the target of the GPU, as gfx1100"},
};

/// Puts variables for what is not known; their names are added to those that are asked for.
Step with_variables(Step step, std::vector<const Asked*>& asked) {
  for (const Asked& one : kAsked) {
    if (step.ask(one.gap, one.code)) asked.push_back(&one);
  }
  return step;
}

/// One comment line, whatever the text holds.
std::string comment(std::string_view text) {
  return "# " + printable(text) + "\n";
}

/// The machine is started again once, at the end.
bool is_reboot(const Step& step) {
  return step == "sudo reboot" || step == "reboot";
}

/// So is one with a remark, or one that switches it off.
bool ends_the_session(const Step& step) {
  return step.text().starts_with("sudo reboot ") || step.text().starts_with("sudo poweroff");
}

/// A step that could not be quoted says so itself.
std::string by_hand(const Step& step) {
  const std::string& text = step.text();
  return text.starts_with("# ") ? text.substr(2) : "by hand: " + text;
}

// A variable of the shell that runs the script would be gone with it. ~/.profile is what sh, dash
// and most desktops read; bash takes ~/.bash_profile alone where that exists, zsh neither.
constexpr std::string_view kDropVariables = R"(
# Takes variables out of the files that set them at each login (a copy: .before-rocvet).
drop_variables() {
  local name file
  for name; do
    for file in ~/.profile ~/.bash_profile ~/.bash_login ~/.bashrc ~/.zshenv ~/.zprofile ~/.zshrc \
        ~/.config/environment.d/*.conf /etc/environment /etc/profile.d/*.sh; do
      grep -qsE "^[[:space:]]*(export[[:space:]]+)?$name=" "$file" || continue
      if [ -w "$file" ]; then
        sed -i.before-rocvet -E "s/^[[:space:]]*(export[[:space:]]+)?$name=/# &/" "$file"
      else
        sudo sed -i.before-rocvet -E "s/^[[:space:]]*(export[[:space:]]+)?$name=/# &/" "$file"
      fi
    done
    unset "$name"
  done
}
)";
constexpr std::string_view kKeepVariables = R"(
# Sets variables for each login from now on. A service: systemctl edit; a container: its -e.
keep_variables() {
  local pair file
  for pair; do
    drop_variables "${pair%%=*}"
    for file in ~/.profile ~/.bash_profile ~/.bashrc ~/.zshenv; do
      if [ "$file" = ~/.profile ] || [ -e "$file" ]; then
        printf 'export %s=%q\n' "${pair%%=*}" "${pair#*=}" >>"$file"
      fi
    done
    export "${pair?}"
  done
}
)";

/// The steps as lines of the script, and what they need at its head.
class Script {
 public:
  void add(const Step& step) {
    if (is_reboot(step)) {
      reboot_ = true;
      return;
    }
    std::vector<const Asked*> asked;
    const Step filled = with_variables(step, asked);
    if (ends_the_session(step)) {
      lines += comment("   at the end: " + step.text());
    } else if (!filled.is_command()) {
      lines += comment("   " + by_hand(step));
    } else if (filled.only_looks()) {
      lines += comment("   look first: " + step.text());
    } else {
      add_command(filled.text());
      for (const Asked* one : asked) {
        if (!asks_for(one->variable)) asked_.push_back(one);
      }
    }
  }

  std::string head() const {
    std::string out = "set -e\n";
    if (!asked_.empty()) out += comment("What only you know: NAME=value bash THIS_FILE");
    for (const Asked* one : asked_)
      out += ": \"${" + std::string(one->variable) + ":?" + std::string(one->what) + "}\"\n";
    if (asks_for("SERVICE")) out += "SERVICE=\"${SERVICE%.service}.service\"\n";
    if (runs_sudo_)
      out += "if [ \"$(id -u)\" = 0 ]; then sudo() { \"$@\"; }; fi  # a container may have none\n";
    if (drops_ || keeps_) out += kDropVariables;
    if (keeps_) out += kKeepVariables;
    return out;
  }

  bool asks_for(std::string_view variable) const {
    return std::any_of(asked_.begin(), asked_.end(),
                       [&](const Asked* one) { return one->variable == variable; });
  }
  bool reboot() const { return reboot_; }
  std::string lines;

 private:
  void add_command(std::string_view text) {
    if (text.starts_with("export ")) {
      keeps_ = true;
      lines += "keep_variables " + std::string(text.substr(7)) + "\n";
    } else if (text.starts_with("unset ")) {
      drops_ = true;
      lines += "drop_variables " + std::string(text.substr(6)) + "\n";
    } else {
      lines += std::string(text) + "\n";
    }
    runs_sudo_ |= drops_ || keeps_ || text.find("sudo ") != std::string_view::npos;
  }

  std::vector<const Asked*> asked_;
  bool drops_ = false, keeps_ = false, reboot_ = false, runs_sudo_ = false;
};

}  // namespace

std::string write_fix_script(const Report& report) {
  std::string out = "#!/bin/bash\n# What rocvet " ROCVET_VERSION
                    " advises for this machine, in order. Read it before you run it.\n";
  if (report.diagnosis.root_causes.empty()) {
    return out + comment(report.verdict == Verdict::fail
                             ? "No root cause was named; `rocvet check` lists what failed."
                             : "Nothing needs mending.");
  }
  Script script;
  bool reboot = false, login = false;
  int number = 0;
  for (const RootCause& cause : report.diagnosis.root_causes) {
    script.lines += "\n" + comment(std::to_string(++number) + ". " + cause.id + " (" +
                                   how_sure(cause) + "): " + cause.summary);
    for (const std::string& line : cause.evidence) script.lines += comment("   saw: " + line);
    if (!cause.experiment.empty())
      script.lines += comment("   to be sure first: " + cause.experiment.text());
    if (cause.remedy.needs_root) script.lines += comment("   needs root");
    if (cause.remedy.empty())
      script.lines += comment("   no command mends this; see: rocvet explain " + cause.id);
    for (const Step& step : cause.remedy.steps) script.add(step);
    if (!cause.remedy.undo.empty()) script.lines += comment("   undo: " + cause.remedy.undo.text());
    if (!cause.remedy.verify.empty())
      script.lines += comment("   verify: " + cause.remedy.verify.text());
    reboot |= cause.remedy.needs_reboot;
    login |= cause.remedy.needs_login;
  }
  reboot |= script.reboot();
  out += script.head() + script.lines;
  if (reboot) out += "\n" + comment("Then reboot.");
  if (login && !reboot) out += "\n" + comment("Then log out and in again.");
  return out;
}

}  // namespace rocvet
