#include "db/published.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/text.h"
#include "db/blob_database.h"

namespace rocvet::db {
namespace {

/// The loader lets nothing else into a column of ranges.
VersionRange range_of(std::string_view cell) {
  return VersionRange::parse(cell).value_or(VersionRange::none());
}

std::optional<VersionRange> range_if_any(std::string_view cell) {
  return cell.empty() ? std::nullopt : std::optional(range_of(cell));
}

template <TableName kName>
Origin origin_of(const Table<kName>& table, std::size_t row) {
  constexpr const TableSpec& kSpec = schema::kTables[kTableIndex<kName>];
  Origin origin{table.get(row, "source"), table.get(row, "checked"), table.get(row, "basis"), {}};
  if constexpr (kSpec.column("condition").has_value())
    origin.condition = table.get(row, "condition");
  if constexpr (kSpec.column("disagrees").has_value())
    origin.disagrees = table.get(row, "disagrees") == "true";
  return origin;
}

/// A table as rows of one struct. `read`: (table, row) -> Row.
template <TableName kName, typename Read>
auto read_rows(const Blob& blob, Read read) {
  const Table<kName> table(blob);
  std::vector<decltype(read(table, std::size_t{}))> rows;
  rows.reserve(table.size());
  for (std::size_t i = 0; i < table.size(); ++i) rows.push_back(read(table, i));
  return rows;
}

std::vector<ReleaseRow> read_releases(const Blob& blob) {
  return read_rows<"release">(blob, [](const auto& table, std::size_t i) {
    return ReleaseRow{Version::parse(table.get(i, "rocm")).value_or(Version{}),
                      table.get(i, "kind"), table.get(i, "driver"), table.get(i, "date"),
                      origin_of(table, i)};
  });
}

std::vector<SupportRow> read_support(const Blob& blob) {
  return read_rows<"support">(blob, [](const auto& table, std::size_t i) {
    SupportRow row{table.get(i, "gfx"),
                   list_items(table.get(i, "gpus")),
                   {},
                   range_of(table.get(i, "rocm")),
                   support_of(table.get(i, "verdict")),
                   origin_of(table, i)};
    for (const std::string_view name : row.gpus) row.plain_gpus.push_back(plain_name(name));
    return row;
  });
}

ListedVersion listed(std::string_view text) {
  return {text, Version::parse(text).optional()};
}

std::vector<OsRow> read_systems(const Blob& blob) {
  return read_rows<"os">(blob, [](const auto& table, std::size_t i) {
    return OsRow{table.get(i, "os"),
                 table.get(i, "variant"),
                 listed(table.get(i, "version")),
                 list_items(table.get(i, "kernels")),
                 range_of(table.get(i, "rocm")),
                 support_of(table.get(i, "verdict")),
                 origin_of(table, i)};
  });
}

/// "ubuntu 24.04.4 (6.8, 6.17)"
ListedSystem listed_system(std::string_view text) {
  const OsName name = parse_os(text).value_or(OsName{});
  ListedSystem system{name.id, name.version, Version::parse(name.version).optional(), {}};
  for (const std::string_view kernel : split(name.variant, ',')) {
    if (!trim(kernel).empty()) system.kernels.emplace_back(trim(kernel));
  }
  return system;
}

std::vector<SystemRow> read_system_facts(const Blob& blob) {
  return read_rows<"system">(blob, [](const auto& table, std::size_t i) {
    return SystemRow{table.get(i, "os"),           table.get(i, "codename"),
                     table.get(i, "amd_codename"), table.get(i, "python"),
                     table.get(i, "glibc"),        listed(table.get(i, "version"))};
  });
}

std::vector<GpuSystemsRow> read_gpu_systems(const Blob& blob) {
  return read_rows<"gpu_systems">(blob, [](const auto& table, std::size_t i) {
    GpuSystemsRow row{{},
                      list_items(table.get(i, "gpus")),
                      range_of(table.get(i, "rocm")),
                      {},
                      origin_of(table, i)};
    for (const std::string_view name : row.gpus) row.plain_gpus.push_back(plain_name(name));
    for (const std::string_view text : list_items(table.get(i, "systems")))
      row.systems.push_back(listed_system(text));
    return row;
  });
}

std::vector<DriverRow> read_drivers(const Blob& blob) {
  return read_rows<"driver">(blob, [](const auto& table, std::size_t i) {
    const std::string_view driver = table.get(i, "driver");
    return DriverRow{
        range_of(driver),
        driver.starts_with("=") ? Version::parse(driver.substr(1)).optional() : std::nullopt,
        range_of(table.get(i, "rocm")),
        list_items(table.get(i, "kinds")),
        support_of(table.get(i, "verdict")),
        origin_of(table, i)};
  });
}

std::vector<ModuleRow> read_modules(const Blob& blob) {
  return read_rows<"module">(blob, [](const auto& table, std::size_t i) {
    return ModuleRow{range_of(table.get(i, "module")), table.get(i, "driver")};
  });
}

std::vector<FrameworkRow> read_frameworks(const Blob& blob) {
  return read_rows<"framework">(blob, [](const auto& table, std::size_t i) {
    FrameworkRow row{table.get(i, "framework"),
                     table.get(i, "variant"),
                     {},
                     list_items(table.get(i, "gfx")),
                     range_of(table.get(i, "rocm")),
                     support_of(table.get(i, "verdict")),
                     origin_of(table, i)};
    for (const std::string_view text : list_items(table.get(i, "versions"))) {
      const bool or_newer = text.starts_with(">=");
      const auto version = Version::parse(or_newer ? text.substr(2) : text);
      row.versions.push_back({{text, version.optional()}, or_newer});
    }
    return row;
  });
}

std::vector<WheelRow> read_wheels(const Blob& blob) {
  return read_rows<"wheel">(blob, [](const auto& table, std::size_t i) {
    return WheelRow{table.get(i, "framework"),
                    table.get(i, "rocm"),
                    table.get(i, "index"),
                    table.get(i, "install"),
                    table.get(i, "glibc"),
                    range_of(table.get(i, "version")),
                    Version::parse(table.get(i, "rocm")).optional(),
                    list_items(table.get(i, "gfx")),
                    list_items(table.get(i, "python")),
                    origin_of(table, i)};
  });
}

std::vector<ContainerRow> read_containers(const Blob& blob) {
  return read_rows<"container">(blob, [](const auto& table, std::size_t i) {
    return ContainerRow{table.get(i, "image"),
                        table.get(i, "tag"),
                        table.get(i, "framework"),
                        table.get(i, "version"),
                        table.get(i, "os"),
                        table.get(i, "python"),
                        table.get(i, "rocm"),
                        Version::parse(table.get(i, "rocm")).optional(),
                        list_items(table.get(i, "gfx")),
                        origin_of(table, i)};
  });
}

std::vector<PlatformRow> read_platforms(const Blob& blob) {
  return read_rows<"platform">(blob, [](const auto& table, std::size_t i) {
    PlatformRow row{table.get(i, "platform"),
                    table.get(i, "technology"),
                    table.get(i, "host"),
                    {},
                    list_items(table.get(i, "gpus")),
                    range_of(table.get(i, "rocm")),
                    {},
                    origin_of(table, i)};
    for (const std::string_view name : row.gpus) row.plain_gpus.push_back(plain_name(name));
    for (const std::string_view text : list_items(table.get(i, "guests")))
      row.guests.push_back(listed_system(text));
    return row;
  });
}

std::vector<LibraryRow> read_libraries(const Blob& blob) {
  return read_rows<"library">(blob, [](const auto& table, std::size_t i) {
    return LibraryRow{table.get(i, "library"), list_items(table.get(i, "gfx")),
                      range_of(table.get(i, "rocm")), table.get(i, "built") == "true",
                      origin_of(table, i)};
  });
}

std::vector<ComponentRow> read_components(const Blob& blob) {
  const Table<"component"> table(blob);
  std::vector<ComponentRow> rows;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (const auto soname = table.get(i, "soname"); !soname.empty())
      rows.push_back({soname, range_of(table.get(i, "rocm"))});
  }
  return rows;
}

std::vector<KernelRow> read_kernels(const Blob& blob) {
  return read_rows<"kernel">(blob, [](const auto& table, std::size_t i) {
    return KernelRow{list_items(table.get(i, "gfx")),
                     list_items(table.get(i, "devices")),
                     range_of(table.get(i, "kernel")),
                     range_if_any(table.get(i, "or_kernel")),
                     range_if_any(table.get(i, "rocm")),
                     table.get(i, "text"),
                     table.get(i, "need") == "fix",
                     list_items(table.get(i, "signatures")),
                     origin_of(table, i)};
  });
}

std::vector<OverrideRow> read_overrides(const Blob& blob) {
  return read_rows<"override">(blob, [](const auto& table, std::size_t i) {
    return OverrideRow{list_items(table.get(i, "gfx")),
                       table.get(i, "value"),
                       table.get(i, "text"),
                       range_of(table.get(i, "rocm")),
                       table.get(i, "effect") == "works",
                       origin_of(table, i)};
  });
}

std::optional<std::vector<OsSeries>> series_of(std::string_view cell) {
  if (cell.empty()) return std::nullopt;
  std::vector<OsSeries> all;
  for (const std::string_view item : list_items(cell)) {
    if (const auto os = parse_os(item))
      all.push_back({os->id, os->version.empty(), Version::parse(os->version).optional()});
  }
  return all;
}

/// The words by which people say that a part of the stack fails: "compute" of the list
/// fails-to-compute.
std::map<std::string_view, Texts> read_complaints(const Blob& blob) {
  constexpr std::string_view kBefore = "fails-to-";
  const Table<"word_list"> table(blob);
  std::map<std::string_view, Texts> all;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::string_view id = table.get(i, "id");
    if (id.starts_with(kBefore)) all[id.substr(kBefore.size())] = list_items(table.get(i, "words"));
  }
  return all;
}

