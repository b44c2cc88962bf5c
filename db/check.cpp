#include "db/check.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "base/printable.h"
#include "base/text.h"
#include "db/blob_database.h"
#include "db/check_rows.h"
#include "db/names.h"
#include "db/rows.h"
#include "db/version.h"

namespace rocvet::db {
namespace {

struct Statement {
  std::string verdict, where;
  std::vector<bool> at;  ///< by release
};

template <TableName kName>
void contradictions(const Rows<kName>& view, const std::vector<Version>& releases,
                    const std::function<std::vector<std::string>(std::size_t)>& subjects,
                    std::vector<Problem>& problems) {
  std::map<std::string, std::vector<Statement>> by_subject;
  for (std::size_t i = 0; i < view.size(); ++i) {
    if (view.get(i, "disagrees") == "true") continue;
    const auto range = VersionRange::parse(view.get(i, "rocm"));
    Statement statement{view.get(i, "verdict"), view.get(i, "where"), {}};
    for (const auto& release : releases) statement.at.push_back(range && range->contains(release));
    for (const auto& subject : subjects(i)) {
      for (const auto& other : by_subject[subject]) {
        if (other.verdict == statement.verdict) continue;
        for (std::size_t r = 0; r < releases.size(); ++r) {
          if (!other.at[r] || !statement.at[r]) continue;
          problems.push_back({statement.where, subject + " and ROCm " + releases[r].text() + ": " +
                                                   statement.verdict + " here, " + other.verdict +
                                                   " at " + other.where +
                                                   " (set disagrees = true where sources do)"});
          break;
        }
      }
      by_subject[subject].push_back(statement);
    }
  }
}

std::string json_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : printable_lines(text)) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        out += c;
    }
  }
  return out + "\"";
}

/// GPUs of rows that no [[gpu]] has.
template <TableName kName>
void unknown_gpus(const Rows<kName>& rows, const std::set<std::string>& names,
                  std::vector<Problem>& problems) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const auto item : list_items(rows.get(i, "gpus"))) {
      if (!names.contains(plain_name(item))) {
        problems.push_back(
            {rows.get(i, "where"), "no [[gpu]] is called '" + std::string(item) + "'"});
      }
    }
  }
}

}  // namespace

