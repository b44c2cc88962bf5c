#include "db/performance.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "base/text.h"
#include "base/toml.h"

extern "C" const char rocvet_performance_rates[], rocvet_performance_rates_end[];
extern "C" const char rocvet_performance_issue[], rocvet_performance_issue_end[];
extern "C" const char rocvet_performance_ratios[], rocvet_performance_ratios_end[];
extern "C" const char rocvet_performance_parts[], rocvet_performance_parts_end[];
extern "C" const char rocvet_performance_bands[], rocvet_performance_bands_end[];
extern "C" const char rocvet_performance_published[], rocvet_performance_published_end[];
extern "C" const char rocvet_performance_calibrated[], rocvet_performance_calibrated_end[];

namespace rocvet {
namespace {

/// One table of a file, read strictly: every key must be known, of its type, and there if required.
class Row {
 public:
  Row(const TomlNode& node, const std::string& file) : node_(node), file_(file) {}

  std::string text(const char* key, bool required) {
    const TomlNode* value = get(key, required);
    if (value == nullptr) return {};
    if (value->kind != TomlNode::Kind::string && value->kind != TomlNode::Kind::date)
      complain(*value, key, "a string");
    return value->text;
  }
  std::optional<double> number(const char* key, bool required) {
    const TomlNode* value = get(key, required);
    if (value == nullptr) return std::nullopt;
    const double number =
        value->kind == TomlNode::Kind::integer ? static_cast<double>(value->integer) : value->real;
    if ((value->kind != TomlNode::Kind::integer && value->kind != TomlNode::Kind::real) ||
        !(number > 0)) {
      complain(*value, key, "a positive number");
    }
    return number;
  }
  bool flag(const char* key) {
    const TomlNode* value = get(key, false);
    if (value == nullptr) return false;
    if (value->kind != TomlNode::Kind::boolean) complain(*value, key, "true or false");
    return value->boolean;
  }
  std::vector<std::string> texts(const char* key, bool required) {
    std::vector<std::string> out;
    const TomlNode* value = get(key, required);
    if (value == nullptr) return out;
    if (value->kind != TomlNode::Kind::array) complain(*value, key, "an array of strings");
    for (const TomlNode& item : value->items) {
      if (item.kind != TomlNode::Kind::string) complain(item, key, "an array of strings");
      out.push_back(item.text);
    }
    return out;
  }
  std::map<std::string, double> numbers(const char* key) {
    std::map<std::string, double> out;
    const TomlNode* value = get(key, true);
    if (value == nullptr) return out;
    if (value->kind != TomlNode::Kind::table) complain(*value, key, "a table of numbers");
    Row inner(*value, file_);
    for (const auto& [name, item] : value->members) {
      if (const auto number = inner.number(name.c_str(), true)) out[name] = *number;
    }
    if (inner.error_) error_ = inner.error_;
    return out;
  }
  /// The first thing that was wrong, unknown keys included.
  std::optional<Error> error() {
    for (const auto& [key, value] : node_.members) {
      if (!error_ && seen_.count(key) == 0) fail(value, "unknown key '" + key + "'");
    }
    return error_;
  }

