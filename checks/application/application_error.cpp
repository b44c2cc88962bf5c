#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kApplicationErrorDoc = R"(
## What it looks for
Known error texts of ROCr, HIP, rocBLAS, MIOpen, RCCL, PyTorch, TensorFlow, ollama, llama.cpp,
vLLM and others in the application's log (`--log FILE`).

## Why it matters
A text has several causes; it says where to look. The other checks decide between them, and the
diagnosis names the one that fits. What people write in their own words is no error text: it only
weighs among the causes that the machine or a message supports.

Some texts are known and are no fault of the GPU stack: a warning that changes nothing, a model that
is too large, a download that failed. They are told beside the pass.

## How to mend it
See the root cause that the diagnosis names; `rocvet explain` has its page.

## Not this
An error of the kernel: RV902 to RV909.

## References
- https://rocm.docs.amd.com/projects/HIP/en/latest/how-to/debugging.html
- https://rocm.docs.amd.com/en/latest/how-to/rocm-for-ai/index.html
)";

Finding told(const AppError& error) {
  return warning(std::string(error.text->from) + ": " + std::string(error.text->means))
      .about(std::string(error.text->id))
      .saw("application: " + error.line)
      .saw("decides: " + std::string(error.text->asks));
}

std::vector<Finding> run_application_error(const Context& context) {
  if (spoken(context).empty()) return {skip("no application log is at hand (--log FILE)")};
  std::vector<Finding> findings;
  std::vector<std::string> beside;
  std::vector<const AppError*> ends;  // how it ended, not why
  for (const AppError& error : app_errors(context)) {
    if (error.text->asks.empty()) {
      if (!error.text->prose) {
        beside.push_back(std::string(error.text->from) + ": " + std::string(error.text->means) +
                         "; no fault of the GPU stack: " + error.line);
      }
      continue;
    }
    if (error.text->prose) {
      beside.push_back(std::string(error.text->means) +
                       "; decides: " + std::string(error.text->asks));
      continue;
    }
    if (error.text->outcome) {
      ends.push_back(&error);
      continue;
    }
    findings.push_back(told(error));
  }
  // What says why comes first, and what came of it is a line of that.
  const bool says_why = !findings.empty();
  for (const AppError* end : ends) {
    if (says_why)
      findings.front().evidence.push_back("application: " + end->line);
    else
      findings.push_back(told(*end));
  }
  if (!findings.empty()) return findings;
  return passing("the application's log has no known error of the GPU stack").saw(beside);
}

}  // namespace

extern const Check kApplicationError;
constinit const Check kApplicationError{
    .code = "RV951",
    .id = "application-error",
    .topic = "application",
    .title = "The application reports an error of the GPU stack",
    .doc = kApplicationErrorDoc,
    .run = run_application_error};

}  // namespace rocvet
