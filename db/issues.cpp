// Published defects, limits and workarounds that fit a machine.
#include <algorithm>

#include "base/text.h"
#include "db/blob_database.h"
#include "db/names.h"

namespace rocvet::db {
namespace {

/// The driver release in a package version: "1:6.16.13.30300400-2341068.24.04" holds 30.30.4,
/// "1:6.8.5.60200-2009582.24.04" holds 6.2.0.
std::optional<Version> driver_release(std::string_view package) {
  if (const std::size_t colon = package.find(':'); colon != std::string_view::npos)
    package.remove_prefix(colon + 1);
  package = package.substr(0, package.find('-'));
  const std::size_t dot = package.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const auto digits = package.substr(dot + 1);
  const auto number = parse_number(digits);
  if (!number || digits.size() < 5) return std::nullopt;
  const int value = static_cast<int>(*number);
  if (digits.size() >= 7) return Version{{value / 1000000, value / 10000 % 100, value / 100 % 100}};
  return Version{{value / 10000, value / 100 % 100, value % 100}};
}

/// "20251125-1.fc43", "1:20240318.git3b128b60-0ubuntu2.4"
std::optional<Version> package_version(std::string_view text) {
  if (const std::size_t colon = text.find(':'); colon != std::string_view::npos)
    text.remove_prefix(colon + 1);
  const auto version = Version::parse(text);
  if (!version || version->parts.empty()) return std::nullopt;
  return Version{{version->parts[0]}};
}

/// One condition of a row: not met, met, or not known.
enum class Fit { no, unknown, yes };

Fit range_fit(std::string_view range, const std::optional<Version>& version) {
  if (range.empty()) return Fit::yes;
  if (!version) return Fit::unknown;
  return range_holds(range, *version) ? Fit::yes : Fit::no;
}

Fit list_fit(std::string_view list, std::string_view value) {
  if (list.empty()) return Fit::yes;
  if (value.empty()) return Fit::unknown;
  const auto items = list_items(list);
  return std::find(items.begin(), items.end(), value) != items.end() ? Fit::yes : Fit::no;
}

Fit os_fit(std::string_view list, const std::string& value) {
  if (list.empty()) return Fit::yes;
  const auto os = parse_os(value);
  if (!os) return value.empty() ? Fit::unknown : Fit::no;
  for (const auto item : list_items(list)) {
    const auto wanted = parse_os(item);
    if (!wanted || wanted->id != os->id) continue;
    if (wanted->version.empty()) return Fit::yes;
    const auto mine = Version::parse(os->version), theirs = Version::parse(wanted->version);
    if (mine && theirs && mine->starts_with(*theirs)) return Fit::yes;
  }
  return Fit::no;
}

std::optional<Version> parsed(std::string_view text) {
  const auto version = Version::parse(trim(text));
  return version ? version.optional() : std::nullopt;
}

}  // namespace

std::vector<KnownIssue> BlobDatabase::known_issues(const Situation& situation) const {
  std::vector<std::pair<int, KnownIssue>> found;  // how specific, and what
  const auto rocm = parsed(situation.rocm);
  const auto kernel = kernel_version(situation.kernel);
  const auto driver = parsed(situation.dkms_driver);
  const bool in_tree = situation.dkms_driver.empty() && situation.dkms_package.empty();
  const auto release = driver_release(situation.dkms_package);

  const auto issues = table<"issue">();
  for (std::size_t i = 0; i < issues.size(); ++i) {
    int specific = 0;
    bool certain = true, fits = true;
    const auto require = [&](Table<"issue">::Column column, Fit fit) {
      if (issues.get(i, column).empty()) return;
      ++specific;
      if (fit == Fit::no) fits = false;
      if (fit == Fit::unknown) certain = false;
    };
    require("gfx", list_fit(issues.get(i, "gfx"), situation.gfx));
    require("rocm", range_fit(issues.get(i, "rocm"), rocm));
    require("kernel", range_fit(issues.get(i, "kernel"), kernel));
    require("os", os_fit(issues.get(i, "os"), situation.os));
    require("driver", in_tree ? Fit::no
                              : range_fit(issues.get(i, "driver"),
                                          driver ? driver
                                                 : parsed(situation.dkms_package.substr(
                                                       situation.dkms_package.find(':') + 1))));
    require("driver_release",
            in_tree ? Fit::no : range_fit(issues.get(i, "driver_release"), release));
    if (const auto except = issues.get(i, "except_kernel"); !except.empty() && kernel) {
      if (range_fit(except, kernel) == Fit::yes) fits = false;
    }
    if (!issues.get(i, "wsl").empty())
      require("wsl", (issues.get(i, "wsl") == "true") == situation.wsl ? Fit::yes : Fit::no);
    // A bad firmware is told by its package or by the block's own version, whichever is known.
    const auto block = issues.get(i, "firmware_block");
    const auto package_range = issues.get(i, "firmware_package");
    if (!block.empty() || !package_range.empty()) {
      ++specific;
      const auto package = package_version(situation.linux_firmware);
      const Fit by_package =
          package_range.empty() ? Fit::unknown : range_fit(package_range, package);
      Fit by_block = Fit::unknown;
      if (const auto known = situation.firmware.find(std::string(block));
          known != situation.firmware.end()) {
        const auto mine = parse_number(trim(known->second), 16);
        const auto bad = parse_number(issues.get(i, "firmware"), 16);
        if (mine && bad) by_block = (*mine & 0xfff) == *bad ? Fit::yes : Fit::no;
      }
      const Fit fit = by_block != Fit::unknown ? by_block : by_package;
      if (fit == Fit::no) fits = false;
      if (fit == Fit::unknown) certain = false;
    }
    if (!fits) continue;
    KnownIssue issue{.id = std::string(issues.get(i, "id")),
                     .topic = std::string(issues.get(i, "topic")),
                     .because = std::string(issues.get(i, "fact")),
                     .remedy = std::string(issues.get(i, "remedy")),
                     .source = std::string(issues.get(i, "source")),
                     .signatures = {},
                     .certain = certain};
    for (const auto item : list_items(issues.get(i, "signatures")))
      issue.signatures.emplace_back(item);
    found.emplace_back(specific + (certain ? 100 : 0), std::move(issue));
  }

  // The kernel that the GPU needs, when the driver is the kernel's own.
  const auto kernels = table<"kernel">();
  for (std::size_t i = 0; in_tree && kernel && i < kernels.size(); ++i) {
    if (list_fit(kernels.get(i, "gfx"), situation.gfx) != Fit::yes) continue;
    if (const auto range = kernels.get(i, "rocm");
        !range.empty() && range_fit(range, rocm) != Fit::yes)
      continue;
    if (range_fit(kernels.get(i, "kernel"), kernel) == Fit::yes) continue;
    if (const auto other = kernels.get(i, "or_kernel");
        !other.empty() && range_fit(other, kernel) == Fit::yes)
      continue;
    const std::string need(kernels.get(i, "kernel"));
    KnownIssue issue{
        .id = "kernel-" + situation.gfx + "-" + std::string(kernels.get(i, "need")),
        .topic = "kernel-min",
        .because =
            std::string(kernels.get(i, "text")) + ": " + situation.gfx + " needs Linux " + need,
        .remedy = "Linux " + need + (kernels.get(i, "need") == "driver" ? ", or amdgpu-dkms" : ""),
        .source = std::string(kernels.get(i, "source")),
        .signatures = {},
        .certain = true};
    for (const auto item : list_items(kernels.get(i, "signatures")))
      issue.signatures.emplace_back(item);
    // The first kernel of a chip outweighs a later fix.
    found.emplace_back(kernels.get(i, "need") == "driver" ? 104 : 103, std::move(issue));
  }

  const auto overrides = table<"override">();
  for (std::size_t i = 0; i < overrides.size(); ++i) {
    if (list_fit(overrides.get(i, "gfx"), situation.gfx) != Fit::yes) continue;
    const Fit release_fit = range_fit(overrides.get(i, "rocm"), rocm);
    if (release_fit == Fit::no) continue;
    const bool works = overrides.get(i, "effect") == "works";
    const std::string value(overrides.get(i, "value"));
    // Harm is told of the value that is set; what works is offered whatever is set.
    if (!works && trim(situation.gfx_override) != value) continue;
    found.emplace_back(
        101 + (trim(situation.gfx_override) == value),
        KnownIssue{.id = "override-" + situation.gfx + "-" + value,
                   .topic = works ? "override-works" : "override-harms",
                   .because = "HSA_OVERRIDE_GFX_VERSION=" + value + " on " + situation.gfx + ": " +
                              std::string(overrides.get(i, "text")),
                   .remedy = works ? "export HSA_OVERRIDE_GFX_VERSION=" + value
                                   : "unset HSA_OVERRIDE_GFX_VERSION",
                   .source = std::string(overrides.get(i, "source")),
                   .signatures = {},
                   .certain = release_fit == Fit::yes});
  }

  if (rocm && !in_tree) {
    const std::string driver_name = release  ? release->text()
                                    : driver ? driver_of_module(*driver)
                                             : std::string();
    if (!driver_name.empty()) {
      const auto answer = ask({.rocm = situation.rocm, .driver = driver_name});
      if (answer && answer->verdict == Support::unlisted) {
        found.emplace_back(
            102, KnownIssue{.id = "driver-window",
                            .topic = "driver-window",
                            .because = answer->because,
                            .remedy = "bring the driver and ROCm to one published pair",
                            .source = answer->facts.empty() ? "" : answer->facts[0].source,
                            .signatures = {"Incompatible kernel and userspace"},
                            .certain = true});
      }
    }
  }

  if (!situation.gfx.empty() && rocm) {
    const std::string last = last_rocm_for(situation.gfx);
    if (const auto last_version = parsed(last);
        last_version && *rocm > *last_version && !rocm->starts_with(*last_version)) {
      found.emplace_back(
          102, KnownIssue{.id = "dropped-" + situation.gfx,
                          .topic = "gfx-dropped",
                          .because = "ROCm " + last + " is the last release that lists " +
                                     situation.gfx + "; this is " + situation.rocm,
                          .remedy = "ROCm " + last + ", or libraries built for " + situation.gfx,
                          .source = "ROCm documentation, all tables in the database",
                          .signatures = {"hipErrorNoBinaryForGpu", "invalid device function",
                                         "no kernel image is available"},
                          .certain = true});
    }
  }

  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<KnownIssue> ordered;
  for (auto& [specific, issue] : found) ordered.push_back(std::move(issue));
  return ordered;
}

std::string BlobDatabase::last_rocm_for(std::string_view gfx) const {
  // Supported or deprecated by a published table, as a target or as any product of it. That a
  // target can be enabled (built without promise) counts where no release ever promised more.
  const auto support = table<"support">();
  const auto releases = table<"release">();
  bool promised = false;
  for (std::size_t i = 0; i < support.size(); ++i)
    promised |= support.get(i, "gfx") == gfx && (support.get(i, "verdict") == "supported" ||
                                                 support.get(i, "verdict") == "deprecated");
  std::string last;
  for (std::size_t r = 0; r < releases.size(); ++r) {
    const auto version = Version::parse(releases.get(r, "rocm"));
    if (!version) continue;
    for (std::size_t i = 0; i < support.size(); ++i) {
      if (support.get(i, "gfx") != gfx) continue;
      const auto verdict = support.get(i, "verdict");
      if (verdict != "supported" && verdict != "deprecated" && (promised || verdict != "enabled"))
        continue;
      if (range_fit(support.get(i, "rocm"), version.optional()) != Fit::yes) continue;
      last = version->text();
      break;
    }
  }
  const auto newest = newest_release();
  return newest && newest->text() == last ? std::string() : last;
}

std::string BlobDatabase::rocm_needed_for(std::string_view gfx, std::string_view rocm) const {
  const auto here = parsed(strip_series(rocm));
  const auto support = table<"support">();
  const auto libraries = table<"library">();
  const auto releases = table<"release">();
  // Whether some row says that the release has something for the target, or that it has nothing.
  const auto says = [&](const std::optional<Version>& release, bool has) {
    for (std::size_t i = 0; i < support.size(); ++i) {
      const auto verdict = support.get(i, "verdict");
      const bool denies = verdict == "unlisted" || verdict == "unsupported";
      // That a table leaves out one product says nothing of the target.
      if (denies && !support.get(i, "gpus").empty()) continue;
      if (support.get(i, "gfx") == gfx && denies != has &&
          range_fit(support.get(i, "rocm"), release) == Fit::yes)
        return true;
    }
    for (std::size_t i = 0; i < libraries.size(); ++i) {
      if (list_fit(libraries.get(i, "gfx"), std::string(gfx)) == Fit::yes &&
          (libraries.get(i, "built") == "true") == has &&
          range_fit(libraries.get(i, "rocm"), release) == Fit::yes)
        return true;
    }
    return false;
  };
  if (!here || says(here, true) || !says(here, false)) return {};
  // A release that has a later target of the generation is not too old: it leaves this one out.
  const auto is_later = [&](std::string_view other) {
    return other.size() == gfx.size() && gfx.size() > 2 && other > gfx &&
           other.substr(0, gfx.size() - 2) == gfx.substr(0, gfx.size() - 2);
  };
  for (std::size_t i = 0; i < support.size(); ++i) {
    const auto verdict = support.get(i, "verdict");
    if (is_later(support.get(i, "gfx")) && (verdict == "supported" || verdict == "enabled") &&
        range_fit(support.get(i, "rocm"), here) == Fit::yes)
      return {};
  }
  for (std::size_t r = 0; r < releases.size(); ++r) {
    const auto release = Version::parse(releases.get(r, "rocm"));
    if (!release || !says(release.optional(), true)) continue;
    return *here < *release && !release->starts_with(*here) ? release->text() : std::string();
  }
  return {};
}

std::vector<std::string> BlobDatabase::sonames(std::string_view rocm) const {
  std::vector<std::string> names;
  const auto version = parsed(strip_series(rocm));
  const auto components = table<"component">();
  for (std::size_t i = 0; version && i < components.size(); ++i) {
    const auto soname = components.get(i, "soname");
    if (soname.empty() || range_fit(components.get(i, "rocm"), version) != Fit::yes) continue;
    names.emplace_back(soname);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::vector<WheelInfo> BlobDatabase::wheels(std::string_view framework) const {
  std::vector<WheelInfo> found;
  const auto wheels = table<"wheel">();
  for (std::size_t i = 0; i < wheels.size(); ++i) {
    if (!framework.empty() && wheels.get(i, "framework") != framework) continue;
    WheelInfo info{std::string(wheels.get(i, "framework")),
                   std::string(wheels.get(i, "version")),
                   std::string(wheels.get(i, "rocm")),
                   std::string(wheels.get(i, "index")),
                   {},
                   std::string(wheels.get(i, "source"))};
    for (const auto item : list_items(wheels.get(i, "gfx"))) info.gfx.emplace_back(item);
    found.push_back(std::move(info));
  }
  return found;
}

}  // namespace rocvet::db
