#include <doctest/doctest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "report/read_report.h"
#include "report/share.h"
#include "tests/unit/report/sample_report.h"

using namespace rocvet;
using nlohmann::json;

TEST_CASE("JSON: names of the contract, null for what is not known, no NaN") {
  Report report = test::sample_report();
  report.selftests[0].performance->median = std::numeric_limits<double>::quiet_NaN();
  const json out = json::parse(write_json(report));
  CHECK(out["schema"] == "rocvet.report/1");
  CHECK(out["verdict"] == "fail");
  const json& gpu = out["machine"]["gpus"][0];
  CHECK(gpu["gfx"] == "gfx1100");
  CHECK(gpu["vram_bytes"] == 25753026560);
  CHECK(gpu["kfd_node"].is_null());
  CHECK(gpu["pcie"]["max_gts"].is_null());
  CHECK(out["checks"][0]["docs"][0] == "https://example.org/kfd");
  CHECK(out["checks"][0]["remedy"]["needs_login"] == true);
  CHECK(out["checks"][1]["remedy"].is_null());
  CHECK(out["diagnosis"]["root_causes"][0]["id"] == "user-not-in-render-group");
  CHECK(out["selftests"][0]["performance"]["median"].is_null());
  CHECK(out["selftests"][1]["performance"].is_null());
  CHECK(out["selftests"][1]["worker"]["signal"] == 11);
}

TEST_CASE("JSON: bytes that are no UTF-8 do not stop a report") {
  Report report = test::sample_report();
  report.checks[0].finding.summary = "bad \xff byte";
  CHECK(json::accept(write_json(report)));
}

TEST_CASE("text: what could not be told for one reason is one line") {
  Report report = test::sample_report();
  report.checks = {{report.checks[0].check, unknown(not_captured("/sys/a"))},
                   {report.checks[0].check, unknown(not_captured("/sys/b"))},
                   {report.checks[0].check, unknown(missing("/sys/c"))}};
  report.diagnosis.root_causes.clear();
  const std::string text = write_text(report, {});
  CHECK(text.find("2 checks could not tell: not captured (-v says what)\n") != std::string::npos);
  CHECK(text.find("1 check could not tell: /sys/c: does not exist\n") != std::string::npos);
  CHECK(text.find("/sys/a") == std::string::npos);
  CHECK(write_text(report, {.verbose = true}).find("/sys/a") != std::string::npos);
}

TEST_CASE("text: causes first, then failures; passes are a count") {
  const std::string text = write_text(test::sample_report(), {});
  CHECK(text.find("CAUSE ") < text.find("FAIL  RV102"));
  CHECK(text.find("user-not-in-render-group (95 % sure)") != std::string::npos);
  CHECK(text.find("explains: RV102 kfd-not-accessible") != std::string::npos);
  CHECK(text.find("one GPU") == std::string::npos);
  CHECK(text.find("2 passed, 2 failed, 0 warnings, 0 unknown, 0 not applicable") !=
        std::string::npos);
  CHECK(text.find('\x1b') == std::string::npos);
  SUBCASE("a failure that no cause explains shows what was seen and what to type") {
    Report report = test::sample_report();
    report.diagnosis.root_causes.clear();
    const std::string plain = write_text(report, {});
    CHECK(plain.find("      saw: /dev/kfd belongs to group") != std::string::npos);
    CHECK(plain.find("      fix: sudo usermod -aG render ada        (then log in again)") !=
          std::string::npos);
    CHECK(plain.find("      more: rocvet explain RV102") != std::string::npos);
  }
  SUBCASE("verbose shows passes, colour only when asked for") {
    CHECK(write_text(test::sample_report(), {.verbose = true}).find("one GPU") !=
          std::string::npos);
    CHECK(write_text(test::sample_report(), {.color = true}).find("\x1b[") != std::string::npos);
  }
}

