#include "report/policy.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/add_once.h"
#include "base/printable.h"
#include "base/read_whole_file.h"
#include "base/text.h"

namespace rocvet {
namespace {

constexpr std::size_t kLargestPolicy = 1U << 20U;
using Kind = TomlNode::Kind;

constexpr Check kPolicyNotMet{.code = "RV990",
                              .id = "policy-not-met",
                              .topic = "policy",
                              .title = "The machine is not as the site's policy demands",
                              .doc = R"(
## What it looks at
The facts that the file given with --policy names under [expect]: kernel, distribution, driver, ROCm,
number and kind of GPUs, VBIOS, partition, PCIe link, firmware, words of the kernel command line.

## When it fails
A fact has another value than the policy allows. A fact that could not be read is unknown, not met.

## Why it matters
A node that is not like the others gives other results and other speeds, and is the first suspect.

## How to mend it
Bring the machine to what the policy says, or change the policy when it is out of date.

## References
- packaging/policy.example.toml
)",
                              .run = nullptr,
                              .decisive = true};

/// A fact of the machine that a demand may name. More than one value: each GPU's.
struct Subject {
  std::string_view key;
  Result<std::vector<std::string>> (*values)(const Machine&);
};

using Values = Result<std::vector<std::string>>;

template <typename T>
Values one(const Result<T>& fact) {
  if (!fact) return fact.error();
  return std::vector<std::string>{*fact};
}

/// `of` gives the Result of one GPU; the first that is not known is the answer.
template <typename Of>
Values each_gpu(const Machine& machine, const Of& of) {
  if (machine.gpus.empty()) return missing("GPUs", "there is none");
  std::vector<std::string> values;
  for (const Gpu& gpu : machine.gpus) {
    const Result<std::string> value = of(gpu);
    if (!value) return value.error();
    values.push_back(*value);
  }
  return values;
}

constexpr Subject kSubjects[] = {
    {"kernel", [](const Machine& m) { return one(m.kernel.release); }},
    {"distribution",
     [](const Machine& m) {
       if (!m.distro) return Values(m.distro.error());
       return Values(std::vector<std::string>{m.distro->id + " " + m.distro->version});
     }},
    {"amdgpu",
     [](const Machine& m) {
       if (!m.driver.amdgpu) return Values(m.driver.amdgpu.error());
       return Values(
           std::vector<std::string>{m.driver.amdgpu->version.value_or(std::string("in-tree"))});
     }},
    {"rocm",
     [](const Machine& m) {
       // The one that /opt/rocm leads to; without one every installation has to do.
       std::vector<std::string> all;
       for (const RocmInstall& install : m.software.rocm) {
         if (!install.version) continue;
         if (install.is_default) return Values(std::vector<std::string>{*install.version});
         all.push_back(*install.version);
       }
       if (all.empty()) return Values(missing("ROCm", "there is none"));
       return Values(all);
     }},
    {"gpu_count",
     [](const Machine& m) {
       if (!m.gpus_readable) return Values(m.gpus_readable.error());
       return Values(std::vector<std::string>{std::to_string(m.gpus.size())});
     }},
    {"gpu_target",
     [](const Machine& m) { return each_gpu(m, [](const Gpu& gpu) { return gpu.gfx; }); }},
    {"gpu_name",
     [](const Machine& m) { return each_gpu(m, [](const Gpu& gpu) { return gpu.name; }); }},
    {"vbios",
     [](const Machine& m) { return each_gpu(m, [](const Gpu& gpu) { return gpu.vbios; }); }},
    {"compute_partition",
     [](const Machine& m) {
       return each_gpu(m, [](const Gpu& gpu) { return gpu.partition.compute; });
     }},
    {"memory_partition",
     [](const Machine& m) {
       return each_gpu(m, [](const Gpu& gpu) { return gpu.partition.memory; });
     }},
    {"pcie_width",
     [](const Machine& m) {
       return each_gpu(m, [](const Gpu& gpu) -> Result<std::string> {
         if (!gpu.pcie.current_width) return gpu.pcie.current_width.error();
         return std::to_string(*gpu.pcie.current_width);
       });
     }},
};

constexpr std::string_view kWith = "command_line", kWithout = "command_line_without",
                           kFirmware = "firmware.";

Error at(const std::string& file, const TomlNode& node, std::string what) {
  return malformed(file + ":" + std::to_string(node.line) + ":" + std::to_string(node.column),
                   std::move(what));
}

Result<std::vector<std::string>> globs_of(const std::string& file, const TomlNode& node,
                                          const std::string& key) {
  if (node.kind == Kind::string) return std::vector<std::string>{node.text};
  if (node.kind == Kind::integer) return std::vector<std::string>{std::to_string(node.integer)};
  if (node.kind != Kind::array)
    return at(file, node, "'" + key + "' takes a text or a list of texts");
  std::vector<std::string> globs;
  for (const TomlNode& item : node.items) {
    if (item.kind != Kind::string) return at(file, item, "'" + key + "' takes a list of texts");
    globs.push_back(item.text);
  }
  if (globs.empty()) return at(file, node, "'" + key + "' is an empty list");
  return globs;
}

/// Of [expect].
std::vector<std::string> known_keys() {
  std::vector<std::string> known = {std::string(kWith), std::string(kWithout), "firmware"};
  for (const Subject& subject : kSubjects) known.emplace_back(subject.key);
  return known;
}

Result<Done> read_demands(const std::string& file, const TomlNode& table, Policy& policy) {
  const std::vector<std::string> known = known_keys();
  for (const TomlMember& member : table.members) {
    const std::string& key = member.first;
    if (std::ranges::find(known, key) == known.end()) {
      return at(file, member.second,
                "unknown key '" + key + "' in [expect]" + did_you_mean(key, known));
    }
    if (key == "firmware") {
      if (member.second.kind != Kind::table)
        return at(file, member.second, "'firmware' takes a table");
      for (const TomlMember& block : member.second.members) {
        const auto globs = globs_of(file, block.second, block.first);
        if (!globs) return globs.error();
        policy.demands.push_back({std::string(kFirmware) + block.first, *globs});
      }
      continue;
    }
    const auto globs = globs_of(file, member.second, key);
    if (!globs) return globs.error();
    policy.demands.push_back({key, *globs});
  }
  return Done{};
}

bool is_about(const std::string& pattern, const Check& check) {
  return glob_match(pattern, check.id) || glob_match(pattern, check.code);
}

bool names_a_check(const std::string& pattern, const Database& database) {
  return std::ranges::any_of(all_checks(database),
                             [&](const Check* check) { return is_about(pattern, *check); });
}

Result<Done> known_check(const std::string& file, const TomlNode& node, const std::string& pattern,
                         const Database& database) {
  if (names_a_check(pattern, database)) return Done{};
  std::vector<std::string> names;
  for (const Check* check : all_checks(database)) names.emplace_back(check->id);
  return at(file, node, "no check matches '" + pattern + "'" + did_you_mean(pattern, names));
}

Result<Done> read_severity(const std::string& file, const TomlNode& table, const Database& database,
                           Policy& policy) {
  for (const TomlMember& member : table.members) {
    if (auto ok = known_check(file, member.second, member.first, database); !ok) return ok;
    const std::string& word = member.second.text;
    if (word == "fail") {
      policy.severity.emplace_back(member.first, Verdict::fail);
    } else if (word == "warn") {
      policy.severity.emplace_back(member.first, Verdict::warn);
    } else if (word == "skip") {
      policy.severity.emplace_back(member.first, Verdict::skip);
    } else {
      return at(file, member.second, "'" + member.first + "' takes \"fail\", \"warn\" or \"skip\"");
    }
  }
  return Done{};
}

bool is_day(std::string_view text) {
  return text.size() == 10 && text[4] == '-' && text[7] == '-' && parse_number(text.substr(0, 4)) &&
         parse_number(text.substr(5, 2)) && parse_number(text.substr(8));
}

Result<Waiver> read_waiver(const std::string& file, const TomlNode& table,
                           const Database& database) {
  static const std::vector<std::string> kKeys = {"check", "reason", "subject", "until"};
  for (const TomlMember& member : table.members) {
    if (std::ranges::find(kKeys, member.first) == kKeys.end()) {
      return at(
          file, member.second,
          "unknown key '" + member.first + "' in [[waive]]" + did_you_mean(member.first, kKeys));
    }
    const bool date = member.first == "until" && member.second.kind == Kind::date;
    if (member.second.kind != Kind::string && !date) {
      return at(file, member.second, "'" + member.first + "' takes a text");
    }
  }
  Waiver waiver;
  waiver.check = table.string_or("check");
  waiver.reason = table.string_or("reason");
  waiver.subject = table.string_or("subject", "*");
  if (waiver.check.empty()) return at(file, table, "[[waive]] needs 'check'");
  if (waiver.reason.empty()) return at(file, table, "[[waive]] needs 'reason'");
  if (auto ok = known_check(file, *table.find("check"), waiver.check, database); !ok)
    return ok.error();
  if (const TomlNode* until = table.find("until")) {
    waiver.until = until->text;
    if (!is_day(waiver.until)) {
      return at(file, *until, "'until' takes a day like 2026-12-31");
    }
  }
  return waiver;
}

std::string command_line_findings(const Machine& machine, const Demand& demand,
                                  std::vector<Finding>& findings) {
  const bool wanted = demand.key == kWith;
  if (!machine.kernel.command_line) return machine.kernel.command_line.error().text();
  const auto there = words(*machine.kernel.command_line);
  for (const std::string& glob : demand.globs) {
    const bool found =
        std::ranges::any_of(there, [&](std::string_view word) { return glob_match(glob, word); });
    if (found == wanted) continue;
    findings.push_back(
        {.verdict = Verdict::fail,
         .summary = std::string("the kernel command line ") + (wanted ? "lacks " : "has ") + glob,
         .subject = demand.key,
         .evidence = {*machine.kernel.command_line}});
  }
  return "";
}

Values values_of(const Machine& machine, const std::string& key) {
  if (key.starts_with(kFirmware)) {
    const std::string block = key.substr(kFirmware.size());
    return each_gpu(machine, [&](const Gpu& gpu) -> Result<std::string> {
      if (!gpu.firmware) return not_captured("firmware of '" + block + "'");
      const auto version = gpu.firmware->find(block);
      if (version == gpu.firmware->end()) return not_captured("firmware of '" + block + "'");
      return version->second;
    });
  }
  for (const Subject& subject : kSubjects) {
    if (subject.key == key) return subject.values(machine);
  }
  return not_captured(key);
}

/// The findings of one demand: none when it is met.
std::vector<Finding> judge_demand(const Machine& machine, const Demand& demand) {
  std::vector<Finding> findings;
  const auto unknown_for = [&](const std::string& why) {
    findings.push_back(
        {.verdict = Verdict::unknown, .summary = "could not tell: " + why, .subject = demand.key});
  };
  if (demand.key == kWith || demand.key == kWithout) {
    if (const std::string why = command_line_findings(machine, demand, findings); !why.empty()) {
      unknown_for(why);
    }
    return findings;
  }
  const Values values = values_of(machine, demand.key);
  const std::string wanted = join(demand.globs, " or ");
  if (!values && values.is_missing()) {
    findings.push_back({.verdict = Verdict::fail,
                        .summary = "not there, where the policy demands " + wanted,
                        .subject = demand.key,
                        .evidence = {values.error().text()}});
  } else if (!values) {
    unknown_for(values.error().text());
  } else {
    const auto odd = std::ranges::find_if(*values, [&](const std::string& value) {
      return std::ranges::none_of(demand.globs,
                                  [&](const std::string& glob) { return glob_match(glob, value); });
    });
    if (odd != values->end()) {  // seven more GPUs alike are no news
      findings.push_back({.verdict = Verdict::fail,
                          .summary = *odd + " where the policy demands " + wanted,
                          .subject = demand.key});
    }
  }
  return findings;
}

bool counts(const Finding& finding) {
  return finding.verdict == Verdict::fail || finding.verdict == Verdict::warn;
}

void waive(const Waiver& waiver, CheckResult& result, std::string_view today) {
  Finding& finding = result.finding;
  if (!counts(finding) || !is_about(waiver.check, *result.check)) return;
  if (!glob_match(waiver.subject, finding.subject)) return;
  if (!waiver.until.empty() && waiver.until < today) {
    finding.evidence.push_back("the waiver of it (" + waiver.reason + ") ended on " + waiver.until);
    return;
  }
  finding.verdict = Verdict::skip;
  finding.summary = "waived" + (waiver.until.empty() ? "" : " until " + waiver.until) + " (" +
                    waiver.reason + "): " + finding.summary;
}

}  // namespace

