#include "selftests/deep/run_deep.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <list>
#include <set>

#include "base/json.h"
#include "base/now_s.h"
#include "base/path_walk.h"
#include "base/text.h"
#include "selftests/deep/framework_scripts.h"
#include "selftests/deep/probes.h"
#include "selftests/deep/python_places.h"
#include "selftests/result.h"
#include "selftests/worker/interruption.h"
#include "selftests/worker/process.h"

namespace rocvet {
namespace {

using Json = nlohmann::ordered_json;
using Outcome = DeepProbe::Outcome;

constexpr std::size_t kMostDevices = 1024, kMostFrameworks = 16, kFrameworksAtOnce = 2,
                      kMostFacts = 64;
constexpr double kReapSeconds = 5;

std::string text_in(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) return "";
  return found->get<std::string>().substr(0, 4096);
}

/// One worker from its start to its result.
class Running {
 public:
  Running(std::string id, std::string subject, const std::string& job, double deadline_s,
          const std::string& program)
      : deadline_s_(deadline_s) {
    probe_.id = std::move(id);
    probe_.subject = std::move(subject);
    auto process = worker::Process::start(program, job);
    if (!process) {
      finish(Outcome::garbage, "the worker did not start: " + process.error().text());
      return;
    }
    process_.emplace(std::move(*process));
    until_ = now_s() + deadline_s_;
  }

  bool active() const { return process_.has_value(); }
  double until() const { return until_; }
  const DeepProbe& probe() const { return probe_; }
  void add_to(std::vector<pollfd>& watched) const {
    for (const int fd : {process_->events_fd(), process_->stdout_fd(), process_->stderr_fd()}) {
      if (fd >= 0) watched.push_back({fd, POLLIN, 0});
    }
  }

  /// Somebody wants rocvet to end.
  void stop() {
    if (killed_) return;
    killed_ = true;
    process_->kill();
    until_ = now_s() + kReapSeconds;
  }

  void step() {
    read_events();
    if (process_->reap()) {
      read_events();  // what it wrote last
      ended();
    } else if (now_s() > until_) {
      if (killed_) {
        finish(Outcome::hung, "no answer from " + call() + " within " + fixed(deadline_s_, 0) +
                                  " s, and the process cannot be killed: the driver or the "
                                  "hardware does not answer");
        process_->abandon();
        process_.reset();
      } else {
        stop();
      }
    }
  }

 private:
  std::string call() const { return probe_.call.empty() ? "the worker" : probe_.call; }

  void read_events() {
    for (const std::string& line : process_->read_available()) {
      if (finished_ || killed_) continue;
      const auto event = parse_json<Json>(line, "worker", kSmallJson);
      if (!event || !event->is_object() || !take(*event)) {
        finish(Outcome::garbage, "what came back from " + call() + " makes no sense");
        process_->kill();
      }
    }
  }

  /// False: it is no event.
  bool take(const Json& event) {
    if (event.contains("calling")) {
      probe_.call = text_in(event, "calling");
    } else if (event.contains("library")) {
      probe_.library = text_in(event, "library");
      probe_.version = text_in(event, "version");
    } else if (const auto device = event.find("device"); device != event.end()) {
      auto parsed = parse_deep_device(device->dump());
      if (!parsed) return false;
      if (probe_.devices.size() < kMostDevices) probe_.devices.push_back(std::move(*parsed));
    } else if (const auto facts = event.find("fact"); facts != event.end()) {
      if (!facts->is_object()) return false;
      for (const auto& [name, value] : facts->items()) {
        if (probe_.facts.size() >= kMostFacts) break;
        probe_.facts[name.substr(0, 256)] = text_in(*facts, name.c_str());
      }
    } else if (const auto failed = event.find("failed"); failed != event.end()) {
      const auto outcome = deep_outcome(text_in(*failed, "outcome"));
      if (!failed->is_object() || !outcome) return false;
      probe_.call = text_in(*failed, "call");
      if (const auto status = failed->find("status");
          status != failed->end() && status->is_number_integer())
        probe_.status = status->get<std::int64_t>();
      probe_.status_name = text_in(*failed, "name");
      finish(*outcome, text_in(*failed, "why"));
    } else if (event.contains("done")) {
      probe_.call.clear();
      const auto wrong = std::ranges::find_if(probe_.devices, [](const DeepDevice& one) {
        return one.product_right == std::optional(false);
      });
      if (wrong != probe_.devices.end()) {
        finish(Outcome::wrong, "a matrix product has wrong numbers" +
                                   (wrong->name ? " (" + *wrong->name + ")" : std::string()));
      } else {
        finish(probe_.devices.empty() ? Outcome::no_device : Outcome::works, "");
      }
    } else {
      return false;
    }
    return true;
  }

