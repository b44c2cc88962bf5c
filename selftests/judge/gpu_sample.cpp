#include "selftests/judge/gpu_sample.h"

#include <algorithm>

namespace rocvet {
namespace {

using Field = std::optional<double> GpuSample::*;

std::vector<double> values(const std::vector<GpuSample>& samples, Field field) {
  std::vector<double> out;
  for (const GpuSample& sample : samples) {
    if (sample.*field) out.push_back(*(sample.*field));
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::optional<double> middle_of_field(const std::vector<GpuSample>& samples, Field field) {
  const auto all = values(samples, field);
  return all.empty() ? std::nullopt : std::optional<double>(all[all.size() / 2]);
}
std::optional<double> highest_of_field(const std::vector<GpuSample>& samples, Field field) {
  const auto all = values(samples, field);
  return all.empty() ? std::nullopt : std::optional<double>(all.back());
}

std::optional<int> whole(const std::optional<double>& value) {
  return value ? std::optional<int>(static_cast<int>(*value)) : std::nullopt;
}

bool has(const std::vector<int>& pids, int pid) {
  return std::find(pids.begin(), pids.end(), pid) != pids.end();
}

/// The processes seen, without ours; memory is the most that was seen, load the mean of what was.
std::vector<GpuProcess> others_in(const std::vector<GpuSample>& samples,
                                  const std::vector<int>& own_pids) {
  struct Seen {
    GpuProcess process;
    int busy_sum = 0, busy_count = 0;
  };
  std::vector<Seen> all;
  bool ours_seen = false;
  for (const GpuSample& sample : samples) {
    for (const GpuProcess& process : sample.processes) {
      if (has(own_pids, process.pid)) {
        ours_seen = true;
        continue;
      }
      auto at = std::find_if(all.begin(), all.end(),
                             [&](const Seen& s) { return s.process.pid == process.pid; });
      if (at == all.end()) at = all.insert(all.end(), Seen{process});
      if (process.memory_bytes > at->process.memory_bytes)
        at->process.memory_bytes = process.memory_bytes;
      if (process.busy_percent) {
        at->busy_sum += *process.busy_percent;
        ++at->busy_count;
      }
    }
  }
  // In a container the driver counts processes by other numbers than we do: the one without a name
  // is ours then.
  if (!ours_seen && !own_pids.empty()) {
    const auto nameless =
        std::find_if(all.begin(), all.end(), [](const Seen& s) { return s.process.name.empty(); });
    if (nameless != all.end()) all.erase(nameless);
  }
  std::vector<GpuProcess> out;
  for (Seen& seen : all) {
    if (seen.busy_count > 0) seen.process.busy_percent = seen.busy_sum / seen.busy_count;
    out.push_back(std::move(seen.process));
  }
  return out;
}

}  // namespace

Telemetry summarize(const std::vector<GpuSample>& before, const std::vector<GpuSample>& during,
                    const std::vector<GpuSample>& timed, const std::vector<int>& own_pids) {
  Telemetry out;
  // With no sample of the timed part the highest_of_field clock is nearest to it: the rest is
  // preparation.
  const auto under_load = [&](Field field) {
    return timed.empty() ? highest_of_field(during, field) : middle_of_field(timed, field);
  };
  out.clock_mhz = under_load(&GpuSample::clock_mhz);
  out.memory_clock_mhz = under_load(&GpuSample::memory_clock_mhz);
  if (!timed.empty()) out.power_w = middle_of_field(timed, &GpuSample::power_w);
  out.memory_clock_max_mhz = highest_of_field(during, &GpuSample::memory_clock_max_mhz);
  out.power_cap_w = middle_of_field(during, &GpuSample::power_cap_w);
  out.power_cap_default_w = middle_of_field(during, &GpuSample::power_cap_default_w);
  out.temperature_c = highest_of_field(during, &GpuSample::temperature_c);
  out.temperature_limit_c = highest_of_field(during, &GpuSample::temperature_limit_c);
  out.link_gts = under_load(&GpuSample::link_gts);
  out.link_width = whole(under_load(&GpuSample::link_width));
  out.link_gts_max = highest_of_field(during, &GpuSample::link_gts_max);
  out.link_width_max = whole(highest_of_field(during, &GpuSample::link_width_max));
  for (const GpuSample& sample : timed) {
    for (const std::string& reason : sample.throttle) {
      if (std::find(out.throttle.begin(), out.throttle.end(), reason) == out.throttle.end())
        out.throttle.push_back(reason);
    }
  }
  if (!before.empty()) {
    out.busy_before_percent = whole(before.back().busy_percent);
    out.memory_used_bytes = before.back().memory_used_bytes;
    out.memory_total_bytes = before.back().memory_total_bytes;
  }
  const std::vector<GpuSample>& seen = during.empty() ? before : during;
  if (!seen.empty()) {
    const auto grown = [&](std::uint64_t GpuSample::*counter) {
      const std::uint64_t first = seen.front().*counter, last = seen.back().*counter;
      return last > first ? last - first : 0;
    };
    out.new_corrected_errors = grown(&GpuSample::corrected);
    out.new_uncorrected_errors = grown(&GpuSample::uncorrected);
    out.new_pcie_replays = grown(&GpuSample::replays);
    out.error_totals = {seen.back().corrected, seen.back().uncorrected, seen.back().replays, false};
    out.exclusive = seen.back().exclusive;
  }
  out.others = others_in(seen, own_pids);
  out.other_processes = static_cast<int>(out.others.size());
  return out;
}

}  // namespace rocvet
