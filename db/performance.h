// What healthy parts achieve: published figures, and the rates from which theory is made.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace rocvet {

/// A published figure of a healthy part.
struct PerformanceFigure {
  std::string gpu;   ///< as in db/gpus, or its short form ("MI300X")
  std::string test;  ///< our test id
  double typical = 0;
  std::optional<double> floor;   ///< a vendor's acceptance minimum
  std::optional<double> lowest;  ///< published for a healthy part, when there are several
  double share = 1;  ///< of the product that the figure is for; 0.5: one of the two dies of a card
  bool library = false;  ///< measured with the vendor's library, which our kernel need not reach
  std::string regime;    ///< "quick", "steady", "sustained"; "": whichever
  std::optional<double>
      healthy;  ///< below it one should look; from `typical` and `lowest` if absent
  std::string unit, source, conditions, checked;
  /// Measured by rocvet itself.
  bool calibrated() const { return source.find("rocvet calibrate") != std::string::npos; }
};

/// FLOPs (or integer operations) per compute unit and clock, multiply and add counted as two.
struct PerformanceRates {
  std::vector<std::string> gfx;
  std::map<std::string, double> per_cu_clock;  ///< "fp16" -> 2048
  std::string source;
};

/// What the code of our own kernel can make of the rates: the share of its inner loop's time that
/// the units compute in, by its instructions (bench/isa_table.py).
struct IssueShare {
  std::string test;              ///< id or glob
  std::vector<std::string> gfx;  ///< empty: every target
  double share = 1;
  std::string source;
};

/// What holds between two self-tests of one GPU in one run: their kernels differ in the type alone.
/// Shares are of what a kernel's code can issue at the clock that was counted.
struct RatioRule {
  std::string test, of;          ///< ids
  std::vector<std::string> gfx;  ///< empty: every target
  double least = 0;              ///< of the share that `of` reaches, at which a GPU is well
  std::string source, checked;
};

/// A part that is not AMD's, which our kernels are verified on.
struct OtherPart {
  std::string name, gfx;  ///< gfx: "sm_90"
  int compute_units = 0, link_width = 0;
  double clock_mhz = 0, memory_gbs = 0, link_gts = 0;
  std::string source;
};

/// Share of the theoretical peak that healthy parts reach.
struct EfficiencyBand {
  std::string test;              ///< id or glob
  std::vector<std::string> gfx;  ///< empty: every target
  bool library = false;
  bool at_clock =
      false;  ///< of the peak at the clock that was read under load; else at the highest
  double healthy = 0, typical = 0, floor = 0;  ///< shares of peak; below `floor` is a failure
  double launch_us = 0;  ///< that every launch takes besides: for problems whose work is known
  std::string source, checked;
};

class PerformanceData {
 public:
  static const PerformanceData& embedded();
  /// `file` is named in errors (file:line:column).
  static Result<PerformanceData> parse(std::string_view toml, const std::string& file);

  /// The built-in figures with those of the folder's performance/*.toml before them, so that they
  /// are found first. A folder without any is no error.
  static Result<PerformanceData> with_overlay(const std::string& directory);

  /// Of this regime, or else of none in particular, or else of another; nullptr: there is none.
  const PerformanceFigure* figure(std::string_view gpu, std::string_view test, bool library,
                                  std::string_view regime = "quick") const;
  std::optional<double> rate(std::string_view gfx, std::string_view type) const;
  /// The first that fits; one for a clock that was read only where there is one.
  const EfficiencyBand* band(std::string_view gfx, std::string_view test, bool library,
                             bool clock_read = false) const;
  double issue_share(std::string_view gfx, std::string_view test) const;  ///< 1: not known
  std::vector<const RatioRule*> ratios(std::string_view gfx, std::string_view test) const;
  const std::vector<PerformanceFigure>& figures() const { return figures_; }
  const std::vector<OtherPart>& other_parts() const { return others_; }

 private:
  void add(const PerformanceData& other);

  std::vector<PerformanceFigure> figures_;
  std::vector<PerformanceRates> rates_;
  std::vector<EfficiencyBand> bands_;
  std::vector<IssueShare> shares_;
  std::vector<RatioRule> ratios_;
  std::vector<OtherPart> others_;
};

}  // namespace rocvet
