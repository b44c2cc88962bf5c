// What a report looks like to whoever compares it with others: all that was observed, and the words
// that programs and people said.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "diagnosis/observations.h"

namespace rocvet {

/// "text.no-hip-gpus", "check.kfd-missing", "word:navi".
using ReportFeatures = std::set<std::string, std::less<>>;

ReportFeatures features_of(const Context& context, const Observations& observations);

/// The words of lower-case text, and each with the one before it, as "word:…": a letter or "_",
/// then letters, digits and any of "_.+-", of 2 to 40 characters. Numbers and hashes tell of one
/// machine, not of what ails it.
void add_words(std::string_view lower_text, ReportFeatures& to);

}  // namespace rocvet
