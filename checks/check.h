// All that a check needs.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "checks/finding.h"
#include "db/database.h"
#include "machine/machine.h"

namespace rocvet {

struct Memo;

struct Context {
  const Machine& machine;
  const Database& db;
  /// What self-tests of this run that failed said, a line each; "" when none did.
  std::string tests_said = std::string();
  /// What checks derive from the machine and share (checks/common/memo.h).
  mutable std::shared_ptr<Memo> memo = std::shared_ptr<Memo>();
};

/// One check: pure; a file each, registered in all_checks.cpp in the order reports print, or a row
/// of the database.
struct Check {
  std::string_view code;   ///< "RV102", never used again once retired
  std::string_view id;     ///< the fault: "kfd-not-accessible"
  std::string_view topic;  ///< its folder: "access"
  std::string_view title;
  std::string_view doc;  ///< the manual page, five headings
  std::vector<Finding> (*run)(const Context&) = nullptr;
  const CheckRow* row = nullptr;  ///< instead of `run`
  /// Without an answer from it nobody can call the machine healthy: `unknown` is then exit
  /// status 2.
  bool decisive = false;
};

/// The addresses under "## References" of its manual page.
std::vector<std::string> doc_links(const Check& check);

/// Every check of a database, in report order: those that are C++ and its rows. They live as long
/// as the database.
std::span<const Check* const> all_checks(const Database& database);
/// Those that are C++, whatever the database.
std::span<const Check* const> checks_in_code();

struct CheckResult {
  const Check* check = nullptr;
  Finding finding;
};

/// Which checks to run: ids, codes or globs; empty `only` is all.
struct Selection {
  std::vector<std::string> only, skip;
};
/// An error names the pattern that matches nothing, with "did you mean".
Result<std::vector<const Check*>> select_checks(const Selection& selection,
                                                const Database& database);
/// A check that throws becomes `unknown`; the others still run.
std::vector<CheckResult> run_checks(const Context& context, std::span<const Check* const> checks);

}  // namespace rocvet
