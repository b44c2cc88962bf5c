// What --deep found out, as sentences and as faults.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "checks/check.h"

namespace rocvet {

/// nullptr when nobody asked, or not for this one. `id` as in DeepProbe; of "torch" the first.
const DeepProbe* deep_probe(const Machine& machine, std::string_view id);
/// "HIP", "ROCr", "ROCm SMI", "AMD SMI", "torch of /home/a/venv".
std::string deep_name(const DeepProbe& probe);
/// What happened, without the name and without its library: "finds 1 GPU: gfx1100 at 0000:c1:00.0",
/// "hipInit answers hipErrorNoDevice (100): no ROCm-capable device is detected".
std::string deep_sentence(const DeepProbe& probe);
/// Whether it is a fault on this machine: that HIP finds no GPU where there is none is not.
bool deep_fault(const Machine& machine, const DeepProbe& probe);
/// A skip: "neither ROCr nor HIP was asked (--deep does)"; unknown where somebody asked, and the
/// answer was not to be had.
Finding not_asked(const Machine& machine, const std::string& nobody_was);
/// What the failing libraries said, a line each; "" when none failed or nobody asked.
std::string deep_words(const Machine& machine);

}  // namespace rocvet
