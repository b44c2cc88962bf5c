#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kExtensionOfAnotherRocmDoc = R"(
## What it looks for
bitsandbytes and other packages whose libraries carry a ROCm version in their name, against
torch's ROCm.

## Why it matters
The extension does not find its library (libbitsandbytes_rocmNN.so) or loads a second HIP of
another major.

## How to mend it
Install the extension for torch's ROCm, or set BNB_ROCM_VERSION.

## Not this
torch itself built for another ROCm: RV501.

## References
- https://huggingface.co/docs/bitsandbytes/main/en/installation
)";

/// "64" of "…_rocm64.so"; "" otherwise.
std::string rocm_suffix(const std::string& path) {
  const std::size_t at = path.rfind("_rocm");
  if (at == path.npos) return "";
  const std::size_t end = path.find_first_not_of("0123456789", at + 5);
  return path.substr(at + 5, end == path.npos ? path.npos : end - at - 5);
}

/// bitsandbytes takes HIP 7.12 for 10 * 7 + 12: then it looks for a library that no release has.
bool counts_wrong(const Context& context, const std::string& hip) {
  const auto parts = split(hip, '.');
  if (parts.size() < 2 || parts[1].size() < 2) return false;
  const auto major = parse_number(parts[0]), minor = parse_number(parts[1]);
  return major && minor &&
         app_log_has(context, "libbitsandbytes_rocm" + std::to_string(10 * *major + *minor));
}

std::vector<Finding> run_extension_of_another_rocm(const Context& context) {
  const bool complaint = app_log_has(context, "libbitsandbytes_rocm");
  bool miscounted = false;
  bool any_fits = false;
  std::vector<Finding> findings;
  for (const PythonEnvironment& python : context.machine.software.python) {
    std::string torch;
    bool two_digits = false;
    for (const Framework& framework : python.frameworks) {
      if (framework.name == "torch" && framework.hip_version) {
        const auto parts = split(*framework.hip_version, '.');
        miscounted |= counts_wrong(context, *framework.hip_version);
        if (parts.size() > 1) torch = std::string(parts[0]) + std::string(parts[1]);
        two_digits = parts.size() > 1 && parts[1].size() > 1;
      }
    }
    if (torch.empty()) continue;
    for (const Framework& framework : python.frameworks) {
      if (framework.name == "torch") continue;
      std::string built;
      bool fits = false;
      for (const Library& library : framework.libraries) {
        const std::string suffix = rocm_suffix(library.path);
        if (suffix.empty()) continue;
        built = suffix;
        fits |= suffix == torch;
      }
      any_fits |= fits;
      if (built.empty() || fits) continue;
      if (two_digits && framework.name == "bitsandbytes") {
        findings.push_back(
            passing("bitsandbytes has no library for a ROCm whose minor number has two digits")
                .about(python.root)
                .saw(framework.name + " has rocm" + built + ", torch is of rocm" + torch)
                .saw("it is bitsandbytes that counts wrong, ROCm and torch fit"));
        continue;
      }
      findings.push_back(
          (complaint ? failing(framework.name + " is built for another ROCm than torch")
                     : warning(framework.name + " is built for another ROCm than torch"))
              .about(python.root)
              .saw(framework.name + " has rocm" + built + ", torch is of rocm" + torch)
              .sees("extension-for-another-rocm-than-torch")
              .fix({Step("install {} for torch's ROCm", framework.name)}));
    }
  }
  if (findings.empty() && complaint && miscounted)
    return {pass("bitsandbytes counts the minor number of HIP wrong, ROCm and torch fit")};
  // Where the library that fits is there, the words are of something else.
  if (findings.empty() && complaint && !any_fits)
    return failing("bitsandbytes does not find its library for this ROCm")
        .sees("bitsandbytes-finds-no-rocm-library")
        .fix({"pip install --upgrade bitsandbytes"});
  return or_pass(std::move(findings), "no extension is built for another ROCm");
}

}  // namespace

extern const Check kExtensionOfAnotherRocm;
constinit const Check kExtensionOfAnotherRocm{
    .code = "RV807",
    .id = "extension-of-another-rocm",
    .topic = "framework",
    .title = "An extension was built for another ROCm than the framework",
    .doc = kExtensionOfAnotherRocmDoc,
    .run = run_extension_of_another_rocm};

}  // namespace rocvet
