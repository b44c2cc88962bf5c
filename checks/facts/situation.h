// The machine as the database asks for it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "checks/check.h"

namespace rocvet {

/// The GPU that computes and the ROCm that a process would use; parts that are not known are "".
Situation situation(const Context& context);
/// The same, of one of its GPUs.
Situation situation_of(const Context& context, const Gpu& gpu);
/// The same with the driver that is loaded, whatever packages lie here for another.
Situation situation_of_loaded_driver(const Context& context);
/// Published defects of one topic that fit this machine.
std::vector<KnownIssue> issues_about(const Context& context, std::string_view topic);
std::vector<KnownIssue> issues_about(const Context& context, std::string_view topic,
                                     const Situation& here);
/// One of its signatures (db/README.md) stands in the kernel log or the application's.
bool shows(const Context& context, const KnownIssue& issue);
/// "7.2" of "7.2.4".
std::string series_of(const std::string& version);
/// The version of ROCm that counts: /opt/rocm's, else the only one, else a framework's own.
std::string rocm_version(const Machine& machine);

}  // namespace rocvet
