// The compatibility database: what has been published of GPUs, ROCm releases, systems, drivers and
// frameworks, each fact with its source.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/version.h"
#include "machine/machine.h"
#include "machine/result.h"

namespace rocvet {

enum class Support { supported, deprecated, enabled, unsupported, unlisted, unknown };
std::string_view to_string(Support support);

struct PciId {
  std::string vendor, device;  ///< lower-case hex without 0x
};

/// One product. Figures are null where nobody published them.
struct GpuInfo {
  std::string name, gfx, family, codename, kind;  ///< kind: "instinct", "radeon", "apu" …
  std::vector<PciId> pci;
  std::optional<int> compute_units, tdp_w, wavefront_size, infinity_cache_mib, max_engine_clock_mhz;
  std::optional<double> vram_gib, memory_bandwidth_gbs;
  std::string memory_type, pcie;
  std::string source, checked;
};

/// One published statement that took part in an answer.
struct Fact {
  std::string subject;  ///< "gpu × rocm", …
  Support verdict = Support::unknown;
  std::string because, source, checked, condition;
};

struct Answer {
  Support verdict = Support::unknown;
  std::string because;
  std::vector<Fact> facts;
  std::vector<std::string> conditions;
};

/// Any subset; an empty member was not asked.
struct Question {
  std::string gpu = {}, rocm = {}, os = {}, kernel = {}, driver = {}, framework = {};
};

class Database {
 public:
  /// The one in the binary.
  static const Database& embedded();
  /// The embedded one with the TOML files of `directory` laid over it. Errors have file:line:column.
  static Result<std::shared_ptr<const Database>> with_overlay(const std::string& directory);

  virtual ~Database() = default;
  virtual std::string version() const = 0;  ///< "2026.11.21"
  virtual const std::vector<GpuInfo>& gpus() const = 0;
  /// Candidates, best first: by PCI id (device, and revision, subsystem, CU count where they decide).
  virtual std::vector<const GpuInfo*> identify(const Gpu& gpu) const = 0;
  /// By gfx target, "1002:744c" or a name; several when it is ambiguous; none when unknown.
  virtual std::vector<const GpuInfo*> find(std::string_view gpu) const = 0;
  /// An error is a question that cannot be understood (an unknown GPU, a malformed version).
  virtual Result<Answer> ask(const Question& question) const = 0;
};

/// Fills in what only the database knows of a machine: names, gfx targets by PCI id, kind.
void identify_gpus(Machine& machine, const Database& database);

}  // namespace rocvet
