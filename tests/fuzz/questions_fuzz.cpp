// A file of questions for `rocvet compat --questions`, in memory.
#include <sys/mman.h>
#include <unistd.h>

#include <string>

#include "cli/questions_file.h"
#include "db/database.h"
#include "fuzz/target.h"

using namespace rocvet;

FUZZ_TARGET(questions) {
  static const int file = memfd_create("questions", 0);
  if (file < 0 || ftruncate(file, 0) != 0 ||
      pwrite(file, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    return;
  const auto questions = cli::read_questions("/proc/self/fd/" + std::to_string(file));
  if (!questions) {
    fuzz::must(questions.error().text().find('\n') == std::string::npos, "an error is one line");
    return;
  }
  // A question takes its time; what is asked matters, not how often.
  for (std::size_t at = 0; at < questions->size() && at < 4; ++at)
    fuzz::use(Database::embedded().ask((*questions)[at]));
}
