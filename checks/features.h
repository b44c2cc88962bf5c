// What each kind of GPU here can do for AI work, by its hardware and by the software installed:
// bf16, fp8, flash attention, 4-bit quantisation … Joined from db/features.toml, db/feature_in.toml
// and the code objects that the libraries really hold.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "db/database.h"
#include "machine/machine.h"

namespace rocvet {

/// slow: it works, emulated or by a slower way. unknown is never supported.
enum class FeatureVerdict { supported, slow, unsupported, unknown };
std::string_view to_string(FeatureVerdict verdict);

struct FeatureAnswer {
  FeatureVerdict verdict = FeatureVerdict::unknown;
  std::string because;
  std::string condition;  ///< "set NAME=VALUE": what would make it supported; "" when nothing
  std::string source;     ///< "" where the files of this machine are the source
};

/// One piece of software that provides the feature, or would.
struct FeatureUse {
  std::string software, place;  ///< "torch 2.9.1+rocm6.4", "/home/a/venv"
  FeatureAnswer answer;
};

struct FeatureRow {
  /// "bf16", "fp16", "fp8", "fp4-fp6", "int8", "flash-attention", "4-bit", "prequantised",
  /// "torch-compile"
  std::string feature;
  std::string format;    ///< of fp8: "FNUZ" or "OCP"; of fp4-fp6: "OCP MX"
  FeatureAnswer answer;  ///< the best that the software here makes of the hardware
  std::vector<FeatureUse> software;
};

struct GpuFeatures {
  std::string gfx;
  std::vector<int> gpus;  ///< indices into Machine::gpus as reported
  std::vector<FeatureRow> rows;
};

/// A table for each gfx target present; GPUs whose target is not known have none.
std::vector<GpuFeatures> judge_features(const Machine& machine, const Database& database);

/// Whether the folder of kernels "gfx11xx" or "gfx120x" is meant for a target: x is any digit.
bool kernel_folder_fits(std::string_view folder, std::string_view gfx);

}  // namespace rocvet
