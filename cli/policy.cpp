// rocvet policy init: a policy file that this machine meets, to start from.
#include "report/policy.h"

#include "cli/output.h"
#include "cli/pipeline.h"
#include "cli/reader.h"

namespace rocvet::cli {

int policy_verb(int argc, char** argv) {
  CommonOptions options;
  std::string what;
  CLI::App app("Prints a policy file (for --policy) that this machine meets.", "rocvet policy");
  app.add_option("what", what, "init")->required()->check(CLI::IsMember({"init"}));
  add_machine_options(app, options);
  if (const auto status = parse(app, argc, argv)) return *status;

  only_read_if_recorded(options);
  auto pipeline = Pipeline::open("policy", options);
  if (!pipeline) return complain(pipeline.error().text());
  const auto done = print(policy_of(pipeline->report().machine));
  return done ? 0 : complain(done.error().text());
}

}  // namespace rocvet::cli
