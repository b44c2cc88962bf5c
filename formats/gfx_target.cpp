#include "formats/gfx_target.h"

#include <algorithm>
#include <cctype>

namespace rocvet {
namespace {

struct Mach {
  std::uint32_t value;
  std::string_view name;
};

// EF_AMDGPU_MACH_AMDGCN_* of LLVM 22, with gfx940 and gfx941, which LLVM 20 dropped.
constexpr Mach kMachs[] = {
    {0x20, "gfx600"},          {0x21, "gfx601"},        {0x22, "gfx700"},
    {0x23, "gfx701"},          {0x24, "gfx702"},        {0x25, "gfx703"},
    {0x26, "gfx704"},          {0x28, "gfx801"},        {0x29, "gfx802"},
    {0x2a, "gfx803"},          {0x2b, "gfx810"},        {0x2c, "gfx900"},
    {0x2d, "gfx902"},          {0x2e, "gfx904"},        {0x2f, "gfx906"},
    {0x30, "gfx908"},          {0x31, "gfx909"},        {0x32, "gfx90c"},
    {0x33, "gfx1010"},         {0x34, "gfx1011"},       {0x35, "gfx1012"},
    {0x36, "gfx1030"},         {0x37, "gfx1031"},       {0x38, "gfx1032"},
    {0x39, "gfx1033"},         {0x3a, "gfx602"},        {0x3b, "gfx705"},
    {0x3c, "gfx805"},          {0x3d, "gfx1035"},       {0x3e, "gfx1034"},
    {0x3f, "gfx90a"},          {0x40, "gfx940"},        {0x41, "gfx1100"},
    {0x42, "gfx1013"},         {0x43, "gfx1150"},       {0x44, "gfx1103"},
    {0x45, "gfx1036"},         {0x46, "gfx1101"},       {0x47, "gfx1102"},
    {0x48, "gfx1200"},         {0x49, "gfx1250"},       {0x4a, "gfx1151"},
    {0x4b, "gfx941"},          {0x4c, "gfx942"},        {0x4e, "gfx1201"},
    {0x4f, "gfx950"},          {0x51, "gfx9-generic"},  {0x52, "gfx10-1-generic"},
    {0x53, "gfx10-3-generic"}, {0x54, "gfx11-generic"}, {0x55, "gfx1152"},
    {0x58, "gfx1153"},         {0x59, "gfx12-generic"}, {0x5a, "gfx1251"},
    {0x5f, "gfx9-4-generic"},
};

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

/// Length of "gfx" + at least one digit + letters and digits at the start of the text, 0 for none.
std::size_t plain_target_length(std::string_view text) {
  if (!text.starts_with("gfx")) return 0;
  std::size_t end = 3;
  while (end < text.size() && is_word(text[end])) ++end;
  return end > 3 && end <= 12 && std::isdigit(static_cast<unsigned char>(text[3])) ? end : 0;
}

}  // namespace

std::string gfx_of_elf_flags(std::uint32_t flags, std::uint8_t abi_version) {
  const auto found = std::find_if(std::begin(kMachs), std::end(kMachs),
                                  [&](const Mach& mach) { return mach.value == (flags & 0xff); });
  if (found == std::end(kMachs)) return "";
  std::string target(found->name);
  if (abi_version >= 2) {  // version 4 on: two bits each: unsupported, any, off, on
    const auto feature = [&](std::string_view name, std::uint32_t bits) {
      if (bits == 2) target += ":" + std::string(name) + "-";
      if (bits == 3) target += ":" + std::string(name) + "+";
    };
    feature("sramecc", flags >> 10 & 3);
    feature("xnack", flags >> 8 & 3);
  } else if (abi_version == 1) {  // version 3: on, or nothing said
    if ((flags & 0x200) != 0) target += ":sramecc+";
    if ((flags & 0x100) != 0) target += ":xnack+";
  }
  return target;
}

std::string_view gfx_without_features(std::string_view target) {
  return target.substr(0, target.find(':'));
}

bool is_gfx_target(std::string_view text) {
  std::string_view name = gfx_without_features(text);
  std::string_view features = text.substr(name.size());
  if (name.size() < 4 || name.size() > 24 || !name.starts_with("gfx")) return false;
  if (!std::isdigit(static_cast<unsigned char>(name[3]))) return false;
  if (!std::all_of(name.begin(), name.end(), [](char c) { return is_word(c) || c == '-'; })) {
    return false;
  }
  while (!features.empty()) {
    features.remove_prefix(1);
    const std::string_view one = features.substr(0, features.find(':'));
    if (one != "xnack+" && one != "xnack-" && one != "sramecc+" && one != "sramecc-") return false;
    features.remove_prefix(one.size());
  }
  return true;
}

std::string gfx_of_bundle_id(std::string_view id) {
  if (id.starts_with("host-")) return "";
  if (id.find("amdgcnspirv") != std::string_view::npos) return "amdgcnspirv";
  const std::size_t arch = id.find("amdgcn");
  if (arch == std::string_view::npos) return "";
  // "amdgcn-amd-amdhsa--gfx906"; compilers before clang 13 wrote one dash, and older yet "+xnack".
  const std::size_t at = id.find("-gfx", arch);
  if (at == std::string_view::npos) return "";
  std::string target(id.substr(at + 1));
  const std::size_t plus = target.find('+');
  if (plus != std::string::npos && target.find(':') == std::string::npos) {
    // "gfx906+sram-ecc+xnack" of ROCm 3: features that are on
    std::string spelled = target.substr(0, plus);
    if (target.find("sram-ecc", plus) != std::string::npos) spelled += ":sramecc+";
    if (target.find("xnack", plus) != std::string::npos) spelled += ":xnack+";
    target = spelled;
  }
  return is_gfx_target(target) ? target : "";
}

std::string gfx_of_file_name(std::string_view name) {
  for (std::size_t at = name.find("gfx"); at != std::string_view::npos;
       at = name.find("gfx", at + 3)) {
    if (at > 0 && is_word(name[at - 1])) continue;
    const std::string_view rest = name.substr(at);
    std::size_t length = plain_target_length(rest);
    if (length == 0) continue;
    std::string target(rest.substr(0, length));
    std::string_view behind = rest.substr(length);
    const std::size_t generic = behind.find("-generic");
    if (generic != std::string_view::npos && generic <= 2) {  // gfx11-generic, gfx10-3-generic
      target += behind.substr(0, generic + 8);
      behind.remove_prefix(generic + 8);
    }
    for (const std::string_view feature : {"sramecc+", "sramecc-", "xnack+", "xnack-"}) {
      if (behind.size() > feature.size() &&
          (behind[0] == '-' || behind[0] == ':' || behind[0] == '_') &&
          behind.substr(1).starts_with(feature)) {
        target += ":" + std::string(feature);
        behind.remove_prefix(feature.size() + 1);
      }
    }
    return target;
  }
  return "";
}

std::string gfx_of_miopen_file(std::string_view name) {
  const std::size_t length = plain_target_length(name);
  if (length == 0) return "";
  const std::string_view word = name.substr(0, length);
  std::string_view best;
  for (const Mach& mach : kMachs) {
    if (word.starts_with(mach.name) && mach.name.size() > best.size()) best = mach.name;
  }
  return std::string(best.empty() ? word : best);
}

}  // namespace rocvet
