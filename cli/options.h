// The options that verbs share, and how a wrong one is answered.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/verb.h"
#include "db/database.h"

namespace rocvet::cli {

struct CommonOptions {
  std::string snapshot, database, log;
  std::string policy, baseline;
  std::vector<std::string> expected;  ///< --expect, each "KEY=VALUE,…"
  std::vector<std::string> ignored;   ///< --ignore
  std::string fail_on = "fail";       ///< fail, warn or regression
  std::string format = "text";
  std::vector<std::string> outputs;  ///< FORMAT=FILE
  std::vector<std::string> only, skip;
  std::vector<std::string> python;  ///< environments' folders or python programs
  bool verbose = false, quiet = false, no_color = false;
  std::string color = "auto";  ///< always, never or auto
  bool deep = false;
  double deep_deadline_s = 60;
};

/// --format, --output, --verbose, --quiet, --color, --no-color.
void add_output_options(CLI::App& app, CommonOptions& options);
/// --db: a folder of TOML files, for open_database().
void add_database_option(CLI::App& app, std::string& folder);
/// The built-in database, with the files of `folder` laid over it where that is not ""; else the
/// one that is installed, where it is newer (update/installed.h).
Result<std::shared_ptr<const Database>> open_database(const std::string& folder);
/// For CLI11: an empty path is an unset variable of a script; never the live machine, the built-in
/// database or standard output instead.
std::string not_empty(const std::string& value);
/// --snapshot, --db, --log, --python.
void add_machine_options(CLI::App& app, CommonOptions& options);
/// Takes a version ("3.12") out of what --python was given, for verbs that ask about one; "" where
/// there is none.
std::string take_python_version(CommonOptions& options);
/// --policy, --baseline, --expect, --ignore, --fail-on: what ReportSink judges a report by.
void add_judgement_options(CLI::App& app, CommonOptions& options);
/// --deep, --deep-deadline; after add_machine_options().
void add_deep_options(CLI::App& app, CommonOptions& options);
/// --only, --skip.
void add_selection_options(CLI::App& app, CommonOptions& options);

/// Parses; the exit status when that is all there is to do (0 for --help, 3 with one line on stderr
/// for a mistake, with "did you mean", or for a help that nobody got).
std::optional<int> parse(CLI::App& app, int argc, char** argv);

/// One line on stderr, whatever the length of what it quotes; returns kUsageError.
int complain(std::string_view what);

}  // namespace rocvet::cli
