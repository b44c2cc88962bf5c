// Which product a PCI function or a name is.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>

#include "base/text.h"
#include "db/blob_database.h"

namespace rocvet::db {
namespace {

std::optional<double> number(std::string_view text) {
  if (text.empty()) return std::nullopt;
  // from_chars of double is missing in libstdc++ 10 and slow to matter here.
  double whole = 0, scale = 0;
  for (const char c : text) {
    if (c == '.') {
      scale = 1;
    } else if (c >= '0' && c <= '9') {
      whole = whole * 10 + (c - '0');
      scale *= 10;
    } else {
      return std::nullopt;
    }
  }
  return scale > 1 ? whole / scale : whole;
}

std::optional<int> integer(std::string_view text) {
  const auto value = number(text);
  return value ? std::optional<int>(static_cast<int>(*value)) : std::nullopt;
}

/// "1002:744c rev c8 cc"
PciId parse_pci(std::string_view text) {
  PciId id;
  const auto parts = words(text);
  if (parts.empty()) return id;
  const std::size_t colon = parts[0].find(':');
  if (colon == std::string_view::npos) return id;
  id.vendor = parts[0].substr(0, colon);
  id.device = parts[0].substr(colon + 1);
  for (std::size_t i = 2; i < parts.size(); ++i) id.revisions.emplace_back(parts[i]);
  return id;
}

struct Peak {
  std::string_view name;
  Table<"gpu">::Column column;
};
constexpr Peak kPeaks[] = {
    {"fp64_tflops", "peak_fp64_tflops"}, {"fp64_matrix_tflops", "peak_fp64_matrix_tflops"},
    {"fp32_tflops", "peak_fp32_tflops"}, {"fp32_matrix_tflops", "peak_fp32_matrix_tflops"},
    {"fp16_tflops", "peak_fp16_tflops"}, {"bf16_tflops", "peak_bf16_tflops"},
    {"fp8_tflops", "peak_fp8_tflops"},   {"int8_tops", "peak_int8_tops"},
    {"fp6_tflops", "peak_fp6_tflops"},   {"fp4_tflops", "peak_fp4_tflops"}};

/// How well a product fits what the kernel shows. Below zero: it does not.
int fit(const GpuInfo& info, const Gpu& gpu) {
  int best = -1;
  for (const auto& id : info.pci) {
    if (!gpu.device_id || id.device != *gpu.device_id) continue;
    if (gpu.vendor_id && id.vendor != *gpu.vendor_id) continue;
    int score = 1;
    if (!id.revisions.empty() && gpu.revision) {
      const bool listed = std::count(id.revisions.begin(), id.revisions.end(), *gpu.revision) > 0;
      score = listed ? 8 : 0;
    }
    best = std::max(best, score);
  }
  if (best < 0) return best;
  if (info.compute_units && gpu.compute_units && *gpu.compute_units > 0) {
    // A partition or one die of two shows its share of the units.
    const int whole = *info.compute_units, seen = *gpu.compute_units;
    const bool share = whole % seen == 0 && whole / seen <= 8;
    best += whole == seen ? 3 : share ? 2 : -1;
  }
  if (info.vram_gib && gpu.vram_bytes && !info.is_apu) {
    const double seen = static_cast<double>(*gpu.vram_bytes) / (1024.0 * 1024 * 1024);
    for (const int parts : {1, 2}) {
      if (seen * parts > *info.vram_gib * 0.9 && seen * parts < *info.vram_gib * 1.02) {
        ++best;
        break;
      }
    }
  }
  return std::max(best, 0);
}

/// "amd radeon graphics" and its like name no product.
bool generic(std::string_view name) {
  static constexpr std::string_view kGeneric[] = {
      "", "radeon graphics", "unknown", "graphics", "radeon", "n a", "instinct"};
  const std::string plain = plain_name(name);
  if (std::find(std::begin(kGeneric), std::end(kGeneric), plain) != std::end(kGeneric)) return true;
  // Chip names ("Vega 20", "Navi 31 [Radeon …]", "gfx906") are no product names either.
  for (const std::string_view chip :
       {"gfx", "vega 1", "vega 2", "vega1", "vega2", "navi", "device ", "ip discovery", "arcturus",
        "aldebaran", "polaris", "ellesmere"}) {
    if (plain.starts_with(chip)) return true;
  }
  return false;
}

/// Whether people leave a blank out before this letter: "RX9070XT" is "RX 9070 XT".
bool is_glued(std::string_view name, std::size_t at) {
  const auto digit = [&](std::size_t i) { return i < name.size() && is_digit(name[i]); };
  const auto letter = [&](std::size_t i) {
    return i < name.size() && std::isalpha(static_cast<unsigned char>(name[i])) != 0;
  };
  if (at >= 2 && digit(at)) {
    const bool starts = at == 2 || !letter(at - 3);
    return starts && lower(name.substr(at - 2, 2)) == "rx";
  }
  if (at < 4 || !digit(at - 1) || !digit(at - 4)) return false;
  const std::string rest = lower(name.substr(at, 4));
  for (const std::string_view suffix : {"xtx", "xt", "gre"}) {
    if (rest.starts_with(suffix) && !letter(at + suffix.size())) return true;
  }
  return false;
}

const TargetRow* target_row(const Published& published, std::string_view gfx) {
  const auto& targets = published.targets();
  const auto found = std::ranges::find(targets, gfx, &TargetRow::gfx);
  return found == targets.end() ? nullptr : &*found;
}

}  // namespace

std::string plain_name(std::string_view name) {
  std::string out;
  bool gap = false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto c = static_cast<unsigned char>(name[i]);
    if (name.substr(i, 3) == "(R)" || name.substr(i, 3) == "(r)") {
      i += 2;
    } else if (name.substr(i, 4) == "(TM)" || name.substr(i, 4) == "(tm)") {
      i += 3;
    } else if (std::isalnum(c) || c == '+') {
      if ((gap || is_glued(name, i)) && !out.empty()) out += ' ';
      gap = false;
      out += static_cast<char>(std::tolower(c));
    } else {
      gap = true;
    }
  }
  for (const std::string_view vendor :
       {"advanced micro devices inc ", "amd ati ", "amd ", "ati "}) {
    if (out.starts_with(vendor)) out.erase(0, vendor.size());
  }
  return out;
}

