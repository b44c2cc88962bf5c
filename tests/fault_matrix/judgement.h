// What rocvet says of a machine, and what of it a fault made better.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/verdict.h"
#include "source/source.h"
#include "tests/fault_matrix/fault.h"

namespace rocvet {

struct CheckWords {
  Verdict verdict = Verdict::skip;  ///< the worst of its findings
  std::map<std::string, Verdict> subjects;
  std::vector<std::string> findings;  ///< "fail gpu 1: …"
};

struct Judgement {
  Verdict overall = Verdict::unknown;
  std::map<std::string, CheckWords> checks;  ///< by id
  std::vector<std::string> causes;
};

/// Reads the machine, runs every check and names the causes. `app_log`: what the application said,
/// where the machine itself does not tell.
Judgement judge(Source& source, const Result<std::string>& app_log);

/// What a fault did to one verdict.
struct Change {
  enum class Kind {
    better,     ///< a complaint became a pass
    invented,   ///< what was not judged passes
    blind,      ///< passes though its fact could not be read: with a bad answer it does not
    reworded,   ///< passes and says something else: less was looked at, and nothing says so
    undecided,  ///< overall passes, and the check that complained says that it cannot tell
    softened,   ///< fail became warn
    silenced,   ///< a complaint is gone, and nothing says that it could not be judged
    accused,    ///< a new complaint
    crashed,    ///< the check threw
  };
  Kind kind = Kind::better;
  std::string check;  ///< an id, or "overall"
  std::string what;   ///< "fail -> pass"
};
std::string_view to_string(Change::Kind kind);

std::vector<Change> changes(const Judgement& sound, const Judgement& faulty);
/// Ids of checks whose verdict is another.
std::set<std::string> judged_otherwise(const Judgement& sound, const Judgement& faulty);
/// Passes that rest on a fact that could not be read; `moved`: the checks that a bad answer moves.
std::vector<Change> blind_passes(const Judgement& sound, const Judgement& faulty,
                                 const std::set<std::string>& moved);
/// Ids of checks that say something else.
std::set<std::string> differing(const Judgement& sound, const Judgement& faulty);

}  // namespace rocvet
