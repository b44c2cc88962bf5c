#include "checks/logs/line_owner.h"

#include <algorithm>
#include <set>
#include <string>

#include "base/text.h"
#include "formats/kernel_message.h"

namespace rocvet {
namespace {

bool drives_gpus(std::string_view driver) {
  return driver == "amdgpu" || driver == "radeon";
}

/// Speaks of devices that it does not drive, or holds a GPU for a guest.
bool speaks_for_others(std::string_view driver) {
  return driver == "pci" || driver == "pcieport" || driver == "vfio-pci";
}

/// Without the function: a card's audio and USB functions are the card.
std::string slot_of(std::string_view bdf) {
  return lower(bdf.substr(0, bdf.rfind('.')));
}

class Owners {
 public:
  Owners(const KernelLog& log, const Machine* machine) {
    for (std::size_t i = 0; i < log.lines.size(); ++i) {
      const std::string& line = log.lines[i].text;
      const KernelDevice device = device_of(line);
      if (gpus_.empty() && line.find("pciehp: Slot(") != line.npos &&
          (line.ends_with("Card present") || line.ends_with("Link Up")))
        plugged_in_ = i;
      if (drives_gpus(device.driver)) add(device.bdf);
    }
    if (machine == nullptr) return;
    for (const Gpu& gpu : machine->gpus) {
      if (gpu.bdf) add(*gpu.bdf);
      if (!gpu.path) continue;
      for (const PcieHop& hop : *gpu.path) bridges_.insert(slot_of(hop.bdf));
    }
  }

  enum class Owner { gpu, other, unknown };

  Owner of(const LogEvent& event) const {
    const std::string_view driver = device_of(event.line).driver;
    if (driver.empty() || event.bdf.empty() || drives_gpus(driver)) return Owner::gpu;
    // A function has one driver: another one's line is of another machine, or of another boot.
    if (functions_.contains(lower(event.bdf)) && !speaks_for_others(driver)) return Owner::other;
    const std::string slot = slot_of(event.bdf);
    if (gpus_.contains(slot)) return Owner::gpu;
    if (driver != "pci" && driver != "pcieport") return Owner::other;
    if (bridges_.empty()) return Owner::unknown;
    return bridges_.contains(slot) ? Owner::gpu : Owner::other;
  }
  /// The only GPU that there is; "" when there are none or several.
  std::string only_gpu() const { return functions_.size() == 1 ? *functions_.begin() : ""; }
  /// Whether the event is older than the card that turned out to be the first GPU.
  bool before_plugging(const LogEvent& event) const {
    return !gpus_.empty() && event.at < plugged_in_;
  }

 private:
  void add(std::string_view bdf) {
    functions_.insert(lower(bdf));
    gpus_.insert(slot_of(bdf));
  }

  std::size_t plugged_in_ = 0;  ///< the last line that tells of a new card before a GPU's first
  std::set<std::string> functions_, gpus_, bridges_;
};

bool is_trouble(const LogEvent& event) {
  return event.message->severity >= LogSeverity::error &&
         (event.message->topic == "init" || event.message->topic == "execution" ||
          event.message->topic == "power" || event.message->topic == "ras");
}

/// How many lines further on a start that fails has said so.
constexpr std::size_t kLongestStart = 40;

/// Whether `other` says that the start or the resume failed of which `event` is a step.
bool ends(const LogEvent& other, const LogEvent& event) {
  const std::string_view topic = other.message->topic;
  return (topic == "init" || topic == "power") && topic != event.message->topic &&
         other.message->severity >= LogSeverity::error && other.bdf == event.bdf &&
         other.at > event.at && other.at - event.at <= kLongestStart;
}

/// The driver tells how far a start came, and then that it failed: that is one thing.
void mark_steps(std::vector<LogEvent>& events) {
  for (LogEvent& event : events) {
    const bool may_be = std::ranges::any_of(event.message->benign, [](const Benign& benign) {
      return benign.when == "failure-follows";
    });
    if (!may_be) continue;
    const auto end =
        std::ranges::find_if(events, [&](const LogEvent& other) { return ends(other, event); });
    if (end != events.end()) event.step_of = end->message->topic;
  }
}

}  // namespace

bool is_of_another_driver(std::string_view line, std::string_view bdf) {
  const std::size_t address = bdf.empty() ? line.npos : line.find(bdf);
  if (address == line.npos || address < 2) return false;
  // Whatever stands before it: a time, somebody's words.
  const std::size_t head = line.find_last_of(" \t]", address - 2) + 1;
  const std::string_view driver = device_of(line.substr(head)).driver;
  return !driver.empty() && !drives_gpus(driver) && !speaks_for_others(driver);
}

std::vector<LogEvent> of_gpus(std::vector<LogEvent> events, const KernelLog& log,
                              const Machine* machine) {
  const Owners owners(log, machine);
  std::vector<LogEvent> kept;
  bool gpu_in_trouble = false;  // after the event that is looked at
  for (auto event = events.rbegin(); event != events.rend(); ++event) {
    const Owners::Owner owner = owners.of(*event);
    gpu_in_trouble |= owner == Owners::Owner::gpu && is_trouble(*event);
    const bool of_a_gpu =
        owner == Owners::Owner::gpu ||
        (owner == Owners::Owner::unknown && gpu_in_trouble && !owners.before_plugging(*event));
    if (!of_a_gpu) continue;
    // What the driver says without an address is of the only GPU that it has.
    if (event->bdf.empty() && event->line.find("amdgpu") != std::string::npos)
      event->bdf = owners.only_gpu();
    kept.push_back(std::move(*event));
  }
  std::reverse(kept.begin(), kept.end());
  mark_steps(kept);
  return kept;
}

}  // namespace rocvet
