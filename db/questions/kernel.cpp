// What a GPU needs of the kernel's own driver.
#include <algorithm>

#include "db/questions/questions.h"

namespace rocvet::db {
namespace {

bool is_apu(const BlobDatabase& db, std::string_view gfx) {
  const auto targets = db.table<"target">();
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (targets.get(i, "gfx") == gfx) return targets.get(i, "apu") == "true";
  }
  return false;
}

/// AMD's driver takes the place of the kernel's where one is asked about, or where AMD lists this
/// kernel; it drives no APU.
bool other_driver(const Asked& asked, const Findings& found) {
  const bool listed =
      std::any_of(found.deciding.begin(), found.deciding.end(), [](const Fact& fact) {
        return fact.subject.ends_with("os × kernel") && fact.verdict == Support::supported;
      });
  return (asked.driver || listed) && !is_apu(asked.db, asked.gpu->gfx);
}

enum class Speaks { no, of_some, of_all };

/// Which of the chips that were asked about a row speaks of: one with PCI ids does of these alone.
Speaks speaks_of(const KernelRow& row, const AskedGpu& gpu) {
  if (!holds(row.gfx, gpu.gfx)) return Speaks::no;
  if (row.devices.empty()) return Speaks::of_all;
  if (gpu.whole_target) return Speaks::of_some;
  std::size_t chips = 0, meant = 0;
  for (const GpuInfo* product : gpu.products) {
    for (const PciId& id : product->pci) {
      ++chips;
      if (holds(row.devices, id.vendor + ":" + id.device)) ++meant;
    }
  }
  return meant == 0 ? Speaks::no : meant == chips ? Speaks::of_all : Speaks::of_some;
}

}  // namespace

void ask_kernel(const Asked& asked, Findings& found) {
  const auto kernel = kernel_version(asked.kernel);
  const bool replaced = other_driver(asked, found);
  for (const KernelRow& row : asked.db.published().kernels()) {
    const Speaks speaks = speaks_of(row, *asked.gpu);
    if (speaks == Speaks::no) continue;
    if (row.rocm && asked.release && !row.rocm->contains(asked.release->version)) continue;
    const bool fits = kernel && (row.kernel.contains(*kernel) ||
                                 (row.or_kernel && row.or_kernel->contains(*kernel)));
    if (fits && (row.is_fix || speaks == Speaks::of_some)) continue;
    const std::string need = std::string(row.text) + " (Linux " + row.kernel.text() + ")";
    if (speaks == Speaks::of_some) {
      found.informing.push_back(fact_of(row.origin, "gpu × kernel", Support::unsupported,
                                        "too old for some of its chips: " + need));
      continue;
    }
    if (!fits && replaced) {
      Fact fact = fact_of(row.origin, "gpu × kernel", Support::enabled,
                          "the driver of this kernel does not do, AMD's does: " + need);
      fact.condition = "AMD's driver (amdgpu-dkms) is installed";
      found.informing.push_back(std::move(fact));
      continue;
    }
    found.deciding.push_back(fact_of(row.origin, "gpu × kernel",
                                     fits         ? Support::supported
                                     : row.is_fix ? Support::enabled
                                                  : Support::unsupported,
                                     (fits         ? ""
                                      : row.is_fix ? "lacks a fix: "
                                                   : "too old: ") +
                                         need));
  }
}

}  // namespace rocvet::db
