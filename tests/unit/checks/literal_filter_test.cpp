#include "formats/literal_filter.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>

#include "base/text.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/kernel_events.h"
#include "machine/kernel_log.h"

using namespace rocvet;

namespace {

std::vector<std::size_t> marked(const LiteralFilter& filter, std::string_view line) {
  LiteralFilter::Marks marks;
  std::vector<std::size_t> all;
  const bool any = filter.mark(line, marks);
  each_marked(marks, [&](std::size_t i) { all.push_back(i); });
  CHECK(any == !all.empty());
  return all;
}

}  // namespace

TEST_CASE("a filter lets through each text that a line may hold, wherever it stands") {
  std::vector<std::vector<std::string>> texts;
  for (int i = 0; i < 100; ++i) texts.push_back({"literal number " + std::to_string(i) + "!"});
  texts.push_back({"segfault", "core dumped"});
  texts.push_back({" oom "});
  const LiteralFilter filter(texts, LiteralFilter::Case::folded);
  const auto has = [&](std::string_view line, std::size_t text) {
    const auto all = marked(filter, line);
    return std::find(all.begin(), all.end(), text) != all.end();
  };
  for (std::size_t i = 0; i < 100; ++i) {
    CAPTURE(i);
    CHECK(has(texts[i][0], i));
    CHECK(has("before LITERAL NUMBER " + std::to_string(i) + "! behind", i));
  }
  CHECK(has("Core Dumped", 100));
  CHECK(has("a SEGFAULT", 100));
  CHECK(has("oom", 101));
  CHECK(has("killed by oom", 101));
  CHECK(marked(filter, "").empty());
  CHECK(marked(filter, "a").empty());
  CHECK(marked(filter, "nothing of it is here").empty());
}

TEST_CASE("a filter that keeps case, and one with a text too short to filter") {
  const LiteralFilter exact({{"BUG:"}}, LiteralFilter::Case::as_is);
  CHECK(marked(exact, "kernel BUG: x").size() == 1);
  CHECK(marked(exact, "kernel bug: x").empty());
  const LiteralFilter any({{"ab"}, {"long enough"}}, LiteralFilter::Case::as_is);
  CHECK(marked(any, "") == std::vector<std::size_t>{0});
}

TEST_CASE("all that people say can be filtered by: what cannot is looked for in every line") {
  for (const ErrorText& text : Database::embedded().knowledge().texts()) {
    if (!text.prose) continue;
    const std::string_view said = text.text.front();
    CAPTURE(said);
    std::size_t best = 0;
    const bool groups = said.starts_with('&');
    for (const auto group : split(said.substr(groups ? 1 : 0), groups ? '&' : '\n')) {
      std::size_t shortest = group.size();
      for (const auto one : split(group, groups ? '|' : '\n')) {
        std::size_t longest = 0;
        for (const auto part : split(one, '*')) longest = std::max(longest, part.size());
        shortest = std::min(shortest, longest);
      }
      best = std::max(best, shortest);
    }
    CHECK(best >= LiteralFilter::kShortest);
  }
}

TEST_CASE("a log that names devices without end gives a bounded number of events") {
  KernelLog log;
  for (int i = 0; i < 65536; ++i) {
    char bdf[16];
    std::snprintf(bdf, sizeof bdf, "%04x:00:00.0: ", i);
    log.lines.push_back(
        {1.0, "amdgpu " + std::string(bdf) + std::string("amdgpu: GPU reset begin!")});
  }
  const std::size_t events = decode_log(log, Database::embedded().knowledge()).size();
  CHECK(events > 1000);
  CHECK(events <= 4096);
}
