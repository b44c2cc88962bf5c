// TOML: the limits are looked at before the library sees the text, errors have a place, and the
// small files of a snapshot are read from whatever it holds.
#include <string>

#include "base/text.h"
#include "base/toml.h"
#include "base/toml_limits.h"
#include "fuzz/target.h"
#include "source/snapshot_facts.h"

using namespace rocvet;

namespace {

std::size_t depth_of(const TomlNode& node) {
  std::size_t deepest = 0;
  for (const TomlNode& item : node.items) deepest = std::max(deepest, depth_of(item) + 1);
  for (const TomlMember& member : node.members)
    deepest = std::max(deepest, depth_of(member.second) + 1);
  return deepest;
}

}  // namespace

FUZZ_TARGET(toml) {
  const TomlLimits few{.bytes = 1 << 16, .depth = 4};
  fuzz::use(toml_excess(bytes, few));
  const auto parsed = parse_toml(bytes, "x.toml");
  if (!parsed) {
    const auto parts = split(parsed.error().where, ':');
    fuzz::must(parts.size() == 3 && parse_number(parts[1]) && parse_number(parts[2]),
               "a mistake has a place");
  } else {
    // An array of tables is a level of the tree that no header counts.
    fuzz::must(depth_of(*parsed) <= 2 * 64, "the limit of depth holds");
    if (!toml_excess(bytes, few))
      fuzz::must(depth_of(*parsed) <= 2 * few.depth, "a smaller limit holds too");
  }

  fuzz::use(parse_about(bytes, "about.toml"));
  if (const auto facts = parse_process(bytes, "process.toml")) {
    const std::string written = write_process(*facts);
    const auto again = parse_process(written, "process.toml");
    fuzz::must(again.has_value(), "what we write of a process we read");
    fuzz::must_equal(write_process(*again), written, "and write alike");
  }
  const auto quoted = parse_toml("x = " + toml_quoted(std::string(bytes)), "x.toml");
  fuzz::must(quoted.has_value(), "a quoted text is TOML");
  // Of bytes that are no UTF-8 it holds a stand-in, as TOML could not hold them.
  const std::string text = quoted->string_or("x");
  if (text.find("\uFFFD") == text.npos) fuzz::must_equal(text, bytes, "and reads as it was");
}
