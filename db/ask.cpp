// Questions to the database: which published statements speak of a combination, and what they say
// together.
#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "base/text.h"
#include "db/blob_database.h"
#include "db/names.h"

namespace rocvet::db {
namespace {

/// Worst first: the verdict of a combination is the worst of its facts.
constexpr Support kBySeverity[] = {Support::unsupported, Support::unknown,    Support::unlisted,
                                   Support::enabled,     Support::deprecated, Support::supported};

int severity(Support support) {
  return static_cast<int>(std::find(std::begin(kBySeverity), std::end(kBySeverity), support) -
                          std::begin(kBySeverity));
}

Support parse_support(std::string_view word) {
  for (const Support support : kBySeverity) {
    if (to_string(support) == word) return support;
  }
  return Support::unknown;
}

/// A release as asked, placed among those the database knows.
struct Release {
  std::string asked;
  Version version;     ///< the release whose rows are used
  bool newer = false;  ///< than every known one
  bool exists = true;  ///< false: between two known ones and not of a known series
  std::string note;    ///< when `version` is not literally what was asked
};

struct Context {
  const BlobDatabase& db;
  Release release;
  bool has_release = false;
  std::string gpu_asked;
  std::vector<const GpuInfo*> products;  ///< what --gpu may be; empty when it is a whole target
  std::string gfx;                       ///< "" when not asked
  bool whole_target = false;
};

/// A row of any table as a fact; some tables have no condition, and some no word on disagreement.
Fact fact_of(const TableView& table, std::size_t row, std::string subject, Support verdict,
             std::string because) {
  Fact fact{std::move(subject),
            verdict,
            std::move(because),
            std::string(table.find(row, "source")),
            std::string(table.find(row, "checked")),
            std::string(table.find(row, "condition"))};
  const auto basis = table.find(row, "basis");
  if (!basis.empty() && basis != "published") {
    fact.because += " (rests on " + std::string(basis == "inferred" ? "inference" : basis) + ")";
  }
  if (table.find(row, "disagrees") == "true") fact.because += " (sources disagree)";
  return fact;
}

Result<Release> find_release(const BlobDatabase& db, std::string_view text) {
  Release release;
  release.asked = std::string(trim(text));
  std::string_view digits = release.asked;
  if (digits.starts_with("rocm")) digits = trim(digits.substr(4));
  digits = strip_series(digits);
  const auto version = parse_version("--rocm", digits);
  if (!version) return version.error();
  release.version = *version;

  const auto table = db.table<"release">();
  std::vector<Version> known;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (auto each = Version::parse(table.get(i, "rocm"))) known.push_back(std::move(*each));
  }
  std::sort(known.begin(), known.end());
  if (known.empty()) return release;
  // "6.2" is the newest of its series.
  const Version* newest_of_series = nullptr;
  for (const auto& each : known) {
    if (version->parts.size() < 3 && each.starts_with(*version)) newest_of_series = &each;
  }
  if (newest_of_series) {
    release.version = *newest_of_series;
    return release;
  }
  if (std::find(known.begin(), known.end(), *version) != known.end()) return release;
  Version series;
  series.parts.assign(version->parts.begin(),
                      version->parts.begin() + std::min<std::size_t>(2, version->parts.size()));
  const Version* earlier = nullptr;
  bool known_series = false;
  for (const auto& each : known) {
    if (each.starts_with(series)) {
      known_series = true;
      if (each < *version) earlier = &each;
    }
  }
  // A patch release that the database has not heard of is like the one before it.
  if (known_series && earlier) {
    release.note =
        "as " + earlier->text() + "; " + release.asked + " itself is not in the database";
    release.version = *earlier;
  } else if (known.back() < *version) {
    release.newer = true;
  } else {
    release.exists = known_series;
  }
  return release;
}

Result<Done> find_gpu(Context& context, std::string_view asked) {
  context.gpu_asked = std::string(trim(asked));
  const std::string word = lower(context.gpu_asked);
  const auto targets = context.db.table<"target">();
  std::vector<std::string> names;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    names.emplace_back(targets.get(i, "gfx"));
    if (targets.get(i, "gfx") == word) {
      context.gfx = word;
      context.whole_target = true;
      return Done{};
    }
  }
  if (is_gfx_name(word)) {
    // A target that no file names: the published tables do not speak of it.
    context.gfx = word;
    context.whole_target = true;
    return Done{};
  }
  context.products = context.db.find(context.gpu_asked);
  if (!context.products.empty()) {
    context.gfx = context.products.front()->gfx;
    return Done{};
  }
  // An id of a known target whose product is not known.
  std::string_view id = word;
  if (id.starts_with("1002:")) id.remove_prefix(5);
  if (id.starts_with("0x")) id.remove_prefix(2);
  if (const auto gfx = context.db.gfx_of_device("1002", id.substr(0, 4));
      id.size() >= 4 && !gfx.empty()) {
    context.gfx = std::string(gfx);
    context.whole_target = true;
    return Done{};
  }
  for (const auto& info : context.db.gpus()) {
    names.push_back(info.name);
    // The series word is what people leave out.
    if (const std::size_t space = info.name.find(' '); space != std::string::npos) {
      names.push_back(info.name.substr(space + 1));
    }
  }
  return missing("--gpu", "no GPU is called '" + context.gpu_asked + "'" +
                              did_you_mean(context.gpu_asked, names));
}

