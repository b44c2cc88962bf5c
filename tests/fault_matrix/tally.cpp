#include "tests/fault_matrix/tally.h"

#include <cctype>
#include <cstdio>

namespace rocvet {
namespace {

constexpr std::size_t kSlowest = 8;

bool admits_it(const std::string& fault) {
  for (const Fault one : all_faults()) {
    if (to_string(one) == fault) return admits_it(one);
  }
  return false;
}

/// The path without its numbers: many cards have one file each.
std::string shape(const std::string& path) {
  std::string out;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const auto is_hex = [&](std::size_t at) {
      return at < path.size() && std::isxdigit(static_cast<unsigned char>(path[at])) != 0;
    };
    // 0000:c1:00.0
    if (path.size() >= i + 12 && is_hex(i) && path[i + 4] == ':' && path[i + 7] == ':' &&
        path[i + 10] == '.') {
      out += "BDF";
      i += 11;
    } else if (std::isdigit(static_cast<unsigned char>(path[i])) == 0) {
      out += path[i];
    } else if (!out.ends_with('N')) {
      out += 'N';
    }
  }
  return out;
}

}  // namespace

std::string CellName::text() const {
  return "--machine " + machine + " --path " + path + " --fault " + fault;
}

void Tally::ended(const CellName& cell, double cpu_ms) {
  ++cells_;
  slowest_.emplace(cpu_ms, cell);
  if (slowest_.size() > kSlowest) slowest_.erase(slowest_.begin());
}

void Tally::changed(const CellName& cell, const std::string& kind, const std::string& check,
                    const std::string& what) {
  ++by_fault_[kind][cell.fault];
  if (admits_it(cell.fault) || kind == "crashed") add(cell, kind, check, what);
}

void Tally::broke(const CellName& cell, const std::string& kind, const std::string& how) {
  ++(kind == "hang" ? hangs_ : crashes_);
  add(cell, kind, "all", how);
}

void Tally::add(const CellName& cell, const std::string& kind, const std::string& check,
                const std::string& what) {
  Group& group = groups_[kind + " " + check + " " + shape(cell.path)];
  if (group.cells++ == 0) {
    group.example = cell;
    group.what = what;
  }
  group.faults.insert(cell.fault);
}

void Tally::print(const std::set<std::string>& known) const {
  for (const auto& [key, group] : groups_) {
    std::string faults;
    for (const std::string& fault : group.faults) faults += " " + fault;
    std::printf("%s%s: %s, %zu cells,%s: %s\n", known.contains(key) ? "(known) " : "", key.c_str(),
                group.what.c_str(), group.cells, faults.c_str(), group.example.text().c_str());
  }
  std::printf("\n%-10s", "");
  for (const Fault fault : all_faults()) std::printf(" %8s", std::string(to_string(fault)).c_str());
  for (const auto& [kind, faults] : by_fault_) {
    std::printf("\n%-10s", kind.c_str());
    for (const Fault fault : all_faults()) {
      const auto at = faults.find(std::string(to_string(fault)));
      std::printf(" %8zu", at == faults.end() ? 0 : at->second);
    }
  }
  std::printf("\n\nslowest, CPU ms:\n");
  for (auto at = slowest_.rbegin(); at != slowest_.rend(); ++at)
    std::printf("%8.0f  %s\n", at->first, at->second.text().c_str());
  std::printf("%zu cells, %zu hangs, %zu crashes\n", cells_, hangs_, crashes_);
}

std::size_t Tally::defects(const std::set<std::string>& known) const {
  static const std::set<std::string> kNever = {"crash", "hang", "crashed", "better", "invented"};
  std::size_t count = 0;
  for (const auto& [key, group] : groups_) {
    if (kNever.contains(key.substr(0, key.find(' '))) && !known.contains(key)) ++count;
  }
  return count;
}

}  // namespace rocvet
