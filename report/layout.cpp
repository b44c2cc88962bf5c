#include "report/layout.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "report/gpu_kinds.h"

namespace rocvet {
namespace {

/// What to say where no GPU is listed. Under WSL none is a PCI device: only a program that opens
/// /dev/dxg learns which it is.
std::string no_gpu_line(const Machine& machine) {
  if (machine.surroundings.wsl) {
    if (machine.dxg.stat) return "GPU of Windows (/dev/dxg)";
    return machine.dxg.stat.is_missing() ? "no GPU: WSL without /dev/dxg"
                                         : "GPUs could not be read";
  }
  return machine.gpus_readable ? "no AMD GPU" : "GPUs could not be read";
}

/// "8 × AMD Instinct MI300X (gfx942)" for each kind present.
std::string gpu_line(const Machine& machine) {
  if (machine.gpus.empty()) return no_gpu_line(machine);
  const auto kinds = gpus_by_kind(machine, [](const Gpu& gpu) {
    std::string name = gpu.name.value_or(gpu.device_id ? "AMD GPU 1002:" + *gpu.device_id
                                                       : std::string("AMD GPU"));
    return gpu.gfx ? name + " (" + *gpu.gfx + ")" : name;
  });
  std::string out;
  for (const GpusOfAKind& kind : kinds) {
    if (!out.empty()) out += ", ";
    if (kind.cards > 1) out += std::to_string(kind.cards) + " × ";
    out += kind.name + in_partitions(kind);
  }
  return out;
}

std::string rocm_line(const Software& software) {
  std::string out;
  for (const RocmInstall& install : software.rocm) {
    out += (out.empty() ? "ROCm " : ", ") + install.version.value_or(std::string("?")) + " in " +
           install.root;
  }
  return out.empty() ? "no ROCm found" : out;
}

std::string driver_line(const Machine& machine) {
  const Driver& driver = machine.driver;
  if (machine.surroundings.wsl) return "driver of Windows";
  if (driver.amdgpu.is_missing()) return "amdgpu not loaded";
  if (!driver.amdgpu) return "amdgpu: not captured";
  std::string out = "amdgpu";
  if (driver.amdgpu->version) out += " " + *driver.amdgpu->version;
  if (driver.origin == DriverOrigin::dkms) out += " (DKMS)";
  if (driver.origin == DriverOrigin::in_tree) out += " (in-tree)";
  return out;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : printable_lines(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string machine_line(const Machine& machine) {
  std::vector<std::string> parts = {gpu_line(machine), rocm_line(machine.software),
                                    driver_line(machine)};
  if (machine.distro)
    parts.push_back(machine.distro->pretty.empty() ? machine.distro->id : machine.distro->pretty);
  if (machine.kernel.release) parts.push_back("kernel " + *machine.kernel.release);
  return join(parts, " · ");
}

std::string performance_text(const Performance& p) {
  std::string out = short_number(p.median) + " " + p.unit;
  if (p.fraction) {
    out += ", " + fixed(*p.fraction * 100, 0) + " % of " + p.basis + " " +
           short_number(p.expected.value_or(0));
  }
  return out;
}

int rank(Verdict verdict) {
  switch (verdict) {
    case Verdict::fail:
      return 0;
    case Verdict::warn:
      return 1;
    case Verdict::unknown:
      return 2;
    case Verdict::pass:
      return 3;
    case Verdict::skip:
      return 4;
  }
  return 5;
}

std::vector<const CheckResult*> worst_first(const std::vector<CheckResult>& checks) {
  std::vector<const CheckResult*> out;
  for (const CheckResult& result : checks) out.push_back(&result);
  std::stable_sort(out.begin(), out.end(), [](const CheckResult* a, const CheckResult* b) {
    return rank(a->finding.verdict) < rank(b->finding.verdict);
  });
  return out;
}

bool is_suspicion(const RootCause& cause) {
  return cause.confidence < kNamed;
}

std::string how_sure(const RootCause& cause) {
  const std::string percent = fixed(cause.confidence * 100, 0) + " %";
  return is_suspicion(cause) ? "a suspicion, " + percent : percent + " sure";
}

std::string tally_text(const Report& report) {
  std::array<int, 5> counts{};
  for (const CheckResult& result : report.checks)
    ++counts[static_cast<std::size_t>(rank(result.finding.verdict))];
  for (const TestResult& result : report.selftests)
    ++counts[static_cast<std::size_t>(rank(result.verdict))];
  if (report.soak) {
    for (const SoakRow& row : soak_rows(*report.soak))
      ++counts[static_cast<std::size_t>(rank(row.verdict))];
  }
  return std::to_string(counts[3]) + " passed, " + std::to_string(counts[0]) + " failed, " +
         std::to_string(counts[1]) + (counts[1] == 1 ? " warning, " : " warnings, ") +
         std::to_string(counts[2]) + " unknown, " + std::to_string(counts[4]) + " not applicable";
}

double bar_share(const TestResult& result, const std::vector<TestResult>& all) {
  if (!result.performance) return 0;
  double full = result.performance->expected.value_or(0);
  for (const TestResult& other : all) {
    if (other.id == result.id && other.performance)
      full = std::max(full, other.performance->median);
  }
  return full > 0 ? std::clamp(result.performance->median / full, 0.0, 1.0) : 0;
}

std::string detail_row(std::string_view label, std::string_view text) {
  return "      " + std::string(label) + ": " + printable(text) + "\n";
}

std::vector<const CompatibilityRow*> beyond_tables(const Report& report) {
  std::vector<const CompatibilityRow*> rows;
  for (const CompatibilityRow& row : report.compatibility) {
    switch (row.answer.verdict) {
      case Support::unlisted:
      case Support::unsupported:
      case Support::unknown:
        rows.push_back(&row);
        break;
      default:
        break;
    }
  }
  return rows;
}

std::string compatibility_line(const CompatibilityRow& row) {
  std::string line = row.subject + " is ";
  line += row.answer.verdict == Support::unknown ? std::string_view("not known")
                                                 : to_string(row.answer.verdict);
  if (!row.answer.because.empty()) line += ": " + row.answer.because;
  return line;
}

}  // namespace rocvet
