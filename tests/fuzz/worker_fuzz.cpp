// What a worker process says, into whose output a vendor's library may have written; and what a
// snapshot keeps of --deep. What is read can be written and read again.
#include <string>

#include "fuzz/target.h"
#include "machine/deep.h"
#include "selftests/worker/protocol.h"

using namespace rocvet;

FUZZ_TARGET(worker) {
  const std::string text(bytes);
  if (const auto job = worker::decode_job(text)) {
    const std::string written = worker::encode(*job);
    const auto again = worker::decode_job(written);
    fuzz::must(again.has_value(), "a job is read back");
    fuzz::must_equal(worker::encode(*again), written, "and is the same");
  }
  if (const auto event = worker::decode_event(text)) {
    const std::string written = worker::encode(*event);
    fuzz::must(written.find('\n') == written.npos, "an event is one line");
    const auto again = worker::decode_event(written);
    fuzz::must(again.has_value(), "an event is read back");
    fuzz::must_equal(worker::encode(*again), written, "and is the same");
  }
  if (const auto deep = parse_deep(bytes)) {
    const std::string written = write_deep(*deep);
    const auto again = parse_deep(written);
    fuzz::must(again.has_value(), "deep facts are read back");
    fuzz::must_equal(write_deep(*again), written, "and are the same");
    fuzz::must(deep->probes.size() <= 256, "no more than 256 probes");
  }
  fuzz::use(parse_deep_device(bytes));
  fuzz::use(deep_outcome(bytes));
}
