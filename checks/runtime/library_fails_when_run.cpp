#include <algorithm>

#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/deep.h"
#include "checks/facts/gpus.h"

namespace rocvet {
namespace {

constexpr std::string_view kLibraryFailsWhenRunDoc = R"(
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

using ProbeOutcome = DeepProbe::Outcome;

/// It finds all that KFD lists, one at least.
bool sees_every_gpu(const Machine& machine, const DeepProbe& probe) {
  return probe.outcome == ProbeOutcome::works && !kfd_gpus(machine).empty() &&
         probe.devices.size() >= kfd_gpus(machine).size();
}

bool every_torch_works(const Machine& machine) {
  return std::ranges::all_of(machine.deep->probes, [&](const DeepProbe& probe) {
    return probe.id != "torch" || sees_every_gpu(machine, probe);
  });
}

Finding judge(const Machine& machine, const DeepProbe& probe) {
  const std::string name = deep_name(probe), sentence = deep_sentence(probe);
  const std::string from =
      probe.library.empty() ? std::string() : probe.library + " " + probe.version;
  if (probe.outcome == DeepProbe::Outcome::withheld) {
    return unknown({Error::Kind::denied, "", probe.why}, name);
  }
  if (!deep_fault(machine, probe)) {
    Finding said = passing(sentence).about(name).saw(from);
    if (probe.id == "hip" && sees_every_gpu(machine, probe)) {
      said.seen.push_back("hip-works-on-every-gpu");
      if (machine.process.uid && *machine.process.uid != 0)
        said.seen.push_back("hip-works-without-root");
      if (machine.surroundings.container) said.seen.push_back("hip-works-in-container");
    }
    if (probe.id == "torch" && every_torch_works(machine))
      said.seen.push_back("torch-works-on-every-gpu");
    return said;
  }
  const bool smi = probe.id == "rocm-smi" || probe.id == "amd-smi";
  Finding said = (smi ? warning(sentence) : failing(sentence))
                     .about(name)
                     .saw(from)
                     .saw(probe.words.empty() ? "" : "it wrote: " + probe.words);
  if (probe.outcome == ProbeOutcome::unloadable && probe.id != "torch")
    said.seen.push_back("library-does-not-load");
  if (probe.id == "hip" || probe.id == "hsa") {
    if (machine.kfd.stat.is_missing()) said.evidence.emplace_back("/dev/kfd does not exist");
    if (machine.kfd.stat && !machine.kfd.open && !open_errno(machine.kfd.open).empty())
      said.evidence.push_back("opening /dev/kfd gives " + open_errno(machine.kfd.open));
  }
  const DeepProbe* hsa = deep_probe(machine, "hsa");
  if (probe.id == "hip" && probe.outcome == ProbeOutcome::no_device && hsa != nullptr &&
      hsa->outcome == ProbeOutcome::works)
    said.evidence.push_back("ROCr " + deep_sentence(*hsa));
  return said;
}

std::vector<Finding> run_library_fails_when_run(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.deep) {
    const Error& error = machine.deep.error();
    if (error.kind == Error::Kind::malformed) return {unknown(error)};
    return {not_asked(machine, "the libraries were not run")};
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
                                           .doc = kLibraryFailsWhenRunDoc,
                                           .run = run_library_fails_when_run};

}  // namespace rocvet
