#include "selftests/ladder.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/text.h"
#include "selftests/same_bits.h"

namespace rocvet {
namespace {

struct RungTitle {
  std::string_view name, title;
};
constexpr RungTitle kTitles[] = {
    {"driver", "the kernel driver"}, {"kfd", "KFD (rocvet's own runtime)"},
    {"hsa", "HSA (ROCr)"},           {"hip", "HIP"},
    {"libraries", "the libraries"},  {"frameworks", "the frameworks"}};

/// "hip:3" -> 3; nullopt: all devices of the runtime are meant.
std::optional<std::size_t> number_of(const std::string& device) {
  const std::size_t colon = device.find(':');
  if (colon == device.npos) return std::nullopt;
  const auto number = parse_number(device.substr(colon + 1));
  return number ? std::optional<std::size_t>(*number) : std::nullopt;
}

bool is_of(const TestResult& result, const LadderGpu& gpu, std::size_t index) {
  if (!result.gpu.bdf.empty()) return lower(result.gpu.bdf) == lower(gpu.bdf);
  const auto number = number_of(result.device);
  return !number || *number == index;
}

Rung rung_of(const RungResults& from, const LadderGpu& gpu, std::size_t index) {
  Rung rung;
  rung.name = from.name;
  rung.seconds = from.seconds;
  const TestResult *first_bad = nullptr, *unjudged = nullptr;
  for (const TestResult& result : from.results) {
    if (!is_of(result, gpu, index)) continue;
    if (!result.through.empty()) rung.through = result.through;
    switch (result.verdict) {
      case Verdict::pass:
      case Verdict::warn:
        ++rung.passed;
        break;
      case Verdict::fail:
        ++rung.failed;
        if (first_bad == nullptr) first_bad = &result;
        break;
      default:
        ++rung.not_run;
        if (result.verdict == Verdict::unknown && unjudged == nullptr) unjudged = &result;
        break;
    }
  }
  const int judged = rung.passed + rung.failed;
  if (first_bad != nullptr) {
    rung.verdict = Verdict::fail;
    if (!first_bad->through.empty()) rung.through = first_bad->through;
    rung.summary = (first_bad->id == "device" ? "" : first_bad->id + ": ") + first_bad->summary;
  } else if (unjudged != nullptr) {
    rung.verdict = Verdict::unknown;
    rung.summary = unjudged->summary;
  } else if (judged > 0) {
    rung.verdict = Verdict::pass;
    rung.summary =
        std::to_string(rung.passed) + (rung.passed == 1 ? " test right" : " tests right");
  } else {
    rung.verdict = Verdict::skip;
    rung.summary = from.results.empty() ? "not asked for" : "nothing of it can run here";
  }
  return rung;
}

/// Results whose bits depend on the kernel alone, by test and rung.
using Digests = std::map<std::string, std::map<std::string, std::uint64_t>>;
Digests digests_of(const std::vector<RungResults>& rungs, const LadderGpu& gpu, std::size_t index) {
  Digests digests;
  for (const RungResults& rung : rungs) {
    for (const TestResult& result : rung.results) {
      if (has_same_bits(result.id) && result.digest != 0 && is_of(result, gpu, index))
        digests[result.id][rung.name] = result.digest;
    }
  }
  return digests;
}

std::vector<std::string> differing_tests(const Digests& digests) {
  std::vector<std::string> out;
  for (const auto& [test, by_rung] : digests) {
    const auto other = std::ranges::find_if(
        by_rung, [&](const auto& one) { return one.second != by_rung.begin()->second; });
    if (other != by_rung.end())
      out.push_back(test + " through " + by_rung.begin()->first + " and through " + other->first);
  }
  return out;
}

std::string where_it_breaks(const std::vector<Rung>& rungs) {
  std::string aside;
  for (auto bad = rungs.begin();; ++bad) {
    bad = std::find_if(bad, rungs.end(),
                       [](const Rung& rung) { return rung.verdict == Verdict::fail; });
    if (bad == rungs.end()) return aside;
    const std::string title = title_of_rung(bad->name);
    const auto passes = [](const Rung& rung) { return rung.verdict == Verdict::pass; };
    const auto above = std::find_if(bad + 1, rungs.end(), passes);
    const auto below = std::find_if(std::make_reverse_iterator(bad), rungs.rend(), passes);
    // What stands on a layer cannot work without it: this one alone was refused, or is our own, and
    // the break may lie higher.
    if (above != rungs.end()) {
      aside += (aside.empty() ? "" : "; ") + title + " fails and " + title_of_rung(above->name) +
               " works: " + bad->summary;
      continue;
    }
    const std::string place = below == rungs.rend()
                                  ? "at " + title
                                  : "between " + title_of_rung(below->name) + " and " + title;
    return "the break is " + place + ": " + bad->summary + (aside.empty() ? "" : "; " + aside);
  }
}

/// And those that ran tests though nobody saw them: what was to be looked at could not be.
std::vector<LadderGpu> with_tested(const std::vector<LadderGpu>& seen,
                                   const std::vector<RungResults>& rungs) {
  std::vector<LadderGpu> gpus = seen;
  const Rung unseen = seen.size() == 1 && seen.front().bdf.empty() ? seen.front().driver : Rung{};
  for (const RungResults& rung : rungs) {
    for (const TestResult& result : rung.results) {
      const std::string bdf = lower(result.gpu.bdf);
      const bool known =
          std::ranges::any_of(gpus, [&](const LadderGpu& gpu) { return lower(gpu.bdf) == bdf; });
      if (bdf.empty() || known) continue;
      gpus.push_back({bdf, result.gpu.arch, unseen});
      gpus.back().driver.name = "driver";
    }
  }
  if (gpus.size() > seen.size())
    std::erase_if(gpus, [](const LadderGpu& gpu) { return gpu.bdf.empty(); });
  return gpus;
}

}  // namespace

std::string title_of_rung(std::string_view name) {
  for (const RungTitle& one : kTitles) {
    if (one.name == name) return std::string(one.title);
  }
  return std::string(name);
}

bool has_break(const GpuLadder& ladder) {
  const auto decided = std::ranges::find_if(
      ladder.rungs.rbegin(), ladder.rungs.rend(),
      [](auto& rung) { return rung.verdict == Verdict::fail || rung.verdict == Verdict::pass; });
  return decided != ladder.rungs.rend() && decided->verdict == Verdict::fail;
}

std::vector<GpuLadder> climb(const std::vector<LadderGpu>& seen,
                             const std::vector<RungResults>& rungs) {
  const std::vector<LadderGpu> gpus = with_tested(seen, rungs);
  std::vector<GpuLadder> ladders;
  for (std::size_t index = 0; index < gpus.size(); ++index) {
    const LadderGpu& gpu = gpus[index];
    GpuLadder ladder{gpu.bdf, gpu.arch, {gpu.driver}, "", {}};
    for (const RungResults& rung : rungs) ladder.rungs.push_back(rung_of(rung, gpu, index));
    // What was looked at is less than what was tried.
    Rung& driver = ladder.rungs.front();
    const bool works = std::any_of(ladder.rungs.begin() + 1, ladder.rungs.end(),
                                   [](const Rung& rung) { return rung.passed > 0; });
    if (works && driver.verdict == Verdict::fail) {
      driver.verdict = Verdict::warn;
      driver.summary += ", and yet what stands on it works";
    }
    ladder.broken = where_it_breaks(ladder.rungs);
    ladder.differing = differing_tests(digests_of(rungs, gpu, index));
    ladders.push_back(std::move(ladder));
  }
  return ladders;
}

}  // namespace rocvet
