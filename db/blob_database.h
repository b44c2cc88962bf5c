// The Database over a compiled blob. Internal to db/.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "db/blob.h"
#include "db/database.h"
#include "db/lazy.h"
#include "db/published.h"

namespace rocvet::db {

class BlobDatabase final : public Database {
 public:
  /// Bytes that live as long as the program.
  explicit BlobDatabase(Blob blob) : BlobDatabase({}, blob) {}
  /// Bytes of its own.
  static Result<std::shared_ptr<const BlobDatabase>> own(std::string bytes);

  const Knowledge& knowledge() const override { return knowledge_; }
  const Published& published() const { return published_; }
  const std::vector<CheckRow>& check_rows() const override { return checks_(); }
  std::string version() const override;
  const std::vector<GpuInfo>& gpus() const override;
  std::string_view gfx_of_device(std::string_view vendor_id,
                                 std::string_view device_id) const override;
  std::vector<const GpuInfo*> identify(const Gpu& gpu) const override;
  std::vector<const GpuInfo*> find(std::string_view gpu) const override;
  Result<Answer> ask(const Question& question) const override;
  std::vector<KnownIssue> known_issues(const Situation& situation,
                                       std::string_view topic = {}) const override;
  bool kernel_knows(const Situation& situation) const override;
  std::string last_rocm_for(std::string_view gfx) const override;
  std::string rocm_needed_for(std::string_view gfx, std::string_view rocm) const override;
  std::vector<std::string> sonames(std::string_view rocm) const override;
  std::vector<WheelInfo> wheels(std::string_view framework) const override;
  bool runs_code_of(std::string_view gfx, std::string_view other) const override;
  std::string_view sibling_of(std::string_view gfx) const override;
  const std::vector<LibraryPackage>& library_packages() const override {
    return published_.packages();
  }
  std::vector<FeatureFact> hardware_features(std::string_view gfx) const override;
  std::vector<FeatureFact> framework_features(std::string_view framework, std::string_view version,
                                              std::string_view rocm,
                                              std::string_view gfx) const override;

  /// "6.10.5" -> "6.3": the driver release that ships a kernel module version; "" when not known.
  std::string driver_of_module(const Version& module) const;
  /// nullopt when there is no release at all.
  std::optional<Version> newest_release() const;
  const Blob& blob() const { return blob_; }
  template <TableName kName>
  Table<kName> table() const {
    return Table<kName>(blob_);
  }

 private:
  BlobDatabase(std::string bytes, Blob blob)
      : bytes_(std::move(bytes)), blob_(blob), knowledge_(blob_), published_(blob_) {}
  std::string bytes_;
  Blob blob_;
  Knowledge knowledge_;
  Published published_;
  Lazy<std::vector<CheckRow>> checks_{blob_, read_check_rows};
  mutable std::once_flag gpus_once_;
  mutable std::vector<GpuInfo> gpus_;
  /// Of each of gpus_, its plain name and those of its aliases.
  mutable std::vector<std::vector<std::string>> plain_names_;
  mutable std::vector<std::string> plain_codenames_;
};

/// nullptr for a database that is not a blob.
inline const Published* published_of(const Database& database) {
  const auto* blob = dynamic_cast<const BlobDatabase*>(&database);
  return blob == nullptr ? nullptr : &blob->published();
}

/// A name as people write it, made comparable: lower case, no vendor, no punctuation, one space.
/// "AMD Radeon(TM) RX 7900 XTX" and "radeon rx-7900-xtx" give "radeon rx 7900 xtx".
std::string plain_name(std::string_view name);

}  // namespace rocvet::db
