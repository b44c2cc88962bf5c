// A file of questions for `rocvet compat --questions FILE`.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "db/database.h"

namespace rocvet::cli {

/// What a question may name, in the order in which answers show it.
inline constexpr std::array<std::pair<std::string_view, std::string Question::*>, 8>
    kQuestionFields = {{{"gpu", &Question::gpu},
                        {"rocm", &Question::rocm},
                        {"os", &Question::os},
                        {"kernel", &Question::kernel},
                        {"driver", &Question::driver},
                        {"framework", &Question::framework},
                        {"python", &Question::python},
                        {"platform", &Question::platform}}};

/// A JSON object a line, as `compat --format json` shows what was asked:
/// {"gpu": "RX 7900 XTX", "rocm": "6.2"}; "-" is standard input, blank lines count for nothing.
/// Errors name file and line: what is no object, an unknown name ("did you mean"), a value that is
/// no text, a line that asks nothing.
Result<std::vector<Question>> read_questions(const std::string& path);

}  // namespace rocvet::cli
