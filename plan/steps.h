// In which order an upgrade is made, with commands, and the way back.
#pragma once

#include "plan/judge.h"

namespace rocvet::plan {

void add_steps(const Judgement& judgement, const std::vector<Part>& parts);
void add_way_back(const Judgement& judgement, const std::vector<Part>& parts);

}  // namespace rocvet::plan