const Check& policy_check() {
  return kPolicyNotMet;
}

/// A cause goes with the findings that it explains, when all of them were waived or skipped.
void drop_waived_causes(Report& report) {
  const auto explains = [](const RootCause& cause, const CheckResult& result) {
    return std::ranges::count(cause.explains, std::string(result.check->id)) > 0;
  };
  std::erase_if(report.diagnosis.root_causes, [&](const RootCause& cause) {
    bool waived = false, left = false;
    for (const CheckResult& result : report.checks) {
      if (!explains(cause, result)) continue;
      waived |= result.finding.verdict == Verdict::skip;
      left |= counts(result.finding);
    }
    return waived && !left;
  });
}

Result<Policy> expected_by(std::string_view text) {
  Policy policy;
  policy.file = "--expect";
  for (const std::string_view one : split(text, ',')) {
    const std::size_t equals = one.find('=');
    const std::string_view value = equals == one.npos ? "" : trim(one.substr(equals + 1));
    if (value.empty())
      return malformed("--expect",
                       "'" + std::string(one) + "' is not KEY=VALUE (gpus=8,gfx=gfx942)");
    std::string key(trim(one.substr(0, equals)));
    if (key == "gpus") key = "gpu_count";
    if (key == "gfx") key = "gpu_target";
    std::vector<std::string> known = known_keys();
    known.insert(known.end(), {"gpus", "gfx"});
    const bool firmware = key.starts_with(kFirmware) && key.size() > kFirmware.size();
    if (!firmware && (key == "firmware" || std::ranges::find(known, key) == known.end()))
      return malformed("--expect", "unknown key '" + key + "'" + did_you_mean(key, known));
    policy.demands.push_back({key, {std::string(value)}});
  }
  return policy;
}