TEST_CASE("the headline under WSL, also of a report that was saved") {
  Report report;
  report.started = "2026-11-21T00:00:00Z";
  report.checks = {{&test::kDecisive, skip("WSL")}};
  report.machine.gpus_readable = Done{};
  report.machine.surroundings.wsl = true;
  report.machine.surroundings.environment = Environment::wsl2;
  const auto headline = [](const Report& of) {
    const std::string text = write_text(of, {});
    return text.substr(0, text.find('\n'));
  };
  const auto saved = [&] {
    const auto again = read_report(write_json(report), "saved.json");
    return again ? headline(*again) : again.error().text();
  };
  report.machine.dxg.stat = FileStat{};
  CHECK(headline(report).find("no AMD GPU") == std::string::npos);
  CHECK(headline(report).find("/dev/dxg") != std::string::npos);
  CHECK(headline(report).find("not loaded") == std::string::npos);
  CHECK(saved() == headline(report));
  report.machine.dxg.stat = missing("/dev/dxg");
  CHECK(headline(report).find("WSL without /dev/dxg") != std::string::npos);
  CHECK(saved() == headline(report));
  report.machine.surroundings.wsl = false;
  CHECK(headline(report).find("no AMD GPU") != std::string::npos);
}

TEST_CASE("JUnit: counts and escapes") {
  const std::string xml = write_junit(test::sample_report());
  CHECK(xml.find(
            "<testsuite name=\"checks\" tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\">") !=
        std::string::npos);
  CHECK(xml.find("<testsuite name=\"selftests hip:0\" tests=\"2\" failures=\"1\"") !=
        std::string::npos);
  CHECK(xml.find("&lt;render&gt; &amp; &quot;mode&quot;") != std::string::npos);
}

TEST_CASE("HTML: one page, escaped, a bar for each figure") {
  Report report = test::sample_report();
  report.selftests[0].performance->expected = 40;
  report.selftests[0].performance->floor = 10;
  const std::string page = write_html(report);
  CHECK(page.find("&lt;render&gt; &amp; &quot;mode&quot;") != std::string::npos);
  CHECK(page.find("<script") == std::string::npos);
  CHECK(page.find("class=\"bar pass\"") != std::string::npos);
  CHECK(page.find("width=\"274.5\"") != std::string::npos);  // 30.5 of 40, 360 wide
  CHECK(page.find("x1=\"90.0\"") != std::string::npos);      // the floor, 10 of 40
}

TEST_CASE("Markdown: commands fenced, cells cannot break the table") {
  Report report = test::sample_report();
  report.checks[0].finding.summary = "a|b";
  report.diagnosis.root_causes[0].remedy.steps = {"sudo true"};
  const std::string text = write_markdown(report);
  CHECK(text.find("```sh\nsudo true\n```") != std::string::npos);
  CHECK(text.find("a\\|b") != std::string::npos);
}

TEST_CASE("Markdown: what a text of the machine names is no link and calls nobody") {
  Report report = test::sample_report();
  const auto written = [&](const std::string& summary) {
    report.checks[0].finding.summary = summary;
    const std::string text = write_markdown(report);
    const std::size_t from = text.find("begin "), to = text.find(" end");
    return text.substr(from + 6, to - from - 6);
  };
  CHECK(written("begin http://evil.example/x end") == "http`://`evil.example/x");
  CHECK(written("begin WWW.evil.example end") == "`WWW.`evil.example");
  CHECK(written("begin @team a@b.example end") == "`@`team a`@`b.example");
  CHECK(written("begin a/b#1 #45-Ubuntu # end") == "a/b`#`1 `#`45-Ubuntu #");
  // Neither side by side nor beside a mark of the machine's own do ours lose their meaning.
  CHECK(written("begin @@://www.@ end") == "`@@://www.@`");
  CHECK(written("begin `@`\\@\\ end") == "\\``@`\\`\\\\`@`\\\\");
}

TEST_CASE("SARIF: a rule once, failures and warnings only") {
  Report report = test::sample_report();
  report.checks.push_back(report.checks[0]);
  const json out = json::parse(write_sarif(report));
  const json& run = out["runs"][0];
  CHECK(run["tool"]["driver"]["rules"].size() == 2);
  CHECK(run["results"].size() == 3);
  CHECK(run["results"][0]["ruleId"] == "RV102");
  CHECK(run["results"][0]["level"] == "error");
  CHECK(run["tool"]["driver"]["rules"][0]["helpUri"] == "https://example.org/kfd");
}

TEST_CASE("SARIF: a text of the machine is no link") {
  Report report = test::sample_report();
  report.checks[0].finding.summary = "[click](https://evil.example/x) \\ [1]";
  const json out = json::parse(write_sarif(report));
  const std::string text = out["runs"][0]["results"][0]["message"]["text"];
  CHECK(text.starts_with("\\[click\\](https://evil.example/x) \\\\ \\[1\\]"));
}

