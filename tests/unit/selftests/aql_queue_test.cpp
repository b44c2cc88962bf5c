// A queue in plain memory: what is written into it, and what is said of one that stands still.
#include "selftests/gpu/aql_queue.h"

#include <doctest/doctest.h>

#include <vector>

namespace rocvet::gpu {
namespace {

class PlainQueue final : public AqlQueue {
 public:
  PlainQueue() { use(packets.data(), arguments.data(), &shared); }
  std::vector<aql::Packet> packets{kPackets};
  std::vector<std::byte> arguments{kPackets * kMostArguments};
  aql::QueueMemory shared;
  std::uint64_t rung = 0;
  int waits = 0;

 private:
  void ring_doorbell(std::uint64_t value) override { rung = value; }
  Result<Done> wait_until(const std::function<bool()>& done) override {
    if (done()) return Done{};
    ++waits;
    shared.read_index = shared.write_index.load();  // the command processor catches up
    return done() ? Result<Done>(Done{}) : Error{Error::Kind::failed, "queue", "is full for ever"};
  }
};

TEST_CASE("AQL queue: packets stand in their order, and the doorbell tells the last") {
  PlainQueue queue;
  aql::Signal after;
  Dispatch dispatch;
  dispatch.kernel_object = 0x1'2345'6780;
  dispatch.blocks = 3;
  dispatch.threads = 64;
  REQUIRE(queue.run(dispatch));
  REQUIRE(queue.barrier(nullptr, &after));
  CHECK((queue.packets[0].header & 0xff) == 2);
  CHECK((queue.packets[1].header & 0xff) == 3);
  CHECK(queue.rung == 1);
  CHECK(queue.shared.write_index.load() == 2);
  CHECK(queue.state() == "0 of 2 packets were begun, the next is a kernel");
  queue.shared.read_index = 1;
  CHECK(queue.state() == "1 of 2 packets were begun, the next is a barrier");
  queue.shared.read_index = 2;
  CHECK(queue.state() == "2 of 2 packets were begun");
}

TEST_CASE("AQL queue: a full one is waited for, and nothing is written over") {
  PlainQueue queue;
  for (std::uint64_t i = 0; i < AqlQueue::kPackets + 10; ++i) REQUIRE(queue.run({}));
  CHECK(queue.waits >= 1);
  CHECK(queue.shared.write_index.load() == AqlQueue::kPackets + 10);
}

TEST_CASE("AQL queue: what no packet can say is refused, and nothing is rung") {
  PlainQueue queue;
  Dispatch dispatch;
  dispatch.blocks = 1u << 31;
  dispatch.threads = 256;
  CHECK_FALSE(queue.run(dispatch));
  const std::vector<std::byte> many(AqlQueue::kMostArguments + 1);
  Dispatch large;
  large.arguments = many;
  CHECK_FALSE(queue.run(large));
  CHECK(queue.shared.write_index.load() == 0);
}

}  // namespace
}  // namespace rocvet::gpu
