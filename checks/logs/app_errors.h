// What applications say when the GPU does not work, and the causes each text can have. A text never
// names a cause by itself: it says where to look, the findings decide.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "checks/check.h"
#include "db/knowledge.h"

namespace rocvet {

struct AppError {
  const ErrorText* text = nullptr;
  std::string line;  ///< the first that has it
  int count = 0;
};

std::vector<AppError> decode_app_log(std::string_view log, const Knowledge& knowledge);
/// What programs and people said in the log that was given (not the kernel's lines in it, nor a
/// report on an environment), and below it what the libraries said that --deep or self-tests ran
/// and that failed.
const std::string& spoken(const Context& context);
/// The same in lower case.
std::string_view spoken_lower(const Context& context);
/// Of what was spoken, decoded once; empty when there is none.
const std::vector<AppError>& app_errors(const Context& context);
/// Whether what was spoken has the known message of this id.
bool has_app_error(const Context& context, std::string_view id);
/// Whether what was spoken has the text (without case; "*" as above).
bool app_log_has(const Context& context, std::string_view text);
bool app_log_has_one(const Context& context, std::span<const std::string_view> texts);
bool app_log_has_one(const Context& context, WordListName texts);
/// Whether a known message of a program tells of a fault of the stack.
bool program_complains(const Context& context);
/// Whether what was spoken speaks of something: each of its words, in lower case, begins a word of
/// one line, or of it and the next.
bool speaks_of(const Context& context, std::string_view words_of_it);
/// Whether a person says in their own words, in a few lines, what is wrong.
bool person_speaks(const Context& context);
/// Whether a program of Python ended with an exception.
bool python_raised(const Context& context);
/// Whether a person does, a program of Python ended with an exception, or a message or words that
/// are known tell of a fault of the stack.
bool someone_complains(const Context& context);
/// Whether someone does, and what was spoken speaks of one of these.
bool someone_complains_of(const Context& context, std::span<const std::string_view> things);
/// Whether people's own words have one of these (as above). Words as common as "slow" mean
/// something only in what a person wrote down, not anywhere in the log of a program.
bool people_say(const Context& context, std::initializer_list<std::string_view> words);
bool people_say(const Context& context, std::span<const std::string_view> words);

}  // namespace rocvet
