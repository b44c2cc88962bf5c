// pass, unknown and skip: what was judged, what could not be read, and what is not there.
#include <doctest/doctest.h>

#include <algorithm>

#include "checks/row_check.h"
#include "diagnosis/observations.h"
#include "unit/checks/case_machine.h"

using namespace rocvet;

namespace {

constexpr char kDevice[] = "/sys/devices/pci0000:00/0000:03:00.0/";
constexpr char kOther[] = "/sys/devices/pci0000:00/0000:83:00.0/";

/// A file of a GPU's folder, what it holds on a healthy card, and the check that judges it.
struct Reading {
  const char* check;
  const char* file;
  const char* healthy;
  const char* passed;  ///< what the check then says
};

const Reading kReadings[] = {
    {"power-cap-lowered", "hwmon/hwmon1/power1_cap", "300000000\n",
     "of 1 power cap none is below its default"},
    {"power-cap-raised", "hwmon/hwmon1/power1_cap", "300000000\n",
     "of 1 power cap none is above its default"},
    {"temperature-near-limit", "hwmon/hwmon1/temp1_input", "45000\n",
     "of 1 temperature none is at its limit"},
    {"fan-held-by-hand", "hwmon/hwmon1/pwm1_enable", "2\n",
     "of 1 fan none is held at a fixed speed on a hot GPU"},
    {"clocks-low-under-load", "pp_dpm_sclk", "0: 500Mhz *\n1: 2500Mhz \n",
     "of 1 GPU none is busy at its lowest clock"},
    {"uncorrectable-errors", "ras/umc_err_count", "ue: 0\nce: 0\n",
     "of 1 block with RAS none counted an uncorrectable error"},
    {"corrected-errors", "ras/umc_err_count", "ue: 0\nce: 0\n",
     "of 1 block with RAS none corrected many errors"},
    {"deferred-errors", "ras/umc_err_count", "ue: 0\nce: 0\nde: 0\n",
     "of 1 block with RAS none deferred an error"},
    {"retired-pages", "ras/gpu_vram_bad_pages", "0x00000001 : 0x00001000 : R\n",
     "of 1 GPU none has bad pages that wait, or many"},
    {"bad-pages-near-threshold", "ras/gpu_vram_bad_pages", "0x00000001 : 0x00001000 : R\n",
     "the bad pages of 1 GPU are far from the limit"},
    {"error-counters", "aer_dev_fatal", "DLP 0\nTOTAL_ERR_FATAL 0\n",
     "of 1 GPU none had an uncorrected PCIe error"},
    {"link-retrained", "aer_dev_correctable", "Rollover 0\nTOTAL_ERR_COR 0\n",
     "of 1 link none had to retrain"},
    {"external-gpu", "removable", "fixed\n", "of 1 GPU none sits outside the machine"},
    {"pci-function-disabled", "enable", "1\n", "of 1 GPU none is disabled on the bus"},
};

Machine machine_of(const std::string& toml) {
  const auto tables = parse_toml(toml, "unread");
  REQUIRE(tables.has_value());
  auto machine = case_machine(*tables);
  REQUIRE(machine.has_value());
  return std::move(*machine);
}

std::vector<Finding> findings_of(const Machine& machine, std::string_view id) {
  for (const Check* check : all_checks(Database::embedded())) {
    if (check->id == id) return rocvet::findings_of({machine, Database::embedded()}, *check);
  }
  return {};
}

std::string quoted(std::string text) {
  for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at))
    text.replace(at, 1, "\\n");
  return '"' + text + '"';
}

/// What surrounds the reading, so that only the reading decides.
std::string files(const Reading& reading, const std::string& device, const std::string& text) {
  std::string out;
  const std::pair<const char*, const char*> others[] = {
      {"hwmon/hwmon1/name", "amdgpu\n"},
      {"hwmon/hwmon1/power1_cap_default", "300000000\n"},
      {"aer_dev_nonfatal", "DLP 0\nTOTAL_ERR_NONFATAL 0\n"}};
  for (const auto& [name, value] : others)
    out += quoted(device + name) + " = " + quoted(value) + "\n";
  return out + quoted(device + reading.file) + " = " + quoted(text) + "\n";
}

}  // namespace