std::string policy_of(const Machine& machine) {
  // JSON's strings are TOML's too, as long as letters are not escaped.
  const auto quoted = [](const std::string& text) {
    return nlohmann::json(printable(text)).dump(-1, ' ', false);
  };
  std::string out =
      "# Made by rocvet policy init: what this machine is. Each value is a glob, or a list of "
      "them.\n"
      "policy = 1\n\n[expect]\n";
  for (const Subject& subject : kSubjects) {
    const Values values = subject.values(machine);
    if (!values) {
      out += "# " + std::string(subject.key) +
             " is not known: " + printable(values.error().text()) + "\n";
      continue;
    }
    std::vector<std::string> different;
    for (const std::string& value : *values) add_once(different, quoted(value));
    const std::string list = join(different, ", ");
    out +=
        std::string(subject.key) + " = " + (different.size() == 1 ? list : "[" + list + "]") + "\n";
  }
  return out;
}

Result<Policy> read_policy(std::string_view text, const std::string& file,
                           const Database& database) {
  const auto root = parse_toml(text, file);
  if (!root) return root.error();
  static const std::vector<std::string> kKeys = {"policy", "expect", "severity", "waive"};
  for (const TomlMember& member : root->members) {
    if (std::ranges::find(kKeys, member.first) == kKeys.end()) {
      return at(file, member.second,
                "unknown key '" + member.first + "'" + did_you_mean(member.first, kKeys));
    }
  }
  const TomlNode* format = root->find("policy");
  if (format == nullptr || format->kind != Kind::integer || format->integer != 1) {
    return malformed(file, "needs 'policy = 1', the format of the file");
  }
  Policy policy;
  policy.file = file;
  for (const char* key : {"expect", "severity"}) {
    const TomlNode* table = root->find(key);
    if (table == nullptr) continue;
    if (table->kind != Kind::table)
      return at(file, *table, std::string("'") + key + "' takes a table");
    const bool demands = std::string_view(key) == "expect";
    if (auto ok = demands ? read_demands(file, *table, policy)
                          : read_severity(file, *table, database, policy);
        !ok)
      return ok.error();
  }
  if (const TomlNode* list = root->find("waive")) {
    if (list->kind != Kind::array) return at(file, *list, "'waive' takes tables: [[waive]]");
    for (const TomlNode& item : list->items) {
      if (item.kind != Kind::table) return at(file, item, "'waive' takes tables: [[waive]]");
      auto waiver = read_waiver(file, item, database);
      if (!waiver) return waiver.error();
      policy.waivers.push_back(std::move(*waiver));
    }
  }
  return policy;
}