Result<std::shared_ptr<const BlobDatabase>> BlobDatabase::own(std::string bytes) {
  std::shared_ptr<BlobDatabase> database(new BlobDatabase(std::move(bytes), Blob{}));
  auto blob = Blob::open(database->bytes_);
  if (!blob) return blob.error();
  database->blob_ = *blob;
  return std::shared_ptr<const BlobDatabase>(database);
}

std::string BlobDatabase::version() const {
  const auto table = this->table<"database">();
  return table.size() ? std::string(table.get(0, "version")) : "unknown";
}

const std::vector<GpuInfo>& BlobDatabase::gpus() const {
  std::call_once(gpus_once_, [this] {
    const auto table = this->table<"gpu">();
    const auto targets = this->table<"target">();
    std::map<std::string_view, std::size_t> target_row;
    for (std::size_t i = 0; i < targets.size(); ++i) target_row.emplace(targets.get(i, "gfx"), i);
    gpus_.resize(table.size());
    for (std::size_t i = 0; i < table.size(); ++i) {
      GpuInfo& info = gpus_[i];
      const auto text = [&](Table<"gpu">::Column column) {
        return std::string(table.get(i, column));
      };
      info.name = text("name");
      info.gfx = text("gfx");
      info.codename = text("codename");
      info.kind = text("kind");
      info.is_apu = info.kind == "apu" || text("apu") == "true";
      for (const auto item : list_items(table.get(i, "aliases"))) info.aliases.emplace_back(item);
      for (const auto item : list_items(table.get(i, "pci"))) info.pci.push_back(parse_pci(item));
      info.compute_units = integer(table.get(i, "compute_units"));
      info.tdp_w = integer(table.get(i, "tdp_w"));
      info.infinity_cache_mib = integer(table.get(i, "infinity_cache_mib"));
      info.max_engine_clock_mhz = integer(table.get(i, "max_engine_clock_mhz"));
      info.vram_gib = number(table.get(i, "vram_gib"));
      info.memory_bandwidth_gbs = number(table.get(i, "memory_bandwidth_gbs"));
      info.memory_type = text("memory_type");
      info.pcie = text("pcie");
      for (const Peak& peak : kPeaks) {
        if (const auto value = number(table.get(i, peak.column)))
          info.peaks.emplace(peak.name, *value);
      }
      info.peak_basis = text("peak_basis");
      info.peak_source = text("peak_source");
      info.source = text("source");
      info.checked = text("checked");
      if (const auto row = target_row.find(info.gfx); row != target_row.end()) {
        info.family = targets.get(row->second, "family");
        info.wavefront_size = integer(targets.get(row->second, "wavefront_size"));
      }
      auto& names = plain_names_.emplace_back();
      plain_codenames_.push_back(plain_name(info.codename));
      names.push_back(plain_name(info.name));
      for (const std::string& alias : info.aliases) names.push_back(plain_name(alias));
    }
  });
  return gpus_;
}

