// The best supported stack for a GPU on a system, and the commands that install it.
#pragma once

#include <string>
#include <vector>

#include "base/step.h"
#include "db/database.h"

namespace rocvet {

struct AdviceRequest {
  std::string gpu;        ///< as Question::gpu; required
  std::string os;         ///< as Question::os, or "wsl2-ubuntu-24.04"; "" when not known
  std::string installed;  ///< the ROCm release that is there; "" for none
  std::string kernel;     ///< uname -r; "" when not known
  /// "vllm", "pytorch=2.9"; "" is PyTorch, "none" nothing.
  std::string framework;
  std::string python;  ///< "3.12"; "" when any will do
  bool wsl = false;    ///< the system runs in WSL2
  bool dkms = false;   ///< AMD's driver is installed instead of the kernel's
  /// Of `framework` ("pytorch=2.9.1+rocm6.4"); advise() takes both from there.
  std::string framework_version, framework_rocm;
};

struct AdviceStep {
  std::string title, why;
  std::vector<Step> commands;  ///< none: `why` names the page to read
  bool needs_root = false, needs_reboot = false, needs_login = false;
};

struct Stack {
  std::string rocm;  ///< "" when there is none
  Answer answer;
};

struct Advice {
  std::string summary;
  /// newest: the newest release that lists both; nearest: the one of those nearest to what is
  /// installed (the same when nothing is).
  Stack newest, nearest;
  /// The installed release, where it lists the GPU on this system: it stays.
  Stack kept;
  /// When no release lists the GPU on this system: the newest that lists it on another, or the
  /// newest that works without being listed.
  Stack elsewhere, unofficial;
  std::vector<AdviceStep> steps;
  std::vector<std::string> notes;
};

/// What the install table says of any release, the best or not.
struct InstallRequest {
  std::string rocm, os, gfx;
};
Result<std::vector<AdviceStep>> install_steps(const Database& database, const InstallRequest& of);

/// An environment of its own for a wheel.
struct WheelRequest {
  std::string version;  ///< "2.9" is any 2.9
  std::string gfx, os;
  std::string python;       ///< "3.12"; "" is the system's
  std::string environment;  ///< its folder
};
/// The commands that make it and install the wheel into it: the document's own, or pip with the
/// index. None where nothing is known of how the wheel is installed.
std::vector<Step> wheel_commands(const Database& database, const WheelInfo& wheel,
                                 const WheelRequest& request);

/// An error is a request that cannot be understood (an unknown or ambiguous GPU).
Result<Advice> advise(const Database& database, const AdviceRequest& request);

}  // namespace rocvet
