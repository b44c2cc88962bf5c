// What AMD supports where the GPU's driver runs elsewhere: guests of a hypervisor, and WSL.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "db/questions/questions.h"

namespace rocvet::db {
namespace {

constexpr const char* kPlatformSubject = "platform";
constexpr std::array<std::string_view, 4> kPlatforms = {"bare-metal", "esxi", "kvm", "wsl"};
constexpr std::array<std::string_view, 2> kTechnologies = {"passthrough", "sr-iov"};

bool speaks_of(const PlatformRow& row, const AskedGpu& gpu, const BlobDatabase& db) {
  const auto names = [&](const std::string& name) {
    return std::ranges::find(row.plain_gpus, name) != row.plain_gpus.end();
  };
  if (!gpu.whole_target) return std::ranges::any_of(gpu.names, names);
  return std::ranges::any_of(db.gpus(), [&](const GpuInfo& product) {
    return product.gfx == gpu.gfx && names(plain_name(product.name));
  });
}

bool has_guest(const PlatformRow& row, const OsName& os) {
  return std::ranges::any_of(row.guests, [&](const ListedSystem& guest) {
    return os.id == guest.os && os_version_matches(os, {guest.version_text, guest.version});
  });
}

std::string guests_of(const PlatformRow& row) {
  std::vector<std::string> names;
  for (const ListedSystem& guest : row.guests)
    names.push_back(os_display(guest.os, guest.version_text));
  return join(names, ", ");
}

std::string how(const PlatformRow& row) {
  return std::string(row.platform) +
         (row.technology.empty() ? "" : " " + std::string(row.technology)) +
         (row.host.empty() ? "" : " on " + std::string(row.host));
}

}  // namespace

Result<AskedPlatform> find_platform(std::string_view text) {
  const std::string word = lower(trim(text));
  for (const std::string_view platform : kPlatforms) {
    if (word == platform) return AskedPlatform{word, word, ""};
    for (const std::string_view technology : kTechnologies) {
      if (platform == "bare-metal" || platform == "wsl") continue;
      if (word == std::string(platform) + "-" + std::string(technology))
        return AskedPlatform{word, std::string(platform), std::string(technology)};
    }
  }
  std::vector<std::string> known(kPlatforms.begin(), kPlatforms.end());
  return malformed("--platform", "'" + std::string(text) + "' is none of " + join(known, ", ") +
                                     ", or a hypervisor with -passthrough or -sr-iov");
}

void ask_platform(const Asked& asked, Findings& found) {
  const AskedPlatform& platform = *asked.platform;
  if (platform.platform == "bare-metal") {
    found.deciding.push_back({kPlatformSubject, Support::supported,
                              "bare metal is what the tables of GPUs and systems are about",
                              "ROCm documentation, all tables in the database", asked.db.version(),
                              ""});
    return;
  }
  std::vector<const PlatformRow*> rows;
  for (const PlatformRow& row : asked.db.published().platforms()) {
    if (row.platform != platform.platform) continue;
    if (!platform.technology.empty() && row.technology != platform.technology) continue;
    if (asked.release && !row.rocm.contains(asked.release->version)) continue;
    if (asked.gpu && !speaks_of(row, *asked.gpu, asked.db)) continue;
    rows.push_back(&row);
  }
  const std::string with = (asked.gpu ? asked.gpu->called() + " in " : "") + platform.text +
                           (asked.release ? " with ROCm " + asked.release->text : "");
  const auto hit = std::ranges::find_if(
      rows, [&](const PlatformRow* row) { return !asked.os || has_guest(*row, *asked.os); });
  if (hit != rows.end()) {
    Fact fact = fact_of(
        (*hit)->origin, kPlatformSubject, Support::supported,
        with + " is listed" + (asked.os ? " for " + asked.os->display() : "") + ": " + how(**hit));
    if (!asked.os) fact.condition = "the guest is one of " + guests_of(**hit) + " (say --os)";
    found.deciding.push_back(std::move(fact));
    return;
  }
  Fact fact = unlisted(asked.db, kPlatformSubject, with + " is not listed");
  if (!rows.empty() && asked.os)
    fact.because += " for " + asked.os->display() + ", but for " + guests_of(*rows.front());
  found.deciding.push_back(std::move(fact));
}

}  // namespace rocvet::db
