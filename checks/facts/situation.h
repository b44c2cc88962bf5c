// The machine as the database asks for it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "checks/check.h"

namespace rocvet {

/// The GPU that computes and the ROCm that a process would use; parts that are not known are "".
Situation situation(const Context& context);
/// Published defects of one topic that fit this machine.
std::vector<KnownIssue> issues_about(const Context& context, std::string_view topic);
/// One of its signatures (db/README.md) stands in the kernel log or the application's.
bool shows(const Context& context, const KnownIssue& issue);
/// The version of ROCm that counts: /opt/rocm's, else the only one, else a framework's own.
std::string rocm_version(const Machine& machine);

}  // namespace rocvet
