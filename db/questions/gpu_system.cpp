// On which systems a release supports a GPU: AMD's tables list some systems for some GPUs alone.
#include <algorithm>

#include "base/text.h"
#include "db/questions/questions.h"

namespace rocvet::db {
namespace {

constexpr const char* kGpuSystemSubject = "gpu × os";
constexpr const char* kWithKernel = "gpu × os × kernel";
constexpr std::size_t kMostNames = 8;

bool speaks_of(const GpuSystemsRow& row, const Asked& asked) {
  const auto names = [&](const std::string& name) {
    return std::ranges::find(row.plain_gpus, name) != row.plain_gpus.end();
  };
  const AskedGpu& gpu = *asked.gpu;
  if (!gpu.whole_target) return std::ranges::any_of(gpu.names, names);
  return std::ranges::any_of(asked.db.gpus(), [&](const GpuInfo& product) {
    return product.gfx == gpu.gfx &&
           (names(plain_name(product.name)) ||
            std::ranges::any_of(product.aliases, [&](const std::string& alias) {
              return names(plain_name(alias));
            }));
  });
}

bool is(const OsName& os, const ListedSystem& system) {
  return os.id == system.os && os_version_matches(os, {system.version_text, system.version});
}

bool lists(const GpuSystemsRow& row, const OsName& os) {
  return std::ranges::any_of(row.systems,
                             [&](const ListedSystem& system) { return is(os, system); });
}

std::string joined_systems(const std::vector<const GpuSystemsRow*>& rows) {
  std::vector<std::string> names;
  for (const GpuSystemsRow* row : rows) {
    for (const ListedSystem& system : row->systems) {
      const std::string name = os_display(system.os, system.version_text);
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  }
  return join(names, ", ");
}

/// Of the kernels that are listed for the GPU on this system, whether the asked one is of them;
/// nothing where none is listed or none was asked about.
std::optional<Fact> kernel_fact(const Asked& asked, const std::vector<const GpuSystemsRow*>& rows) {
  std::vector<std::string> listed;
  bool hit = false;
  for (const GpuSystemsRow* row : rows) {
    for (const ListedSystem& system : row->systems) {
      if (!is(*asked.os, system)) continue;
      for (const std::string& kernel : system.kernels) {
        listed.push_back(kernel);
        hit |= kernel_matches(kernel, asked.kernel).value_or(false);
      }
    }
  }
  if (asked.kernel.empty() || listed.empty()) return std::nullopt;
  return fact_of(rows[0]->origin, kWithKernel, hit ? Support::supported : Support::unsupported,
                 asked.gpu->called() + " on " + asked.os->display() +
                     (hit ? ": Linux " : " is not listed with Linux ") + asked.kernel +
                     (hit ? " is of the listed series" : ", but with " + join(listed, ", ")));
}

Fact system_fact(const Asked& asked, const std::vector<const GpuSystemsRow*>& rows) {
  const bool hit =
      std::ranges::any_of(rows, [&](const auto* row) { return lists(*row, *asked.os); });
  const std::string rocm = "ROCm " + asked.release->text;
  return fact_of(
      rows[0]->origin, kGpuSystemSubject, hit ? Support::supported : Support::unsupported,
      hit ? asked.os->display() + " is listed for " + asked.gpu->called() + " with " + rocm
          : rocm + " supports " + asked.gpu->called() + " on " + joined_systems(rows) +
                " alone, not on " + asked.os->display());
}

using GpuSystemsRows = std::vector<const GpuSystemsRow*>;

/// A GPU without a system: what its answer depends on, where some systems of the release lack it.
void add_to_gpu(const Asked& asked, const GpuSystemsRows& own, const GpuSystemsRows& all,
                Findings& found) {
  const bool limited = std::ranges::any_of(all, [&](const GpuSystemsRow* row) {
    return std::ranges::any_of(row->systems, [&](const ListedSystem& system) {
      return std::ranges::none_of(own, [&](const GpuSystemsRow* each) {
        return lists(*each, {system.os, system.version_text, {}});
      });
    });
  });
  if (!limited) return;
  Fact fact = fact_of(own[0]->origin, kGpuSystemSubject, Support::supported,
                      "not every system that ROCm " + asked.release->text + " supports has it");
  fact.condition = "the system is one of " + joined_systems(own) + " (say --os)";
  found.informing.push_back(std::move(fact));
}

/// A system without a GPU: for which GPUs it is listed, where it is not for all.
void add_to_system(const Asked& asked, const GpuSystemsRows& all, Findings& found) {
  std::vector<std::string> with, without;
  const GpuSystemsRow* first = nullptr;
  for (const GpuSystemsRow* row : all) {
    const bool listed = lists(*row, *asked.os);
    if (listed && first == nullptr) first = row;
    for (const std::string_view name : row->gpus) (listed ? with : without).emplace_back(name);
  }
  if (first == nullptr || without.empty()) return;
  Fact fact = fact_of(first->origin, kGpuSystemSubject, Support::supported,
                      asked.os->display() + " is not listed for every GPU");
  const bool few = with.size() <= std::max(kMostNames, without.size());
  fact.condition = std::string(few ? "the GPU is one of " : "the GPU is none of ") +
                   join(few ? with : without, ", ") + " (say --gpu)";
  found.informing.push_back(std::move(fact));
}

}  // namespace

void ask_gpu_system(const Asked& asked, Findings& found) {
  const GpuSystemsRows all = rows_for(asked.db.published().gpu_systems(), asked.release->version,
                                      [](const GpuSystemsRow&) { return true; });
  GpuSystemsRows own;
  if (asked.gpu) {
    std::ranges::copy_if(all, std::back_inserter(own),
                         [&](const GpuSystemsRow* row) { return speaks_of(*row, asked); });
  }
  if (asked.gpu && own.empty()) return;
  if (!asked.os) return add_to_gpu(asked, own, all, found);
  if (!asked.gpu) return add_to_system(asked, all, found);
  // A system that the release lists for no GPU is not listed, whatever the GPU.
  if (std::ranges::none_of(all, [&](const auto* row) { return lists(*row, *asked.os); })) return;
  found.deciding.push_back(system_fact(asked, own));
  if (auto kernel = kernel_fact(asked, own)) found.deciding.push_back(*std::move(kernel));
}

}  // namespace rocvet::db
