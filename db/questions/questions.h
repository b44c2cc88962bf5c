// Questions to the database, by subject: which published statements speak of a combination, and
// what they say. Internal to db/; BlobDatabase::ask puts them together.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/blob_database.h"
#include "db/names.h"

namespace rocvet::db {

/// A release as asked, placed among those the database knows.
struct AskedRelease {
  std::string text;
  Version version;     ///< the release whose rows are used
  bool newer = false;  ///< than every known one
  bool older = false;  ///< than every known one
  bool exists = true;  ///< false: between two known ones and not of a known series
  std::string note;    ///< when `version` is not literally what was asked
};

struct AskedGpu {
  std::string text, gfx;
  std::vector<const GpuInfo*> products;  ///< what it may be; empty when it is a whole target
  bool whole_target = false;
  std::vector<std::string> names;  ///< under which rows may list it, as plain_name() has them

  /// As answers call it.
  const std::string& called() const { return whole_target ? gfx : text; }
};

struct AskedDriver {
  std::string text;
  Version version;
};

/// A framework as asked: "pytorch=2.6.x".
struct AskedFramework {
  std::string name;
  std::string version_text;        ///< "" when no version was given
  std::optional<Version> version;  ///< of `version_text`
};

/// "kvm-sr-iov": the hypervisor (or "wsl", "bare-metal"), and how the GPU is handed on.
struct AskedPlatform {
  std::string text, platform, technology;  ///< technology: "" when it was not said
};

/// A question with its words understood; what was not asked is null.
struct Asked {
  const BlobDatabase& db;
  std::optional<AskedRelease> release;
  std::optional<AskedGpu> gpu;
  std::optional<OsName> os;
  std::string kernel;
  std::optional<AskedDriver> driver;
  std::optional<AskedFramework> framework;
  std::optional<Version> python;
  std::optional<AskedPlatform> platform;
};

/// Facts that decide, and facts that inform and do not.
struct Findings {
  std::vector<Fact> deciding, informing;
};

// Words. An error names the option, and what may have been meant.
Result<AskedRelease> find_release(const BlobDatabase& db, std::string_view text);
Result<AskedGpu> find_gpu(const BlobDatabase& db, std::string_view text);
Result<AskedDriver> find_driver(const std::string& text);
Result<AskedFramework> find_framework(const BlobDatabase& db, std::string_view text);
Result<AskedPlatform> find_platform(std::string_view text);

// Subjects. Each wants what its comment names, and adds facts.
/// The release alone.
void ask_release(const Asked& asked, Findings& found);
/// GPU; with a release "gpu × rocm", else every release that lists it. So do those below.
void ask_gpu(const Asked& asked, Findings& found);
void ask_system(const Asked& asked, Findings& found);
/// GPU or system, with a release: which of them go together.
void ask_gpu_system(const Asked& asked, Findings& found);
void ask_driver(const Asked& asked, Findings& found);
/// With what its wheels were built for.
void ask_framework(const Asked& asked, Findings& found);
/// Python: which wheels (of the framework, for the release, where they were asked about) have it.
void ask_python(const Asked& asked, Findings& found);
/// What AMD supports behind a hypervisor or in WSL.
void ask_platform(const Asked& asked, Findings& found);
/// GPU and release: which libraries are built for the target.
std::vector<Fact> library_facts(const Asked& asked);
/// GPU and kernel, after the system: what the GPU needs of the kernel's own driver.
void ask_kernel(const Asked& asked, Findings& found);

/// What stands as the source of a silence.
Fact unlisted(const BlobDatabase& db, std::string subject, std::string because);
/// A row as a fact.
Fact fact_of(const Origin& origin, std::string subject, Support verdict, std::string because);
/// 0 is the worst: the verdict of a combination is the worst of its facts.
int severity(Support support);
std::string joined(const Texts& texts, std::string_view separator);

/// Rows whose range holds the release. `wanted`: Row -> bool.
template <typename Row, typename Wanted>
std::vector<const Row*> rows_for(const std::vector<Row>& rows, const Version& release,
                                 Wanted&& wanted) {
  std::vector<const Row*> found;
  for (const Row& row : rows) {
    if (wanted(row) && row.rocm.contains(release)) found.push_back(&row);
  }
  return found;
}

}  // namespace rocvet::db
