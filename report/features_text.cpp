// What each GPU can do, for a person: a table in `scan`, a line in `check`.
#include "base/text.h"
#include "report/layout.h"
#include "report/padded.h"

namespace rocvet {
namespace {

std::string gpu_list(const GpuFeatures& features) {
  std::string out;
  for (std::size_t i = 0; i < features.gpus.size() && i < 4; ++i)
    out += (i ? ", " : "") + std::to_string(features.gpus[i]);
  if (features.gpus.size() > 4) out += " … " + std::to_string(features.gpus.back());
  return out;
}

}  // namespace

std::string feature_name(const FeatureRow& row) {
  return row.feature + (row.format.empty() ? "" : " (" + row.format + ")");
}

std::string feature_reason(const FeatureAnswer& answer) {
  return answer.because + (answer.condition.empty() ? "" : "; to have it: " + answer.condition);
}

std::string features_text(const std::vector<GpuFeatures>& features) {
  std::string out;
  for (const GpuFeatures& each : features) {
    out += "Features of " + each.gfx + " (GPU " + gpu_list(each) + ")\n";
    for (const FeatureRow& row : each.rows) {
      out += "  " + padded(feature_name(row), 18) +
             padded(std::string(to_string(row.answer.verdict)), 13) + feature_reason(row.answer) +
             "\n";
    }
  }
  return out;
}

std::string features_line(const GpuFeatures& features) {
  std::vector<std::string> parts;
  for (const FeatureVerdict verdict : {FeatureVerdict::supported, FeatureVerdict::slow,
                                       FeatureVerdict::unsupported, FeatureVerdict::unknown}) {
    std::vector<std::string> names;
    for (const FeatureRow& row : features.rows) {
      if (row.answer.verdict == verdict) names.push_back(feature_name(row));
    }
    if (!names.empty()) parts.push_back(std::string(to_string(verdict)) + " " + join(names, ", "));
  }
  return features.gfx + ": " + join(parts, " · ");
}

}  // namespace rocvet