TEST_CASE("a reading that is there passes with a count; absent skips; unread is unknown") {
  for (const Reading& reading : kReadings) {
    CAPTURE(reading.check);
    const std::string path = quoted(std::string(kDevice) + reading.file);
    const std::string healthy = "[files]\n" + files(reading, kDevice, reading.healthy);
    const auto verdict = [&](const std::string& toml) {
      const Machine machine = machine_of("base = \"desktop\"\n" + toml);
      const auto findings = findings_of(machine, reading.check);
      REQUIRE(findings.size() == 1);
      return findings.front();
    };
    const Finding passed = verdict(healthy);
    CHECK(passed.verdict == Verdict::pass);
    CHECK(passed.summary == reading.passed);
    CHECK(verdict("remove = [" + path + "]\n").verdict == Verdict::skip);
    const Finding denied = verdict("denied = [" + path + "]\n" + healthy);
    CHECK(denied.verdict == Verdict::unknown);
    CHECK(denied.summary.find(reading.file) != std::string::npos);
    CHECK(denied.summary.find("Permission denied") != std::string::npos);
    CHECK(verdict("[files]\n" + files(reading, kDevice, "no sense\n")).verdict == Verdict::unknown);
    // In a snapshot without the folder nobody knows.
    const std::string folder = std::string(reading.file)
                                   .substr(0, std::min(std::string(reading.file).find('/'),
                                                       std::string(reading.file).size()));
    CHECK(verdict("unknown = [" + quoted(kDevice + folder) + "]\n").verdict == Verdict::unknown);
  }
}

TEST_CASE("a card that was judged does not speak for one that could not be read") {
  const Reading& reading = kReadings[2];
  const std::string toml =
      "base = \"pair\"\ndenied = [" + quoted(std::string(kOther) + reading.file) + "]\n[files]\n" +
      files(reading, kDevice, reading.healthy) + files(reading, kOther, reading.healthy);
  const Machine machine = machine_of(toml);
  const auto findings = findings_of(machine, reading.check);
  REQUIRE(findings.size() == 2);
  CHECK(findings[0].verdict == Verdict::pass);
  CHECK(findings[0].summary == reading.passed);
  CHECK(findings[1].verdict == Verdict::unknown);
  const Context context{machine, Database::embedded()};
  const Observations half(context, run_checks(context, all_checks(Database::embedded())));
  CHECK(half.saw("check.temperature-near-limit") == Truth::unknown);
  const Machine whole =
      machine_of("base = \"desktop\"\n[files]\n" + files(reading, kDevice, reading.healthy));
  const Context context_of_whole{whole, Database::embedded()};
  const Observations all(context_of_whole,
                         run_checks(context_of_whole, all_checks(Database::embedded())));
  CHECK(all.saw("check.temperature-near-limit") == Truth::no);
}

TEST_CASE("a GPU that sleeps is not judged, and nothing is unknown of it") {
  const Machine machine =
      machine_of("base = \"desktop\"\n[files]\n" +
                 quoted(std::string(kDevice) + "power/runtime_status") + " = \"suspended\\n\"\n");
  for (const Reading& reading : kReadings) {
    CAPTURE(reading.check);
    for (const Finding& finding : findings_of(machine, reading.check))
      CHECK(finding.verdict != Verdict::unknown);
  }
  const auto findings = findings_of(machine, "temperature-near-limit");
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].summary == "the GPU sleeps and is not woken");
}

TEST_CASE("equal cards are compared where two of them can be read") {
  const Reading cap = kReadings[0];
  const std::string both = files(cap, kDevice, cap.healthy) + files(cap, kOther, cap.healthy);
  const Machine equal = machine_of("base = \"pair\"\n[files]\n" + both);
  auto findings = findings_of(equal, "power-caps-differ");
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].verdict == Verdict::pass);
  CHECK(findings[0].summary == "2 cards of one part have one power cap");
  const Machine half = machine_of("base = \"pair\"\ndenied = [" +
                                  quoted(std::string(kOther) + cap.file) + "]\n[files]\n" + both);
  findings = findings_of(half, "power-caps-differ");
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].verdict == Verdict::unknown);
}
