// What a report complains of, for formats that are a list or a line of it.
#pragma once

#include <string>
#include <vector>

#include "report/report.h"

namespace rocvet {

struct Complaint {
  Verdict verdict = Verdict::fail;  ///< what it counts as: fail, warn or unknown
  std::string code;                 ///< "RV102"; "" of all but checks
  std::string id;                   ///< "kfd-not-accessible", "rocm-files-missing", "gemm.fp16"
  std::string subject;              ///< "/dev/kfd", "hip:0"; "" where it is the machine
  std::string text;                 ///< one sentence
  std::string action;               ///< the first step of its remedy; "" where nothing is known
};

/// Worst first: root causes, findings that no root cause explains, self-tests, layers, the soak.
/// What does not count for the verdict is left out, and no two have one name.
std::vector<Complaint> complaints(const Report& report);

/// "rocm-files-missing", "RV102 kfd-not-accessible [/dev/kfd]"
std::string name_of(const Complaint& complaint);

}  // namespace rocvet