bool is_apu(const BlobDatabase& db, std::string_view gfx) {
  const auto targets = db.table<"target">();
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (targets.get(i, "gfx") == gfx) return targets.get(i, "apu") == "true";
  }
  return false;
}

/// Several products may carry the name; they are asked about together only while they share a
/// target.
Result<Done> check_ambiguity(const Context& context) {
  std::set<std::string> targets;
  for (const auto* product : context.products) targets.insert(product->gfx);
  if (targets.size() < 2) return Done{};
  std::vector<std::string> candidates;
  for (const auto* product : context.products) {
    if (candidates.size() == 12) {
      candidates.push_back("…");
      break;
    }
    candidates.push_back(product->name + " (" + product->gfx + ")");
  }
  return Error{Error::Kind::malformed, "--gpu",
               "'" + context.gpu_asked + "' may be " + join(candidates, ", ") + "; say which"};
}

bool names_product(std::string_view list, const Context& context) {
  const std::string asked = plain_name(context.gpu_asked);
  for (const auto item : list_items(list)) {
    const std::string plain = plain_name(item);
    if (plain == asked) return true;
    for (const auto* product : context.products) {
      if (plain == plain_name(product->name)) return true;
      // "Instinct MI50" of a table is both the 16 GB and the 32 GB one.
      const std::size_t paren = product->name.find(" (");
      if (paren != std::string::npos && plain == plain_name(product->name.substr(0, paren)))
        return true;
      for (const auto& alias : product->aliases) {
        // A processor's row speaks of its graphics only when the graphics were asked for by name.
        if (plain == plain_name(alias) && asked == plain_name(product->name)) return true;
      }
    }
  }
  return false;
}

std::string products_of(const Table<"support">& table, std::size_t row) {
  std::vector<std::string> names;
  for (const auto item : list_items(table.get(row, "gpus"))) names.emplace_back(item);
  return join(names, ", ");
}

/// Rows of one table whose ROCm range holds the release; an overlay's rows stand first.
template <typename Wanted>
std::vector<std::size_t> rows_for(const TableView& table, const Version& release, Wanted&& wanted) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (wanted(i) && range_holds(table.find(i, "rocm"), release)) rows.push_back(i);
  }
  return rows;
}

/// Which libraries are built for a target in a release, as facts that do not decide.
void library_facts(const Context& context, std::vector<Fact>& facts) {
  const auto table = context.db.table<"library">();
  for (const std::size_t i : rows_for(table, context.release.version, [&](std::size_t row) {
         const auto items = list_items(table.get(row, "gfx"));
         return std::find(items.begin(), items.end(), context.gfx) != items.end();
       })) {
    const bool built = table.get(i, "built") == "true";
    facts.push_back(fact_of(table, i, "library × gpu",
                            built ? Support::enabled : Support::unsupported,
                            std::string(table.get(i, "library")) +
                                (built ? " is built for " : " is not built for ") + context.gfx));
  }
}

