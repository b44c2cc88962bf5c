#include "db/check_row.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "db/blob.h"

namespace rocvet {
namespace {

using db::list_items;

BadValue read_bad(const db::Table<"bad">& rows, std::size_t i, FactName fact) {
  BadValue bad;
  bad.fact = fact;
  bad.eq = parse_signed_number(rows.get(i, "eq"));
  bad.ne = parse_signed_number(rows.get(i, "ne"));
  bad.lt = parse_signed_number(rows.get(i, "lt"));
  bad.gt = parse_signed_number(rows.get(i, "gt"));
  bad.bits_set = parse_signed_number(rows.get(i, "bits_set"));
  bad.bits_clear = parse_signed_number(rows.get(i, "bits_clear"));
  bad.no_number = rows.get(i, "no_number") == "true";
  bad.in = list_items(rows.get(i, "in"));
  bad.not_in = list_items(rows.get(i, "not_in"));
  bad.starts_with = list_items(rows.get(i, "starts_with"));
  if (const std::string_view set = rows.get(i, "set"); !set.empty()) bad.set = set == "true";
  bad.any_case = rows.get(i, "any_case") == "true";
  bad.saw = rows.get(i, "saw");
  return bad;
}

}  // namespace

std::vector<CheckRow> read_check_rows(const db::Blob& blob) {
  const db::Table<"check"> rows(blob);
  const db::Table<"bad"> bads(blob);
  std::map<std::string_view, std::vector<BadValue>> bad_of;
  for (std::size_t i = 0; i < bads.size(); ++i) {
    // One that is wrong was refused when the database was made (db/check_rows.h).
    if (const auto fact = parse_fact_name(bads.get(i, "fact")))
      bad_of[bads.get(i, "of")].push_back(read_bad(bads, i, *fact));
  }
  std::vector<CheckRow> found;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CheckRow row;
    row.code = rows.get(i, "code");
    row.id = rows.get(i, "id");
    row.topic = rows.get(i, "topic");
    row.title = rows.get(i, "title");
    row.doc = rows.get(i, "doc");
    row.needs = list_items(rows.get(i, "needs"));
    row.matters_if = list_items(rows.get(i, "matters_if"));
    row.bad = bad_of[row.id];
    row.all = rows.get(i, "when") == "all";
    row.verdict = rows.get(i, "verdict");
    row.said = list_items(rows.get(i, "said"));
    row.sees = rows.get(i, "sees");
    row.says = rows.get(i, "says");
    row.good = rows.get(i, "good");
    row.remedy = rows.get(i, "remedy");
    row.fix = list_items(rows.get(i, "fix"));
    row.verify = rows.get(i, "verify");
    row.undo = rows.get(i, "undo");
    for (const std::string_view asked : list_items(rows.get(i, "asks"))) {
      row.root |= asked == "root";
      row.reboot |= asked == "reboot";
      row.login |= asked == "login";
    }
    found.push_back(std::move(row));
  }
  return found;
}

}  // namespace rocvet