TEST_CASE("fix script: a cause's text cannot escape its comment; commands stand alone") {
  Report report = test::sample_report();
  report.diagnosis.root_causes[0].summary = "x\nrm -rf /";
  report.diagnosis.root_causes[0].remedy.steps = {"sudo usermod -aG render ada"};
  report.diagnosis.root_causes[0].remedy.needs_login = true;
  const std::string script = write_fix_script(report);
  CHECK(script.find("\nrm -rf") == std::string::npos);
  CHECK(script.find("\nsudo usermod -aG render ada\n") != std::string::npos);
  CHECK(script.find("# Then log out and in again.") != std::string::npos);
  SUBCASE("advice in words and commands with gaps are comments; one reboot, at the end") {
    report.diagnosis.root_causes[0].remedy.steps = {
        "rebuild with -DGPU_TARGETS=gfx1100 (older: -DAMDGPU_TARGETS=gfx1100)",
        "sudo reboot",
        "podman run --group-add keep-groups IMAGE",
        "echo a\nrm -rf /",
        "unset HIP_PATH",
        Step("sudo usermod -aG render {}", "ada;rm -rf /"),
        Step("sudo usermod -aG video {}", "ada\nrm -rf /"),
        Step::of_report("sudo touch /x\nrm y")};
    const std::string mixed = write_fix_script(report);
    CHECK(mixed.find("\n#    by hand: rebuild with") != std::string::npos);
    CHECK(mixed.find("\npodman run --group-add keep-groups \"$IMAGE\"\n") != std::string::npos);
    CHECK(mixed.find("\n: \"${IMAGE:?") != std::string::npos);
    CHECK(mixed.find("\nrm -rf") == std::string::npos);
    CHECK(mixed.find("\ndrop_variables HIP_PATH\n") != std::string::npos);
    CHECK(mixed.find("\nsudo usermod -aG render 'ada;rm -rf /'\n") != std::string::npos);
    CHECK(mixed.find("\n#    by hand: sudo usermod -aG video ada?rm?-rf?/\n") != std::string::npos);
    CHECK(mixed.find("\n#    by hand: sudo touch /x rm y\n") != std::string::npos);
    CHECK(mixed.find("sudo reboot") == std::string::npos);
    CHECK(mixed.find("# Then reboot.") != std::string::npos);
  }
  SUBCASE(
      "a variable is written where it lasts; what only looks or ends the session is a comment") {
    report.diagnosis.root_causes[0].remedy.steps = {
        "export HSA_XNACK=0   # or 1", "sudo dmesg | tail", "sudo poweroff   # and on again",
        "sudo systemctl restart SERVICE"};
    const std::string lasting = write_fix_script(report);
    CHECK(lasting.find("\nkeep_variables HSA_XNACK=0   # or 1\n") != std::string::npos);
    CHECK(lasting.find("\nexport ") == std::string::npos);
    CHECK(lasting.find("\n#    look first: sudo dmesg | tail\n") != std::string::npos);
    CHECK(lasting.find("\n#    at the end: sudo poweroff") != std::string::npos);
    // All that is asked for stands before the first step.
    CHECK(lasting.find("\n: \"${SERVICE:?") < lasting.find("\nkeep_variables "));
    CHECK(lasting.find("\nsudo systemctl restart \"$SERVICE\"\n") != std::string::npos);
  }
  report.diagnosis.root_causes.clear();
  report.verdict = Verdict::pass;
  CHECK(write_fix_script(report).find("Nothing needs mending") != std::string::npos);
}

TEST_CASE("text of a scan: a line for each GPU") {
  Report report = test::sample_report();
  report.verb = "scan";
  const std::string text = write_text(report, {});
  CHECK(text.find("GPU 0  AMD GPU (gfx1100, by kfd) · 0000:03:00.0 · 24 GiB VRAM") !=
        std::string::npos);
  CHECK(text.find("passed") == std::string::npos);
}

TEST_CASE("text: a bar where there is an expectation, evidence of what failed only") {
  Report report = test::sample_report();
  report.selftests[0].performance->expected = 61;
  report.selftests[0].performance->fraction = 0.5;
  report.selftests[0].performance->basis = "published";
  report.selftests[0].evidence = {"a note"};
  const std::string text = write_text(report, {});
  CHECK(text.find("█████░░░░░ 30.5 TFLOP/s, 50 % of published 61.0") != std::string::npos);
  CHECK(text.find("a note") == std::string::npos);
  CHECK(text.find("stderr: Segmentation\\x1b[31m fault") != std::string::npos);
}

