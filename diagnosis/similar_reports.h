// Which cause reports that look like this one had: a linear classifier over their words and what
// was observed there (tools/fit_similar_reports.py makes it of tests/field). It says what to try
// where no sign says more, never what is so.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diagnosis/report_features.h"

namespace rocvet {

struct SimilarReports {
  std::string_view cause;
  double margin = 0;  ///< of the classifier: above 0 it would say that this is the cause
  std::vector<std::string_view> because;  ///< the features that speak for it, the loudest first
};
struct Likeness {
  double healthy = 0;  ///< margin of another classifier: above 0 it says that nothing is broken
  std::vector<SimilarReports> causes;  ///< that the data knows, the likeliest first
};

/// No causes where the data knows fewer than ten words of the report.
Likeness likeness_to_reports(const ReportFeatures& features);

/// For people: "navi, kernel and, kfd-lists-gpu".
std::string words_of(const std::vector<std::string_view>& features);

}  // namespace rocvet
