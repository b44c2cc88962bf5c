#include "db/wheel_rules.h"

namespace rocvet::db {

bool is_released(const WheelRow& row) {
  for (const char* channel : {"/test/", "/nightly/", "prereleases", "staging"}) {
    if (row.index.find(channel) != std::string_view::npos) return false;
  }
  return row.origin.basis.empty() || row.origin.basis == "inferred";
}

bool can_be_installed(const WheelRow& row) {
  return !row.install.empty() ||
         (row.framework == "pytorch" && row.index.starts_with("https://download.pytorch.org/whl/"));
}

bool brings_rocm(std::string_view framework) {
  return framework == "pytorch" || framework == "vllm" || framework == "bitsandbytes";
}

WheelInfo wheel_info(const WheelRow& row) {
  return {std::string(row.framework),
          row.version.text(),
          std::string(row.rocm),
          std::string(row.index),
          {row.gfx.begin(), row.gfx.end()},
          {row.python.begin(), row.python.end()},
          std::string(row.install),
          std::string(row.origin.source),
          is_released(row),
          can_be_installed(row),
          brings_rocm(row.framework)};
}

}  // namespace rocvet::db