  void finish(Outcome outcome, std::string why) {
    if (finished_) return;
    finished_ = true;
    probe_.outcome = outcome;
    probe_.why = std::move(why);
  }

  void ended() {
    const WorkerEnd end = process_->end();
    if (!finished_) {
      probe_.exit = end.exit;
      probe_.signal = killed_ ? std::nullopt : end.signal;
      if (killed_) {
        finish(Outcome::hung, "no answer from " + call() + " within " + fixed(deadline_s_, 0) +
                                  " s; the worker was killed");
      } else {
        finish(Outcome::crashed, end.signal ? "the process was " + describe(end) + " in " + call()
                                            : "the process " + describe(end) + " in " + call());
      }
    }
    if (probe_.outcome != Outcome::works && probe_.outcome != Outcome::absent)
      probe_.words = process_->tail();
    process_.reset();
  }

  double deadline_s_, until_ = 0;
  DeepProbe probe_;
  std::optional<worker::Process> process_;
  bool finished_ = false, killed_ = false;
};

void run_all(std::list<Running>& all) {
  while (std::ranges::any_of(all, [](const Running& one) { return one.active(); })) {
    std::vector<pollfd> watched;
    double next = now_s() + 0.2;
    for (const Running& one : all) {
      if (!one.active()) continue;
      one.add_to(watched);
      next = std::min(next, one.until());
    }
    // The end of a process does not wake poll() while a child of its own holds its pipes.
    const double wait_s = std::clamp(next - now_s(), 0.0, watched.size() < 3 ? 0.02 : 0.2);
    poll(watched.data(), watched.size(), static_cast<int>(wait_s * 1000) + 1);
    for (Running& one : all) {
      if (one.active() && worker::Interruption::seen()) one.stop();
      if (one.active()) one.step();
    }
  }
}

/// The interpreter of an environment; "" when it has none that may be run.
std::string python_of(const PythonEnvironment& environment) {
  std::vector<std::string> candidates;
  const auto numbers = split(environment.python_version, '.');
  const std::string numbered =
      numbers.size() >= 2 ? "python" + std::string(numbers[0]) + "." + std::string(numbers[1])
                          : "python3";
  const bool own = environment.kind != "user" && environment.kind != "folder";
  for (const std::string& folder :
       {environment.root + "/bin/", std::string("/usr/bin/"), std::string("/usr/local/bin/")}) {
    for (const std::string& name : {numbered, std::string("python3"), std::string("python")})
      candidates.push_back(folder + name);
    if (own) break;
  }
  for (const std::string& candidate : candidates) {
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return "";
}

bool has_line_end(const std::string& path) {
  return path.find('\n') != path.npos;
}

bool has(const PythonEnvironment& environment, const deep::FrameworkScript& script) {
  return std::ranges::any_of(environment.frameworks, [&](const Framework& one) {
    return std::ranges::count(script.packages, one.name) > 0;
  });
}

/// Who the code belongs to, for root, who runs what root alone has put there, or what one user has,
/// as that user. Error::denied: several can change it.
Result<uid_t> whose(const std::optional<Changer>& changer, const std::string& id,
                    const std::string& folder) {
  if (!changer) return geteuid();
  if (!changer->anybody) return changer->uid;
  return Error{Error::Kind::denied, id,
               "is not run as root: more people than one can change what is in " + folder +
                   "; run rocvet check --deep as the one who uses it"};
}

/// The HIP back end of ggml in an application; "" when it has none.
std::string ggml_of(const Application& application) {
  for (const Library& library : application.libraries) {
    if (base_name(library.path).starts_with("libggml-hip.so")) return library.path;
  }
  return "";
}

/// Error::denied: it is not for this user to run.
Result<std::string> ggml_job(const Application& application, const std::string& path) {
  std::optional<Changer> changer;
  std::vector<std::string> folders;
  if (!application.bundle.empty() && access(application.bundle.c_str(), F_OK) == 0)
    folders = {std::string(parent_path(application.bundle)), application.bundle};
  if (geteuid() == 0) {
    add_changer(changer, who_else_changes_inside(std::string(parent_path(path))));
    for (const std::string& folder : folders) add_changer(changer, who_else_changes_inside(folder));
  }
  const auto owner = whose(changer, application.name, std::string(parent_path(path)));
  if (!owner) return owner.error();
  if (has_line_end(path) || std::ranges::any_of(folders, has_line_end)) {
    return Error{Error::Kind::denied, application.name,
                 "is not run: the name of a folder of it has a line end"};
  }
  std::string job =
      "deep\n" + std::string(deep::kGgml) + "\n" + std::to_string(*owner) + "\n" + path;
  for (const std::string& folder : folders) job += "\n" + folder;
  return job;
}

/// Error::missing: there is no interpreter; Error::denied: it is not for this user to run.
Result<std::string> framework_job(const PythonEnvironment& environment, const std::string& id) {
  const std::string python = python_of(environment);
  if (python.empty()) return missing(id, "there is no Python program for " + environment.root);
  const auto owner = whose(geteuid() == 0 ? who_else_puts_into(environment, python) : std::nullopt,
                           id, environment.root);
  if (!owner) return owner.error();
  // A job is lines: what was looked at must be what is run.
  if (has_line_end(python) || std::ranges::any_of(environment.site_packages, has_line_end)) {
    return Error{Error::Kind::denied, id, "is not run: the name of a folder of it has a line end"};
  }
  std::string job = "deep\n" + id + "\n" + std::to_string(*owner) + "\n" + python;
  if (environment.kind == "user" || environment.kind == "folder") {
    for (const std::string& site : environment.site_packages) job += "\n" + site;
  }
  return job;
}

}  // namespace

Deep run_deep(const Machine& machine, const DeepRequest& request) {
  const auto wanted = [&](const std::string& id) {
    return request.only.empty() || std::ranges::count(request.only, id) > 0;
  };
  const worker::Interruption interruption;
  Deep deep;
  const auto take = [&](std::list<Running>& batch) {
    run_all(batch);
    for (const Running& one : batch) deep.probes.push_back(one.probe());
    batch.clear();
  };
  std::list<Running> batch;
  for (const char* id : {"hip", "hsa", "rocm-smi", "amd-smi"}) {
    if (wanted(id))
      batch.emplace_back(id, "", std::string("deep\n") + id, request.deadline_s,
                         request.worker_program);
  }
  take(batch);
  std::size_t started = 0;
  const auto add = [&](const std::string& id, const std::string& subject,
                       const Result<std::string>& job) {
    if (!job) {
      DeepProbe& none = deep.probes.emplace_back();
      none.id = id;
      none.subject = subject;
      none.outcome = job.is(Error::Kind::missing) ? Outcome::absent : Outcome::withheld;
      none.why = job.error().what;
      return;
    }
    batch.emplace_back(id, subject, *job, request.deadline_s * 3, request.worker_program);
    if (batch.size() >= kFrameworksAtOnce) take(batch);
  };
  for (const PythonEnvironment& environment : machine.software.python) {
    for (const deep::FrameworkScript& script : deep::framework_scripts()) {
      const std::string id(script.id);
      const bool asked = request.only.empty() ? id == "torch" : wanted(id);
      if (worker::Interruption::seen()) break;
      if (!asked || !has(environment, script) || started++ >= kMostFrameworks) continue;
      add(id, environment.root, framework_job(environment, id));
    }
  }
  std::set<std::string> asked_of;  // several programs of a package share one
  for (const Application& application : machine.software.applications) {
    if (!request.only.empty() && !worker::Interruption::seen() &&
        wanted(std::string(deep::kGgml))) {
      const std::string path = ggml_of(application);
      if (path.empty() || !asked_of.insert(path).second || started++ >= kMostFrameworks) continue;
      add(application.name, application.path, ggml_job(application, path));
    }
  }
  take(batch);
  return deep;
}

}  // namespace rocvet
