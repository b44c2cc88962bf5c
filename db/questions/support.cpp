// What a release promises of a GPU.
#include <algorithm>

#include "base/text.h"
#include "db/questions/any_release.h"
#include "db/questions/questions.h"

namespace rocvet::db {
namespace {

constexpr const char* kSupportSubject = "gpu × rocm";

std::string spoken(Support verdict) {
  switch (verdict) {
    case Support::supported:
      return " is supported by ";
    case Support::deprecated:
      return " is deprecated in ";
    case Support::enabled:
      return " works unofficially with ";
    case Support::unsupported:
      return " is not supported by ";
    default:
      return " is not listed for ";
  }
}

bool names_product(const SupportRow& row, const AskedGpu& gpu) {
  return std::any_of(row.plain_gpus.begin(), row.plain_gpus.end(), [&](const std::string& plain) {
    return std::find(gpu.names.begin(), gpu.names.end(), plain) != gpu.names.end();
  });
}

using SupportRows = std::vector<const SupportRow*>;

/// What one release says, and of what.
struct Statements {
  const Asked& asked;
  const AskedGpu& gpu;
  std::string who, rocm;
  SupportRows of_product;   ///< the GPU by its name
  SupportRows of_target;    ///< its whole target
  SupportRows of_siblings;  ///< other products of the target
  std::vector<Fact> libraries;
  bool built = false;  ///< a library is, for the target