/// "gpu × rocm". `facts` takes what was published; the return is the verdict on it.
Fact gpu_fact(const Context& context, std::vector<Fact>& others) {
  const auto table = context.db.table<"support">();
  const Version& release = context.release.version;
  const std::string who = context.whole_target ? context.gfx : context.gpu_asked;
  const std::string rocm =
      "ROCm " + (context.release.note.empty() ? release.text() : context.release.asked);
  const auto same_target = [&](std::size_t i) { return table.get(i, "gfx") == context.gfx; };

  std::vector<Fact> libraries;
  library_facts(context, libraries);
  const bool built = std::any_of(libraries.begin(), libraries.end(),
                                 [](const Fact& fact) { return fact.verdict == Support::enabled; });
  const auto spoken = [](Support verdict) {
    switch (verdict) {
      case Support::supported:
        return "is supported by ";
      case Support::deprecated:
        return "is deprecated in ";
      case Support::enabled:
        return "works unofficially with ";
      case Support::unsupported:
        return "is not supported by ";
      default:
        return "is not listed for ";
    }
  };

  std::vector<std::size_t> target_rows, product_rows, sibling_rows;
  for (const std::size_t i : rows_for(table, release, [](std::size_t) { return true; })) {
    const bool whole = table.get(i, "gpus").empty();
    if (!context.whole_target && !whole && names_product(table.get(i, "gpus"), context)) {
      product_rows.push_back(i);
    } else if (same_target(i)) {
      (whole ? target_rows : sibling_rows).push_back(i);
    }
  }
  if (!product_rows.empty()) {
    const Support verdict = parse_support(table.get(product_rows[0], "verdict"));
    for (std::size_t i = 1; i < product_rows.size(); ++i) {
      const Support other = parse_support(table.get(product_rows[i], "verdict"));
      if (other != verdict || table.get(product_rows[i], "disagrees") == "true") {
        others.push_back(fact_of(table, product_rows[i], "gpu × rocm", other,
                                 "another source: " + who + " " + spoken(other) + rocm));
      }
    }
    if (severity(verdict) <= severity(Support::unlisted)) {
      others.insert(others.end(), libraries.begin(), libraries.end());
    }
    return fact_of(table, product_rows[0], "gpu × rocm", verdict,
                   who + " " + spoken(verdict) + rocm);
  }

  if (context.whole_target) {
    // The target itself, then the release of the same series nearest to it, then its products.
    std::optional<std::size_t> row;
    std::string nearest;
    if (!target_rows.empty()) {
      row = target_rows[0];
    } else if (sibling_rows.empty()) {
      const auto releases = context.db.table<"release">();
      for (std::size_t r = 0; r < releases.size() && !row; ++r) {
        const auto other = Version::parse(releases.get(r, "rocm"));
        if (!other || release.parts.size() < 2 ||
            !other->starts_with(Version{{release.parts[0], release.parts[1]}})) {
          continue;
        }
        for (std::size_t i = 0; i < table.size() && !row; ++i) {
          if (same_target(i) && table.get(i, "gpus").empty() &&
              range_holds(table.get(i, "rocm"), *other)) {
            row = i;
            nearest = other->text();
          }
        }
      }
    }
    if (row) {
      const Support verdict = parse_support(table.get(*row, "verdict"));
      if (severity(verdict) <= severity(Support::enabled)) {
        others.insert(others.end(), libraries.begin(), libraries.end());
      }
      return fact_of(
          table, *row, "gpu × rocm", verdict,
          who + " " + spoken(verdict) + rocm + (nearest.empty() ? "" : " (as " + nearest + ")"));
    }
    if (!sibling_rows.empty()) {
      std::size_t best = sibling_rows[0];
      for (const std::size_t i : sibling_rows) {
        if (severity(parse_support(table.get(i, "verdict"))) >
            severity(parse_support(table.get(best, "verdict")))) {
          best = i;
        }
      }
      const Support verdict = parse_support(table.get(best, "verdict"));
      Fact fact = fact_of(table, best, "gpu × rocm", verdict, who + " " + spoken(verdict) + rocm);
      fact.condition = "listed: " + products_of(table, best) +
                       (fact.condition.empty() ? "" : "; " + fact.condition);
      return fact;
    }
  }

  Fact fact{.subject = "gpu × rocm", .verdict = Support::unlisted};
  if (!context.whole_target && !sibling_rows.empty()) {
    const std::size_t i = sibling_rows[0];
    fact = fact_of(table, i, "gpu × rocm", Support::unlisted,
                   "AMD's table for " + rocm + " lists " + products_of(table, i) + " of " +
                       context.gfx + ", not " + who);
    fact.condition.clear();
  } else if (!context.whole_target && !target_rows.empty()) {
    // Only the target is listed there: it stands for the products that AMD listed before.
    const std::size_t i = target_rows[0];
    const Support target = parse_support(table.get(i, "verdict"));
    bool ever = false;
    for (std::size_t j = 0; j < table.size() && !ever; ++j) {
      ever = same_target(j) && names_product(table.get(j, "gpus"), context) &&
             parse_support(table.get(j, "verdict")) == Support::supported;
    }
    const Support verdict = target == Support::supported && !ever ? Support::unlisted : target;
    fact = fact_of(table, i, "gpu × rocm", verdict,
                   "the table for " + rocm + " lists " + context.gfx + ", not products; " +
                       (verdict == Support::supported ? who + " is listed by other releases"
                                                      : "no release lists " + who));
  } else if (!libraries.empty()) {
    fact = libraries.front();
    fact.subject = "gpu × rocm";
    fact.verdict = built && context.whole_target ? Support::enabled : Support::unlisted;
    fact.because =
        "no published table lists " + who + " for " + rocm + "; " + libraries.front().because;
  } else {
    fact.because = "no published table lists " + who + " for " + rocm;
    fact.source = "ROCm documentation, all tables in the database";
    fact.checked = context.db.version();
  }
  if (fact.verdict != Support::supported) {
    others.insert(others.end(), libraries.begin(), libraries.end());
    if (built && fact.verdict == Support::unlisted) {
      fact.because += "; the libraries of this release are built for " + context.gfx +
                      ", so it may work unofficially";
    }
  }
  return fact;
}

