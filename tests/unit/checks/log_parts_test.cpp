// What a log that was given is made of, and whose a kernel line is.
#include "checks/logs/log_parts.h"

#include <doctest/doctest.h>

#include "base/text.h"
#include "case_machine.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/kernel_events.h"
#include "checks/logs/line_owner.h"
#include "formats/kernel_message.h"

namespace rocvet {
namespace {

const Knowledge& known() {
  return Database::embedded().knowledge();
}

// Of PyTorch's collect_env.py, shortened.
constexpr std::string_view kEnvironment = R"(Collecting environment information...
PyTorch version: 2.7.0+rocm6.3
Is debug build: False
CUDA used to build PyTorch: N/A
ROCM used to build PyTorch: 6.3.42131-fa1d09cbd
OS: Ubuntu 22.04.5 LTS (x86_64)
Is CUDA available: True
GPU models and configuration: AMD Instinct MI300X (gfx942:sramecc+:xnack-)
Nvidia driver version: Could not collect
Vulnerability Mmio stale data: Not affected
[pip3] numpy==1.26.4
[pip3] nvidia-cublas-cu12==12.1.3.1
)";

std::string kernel_lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += "[    " + std::to_string(i) + ".000001] usb 1-" + std::to_string(i) + ": new device\n";
  return text;
}

Result<Machine> machine_with_log(const std::string& log, const std::string& base = "desktop") {
  const auto tables = parse_toml("base = \"" + base + "\"\n", "case");
  auto machine = case_machine(*tables);
  if (machine) machine->app_log = log;
  return machine;
}

KernelLog log_of(const std::string& text) {
  KernelLog log;
  for (const std::string_view line : split(text, '\n'))
    log.lines.push_back({1.0, std::string(line)});
  return log;
}

std::vector<std::string> names(const std::vector<LogEvent>& events) {
  std::vector<std::string> found;
  for (const LogEvent& event : events) found.emplace_back(event.message->id);
  return found;
}

}  // namespace

TEST_CASE("a report on an environment ends where a program or a person speaks") {
  for (const std::string after :
       {"```\nit hangs", "Traceback (most recent call last):\nit hangs",
        "RuntimeError: No HIP GPUs are available\nit hangs", "### Describe the bug\nit hangs",
        "</details>\nit hangs", "ERROR 11-21 10:00:00 [core.py:1] it hangs"}) {
    CAPTURE(after);
    const LogParts parts = log_parts(std::string(kEnvironment) + after);
    CHECK(parts.environment.find("nvidia-cublas") != parts.environment.npos);
    CHECK(parts.environment.find("it hangs") == parts.environment.npos);
    CHECK(parts.rest.find("it hangs") != parts.rest.npos);
    CHECK(parts.rest.find("Vulnerability") == parts.rest.npos);
    CHECK(parts.kernel.empty());
  }
}

TEST_CASE("a kernel log is one, a quote of it is not") {
  CHECK(log_parts(kernel_lines(30)).rest == "\n");
  CHECK(log_parts(kernel_lines(5)).kernel.empty());
  const LogParts mixed = log_parts("my words\n" + kernel_lines(30) + "more words");
  CHECK(mixed.rest == "my words\nmore words\n");
}

TEST_CASE("no line of a log is lost") {
  const std::string text = "words\n" + kernel_lines(25) + std::string(kEnvironment) + "```\nend\n";
  const LogParts parts = log_parts(text);
  CHECK(parts.kernel.size() + parts.environment.size() + parts.rest.size() == text.size() + 1);
}

TEST_CASE("a report on the environment of a healthy machine says nothing is wrong") {
  const auto machine = machine_with_log(std::string(kEnvironment));
  REQUIRE(machine.has_value());
  const Context context{*machine, Database::embedded()};
  CHECK(app_errors(context).empty());
  CHECK(complaints_of(*machine) == std::vector<std::string>{});
}

TEST_CASE("common words in a program's log are not a person's") {
  std::string log;
  for (int i = 0; i < 60; ++i)
    log += "INFO engine.py:" + std::to_string(i) + " step took long, slow tokenizer, devices=8\n";
  const auto machine = machine_with_log(log);
  REQUIRE(machine.has_value());
  const Context context{*machine, Database::embedded()};
  CHECK(!people_say(context, {"slow"}));
  CHECK(app_errors(context).empty());
  const auto person = machine_with_log("it is slow");
  REQUIRE(person.has_value());
  CHECK(people_say({*person, Database::embedded()}, {"slow"}));
}

TEST_CASE("an error message in a long log is still one") {
  std::string log;
  for (int i = 0; i < 60; ++i) log += "INFO step " + std::to_string(i) + "\n";
  const auto machine = machine_with_log(log + "RuntimeError: No HIP GPUs are available\n");
  REQUIRE(machine.has_value());
  const Context context{*machine, Database::embedded()};
  const auto& errors = app_errors(context);
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].text->id == "no-hip-gpus");
}

