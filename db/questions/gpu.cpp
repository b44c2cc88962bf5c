// Which GPU is meant.
#include <algorithm>
#include <set>

#include "base/text.h"
#include "db/questions/questions.h"

namespace rocvet::db {
namespace {

/// Every plain name by which a row may list what was asked for.
std::vector<std::string> names_of(const AskedGpu& gpu) {
  const std::string asked = plain_name(gpu.text);
  std::vector<std::string> names = {asked};
  for (const GpuInfo* product : gpu.products) {
    names.push_back(plain_name(product->name));
    // A processor's row speaks of its graphics only when the graphics were asked for by name.
    if (names.back() == asked) {
      for (const std::string& alias : product->aliases) names.push_back(plain_name(alias));
    }
    // "Instinct MI50" of a table is both the 16 GB and the 32 GB one.
    if (const std::size_t paren = product->name.find(" ("); paren != std::string::npos)
      names.push_back(plain_name(product->name.substr(0, paren)));
  }
  return names;
}

/// The target of a device id whose product is not known; "" when it is no id of a known one.
std::string_view gfx_of_id(const BlobDatabase& db, std::string_view id) {
  if (id.starts_with("1002:")) id.remove_prefix(5);
  if (id.starts_with("0x")) id.remove_prefix(2);
  return id.size() >= 4 ? db.gfx_of_device("1002", id.substr(0, 4)) : std::string_view{};
}

Error no_such_gpu(const BlobDatabase& db, const std::string& text) {
  std::vector<std::string> names;
  const auto targets = db.table<"target">();
  for (std::size_t i = 0; i < targets.size(); ++i) names.emplace_back(targets.get(i, "gfx"));
  for (const GpuInfo& info : db.gpus()) {
    names.push_back(info.name);
    // The series word is what people leave out.
    if (const std::size_t space = info.name.find(' '); space != std::string::npos)
      names.push_back(info.name.substr(space + 1));
  }
  return missing("--gpu", "no GPU is called '" + text + "'" + did_you_mean(text, names));
}

/// Several products may carry the name; they are asked about together only while they share a
/// target.
Result<Done> check_ambiguity(const AskedGpu& gpu) {
  std::set<std::string> targets;
  for (const GpuInfo* product : gpu.products) targets.insert(product->gfx);
  if (targets.size() < 2) return Done{};
  constexpr std::size_t kShown = 12;
  std::vector<std::string> candidates;
  for (const GpuInfo* product : gpu.products) {
    if (candidates.size() == kShown) {
      candidates.push_back("…");
      break;
    }
    candidates.push_back(product->name + " (" + product->gfx + ")");
  }
  return malformed("--gpu", "'" + gpu.text + "' may be " + join(candidates, ", ") + "; say which");
}

}  // namespace

Result<AskedGpu> find_gpu(const BlobDatabase& db, std::string_view text) {
  AskedGpu gpu;
  gpu.text = std::string(trim(text));
  const std::string word = lower(gpu.text);
  const auto whole_target = [&](std::string_view gfx) {
    gpu.gfx = std::string(gfx);
    gpu.whole_target = true;
    return gpu;
  };
  const auto targets = db.table<"target">();
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (targets.get(i, "gfx") == word) return whole_target(word);
  }
  // A target that no file names: the published tables do not speak of it.
  if (is_gfx_name(word)) return whole_target(word);
  gpu.products = db.find(gpu.text);
  if (gpu.products.empty()) {
    if (const auto gfx = gfx_of_id(db, word); !gfx.empty()) return whole_target(gfx);
    return no_such_gpu(db, gpu.text);
  }
  if (const auto one = check_ambiguity(gpu); !one) return one.error();
  gpu.gfx = gpu.products.front()->gfx;
  gpu.names = names_of(gpu);
  return gpu;
}

}  // namespace rocvet::db