std::vector<Fact> os_facts(const Context& context, const OsName& os, const std::string& kernel) {
  const auto table = context.db.table<"os">();
  const std::string rocm = "ROCm " + context.release.version.text();
  std::vector<std::size_t> rows;
  bool other_version = false;
  std::vector<std::string> listed;
  for (const std::size_t i : rows_for(table, context.release.version, [&](std::size_t row) {
         return table.get(row, "os") == os.id;
       })) {
    const auto variant = table.get(i, "variant");
    if (!os.variant.empty() && variant != os.variant) continue;
    if (os_version_matches(os, table.get(i, "version"))) {
      rows.push_back(i);
    } else {
      other_version = true;
      if (parse_support(table.get(i, "verdict")) == Support::supported) {
        listed.emplace_back(table.get(i, "version"));
      }
    }
  }
  std::vector<Fact> facts;
  const std::string name = os.display();
  if (rows.empty()) {
    Fact fact{.subject = "os × rocm", .verdict = Support::unlisted};
    fact.because = name + " is not listed for " + rocm;
    if (other_version && !listed.empty()) {
      std::sort(listed.begin(), listed.end());
      listed.erase(std::unique(listed.begin(), listed.end()), listed.end());
      fact.because += "; of this system it lists " + join(listed, ", ");
    }
    fact.source = "ROCm documentation, all tables in the database";
    fact.checked = context.db.version();
    facts.push_back(fact);
    return facts;
  }
  // A system asked for without its point release has the best answer of them.
  std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
    const bool plain_a = table.get(a, "variant").empty(), plain_b = table.get(b, "variant").empty();
    if (plain_a != plain_b) return plain_a;
    return severity(parse_support(table.get(a, "verdict"))) >
           severity(parse_support(table.get(b, "verdict")));
  });
  const std::size_t best = rows[0];
  const Support verdict = parse_support(table.get(best, "verdict"));
  Fact fact = fact_of(table, best, "os × rocm", verdict,
                      os_display(os.id, table.get(best, "version")) +
                          (verdict == Support::supported     ? " is listed for "
                           : verdict == Support::unsupported ? " is no longer supported by "
                                                             : " is not listed for ") +
                          rocm);
  facts.push_back(fact);
  for (const std::size_t i : rows) {
    if (i != best && table.get(i, "disagrees") == "true") {
      facts.push_back(
          fact_of(table, i, "os × rocm", parse_support(table.get(i, "verdict")), "another source"));
    }
  }

  std::vector<std::string> kernels;
  for (const std::size_t i : rows) {
    if (parse_support(table.get(i, "verdict")) != verdict) continue;
    for (const auto item : list_items(table.get(i, "kernels"))) kernels.emplace_back(item);
  }
  if (!kernel.empty() && !kernels.empty()) {
    bool hit = false, comparable = false;
    for (const auto& each : kernels) {
      const auto match = kernel_matches(each, kernel);
      comparable |= match.has_value();
      hit |= match.value_or(false);
    }
    if (comparable) {
      Fact fact_kernel =
          fact_of(table, best, "os × kernel", hit ? Support::supported : Support::unlisted,
                  "Linux " + kernel +
                      (hit ? " is of the listed series: " : " is not of the listed series: ") +
                      join(kernels, ", "));
      fact_kernel.condition.clear();
      facts.push_back(fact_kernel);
    }
  }
  return facts;
}

