#include "selftests/worker/watcher.h"


#include "base/now_s.h"
#include "base/text.h"
#include "selftests/worker/protocol.h"

namespace rocvet::worker {
namespace {

constexpr std::size_t kMostMoments = 1 << 16;  // an hour

}  // namespace

Watcher::Watcher(const std::string& program) {
  Job job;
  job.runtime = "nvml";
  if (auto process = Process::start(program, encode(job))) process_.emplace(std::move(*process));
}

void Watcher::add_to(std::vector<pollfd>& watched) const {
  if (process_ && process_->events_fd() >= 0) watched.push_back({process_->events_fd(), POLLIN, 0});
}

void Watcher::read_new() {
  if (!process_) return;
  for (const std::string& line : process_->read_available()) {
    auto event = decode_event(line);
    const auto* seen = event ? std::get_if<Watched>(&*event) : nullptr;
    if (seen == nullptr) {  // there is no such library, or it is not what we think: do without
      process_.reset();
      return;
    }
    if (moments_.size() < kMostMoments) moments_.push_back({now_s(), seen->gpus});
  }
  if (process_->events_fd() < 0) process_.reset();
}

void Watcher::wait_for_first(double limit_s) {
  const double until = now_s() + limit_s;
  read_new();
  while (process_ && moments_.empty() && now_s() < until) {
    std::vector<pollfd> watched;
    add_to(watched);
    poll(watched.data(), watched.size(), 20);
    read_new();
  }
}

void Watcher::forget_before(double time_s) {
  std::erase_if(moments_, [&](const Moment& moment) { return moment.time_s < time_s; });
}

std::vector<GpuSample> Watcher::samples(const std::string& bdf, double from_s, double to_s) const {
  std::vector<GpuSample> out;
  const std::string wanted = lower(bdf);
  for (const Moment& moment : moments_) {
    if (moment.time_s < from_s || moment.time_s > to_s) continue;
    for (const GpuSample& gpu : moment.gpus) {
      if (gpu.bdf == wanted) out.push_back(gpu);
    }
  }
  return out;
}

}  // namespace rocvet::worker
