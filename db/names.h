// Names of systems, kernels, frameworks and versions as people and tables write them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "db/version.h"

namespace rocvet::db {

/// "Ubuntu 24.04.2", "ubuntu-24.04", "RHEL 9.4", "SLES 15 SP6", "Oracle Linux 8", "debian 12" …
struct OsName {
  std::string id;       ///< "ubuntu", "rhel", "sles", "oracle", "rocky", "azurelinux", "debian" …
  std::string version;  ///< "24.04.2", "15.6"; "" when not said
  std::string variant;  ///< what stood in brackets, lower case: "ryzen"
  std::string display() const;
};
Result<OsName> parse_os(std::string_view text);
std::string os_display(std::string_view id, std::string_view version);
/// A version as a row has it.
struct ListedVersion {
  std::string_view text;
  std::optional<Version> version;  ///< of a text that begins with a number
};
/// Whether a table row for `listed` speaks of the system: the point release itself, every point
/// release of a row that names none ("9"), and the rows of all point releases for a system that was
/// asked for without one ("24.04").
bool os_version_matches(const OsName& asked, const ListedVersion& listed);

/// Whether a system is of a release that a row names: "24.04.3" and "24.04" of "24.04".
bool is_of_release(const OsName& asked, const ListedVersion& release);

/// Whether a running kernel is of a listed series: "5.15 [GA]", "4.18.0-553", "6.4.0+", "5.15.0
/// (UEK)". No value when the listing names no comparable version ("UEK 8.1", "inbox").
std::optional<bool> kernel_matches(std::string_view listed, std::string_view running);

/// "6.8.0-45-generic" is 6.8.0.45: distributions count their own builds after the dash.
std::optional<Version> kernel_version(std::string_view release);

/// "6.1.x" and "6.1.*" without the wildcard.
std::string_view strip_series(std::string_view version);
/// A version that must be all version: an error names `option`.
Result<Version> parse_version(std::string_view option, std::string_view text);

/// "torch" and "PyTorch" are "pytorch"; "onnx-runtime" is "onnxruntime".
std::string framework_name(std::string_view name);
/// "gfx" and three or four hexadecimal digits.
bool is_gfx_name(std::string_view word);

}  // namespace rocvet::db
