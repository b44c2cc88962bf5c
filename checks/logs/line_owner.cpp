#include "checks/logs/line_owner.h"

#include <algorithm>
#include <set>
#include <string>

#include "base/text.h"

namespace rocvet {
namespace {

constexpr std::size_t kAddress = 12;  // 0000:03:00.0

/// "amdgpu 0000:03:00.0: …": the driver, when an address follows it and a colon that.
std::string_view driver_of(std::string_view line) {
  const std::size_t space = line.find(' ');
  const bool headed = space != line.npos && line.size() > space + 1 + kAddress &&
                      line[space + 5] == ':' && line[space + 8] == ':' && line[space + 11] == '.' &&
                      line[space + 1 + kAddress] == ':';
  return headed ? line.substr(0, space) : std::string_view();
}

bool drives_gpus(std::string_view driver) {
  return driver == "amdgpu" || driver == "radeon";
}

/// Without the function: a card's audio and USB functions are the card.
std::string slot_of(std::string_view bdf) {
  return lower(bdf.substr(0, bdf.rfind('.')));
}

class Owners {
 public:
  Owners(const KernelLog& log, const Machine* machine) {
    for (const KernelLine& line : log.lines) {
      const std::string_view driver = driver_of(line.text);
      if (drives_gpus(driver))
        gpus_.insert(slot_of(std::string_view(line.text).substr(driver.size() + 1, kAddress)));
    }
    if (machine == nullptr) return;
    for (const Gpu& gpu : machine->gpus) {
      if (gpu.bdf) gpus_.insert(slot_of(*gpu.bdf));
      if (!gpu.path) continue;
      for (const PcieHop& hop : *gpu.path) bridges_.insert(slot_of(hop.bdf));
    }
  }

  enum class Owner { gpu, other, unknown };

  Owner of(const LogEvent& event) const {
    const std::string_view driver = driver_of(event.line);
    if (driver.empty() || event.bdf.empty() || drives_gpus(driver)) return Owner::gpu;
    const std::string slot = slot_of(event.bdf);
    if (gpus_.contains(slot)) return Owner::gpu;
    if (driver != "pci" && driver != "pcieport") return Owner::other;
    if (bridges_.empty()) return Owner::unknown;
    return bridges_.contains(slot) ? Owner::gpu : Owner::other;
  }

 private:
  std::set<std::string> gpus_, bridges_;
};

bool is_trouble(const LogEvent& event) {
  return event.message->severity >= LogSeverity::error &&
         (event.message->topic == "init" || event.message->topic == "execution" ||
          event.message->topic == "power" || event.message->topic == "ras");
}

}  // namespace

std::vector<LogEvent> of_gpus(std::vector<LogEvent> events, const KernelLog& log,
                              const Machine* machine) {
  const Owners owners(log, machine);
  std::vector<LogEvent> kept;
  bool gpu_in_trouble = false;  // after the event that is looked at
  for (auto event = events.rbegin(); event != events.rend(); ++event) {
    const Owners::Owner owner = owners.of(*event);
    gpu_in_trouble |= owner == Owners::Owner::gpu && is_trouble(*event);
    if (owner == Owners::Owner::gpu || (owner == Owners::Owner::unknown && gpu_in_trouble))
      kept.push_back(std::move(*event));
  }
  std::reverse(kept.begin(), kept.end());
  return kept;
}

}  // namespace rocvet
