#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/logs/app_errors.h"
#include "db/version.h"

namespace rocvet {
namespace {

constexpr std::string_view kTorchvisionOfAnotherTorchDoc = R"(
## What it looks for
Versions in one environment: torch 2.N goes with torchvision 0.(N+15) and, up to 2.8, torchaudio
2.N.

## Why it matters
They are compiled against one torch: "operator torchvision::nms does not exist", undefined symbols.

## How to mend it
Install the three at once from one index.

## Not this
Builds for different platforms: RV804.

## References
- https://github.com/pytorch/vision#installation
- https://docs.pytorch.org/audio/stable/installation.html
)";

std::vector<Finding> run_torchvision_of_another_torch(const Context& context) {
  const Machine& machine = context.machine;
  if (machine.software.python.empty()) return {none_here("no Python environment was found")};
  std::vector<Finding> findings;
  bool any = false;
  for (const PythonEnvironment& python : machine.software.python) {
    const PythonPackage *torch = nullptr, *vision = nullptr, *audio = nullptr;
    for (const PythonPackage& package : python.packages) {
      if (package.name == "torch") torch = &package;
      if (package.name == "torchvision") vision = &package;
      if (package.name == "torchaudio") audio = &package;
    }
    if (torch == nullptr || (vision == nullptr && audio == nullptr)) continue;
    // Nightly builds are numbered apart for days.
    if (torch->version.find("dev") != std::string::npos ||
        torch->version.find("a0") != std::string::npos)
      continue;
    const auto base = Version::parse(torch->version);
    if (!base || base->parts.size() < 2 || base->parts[0] != 2) continue;
    any = true;
    const int minor = base->parts[1];
    std::vector<std::string> evidence;
    bool named = false;
    const auto compare = [&](const PythonPackage* other, int major, int wanted) {
      if (other == nullptr) return;
      const auto has = Version::parse(other->version);
      if (!has || has->parts.size() < 2 || (has->parts[0] == major && has->parts[1] == wanted))
        return;
      evidence.push_back(other->name + " " + other->version + ", torch " + torch->version +
                         " goes with " + std::to_string(major) + "." + std::to_string(wanted));
      named = named || (app_log_has(context, other->name) && someone_complains(context));
    };
    compare(vision, 0, minor + 15);
    if (minor <= 8) compare(audio, 2, minor);
    if (evidence.empty()) continue;
    Finding finding =
        Say(named ? Verdict::fail : Verdict::warn,
            "torchvision or torchaudio was made for another torch")
            .about(python.root)
            .saw(evidence)
            .fix({"install torch, torchvision and torchaudio from one index at once"});
    if (named) finding.seen.push_back(ObservationName("torch-companion-complained-of"));
    findings.push_back(std::move(finding));
  }
  if (!any) return {none_here("no environment has torch 2 beside torchvision or torchaudio")};
  return or_pass(std::move(findings), "torchvision and torchaudio fit torch");
}

}  // namespace

extern const Check kTorchvisionOfAnotherTorch;
constinit const Check kTorchvisionOfAnotherTorch{
    .code = "RV809",
    .id = "torchvision-of-another-torch",
    .topic = "framework",
    .title = "torchvision or torchaudio was made for another torch",
    .doc = kTorchvisionOfAnotherTorchDoc,
    .run = run_torchvision_of_another_torch};

}  // namespace rocvet
