// The worker: opens one device, runs the tests it was given one after another, and says so on fd 3.
// Whatever happens to it happens to no one else.
#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "machine/text.h"
#include "selftests/selftest.h"
#include "selftests/worker/message.h"

namespace rocvet {
namespace {

using worker::Message;

void send(const Message& message) {
  const std::string line = worker::encode(message);
  std::size_t at = 0;
  while (at < line.size()) {
    const ssize_t count = ::write(worker::kResultFd, line.data() + at, line.size() - at);
    if (count <= 0) ::_exit(1);  // nobody listens any more
    at += static_cast<std::size_t>(count);
  }
}

Result<std::unique_ptr<gpu::Runtime>> runtime_of(std::string_view kind) {
  if (kind == "hip") return gpu::hip_runtime();
  if (kind == "cuda") return gpu::cuda_runtime();
  return gpu::host_runtime();
}

/// All is said: leave without the runtime's exit handlers, which have been seen to crash and to
/// hang.
[[noreturn]] void leave() {
  ::_exit(0);
}

[[noreturn]] void give_up(const Error& error) {
  Message message{.kind = Message::Kind::fatal};
  message.error = error;
  send(message);
  leave();
}

Message run_one(const SelfTest& test, const DeviceRun& run, const Params& params) {
  Message message{.kind = Message::Kind::error, .test = std::string(test.id)};
  try {
    if (auto reason = test.why_skip(run)) {
      message.kind = Message::Kind::skip;
      message.error.what = *reason;
      return message;
    }
    auto measured = test.run(run, params);
    if (measured) {
      message.kind = Message::Kind::result;
      message.measurement = std::move(*measured);
    } else {
      message.error = measured.error();
    }
  } catch (const std::bad_alloc&) {
    message.error = {Error::Kind::failed, std::string(test.id), "out of host memory"};
  } catch (const std::exception& problem) {
    message.error = {Error::Kind::failed, std::string(test.id),
                     std::string("exception: ") + problem.what()};
  }
  return message;
}

const SelfTest* find_test(std::string_view id) {
  for (const SelfTest* test : all_selftests()) {
    if (test->id == id) return test;
  }
  return nullptr;
}

}  // namespace

// Arguments: RUNTIME INDEX SIZE SEED TIME_LIMIT TEST…; INDEX "count" only counts the devices.
int worker_main(int argc, char** argv) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (argc < 6 || ::fcntl(worker::kResultFd, F_GETFD) < 0) {
    std::fputs("rocvet: __worker is started by rocvet itself\n", stderr);
    return 3;
  }
  ::fcntl(worker::kResultFd, F_SETFD, FD_CLOEXEC);
  auto runtime = runtime_of(argv[1]);
  if (!runtime) give_up(runtime.error());
  if (std::string_view(argv[2]) == "count") {
    auto count = (*runtime)->device_count();
    if (!count) give_up(count.error());
    send({.kind = Message::Kind::count, .test = "", .number = *count});
    leave();
  }
  auto device = (*runtime)->use_device(static_cast<int>(parse_number(argv[2]).value_or(0)));
  if (!device) give_up(device.error());
  auto stream = (*runtime)->create_stream();
  if (!stream) give_up(stream.error());
  Message opened{.kind = Message::Kind::device};
  opened.device = *device;
  opened.runtime = (*runtime)->library() + " " + (*runtime)->version();
  send(opened);
  Params params;
  params.size = static_cast<Size>(parse_number(argv[3]).value_or(1));
  params.seed = parse_number(argv[4]).value_or(1);
  params.time_limit_s = static_cast<double>(parse_number(argv[5]).value_or(10));
  const DeviceRun run{**runtime, *device, *stream};
  for (int i = 6; i < argc; ++i) {
    const SelfTest* test = find_test(argv[i]);
    if (test == nullptr) continue;
    send({.kind = Message::Kind::begin, .test = std::string(test->id)});
    send(run_one(*test, run, params));
  }
  send({.kind = Message::Kind::end});
  leave();
}

}  // namespace rocvet
