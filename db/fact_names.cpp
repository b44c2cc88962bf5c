#include "db/fact_names.h"

#include <algorithm>

#include "base/text.h"
#include "db/schema_tables.h"
#include "machine/read_kernel.h"

namespace rocvet {
namespace {

struct Kind {
  std::string_view prefix;
  FactKind kind;
  FactType type;
};
constexpr Kind kKinds[] = {
    {"variable", FactKind::variable, FactType::text},
    {"variable-number", FactKind::variable_number, FactType::number},
    {"option", FactKind::option, FactType::number},
    {"argument", FactKind::argument, FactType::text},
    {"sysctl", FactKind::sysctl, FactType::number},
    {"setting", FactKind::setting, FactType::text},
    {"cards", FactKind::cards, FactType::odd},
    {"kernel-log", FactKind::kernel_log, FactType::events},
};

const Kind* kind_of(std::string_view text) {
  const std::string_view prefix = text.substr(0, text.find('.'));
  const auto found = std::find_if(std::begin(kKinds), std::end(kKinds),
                                  [&](const Kind& kind) { return kind.prefix == prefix; });
  return found == std::end(kKinds) || prefix.size() == text.size() ? nullptr : found;
}

/// The names that a kind has; empty where any name will do.
std::vector<std::string_view> names_of(FactKind kind) {
  switch (kind) {
    case FactKind::sysctl:
      return sysctl_names();
    case FactKind::setting: {
      auto names = kernel_setting_names();
      names.push_back("transparent hugepages");
      return names;
    }
    case FactKind::cards:
      return {"compute-partition", "compute-units", "firmware", "memory", "memory-partition"};
    case FactKind::kernel_log:
      return words(db::schema::kTopics);
    default:
      return {};
  }
}

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.';
  });
}

}  // namespace

std::optional<FactName> parse_fact_name(std::string_view text) {
  const Kind* kind = kind_of(text);
  if (kind == nullptr) return std::nullopt;
  const std::string_view name = text.substr(kind->prefix.size() + 1);
  const auto names = names_of(kind->kind);
  const bool known =
      names.empty() ? is_name(name) : std::find(names.begin(), names.end(), name) != names.end();
  return known ? std::optional<FactName>({kind->kind, kind->type, name}) : std::nullopt;
}

std::vector<std::string> fact_names_like(std::string_view text) {
  std::vector<std::string> like;
  if (const Kind* kind = kind_of(text)) {
    for (const std::string_view name : names_of(kind->kind))
      like.push_back(std::string(kind->prefix) + "." + std::string(name));
    return like;
  }
  const std::size_t dot = text.find('.');
  const std::string rest(dot == text.npos ? ".NAME" : text.substr(dot));
  for (const Kind& kind : kKinds) like.push_back(std::string(kind.prefix) + rest);
  return like;
}

}  // namespace rocvet
