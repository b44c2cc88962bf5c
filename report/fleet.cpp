#include "report/fleet.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/json_text.h"
#include "base/text.h"
#include "report/facts.h"
#include "report/layout.h"
#include "selftests/judge/judge.h"

namespace rocvet {
namespace {

constexpr std::size_t kFewestMembers = 3;

std::vector<OddOneOut> odd_ones(const std::vector<FleetMember>& members) {
  std::vector<std::string> names;
  std::map<std::string, std::vector<std::pair<std::string, std::string>>> values;
  for (const FleetMember& member : members) {
    for (const MachineFact& fact : machine_facts(member.report.machine)) {
      if (values.count(fact.name) == 0) names.push_back(fact.name);
      values[fact.name].emplace_back(member.name, fact.value);
    }
  }
  std::vector<OddOneOut> out;
  for (const std::string& name : names) {
    const auto& all = values[name];
    std::map<std::string, int> counts;
    for (const auto& [member, value] : all) ++counts[value];
    const auto most = std::ranges::max_element(
        counts, {}, [](const auto& value_and_count) { return value_and_count.second; });
    const auto usual = static_cast<std::size_t>(most->second);
    if (all.size() < kFewestMembers || usual == all.size() || usual * 2 <= all.size()) continue;
    OddOneOut odd{name, most->first, most->second, static_cast<int>(all.size()), {}};
    for (const auto& entry : all) {
      if (entry.second != most->first) odd.odd.push_back(entry);
    }
    out.push_back(std::move(odd));
  }
  return out;
}

struct Figure {
  std::string member, device, unit;
  double value = 0;
};

/// "hip:3" is the fourth GPU; "host" is none.
std::string target_of(const Report& report, const std::string& device) {
  const std::size_t colon = device.find(':');
  if (colon == std::string::npos) return device;
  const auto index = parse_number(device.substr(colon + 1));
  if (!index || *index >= report.machine.gpus.size()) return device.substr(0, colon);
  const Gpu& gpu = report.machine.gpus[*index];
  return gpu.name.value_or(gpu.gfx.value_or(device.substr(0, colon)));
}

std::vector<SlowMember> slow_ones(const std::vector<FleetMember>& members) {
  // Figures of the same test at the same size on the same kind of GPU.
  std::map<std::vector<std::string>, std::vector<Figure>> groups;
  for (const FleetMember& member : members) {
    for (const TestResult& result : member.report.selftests) {
      if (!result.performance || result.performance->median <= 0) continue;
      const Performance& p = *result.performance;
      // Of what should be small, the inverse is what should be large.
      groups[{result.id, p.metric, p.unit, target_of(member.report, result.device),
              result.higher_is_better ? "more" : "less"}]
          .push_back({member.name, result.device, p.unit, p.median});
    }
  }
  std::vector<SlowMember> out;
  for (const auto& [key, figures] : groups) {
    const bool more_is_better = key.back() == "more";
    std::vector<double> goodness, sorted;
    for (const Figure& figure : figures) {
      goodness.push_back(more_is_better ? figure.value : 1 / figure.value);
      sorted.push_back(figure.value);
    }
    std::ranges::sort(sorted);
    for (std::size_t i = 0; i < figures.size(); ++i) {
      if (!below_peers(goodness[i], goodness)) continue;
      out.push_back({figures[i].member, figures[i].device, key.front(), figures[i].unit,
                     figures[i].value, sorted[sorted.size() / 2]});
    }
  }
  return out;
}

/// What is wrong with it, in a few words.
std::string trouble_of(const Report& report) {
  std::vector<std::string> words;
  words.reserve(report.diagnosis.root_causes.size());
  for (const RootCause& cause : report.diagnosis.root_causes) words.push_back(cause.id);
  if (words.empty()) {
    std::set<std::string> failed;
    for (const CheckResult& result : report.checks) {
      if (result.finding.verdict == Verdict::fail) failed.emplace(result.check->id);
    }
    for (const TestResult& result : report.selftests) {
      if (result.verdict == Verdict::fail) failed.insert(result.device + " " + result.id);
    }
    words.assign(failed.begin(), failed.end());
  }
  constexpr std::size_t kMost = 3;
  const std::size_t more = words.size() > kMost ? words.size() - kMost : 0;
  words.resize(words.size() - more);
  return join(words, ", ") + (more > 0 ? " and " + std::to_string(more) + " more" : "");
}

/// Characters as a terminal counts them: bytes that begin one.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 < row.size()) line.append(widths[i] - width_of(row[i]) + 2, ' ');
    }
    while (line.ends_with(' ')) line.pop_back();
    out += line + "\n";
  }
  return out;
}

}  // namespace

