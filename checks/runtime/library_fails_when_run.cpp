#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/deep.h"
#include "checks/facts/gpus.h"

namespace rocvet {
namespace {

constexpr std::string_view kDoc = R"(
## What it looks for
With --deep: whether HIP, ROCr, ROCm SMI, AMD SMI and each torch really load and start, each in a
process of its own with a deadline; torch multiplies two matrices on every GPU.

## Why it matters
Files can be in order and a library still crash, hang or refuse. This is the error that the
application will get, with the name of the call.

## How to mend it
The error text is weighed with everything else that was found: mend the root cause that the report
names. A crash or hang with nothing else found is worth a ticket with the snapshot of
`rocvet snapshot --deep`.

## Not this
A library that is not installed (RV501), a framework built for another GPU (RV801).

## References
- https://rocm.docs.amd.com/projects/HIP/en/latest/reference/error_codes.html
- https://rocm.docs.amd.com/projects/ROCR-Runtime/en/latest/
)";

using Outcome = DeepProbe::Outcome;

/// What a runtime that works on every GPU speaks against, for this process.
constexpr const char* kRefutedByHip[] = {
    "user-not-in-render-group",
    "kfd-udev-rule-missing",
    "selinux-denies-device",
    "container-devices-not-passed",
    "container-render-gid-mismatch",
    "rootless-container-groups-dropped",
    "sandbox-confinement-blocks-kfd",
    "kernel-driver-package-missing",
    "gpu-node-absent-from-kfd-topology",
    "pcie-atomics-unsupported",
    "gpu-not-supported-by-kfd",
    "userspace-kernel-driver-mismatch",
    "rocm-runtime-package-missing",
    "rocm-lib-dir-not-in-loader-path",
    "kernel-without-hsa-amd",
    "visible-devices-mask-empty",
};
constexpr const char* kRefutedByTorch[] = {
    "cuda-wheel-instead-of-rocm", "torch-cpu-wheel",          "framework-rocm-version-mismatch",
    "gfx-not-in-torch-wheel",     "libstdcxx-too-old-in-env", "wheel-bundled-runtime-conflict",
};

/// All that the visibility variables leave.
bool sees_every_gpu(const Machine& machine, const DeepProbe& probe) {
  return probe.outcome == Outcome::works && !kfd_gpus(machine).empty() &&
         probe.devices.size() >= kfd_gpus(machine).size();
}

Finding judge(const Machine& machine, const DeepProbe& probe) {
  const std::string name = deep_name(probe), sentence = deep_sentence(probe);
  const std::string from =
      probe.library.empty() ? std::string() : probe.library + " " + probe.version;
  if (!deep_fault(machine, probe)) {
    Finding said = passing(sentence).about(name).saw(from);
    const auto refute = [&](const auto& causes) {
      for (const char* cause : causes) said.votes.push_back({cause, 0.85, true});
    };
    if (probe.id == "hip" && sees_every_gpu(machine, probe)) refute(kRefutedByHip);
    if (probe.id == "torch" && sees_every_gpu(machine, probe)) refute(kRefutedByTorch);
    return said;
  }
  const bool smi = probe.id == "rocm-smi" || probe.id == "amd-smi";
  Finding said = (smi ? warning(sentence) : failing(sentence))
                     .about(name)
                     .saw(from)
                     .saw(probe.words.empty() ? "" : "it wrote: " + probe.words);
  if (probe.outcome == Outcome::unloadable && probe.id != "torch")
    said.votes.push_back({"rocm-runtime-package-missing", 0.35});
  if (probe.id == "hip" || probe.id == "hsa") {
    if (machine.kfd.stat.is_missing()) said.evidence.emplace_back("/dev/kfd does not exist");
    if (machine.kfd.stat && !machine.kfd.open && !open_errno(machine.kfd.open).empty())
      said.evidence.push_back("opening /dev/kfd gives " + open_errno(machine.kfd.open));
  }
  const DeepProbe* hsa = deep_probe(machine, "hsa");
  if (probe.id == "hip" && probe.outcome == Outcome::no_device && hsa != nullptr &&
      hsa->outcome == Outcome::works)
    said.evidence.push_back("ROCr " + deep_sentence(*hsa));
  return said;
}

std::vector<Finding> run(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.deep) {
    if (!machine.deep.is(Error::Kind::malformed))
      return {skip("the libraries were not run (--deep does)")};
    return {unknown(machine.deep.error())};
  }
  std::vector<Finding> findings;
  for (const DeepProbe& probe : machine.deep->probes) findings.push_back(judge(machine, probe));
  return or_pass(std::move(findings), "there is nothing to run");
}

}  // namespace

extern const Check kLibraryFailsWhenRun;
constinit const Check kLibraryFailsWhenRun{.code = "RV520",
                                           .id = "library-fails-when-run",
                                           .topic = "runtime",
                                           .title = "A library fails when it is really run",
                                           .doc = kDoc,
                                           .run = run};

}  // namespace rocvet
