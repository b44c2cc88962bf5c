#include "tests/fault_matrix/fault.h"

#include <algorithm>
#include <random>

#include "base/errno_name.h"
#include "base/text.h"

namespace rocvet {
namespace {

constexpr std::size_t kEndlessBytes = 16u << 20;
constexpr std::size_t kEndlessNames = 100'000;
// What formats/elf.cpp takes of one file: names of libraries and versions, and folders in 16 KiB.
constexpr std::size_t kElfNames = 8192, kElfFolders = 512;
constexpr std::string_view kControls("\x1b[31m\0\r\b\a\x7f\x1b]0;x\a", 16);
constexpr std::string_view kNotUtf8 = "\xff\xfe\xc0\xaf\xed\xa0\x80\xf8\x88";

struct Row {
  Fault fault;
  std::string_view name, errno_name;
};
constexpr Row kRows[] = {{Fault::eio, "eio", "EIO"},
                         {Fault::eacces, "eacces", "EACCES"},
                         {Fault::estale, "estale", "ESTALE"},
                         {Fault::blocked, "blocked", "ETIMEDOUT"},
                         {Fault::enoent, "enoent", "ENOENT"},
                         {Fault::half, "half", ""},
                         {Fault::cut, "cut", ""},
                         {Fault::empty, "empty", ""},
                         {Fault::zeros, "zeros", ""},
                         {Fault::flipped, "flipped", ""},
                         {Fault::not_utf8, "not-utf8", ""},
                         {Fault::controls, "controls", ""},
                         {Fault::endless, "endless", ""}};

const Row& row_of(Fault fault) {
  return *std::ranges::find(kRows, fault, &Row::fault);
}

/// `piece` at random places, about one in forty bytes.
std::string strewn(const std::string& text, std::string_view piece, std::mt19937_64& random) {
  std::string out;
  std::size_t next = random() % 40;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i == next) {
      out += piece;
      next += 1 + random() % 80;
    }
    out += text[i];
  }
  return out + std::string(piece);
}

std::string flipped(std::string text, std::mt19937_64& random) {
  for (std::size_t i = 0; !text.empty() && i < 1 + text.size() / 50; ++i) {
    text[random() % text.size()] ^= static_cast<char>(1 << (random() % 8));
  }
  return text;
}

/// In the middle of one of its lines.
std::string cut(const std::string& text, std::mt19937_64& random) {
  const std::size_t at = text.empty() ? 0 : random() % text.size();
  const std::size_t begin = text.rfind('\n', at) == text.npos ? 0 : text.rfind('\n', at) + 1;
  const std::size_t end = std::min(text.find('\n', begin), text.size());
  return text.substr(0, begin + (std::max(end, begin) - begin) / 2);
}

std::string endless(const std::string& text, std::size_t limit, std::mt19937_64& random) {
  std::string line = "0";
  const auto lines = split(text, '\n');
  for (std::size_t tries = 0; tries < 8 && !lines.empty(); ++tries) {
    const std::string_view chosen = lines[random() % lines.size()];
    if (!trim(chosen).empty()) line = chosen;
  }
  line += '\n';
  const std::size_t wanted = std::min(limit, kEndlessBytes);
  std::string out;
  out.reserve(wanted + line.size());
  while (out.size() < wanted) out += line;
  out.resize(wanted);
  return out;
}

/// Of a number or a list nothing is left.
template <typename T>
T spoilt_value(Fault, const T&, std::uint64_t) {
  return T{};
}
std::string spoilt_value(Fault fault, const std::string& text, std::uint64_t seed) {
  return spoilt(fault, text, seed, kEndlessBytes);
}
std::map<std::string, std::string> spoilt_value(Fault fault,
                                                std::map<std::string, std::string> variables,
                                                std::uint64_t seed) {
  if (fault == Fault::empty) return {};
  for (auto& [name, value] : variables) value = spoilt(fault, value, ++seed, 1u << 20);
  return variables;
}