std::string_view BlobDatabase::gfx_of_device(std::string_view vendor_id,
                                             std::string_view device_id) const {
  if (vendor_id.size() != 4 || device_id.size() != 4) return {};
  const std::string wanted = std::string(vendor_id) + ":" + std::string(device_id);
  const auto targets = table<"target">();
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const auto devices = targets.get(i, "devices");
    // Ids have one length, so a hit is a whole item.
    if (!devices.empty() && devices.find(wanted) != std::string_view::npos)
      return targets.get(i, "gfx");
  }
  return {};
}

bool BlobDatabase::runs_code_of(std::string_view gfx, std::string_view other) const {
  const TargetRow* target = target_row(published_, gfx);
  return gfx == other || (target != nullptr && holds(target->runs, other));
}

std::string_view BlobDatabase::sibling_of(std::string_view gfx) const {
  const TargetRow* target = target_row(published_, gfx);
  return target == nullptr ? std::string_view() : target->sibling_of;
}

std::vector<const GpuInfo*> BlobDatabase::identify(const Gpu& gpu) const {
  std::vector<std::pair<int, const GpuInfo*>> scored;
  for (const auto& info : gpus()) {
    if (const int score = fit(info, gpu); score >= 0) scored.emplace_back(score, &info);
  }
  std::stable_sort(scored.begin(), scored.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  // What fits worse than the best is no candidate.
  std::vector<const GpuInfo*> candidates;
  for (const auto& [score, info] : scored) {
    if (score == scored.front().first) candidates.push_back(info);
  }
  return candidates;
}

std::vector<const GpuInfo*> BlobDatabase::find(std::string_view text) const {
  std::vector<const GpuInfo*> found;
  std::string wanted = lower(trim(text));
  // A virtual function is its card, as far as tables speak of it.
  if (wanted.ends_with(" vf")) wanted = trim(wanted.substr(0, wanted.size() - 3));
  if (wanted.empty()) return found;

  // "1002:744c", "0x744c", "744c", each with an optional revision as in "1002:744c rev c8"
  {
    std::string_view id = wanted;
    std::string_view revision;
    if (const std::size_t space = id.find(' '); space != std::string_view::npos) {
      revision = trim(id.substr(space));
      for (const std::string_view word : {"revision", "rev"}) {
        if (revision.starts_with(word)) {
          revision = trim(revision.substr(word.size()));
          break;
        }
      }
      id = id.substr(0, space);
    }
    std::string_view vendor = "1002";
    if (const std::size_t colon = id.find(':'); colon != std::string_view::npos) {
      vendor = id.substr(0, colon);
      id = id.substr(colon + 1);
    }
    for (auto* part : {&vendor, &id, &revision}) {
      if (part->starts_with("0x")) part->remove_prefix(2);
    }
    if (id.size() == 4 && parse_number(id, 16) && revision.size() <= 2) {
      for (const auto& info : gpus()) {
        for (const auto& pci : info.pci) {
          if (pci.vendor != vendor || pci.device != id) continue;
          const auto& known = pci.revisions;
          if (!revision.empty() && !known.empty() &&
              std::find(known.begin(), known.end(), revision) == known.end()) {
            continue;
          }
          if (found.empty() || found.back() != &info) found.push_back(&info);
        }
      }
      if (!found.empty()) return found;
    }
  }

  if (wanted.starts_with("gfx")) {
    for (const auto& info : gpus()) {
      if (info.gfx == wanted) found.push_back(&info);
    }
    return found;
  }

  // The whole name or an alias, then with the series words that people leave out.
  const std::string plain = plain_name(wanted);
  if (plain.empty()) return found;
  const auto longer_by = [](std::string_view whole, std::string_view series,
                            std::string_view rest) {
    return whole.size() == series.size() + rest.size() && whole.starts_with(series) &&
           whole.ends_with(rest);
  };
  const auto same = [&](std::string_view other) {
    if (other == plain) return true;
    for (const std::string_view series :
         {"radeon ", "instinct ", "radeon instinct ", "radeon pro ", "radeon rx ", "radeon ai pro ",
          "ryzen ", "pro ", "rx "}) {
      if (longer_by(other, series, plain) || longer_by(plain, series, other)) return true;
    }
    return false;
  };
  for (const bool exact : {true, false}) {
    for (std::size_t i = 0; i < gpus().size(); ++i) {
      const auto hit = [&](const std::string& name) { return exact ? name == plain : same(name); };
      const auto& names = plain_names_[i];
      if (std::any_of(names.begin(), names.end(), hit)) found.push_back(&gpus()[i]);
    }
    if (!found.empty()) return found;
  }
  // "Strix Halo" is every product of that chip.
  for (std::size_t i = 0; i < gpus().size(); ++i) {
    if (plain_codenames_[i] == plain) found.push_back(&gpus()[i]);
  }
  if (!found.empty()) return found;
  // "MI50" stands for "MI50 (32GB)" and "MI50 (16GB)"; "7900" for every 7900.
  const std::string part = " " + plain + " ";
  for (std::size_t i = 0; i < gpus().size(); ++i) {
    if ((" " + plain_names_[i].front() + " ").find(part) != std::string::npos)
      found.push_back(&gpus()[i]);
  }
  return found;
}

}  // namespace rocvet::db

