#include "machine/toml.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#if __has_include(<toml++/toml.h>)
// toml++ 3.3 asserts what a file may violate ("[" and a line end), and with NDEBUG even promises it
// to the optimiser. A file is input: its faults are errors.
#undef NDEBUG
constexpr void require_toml(bool good) {
  if (!good) throw std::runtime_error("is not valid TOML");
}
#define TOML_ASSERT(expr) require_toml(static_cast<bool>(expr))
#include <toml++/toml.h>
#else
#include <toml.hpp>
#define ROCVET_TOML11 1
#endif

namespace rocvet {

const TomlNode* TomlNode::find(std::string_view key) const {
  const auto at = std::lower_bound(
      members.begin(), members.end(), key,
      [](const auto& member, std::string_view wanted) { return member.first < wanted; });
  return at != members.end() && at->first == key ? &at->second : nullptr;
}

std::string TomlNode::string_or(std::string_view key, std::string fallback) const {
  const TomlNode* node = find(key);
  return node != nullptr && node->kind == Kind::string ? node->text : std::move(fallback);
}

std::string_view to_string(TomlNode::Kind kind) {
  switch (kind) {
    case TomlNode::Kind::string:
      return "a string";
    case TomlNode::Kind::integer:
      return "a whole number";
    case TomlNode::Kind::real:
      return "a number";
    case TomlNode::Kind::boolean:
      return "true or false";
    case TomlNode::Kind::date:
      return "a date";
    case TomlNode::Kind::array:
      return "an array";
    case TomlNode::Kind::table:
      return "a table";
  }
  return "";
}

namespace {

constexpr int kDeepest = 64;

/// Brackets that open more than kDeepest levels would have the libraries recurse without bound.
bool too_deep(std::string_view text) {
  int depth = 0;
  for (const char c : text) {
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}' || c == '\n') depth = c == '\n' ? depth : depth - 1;
    if (depth > 4096) return true;
  }
  return false;
}

Error at(const std::string& file, long long line, long long column, std::string what) {
  std::replace(what.begin(), what.end(), '\n', ' ');
  return malformed(file + ":" + std::to_string(line) + ":" + std::to_string(column),
                   std::move(what));
}

void sort_members(TomlNode& node) {
  std::sort(node.members.begin(), node.members.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
}

#ifndef ROCVET_TOML11

TomlNode converted(const toml::node& node, int depth);

TomlNode converted_table(const toml::table& table, int depth) {
  TomlNode out;
  out.kind = TomlNode::Kind::table;
  for (const auto& [key, value] : table)
    out.members.emplace_back(std::string(key.str()), converted(value, depth + 1));
  sort_members(out);
  return out;
}

std::string date_text(const toml::date& date) {
  char buffer[16];
  std::snprintf(buffer, sizeof buffer, "%04d-%02d-%02d", date.year % 10000, date.month % 100,
                date.day % 100);
  return buffer;
}

TomlNode converted(const toml::node& node, int depth) {
  TomlNode out;
  if (depth > kDeepest) throw std::length_error("nested deeper than 64 levels");
  if (const auto* text = node.as_string()) {
    out.kind = TomlNode::Kind::string;
    out.text = text->get();
  } else if (const auto* integer = node.as_integer()) {
    out.kind = TomlNode::Kind::integer;
    out.integer = integer->get();
  } else if (const auto* real = node.as_floating_point()) {
    out.kind = TomlNode::Kind::real;
    out.real = real->get();
  } else if (const auto* boolean = node.as_boolean()) {
    out.kind = TomlNode::Kind::boolean;
    out.boolean = boolean->get();
  } else if (const auto* date = node.as_date()) {
    out.kind = TomlNode::Kind::date;
    out.text = date_text(date->get());
  } else if (const auto* moment = node.as_date_time()) {
    out.kind = TomlNode::Kind::date;
    out.text = date_text(moment->get().date);
  } else if (const auto* array = node.as_array()) {
    out.kind = TomlNode::Kind::array;
    for (const toml::node& item : *array) out.items.push_back(converted(item, depth + 1));
  } else if (const auto* table = node.as_table()) {
    out = converted_table(*table, depth);
  } else {
    out.kind = TomlNode::Kind::string;  // a time of day: nothing of ours has one
  }
  out.line = static_cast<int>(node.source().begin.line);
  out.column = static_cast<int>(node.source().begin.column);
  return out;
}

#else

TomlNode converted(const toml::value& value, int depth) {
  TomlNode out;
  if (depth > kDeepest) throw std::length_error("nested deeper than 64 levels");
  switch (value.type()) {
    case toml::value_t::string:
      out.kind = TomlNode::Kind::string;
      out.text = value.as_string().str;
      break;
    case toml::value_t::integer:
      out.kind = TomlNode::Kind::integer;
      out.integer = value.as_integer();
      break;
    case toml::value_t::floating:
      out.kind = TomlNode::Kind::real;
      out.real = value.as_floating();
      break;
    case toml::value_t::boolean:
      out.kind = TomlNode::Kind::boolean;
      out.boolean = value.as_boolean();
      break;
    case toml::value_t::array:
      out.kind = TomlNode::Kind::array;
      for (const toml::value& item : value.as_array())
        out.items.push_back(converted(item, depth + 1));
      break;
    case toml::value_t::table:
      for (const auto& [key, member] : value.as_table())
        out.members.emplace_back(key, converted(member, depth + 1));
      sort_members(out);
      break;
    case toml::value_t::local_date:
    case toml::value_t::local_datetime:
    case toml::value_t::offset_datetime: {
      std::ostringstream text;
      text << value;
      out.kind = TomlNode::Kind::date;
      out.text = text.str().substr(0, 10);
      break;
    }
    default:
      out.kind = TomlNode::Kind::string;
  }
  out.line = static_cast<int>(value.location().line());
  out.column = static_cast<int>(value.location().column());
  return out;
}

#endif

}  // namespace

Result<TomlNode> parse_toml(std::string_view text, const std::string& file) {
  if (too_deep(text)) return at(file, 1, 1, "nested too deeply");
  try {
#ifndef ROCVET_TOML11
    TomlNode root = converted_table(toml::parse(text, file), 0);
#else
    std::istringstream stream{std::string(text)};
    TomlNode root = converted(toml::parse(stream, file), 0);
#endif
    root.line = root.column = 1;
    return root;
#ifndef ROCVET_TOML11
  } catch (const toml::parse_error& problem) {
    const auto where = problem.source().begin;
    return at(file, where.line, where.column, std::string(problem.description()));
#else
  } catch (const toml::exception& problem) {
    const std::string what = problem.what();
    const auto& where = problem.location();
    return at(file, where.line(), where.column(), what.substr(0, what.find('\n')));
#endif
  } catch (const std::exception& problem) {
    return at(file, 1, 1, problem.what());
  }
}

}  // namespace rocvet