/// At least one; the first decides.
std::vector<Fact> driver_facts(const Context& context, const std::string& asked,
                               const Version& version) {
  const auto table = context.db.table<"driver">();
  const std::string rocm = "ROCm " + context.release.asked;
  const bool is_series = strip_series(asked) != trim(asked);
  const auto lookup = [&](const Version& driver, bool series) {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < table.size(); ++i) {
      const auto range = table.get(i, "driver");
      const bool hit = range_holds(range, driver) ||
                       (series && range.starts_with("=") &&
                        Version::parse(range.substr(1)).value_or(Version{}).starts_with(driver));
      if (hit && range_holds(table.get(i, "rocm"), context.release.version)) rows.push_back(i);
    }
    return rows;
  };
  std::string shown = asked;
  auto rows = lookup(version, is_series);
  if (rows.empty()) {
    // The version of the kernel module ("6.10.5") instead of the driver release ("6.3").
    const std::string release = context.db.driver_of_module(version);
    if (const auto of_module = Version::parse(release)) {
      shown += " (amdgpu " + release + ")";
      rows = lookup(*of_module, false);
    }
  }
  std::vector<Fact> facts;
  if (rows.empty()) {
    facts.push_back({"driver × rocm", Support::unlisted,
                     "driver " + shown + " is outside the window published for " + rocm,
                     "ROCm documentation, all tables in the database", context.db.version(), ""});
    return facts;
  }
  std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
    return severity(parse_support(table.get(a, "verdict"))) >
           severity(parse_support(table.get(b, "verdict")));
  });
  const Support verdict = parse_support(table.get(rows[0], "verdict"));
  facts.push_back(
      fact_of(table, rows[0], "driver × rocm", verdict,
              "driver " + shown +
                  (verdict == Support::supported ? " goes with " : " is not listed for ") + rocm));
  for (const std::size_t i : rows) {
    const Support other = parse_support(table.get(i, "verdict"));
    if (other != verdict) {
      Fact fact = fact_of(table, i, "driver × rocm", other, "another source does not list it");
      facts.push_back(fact);
      break;
    }
  }
  return facts;
}

/// A framework as asked: "pytorch=2.6.x".
struct FrameworkAsked {
  std::string name;
  std::string version_text;        ///< "" when no version was given
  std::optional<Version> version;  ///< of `version_text`
};

Result<FrameworkAsked> find_framework(const BlobDatabase& db, std::string_view text) {
  FrameworkAsked asked;
  const std::size_t equals = text.find('=');
  asked.name = framework_name(text.substr(0, equals));
  if (equals != std::string_view::npos) asked.version_text = trim(text.substr(equals + 1));
  if (!asked.version_text.empty()) {
    auto version = parse_version("--framework", strip_series(asked.version_text));
    if (!version) return version.error();
    asked.version = std::move(*version);
  }
  const auto table = db.table<"framework">();
  std::vector<std::string> names;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table.get(i, "framework") == asked.name) return asked;
    names.emplace_back(table.get(i, "framework"));
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return missing("--framework",
                 "nothing is known of '" + asked.name + "'" + did_you_mean(asked.name, names));
}