Fleet merge_reports(std::vector<FleetMember> members, std::vector<Error> unread) {
  std::ranges::stable_sort(members, {},
                           [](const FleetMember& member) { return rank(member.report.verdict); });
  Fleet fleet;
  fleet.unread = std::move(unread);
  fleet.odd = odd_ones(members);
  fleet.slow = slow_ones(members);
  fleet.members = std::move(members);
  return fleet;
}

Verdict fleet_verdict(const Fleet& fleet) {
  std::vector<Verdict> verdicts;
  for (const FleetMember& member : fleet.members) verdicts.push_back(member.report.verdict);
  if (!fleet.slow.empty()) verdicts.push_back(Verdict::fail);
  if (!fleet.unread.empty()) verdicts.push_back(Verdict::unknown);
  return worst_of(verdicts);
}

std::string write_fleet(const Fleet& fleet) {
  std::vector<std::vector<std::string>> rows = {
      {"machine", "verdict", "GPUs", "ROCm", "amdgpu", "kernel", ""}};
  std::map<Verdict, int> counts;
  for (const FleetMember& member : fleet.members) {
    const Report& report = member.report;
    ++counts[report.verdict];
    std::vector<std::string> row = {printable(member.name), std::string(to_string(report.verdict))};
    const std::vector<MachineFact> facts = machine_facts(report.machine);
    for (const char* name : {"GPUs", "ROCm", "amdgpu", "kernel"}) {
      const std::string value = fact_value(facts, name);
      row.push_back(value.empty() ? "?" : printable(value));
    }
    row.push_back(printable(trouble_of(report)));
    rows.push_back(std::move(row));
  }
  std::string out = table(rows);
  if (!fleet.slow.empty()) out += "\nbelow its peers:\n";
  for (const SlowMember& slow : fleet.slow) {
    out += "  " + printable(slow.name + " " + slow.device + " " + slow.test) + ": " +
           short_number(slow.value) + " " + printable(slow.unit) + ", the others " +
           short_number(slow.peers_median) + "\n";
  }
  if (!fleet.odd.empty()) out += "\nodd ones out:\n";
  for (const OddOneOut& odd : fleet.odd) {
    out += "  " + odd.fact + ": " + std::to_string(odd.with_usual) + " of " +
           std::to_string(odd.of) + " have " + printable(odd.usual) + "\n";
    for (const auto& [member, value] : odd.odd) {
      out += "    " + printable(member) + " has " + printable(value) + "\n";
    }
  }
  if (!fleet.unread.empty()) out += "\nnot read:\n";
  for (const Error& file : fleet.unread) out += "  " + printable(file.text()) + "\n";
  out += "\n" + std::to_string(fleet.members.size()) + " machines:";
  for (const auto& [verdict, count] : counts) {
    out += (out.ends_with(':') ? " " : ", ") + std::to_string(count) + " " +
           std::string(to_string(verdict));
  }
  if (!fleet.unread.empty()) out += "; not read: " + std::to_string(fleet.unread.size());
  return out + "\n";
}

std::string write_fleet_json(const Fleet& fleet) {
  using Json = nlohmann::ordered_json;
  Json members = Json::array(), odd_list = Json::array(), slow_list = Json::array();
  for (const FleetMember& member : fleet.members) {
    Json facts = Json::object();
    for (const MachineFact& fact : machine_facts(member.report.machine))
      facts[fact.name] = fact.value;
    Json causes = Json::array();
    for (const RootCause& cause : member.report.diagnosis.root_causes) causes.push_back(cause.id);
    members.push_back({{"name", member.name},
                       {"verdict", to_string(member.report.verdict)},
                       {"started", member.report.started},
                       {"facts", std::move(facts)},
                       {"root_causes", std::move(causes)}});
  }
  for (const OddOneOut& odd : fleet.odd) {
    Json others = Json::array();
    for (const auto& [member, value] : odd.odd)
      others.push_back({{"name", member}, {"value", value}});
    odd_list.push_back({{"fact", odd.fact},
                        {"usual", odd.usual},
                        {"with_usual", odd.with_usual},
                        {"of", odd.of},
                        {"odd", std::move(others)}});
  }
  for (const SlowMember& slow : fleet.slow) {
    slow_list.push_back({{"name", slow.name},
                         {"device", slow.device},
                         {"test", slow.test},
                         {"unit", slow.unit},
                         {"median", slow.value},
                         {"peers_median", slow.peers_median}});
  }
  Json unread = Json::array();
  for (const Error& file : fleet.unread)
    unread.push_back({{"file", file.where}, {"why", file.what}});
  const Json out = {
      {"schema", "rocvet.fleet/1"},          {"verdict", to_string(fleet_verdict(fleet))},
      {"members", std::move(members)},       {"odd", std::move(odd_list)},
      {"below_peers", std::move(slow_list)}, {"unread", std::move(unread)}};
  return json_text(out);
}

}  // namespace rocvet
