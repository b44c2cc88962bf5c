#include "unit/checks/second_reading.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "base/toml.h"
#include "unit/checks/cases.h"

namespace rocvet {
namespace {

const std::string kFolder = std::string(ROCVET_SOURCE_DIR) + "/tests/second_reading/";

std::string_view level_of(double shows) {
  return shows >= 0.9 ? "always" : shows >= 0.5 ? "usually" : shows >= 0.2 ? "sometimes" : "rarely";
}

using Columns = std::vector<std::string>;

std::vector<Columns> read_table(const std::string& name) {
  std::vector<Columns> rows;
  for (const std::string& line : known_list(kFolder + name)) {
    Columns columns;
    for (const std::string_view column : split(line, '\t')) columns.emplace_back(column);
    rows.push_back(std::move(columns));
  }
  return rows;
}

void compare_signs(const Knowledge& knowledge, std::vector<std::string>& differ) {
  std::map<std::pair<std::string, std::string>, std::string> read;
  for (const Columns& row : read_table("signs.tsv")) read[{row[0], row[1]}] = row[2];
  for (const Cause& cause : knowledge.causes()) {
    for (const Sign& sign : cause.signs) {
      const std::string name = std::string(cause.id) + ": " + std::string(sign.saw);
      const auto second = read.find({std::string(cause.id), std::string(sign.saw)});
      if (second == read.end()) {
        differ.push_back(name + " was not read a second time");
        continue;
      }
      const std::string_view first = level_of(sign.shows);
      if (first != second->second)
        differ.push_back(name + ": " + std::string(first) + " and " + second->second);
      read.erase(second);
    }
  }
  for (const auto& [sign, level] : read)
    differ.push_back(sign.first + ": " + sign.second + " is no sign of it any more");
}

void compare_links(const Knowledge& knowledge, std::vector<std::string>& differ) {
  std::map<std::string, std::set<std::string>> yes, no;  // by "cause kind"
  for (const Columns& row : read_table("links.tsv"))
    (row[3] == "yes" ? yes : no)[row[0] + " " + row[1]].insert(row[2]);
  for (const Cause& cause : knowledge.causes()) {
    const auto compare = [&](const std::string& kind, const auto& ours) {
      const std::string place = std::string(cause.id) + " " + kind;
      std::set<std::string> have(ours.begin(), ours.end());
      for (const std::string& one : have) {
        if (!yes[place].contains(one)) differ.push_back(place + " " + one + ": the first only");
      }
      for (const std::string& one : yes[place]) {
        if (!have.contains(one)) differ.push_back(place + " " + one + ": the second only");
      }
    };
    compare("needs", cause.needs);
    compare("refuted_by", cause.refuted_by);
    compare("explains", cause.explains);
  }
}

void compare_remedies(const Knowledge& knowledge, std::vector<std::string>& differ) {
  const std::string path = kFolder + "remedies.toml";
  const auto tables = parse_toml(read_test_file(path), path);
  if (!tables) {
    differ.push_back(tables.error().text());
    return;
  }
  const TomlNode* rows = tables->find("remedy");
  for (const TomlNode& row : rows != nullptr ? rows->items : std::vector<TomlNode>{}) {
    const Cause* cause = knowledge.cause(row.string_or("cause"));
    if (cause == nullptr) {
      differ.push_back(row.string_or("cause") + " is gone");
      continue;
    }
    std::string all = std::string(cause->experiment);
    for (const std::string_view line : cause->remedy) all += "\n" + std::string(line);
    const TomlNode* wanted = row.find("must");
    for (const TomlNode& one : wanted != nullptr ? wanted->items : std::vector<TomlNode>{}) {
      bool found = false;
      for (const std::string_view way : split(std::string_view(one.text), '|'))
        found |= lower(all).find(lower(trim(way))) != std::string::npos;
      if (!found) differ.push_back(std::string(cause->id) + " remedy: " + one.text);
    }
  }
}

}  // namespace

std::vector<std::string> disagreements(const Knowledge& knowledge) {
  std::vector<std::string> differ;
  compare_signs(knowledge, differ);
  compare_links(knowledge, differ);
  compare_remedies(knowledge, differ);
  std::sort(differ.begin(), differ.end());
  differ.erase(std::unique(differ.begin(), differ.end()), differ.end());
  return differ;
}

std::vector<std::string> known_disagreements() {
  std::vector<std::string> known = known_list(kFolder + "disagreements.txt");
  for (const Columns& row : read_table("settled.tsv")) known.push_back(row[0]);
  return known;
}

}  // namespace rocvet
