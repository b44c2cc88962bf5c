#include "source/plausible.h"

#include <algorithm>

#include "base/text.h"

namespace rocvet {
namespace {

Error beyond(std::string_view path, std::size_t most, std::string_view what) {
  return {Error::Kind::failed, std::string(path),
          "more than " + std::to_string(most) + " " + std::string(what)};
}

bool is_any(std::string_view path, std::initializer_list<std::string_view> patterns) {
  return std::ranges::any_of(patterns,
                             [&](std::string_view pattern) { return glob_match(pattern, path); });
}

}  // namespace

Result<std::string> plausible_text(std::string_view path, Result<std::string> text) {
  constexpr std::size_t kMost = 64u << 10;
  if (!text || text->size() <= kMost) return text;
  if (!is_any(path, {"/proc/sys/*", "/proc/cmdline", "/proc/version"})) return text;
  return beyond(path, kMost, "bytes");
}

Result<std::vector<std::string>> plausible_names(std::string_view path,
                                                 Result<std::vector<std::string>> names) {
  constexpr std::size_t kMost = 8192;
  if (!names || names->size() <= kMost) return names;
  if (!is_any(path, {"/sys/*", "/dev/*", "/lib/modules*", "/opt", "/opt/*/bin", "/opt/spack/*"}))
    return names;
  return beyond(path, kMost, "names");
}

Result<ElfSummary> plausible_elf(std::string_view path, Result<ElfSummary> elf) {
  constexpr std::size_t kMostNames = 512, kMostFolders = 64, kMostVersions = 4096;
  if (!elf) return elf;
  if (elf->needed.size() > kMostNames) return beyond(path, kMostNames, "needed libraries");
  if (elf->gfx.size() > kMostNames) return beyond(path, kMostNames, "targets");
  for (const auto* folders : {&elf->rpath, &elf->runpath}) {
    if (folders->size() > kMostFolders) return beyond(path, kMostFolders, "folders to look in");
  }
  for (const auto* versions : {&elf->needs_versions, &elf->defines_versions}) {
    if (versions->size() > kMostVersions) return beyond(path, kMostVersions, "versions");
  }
  return elf;
}

}  // namespace rocvet
