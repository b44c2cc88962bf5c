// rocvet list checks|tests|gpus|causes|releases|systems|frameworks: what there is, a line each.
#include <algorithm>

#include "base/text.h"
#include "cli/output.h"
#include "db/listing.h"

namespace rocvet::cli {
namespace {

std::string column(std::string_view text, std::size_t width) {
  std::string out(text);
  if (out.size() < width) out.resize(width, ' ');
  return out + "  ";
}

std::string list_checks(const Database& database) {
  std::string out;
  for (const Check* check : all_checks(database)) {
    out += column(check->code, 6) + column(check->id, 36) + std::string(check->title) + "\n";
  }
  return out;
}

std::string list_tests(const Database&) {
  std::string out;
  for (const SelfTest* test : all_selftests()) {
    out += column(test->id, 20) + std::string(test->title);
    // They load much and may break: apart from the rest, and with a limit unless --full was asked.
    if (test->own_process)
      out += " (a process of its own, at most " + fixed(test->deadline_s, 0) + " s)";
    out += "\n";
  }
  return out;
}

std::string list_gpus(const Database& database) {
  std::string out;
  for (const GpuInfo& gpu : database.gpus()) {
    std::string ids;
    for (const PciId& id : gpu.pci) ids += (ids.empty() ? "" : " ") + id.vendor + ":" + id.device;
    out += column(gpu.gfx, 8) + column(gpu.name, 44) + ids + "\n";
  }
  return out;
}

std::string list_causes(const Database& database) {
  std::string out;
  for (const Cause& cause : database.knowledge().causes())
    out += column(cause.id, 36) + std::string(cause.title) + "\n";
  return out;
}

std::string two_columns(const std::vector<Listed>& rows) {
  std::size_t wide = 0;
  for (const Listed& row : rows) wide = std::max(wide, row.name.size());
  std::string out;
  for (const Listed& row : rows) out += column(row.name, wide) + row.about + "\n";
  return out;
}

std::string list_releases(const Database& database) {
  return two_columns(listed_releases(database));
}

std::string list_systems(const Database& database) {
  return two_columns(listed_systems(database));
}

std::string list_frameworks(const Database& database) {
  return two_columns(listed_frameworks(database));
}

struct Listing {
  std::string name;
  std::string (*text)(const Database&);
};
const std::vector<Listing> kListings = {
    {"checks", list_checks},        {"tests", list_tests},       {"gpus", list_gpus},
    {"causes", list_causes},        {"releases", list_releases}, {"oses", list_systems},
    {"frameworks", list_frameworks}};

}  // namespace

int list_verb(int argc, char** argv) {
  std::string what;
  CLI::App app("Lists what rocvet knows, a line each.", "rocvet list");
  app.add_option("what", what, "checks, tests, gpus, causes, releases, oses or frameworks")
      ->required();
  std::string overlay;
  add_database_option(app, overlay);
  if (const auto status = parse(app, argc, argv)) return *status;

  const auto database = open_database(overlay);
  if (!database) return complain(database.error().text());
  std::vector<std::string> names;
  for (const Listing& listing : kListings) {
    if (listing.name == what) {
      const auto done = print(listing.text(**database));
      return done ? 0 : complain(done.error().text());
    }
    names.push_back(listing.name);
  }
  return complain("list: nothing to list under '" + what + "'" + did_you_mean(what, names) + " (" +
                  join(names, ", ") + ")");
}

}  // namespace rocvet::cli
