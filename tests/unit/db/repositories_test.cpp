// What `advise` prints must be a repository that AMD's page for the release names.
#include <doctest/doctest.h>

#include <map>
#include <regex>
#include <set>

#include "base/text.h"
#include "db/advise.h"
#include "db/blob_database.h"

using namespace rocvet;

namespace {

const db::BlobDatabase& database() {
  return dynamic_cast<const db::BlobDatabase&>(Database::embedded());
}

std::vector<std::string> urls_of(const std::vector<AdviceStep>& steps) {
  static const std::regex kUrl("https?://[^ '\"\\\\]+");
  std::vector<std::string> urls;
  for (const AdviceStep& step : steps) {
    for (const Step& each : step.commands) {
      const std::string& command = each.text();
      for (std::sregex_iterator at(command.begin(), command.end(), kUrl), end; at != end; ++at)
        urls.push_back(at->str());
    }
  }
  return urls;
}

/// "6.2.0" is called 6.2 in its repository.
std::string folder_of(const std::string& rocm) {
  return rocm.ends_with(".0") && rocm < "7.9" && rocm > "5" ? rocm.substr(0, rocm.size() - 2)
                                                            : rocm;
}

/// A row of repositories.toml that names the address for the release: the test's own reading of it.
bool named_in_table(std::string url, const std::string& rocm) {
  while (url.ends_with('/')) url.pop_back();
  const auto table = database().table<"repository">();
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (!VersionRange::parse(table.get(i, "rocm"))->contains(*Version::parse(rocm))) continue;
    if (!table.get(i, "basis").empty()) continue;  // not what a page says
    for (const auto item : db::list_items(table.get(i, "url"))) {
      std::string pattern = std::regex_replace(std::string(item), std::regex("[.]"), "[.]");
      pattern = std::regex_replace(pattern, std::regex("[{]rocm[}]"), folder_of(rocm));
      pattern = std::regex_replace(pattern, std::regex("[{][a-z]+[}]"), "[0-9a-z.]+");
      if (std::regex_match(url, std::regex(pattern + "/?"))) return true;
    }
  }
  return false;
}

bool named(const std::string& url, const std::string& rocm) {
  static std::map<std::pair<std::string, std::string>, bool> known;
  const auto [entry, is_new] = known.try_emplace({url, rocm}, false);
  if (is_new) entry->second = named_in_table(url, rocm);
  return entry->second;
}

std::vector<std::string> releases() {
  std::vector<std::string> all;
  const auto table = database().table<"release">();
  for (std::size_t i = 0; i < table.size(); ++i) all.emplace_back(table.get(i, "rocm"));
  return all;
}

/// Every system of the database, and some that no page speaks of.
std::set<std::string> systems() {
  std::set<std::string> all = {"ubuntu-26.04", "ubuntu-24.10",  "debian-13",  "rhel-9",
                               "rhel-10.1",    "almalinux-9.6", "centos-7.9", "sles-16.0",
                               "fedora-42",    "arch"};
  const auto table = database().table<"os">();
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::string os(table.get(i, "os"));
    if (os != "windows") all.insert(os + "-" + std::string(table.get(i, "version")));
  }
  return all;
}

std::vector<AdviceStep> steps_of(const std::string& rocm, const std::string& os,
                                 const std::string& gfx = "gfx942") {
  const auto steps = install_steps(Database::embedded(), {rocm, os, gfx});
  REQUIRE(steps);
  return *steps;
}

bool prints(const std::string& rocm, const std::string& os, const std::string& part) {
  for (const AdviceStep& step : steps_of(rocm, os)) {
    for (const Step& command : step.commands) {
      if (command.text().find(part) != std::string::npos) return true;
    }
  }
  return false;
}

}  // namespace

TEST_CASE("every repository that can be printed is one that a page for the release names") {
  std::size_t printed = 0, withheld = 0;
  for (const std::string& rocm : releases()) {
    for (const std::string& os : systems()) {
      for (const char* gfx : {"gfx942", "gfx1100", "gfx1151", "gfx906"}) {
        CAPTURE(rocm);
        CAPTURE(os);
        const auto steps = install_steps(Database::embedded(), {rocm, os, gfx});
        if (!steps) continue;  // "7.9 or later" and the like name no system
        for (const std::string& url : urls_of(*steps)) {
          CAPTURE(url);
          CHECK(named(url, rocm));
          ++printed;
        }
        for (const AdviceStep& step : *steps) {
          if (!step.commands.empty()) continue;
          CHECK(step.why.find("not confirmed; read https://") != std::string::npos);
          CHECK(step.why.find('{') == std::string::npos);
          ++withheld;
        }
      }
    }
  }
  CHECK(printed > 1000);
  CHECK(withheld > 100);
}

