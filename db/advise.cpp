#include "db/advise.h"

#include "base/text.h"
#include "db/advice/planner.h"

namespace rocvet {
namespace {

using db::Planner;

Version release_of(const Stack& stack) {
  return Version::parse(stack.rocm).value_or(Version{});
}

/// "wsl2-ubuntu-24.04" is Ubuntu in WSL; whether it was. Error: no system after the dash.
Result<bool> take_wsl(std::string& os) {
  const std::string asked = os, word = lower(trim(os));
  if (word == "wsl" || word == "wsl2") {
    os.clear();
    return true;
  }
  for (const std::string_view prefix : {"wsl2-", "wsl-", "wsl2 ", "wsl "}) {
    if (!word.starts_with(prefix)) continue;
    os = word.substr(prefix.size());
    if (os.empty() || os.starts_with("wsl"))
      return malformed("--os", "'" + asked + "' names no system in WSL (wsl2-ubuntu-24.04)");
    return true;
  }
  return false;
}

/// The target behind the words of --gpu, which the database understands.
std::string target_of(const db::BlobDatabase& database, const std::string& gpu) {
  std::string word = lower(trim(gpu));
  if (db::is_gfx_name(word)) return word;
  if (const auto products = database.find(gpu); !products.empty()) return products.front()->gfx;
  std::string_view id = word;
  if (id.starts_with("1002:")) id.remove_prefix(5);
  return std::string(database.gfx_of_device("1002", id.substr(0, 4)));
}

/// "pytorch=2.9" is a framework and a version; errors: a framework that nothing is known of.
Result<Done> take_framework(const db::BlobDatabase& database, AdviceRequest& request) {
  if (request.framework.empty()) return Done{};
  const std::string text = request.framework;
  const std::size_t equals = text.find('=');
  request.framework = db::framework_name(text.substr(0, equals));
  if (equals != std::string::npos) request.framework_version = trim(text.substr(equals + 1));
  // "2.9.1+rocm6.4": a wheel's version may say which ROCm it is built for.
  if (const std::size_t plus = request.framework_version.find("+rocm"); plus != std::string::npos) {
    request.framework_rocm = request.framework_version.substr(plus + 5);
    request.framework_version.resize(plus);
    const auto rocm = db::parse_version("--framework", request.framework_rocm);
    if (!rocm) return rocm.error();
  }
  if (request.framework == "none") return Done{};
  if (!request.framework_version.empty()) {
    const auto version = db::parse_version("--framework", request.framework_version);
    if (!version) return version.error();
  }
  for (const db::InstallRow& row : database.published().installs()) {
    if (row.what == request.framework) return Done{};
  }
  const auto answer = database.ask({.framework = text});
  if (answer || request.framework == "triton") return Done{};
  for (const db::WheelRow& row : database.published().wheels()) {
    if (row.framework == request.framework) return Done{};
  }
  return answer.error();
}

void summarise(Planner& planner) {
  Advice& advice = planner.advice;
  const AdviceRequest& request = planner.request;
  const std::string where =
      (planner.os ? " on " + planner.os->display() : "") + (request.wsl ? " in WSL" : "");
  if (!advice.kept.rocm.empty()) {
    advice.summary = "ROCm " + advice.kept.rocm + ", which is installed, lists " + request.gpu +
                     where + ": keep it";
    if (advice.kept.rocm != advice.newest.rocm && !advice.newest.rocm.empty())
      advice.notes.push_back("the newest release that lists it is ROCm " + advice.newest.rocm +
                             "; rocvet plan --to rocm=" + advice.newest.rocm +
                             " says what an upgrade would break");
    planner.keep(release_of(advice.kept));
  } else if (!advice.newest.rocm.empty()) {
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
    const auto system = planner.db.ask({.rocm = advice.elsewhere.rocm, .os = request.os});
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
    planner.without_rocm();
  }
}

}  // namespace

Result<std::vector<AdviceStep>> install_steps(const Database& database, const InstallRequest& of) {
  const auto* blob = dynamic_cast<const db::BlobDatabase*>(&database);
  if (!blob) return Error{Error::Kind::unsupported, "database", "holds no installation commands"};
  const auto rocm = Version::parse(of.rocm);
  if (!rocm) return malformed("rocm", "'" + of.rocm + "' is no release");
  const auto os = db::parse_os(of.os);
  if (!os) return os.error();
  const Planner planner{*blob, {}, of.gfx, *os, {}, {}, {}, {}};
  std::vector<AdviceStep> steps;
  for (const char* what : {"driver", "rocm", "pytorch", "distribution"}) {
    if (auto step = planner.install_step(what, *rocm, what, "")) steps.push_back(std::move(*step));
  }
  return steps;
}

Result<Advice> advise(const Database& database, const AdviceRequest& asked) {
  const auto* blob = dynamic_cast<const db::BlobDatabase*>(&database);
  if (!blob) return Error{Error::Kind::unsupported, "database", "holds no installation commands"};
  AdviceRequest request = asked;
  if (trim(request.gpu).empty()) return missing("--gpu", "say which GPU");
  const auto in_wsl = take_wsl(request.os);
  if (!in_wsl) return in_wsl.error();
  request.wsl |= *in_wsl;
  // One question tells whether the words are understood.
  if (auto answer = blob->ask({.gpu = request.gpu, .os = request.os, .python = request.python});
      !answer)
    return answer.error();
  if (auto ok = take_framework(*blob, request); !ok) return ok.error();
  Planner planner{*blob, request, target_of(*blob, request.gpu), std::nullopt, {}, {}, {}, {}};
  if (!request.os.empty()) {
    auto os = db::parse_os(request.os);
    if (!os) return os.error();
    planner.os = *os;
  }
  planner.choose();
  summarise(planner);
  return planner.advice;
}

}  // namespace rocvet