namespace rocvet {

void identify_gpus(Machine& machine, const Database& database) {
  for (auto& gpu : machine.gpus) {
    if (!gpu.device_id) continue;
    if (gpu.vendor_id && *gpu.vendor_id != "1002") continue;
    const std::string_view by_id = database.gfx_of_device("1002", *gpu.device_id);
    // The kernel's word on the target stands; rocminfo's does not when HSA_OVERRIDE_GFX_VERSION is
    // set, and a GC version (ip_discovery) is not a target.
    const bool from_kernel = gpu.gfx && gpu.gfx_source == "kfd";
    if (!by_id.empty() && !from_kernel && (!gpu.gfx || *gpu.gfx != by_id)) {
      gpu.gfx = std::string(by_id);
      gpu.gfx_source = "pci-id";
    }
    const auto candidates = database.identify(gpu);
    if (candidates.empty()) continue;
    if (!gpu.name || db::generic(*gpu.name)) {
      std::vector<std::string> names;
      for (const auto* candidate : candidates) names.push_back(candidate->name);
      // The driver cannot tell some products apart; then neither do we.
      if (names.size() <= 3) gpu.name = join(names, " or ");
    }
    if (gpu.kind == GpuKind::unknown) {
      gpu.kind = candidates.front()->is_apu ? GpuKind::apu : GpuKind::dgpu;
    }
  }
}

}  // namespace rocvet
