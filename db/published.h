// What was published of GPUs, releases, systems, drivers and frameworks: rows of the database, made
// ready. Every range and version of a row is parsed here, once, when the table is first asked for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/blob.h"
#include "db/database.h"
#include "db/lazy.h"
#include "db/names.h"
#include "db/version.h"

namespace rocvet::db {

/// Texts of rows live as long as the blob.
using Texts = std::vector<std::string_view>;

/// Who says so, when it was read, and how far it holds. Tables without such a column leave it "".
struct Origin {
  std::string_view source, checked, basis, condition;
  bool disagrees = false;  ///< with another source
};

struct ReleaseRow {
  Version rocm;
  std::string_view kind, driver, date;
  Origin origin;
};

struct SupportRow {
  std::string_view gfx;
  Texts gpus;                           ///< empty: the whole target
  std::vector<std::string> plain_gpus;  ///< the same, as plain_name() has them
  VersionRange rocm;
  Support verdict = Support::unknown;
  Origin origin;
};

struct OsRow {
  std::string_view os, variant;
  ListedVersion version;
  Texts kernels;
  VersionRange rocm;
  Support verdict = Support::unknown;
  Origin origin;
};

/// What a distribution's release is called and brings along; "" is not known.
struct SystemRow {
  std::string_view os, codename, amd_codename, python, glibc;
  ListedVersion version;
};

/// A system of a list, with the kernels that are listed for it there; none: those of the system.
struct ListedSystem {
  std::string os;
  std::string version_text;
  std::optional<Version> version;
  std::vector<std::string> kernels;
};

/// All systems that releases support some GPUs on.
struct GpuSystemsRow {
  std::vector<std::string> plain_gpus;  ///< as plain_name() has them
  Texts gpus;
  VersionRange rocm;
  std::vector<ListedSystem> systems;
  Origin origin;
};

struct DriverRow {
  VersionRange driver;
  std::optional<Version> exactly;  ///< of a row for one driver: "=30.10.1"
  VersionRange rocm;
  Texts kinds;  ///< of GPUs that it is listed for; empty: all
  Support verdict = Support::unknown;
  Origin origin;
};

/// The driver release that ships a range of kernel modules.
struct ModuleRow {
  VersionRange module;
  std::string_view driver;
};

/// "2.6", ">=1.14.1", "b5997"
struct FrameworkVersion : ListedVersion {
  bool or_newer = false;
};

struct FrameworkRow {
  std::string_view framework, variant;
  std::vector<FrameworkVersion> versions;
  Texts gfx;
  VersionRange rocm;
  Support verdict = Support::unknown;
  Origin origin;
};

struct WheelRow {
  std::string_view framework, rocm, index, install, glibc;
  VersionRange version;
  std::optional<Version> rocm_version;
  Texts gfx, python;
  Origin origin;
};

struct ContainerRow {
  std::string_view image, tag, framework, version, os, python;
  std::string_view rocm_text;
  std::optional<Version> rocm;
  Texts gfx;  ///< empty: not said
  Origin origin;
};

/// A GPU whose driver runs in another kernel, or behind a hypervisor.
struct PlatformRow {
  std::string_view platform, technology, host;
  std::vector<std::string> plain_gpus;  ///< as plain_name() has them
  Texts gpus;
  VersionRange rocm;
  std::vector<ListedSystem> guests;
  Origin origin;
};

struct LibraryRow {
  std::string_view library;
  Texts gfx;
  VersionRange rocm;
  bool built = false;
  Origin origin;
};

/// A component that is a library; others are left out.
struct ComponentRow {
  std::string_view soname;
  VersionRange rocm;
};

/// The Linux that a target needs for its driver, or for a fix; or some chips of a target alone.
struct KernelRow {
  Texts gfx, devices;
  VersionRange kernel;
  std::optional<VersionRange> or_kernel, rocm;
  std::string_view text;
  bool is_fix = false;
  Texts signatures;
  Origin origin;
};

/// A value of HSA_OVERRIDE_GFX_VERSION.
struct OverrideRow {
  Texts gfx;
  std::string_view value, text;
  VersionRange rocm;
  bool works = false;
  Origin origin;
};

/// A system that a defect is known on, or a series of it.
struct OsSeries {
  std::string id;
  bool whole = false;  ///< every version of it
  std::optional<Version> version;
};

/// A condition that a row does not name holds always.
struct IssueRow {
  std::string_view id, topic, fact, remedy;
  Texts gfx;
  std::optional<std::vector<OsSeries>> os;
  std::optional<VersionRange> rocm, kernel, except_kernel, driver, driver_release, firmware_package;
  std::string_view firmware_block;
  std::optional<unsigned long long> firmware;
  std::optional<bool> wsl;
  std::string_view framework;
  std::optional<VersionRange> versions;
  bool in_tree = false;                ///< of the kernel's own driver alone, as kernel.org has it
  std::string_view signatures, about;  ///< lists, taken apart where the row fits
  bool generic = false;
  Texts complaint;  ///< beside `about`: the words for what it breaks, where those tell
  bool breaks_compute = false, hits_most = false;
  Origin origin;
};

struct FeatureRow {
  std::string_view feature, verdict, format, fact;
  Texts gfx;
  Origin origin;
};

struct FeatureInRow {
  std::string_view feature, framework, means, verdict, environment, fact;
  VersionRange versions;
  std::optional<VersionRange> rocm;
  Texts gfx;
  Origin origin;
};

/// What one target shares with others of its family.
struct TargetRow {
  std::string_view gfx, sibling_of;
  Texts runs;
};

struct InstallRow {
  Texts os;                             ///< "*": every system
  std::optional<VersionRange> version;  ///< of the system; null where it is no range
  VersionRange rocm;
  std::string_view what, document, note;
  Texts gfx, steps;
};

struct RepositoryRow {
  Texts os, versions, urls;
  VersionRange rocm;
  std::string_view what;
  Origin origin;
};

/// Each table, by its call: `published.support()`. In the order of the database; an overlay's rows
/// stand first.
struct Published {
  /// The blob must outlive it.
  explicit Published(const Blob& blob);

  Lazy<std::vector<ReleaseRow>> releases;
  Lazy<std::vector<SupportRow>> support;
  Lazy<std::vector<OsRow>> systems;
  Lazy<std::vector<SystemRow>> system_facts;
  Lazy<std::vector<GpuSystemsRow>> gpu_systems;
  Lazy<std::vector<DriverRow>> drivers;
  Lazy<std::vector<ModuleRow>> modules;
  Lazy<std::vector<FrameworkRow>> frameworks;
  Lazy<std::vector<WheelRow>> wheels;
  Lazy<std::vector<ContainerRow>> containers;
  Lazy<std::vector<PlatformRow>> platforms;
  Lazy<std::vector<LibraryRow>> libraries;
  Lazy<std::vector<ComponentRow>> components;
  Lazy<std::vector<KernelRow>> kernels;
  Lazy<std::vector<OverrideRow>> overrides;
  Lazy<std::vector<IssueRow>> issues;
  Lazy<std::vector<FeatureRow>> features;
  Lazy<std::vector<FeatureInRow>> features_in;
  Lazy<std::vector<InstallRow>> installs;
  Lazy<std::vector<RepositoryRow>> repositories;
  Lazy<std::vector<TargetRow>> targets;
  Lazy<std::vector<LibraryPackage>> packages;
};

/// Whether a text is in a list.
bool holds(const Texts& list, std::string_view text);

}  // namespace rocvet::db
