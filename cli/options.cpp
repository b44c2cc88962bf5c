#include "cli/options.h"

#include <algorithm>
#include <cstdio>

#include "base/printable.h"
#include "base/text.h"
#include "cli/output.h"
#include "update/installed.h"

namespace rocvet::cli {

int complain(std::string_view what) {
  // What a file holds or a user typed never reaches the terminal raw.
  std::fprintf(stderr, "rocvet: %s\n", printable_excerpt(what).c_str());
  return kUsageError;
}

void add_output_options(CLI::App& app, CommonOptions& options) {
  app.add_option("--format", options.format,
                 "what goes to standard output: text, json, html, markdown, junit, sarif, github "
                 "(annotations), gitlab (code quality), prometheus, line (for a scheduler) or "
                 "nagios (whose exit status is a plugin's)");
  app.add_option("--output", options.outputs,
                 "FORMAT=FILE: write the report there as well (repeatable)")
      ->expected(1)
      ->take_all();
  app.add_flag("-v,--verbose", options.verbose, "show passed and skipped checks too");
  app.add_flag("-q,--quiet", options.quiet, "only what failed");
  app.add_option("--color", options.color,
                 "always, never or auto: on a terminal (also NO_COLOR, FORCE_COLOR)")
      ->check(CLI::IsMember({"always", "never", "auto"}))
      ->type_name("WHEN");
  app.add_flag("--no-color", options.no_color, "as --color never");
}

std::string not_empty(const std::string& value) {
  return value.empty() ? "the path is empty" : "";
}

void add_database_option(CLI::App& app, std::string& folder) {
  app.add_option("--db", folder, "folder of TOML files laid over the built-in database")
      ->check(not_empty);
}

Result<std::shared_ptr<const Database>> open_database(const std::string& folder) {
  if (!folder.empty()) return Database::with_overlay(folder);
  update::Found found = update::newest();
  for (const std::string& why : found.ignored)
    std::fprintf(stderr, "rocvet: an installed database is passed over: %s\n",
                 printable_excerpt(why).c_str());
  if (found.database != nullptr) return found.database;
  return std::shared_ptr<const Database>(std::shared_ptr<void>(), &Database::embedded());
}

void add_machine_options(CLI::App& app, CommonOptions& options) {
  app.add_option("--snapshot", options.snapshot,
                 "read this recorded machine instead of the live one")
      ->check(not_empty);
  add_database_option(app, options.database);
  app.add_option("--log", options.log, "what the failing application printed")->check(not_empty);
  app.add_option("--python", options.python,
                 "a Python to read too: its program or its environment's folder (repeatable); a "
                 "version (3.12) where one is asked about")
      ->expected(1)
      ->take_all()
      ->check(not_empty);
}

std::string take_python_version(CommonOptions& options) {
  const auto is_version = [](const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789.") == text.npos;
  };
  const auto found = std::ranges::find_if(options.python, is_version);
  if (found == options.python.end()) return {};
  std::string version = *found;
  options.python.erase(found);
  return version;
}

void add_judgement_options(CLI::App& app, CommonOptions& options) {
  app.add_option(
         "--policy", options.policy,
         "TOML file of what this site demands, which severities it changes and what it waives")
      ->check(not_empty);
  app.add_option(
         "--baseline", options.baseline,
         "an earlier JSON report: what failed then only warns, what got slower since does not pass")
      ->check(not_empty);
  app.add_option("--expect", options.expected,
                 "what the machine has to have, without a policy file: gpus=8,gfx=gfx942, and the "
                 "other keys of a policy's [expect] (repeatable)")
      ->expected(1)
      ->take_all()
      ->type_name("KEY=VALUE,...");
  app.add_option("--ignore", options.ignored,
                 "a check, self-test or root cause that does not count (id, code or glob; "
                 "repeatable)")
      ->expected(1)
      ->take_all()
      ->type_name("ID");
  app.add_option("--fail-on", options.fail_on,
                 "what fails: fail, warn (warnings too) or regression (whatever is slower than the "
                 "--baseline or fails anew)")
      ->check(CLI::IsMember({"fail", "warn", "regression"}))
      ->type_name("WHAT");
}

void add_deep_options(CLI::App& app, CommonOptions& options) {
  auto* deep = app.add_flag("--deep", options.deep,
                            "also load and run HIP, ROCr, ROCm SMI, AMD SMI and each torch, each "
                            "in a process of its own");
  if (app.get_option_no_throw("--snapshot") != nullptr) deep->excludes("--snapshot");
  app.add_option("--deep-deadline", options.deep_deadline_s,
                 "seconds that a library may take (60; torch three times that)")
      ->check(CLI::Range(0.1, 3600.0))
      ->needs(deep);
}

void add_selection_options(CLI::App& app, CommonOptions& options) {
  app.add_option("--only", options.only, "run only these checks (id, code or glob; repeatable)")
      ->expected(1)
      ->take_all()
      ->delimiter(',');
  app.add_option("--skip", options.skip, "leave these checks out (id, code or glob; repeatable)")
      ->expected(1)
      ->take_all()
      ->delimiter(',');
}

namespace {

/// "check" of "rocvet check".
std::string verb_of(const CLI::App& app) {
  return app.get_name().substr(app.get_name().find(' ') + 1);
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

}  // namespace

std::optional<int> parse(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::CallForHelp&) {
    return print_only(app.help());
  } catch (const CLI::ExtrasError&) {
    const std::vector<std::string> extras = app.remaining();
    const std::string word = extras.empty() ? "" : extras.front();
    if (word.starts_with("-")) {
      const std::string name = word.substr(0, word.find('='));
      return complain(verb_of(app) + ": unknown option '" + name + "'" +
                      did_you_mean(name, option_names(app)));
    }
    return complain(verb_of(app) + ": unexpected argument '" + word + "'");
  } catch (const CLI::ParseError& problem) {
    return complain(verb_of(app) + ": " + problem.what());
  }
}

}  // namespace rocvet::cli
