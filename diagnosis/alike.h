// Of which causes to tell by what reports that look alike had (similar_reports.h).
#pragma once

#include <string_view>
#include <vector>

#include "diagnosis/leading.h"
#include "diagnosis/similar_reports.h"
#include "diagnosis/weigh.h"

namespace rocvet {

struct Alike {
  const Candidate* candidate = nullptr;
  double probability = 0;  ///< how often such a one was the cause
  std::vector<std::string_view> because;
};

/// `named`: the suspicions that signs speak for. Where there is none, up to three, if the report is
/// enough like that of a cause or like none of machines that work; beside one or two, one more,
/// against which nothing speaks.
std::vector<Alike> alike_causes(const Limits& limits, const Knowledge& knowledge,
                                const Likeness& likeness, const std::vector<Candidate>& all,
                                const std::vector<std::string_view>& named);

}  // namespace rocvet
