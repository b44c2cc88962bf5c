#include <algorithm>
#include <optional>
#include <span>

#include "base/path_walk.h"
#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/logs/app_errors.h"
#include "formats/library_names.h"
#include "formats/stack_frame.h"

namespace rocvet {
namespace {

constexpr std::string_view kTraceInRocmDoc = R"(
## What it looks for
Stack traces in the application's log (`--log FILE`): of gdb, coredumpctl, glibc's backtrace and Python.
Whether one of the innermost frames lies in a library of ROCm or in a script of its tools.

## Why it matters
A program that stops inside ROCm met a defect of that release, or called it in a way that it does not
check: arguments, an override, libraries of two releases in one process.

## How to mend it
Try the next release of ROCm, in a container if need be. Report it with the whole trace where ROCm keeps
its issues. Where the trace says which library it is, look whether it is of the release it should be.

## Not this
A trace that only passes through ROCm on its way into another library. An error message that rocvet
knows: RV951.

## References
- https://www.freedesktop.org/software/systemd/man/latest/coredumpctl.html
- https://rocm.docs.amd.com/projects/HIP/en/latest/how-to/debugging.html
)";

// A fault shows in the frame it happens in, or in one that called the C library's.
constexpr std::size_t kInnermost = 3;

bool is_of_rocm(std::string_view object) {
  if (object.starts_with("/opt/rocm")) return true;
  const std::string_view name = base_name(object);
  if (is_rocm_library(parse_library_name(name).family)) return true;
  constexpr std::string_view kScripts[] = {"/amdsmi/",  "/amdsmi_cli/", "/rocm_smi/",
                                           "/rocm_sdk", "/rocprof",     "/omniperf/"};
  return contains_one(object, kScripts);
}

struct Frame {
  std::string_view line;
  StackFrame at;
};
using Trace = std::vector<Frame>;

/// Frames that follow each other; Python's have a line of source between them.
std::vector<Trace> traces_of(std::string_view text) {
  std::vector<Trace> traces;
  int since = 0;  // lines behind the last frame
  each_line(text, [&](std::string_view line) {
    const auto frame = parse_stack_frame(line);
    if (!frame) {
      ++since;
      return;
    }
    const bool goes_on =
        !traces.empty() && since <= 2 && traces.back().back().at.python == frame->python;
    if (!goes_on) traces.emplace_back();
    traces.back().push_back({line, *frame});
    since = 0;
  });
  return traces;
}

/// The line of an innermost frame that lies in ROCm. Of a script only what it raised itself counts:
/// what it calls raises in its own frame.
std::optional<std::string_view> line_in_rocm(std::span<const Frame> trace) {
  const bool python = trace.front().at.python;
  const auto innermost = python ? trace.last(1) : trace.first(std::min(kInnermost, trace.size()));
  for (const Frame& frame : innermost) {
    if (is_of_rocm(frame.at.object)) return frame.line;
  }
  return std::nullopt;
}

std::vector<Finding> run_trace_in_rocm(const Context& context) {
  if (spoken(context).empty()) return {skip("no application log is at hand (--log FILE)")};
  const std::vector<Trace> traces = traces_of(spoken(context));
  for (const Trace& trace : traces) {
    const auto line = line_in_rocm(trace);
    if (!line) continue;
    return {failing("a program stopped inside ROCm itself")
                .saw("application: " + std::string(trim(line->substr(0, 300))))
                .sees("trace-ends-in-rocm")};
  }
  if (!traces.empty())
    return {passing("no stack trace of the log ends in ROCm").sees("trace-ends-elsewhere")};
  return {skip("the log has no stack trace")};
}

}  // namespace

extern const Check kTraceInRocm;
constinit const Check kTraceInRocm{.code = "RV953",
                                   .id = "trace-in-rocm",
                                   .topic = "application",
                                   .title = "A program stopped inside ROCm itself",
                                   .doc = kTraceInRocmDoc,
                                   .run = run_trace_in_rocm};

}  // namespace rocvet
