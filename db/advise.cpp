#include "db/advise.h"

#include <algorithm>
#include <cstdlib>

#include "base/text.h"
#include "db/blob_database.h"
#include "db/names.h"

namespace rocvet {
namespace {

using db::BlobDatabase;
using db::OsName;

/// "" where it has to be asked of the system.
std::string codename(const OsName& os) {
  static constexpr std::pair<std::string_view, std::string_view> kUbuntu[] = {
      {"18.04", "bionic"},
      {"20.04", "focal"},
      {"22.04", "jammy"},
      {"24.04", "noble"},
      {"26.04", "resolute"}};
  // AMD's repository serves Debian from the Ubuntu release with the nearest C library.
  static constexpr std::pair<std::string_view, std::string_view> kDebian[] = {{"12", "jammy"},
                                                                              {"13", "noble"}};
  if (os.id == "debian") {
    for (const auto& [version, name] : kDebian) {
      if (std::string_view(os.version).starts_with(version)) return std::string(name);
    }
  }
  for (const auto& [version, name] : kUbuntu) {
    if (std::string_view(os.version).starts_with(version)) return std::string(name);
  }
  return "";
}

void replace_all(std::string& text, std::string_view from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

std::string without_zero(const Version& version) {
  std::string text = version.text();
  if (text.ends_with(".0") && version.parts.size() == 3) text.resize(text.size() - 2);
  return text;
}

/// "6.2.0"
std::string in_full(const Version& version) {
  std::string text = version.text();
  if (version.parts.size() == 2) text += ".0";
  return text;
}

std::string_view without_slash(std::string_view url) {
  while (url.ends_with('/')) url.remove_suffix(1);
  return url;
}

/// Each https address in a command, as far as the shell, printf or a quote lets it go.
std::vector<std::string_view> urls_in(std::string_view command) {
  std::vector<std::string_view> urls;
  for (std::size_t at = command.find("https://"); at != std::string_view::npos;
       at = command.find("https://", at + 1)) {
    urls.push_back(without_slash(command.substr(at, command.find_first_of(" '\"\\", at) - at)));
  }
  return urls;
}

Version release_of(const Stack& stack) {
  return Version::parse(stack.rocm).value_or(Version{});
}

/// "6.2" of 6.2.4.
std::string series_of(Version version) {
  version.parts.resize(std::min<std::size_t>(2, version.parts.size()));
  return version.text();
}

struct Planner {
  const BlobDatabase& db;
  AdviceRequest request;
  std::string gfx;
  std::optional<OsName> os;
  Advice advice;

  /// The driver release that goes with a ROCm release: of the same number before 7.0; "" when none
  /// is known.
  std::string driver_for(const Version& rocm) const {
    if (rocm < Version{{7, 0}}) return without_zero(rocm);
    for (const db::ReleaseRow& release : db.published().releases()) {
      if (release.rocm == rocm) return std::string(release.driver);
    }
    return {};
  }

  /// What stands for the words in braces.
  std::vector<std::pair<std::string_view, std::string>> gaps(const Version& rocm) const {
    const std::string version = os ? os->version : "";
    std::string compact;
    for (const char c : version) {
      if (c != '.' && compact.size() < 4) compact += c;
    }
    return {{"{rocm}", without_zero(rocm)},
            {"{full}", in_full(rocm)},
            {"{series}", series_of(rocm)},
            {"{driver}", driver_for(rocm)},
            {"{codename}", os ? codename(*os) : ""},
            {"{major}", version.substr(0, version.find('.'))},
            {"{version}", version},
            {"{compact}", compact},
            {"{gfx}", gfx}};
  }

  /// An address of the database with its words in braces replaced.
  std::string filled(std::string_view pattern, const Version& rocm) const {
    std::string text(pattern);
    for (const auto& [gap, value] : gaps(rocm)) replace_all(text, gap, value);
    return text;
  }

  Step command(std::string_view item, const Version& rocm) const {
    Step step = Step::of_database(item);
    for (const auto& [gap, value] : gaps(rocm)) step.fill(gap, value);
    if (os) step.fill_with_code("{codename}", "$(. /etc/os-release; echo $VERSION_CODENAME)");
    return step;
  }

  /// Whether a row of these systems, or of "*", speaks of this one.
  bool speaks_of_os(const db::Texts& ids) const {
    return db::holds(ids, "*") || (os && db::holds(ids, os->id));
  }

  /// Whether AMD's page for the release names the repository for this system.
  bool named(std::string_view url, std::string_view what, const Version& rocm) const {
    const auto fits = [&](std::string_view version) {
      return os && (os->version + ".").starts_with(std::string(version) + ".");
    };
    for (const db::RepositoryRow& row : db.published().repositories()) {
      if (row.what != what || !speaks_of_os(row.os) || !row.rocm.contains(rocm) ||
          !row.origin.basis.empty())
        continue;
      if (!row.versions.empty() && std::none_of(row.versions.begin(), row.versions.end(), fits))
        continue;
      for (const std::string_view pattern : row.urls) {
        if (without_slash(filled(pattern, rocm)) == url) return true;
      }
    }
    return false;
  }

  /// The commands of the install table, or nothing when it does not speak of the system. Commands
  /// with a repository that no page of AMD's names for the release are not given: the page is.
  std::optional<AdviceStep> install_step(std::string_view what, const Version& rocm,
                                         std::string title, std::string why) const {
    const auto version = Version::parse(os ? os->version : "");
    for (const db::InstallRow& row : db.published().installs()) {
      if (row.what != what || !speaks_of_os(row.os) || !row.rocm.contains(rocm)) continue;
      if (row.version && version && !row.version->contains(*version)) continue;
      if (!row.gfx.empty() && !db::holds(row.gfx, gfx)) continue;
      AdviceStep step{std::move(title), std::move(why), {}, true, false, false};
      if (!row.note.empty()) step.why += " " + std::string(row.note);
      for (const std::string_view item : row.steps) step.commands.push_back(command(item, rocm));
      const bool confirmed =
          std::all_of(step.commands.begin(), step.commands.end(), [&](const Step& command) {
            const auto urls = urls_in(command.text());
            return std::all_of(urls.begin(), urls.end(),
                               [&](std::string_view url) { return named(url, what, rocm); });
          });
      if (!confirmed || step.commands.empty()) {
        step.commands.clear();
        const std::string document = filled(row.document, rocm);
        step.why += " The repository for this system and release is not confirmed" +
                    (document.empty() ? "" : "; read " + document);
      }
      return step;
    }
    return std::nullopt;
  }

  bool supported(const Answer& answer) const {
    return answer.verdict == Support::supported || answer.verdict == Support::deprecated;
  }

  void choose() {
    const auto& releases = db.published().releases();
    const auto installed = Version::parse(request.installed);
    // "Near" counts releases, not version numbers: 7.2.4 and 7.14 are neighbours but for previews.
    int installed_place = -1, nearest_distance = -1;
    for (std::size_t i = 0; installed && i < releases.size(); ++i) {
      if (releases[i].rocm <= *installed) installed_place = static_cast<int>(i);
    }
    for (std::size_t i = releases.size(); i-- > 0;) {
      if (releases[i].kind == "preview") continue;
      const std::string rocm = releases[i].rocm.text();
      auto answer = db.ask({.gpu = request.gpu, .rocm = rocm, .os = request.os});
      if (!answer) continue;
      if (supported(*answer)) {
        if (advice.newest.rocm.empty()) advice.newest = {rocm, *answer};
        if (installed_place >= 0) {
          const int distance = std::abs(installed_place - static_cast<int>(i));
          if (nearest_distance < 0 || distance < nearest_distance) {
            nearest_distance = distance;
            advice.nearest = {rocm, *answer};
          }
        }
        continue;
      }
      auto alone = db.ask({.gpu = request.gpu, .rocm = rocm});
      if (!alone) continue;
      if (supported(*alone) && advice.elsewhere.rocm.empty()) advice.elsewhere = {rocm, *alone};
      const bool built =
          std::any_of(alone->facts.begin(), alone->facts.end(), [](const Fact& fact) {
            return fact.subject == "library × gpu" && fact.verdict == Support::enabled;
          });
      if (!supported(*alone) && (alone->verdict == Support::enabled || built) &&
          advice.unofficial.rocm.empty()) {
        advice.unofficial = {rocm, *alone};
      }
    }
    if (advice.nearest.rocm.empty()) advice.nearest = advice.newest;
    if (!advice.newest.rocm.empty()) advice.elsewhere = advice.unofficial = {};
  }

  void plan(const Version& rocm, bool official) {
    const std::string rocm_text = rocm.text();
    const bool is_apu = [&] {
      for (const auto* info : db.find(request.gpu)) return info->is_apu;
      return false;
    }();
    const auto kernel_issues =
        db.known_issues({.gfx = gfx, .rocm = rocm_text, .kernel = request.kernel});
    for (const auto& issue : kernel_issues) {
      if (issue.topic == "kernel-min" && issue.certain && !request.kernel.empty()) {
        advice.steps.push_back({"Boot a newer kernel",
                                issue.because + " (" + issue.source + ")",
                                {},
                                true,
                                true,
                                false});
        break;
      }
    }
    if (is_apu) {
      advice.notes.push_back(
          "AMD lists the kernel's own driver for Ryzen APUs: do not install amdgpu-dkms");
    } else if (auto step = install_step(
                   "driver", rocm, "Install the driver",
                   "ROCm " + rocm_text + " is listed with driver " + driver_for(rocm) + ".")) {
      step->needs_reboot = !step->commands.empty();
      bool builds = true;
      for (const auto& issue : db.known_issues({.gfx = gfx,
                               .rocm = rocm_text,
                               .kernel = request.kernel,
                               .dkms_driver = module_of(driver_for(rocm))})) {
        if (issue.topic == "dkms-build" && issue.certain && !request.kernel.empty()) {
          advice.notes.push_back(issue.because + ": keep the kernel's own driver (" + issue.source +
                                 ")");
          builds = false;
          break;
        }
      }
      if (builds) advice.steps.push_back(std::move(*step));
    } else {
      advice.notes.push_back(
          "the kernel's own amdgpu driver serves; no page of AMD's is known that has its driver "
          "for "
          "this system and release");
    }
    const std::string why = official ? "The newest release that lists this GPU on this system."
                                     : "The newest release whose libraries are built for " + gfx +
                                           "; AMD does not list it.";
    auto step = install_step("rocm", rocm, "Install ROCm " + rocm_text, why);
    const bool commands = step && !step->commands.empty();
    if (step) advice.steps.push_back(std::move(*step));
    auto own = install_step(
        "distribution", rocm,
        std::string(step ? "Or install" : "Install") + " the distribution's ROCm",
        "No packages of ROCm " + rocm_text + " are known that AMD publishes for this system.");
    if (!commands && own) {
      advice.steps.push_back(std::move(*own));
    } else if (!step && !request.os.empty()) {
      advice.notes.push_back("no installation commands are known for " + request.os);
    }
    advice.steps.push_back({"Let your user open the GPU",
                            "/dev/kfd and the render nodes belong to these groups.",
                            {"sudo usermod -a -G render,video \"$LOGNAME\""},
                            true,
                            false,
                            true});
    pytorch(rocm);
    advice.steps.push_back(
        {"Or use a container",
         "The devices and the groups that a container needs.",
         {Step("docker run -it --device=/dev/kfd --device=/dev/dri --group-add video --group-add "
               "render --security-opt seccomp=unconfined --ipc=host {}:{}",
               rocm >= Version{{6, 0}} ? "rocm/dev-ubuntu-24.04" : "rocm/dev-ubuntu-22.04",
               rocm_text)},
         false,
         false,
         false});
    advice.steps.push_back(
        {"Check it", "The whole stack, as this user.", {"rocvet run"}, false, false, false});
  }

  std::string module_of(const std::string& driver) const {
    for (const db::ModuleRow& row : db.published().modules()) {
      if (!driver.starts_with(row.driver)) continue;
      std::string_view range = row.module.text();
      range.remove_prefix(std::min(range.find_first_of("0123456789"), range.size()));
      return std::string(range.substr(0, range.find(',')));
    }
    return {};
  }

  void pytorch(const Version& rocm) {
    if (auto step = install_step("pytorch", rocm, "PyTorch",
                                 "AMD's multi-target index; the wheels bring ROCm along.")) {
      step->needs_root = false;
      advice.steps.push_back(std::move(*step));
      return;
    }
    // The newest wheels that hold the target; they bring their own ROCm.
    const auto all = db.wheels("pytorch");
    for (auto wheel = all.rbegin(); wheel != all.rend(); ++wheel) {
      if (std::find(wheel->gfx.begin(), wheel->gfx.end(), gfx) == wheel->gfx.end()) continue;
      Step install("pip install \"torch==X.Y.*\" torchvision torchaudio --index-url {}",
                   wheel->index);
      install.fill("X.Y", wheel->version);
      advice.steps.push_back({"PyTorch",
                              "torch " + wheel->version + " for ROCm " + wheel->rocm + " holds " +
                                  gfx + " (" + wheel->source + ").",
                              {install},
                              false,
                              false,
                              false});
      return;
    }
    advice.notes.push_back("no published PyTorch wheel is known to hold " + gfx);
  }

  void unofficial_notes() {
    for (const auto& issue : db.known_issues({.gfx = gfx, .rocm = advice.unofficial.rocm})) {
      if (issue.topic == "override-works")
        advice.notes.push_back(issue.because + " (" + issue.source + ")");
    }
    if (const std::string last = db.last_rocm_for(gfx); !last.empty()) {
      advice.notes.push_back("ROCm " + last + " is the last release that lists " + gfx);
    }
  }
};

}  // namespace

Result<std::vector<AdviceStep>> install_steps(const Database& database, const InstallRequest& of) {
  const auto* blob = dynamic_cast<const BlobDatabase*>(&database);
  if (!blob) return Error{Error::Kind::unsupported, "database", "holds no installation commands"};
  const auto rocm = Version::parse(of.rocm);
  if (!rocm) return malformed("rocm", "'" + of.rocm + "' is no release");
  const auto os = db::parse_os(of.os);
  if (!os) return os.error();
  const Planner planner{*blob, {}, of.gfx, *os, {}};
  std::vector<AdviceStep> steps;
  for (const char* what : {"driver", "rocm", "pytorch", "distribution"}) {
    if (auto step = planner.install_step(what, *rocm, what, "")) steps.push_back(std::move(*step));
  }
  return steps;
}

Result<Advice> advise(const Database& database, const AdviceRequest& request) {
  const auto* blob = dynamic_cast<const BlobDatabase*>(&database);
  if (!blob) return Error{Error::Kind::unsupported, "database", "holds no installation commands"};
  if (trim(request.gpu).empty()) return missing("--gpu", "say which GPU");
  // One question tells whether the words are understood.
  if (auto answer = blob->ask({.gpu = request.gpu, .os = request.os}); !answer)
    return answer.error();
  Planner planner{*blob, request, {}, std::nullopt, {}};
  const std::string word = lower(trim(request.gpu));
  if (db::is_gfx_name(word)) {
    planner.gfx = word;
  } else if (const auto products = blob->find(request.gpu); !products.empty()) {
    planner.gfx = products.front()->gfx;
  } else {
    std::string_view id = word;
    if (id.starts_with("1002:")) id.remove_prefix(5);
    planner.gfx = blob->gfx_of_device("1002", id.substr(0, 4));
  }
  if (!request.os.empty()) {
    auto os = db::parse_os(request.os);
    if (!os) return os.error();
    planner.os = *os;
  }
  planner.choose();
  Advice& advice = planner.advice;
  const std::string where = planner.os ? " on " + planner.os->display() : "";
  if (!advice.newest.rocm.empty()) {
    advice.summary =
        "ROCm " + advice.newest.rocm + " is the newest release that lists " + request.gpu + where;
    if (!request.installed.empty() && advice.nearest.rocm != advice.newest.rocm) {
      advice.notes.push_back("nearest to the installed ROCm " + request.installed + ": ROCm " +
                             advice.nearest.rocm);
    }
    planner.plan(release_of(advice.newest), true);
  } else if (!advice.elsewhere.rocm.empty()) {
    advice.summary = "no ROCm release lists " + request.gpu + where + "; ROCm " +
                     advice.elsewhere.rocm + " lists it on other systems";
    const auto system = blob->ask({.rocm = advice.elsewhere.rocm, .os = request.os});
    for (const auto& fact : system ? system->facts : std::vector<Fact>{}) {
      if (fact.subject == "os × rocm") advice.notes.push_back(fact.because);
    }
    planner.plan(release_of(advice.elsewhere), false);
  } else if (!advice.unofficial.rocm.empty()) {
    advice.summary = "no ROCm release lists " + request.gpu + where + "; ROCm " +
                     advice.unofficial.rocm +
                     " may work unofficially: " + advice.unofficial.answer.because;
    planner.unofficial_notes();
    planner.plan(release_of(advice.unofficial), false);
  } else {
    advice.summary = "no ROCm release lists " + request.gpu + where + ", and none is known to work";
    planner.unofficial_notes();
  }
  return planner.advice;
}

}  // namespace rocvet
