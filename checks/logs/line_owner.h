// Whose a kernel line is. The kernel heads a line with the driver and the address of the device
// that it speaks of; most devices of a machine are no GPU.
#pragma once

#include <string_view>
#include <vector>

#include "checks/logs/kernel_events.h"

namespace rocvet {

/// Leaves out what other devices' drivers report (a network card that does not wake up, an NVMe
/// that the IOMMU stopped), and what happens to bridges that lead to no GPU. Where it is not known
/// what a bridge leads to, its lines count only when an error of a GPU itself follows, and not
/// before a card was plugged in that turned out to be the GPU. `machine`: nullptr for a log of
/// which it is not known whether it is this machine's.
std::vector<LogEvent> of_gpus(std::vector<LogEvent> events, const KernelLog& log,
                              const Machine* machine);
/// Before its address a quoted line has a driver that neither drives GPUs nor speaks of others'
/// devices. `bdf`: the address; "" when it has none.
bool is_of_another_driver(std::string_view line, std::string_view bdf);

}  // namespace rocvet