TEST_CASE("what advise plans for a product of every target is named too") {
  std::set<std::string> indexes;  // of wheels, and of the documents' own commands for them
  for (const WheelInfo& wheel : database().wheels("")) {
    indexes.insert(wheel.index);
    if (wheel.install.empty()) continue;
    AdviceStep own{"", "", {Step::of_database(wheel.install)}, false, false, false};
    for (const std::string& url : urls_of({own})) indexes.insert(url);
  }
  std::size_t printed = 0;
  std::set<std::string> targets;
  for (const GpuInfo& gpu : database().gpus()) {
    if (!targets.insert(gpu.gfx).second) continue;
    for (const char* os : {"ubuntu-22.04", "ubuntu-24.04", "rhel-9.4", "debian-12"}) {
      const auto advice = advise(database(), {.gpu = gpu.name, .os = os});
      if (!advice) continue;  // a name of two products
      std::string rocm = advice->newest.rocm;
      if (rocm.empty()) rocm = advice->elsewhere.rocm;
      if (rocm.empty()) rocm = advice->unofficial.rocm;
      for (const std::string& url : urls_of(advice->steps)) {
        CAPTURE(gpu.name);
        CAPTURE(rocm);
        CAPTURE(url);
        CHECK((named(url, rocm) || indexes.count(url) == 1));
        ++printed;
      }
    }
  }
  CHECK(printed > 100);
}

TEST_CASE(
    "every wheel, index and image that advise names for a framework is a row that says where") {
  // The device of the GPU stands for all of them in a document's own command.
  const auto of_rows = [](std::string command) {
    for (const WheelInfo& wheel : database().wheels("")) {
      if (wheel.source.empty()) continue;
      if (!wheel.index.empty() && command.find(wheel.index) != command.npos) return true;
      std::string own = wheel.install;
      const std::size_t all = own.find("device-all");
      if (!own.empty() && own.substr(0, all) == command.substr(0, all)) return true;
      if (own.find(command) != own.npos) return true;
    }
    return false;
  };
  std::set<std::string> images;
  const auto table = database().table<"container">();
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table.get(i, "basis").empty())
      images.insert(std::string(table.get(i, "image")) + ":" + std::string(table.get(i, "tag")));
  }
  std::size_t wheels = 0, containers = 0;
  for (const char* framework : {"pytorch", "tensorflow", "jax", "onnxruntime", "vllm", "triton"}) {
    for (const char* gpu : {"MI355X", "MI300X", "MI250X", "MI100", "MI50", "RX 9070 XT",
                            "RX 7900 XTX", "RX 6800", "RX 6700 XT", "Radeon 780M", "gfx1151"}) {
      for (const char* os : {"ubuntu-24.04", "rhel-9.6", "sles-15.7", "debian-13", "fedora-43",
                             "arch", "wsl2-ubuntu-24.04"}) {
        const auto advice = advise(database(), {.gpu = gpu, .os = os, .framework = framework});
        REQUIRE(advice);
        for (const AdviceStep& step : advice->steps) {
          for (const Step& each : step.commands) {
            const std::string& command = each.text();
            CAPTURE(command);
            if (command.find("pip install") != command.npos) {
              CHECK(of_rows(command));
              ++wheels;
            }
            if (command.starts_with("docker run")) {
              CHECK(images.contains(command.substr(command.rfind(' ') + 1)));
              ++containers;
            }
          }
        }
      }
    }
  }
  CHECK(wheels > 200);
  CHECK(containers > 200);
}

TEST_CASE("of the images of one release and system the one with the newest framework is named") {
  const auto advice =
      advise(database(), {.gpu = "MI300X", .os = "ubuntu-24.04", .framework = "pytorch"});
  REQUIRE(advice);
  std::string named;
  for (const AdviceStep& step : advice->steps) {
    for (const Step& each : step.commands) {
      if (each.text().starts_with("docker run"))
        named = each.text().substr(each.text().rfind(' ') + 1);
    }
  }
  const std::size_t end = named.rfind('_') + 1;  // rocm/pytorch:rocm10.1.0_…_pytorch_release_2.14.0
  const auto version = Version::parse(std::string_view(named).substr(end));
  REQUIRE(version);
  const auto table = database().table<"container">();
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::string image =
        std::string(table.get(i, "image")) + ":" + std::string(table.get(i, "tag"));
    if (!image.starts_with(named.substr(0, end))) continue;
    const auto other = Version::parse(std::string_view(image).substr(end));
    CHECK_FALSE((other && *version < *other));
  }
}

