#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/logs/app_errors.h"
#include "formats/line_time.h"

namespace rocvet {
namespace {

constexpr std::string_view kServiceStartedBeforeDriverDoc = R"(
## What it looks for
Model servers whose process was started earlier in this boot than amdgpu offered its first GPU: by
systemd's stamps against the kernel log's, or by the stamps of the server's own words that it found
no GPU. Whether their units wait for the GPU. And units of GPU tools (fans, clocks) that systemd saw
fail where somebody says that it is so after a boot. Also what somebody tells of a trial: that a
service has its GPU once it is started again.

## Why it matters
Such a server looks for GPUs when it starts. It finds none and computes on the processor until it
is started again, though nodes, groups and versions are right by then.

## How to mend it
`sudo systemctl restart SERVICE` now; for the next boot order the unit after the device.

## Not this
A service that was started after the driver and finds no GPU all the same: RV107, RV113.

## References
- https://www.freedesktop.org/software/systemd/man/latest/systemd.device.html
- https://github.com/NixOS/nixpkgs/pull/422355
)";

/// A second is what the journal's stamps tell; the clocks of the kernel and of systemd differ by
/// less.
constexpr double kApart = 1;
/// A driver that came later than this after the server was loaded by hand, or another boot.
constexpr double kSoon = 600;
constexpr std::size_t kLongestServiceLine = 4096;  // of a log, as far as it is looked at

/// What the driver prints once a GPU of its can be used.
bool says_driver_ready(std::string_view line) {
  return line.find("Initialized amdgpu ") != line.npos ||
         (line.find("added device 1002:") != line.npos && line.find("kfd") != line.npos);
}

/// When the first GPU was there.
LineTime driver_ready(const Context& context) {
  const Machine& machine = context.machine;
  LineTime ready;
  if (machine.kernel_log) {
    const auto& lines = machine.kernel_log->lines;
    // Of a ring buffer that has lost its beginning the first such line may be of a later load.
    const auto first =
        std::ranges::find_if(lines, [](const KernelLine& line) { return line.seconds >= 0; });
    const bool whole = first != lines.end() && first->seconds < kSoon;
    for (const KernelLine& line : lines) {
      if (!whole || line.seconds < 0 || !says_driver_ready(line.text)) continue;
      ready.boot = line.seconds;
      break;
    }
  }
  if (machine.app_log) {
    each_line(*machine.app_log, [&](std::string_view line) {
      if (!says_driver_ready(line)) return;
      const LineTime time = line_time(line);
      for (const auto member : {&LineTime::utc, &LineTime::local, &LineTime::boot}) {
        if (ready.*member < 0) ready.*member = time.*member;
      }
    });
  }
  if (ready.utc < 0 && ready.boot >= 0 && machine.kernel.boot_time)
    ready.utc = *machine.kernel.boot_time + ready.boot;
  return ready;
}

/// How long before `later`; nullopt: the two were stamped by different clocks.
std::optional<double> seconds_before(const LineTime& time, const LineTime& later) {
  for (const auto member : {&LineTime::utc, &LineTime::local, &LineTime::boot}) {
    if (time.*member >= 0 && later.*member >= 0) return later.*member - time.*member;
  }
  return std::nullopt;
}

bool is_before(const LineTime& time, const LineTime& later) {
  const auto before = seconds_before(time, later);
  return before && *before >= kApart && *before < kSoon;
}

/// A server's words that it found no GPU when it looked for one.
bool says_no_gpu(std::string_view line, const Knowledge& knowledge) {
  if (line.find("inference compute") != line.npos && line.find("library=cpu") != line.npos)
    return true;
  if (line.find("GPU") == line.npos && line.find("device") == line.npos &&
      line.find("/dev/kfd") == line.npos)
    return false;
  constexpr std::string_view kTexts[] = {"ollama-no-gpu", "no-rocm-capable",
                                         "no-hip-gpus",   "hip-error-no-device",
                                         "kfd-enoent",    "ollama-kfd-missing"};
  const ErrorText* text = knowledge.program_text("", line.substr(0, kLongestServiceLine));
  return text != nullptr && std::ranges::find(kTexts, text->id) != std::end(kTexts);
}

bool says_started(std::string_view line) {
  return line.find("Listening on ") != line.npos ||
         (line.find("systemd[") != line.npos && line.find("]: Started ") != line.npos);
}

/// What the log that was given says of a server.
struct ServiceTold {
  std::string line;            ///< with which it last said that it has no GPU, before there was one
  bool started_since = false;  ///< it was started again, or looked again, when there was one
};

ServiceTold told_of_server(const Context& context, const LineTime& ready) {
  ServiceTold told;
  if (!context.machine.app_log || (ready.utc < 0 && ready.local < 0 && ready.boot < 0)) return told;
  each_line(*context.machine.app_log, [&](std::string_view line) {
    const LineTime time = line_time(line);
    const auto before = seconds_before(time, ready);
    if (!before) return;
    const bool no_gpu = says_no_gpu(line, context.db.knowledge());
    if (!no_gpu && !says_started(line)) return;
    if (is_before(time, ready)) {
      if (no_gpu) told.line = line;
    } else if (*before < 0) {
      told = {"", true};
    }
  });
  return told;
}

bool waits_for_gpu(const Service& service) {
  return std::any_of(service.after.begin(), service.after.end(), [](const std::string& unit) {
    return unit.ends_with(".device") || unit == "systemd-udev-settle.service" ||
           unit.starts_with("systemd-modules-load");
  });
}

/// Servers that look for GPUs once; what starts containers or jobs looks for none.
bool looks_once(const Service& service) {
  for (const std::string_view engine :
       {"docker", "podman", "containerd", "k3s", "kubelet", "slurmd", "jupyter", "open-webui"}) {
    if (service.name.starts_with(engine)) return false;
  }
  return true;
}

/// Fans, clocks, meters. Many wait for the GPU themselves: that they start early is no fault alone.
bool is_tool(const Context& context, const Service& service) {
  return contains_one(lower(service.name), context.db.knowledge().words("units-of-gpus"));
}

/// "systemd[1]: Started lactd.service - AMDGPU Control Daemon.", before systemd 249 without the
/// name.
bool says_started(std::string_view line, const Service& service) {
  constexpr std::string_view kStarted = ": Started ";
  const std::size_t at = line.find(kStarted);
  if (at == line.npos || line.substr(0, at).find("systemd[") == line.npos) return false;
  std::string_view unit = line.substr(at + kStarted.size());
  if (unit.starts_with(service.name + " ")) return true;
  if (unit.ends_with('.')) unit.remove_suffix(1);
  return !service.description.empty() && unit == service.description;
}

/// The line in which systemd says that it started the unit before the first GPU was there; "".
std::string line_of_early_start(const Context& context, const Service& service,
                                const LineTime& ready) {
  std::string found;
  if (context.machine.kernel_log) {
    for (const KernelLine& line : context.machine.kernel_log->lines) {
      LineTime time;
      time.boot = line.seconds;
      if (found.empty() && is_before(time, ready) && says_started(line.text, service))
        found = line.text;
    }
  }
  if (!found.empty() || !context.machine.app_log) return found;
  each_line(*context.machine.app_log, [&](std::string_view line) {
    if (found.empty() && says_started(line, service) && is_before(line_time(line), ready))
      found = line;
  });
  return found;
}

/// Whether a line of the journal's is of a unit of a GPU's tool: "… host amdgpu-clocks[769]: …".
bool is_of_tool(std::string_view line, std::span<const std::string_view> units_of_gpus) {
  for (std::size_t at = line.find("]: "); at != line.npos; at = line.find("]: ", at + 1)) {
    const std::size_t open = line.rfind('[', at);
    if (open == line.npos || open + 1 == at) continue;
    const std::string_view pid = line.substr(open + 1, at - open - 1);
    if (!std::ranges::all_of(pid, is_digit)) continue;
    const std::size_t begin = line.rfind(' ', open) + 1;
    return contains_one(lower(line.substr(begin, open - begin)), units_of_gpus);
  }
  return false;
}

/// A line by which a program missed a file of amdgpu's that is here now, where somebody speaks of a
/// boot or systemd says that it started the program as a service; "" where there is none.
std::string missed_at_boot(const Context& context) {
  const Machine& machine = context.machine;
  if (!person_speaks(context)) return "";
  const Knowledge& knowledge = context.db.knowledge();
  const bool boot = app_log_has_one(context, "at-boot");
  const bool started = app_log_has(context, "systemd[") && app_log_has(context, "]: Start");
  if (!boot && !started) return "";
  const bool node = std::ranges::any_of(
      machine.gpus, [](const Gpu& gpu) { return gpu.render_minor.has_value(); });
  const bool card =
      std::ranges::any_of(machine.gpus, [](const Gpu& gpu) { return gpu.card_minor.has_value(); });
  const auto& tools = knowledge.words("units-of-gpus");
  std::string found;
  each_line(*machine.app_log, [&](std::string_view line) {
    if (!found.empty() || line.size() > kLongestServiceLine) return;
    const bool there =
        (line.find("/sys/module/amdgpu") != line.npos && machine.driver.amdgpu.has_value()) ||
        (line.find("/dev/dri/renderD") != line.npos && node) ||
        (line.find("/sys/class/drm/card") != line.npos && card && is_of_tool(line, tools));
    if (there && contains_one(lower(line), knowledge.words("finds-no-file"))) found = line;
  });
  return found;
}

/// A unit of a GPU's tool (fans, clocks) that systemd saw fail, where somebody says that it is so
/// after a boot; "" where there is none.
std::string failed_at_boot(const Context& context) {
  if (!person_speaks(context) || !app_log_has_one(context, "after-boot")) return "";
  const auto& of_gpus = context.db.knowledge().words("units-of-gpus");
  std::string unit;
  each_line(spoken(context), [&](std::string_view line) {
    std::size_t end = line.find(".service: Main process exited");
    if (end == line.npos) end = line.find(".service: Failed with result");
    if (end == line.npos || !unit.empty()) return;
    const std::size_t begin = line.rfind(' ', end) + 1;
    const std::string name = lower(line.substr(begin, end - begin));
    if (contains_one(name, of_gpus)) unit = name;
  });
  return unit;
}

/// What somebody tells of an experiment: after a boot the service has no GPU, and has one once it
/// is started again. "" where nobody does.
std::string told_that_restart_mends(const Context& context) {
  if (!person_speaks(context) || !app_log_has_one(context, "at-boot")) return "";
  const Knowledge& knowledge = context.db.knowledge();
  const auto &restarts = knowledge.words("restarts-a-service"), &mends = knowledge.words("mends");
  std::string told;
  each_line(spoken(context), [&](std::string_view line) {
    if (!told.empty() || line.size() > kLongestServiceLine) return;
    const std::string text = lower(line);
    if (contains_one(text, restarts) && contains_one(text, mends)) told = line;
  });
  return told;
}

std::vector<Step> steps_for(const std::string& name) {
  // The node has a .device unit where udev tells systemd of it (systemd.device(5)).
  return {
      Step("echo 'SUBSYSTEM==\"drm\", KERNEL==\"renderD*\", TAG+=\"systemd\"' | sudo tee "
           "/etc/udev/rules.d/99-render-node.rules"),
      "sudo udevadm control --reload",
      Step("printf '[Unit]\\nWants=dev-dri-renderD128.device\\nAfter=dev-dri-renderD128.device\\n' "
           "| "
           "sudo install -D -m 644 /dev/stdin /etc/systemd/system/{}.d/after-gpu.conf",
           name),
      "sudo systemctl daemon-reload", Step("sudo systemctl restart {}", name)};
}

std::vector<Finding> run_service_started_before_driver(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  if (machine.surroundings.wsl) return {skip("under WSL the driver is Windows'")};
  const auto& services = machine.access.services;
  if (!services && !machine.app_log) return {unread(services.error(), "there is no systemd here")};
  const LineTime ready = driver_ready(context);
  std::vector<Finding> findings;
  const ServiceTold told = told_of_server(context, ready);
  std::size_t servers = 0, timed = 0;
  bool unordered = false;
  std::string server;
  const auto started_early = [&](const Service& service, const std::string& seen) {
    findings.push_back(warning(service.name + " was started before amdgpu offered a GPU")
                           .about(service.name)
                           .saw(seen)
                           .fix(steps_for(service.name))
                           .verify("rocvet check --only service-started-before-driver")
                           .root());
  };
  if (services) {
    for (const Service& service : *services) {
      if (!looks_once(service) || (is_tool(context, service) && !someone_complains(context)))
        continue;
      // Where the start of the process of now is known it counts: it may have been started again.
      const std::string line = service.started ? "" : line_of_early_start(context, service, ready);
      if (!line.empty()) {
        started_early(service, line.substr(0, 240));
        continue;
      }
      if (service.started.is_missing()) continue;  // it does not run
      ++servers;
      server = service.name;
      unordered |= !service.after.empty() && !waits_for_gpu(service);
      if (!service.started || ready.boot < 0) continue;
      ++timed;
      if (ready.boot - *service.started < kApart) continue;
      started_early(service, "its process was started " + fixed(*service.started, 1) +
                                 " s after the boot, the first GPU was there " +
                                 fixed(ready.boot, 1) + " s after");
    }
  }
  if (findings.empty() && !told.line.empty()) {
    findings.push_back(warning("a service looked for GPUs before amdgpu offered one")
                           .saw(told.line.substr(0, 240))
                           .fix(steps_for(servers == 1 ? server : "SERVICE"))
                           .root());
  }
  if (findings.empty()) {
    if (const std::string line = missed_at_boot(context); !line.empty()) {
      findings.push_back(
          warning(
              "a program looked for amdgpu's files as the machine started, before they were there")
              .saw(line.substr(0, 240))
              .sees("gpu-service-failed-at-boot")
              .fix(steps_for(servers == 1 ? server : "SERVICE"))
              .root());
    }
  }
  const std::string unit = findings.empty() ? failed_at_boot(context) : "";
  if (!unit.empty()) {
    findings.push_back(warning(unit + " failed as the machine started")
                           .about(unit)
                           .saw("systemd: " + unit + ".service: the process ended with a failure")
                           .sees("gpu-service-failed-at-boot")
                           .fix(steps_for(unit))
                           .root());
  }
  if (findings.empty()) {
    if (const std::string line = told_that_restart_mends(context); !line.empty()) {
      Finding told_so = unknown(not_captured("when the services were started"));
      told_so.evidence.push_back(line.substr(0, 240));
      told_so.seen.push_back("service-restart-said-to-mend");
      return {told_so};
    }
    if (servers == 0) return {none_here("no service here runs that serves models")};
    const bool after = timed == servers || told.started_since;
    findings.push_back(
        after ? pass("the services were started after the driver")
              : unknown(not_captured(ready.boot < 0 ? "when amdgpu offered its first GPU"
                                                    : "when the services were started")));
    if (after) findings.front().seen.push_back("services-started-after-driver");
  }
  if (unordered) findings.front().seen.push_back("service-does-not-wait-for-gpu");
  return findings;
}

}  // namespace

extern const Check kServiceStartedBeforeDriver;
constinit const Check kServiceStartedBeforeDriver{
    .code = "RV114",
    .id = "service-started-before-driver",
    .topic = "access",
    .title = "A service was started before the driver offered a GPU",
    .doc = kServiceStartedBeforeDriverDoc,
    .run = run_service_started_before_driver};

}  // namespace rocvet