 private:
  const TomlNode* get(const char* key, bool required) {
    seen_.insert(key);
    const TomlNode* value = node_.find(key);
    if (value == nullptr && required) fail(node_, "'" + std::string(key) + "' is missing");
    return value;
  }
  void complain(const TomlNode& node, const char* key, const char* wanted) {
    fail(node, "'" + std::string(key) + "' must be " + wanted + ", not " +
                   std::string(to_string(node.kind)));
  }
  void fail(const TomlNode& node, std::string what) {
    if (error_) return;
    error_ = malformed(file_ + ":" + std::to_string(node.line) + ":" + std::to_string(node.column),
                       std::move(what));
  }
  const TomlNode& node_;
  const std::string& file_;
  std::set<std::string, std::less<>> seen_;
  std::optional<Error> error_;
};

PerformanceFigure read_figure(Row& row) {
  PerformanceFigure figure;
  figure.gpu = row.text("gpu", true);
  figure.test = row.text("test", true);
  figure.typical = row.number("typical", true).value_or(0);
  figure.floor = row.number("floor", false);
  figure.lowest = row.number("lowest", false);
  figure.share = row.number("share", false).value_or(1);
  figure.library = row.flag("library");
  figure.regime = row.text("regime", false);
  figure.healthy = row.number("healthy", false);
  figure.unit = row.text("unit", true);
  figure.source = row.text("source", true);
  figure.conditions = row.text("conditions", false);
  figure.checked = row.text("checked", true);
  return figure;
}

PerformanceRates read_rates(Row& row) {
  PerformanceRates rates;
  rates.gfx = row.texts("gfx", true);
  rates.per_cu_clock = row.numbers("per_cu_clock");
  rates.source = row.text("source", true);
  return rates;
}

EfficiencyBand read_band(Row& row) {
  EfficiencyBand band;
  band.test = row.text("test", true);
  band.gfx = row.texts("gfx", false);
  band.library = row.flag("library");
  band.at_clock = row.flag("at_clock");
  band.healthy = row.number("healthy", true).value_or(0);
  band.typical = row.number("typical", true).value_or(0);
  band.floor = row.number("floor", true).value_or(0);
  band.launch_us = row.number("launch_us", false).value_or(0);
  band.source = row.text("source", true);
  band.checked = row.text("checked", true);
  return band;
}

IssueShare read_share(Row& row) {
  IssueShare share;
  share.test = row.text("test", true);
  share.gfx = row.texts("gfx", true);
  share.share = row.number("share", true).value_or(1);
  share.source = row.text("source", true);
  return share;
}

RatioRule read_ratio(Row& row) {
  RatioRule rule;
  rule.test = row.text("test", true);
  rule.of = row.text("of", true);
  rule.gfx = row.texts("gfx", false);
  rule.least = row.number("least", true).value_or(0);
  rule.source = row.text("source", true);
  rule.checked = row.text("checked", true);
  return rule;
}

OtherPart read_part(Row& row) {
  OtherPart part;
  part.name = row.text("name", true);
  part.gfx = row.text("gfx", true);
  part.compute_units = static_cast<int>(row.number("compute_units", true).value_or(0));
  part.clock_mhz = row.number("clock_mhz", true).value_or(0);
  part.memory_gbs = row.number("memory_gbs", true).value_or(0);
  part.link_gts = row.number("link_gts", true).value_or(0);
  part.link_width = static_cast<int>(row.number("link_width", true).value_or(0));
  part.source = row.text("source", true);
  return part;
}

bool is_for(const std::vector<std::string>& targets, std::string_view gfx) {
  return targets.empty() || std::find(targets.begin(), targets.end(), gfx) != targets.end();
}

/// "Radeon RX 7900 XTX" and "RX 7900 XTX", "Instinct MI300X" and "MI300X OAM" are the same part;
/// "RX 7900 XT" and "RX 7900 XTX" are not.
bool same_part(std::string_view full, std::string_view brief) {
  const std::string haystack = " " + lower(full) + " ", needle = " " + lower(brief) + " ";
  return haystack.find(needle) != std::string::npos;
}

}  // namespace

Result<PerformanceData> PerformanceData::parse(std::string_view toml, const std::string& file) {
  auto root = parse_toml(toml, file);
  if (!root) return root.error();
  PerformanceData data;
  for (const auto& [key, array] : root->members) {
    const bool known = key == "figure" || key == "rate" || key == "band" || key == "issue" ||
                       key == "ratio" || key == "part";
    if (!known || array.kind != TomlNode::Kind::array) {
      return malformed(
          file + ":" + std::to_string(array.line) + ":" + std::to_string(array.column),
          "expected [[figure]], [[rate]], [[band]], [[issue]], [[ratio]] or [[part]], not '" + key +
              "'");
    }
    for (const TomlNode& node : array.items) {
      Row row(node, file);
      if (key == "figure") data.figures_.push_back(read_figure(row));
      if (key == "rate") data.rates_.push_back(read_rates(row));
      if (key == "band") data.bands_.push_back(read_band(row));
      if (key == "issue") data.shares_.push_back(read_share(row));
      if (key == "ratio") data.ratios_.push_back(read_ratio(row));
      if (key == "part") data.others_.push_back(read_part(row));
      if (auto problem = row.error()) return *problem;
    }
  }
  return data;
}

const PerformanceData& PerformanceData::embedded() {
  static const PerformanceData kData = [] {
    PerformanceData all;
    const auto add = [&all](const char* begin, const char* end, const char* name) {
      auto part = parse(std::string_view(begin, static_cast<std::size_t>(end - begin)), name);
      if (!part) std::abort();  // a unit test parses these very bytes
      all.add(*part);
    };
    add(rocvet_performance_rates, rocvet_performance_rates_end, "db/performance/rates.toml");
    add(rocvet_performance_issue, rocvet_performance_issue_end, "db/performance/issue.toml");
    add(rocvet_performance_ratios, rocvet_performance_ratios_end, "db/performance/ratios.toml");
    add(rocvet_performance_parts, rocvet_performance_parts_end, "db/performance/parts.toml");
    add(rocvet_performance_bands, rocvet_performance_bands_end, "db/performance/bands.toml");
    add(rocvet_performance_published, rocvet_performance_published_end,
        "db/performance/published.toml");
    add(rocvet_performance_calibrated, rocvet_performance_calibrated_end,
        "db/performance/calibrated.toml");
    return all;
  }();
  return kData;
}

Result<PerformanceData> PerformanceData::with_overlay(const std::string& directory) {
  PerformanceData all;
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory + "/performance", error)) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const std::filesystem::path& path : files) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file) return Error{Error::Kind::failed, path.string(), "cannot be read"};
    auto part = parse(text.str(), path.string());
    if (!part) return part.error();
    all.add(*part);
  }
  all.add(embedded());
  return all;
}