bool hits_most(std::string_view affects) {
  return affects == "all" || affects == "most";
}

std::vector<IssueRow> read_issues(const Blob& blob) {
  const auto complaints = read_complaints(blob);
  // Of what breaks a whole part of the stack a complaint says something only where most machines
  // are hit, or few lie within.
  const auto complaint = [&](std::string_view breaks, bool telling) {
    const auto words = complaints.find(breaks);
    return telling && words != complaints.end() ? words->second : Texts{};
  };
  return read_rows<"issue">(blob, [&](const auto& table, std::size_t i) {
    const std::string_view wsl = table.get(i, "wsl");
    const bool most = hits_most(table.get(i, "affects"));
    auto kernel = range_if_any(table.get(i, "kernel"));
    auto firmware = range_if_any(table.get(i, "firmware_package"));
    const bool few =
        (kernel && kernel->is_within_one_series()) || (firmware && firmware->is_bounded());
    return IssueRow{.id = table.get(i, "id"),
                    .topic = table.get(i, "topic"),
                    .fact = table.get(i, "fact"),
                    .remedy = table.get(i, "remedy"),
                    .gfx = list_items(table.get(i, "gfx")),
                    .os = series_of(table.get(i, "os")),
                    .rocm = range_if_any(table.get(i, "rocm")),
                    .kernel = std::move(kernel),
                    .except_kernel = range_if_any(table.get(i, "except_kernel")),
                    .driver = range_if_any(table.get(i, "driver")),
                    .driver_release = range_if_any(table.get(i, "driver_release")),
                    .firmware_package = std::move(firmware),
                    .firmware_block = table.get(i, "firmware_block"),
                    .firmware = parse_number(table.get(i, "firmware"), 16),
                    .wsl = wsl.empty() ? std::nullopt : std::optional(wsl == "true"),
                    .framework = table.get(i, "framework"),
                    .versions = range_if_any(table.get(i, "versions")),
                    .in_tree = table.get(i, "in_tree") == "true",
                    .signatures = table.get(i, "signatures"),
                    .about = table.get(i, "about"),
                    .generic = table.get(i, "generic") == "true",
                    .complaint = complaint(table.get(i, "breaks"), most || few),
                    .breaks_compute = table.get(i, "breaks") == "compute",
                    .hits_most = most,
                    .origin = origin_of(table, i)};
  });
}

