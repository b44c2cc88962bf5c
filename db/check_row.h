// A check that is data: a fact, the values of it that are a fault, and what is said then
// (db/checks/*.toml, made ready).
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "db/fact_names.h"

namespace rocvet {

namespace db {
class Blob;
}

/// Values of a fact that are a fault. Of the comparisons that are given, each must hold.
struct BadValue {
  FactName fact;
  std::optional<long long> eq, ne, lt, gt;
  std::optional<long long> bits_set;    ///< some of these bits are 1
  std::optional<long long> bits_clear;  ///< some of these bits are 0
  bool no_number = false;               ///< it is there and is no number
  std::vector<std::string_view> in, not_in, starts_with;
  std::optional<bool> set;  ///< whether it is there at all
  bool any_case = false;    ///< texts are compared without case
  std::string_view saw;     ///< the line of evidence; "" is the fact's own
};

struct CheckRow {
  std::string_view code, id, topic, title, doc;
  std::vector<std::string_view> needs;       ///< else it does not apply
  std::vector<std::string_view> matters_if;  ///< else a bad value is no fault
  std::vector<BadValue> bad;
  bool all = false;                    ///< all of `bad` together are the fault, not each
  std::string_view verdict;            ///< "fail", "warn", or "pass" for what is seen only
  std::vector<std::string_view> said;  ///< words of people with which a pass is a warning
  std::string_view sees;               ///< the observation, beside check.ID
  std::string_view says, good;
  std::string_view remedy;  ///< steps that are made by C++: "remove-kernel-parameter"
  std::vector<std::string_view> fix;
  std::string_view verify, undo;
  bool root = false, reboot = false, login = false;
};

/// In the order of the database, whose texts they are.
std::vector<CheckRow> read_check_rows(const db::Blob& blob);

}  // namespace rocvet
