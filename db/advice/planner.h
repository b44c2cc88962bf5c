// Makes an Advice, part by part. Internal to db/.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "db/advise.h"
#include "db/blob_database.h"
#include "db/names.h"

namespace rocvet::db {

struct Planner {
  const BlobDatabase& db;
  AdviceRequest request;
  std::string gfx;
  std::optional<OsName> os;
  Advice advice;
  /// Where the GPU runs a neighbour's code: the neighbour, and HSA_OVERRIDE_GFX_VERSION for it.
  std::string code_of, override_value;
  std::string newer_says;                ///< why the newest release is not the one that is chosen
  std::string environment = "rocm-env";  ///< the folder of a Python environment

  /// Finds the releases: newest, nearest, elsewhere, unofficial.
  void choose();
  /// Steps and notes for a release; `official`: it lists the GPU on this system.
  void plan(const Version& rocm, bool official);
  /// What an installed release needs, which stays.
  void keep(const Version& rocm);
  /// Of a GPU that no release lists.
  void unofficial_notes();
  /// Of a GPU that no ROCm works on: what does without.
  void without_rocm();

  /// An environment for Python packages, as the system makes one.
  std::vector<Step> environment_commands() const;
  /// The commands of the install table, or nothing when it does not speak of the system. Commands
  /// with a repository that no page of AMD's names for the release are not given: the page is.
  std::optional<AdviceStep> install_step(std::string_view what, const Version& rocm,
                                         std::string title, std::string why) const;

 private:
  /// About the GPU where it is to run.
  Question question(const std::string& rocm) const;
  bool carries_framework(const Version& rocm) const;
  void passed_over(const std::string& because);
  std::vector<std::pair<std::string_view, std::string>> gaps(const Version& rocm) const;
  std::string filled(std::string_view pattern, const Version& rocm) const;
  Step command(std::string_view item, const Version& rocm) const;
  bool speaks_of_os(const Texts& ids) const;
  bool named(std::string_view url, std::string_view what, const Version& rocm) const;

  void kernel_and_driver(const Version& rocm);
  void driver_of_windows();
  void on_windows();
  void rocm_itself(const Version& rocm, bool official);
  void group_step();
  void last_steps(const Version& rocm);

  // frameworks.cpp
  void framework(const Version& rocm);
  void wheel_step(const std::string& name, const Version& rocm);
  void container_step(const std::string& name, const Version& rocm);
  bool has_code(const WheelRow& row) const;
  bool has_code(const ContainerRow& row) const;
  bool starts_here(const WheelRow& row) const;
};

/// "6.2" of 6.2.0: as repositories name releases.
std::string without_zero(const Version& version);

}  // namespace rocvet::db