  Fact fact(const SupportRow& row, Support verdict, std::string because) const {
    return fact_of(row.origin, kSupportSubject, verdict, std::move(because));
  }
  /// "RX 7900 XTX is supported by ROCm 6.2"
  std::string says(Support verdict) const { return who + spoken(verdict) + rocm; }
};

Statements statements_on(const Asked& asked) {
  const AskedRelease& release = *asked.release;
  Statements all{asked,
                 *asked.gpu,
                 asked.gpu->called(),
                 "ROCm " + (release.note.empty() ? release.version.text() : release.text),
                 {},
                 {},
                 {},
                 library_facts(asked)};
  all.built = std::any_of(all.libraries.begin(), all.libraries.end(),
                          [](const Fact& fact) { return fact.verdict == Support::enabled; });
  for (const SupportRow* row : rows_for(asked.db.published().support(), release.version,
                                        [](const SupportRow&) { return true; })) {
    if (!all.gpu.whole_target && names_product(*row, all.gpu)) {
      all.of_product.push_back(row);
    } else if (row->gfx == all.gpu.gfx) {
      (row->gpus.empty() ? all.of_target : all.of_siblings).push_back(row);
    }
  }
  return all;
}

/// The target's own row: of the release, else of the nearest of its series.
struct TargetRow {
  const SupportRow* row = nullptr;
  std::string nearest;  ///< "" when it is the release itself
};

TargetRow target_row(const Statements& all) {
  if (!all.of_target.empty()) return {all.of_target[0], {}};
  const Version& release = all.asked.release->version;
  if (!all.of_siblings.empty() || release.parts.size() < 2) return {};
  const Version series = release.series();
  const Published& published = all.asked.db.published();
  for (const ReleaseRow& other : published.releases()) {
    if (!other.rocm.starts_with(series)) continue;
    for (const SupportRow& row : published.support()) {
      if (row.gfx == all.gpu.gfx && row.gpus.empty() && row.rocm.contains(other.rocm))
        return {&row, other.rocm.text()};
    }
  }
  return {};
}

/// Of a GPU that is listed by its name: the first row decides, others may say otherwise.
Fact product_fact(const Statements& all, std::vector<Fact>& others) {
  const SupportRow& first = *all.of_product[0];
  for (const SupportRow* row : all.of_product) {
    if (row == &first || (row->verdict == first.verdict && !row->origin.disagrees)) continue;
    others.push_back(all.fact(*row, row->verdict, "another source: " + all.says(row->verdict)));
  }
  if (severity(first.verdict) <= severity(Support::unlisted))
    others.insert(others.end(), all.libraries.begin(), all.libraries.end());
  return all.fact(first, first.verdict, all.says(first.verdict));
}

/// Of a whole target: its own row, else the best of its products. nullopt: neither is listed.
std::optional<Fact> target_fact(const Statements& all, std::vector<Fact>& others) {
  if (const TargetRow own = target_row(all); own.row != nullptr) {
    const Support verdict = own.row->verdict;
    if (severity(verdict) <= severity(Support::enabled))
      others.insert(others.end(), all.libraries.begin(), all.libraries.end());
    return all.fact(*own.row, verdict,
                    all.says(verdict) + (own.nearest.empty() ? "" : " (as " + own.nearest + ")"));
  }
  if (all.of_siblings.empty()) return std::nullopt;
  const SupportRow& best = **std::max_element(all.of_siblings.begin(), all.of_siblings.end(),
                                              [](const SupportRow* a, const SupportRow* b) {
                                                return severity(a->verdict) < severity(b->verdict);
                                              });
  Fact fact = all.fact(best, best.verdict, all.says(best.verdict));
  fact.condition =
      "listed: " + joined(best.gpus, ", ") + (fact.condition.empty() ? "" : "; " + fact.condition);
  return fact;
}

/// Only the target is listed: it stands for the products that AMD listed before.
Fact product_by_target(const Statements& all) {
  const SupportRow& row = *all.of_target[0];
  const auto& rows = all.asked.db.published().support();
  const bool ever = std::any_of(rows.begin(), rows.end(), [&](const SupportRow& each) {
    return each.gfx == all.gpu.gfx && each.verdict == Support::supported &&
           names_product(each, all.gpu);
  });
  const Support verdict =
      row.verdict == Support::supported && !ever ? Support::unlisted : row.verdict;
  return all.fact(row, verdict,
                  "the table for " + all.rocm + " lists " + all.gpu.gfx + ", not products; " +
                      (verdict == Support::supported ? all.who + " is listed by other releases"
                                                     : "no release lists " + all.who));
}

/// Of what no row names: what its siblings, its target or the libraries say.
Fact indirect_fact(const Statements& all) {
  if (!all.gpu.whole_target && !all.of_siblings.empty()) {
    const SupportRow& row = *all.of_siblings[0];
    Fact fact = all.fact(row, Support::unlisted,
                         "AMD's table for " + all.rocm + " lists " + joined(row.gpus, ", ") +
                             " of " + all.gpu.gfx + ", not " + all.who);
    fact.condition.clear();
    return fact;
  }
  if (!all.gpu.whole_target && !all.of_target.empty()) return product_by_target(all);
  const std::string silence = "no published table lists " + all.who + " for " + all.rocm;
  if (all.libraries.empty()) return unlisted(all.asked.db, kSupportSubject, silence);
  Fact fact = all.libraries.front();
  fact.subject = kSupportSubject;
  fact.verdict = all.built && all.gpu.whole_target ? Support::enabled : Support::unlisted;
  fact.because = silence + "; " + all.libraries.front().because;
  return fact;
}

/// The verdict on what was published; `others` takes what else was.
Fact support_fact(const Asked& asked, std::vector<Fact>& others) {
  const Statements all = statements_on(asked);
  if (!all.of_product.empty()) return product_fact(all, others);
  if (all.gpu.whole_target) {
    if (auto fact = target_fact(all, others)) return *fact;
  }
  Fact fact = indirect_fact(all);
  if (fact.verdict == Support::supported) return fact;
  others.insert(others.end(), all.libraries.begin(), all.libraries.end());
  if (all.built && fact.verdict == Support::unlisted) {
    fact.because += "; the libraries of this release are built for " + all.gpu.gfx +
                    ", so it may work unofficially";
  }
  return fact;
}

}  // namespace

void ask_gpu(const Asked& asked, Findings& found) {
  if (asked.release) {
    found.deciding.push_back(support_fact(asked, found.informing));
    return;
  }
  const AskedGpu& gpu = *asked.gpu;
  found.deciding.push_back(in_any_release(
      asked.db, asked.db.published().support(), "gpu", gpu.called(), [&](const SupportRow& row) {
        return gpu.whole_target ? row.gfx == gpu.gfx : names_product(row, gpu);
      }));
}

}  // namespace rocvet::db