std::vector<FeatureRow> read_features(const Blob& blob) {
  return read_rows<"feature">(blob, [](const auto& table, std::size_t i) {
    return FeatureRow{table.get(i, "feature"),         table.get(i, "verdict"),
                      table.get(i, "format"),          table.get(i, "fact"),
                      list_items(table.get(i, "gfx")), origin_of(table, i)};
  });
}

std::vector<FeatureInRow> read_features_in(const Blob& blob) {
  return read_rows<"feature_in">(blob, [](const auto& table, std::size_t i) {
    return FeatureInRow{.feature = table.get(i, "feature"),
                        .framework = table.get(i, "framework"),
                        .means = table.get(i, "means"),
                        .verdict = table.get(i, "verdict"),
                        .environment = table.get(i, "environment"),
                        .fact = table.get(i, "fact"),
                        .versions = range_of(table.get(i, "versions")),
                        .rocm = range_if_any(table.get(i, "rocm")),
                        .gfx = list_items(table.get(i, "gfx")),
                        .origin = origin_of(table, i)};
  });
}

std::vector<InstallRow> read_installs(const Blob& blob) {
  return read_rows<"install">(blob, [](const auto& table, std::size_t i) {
    return InstallRow{.os = words(table.get(i, "os")),
                      .version = VersionRange::parse(table.get(i, "version")).optional(),
                      .rocm = range_of(table.get(i, "rocm")),
                      .what = table.get(i, "what"),
                      .document = table.get(i, "document"),
                      .note = table.get(i, "note"),
                      .gfx = list_items(table.get(i, "gfx")),
                      .steps = list_items(table.get(i, "steps"))};
  });
}

