#include "checks/logs/loader_words.h"

#include <algorithm>

#include "base/add_once.h"
#include "base/path_walk.h"
#include "base/text.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

/// What a path may not have here: programs put names between quotes and brackets.
constexpr std::string_view kEnds = " \t'\"`(),;<>[]{}=";

/// The word that ends at `end`.
std::string_view word_before(std::string_view line, std::size_t end) {
  const std::size_t last = end == 0 ? line.npos : line.find_last_of(kEnds, end - 1);
  return line.substr(last == line.npos ? 0 : last + 1, end - (last == line.npos ? 0 : last + 1));
}

/// "libfoo.so.1" of "/opt/rocm/lib/libfoo.so.1" or "dlerror:libfoo.so.1"; "" when it is no library.
std::string_view library_of(std::string_view word) {
  const std::string_view name = base_name(word);
  const std::size_t at = name.rfind(':') == name.npos ? 0 : name.rfind(':') + 1;
  const std::string_view bare = name.substr(at);
  return bare.starts_with("lib") && bare.find(".so") != bare.npos ? bare : std::string_view();
}

/// The word at the beginning of `text`.
std::string_view first_word(std::string_view text) {
  return text.substr(0, text.find_first_of(kEnds));
}

bool is_opening(std::string_view text) {
  constexpr std::string_view kVerbs[] = {"open", "load", "dlopen", "find", "locate", "import"};
  return std::ranges::any_of(kVerbs, [&](std::string_view verb) { return text.starts_with(verb); });
}

/// A library of ROCm of which a program says in words of its own that it could not open it:
/// "Couldn't open CUDA library libhiprng.so", "Failed to load librocm_smi64.so"; "" otherwise.
std::string_view library_that_failed(std::string_view line) {
  constexpr std::string_view kOfRocm[] = {"libroc", "libhip",    "libamd",  "libhsa",
                                          "libMIO", "libmcwamp", "librccl", "libmigraphx"};
  // RCCL tells so of each plugin that it goes on without.
  if (line.find(".so") == line.npos || line.find(" INFO ") != line.npos) return {};
  // It was opened, and what it needs is of another release.
  if (line.find(": version `") != line.npos) return {};
  const std::string small = lower(line);
  std::size_t at = small.npos;
  for (const std::string_view no : {"could not ", "couldn't ", "cannot ", "can't ", "failed to ",
                                    "unable to ", "failure to ", "error while ", "error "}) {
    for (std::size_t from = small.find(no); from < at; from = small.find(no, from + 1)) {
      if (is_opening(std::string_view(small).substr(from + no.size()))) at = from;
    }
  }
  if (at == small.npos) at = small.find("missing shared library ");
  if (at == small.npos) return {};
  for (std::size_t from = line.find("lib", at); from != line.npos;
       from = line.find("lib", from + 1)) {
    const std::string_view name = library_of(word_before(line, line.find_first_of(kEnds, from)));
    if (std::ranges::any_of(kOfRocm, [&](std::string_view one) { return name.starts_with(one); }))
      return name.ends_with('.') ? name.substr(0, name.size() - 1) : name;
  }
  return {};
}

}  // namespace

std::vector<std::string> libraries_not_opened(const Context& context) {
  constexpr std::size_t kMost = 100;  // each is looked for in the log and on the machine
  constexpr std::string_view kMark = ": cannot open shared object file";
  constexpr std::string_view kOfLdd = " => not found", kOfLd = ", needed by ";
  constexpr std::string_view kLoading = "Loading '";  // roctracer
  std::vector<std::string> names;
  each_line(spoken(context), [&](std::string_view line) {
    if (names.size() >= kMost) return;
    std::vector<std::string_view> here;
    for (std::size_t at = line.find(kMark); at != line.npos; at = line.find(kMark, at + 1)) {
      // People cut the message short.
      if (!line.substr(at + kMark.size()).starts_with(": Permission denied"))
        here.push_back(word_before(line, at));
    }
    if (const std::size_t at = line.find(kOfLdd); at != line.npos)
      here.push_back(word_before(line, at));
    // ld: "warning: libamdhip64.so.7, needed by libfoo.so, not found"
    if (const std::size_t at = line.find(kOfLd);
        at != line.npos && line.find(", not found", at) != line.npos)
      here.push_back(word_before(line, at));
    if (const std::size_t at = line.find(kLoading); at != line.npos) {
      const std::string_view name = first_word(line.substr(at + kLoading.size()));
      if (line.substr(at + kLoading.size() + name.size()).starts_with("' failed"))
        here.push_back(name);
    }
    if (here.empty()) {
      const std::string_view name = library_that_failed(line);
      if (name.empty()) return;
      here.push_back(name);
    }
    // RCCL says so of each network plugin that it could do with, and goes on without.
    const ErrorText* known = context.db.knowledge().program_text("", line);
    if (known != nullptr && known->asks.empty()) return;
    for (const std::string_view word : here) {
      if (const std::string_view name = library_of(word); !name.empty())
        add_once(names, std::string(name));
    }
  });
  return names;
}

std::string program_without(const Context& context, std::string_view library) {
  const std::string mark = ": error while loading shared libraries: " + std::string(library) + ":";
  std::string program;
  each_line(spoken(context), [&](std::string_view line) {
    const std::size_t at = line.find(mark);
    if (at != line.npos && program.empty()) program = word_before(line, at);
  });
  return program;
}

std::vector<VersionNotFound> versions_not_found(const Context& context) {
  constexpr std::string_view kMark = ": version `", kEnd = "' not found", kBy = " (required by ";
  std::vector<VersionNotFound> all;
  each_line(spoken(context), [&](std::string_view line) {
    const std::size_t at = line.find(kMark);
    const std::size_t end = at == line.npos ? at : line.find(kEnd, at);
    if (end == line.npos) return;
    const std::string_view version = line.substr(at + kMark.size(), end - at - kMark.size());
    // People cut the message short.
    const std::string_view rest = line.substr(end + kEnd.size());
    if (!rest.starts_with(kBy) && !trim(rest).empty()) return;
    const std::string_view by = rest.starts_with(kBy) ? first_word(rest.substr(kBy.size())) : "";
    all.push_back({std::string(word_before(line, at)), std::string(version), std::string(by)});
  });
  return all;
}

std::vector<std::string> rocr_functions_not_found(const Context& context) {
  std::vector<std::string> names;
  each_line(spoken(context), [&](std::string_view line) {
    // GNU ld puts the name between ` and ', lld behind a colon.
    for (const std::string_view mark :
         {"undefined reference to `", "undefined symbol: ", "undefined reference to '",
          "undefined reference: ", "--no-allow-shlib-undefined: "}) {
      const std::size_t at = line.find(mark);
      if (at == line.npos) continue;
      const std::string_view name = first_word(line.substr(at + mark.size()));
      if (name.starts_with("hsa_")) add_once(names, std::string(name.substr(0, name.find('@'))));
    }
  });
  return names;
}

}  // namespace rocvet