TEST_CASE("repositories as AMD's pages name them") {
  // Read on the pages themselves, see the sources in db/repositories.toml.
  struct Named {
    const char *rocm, *os, *url;
  };
  for (const Named& row : std::initializer_list<Named>{
           {"5.4.3", "ubuntu-20.04", "https://repo.radeon.com/rocm/apt/5.4.3 focal main"},
           {"5.6.0", "ubuntu-22.04", "https://repo.radeon.com/amdgpu/5.6/ubuntu jammy main"},
           {"5.6.0", "rhel-9.2", "https://repo.radeon.com/rocm/rhel9/5.6/main"},
           {"5.6.0", "rhel-9.2", "https://repo.radeon.com/amdgpu/5.6/rhel/9.2/main/x86_64/"},
           {"5.6.0", "sles-15.5", "https://repo.radeon.com/amdgpu/5.6/sle/15.5/main/x86_64"},
           {"6.1.2", "rhel-9.4", "https://repo.radeon.com/rocm/rhel9/6.1.2/main"},
           {"6.2.0", "rhel-9.4", "https://repo.radeon.com/rocm/el9/6.2/main"},
           {"6.2.0", "rhel-9.4", "https://repo.radeon.com/amdgpu/6.2/el/9.4/main/x86_64/"},
           {"6.2.4", "ubuntu-24.04", "https://repo.radeon.com/rocm/apt/6.2.4 noble main"},
           {"6.4.3", "sles-15.7", "https://repo.radeon.com/amdgpu/6.4.3/sle/15.7/main/x86_64/"},
           {"7.0.2", "debian-13", "https://repo.radeon.com/amdgpu/30.10.2/ubuntu noble main"},
           {"7.0.2", "rhel-10.0", "https://repo.radeon.com/amdgpu/30.10.2/el/10/main/x86_64/"},
           {"7.2.3", "ubuntu-24.04", "https://repo.radeon.com/amdgpu/30.30.3/ubuntu noble main"},
           {"7.14.0", "ubuntu-24.04",
            "https://repo.amd.com/rocm/packages-multi-arch/ubuntu2404 stable main"},
           {"7.14.0", "rhel-9.6", "https://repo.amd.com/rocm/packages-multi-arch/rhel9/x86_64"},
           {"7.14.0", "ubuntu-24.04", "https://repo.amd.com/rocm/whl-multi-arch/"},
           {"10.0.0", "ubuntu-24.04", "https://stable.repo.amd.com/rocm/core/packages/ubuntu2404/"},
           {"10.0.0", "ubuntu-24.04", "https://stable.repo.amd.com/rocm/gpg/packages.gpg"},
           {"10.0.0", "debian-13", "https://stable.repo.amd.com/rocm/core/packages/debian13/"},
           {"10.0.0", "rhel-10.0", "https://stable.repo.amd.com/rocm/core/packages/rhel10/x86_64"},
           {"10.0.0", "rocky-9.6", "https://stable.repo.amd.com/rocm/core/packages/rhel9/x86_64"},
           {"10.0.0", "sles-15.7", "https://stable.repo.amd.com/rocm/core/packages/sles15/x86_64"},
           {"10.0.0", "ubuntu-24.04", "https://stable.repo.amd.com/rocm/whl-next/"},
       }) {
    CAPTURE(row.rocm);
    CAPTURE(row.os);
    CAPTURE(row.url);
    CHECK(prints(row.rocm, row.os, row.url));
  }
  CHECK(prints("10.0.0", "ubuntu-24.04", "sudo apt install amdrocm10.0-gfx942"));
  for (const char* os : {"ubuntu-24.04", "rhel-9.6", "debian-12", "sles-15.7"}) {
    CHECK_FALSE(prints("10.0.0", os, "multi-arch"));
    CHECK_FALSE(prints("10.0.0", os, "repo.radeon.com"));
    CHECK_FALSE(prints("6.4.3", os, "/rhel"));
  }
  // Systems that the page has no tab for: the page is named, no repository is made up.
  CHECK_FALSE(prints("6.2.0", "ubuntu-26.04", "https://"));
  CHECK_FALSE(prints("10.0.0", "almalinux-9.6", "stable.repo.amd.com/rocm/core"));
}
