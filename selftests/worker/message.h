// What a worker tells its parent: one JSON object a line on file descriptor 3.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "selftests/selftest.h"

namespace rocvet::worker {

constexpr int kResultFd = 3;
constexpr std::size_t kLongestLine = 4u << 20;

struct Message {
  enum class Kind {
    count,   ///< how many devices there are (`number`)
    device,  ///< the device was opened
    begin,   ///< a test begins
    skip,    ///< it cannot run here; `error.what` says why
    result,  ///< it ran
    error,   ///< a call failed in it
    fatal,   ///< the device or its runtime cannot be used at all
    end,     ///< nothing more will come
  };
  Kind kind = Kind::end;
  std::string test;
  int number = 0;
  Error error;
  Measurement measurement;
  gpu::DeviceInfo device;
  std::string runtime;  ///< library and version
};

std::string encode(const Message& message);
/// An Error for anything that is no message: a worker's memory may have been overwritten.
Result<Message> decode(std::string_view line);

}  // namespace rocvet::worker