TEST_CASE("what AMD's tables do not list is in every format, and changes no verdict") {
  Report report = test::sample_report();
  report.compatibility = {
      {"gfx1151 with ROCm 7.2.2", {Support::unlisted, "no table has it", {}, {}}},
      {"ubuntu-24.04 with ROCm 7.2.2", {Support::supported, "it is", {}, {}}}};
  const std::string text = write_text(report, {});
  CHECK(text.find("tables: gfx1151 with ROCm 7.2.2 is unlisted: no table has it\n") !=
        std::string::npos);
  CHECK(write_text(report, {.quiet = true}).find("tables:") == std::string::npos);
  for (const std::string& out : {text, write_markdown(report), write_html(report),
                                 write_junit(report), write_sarif(report), write_json(report)}) {
    CAPTURE(out);
    CHECK(out.find("gfx1151 with ROCm 7.2.2") != std::string::npos);
    CHECK(out.find("unlisted") != std::string::npos);
  }
  CHECK(text.find("ubuntu-24.04 with ROCm") == std::string::npos);
  CHECK(write_junit(report).find("<skipped message=\"gfx1151 with ROCm 7.2.2 is unlisted") !=
        std::string::npos);
  Report without = report;
  without.compatibility.clear();
  CHECK(overall_verdict(report) == overall_verdict(without));
  report.compatibility[0].answer.because = "\x1b[31mred";
  CHECK(write_text(report, {}).find('\x1b') == std::string::npos);
}

TEST_CASE("the ladder is a line a rung, and cleaned like all else") {
  Report report = test::sample_report();
  GpuLadder ladder{"0000:03:00.0", "gfx1100", {{"driver"}, {"hip"}}, "", {}};
  ladder.rungs[0].verdict = Verdict::pass;
  ladder.rungs[0].summary = "node 1";
  ladder.rungs[1].verdict = Verdict::fail;
  ladder.rungs[1].summary = "/home/petra/lib: \x1b[31mred";
  ladder.rungs[1].through = "/home/petra/lib/libamdhip64.so.6 6.4";
  ladder.broken = "the break is between the kernel driver and HIP: /home/petra/lib";
  ladder.differing = {"gemm.fp32 of 84.150.12.7"};
  report.ladders = {ladder};
  const std::string text = write_text(report, {});
  CHECK(text.find("ladder of 0000:03:00.0 (gfx1100)\n  pass     the kernel driver ") !=
        std::string::npos);
  CHECK(text.find("\n  FAIL     HIP ") != std::string::npos);
  CHECK(text.find("\nthe break is between the kernel driver and HIP: ") != std::string::npos);
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(overall_verdict(report) == Verdict::fail);
  const auto again = read_report(write_json(report), "saved.json");
  REQUIRE(again);
  CHECK(write_text(*again, {}).find("\nthe break is between the kernel driver and HIP: ") !=
        std::string::npos);
  CHECK(again->ladders.front().differing == ladder.differing);
  const auto bare =
      read_report(R"({"schema": "rocvet.report/1", "checks": [], "ladders": [{}]})", "x");
  if (bare) CHECK_FALSE(write_text(*bare, {}).empty());  // one without a rung ends nothing
  const Report shared = shareable(report);
  for (const std::string& out : {write_json(shared), write_text(shared, {})}) {
    CHECK(out.find("petra") == std::string::npos);
    CHECK(out.find("84.150.12.7") == std::string::npos);
  }
}

TEST_CASE("verb, start and database of a saved report are cleaned like all that it says") {
  Report report = test::sample_report();
  const std::string said = "check of /home/petra on 84.150.12.7";
  report.verb = report.started = report.db_version = report.source_kind = said;
  const Report shared = shareable(report);
  for (const std::string& text : {write_json(shared), write_html(shared), write_markdown(shared),
                                  write_junit(shared), write_sarif(shared)}) {
    CHECK(text.find("petra") == std::string::npos);
    CHECK(text.find("84.150.12.7") == std::string::npos);
  }
  const Report usual = shareable(test::sample_report());
  CHECK(usual.verb == "check");
  CHECK(usual.started == "2026-11-21T00:00:00Z");
  CHECK(usual.db_version == "2026.11.21");
  CHECK(usual.source_kind == "snapshot");
}