/// Names like those that are there, so that a probe takes them for what it looks for.
std::vector<std::string> many(const std::vector<std::string>& names, std::size_t count) {
  std::vector<std::string> out = names;
  while (out.size() < count) {
    const std::string number = std::to_string(out.size());
    out.push_back(names.empty() ? number : names[out.size() % names.size()] + number);
  }
  return out;
}

}  // namespace

std::span<const Fault> all_faults() {
  static const std::vector<Fault> kAll = [] {
    std::vector<Fault> all;
    for (const Row& row : kRows) all.push_back(row.fault);
    return all;
  }();
  return kAll;
}

std::string_view to_string(Fault fault) {
  return row_of(fault).name;
}

bool admits_it(Fault fault) {
  return fault < Fault::enoent;
}

std::string_view errno_of(Fault fault) {
  return row_of(fault).errno_name;
}

std::string spoilt(Fault fault, const std::string& text, std::uint64_t seed, std::size_t limit) {
  std::mt19937_64 random(seed);
  std::string out = text;
  if (fault == Fault::half) out.resize(text.size() / 2);
  if (fault == Fault::cut) out = cut(text, random);
  if (fault == Fault::empty) out.clear();
  if (fault == Fault::zeros) std::ranges::fill(out, '\0');
  if (fault == Fault::flipped) out = flipped(text, random);
  if (fault == Fault::not_utf8) out = strewn(text, kNotUtf8, random);
  if (fault == Fault::controls) out = strewn(text, kControls, random);
  if (fault == Fault::endless) out = endless(text, limit, random);
  if (out.size() > limit) out.resize(limit);
  return out;
}

std::vector<std::string> spoilt(Fault fault, const std::vector<std::string>& names) {
  std::vector<std::string> out = names;
  if (fault == Fault::empty) out.clear();
  if (fault == Fault::half) out.resize(names.size() / 2);
  if (fault == Fault::endless) out = many(names, kEndlessNames);
  std::ranges::sort(out);
  return out;
}

ElfSummary spoilt(Fault fault, const ElfSummary& elf, std::uint64_t seed) {
  if (fault == Fault::empty || fault == Fault::zeros) return {};
  ElfSummary out = elf;
  if (fault == Fault::endless) {
    for (auto* names : {&out.needed, &out.gfx, &out.needs_versions, &out.defines_versions})
      *names = many(*names, kElfNames);
    for (auto* folders : {&out.rpath, &out.runpath}) *folders = many(*folders, kElfFolders);
    return out;
  }
  for (auto* names : {&out.needed, &out.rpath, &out.runpath, &out.gfx, &out.needs_versions,
                      &out.defines_versions}) {
    if (fault == Fault::half || fault == Fault::cut) names->resize(names->size() / 2);
    if (fault != Fault::flipped && fault != Fault::not_utf8 && fault != Fault::controls) continue;
    for (std::string& name : *names) name = spoilt(fault, name, ++seed, 4096);
  }
  return out;
}

std::vector<std::string> process_fields() {
  return {"uid",    "gid",     "user",         "groups",      "uid_map", "gid_map",
          "cgroup", "seccomp", "capabilities", "environment", "limits"};
}

ProcessFacts spoilt(Fault fault, ProcessFacts facts, std::string_view field, std::uint64_t seed) {
  const auto change = [&](std::string_view name, auto& fact) {
    if (name != field) return;
    if (!errno_of(fault).empty()) {
      fact = errno_error("process " + std::string(field), errno_of(fault));
    } else if (fact) {
      fact = spoilt_value(fault, *fact, seed);
    }
  };
  change("uid", facts.uid);
  change("gid", facts.gid);
  change("user", facts.user);
  change("groups", facts.groups);
  change("uid_map", facts.uid_map);
  change("gid_map", facts.gid_map);
  change("cgroup", facts.cgroup);
  change("seccomp", facts.seccomp);
  change("capabilities", facts.capabilities);
  change("environment", facts.environment);
  change("limits", facts.limits);
  return facts;
}

}  // namespace rocvet