std::vector<Fact> framework_facts(const Context& context, const FrameworkAsked& asked) {
  const auto& [name, version_text, version] = asked;
  const auto table = context.db.table<"framework">();
  const std::string rocm = "ROCm " + context.release.asked;
  std::vector<Fact> facts;
  std::vector<std::string> listed;
  std::optional<std::size_t> hit;
  for (const std::size_t i : rows_for(table, context.release.version, [&](std::size_t row) {
         return table.get(row, "framework") == name;
       })) {
    for (const auto item : list_items(table.get(i, "versions"))) {
      const auto each = Version::parse(item.starts_with(">=") ? item.substr(2) : item);
      const bool matches = !version ||
                           (each && (item.starts_with(">=") ? *version >= *each
                                                            : version->starts_with(*each) ||
                                                                  each->starts_with(*version))) ||
                           item == version_text;
      if (matches && !hit) hit = i;
      listed.emplace_back(item);
    }
  }
  if (!hit) {
    Fact fact{.subject = "framework × rocm", .verdict = Support::unlisted};
    fact.because = name + " " + version_text + " is not listed for " + rocm +
                   (listed.empty() ? "" : ", which lists " + join(listed, ", "));
    fact.source = "ROCm documentation, all tables in the database";
    fact.checked = context.db.version();
    facts.push_back(fact);
    return facts;
  }
  const Support verdict = parse_support(table.get(*hit, "verdict"));
  Fact fact =
      fact_of(table, *hit, "framework × rocm", verdict,
              name + (version_text.empty() ? "" : " " + version_text) + " is listed for " + rocm);
  if (const auto variant = table.get(*hit, "variant"); !variant.empty()) {
    fact.condition = std::string(variant) + (fact.condition.empty() ? "" : "; " + fact.condition);
  }
  facts.push_back(fact);
  if (!context.gfx.empty() && !table.get(*hit, "gfx").empty()) {
    const auto items = list_items(table.get(*hit, "gfx"));
    const bool on = std::find(items.begin(), items.end(), context.gfx) != items.end();
    std::vector<std::string> targets(items.begin(), items.end());
    facts.push_back(fact_of(table, *hit, "framework × gpu",
                            on ? Support::supported : Support::unlisted,
                            name + " is listed for " + join(targets, " ")));
  }
  return facts;
}

/// What the wheels of a framework version were built for.
void wheel_facts(const Context& context, const FrameworkAsked& asked, std::vector<Fact>& facts) {
  const auto& [name, version_text, version] = asked;
  if (context.gfx.empty() || !version) return;
  const auto table = context.db.table<"wheel">();
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table.get(i, "framework") != name || table.get(i, "gfx").empty()) continue;
    if (!range_holds(table.get(i, "version"), *version)) continue;
    const auto wheel_rocm = Version::parse(table.get(i, "rocm"));
    if (context.has_release && wheel_rocm && !context.release.version.starts_with(*wheel_rocm) &&
        !wheel_rocm->starts_with(context.release.version)) {
      continue;
    }
    const auto items = list_items(table.get(i, "gfx"));
    const bool on = std::find(items.begin(), items.end(), context.gfx) != items.end();
    std::vector<std::string> targets(items.begin(), items.end());
    facts.push_back(fact_of(table, i, "wheel × gpu", on ? Support::enabled : Support::unsupported,
                            "the " + name + " " + version_text + " wheel for ROCm " +
                                std::string(table.get(i, "rocm")) + " holds " +
                                join(targets, " ")));
  }
}

/// Without a release: every range in which a table lists the thing.
std::string ranges_text(const std::vector<std::string>& ranges) {
  return ranges.empty() ? "" : join(ranges, "; ");
}

}  // namespace

