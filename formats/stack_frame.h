// Frames of a stack trace, as debuggers, crash reporters, glibc and Python print them.
#pragma once

#include <optional>
#include <string_view>

namespace rocvet {

struct StackFrame {
  /// The library, program or script that the frame lies in, as it is printed: "/opt/rocm/lib/
  /// libamdhip64.so.6", "libhsa-runtime64.so.1", "/opt/rocm/libexec/amdsmi_cli/amdsmi_init.py".
  std::string_view object;
  bool python = false;  ///< Python prints the innermost frame last, all others first
};

/// gdb "#1  0x… in f () from /x/lib.so", systemd "#1  0x… f (lib.so + 0x12)", glibc's backtrace
/// "/x/lib.so(f+0x12) [0x…]", Python 'File "/x/y.py", line 3, in f'. Nothing of another line.
std::optional<StackFrame> parse_stack_frame(std::string_view line);

}  // namespace rocvet