std::vector<Problem> check(const Tables& all) {
  std::vector<Problem> problems;
  const Rows<"release"> releases(all);
  const Rows<"support"> support(all);
  const Rows<"os"> os(all);
  const Rows<"gpu_systems"> gpu_systems(all);
  const Rows<"driver"> driver(all);
  const Rows<"gpu"> gpus(all);
  const Rows<"target"> targets(all);

  std::vector<Version> order;
  for (std::size_t i = 0; i < releases.size(); ++i) {
    const auto version = Version::parse(releases.get(i, "rocm"));
    if (!version) {
      problems.push_back(
          {releases.get(i, "where"), "'" + releases.get(i, "rocm") + "' is no release"});
      continue;
    }
    if (!order.empty() && !(order.back() < *version)) {
      problems.push_back({releases.get(i, "where"),
                          "ROCm " + version->text() + " is not after " + order.back().text()});
    }
    order.push_back(*version);
  }

  contradictions(
      support, order,
      [&](std::size_t i) {
        std::vector<std::string> subjects;
        for (const auto item : list_items(support.get(i, "gpus")))
          subjects.push_back(plain_name(item));
        if (subjects.empty()) subjects.push_back(support.get(i, "gfx"));
        return subjects;
      },
      problems);
  contradictions(
      os, order,
      [&](std::size_t i) {
        return std::vector<std::string>{
            os.get(i, "os") + " " + os.get(i, "version") +
            (os.get(i, "variant").empty() ? "" : " (" + os.get(i, "variant") + ")")};
      },
      problems);
  contradictions(
      driver, order,
      [&](std::size_t i) {
        return std::vector<std::string>{"driver " + driver.get(i, "driver") + " " +
                                        driver.get(i, "kinds")};
      },
      problems);

  std::map<std::string, std::string> device_target;
  std::set<std::string> target_names;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (!target_names.insert(targets.get(i, "gfx")).second) {
      problems.push_back({targets.get(i, "where"), "a second [[target]] " + targets.get(i, "gfx")});
    }
    for (const auto item : list_items(targets.get(i, "devices"))) {
      const auto [it, fresh] = device_target.emplace(std::string(item), targets.get(i, "gfx"));
      if (!fresh) {
        problems.push_back(
            {targets.get(i, "where"), std::string(item) + " is also of " + it->second});
      }
    }
  }
  std::set<std::string> names;
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    names.insert(plain_name(gpus.get(i, "name")));
    const auto paren = gpus.get(i, "name").find(" (");
    if (paren != std::string::npos) names.insert(plain_name(gpus.get(i, "name").substr(0, paren)));
    for (const auto item : list_items(gpus.get(i, "aliases"))) names.insert(plain_name(item));
    if (!target_names.contains(gpus.get(i, "gfx"))) {
      problems.push_back({gpus.get(i, "where"), "no [[target]] is called " + gpus.get(i, "gfx")});
    }
    for (const auto item : list_items(gpus.get(i, "pci"))) {
      const std::string id(item.substr(0, item.find(' ')));
      const auto known = device_target.find(id);
      if (known == device_target.end() || known->second != gpus.get(i, "gfx")) {
        problems.push_back(
            {gpus.get(i, "where"), id + " is not a device of " + gpus.get(i, "gfx")});
      }
    }
  }
  unknown_gpus(support, names, problems);
  unknown_gpus(gpu_systems, names, problems);
  std::map<std::string, std::map<std::string, std::string>> listed;  // release, GPU: where
  for (std::size_t i = 0; i < gpu_systems.size(); ++i) {
    const std::string& where = gpu_systems.get(i, "where");
    for (const auto system : list_items(gpu_systems.get(i, "systems"))) {
      if (const auto name = parse_os(system); !name) problems.push_back({where, name.error().what});
    }
    const auto range = VersionRange::parse(gpu_systems.get(i, "rocm"));
    for (const auto& release : order) {
      if (!range || !range->contains(release)) continue;
      for (const auto item : list_items(gpu_systems.get(i, "gpus"))) {
        const auto [it, fresh] = listed[release.text()].emplace(plain_name(item), where);
        if (!fresh) {
          problems.push_back({where, "the systems of " + std::string(item) + " and ROCm " +
                                         release.text() + " stand at " + it->second + " too"});
        }
      }
    }
  }
  const Rows<"install"> install(all);
  for (std::size_t i = 0; i < install.size(); ++i) {
    if (install.get(i, "steps").empty() && install.get(i, "document").empty())
      problems.push_back({install.get(i, "where"), "has neither steps nor a document"});
  }
  for (Problem& problem : check_knowledge(all)) problems.push_back(std::move(problem));
  for (Problem& problem : check_rows(all)) problems.push_back(std::move(problem));
  return problems;
}

std::string export_json(const Tables& all) {
  std::string out = "{\n  \"schema\": \"rocvet.db/1\"";
  for (std::size_t t = 0; t < tables().size(); ++t) {
    const TableSpec& spec = tables()[t];
    out += ",\n  " + json_text(spec.name) + ": [";
    for (std::size_t r = 0; r < all.rows[t].size(); ++r) {
      out += r ? ",\n    {" : "\n    {";
      bool first = true;
      for (std::size_t c = 0; c < spec.columns.size(); ++c) {
        const std::string& cell = all.rows[t][r][c];
        if (cell.empty()) continue;
        out += (first ? "" : ", ") + json_text(spec.columns[c].name) + ": ";
        first = false;
        switch (spec.columns[c].kind) {
          case Kind::number:
          case Kind::boolean:
            out += cell;
            break;
          case Kind::list: {
            out += "[";
            bool first_item = true;
            for (const auto item : list_items(cell)) {
              out += (first_item ? "" : ", ") + json_text(item);
              first_item = false;
            }
            out += "]";
            break;
          }
          default:
            out += json_text(cell);
        }
      }
      out += "}";
    }
    out += all.rows[t].empty() ? "]" : "\n  ]";
  }
  return out + "\n}\n";
}

std::string export_csv(const Tables& all, std::size_t table) {
  const auto quoted = [](std::string text) {
    std::replace(text.begin(), text.end(), kListSeparator, ';');
    if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
    std::string out = "\"";
    for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
    return out + "\"";
  };
  std::string out;
  const TableSpec& spec = tables()[table];
  for (std::size_t c = 0; c < spec.columns.size(); ++c)
    out += (c ? "," : "") + std::string(spec.columns[c].name);
  out += "\n";
  for (const auto& row : all.rows[table]) {
    for (std::size_t c = 0; c < row.size(); ++c) out += (c ? "," : "") + quoted(row[c]);
    out += "\n";
  }
  return out;
}

}  // namespace rocvet::db