TEST_CASE("what another device's driver reports is not the GPU's") {
  for (const char* line :
       {"mt7921e 0000:01:00.0: can't change power state from D3cold to D0 (config space "
        "inaccessible)",
        "nvme 0000:01:00.0: AMD-Vi: Event logged [IO_PAGE_FAULT domain=0x000c address=0xffffc080 "
        "flags=0x0050]"}) {
    CAPTURE(line);
    const KernelLog log = log_of(line);
    REQUIRE(decode_log(log, known()).size() == 1);
    CHECK(of_gpus(decode_log(log, known()), log, nullptr).empty());
  }
  for (const char* line :
       {"amdgpu 0000:03:00.0: can't change power state from D3cold to D0 (config space "
        "inaccessible)",
        "snd_hda_intel 0000:03:00.1: can't change power state from D3cold to D0 (config space "
        "inaccessible)\n"
        "amdgpu 0000:03:00.0: enabling device (0006 -> 0007)"}) {
    CAPTURE(line);
    const KernelLog log = log_of(line);
    CHECK(of_gpus(decode_log(log, known()), log, nullptr).size() == 1);
  }
}

TEST_CASE("a slot's events count on the way to a GPU, or when its own errors follow") {
  const std::string slot = "pcieport 0000:00:02.3: pciehp: Slot(0): Link Down";
  const KernelLog alone = log_of(slot);
  CHECK(of_gpus(decode_log(alone, known()), alone, nullptr).empty());
  const KernelLog before =
      log_of("amdgpu 0000:03:00.0: amdgpu: Fatal error during GPU init\n" + slot);
  CHECK(of_gpus(decode_log(before, known()), before, nullptr).size() == 1);
  const KernelLog beside =
      log_of(slot + "\namdgpu 0000:03:00.0: amdgpu: Fatal error during GPU init");
  CHECK(names(of_gpus(decode_log(beside, known()), beside, nullptr)) ==
        std::vector<std::string>{"link-down", "gpu-init-fatal"});
  // The card that left was another one: the GPU came into the slot after it.
  const KernelLog another =
      log_of(slot + "\npcieport 0000:00:02.3: pciehp: Slot(0): Card present\n" +
             "amdgpu 0000:03:00.0: amdgpu: Fatal error during GPU init");
  CHECK(names(of_gpus(decode_log(another, known()), another, nullptr)) ==
        std::vector<std::string>{"gpu-init-fatal"});
  Machine machine;
  machine.gpus.emplace_back();
  machine.gpus[0].bdf = std::string("0000:03:00.0");
  machine.gpus[0].path = std::vector<PcieHop>{{.bdf = "0000:00:02.3"}};
  CHECK(of_gpus(decode_log(alone, known()), alone, &machine).size() == 1);
  machine.gpus[0].path->front().bdf = "0000:00:01.1";
  CHECK(of_gpus(decode_log(alone, known()), alone, &machine).empty());
}

TEST_CASE("a function has one driver: a line of another driver there is another machine's") {
  Machine machine;
  machine.gpus.emplace_back();
  machine.gpus[0].bdf = std::string("0000:01:00.0");
  const KernelLog nvme = log_of(
      "nvme 0000:01:00.0: AMD-Vi: Event logged [IO_PAGE_FAULT domain=0x000c address=0xffffc080 "
      "flags=0x0050]");
  CHECK(of_gpus(decode_log(nvme, known()), nvme, &machine).empty());
  const KernelLog sound = log_of(
      "snd_hda_intel 0000:01:00.1: can't change power state from D3cold to D0 (config space "
      "inaccessible)");
  CHECK(of_gpus(decode_log(sound, known()), sound, &machine).size() == 1);
}

TEST_CASE("an oops counts where its call trace is in the GPU's driver") {
  const std::string oops = "general protection fault: 0000 [#1] SMP NOPTI\n";
  CHECK(decode_log(log_of(oops), known()).empty());
  CHECK(decode_log(log_of(oops + "Modules linked in: amdgpu ftdi_sio usbserial\n"
                                 "RIP: 0010:ftdi_process_packet+0x2d/0x1b0 [ftdi_sio]\n"),
                   known())
            .empty());
  CHECK(names(decode_log(log_of(oops + "RIP: 0010:amdgpu_vm_bo_update+0x2d/0x1b0 [amdgpu]\n"),
                         known())) == std::vector<std::string>{"general-protection"});
}

TEST_CASE("what found no room and is nothing that a GPU computes through") {
  for (const char* line :
       {"pci 0000:07:04.0: BAR 13: no space for [io  size 0x1000]",
        "pci 0000:04:00.0: bridge window [io  size 0x5000]: can't assign; no space",
        "pci 0000:31:00.0: ROM [mem size 0x00100000 pref]: can't assign; no space",
        "[drm] psp gfx command LOAD_TA(0x1) failed and response status is (0x7)"}) {
    CAPTURE(line);
    const KernelMessage* message = known().message_of(message_of(line));
    REQUIRE(message != nullptr);
    CHECK(message->severity == LogSeverity::harmless);
  }
  const KernelMessage* memory = known().message_of(message_of(
      "pci 0000:03:00.0: BAR 0 [mem size 0x400000000 64bit pref]: can't assign; no space"));
  REQUIRE(memory != nullptr);
  CHECK(memory->severity == LogSeverity::error);
}

}  // namespace rocvet