void PerformanceData::add(const PerformanceData& other) {
  figures_.insert(figures_.end(), other.figures_.begin(), other.figures_.end());
  rates_.insert(rates_.end(), other.rates_.begin(), other.rates_.end());
  bands_.insert(bands_.end(), other.bands_.begin(), other.bands_.end());
  shares_.insert(shares_.end(), other.shares_.begin(), other.shares_.end());
  ratios_.insert(ratios_.end(), other.ratios_.begin(), other.ratios_.end());
  others_.insert(others_.end(), other.others_.begin(), other.others_.end());
}

const PerformanceFigure* PerformanceData::figure(std::string_view gpu, std::string_view test,
                                                 bool library, std::string_view regime) const {
  const PerformanceFigure *any = nullptr, *other = nullptr;
  for (const PerformanceFigure& figure : figures_) {
    if (figure.test != test || figure.library != library || gpu.empty()) continue;
    // What was measured here is of that product alone: its sisters differ in power and clocks.
    if (figure.calibrated() ? lower(gpu) != lower(figure.gpu) : !same_part(gpu, figure.gpu))
      continue;
    if (figure.regime == regime) return &figure;
    const PerformanceFigure*& kept = figure.regime.empty() ? any : other;
    if (kept == nullptr) kept = &figure;
  }
  return any != nullptr ? any : other;
}

std::optional<double> PerformanceData::rate(std::string_view gfx, std::string_view type) const {
  for (const PerformanceRates& rates : rates_) {
    if (std::find(rates.gfx.begin(), rates.gfx.end(), gfx) == rates.gfx.end()) continue;
    const auto found = rates.per_cu_clock.find(std::string(type));
    if (found != rates.per_cu_clock.end()) return found->second;
  }
  return std::nullopt;
}

const EfficiencyBand* PerformanceData::band(std::string_view gfx, std::string_view test,
                                            bool library, bool clock_read) const {
  for (const EfficiencyBand& band : bands_) {
    if (band.at_clock && !clock_read) continue;
    if (is_for(band.gfx, gfx) && band.library == library && glob_match(band.test, test))
      return &band;
  }
  return nullptr;
}

double PerformanceData::issue_share(std::string_view gfx, std::string_view test) const {
  for (const IssueShare& share : shares_) {
    if (is_for(share.gfx, gfx) && glob_match(share.test, test)) return share.share;
  }
  return 1;
}

std::vector<const RatioRule*> PerformanceData::ratios(std::string_view gfx,
                                                      std::string_view test) const {
  std::vector<const RatioRule*> rules;
  for (const RatioRule& rule : ratios_) {
    if (rule.test == test && is_for(rule.gfx, gfx)) rules.push_back(&rule);
  }
  return rules;
}

}  // namespace rocvet
