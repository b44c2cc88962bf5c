// The PCI side of a GPU: its device folder in sysfs and the bridges above it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "machine/gpu.h"
#include "source/source.h"

namespace rocvet {

/// KEY=value lines of a uevent file.
std::map<std::string, std::string> parse_uevent(std::string_view text);
/// "16.0 GT/s PCIe" -> 16, "8 GT/s" -> 8; "Unknown" is missing, anything else malformed.
Result<double> parse_link_speed(std::string_view text, std::string_view where);
/// Per lane, GT/s, of a generation of PCIe from 1 to 6; nullopt for another.
std::optional<double> pcie_speed(int generation);
/// "16" -> 16; "0" and "255" are what a link that is down or a device without one shows: missing.
Result<int> parse_link_width(std::string_view text, std::string_view where);
/// A display or processing accelerator function: class 0300, 0302, 0380 or 1200.
bool is_gpu_class(std::string_view pci_class);
/// "0000:03:00.0", in lower case.
bool is_bdf(std::string_view text);

/// What /sys tells of one card without touching its firmware or waking it.
struct PciDevice {
  std::string folder;  ///< as found: "/sys/class/drm/card0/device" …
  Result<std::string> bdf, vendor_id, device_id, subsystem_vendor_id, subsystem_id, revision;
  Result<std::string> pci_class;  ///< "030000"
  Result<std::string> driver;
  Result<int> card_minor, render_minor;
};

/// Every GPU function of PCI or DRM, sorted by address; also those of other makers.
/// An error when neither place could be listed.
Result<std::vector<PciDevice>> read_pci_gpus(Source& source);

/// The rest of the facts: memory, link, firmware, power state, readings, the way to the root.
void add_device_facts(Source& source, const PciDevice& device, Gpu& gpu);

}  // namespace rocvet
