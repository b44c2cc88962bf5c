// What came of all cells.
#pragma once

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/fault_matrix/judgement.h"

namespace rocvet {

struct CellName {
  std::string machine, path, fault;
  /// As options of this program.
  std::string text() const;
};

class Tally {
 public:
  void ended(const CellName& cell, double cpu_ms);
  void changed(const CellName& cell, const std::string& kind, const std::string& check,
               const std::string& what);
  /// `kind`: "crash" or "hang".
  void broke(const CellName& cell, const std::string& kind, const std::string& how);

  /// `known`: lines "kind check shape" of defects that are known.
  void print(const std::set<std::string>& known) const;
  /// What no cell may do: crashes, hangs, and better verdicts where nobody could look, but for
  /// those known.
  std::size_t defects(const std::set<std::string>& known) const;
  std::size_t cells() const { return cells_; }

 private:
  struct Group {
    std::size_t cells = 0;
    CellName example;
    std::string what;
    std::set<std::string> faults;
  };
  std::size_t cells_ = 0;
  std::multimap<double, CellName> slowest_;
  std::size_t hangs_ = 0, crashes_ = 0;
  std::map<std::string, std::map<std::string, std::size_t>> by_fault_;  ///< kind, fault
  /// "kind check shape": crashes and hangs, and what was judged where nobody could look.
  std::map<std::string, Group> groups_;
  void add(const CellName& cell, const std::string& kind, const std::string& check,
           const std::string& what);
};

}  // namespace rocvet