std::vector<RepositoryRow> read_repositories(const Blob& blob) {
  return read_rows<"repository">(blob, [](const auto& table, std::size_t i) {
    return RepositoryRow{.os = words(table.get(i, "os")),
                         .versions = list_items(table.get(i, "versions")),
                         .urls = list_items(table.get(i, "url")),
                         .rocm = range_of(table.get(i, "rocm")),
                         .what = table.get(i, "what"),
                         .origin = origin_of(table, i)};
  });
}

std::vector<TargetRow> read_targets(const Blob& blob) {
  return read_rows<"target">(blob, [](const auto& table, std::size_t i) {
    return TargetRow{.gfx = table.get(i, "gfx"),
                     .sibling_of = table.get(i, "sibling_of"),
                     .runs = list_items(table.get(i, "runs"))};
  });
}

std::vector<LibraryPackage> read_packages(const Blob& blob) {
  return read_rows<"package">(blob, [](const auto& table, std::size_t i) {
    return LibraryPackage{.library = table.get(i, "library"),
                          .cmake = list_items(table.get(i, "cmake")),
                          .apt = table.get(i, "apt"),
                          .dnf = table.get(i, "dnf"),
                          .fedora = table.get(i, "fedora"),
                          .zypper = table.get(i, "zypper"),
                          .pacman = table.get(i, "pacman"),
                          .development = table.get(i, "development"),
                          .programs_only = table.get(i, "programs_only") == "true"};
  });
}

}  // namespace

Published::Published(const Blob& blob)
    : releases(blob, read_releases),
      support(blob, read_support),
      systems(blob, read_systems),
      system_facts(blob, read_system_facts),
      gpu_systems(blob, read_gpu_systems),
      drivers(blob, read_drivers),
      modules(blob, read_modules),
      frameworks(blob, read_frameworks),
      wheels(blob, read_wheels),
      containers(blob, read_containers),
      platforms(blob, read_platforms),
      libraries(blob, read_libraries),
      components(blob, read_components),
      kernels(blob, read_kernels),
      overrides(blob, read_overrides),
      issues(blob, read_issues),
      features(blob, read_features),
      features_in(blob, read_features_in),
      installs(blob, read_installs),
      repositories(blob, read_repositories),
      targets(blob, read_targets),
      packages(blob, read_packages) {}

bool holds(const Texts& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

}  // namespace rocvet::db
