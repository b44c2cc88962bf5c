// What a machine asks of the database.
#pragma once

#include <string>
#include <vector>

#include "db/database.h"

namespace rocvet {

/// The product's name where it is one product's, else the target; "" when neither is known.
std::string asked_name(const Gpu& gpu, const Database& database);
/// What all questions of a machine share: its system ("ubuntu-24.04"; "arch" of one without
/// versions) and its kernel, where `given` does not name them; "" for what is not known.
Question question_of(const Machine& machine, const Question& given = {});
/// The different GPUs of a machine, as asked_name() has them.
std::vector<std::string> asked_gpus(const Machine& machine, const Database& database);
/// The releases that are installed.
std::vector<std::string> asked_releases(const Machine& machine);

}  // namespace rocvet
