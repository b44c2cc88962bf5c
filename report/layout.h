// What several writers share: order, grouping and the few words for verdicts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/printable.h"
#include "report/report.h"

namespace rocvet {

/// For text and attributes, in double quotes, of HTML and XML 1.0, which carry no control
/// characters.
std::string escaped(std::string_view text);
/// 0 for the worst.
int rank(Verdict verdict);
/// Worst first, otherwise in the order of the registry.
std::vector<const CheckResult*> worst_first(const std::vector<CheckResult>& checks);
/// "8 × AMD Instinct MI300X (gfx942) · ROCm 6.4.1 in /opt/rocm-6.4.1 · amdgpu 6.12.12 (DKMS) · …"
std::string machine_line(const Machine& machine);
/// What AMD's tables do not have of the machine: unlisted, unsupported, not known. It changes no
/// verdict by itself (checks judge), and every format shows it.
std::vector<const CompatibilityRow*> beyond_tables(const Report& report);
/// "Radeon 8060S with ROCm 7.2.2 is unlisted: no published table lists …"
std::string compatibility_line(const CompatibilityRow& row);
/// "4256 GB/s" and, where there is an expectation, ", 98 % of 4300 (published)".
std::string performance_text(const Performance& performance);
/// Nothing is likelier than all else together: a guess worth trying, told as one.
bool is_suspicion(const RootCause& cause);
/// "95 % sure", of a suspicion "a suspicion, 8 %".
std::string how_sure(const RootCause& cause);
/// A line below a heading: "      saw: /dev/kfd"; of foreign text what cannot be seen is an escape.
std::string detail_row(std::string_view label, std::string_view text);
/// "12 passed, 1 failed, 0 warnings, 2 unknown, 3 not applicable"
std::string tally_text(const Report& report);
/// A line for each GPU, ROCm and framework.
std::string scan_text(const Machine& machine);
/// "Features of gfx1100 (GPU 0, 1)", then a line a feature: verdict and why.
std::string features_text(const std::vector<GpuFeatures>& features);
/// One line a target: "gfx1100: supported bf16, fp16 · slow fp8 · unknown flash-attention".
std::string features_line(const GpuFeatures& features);
/// "fp8 (FNUZ)"
std::string feature_name(const FeatureRow& row);
/// "…; to have it: set NAME=VALUE"
std::string feature_reason(const FeatureAnswer& answer);
/// Of rocvet ladder: one line a rung, then where it breaks.
std::string ladder_text(const std::vector<GpuLadder>& ladders);
/// Of --for: the charts of each GPU, and where something failed.
std::string soak_text(const Soak& soak, bool verbose);
/// A line for each library that --deep ran; "" when nobody asked.
std::string deep_text(const Machine& machine);
/// Share of the bar that is filled, 0..1: against the expectation, else against the best of the
/// same test.
double bar_share(const TestResult& result, const std::vector<TestResult>& all);

}  // namespace rocvet
