#include "db/version.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace rocvet {
namespace {

/// How long text() would be, without making it.
std::size_t written_size(const Version& version) {
  std::size_t size = version.parts.size() - 1;
  for (int part : version.parts) {
    do ++size;
    while ((part /= 10) != 0);
  }
  return size;
}

}  // namespace

Result<Version> Version::parse(std::string_view text) {
  Version version;
  version.parts.reserve(4);
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  while (at != end) {
    int part = 0;
    const auto [next, problem] = std::from_chars(at, end, part);
    if (problem != std::errc{} || part < 0) break;
    version.parts.push_back(part);
    at = next;
    if (at == end || *at != '.') break;
    ++at;
  }
  if (version.parts.empty()) {
    return malformed("version", "'" + std::string(text) + "' does not begin with a number");
  }
  return version;
}

std::string Version::text() const {
  std::string out;
  for (const int part : parts) out += (out.empty() ? "" : ".") + std::to_string(part);
  return out;
}

std::weak_ordering Version::operator<=>(const Version& other) const {
  const std::size_t count = std::max(parts.size(), other.parts.size());
  for (std::size_t i = 0; i < count; ++i) {
    const int mine = i < parts.size() ? parts[i] : 0;
    const int theirs = i < other.parts.size() ? other.parts[i] : 0;
    if (mine != theirs) return mine <=> theirs;
  }
  return std::weak_ordering::equivalent;
}

Version Version::series() const {
  return {{parts.begin(), parts.begin() + std::min<std::ptrdiff_t>(2, std::ssize(parts))}};
}

bool Version::starts_with(const Version& prefix) const {
  return parts.size() >= prefix.parts.size() &&
         std::equal(prefix.parts.begin(), prefix.parts.end(), parts.begin());
}

Result<VersionRange> VersionRange::parse(std::string_view text) {
  VersionRange range;
  range.text_ = text;
  range.bounds_.reserve(2);
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    std::string_view term = trim(text.substr(0, comma));
    text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
    if (term == "*") continue;
    Bound bound{Bound::Op::series, {}};
    if (term.starts_with(">="))
      bound.op = Bound::Op::ge;
    else if (term.starts_with("<="))
      bound.op = Bound::Op::le;
    else if (term.starts_with(">"))
      bound.op = Bound::Op::gt;
    else if (term.starts_with("<"))
      bound.op = Bound::Op::lt;
    else if (term.starts_with("="))
      bound.op = Bound::Op::eq;
    term.remove_prefix(std::min(term.find_first_not_of("<>= "), term.size()));
    if (bound.op == Bound::Op::series && term.ends_with(".x")) term.remove_suffix(2);
    auto version = Version::parse(term);
    if (!version || written_size(*version) != term.size()) {
      return malformed("version range",
                       "'" + range.text_ + "' has no meaning at '" + std::string(term) + "'");
    }
    bound.version = std::move(*version);
    range.bounds_.push_back(std::move(bound));
  }
  return range;
}

VersionRange VersionRange::none() {
  VersionRange range;
  range.bounds_.push_back({Bound::Op::eq, Version{{-1}}});  // no version has a part below 0
  return range;
}

const Version* VersionRange::lowest() const {
  using Op = Bound::Op;
  const auto found = std::find_if(bounds_.begin(), bounds_.end(), [](const Bound& bound) {
    return bound.op != Op::lt && bound.op != Op::le;
  });
  return found == bounds_.end() ? nullptr : &found->version;
}

const Version* VersionRange::highest() const {
  using Op = Bound::Op;
  const auto found = std::find_if(bounds_.begin(), bounds_.end(), [](const Bound& bound) {
    return bound.op != Op::gt && bound.op != Op::ge;
  });
  return found == bounds_.end() ? nullptr : &found->version;
}

bool VersionRange::is_within_one_series() const {
  if (!is_bounded()) return false;
  const std::vector<int>&low = lowest()->parts, &high = highest()->parts;
  return low.size() >= 2 && high.size() >= 2 &&
         std::equal(low.begin(), low.begin() + 2, high.begin());
}

bool VersionRange::contains(const Version& version) const {
  return std::all_of(bounds_.begin(), bounds_.end(), [&](const Bound& bound) {
    switch (bound.op) {
      case Bound::Op::ge:
        return version >= bound.version;
      case Bound::Op::gt:
        return version > bound.version;
      case Bound::Op::le:
        return version <= bound.version;
      case Bound::Op::lt:
        return version < bound.version;
      case Bound::Op::eq:
        return version == bound.version;
      case Bound::Op::series:
        return version.starts_with(bound.version);
    }
    return false;
  });
}

}  // namespace rocvet
