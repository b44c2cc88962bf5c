// What a strict loader cannot see in one row: rows that contradict each other or name nothing.
#pragma once

#include <string>
#include <vector>

#include "db/check_knowledge.h"
#include "db/schema.h"

namespace rocvet::db {

/// Rows that give different answers to one question without saying that sources disagree, device
/// ids claimed by two targets, products and systems that nothing names, a GPU with two lists of
/// systems, and releases out of order.
std::vector<Problem> check(const Tables& tables);

/// The whole database for other programs.
std::string export_json(const Tables& tables);
/// One table as CSV with a header line; lists are joined with "; ".
std::string export_csv(const Tables& tables, std::size_t table);

}  // namespace rocvet::db
