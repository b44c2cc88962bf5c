// The verbs: one file each, arguments in, exit status out.
#pragma once

#include <span>
#include <string_view>

namespace rocvet::cli {

constexpr int kUsageError = 3;  ///< bad arguments, bad input, or an error of rocvet itself

struct Verb {
  std::string_view name, summary;
  int (*run)(int argc, char** argv);  ///< argv[0] is the verb
};

std::span<const Verb> all_verbs();

int run_verb(int argc, char** argv);
int calibrate_verb(int argc, char** argv);
int check_verb(int argc, char** argv);
int advise_verb(int argc, char** argv);
int db_verb(int argc, char** argv);
int compat_verb(int argc, char** argv);
int scan_verb(int argc, char** argv);
int test_verb(int argc, char** argv);
int diff_verb(int argc, char** argv);
int expect_verb(int argc, char** argv);
int explain_verb(int argc, char** argv);
int fix_verb(int argc, char** argv);
int fleet_verb(int argc, char** argv);
int ladder_verb(int argc, char** argv);
int list_verb(int argc, char** argv);
int plan_verb(int argc, char** argv);
int policy_verb(int argc, char** argv);
int report_verb(int argc, char** argv);
int snapshot_verb(int argc, char** argv);

}  // namespace rocvet::cli