Result<Policy> load_policy(const std::string& path, const Database& database) {
  const auto text = read_whole_file(path, kLargestPolicy);
  if (!text) return text.error();
  return read_policy(*text, path, database);
}

void apply_policy(Report& report, const Policy& policy, std::string_view today) {
  for (const auto& [pattern, verdict] : policy.severity) {
    for (CheckResult& result : report.checks) {
      if (counts(result.finding) && is_about(pattern, *result.check)) {
        result.finding.verdict = verdict;
      }
    }
  }
  for (const Waiver& waiver : policy.waivers) {
    for (CheckResult& result : report.checks) waive(waiver, result, today);
  }
  if (!policy.severity.empty() || !policy.waivers.empty()) drop_waived_causes(report);
  std::size_t met = 0;
  for (const Demand& demand : policy.demands) {
    auto findings = judge_demand(report.machine, demand);
    met += findings.empty();
    for (Finding& finding : findings) {
      finding.evidence.push_back(policy.file + " demands it");
      report.checks.push_back({&kPolicyNotMet, std::move(finding)});
    }
  }
  if (met > 0) {
    report.checks.push_back(
        {&kPolicyNotMet, pass(std::to_string(met) + (met == 1 ? " demand" : " demands") + " of " +
                              policy.file + " met")});
  }
  report.verdict = overall_verdict(report);
}

}  // namespace rocvet