Result<Answer> BlobDatabase::ask(const Question& question) const {
  Context context{*this, {}, false, {}, {}, {}, false};
  Answer answer;
  if (!question.rocm.empty()) {
    auto release = find_release(*this, question.rocm);
    if (!release) return release.error();
    context.release = *release;
    context.has_release = true;
  }
  if (!question.gpu.empty()) {
    if (auto done = find_gpu(context, question.gpu); !done) return done.error();
    if (auto done = check_ambiguity(context); !done) return done.error();
  }
  std::optional<OsName> os;
  if (!question.os.empty()) {
    auto parsed = parse_os(question.os);
    if (!parsed) return parsed.error();
    os = *parsed;
  }
  if (!question.kernel.empty()) {
    if (auto kernel = parse_version("--kernel", question.kernel); !kernel) return kernel.error();
  }
  std::optional<Version> driver;
  if (!question.driver.empty()) {
    auto version = parse_version("--driver", strip_series(question.driver));
    if (!version) return version.error();
    driver = std::move(*version);
  }
  std::optional<FrameworkAsked> framework;
  if (!question.framework.empty()) {
    auto asked = find_framework(*this, question.framework);
    if (!asked) return asked.error();
    framework = std::move(*asked);
  }

  std::vector<Fact> shown;  // facts that inform and do not decide
  if (context.has_release && context.release.newer) {
    answer.verdict = Support::unknown;
    answer.because =
        "ROCm " + context.release.asked + " is newer than this database (" + version() + ")";
    answer.facts.push_back(
        {"rocm", Support::unknown, answer.because, "db/releases.toml", version(), ""});
    return answer;
  }
  if (context.has_release && !context.release.exists) {
    answer.verdict = Support::unlisted;
    answer.because = "there is no ROCm " + context.release.asked +
                     " among the releases up to this database's date (" + version() + ")";
    answer.facts.push_back(
        {"rocm", Support::unlisted, answer.because, "db/releases.toml", version(), ""});
    return answer;
  }

  if (context.has_release) {
    if (!context.gfx.empty()) answer.facts.push_back(gpu_fact(context, shown));
    if (os) {
      for (auto& fact : os_facts(context, *os, question.kernel))
        answer.facts.push_back(std::move(fact));
    }
    if (driver) {
      auto facts = driver_facts(context, question.driver, *driver);
      answer.facts.push_back(facts[0]);
      shown.insert(shown.end(), facts.begin() + 1, facts.end());
    }
    if (framework) {
      auto facts = framework_facts(context, *framework);
      answer.facts.insert(answer.facts.end(), facts.begin(), facts.end());
      wheel_facts(context, *framework, shown);
    }
  } else {
    // No release: what each thing is listed for, over all releases.
    const auto over = [&](const TableView& table, std::string subject, const std::string& who,
                          const std::function<bool(std::size_t)>& wanted) {
      std::vector<std::string> ranges;
      std::optional<std::size_t> last;
      for (std::size_t i = 0; i < table.size(); ++i) {
        if (!wanted(i)) continue;
        const Support verdict = parse_support(table.find(i, "verdict"));
        if (verdict != Support::supported && verdict != Support::deprecated &&
            verdict != Support::enabled)
          continue;
        ranges.push_back(
            std::string(table.find(i, "rocm")) +
            (verdict == Support::supported ? "" : " (" + std::string(to_string(verdict)) + ")"));
        last = i;
      }
      if (!last) {
        answer.facts.push_back({std::move(subject), Support::unlisted, "no release lists " + who,
                                "ROCm documentation, all tables in the database", version(), ""});
        return;
      }
      std::sort(ranges.begin(), ranges.end());
      ranges.erase(std::unique(ranges.begin(), ranges.end()), ranges.end());
      // Listed by the newest release, or only by older ones.
      const auto newest = newest_release();
      Support verdict = Support::unlisted;
      for (std::size_t i = 0; i < table.size(); ++i) {
        if (wanted(i) && newest && range_holds(table.find(i, "rocm"), *newest)) {
          const Support each = parse_support(table.find(i, "verdict"));
          if (severity(each) > severity(verdict) || verdict == Support::unlisted) verdict = each;
        }
      }
      if (verdict == Support::unlisted) verdict = Support::unsupported;
      const std::string when = ranges_text(ranges);
      answer.facts.push_back(
          fact_of(table, *last, std::move(subject), verdict,
                  who + " is listed for ROCm " + when +
                      (verdict == Support::supported || !newest
                           ? ""
                           : ", not by the newest release (" + newest->text() + ")")));
      answer.facts.back().condition.clear();
    };
    if (!context.gfx.empty()) {
      const auto table = this->table<"support">();
      over(table, "gpu", context.whole_target ? context.gfx : context.gpu_asked,
           [&](std::size_t i) {
             if (context.whole_target) return table.get(i, "gfx") == context.gfx;
             return names_product(table.get(i, "gpus"), context);
           });
    }
    if (os) {
      const auto table = this->table<"os">();
      over(table, "os", os->display(), [&](std::size_t i) {
        return table.get(i, "os") == os->id && os_version_matches(*os, table.get(i, "version"));
      });
    }
    if (driver) {
      const auto table = this->table<"driver">();
      over(table, "driver", "driver " + question.driver,
           [&](std::size_t i) { return range_holds(table.get(i, "driver"), *driver); });
    }
    if (framework) {
      const auto table = this->table<"framework">();
      const auto& wanted = framework->version;
      over(table, "framework", framework->name + " " + framework->version_text, [&](std::size_t i) {
        if (table.get(i, "framework") != framework->name) return false;
        if (!wanted) return true;
        for (const auto item : list_items(table.get(i, "versions"))) {
          const auto each = Version::parse(item);
          if (each && (wanted->starts_with(*each) || each->starts_with(*wanted))) return true;
        }
        return false;
      });
      wheel_facts(context, *framework, shown);
    }
  }

  // What the GPU needs of the kernel's own driver. AMD's driver takes its place where one is asked
  // about, or where AMD lists this kernel; it drives no APU.
  if (!question.kernel.empty() && !context.gfx.empty()) {
    const auto table = this->table<"kernel">();
    const auto kernel = kernel_version(question.kernel);
    const bool listed = std::any_of(answer.facts.begin(), answer.facts.end(), [](const Fact& fact) {
      return fact.subject == "os × kernel" && fact.verdict == Support::supported;
    });
    const bool other_driver = (driver || listed) && !is_apu(*this, context.gfx);
    for (std::size_t i = 0; i < table.size(); ++i) {
      const auto items = list_items(table.get(i, "gfx"));
      if (std::find(items.begin(), items.end(), context.gfx) == items.end()) continue;
      if (!table.get(i, "rocm").empty() && context.has_release &&
          !range_holds(table.get(i, "rocm"), context.release.version)) {
        continue;
      }
      const auto other = table.get(i, "or_kernel");
      const bool fits = kernel && (range_holds(table.get(i, "kernel"), *kernel) ||
                                   (!other.empty() && range_holds(other, *kernel)));
      const bool is_fix = table.get(i, "need") == "fix";
      if (fits && is_fix) continue;
      if (!fits && other_driver) {
        Fact fact = fact_of(table, i, "gpu × kernel", Support::enabled,
                            "the driver of this kernel does not do, AMD's does: " +
                                std::string(table.get(i, "text")) + " (Linux " +
                                std::string(table.get(i, "kernel")) + ")");
        fact.condition = "AMD's driver (amdgpu-dkms) is installed";
        shown.push_back(std::move(fact));
        continue;
      }
      Fact fact = fact_of(table, i, "gpu × kernel",
                          fits     ? Support::supported
                          : is_fix ? Support::enabled
                                   : Support::unsupported,
                          std::string(fits     ? ""
                                      : is_fix ? "lacks a fix: "
                                               : "too old: ") +
                              std::string(table.get(i, "text")) + " (Linux " +
                              std::string(table.get(i, "kernel")) + ")");
      answer.facts.push_back(fact);
    }
  }

  if (answer.facts.empty()) {
    if (context.has_release) {
      const auto releases = this->table<"release">();
      for (std::size_t i = 0; i < releases.size(); ++i) {
        if (releases.get(i, "rocm") != context.release.version.text()) continue;
        answer.facts.push_back(fact_of(releases, i, "rocm", Support::supported,
                                       "ROCm " + context.release.version.text() + " is a " +
                                           std::string(releases.get(i, "kind")) + " release"));
      }
    }
    if (answer.facts.empty()) {
      return Error{Error::Kind::malformed, "question",
                   "give at least one of --gpu, --rocm, --os, --driver, --framework"};
    }
  }
  const Fact* worst = &answer.facts[0];
  for (const auto& fact : answer.facts) {
    if (severity(fact.verdict) < severity(worst->verdict)) worst = &fact;
  }
  answer.verdict = worst->verdict;
  answer.because = worst->because;
  if (!context.release.note.empty()) answer.conditions.push_back(context.release.note);
  answer.facts.insert(answer.facts.end(), shown.begin(), shown.end());
  for (const auto& fact : answer.facts) {
    if (!fact.condition.empty() && std::find(answer.conditions.begin(), answer.conditions.end(),
                                             fact.condition) == answer.conditions.end()) {
      answer.conditions.push_back(fact.condition);
    }
  }
  return answer;
}

std::optional<Version> BlobDatabase::newest_release() const {
  const auto table = this->table<"release">();
  std::optional<Version> newest;
  for (std::size_t i = 0; i < table.size(); ++i) {
    auto each = Version::parse(table.get(i, "rocm")).optional();
    if (each && (!newest || *newest < *each)) newest = std::move(each);
  }
  return newest;
}

std::string BlobDatabase::driver_of_module(const Version& module) const {
  const auto table = this->table<"module">();
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (range_holds(table.get(i, "module"), module)) return std::string(table.get(i, "driver"));
  }
  return {};
}

}  // namespace rocvet::db
