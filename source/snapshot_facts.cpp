#include "source/snapshot_facts.h"

#include <charconv>
#include <sstream>

#include "base/json.h"
#include "base/text.h"
#include "base/toml.h"

namespace rocvet {
namespace {

std::string position(const TomlNode& node, const std::string& where) {
  return where + ":" + std::to_string(node.line) + ":" + std::to_string(node.column);
}

std::optional<std::uint32_t> id_in(const TomlNode& node) {
  if (node.kind != TomlNode::Kind::integer || node.integer < 0 || node.integer > UINT32_MAX) {
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(node.integer);
}

/// Notes the first problem of all; a key that is not there stays "not captured".
class FactsReader {
 public:
  FactsReader(const TomlNode& table, const std::string& where) : table_(table), where_(where) {}

  void text(std::string_view key, Result<std::string>& out) {
    const TomlNode* node = find(key, out);
    if (node == nullptr) return;
    if (node->kind == TomlNode::Kind::string) {
      out = node->text;
    } else {
      complain(*node, std::string(key) + " is not a string");
    }
  }

  void id(std::string_view key, Result<std::uint32_t>& out) {
    const TomlNode* node = find(key, out);
    if (node == nullptr) return;
    if (const auto value = id_in(*node)) {
      out = *value;
    } else {
      complain(*node, std::string(key) + " is not an id");
    }
  }

  const TomlNode* table(std::string_view key) {
    const TomlNode* node = table_.find(key);
    if (node == nullptr || node->kind == TomlNode::Kind::table) return node;
    complain(*node, std::string(key) + " is not a table");
    return nullptr;
  }

  void complain(const TomlNode& node, std::string what) {
    if (!problem_) problem_ = malformed(position(node, where_), std::move(what));
  }
  const std::optional<Error>& problem() const { return problem_; }

 private:
  template <typename T>
  const TomlNode* find(std::string_view key, Result<T>& out) {
    const TomlNode* node = table_.find(key);
    if (node == nullptr) out = not_captured(where_ + ": " + std::string(key));
    return node;
  }

  const TomlNode& table_;
  const std::string& where_;
  std::optional<Error> problem_;
};

std::optional<std::uint64_t> limit_of(const TomlNode& node) {
  if (node.kind == TomlNode::Kind::integer && node.integer >= 0) {
    return static_cast<std::uint64_t>(node.integer);
  }
  if (node.kind == TomlNode::Kind::string && node.text == "unlimited") return UINT64_MAX;
  return std::nullopt;
}

void read_groups(const TomlNode& list, FactsReader& reader, ProcessFacts& facts) {
  std::vector<std::uint32_t> groups;
  bool good = list.kind == TomlNode::Kind::array;
  for (const TomlNode& element : list.items) {
    const auto id = id_in(element);
    good = good && id.has_value();
    groups.push_back(id.value_or(0));
  }
  if (good) {
    facts.groups = std::move(groups);
  } else {
    reader.complain(list, "groups is not a list of ids");
  }
}

void read_limits(const TomlNode& table, FactsReader& reader, ProcessFacts& facts) {
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> limits;
  for (const auto& [name, node] : table.members) {
    std::optional<std::uint64_t> soft, hard;
    if (node.kind == TomlNode::Kind::array && node.items.size() == 2) {
      soft = limit_of(node.items[0]);
      hard = limit_of(node.items[1]);
    }
    if (!soft || !hard) return reader.complain(node, "a limit is [soft, hard]");
    limits[name] = {*soft, *hard};
  }
  facts.limits = std::move(limits);
}

}  // namespace

Result<SnapshotAbout> parse_about(std::string_view text, const std::string& where) {
  const Result<TomlNode> table = parse_toml(text, where);
  if (!table) return table.error();
  const TomlNode* format = table->find("format");
  if (format == nullptr) return malformed(where, "has no format");
  if (format->kind != TomlNode::Kind::integer || format->integer != 1) {
    return malformed(position(*format, where), "is of a format that this rocvet does not know");
  }
  SnapshotAbout about;
  about.live = table->string_or("source") == "live";
  if (const TomlNode* complete = table->find("complete")) {
    if (complete->kind != TomlNode::Kind::array) {
      return malformed(position(*complete, where), "complete is not a list");
    }
    for (const TomlNode& node : complete->items) {
      if (node.kind != TomlNode::Kind::string || !node.text.starts_with('/')) {
        return malformed(position(node, where), "a complete prefix is an absolute path");
      }
      about.complete.push_back(node.text);
    }
  }
  return about;
}

Result<ProcessFacts> parse_process(std::string_view text, const std::string& where) {
  const Result<TomlNode> table = parse_toml(text, where);
  if (!table) return table.error();
  ProcessFacts facts;
  FactsReader reader(*table, where);
  reader.id("uid", facts.uid);
  reader.id("gid", facts.gid);
  reader.text("user", facts.user);
  reader.text("uid_map", facts.uid_map);
  reader.text("gid_map", facts.gid_map);
  reader.text("cgroup", facts.cgroup);
  if (const TomlNode* node = table->find("seccomp")) {
    if (node->kind != TomlNode::Kind::integer || node->integer < 0 || node->integer > 2) {
      reader.complain(*node, "seccomp is 0 to 2");
    } else {
      facts.seccomp = static_cast<int>(node->integer);
    }
  }
  if (const TomlNode* node = table->find("capabilities")) {
    if (const auto mask = parse_number(node->text, 16)) {
      facts.capabilities = *mask;
    } else {
      reader.complain(*node, "capabilities is not a hexadecimal mask");
    }
  }
  if (const TomlNode* node = table->find("groups")) read_groups(*node, reader, facts);
  if (const TomlNode* node = reader.table("limits")) read_limits(*node, reader, facts);
  if (const TomlNode* node = reader.table("environment")) {
    std::map<std::string, std::string> environment;
    for (const auto& [name, value] : node->members) {
      if (value.kind != TomlNode::Kind::string) reader.complain(value, "a variable is a string");
      environment[name] = value.text;
    }
    facts.environment = std::move(environment);
  }
  if (reader.problem()) return *reader.problem();
  return facts;
}

std::string toml_quoted(const std::string& text) {
  // JSON strings are TOML basic strings, but for DEL; and JSON would escape a character beyond 16
  // bits as two, which TOML has not.
  std::string out;
  for (char c :
       nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)) {
    if (c == '\x7f') {
      out += "\\u007f";
    } else {
      out += c;
    }
  }
  return out;
}

std::string write_process(const ProcessFacts& facts) {
  std::ostringstream out;
  const auto text = [&](const char* key, const Result<std::string>& value) {
    if (value) out << key << " = " << toml_quoted(*value) << "\n";
  };
  if (facts.uid) out << "uid = " << *facts.uid << "\n";
  if (facts.gid) out << "gid = " << *facts.gid << "\n";
  text("user", facts.user);
  if (facts.groups) {
    out << "groups = [";
    for (std::size_t i = 0; i < facts.groups->size(); ++i) {
      out << (i == 0 ? "" : ", ") << (*facts.groups)[i];
    }
    out << "]\n";
  }
  text("uid_map", facts.uid_map);
  text("gid_map", facts.gid_map);
  text("cgroup", facts.cgroup);
  if (facts.seccomp) out << "seccomp = " << *facts.seccomp << "\n";
  if (facts.capabilities) {
    char hex[17];
    const auto end = std::to_chars(hex, hex + 16, *facts.capabilities, 16).ptr;
    const std::string digits(hex, end);
    out << "capabilities = \"" << std::string(16 - digits.size(), '0') << digits << "\"\n";
  }
  if (facts.limits) {
    out << "\n[limits]\n";
    const auto value = [](std::uint64_t limit) {
      return limit > INT64_MAX ? std::string("\"unlimited\"") : std::to_string(limit);
    };
    for (const auto& [name, both] : *facts.limits) {
      out << name << " = [" << value(both.first) << ", " << value(both.second) << "]\n";
    }
  }
  if (facts.environment) {
    out << "\n[environment]\n";
    for (const auto& [name, value] : *facts.environment) {
      out << toml_quoted(name) << " = " << toml_quoted(value) << "\n";
    }
  }
  return out.str();
}

Result<ElfSummary> parse_elf_json(std::string_view json, const std::string& where) {
  using Json = nlohmann::json;
  const auto parsed = parse_json<Json>(json, where, kSmallJson);
  if (!parsed) return parsed.error();
  const Json& object = *parsed;
  if (!object.is_object()) return malformed(where, "the summary of an ELF file is no JSON object");
  if (const auto error = object.find("error"); error != object.end() && error->is_string()) {
    const auto kind = object.find("kind");
    return Error{kind != object.end() && kind->is_string() ? error_kind(kind->get<std::string>())
                                                           : Error::Kind::failed,
                 where, error->get<std::string>()};
  }
  ElfSummary elf;
  const auto text = [&](const char* key, std::string& out) {
    if (const auto found = object.find(key); found != object.end() && found->is_string()) {
      out = found->get<std::string>();
    }
  };
  const auto list = [&](const char* key, std::vector<std::string>& out) {
    const auto found = object.find(key);
    if (found == object.end()) return;
    if (found->is_string()) out.push_back(found->get<std::string>());
    if (!found->is_array()) return;
    for (const Json& element : *found) {
      if (element.is_string()) out.push_back(element.get<std::string>());
    }
  };
  text("soname", elf.soname);
  text("interpreter", elf.interpreter);
  list("needed", elf.needed);
  // One text with colons, as the file's own entry has it, or a list.
  const auto paths = [&](const char* key, std::vector<std::string>& out) {
    std::vector<std::string> written;
    list(key, written);
    for (const std::string& one : written) {
      for (const std::string_view path : split(one, ':')) out.emplace_back(path);
    }
  };
  paths("rpath", elf.rpath);
  paths("runpath", elf.runpath);
  list("gfx", elf.gfx);
  list("needs_versions", elf.needs_versions);
  list("defines_versions", elf.defines_versions);
  const auto flag = [&](const char* key, bool& out) {
    const auto found = object.find(key);
    if (found != object.end() && found->is_boolean()) out = found->get<bool>();
  };
  flag("has_cuda", elf.has_cuda);
  flag("is_64_bit", elf.is_64_bit);
  return elf;
}

std::string_view to_word(Error::Kind kind) {
  switch (kind) {
    case Error::Kind::missing:
      return "missing";
    case Error::Kind::denied:
      return "denied";
    case Error::Kind::malformed:
      return "malformed";
    case Error::Kind::not_captured:
      return "not_captured";
    case Error::Kind::timed_out:
      return "timed_out";
    case Error::Kind::unsupported:
      return "unsupported";
    case Error::Kind::failed:
      break;
  }
  return "failed";
}

Error::Kind error_kind(std::string_view word) {
  for (const Error::Kind kind :
       {Error::Kind::missing, Error::Kind::denied, Error::Kind::malformed,
        Error::Kind::not_captured, Error::Kind::timed_out, Error::Kind::unsupported}) {
    if (to_word(kind) == word) return kind;
  }
  return Error::Kind::failed;
}

std::string write_elf_json(const Result<ElfSummary>& result) {
  if (!result) {
    const nlohmann::ordered_json problem = {{"error", result.error().what},
                                            {"kind", to_word(result.error().kind)}};
    return problem.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  }
  const ElfSummary& elf = *result;
  nlohmann::ordered_json object = {{"soname", elf.soname}, {"needed", elf.needed}};
  if (!elf.interpreter.empty()) object["interpreter"] = elf.interpreter;
  if (!elf.rpath.empty()) object["rpath"] = elf.rpath;
  if (!elf.runpath.empty()) object["runpath"] = elf.runpath;
  object["gfx"] = elf.gfx;
  if (!elf.needs_versions.empty()) object["needs_versions"] = elf.needs_versions;
  if (!elf.defines_versions.empty()) object["defines_versions"] = elf.defines_versions;
  if (elf.has_cuda) object["has_cuda"] = true;
  if (!elf.is_64_bit) object["is_64_bit"] = false;
  return object.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

}  // namespace rocvet
