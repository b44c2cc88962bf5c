// A small report with one of everything, for the tests of the writers.
#pragma once

#include "report/report.h"

namespace rocvet::test {

inline const Check kAccess{.code = "RV102",
                           .id = "kfd-not-accessible",
                           .topic = "access",
                           .title = "/dev/kfd is not accessible",
                           .doc = "## References\n- https://example.org/kfd\n",
                           .run = nullptr};
inline const Check kDecisive{.code = "RV301",
                             .id = "no-gpu",
                             .topic = "detection",
                             .title = "no GPU",
                             .doc = "",
                             .run = nullptr,
                             .decisive = true};

inline Finding failing() {
  Finding finding{.verdict = Verdict::fail, .summary = "ada may not open /dev/kfd"};
  finding.subject = "gpu 0 (0000:03:00.0)";
  finding.evidence = {"/dev/kfd belongs to group <render> & \"mode\" 0660"};
  finding.remedy.steps = {"sudo usermod -aG render ada"};
  finding.remedy.needs_login = true;
  return finding;
}

inline Report sample_report() {
  Report report;
  report.verb = "check";
  report.started = "2026-11-21T00:00:00Z";
  report.source_kind = "snapshot";
  report.db_version = "2026.11.21";
  report.machine.gpus_readable = Done{};
  Gpu gpu;
  gpu.bdf = std::string("0000:03:00.0");
  gpu.gfx = std::string("gfx1100");
  gpu.gfx_source = "kfd";
  gpu.vram_bytes = std::uint64_t{25753026560};
  report.machine.gpus = {gpu};
  DeepProbe works{.id = "hip", .outcome = DeepProbe::Outcome::works, .library = "/opt/hip.so.7"};
  works.devices.push_back({.index = 0, .bdf = "0000:03:00.0", .gfx = "gfx1100"});
  DeepProbe torch{.id = "torch", .subject = "/home/ada/venv"};
  torch.outcome = DeepProbe::Outcome::crashed;
  torch.why = "the process was killed by SIGSEGV in import torch";
  torch.call = "import torch";
  torch.facts = {{"hip", "6.2"}, {"cuda", ""}};
  torch.signal = 11;
  torch.words = "a last word";
  report.machine.deep = Deep{{works, torch}};
  report.checks = {{&kAccess, failing()}, {&kDecisive, pass("one GPU")}};
  RootCause cause;
  cause.id = "user-not-in-render-group";
  cause.confidence = 0.95;
  cause.summary = "ada is not in group render";
  cause.explains = {"kfd-not-accessible"};
  report.diagnosis.root_causes = {cause};
  TestResult good{
      .id = "gemm.fp32", .device = "hip:0", .verdict = Verdict::pass, .summary = "right"};
  good.verification = Verification{1e-6, 1e-5, ""};
  good.performance = Performance{"fp32 gemm 4096",   "TFLOP/s", 30.5, 30.1, 30.9,
                                 {30.1, 30.5, 30.9}, {},        {},   {},   ""};
  TestResult crashed{.id = "attention.fp32",
                     .device = "hip:0",
                     .verdict = Verdict::fail,
                     .summary = "the worker died"};
  crashed.worker = WorkerEnd{std::nullopt, 11, "Segmentation\x1b[31m fault"};
  report.selftests = {good, crashed};
  report.verdict = overall_verdict(report);
  return report;
}

}  // namespace rocvet::test
