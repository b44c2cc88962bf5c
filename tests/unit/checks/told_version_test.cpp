#include "checks/logs/told_version.h"

#include <doctest/doctest.h>

#include "db/database.h"

namespace rocvet {
namespace {

using Of = ToldVersion::Of;

struct Short {
  Of of;
  std::string version;
  bool works;
  bool operator==(const Short&) const = default;
};

std::vector<Short> versions_told(std::string_view text) {
  std::vector<Short> all;
  for (const ToldVersion& one : told_versions(text, Database::embedded().knowledge()))
    all.push_back({one.of, one.version, one.works});
  return all;
}

}  // namespace

TEST_CASE("what a person blames, and what was well") {
  CHECK(versions_told("Since kernel 6.11 the GPU hangs.") ==
        std::vector<Short>{{Of::kernel, "6.11", false}});
  CHECK(versions_told("It worked with kernel 6.8, and fails on 6.11.") ==
        std::vector<Short>{{Of::kernel, "6.8", true}, {Of::kernel, "6.11", false}});
  CHECK(versions_told("After upgrading ROCm from 6.0.2 to 6.1 training gives NaN") ==
        std::vector<Short>{{Of::rocm, "6.0.2", true}, {Of::rocm, "6.1", false}});
  CHECK(versions_told("Downgrading to linux-firmware 20250613 solves it") ==
        std::vector<Short>{{Of::firmware, "20250613", true}});
  CHECK(versions_told("Since the update, going back doesn't help with kernel 6.8") ==
        std::vector<Short>{{Of::kernel, "6.8", false}});
  CHECK(versions_told("This stopped working with v6.2.x of rocm") ==
        std::vector<Short>{{Of::rocm, "6.2", false}});
  CHECK(versions_told("amdgpu-dkms 6.10.5 broke it, the previous 6.8.5 is fine") ==
        std::vector<Short>{{Of::driver_package, "6.10.5", false},
                           {Of::driver_package, "6.8.5", true}});
}

TEST_CASE("what is here is blamed without its number") {
  CHECK(versions_told("The options stopped working on this version of the kernel.") ==
        std::vector<Short>{{Of::kernel, "", false}});
  CHECK(versions_told("After a kernel update the screen stays black.") ==
        std::vector<Short>{{Of::kernel, "", false}});
  CHECK(versions_told("Since upgrading ROCm my job is slower.") ==
        std::vector<Short>{{Of::rocm, "", false}});
  CHECK(versions_told("A kernel update is what I plan for tomorrow.").empty());
}

TEST_CASE("people break their lines where they like") {
  CHECK(versions_told("Everything is slow since the\nupdate to ROCm 7\n\nThanks") ==
        std::vector<Short>{{Of::rocm, "7", false}});
}

TEST_CASE("each number takes the words that are said of it") {
  CHECK(versions_told("ROCm 6.0 to 6.2 works\n6.3 and 6.4 does not.") ==
        std::vector<Short>{{Of::rocm, "6.0", true},
                           {Of::rocm, "6.2", true},
                           {Of::rocm, "6.3", false},
                           {Of::rocm, "6.4", false}});
  CHECK(versions_told("The previous ROCm (6.1.x), installed from a PPA, worked fine.") ==
        std::vector<Short>{{Of::rocm, "6.1", true}});
  CHECK(versions_told("Instead booting kernel-6.9.7-200.fc40 wakes up just fine") ==
        std::vector<Short>{{Of::kernel, "6.9.7-200.fc40", true}});
  CHECK(versions_told("I checked that ROCm 6.1 didn't have this problem") ==
        std::vector<Short>{{Of::rocm, "6.1", true}});
  CHECK(versions_told("It is a regression from ROCm 6.1") ==
        std::vector<Short>{{Of::rocm, "6.1", true}});
  CHECK(versions_told("Since updating my ROCm setup to v6.3 all is broken") ==
        std::vector<Short>{{Of::rocm, "6.3", false}});
  CHECK(versions_told("torch 2.4.1+rocm6.0 works, 2.5.1+rocm6.2 crashes") ==
        std::vector<Short>{{Of::rocm, "6.0", true}, {Of::rocm, "6.2", false}});
  CHECK(versions_told("no crash since I went back to linux 6.8") ==
        std::vector<Short>{{Of::kernel, "6.8", true}});
  CHECK(versions_told("6.10rc2 works") == std::vector<Short>{{Of::kernel, "6.10rc2", true}});
  CHECK(versions_told("ROCm 7.0-rc1 works") == std::vector<Short>{{Of::rocm, "7.0-rc1", true}});
  CHECK(versions_told("6.9-rc7 reportedly works okay.") ==
        std::vector<Short>{{Of::kernel, "6.9-rc7", true}});
}

TEST_CASE("no change is versions_told of, or nothing by a number") {
  CHECK(versions_told("On kernel 6.6.2 and ROCm 5.7.1 it crashes").empty());
  CHECK(versions_told("The update is offered every day").empty());
  CHECK(versions_told("After 2 hours it crashes").empty());
}

TEST_CASE("what is here is blamed without a number") {
  const auto here = [](Of of) { return std::vector<Short>{{of, "", false}}; };
  CHECK(versions_told("Since the last update it crashes") == here(Of::unknown));
  CHECK(versions_told("Kernel: 6.8.0-45-generic\nAfter the update it crashes") ==
        here(Of::unknown));
  CHECK(versions_told("linux-firmware: a regression in amdgpu freezes the screen") ==
        here(Of::firmware));
  CHECK(versions_told("There is a regression in amdgpu's firmware") == here(Of::firmware));
  CHECK(versions_told("It is broken since I updated the kernel") == here(Of::kernel));
  CHECK(versions_told("darktable stopped working after a ROCm upgrade") == here(Of::rocm));
  CHECK(versions_told("after a restart it works").empty());
}

TEST_CASE("the version that is here is the one that is named") {
  CHECK(is_of_version("6.8.0-45-generic", "6.8"));
  CHECK(is_of_version("5.10.14-lqx2", "5.10.14-lqx2"));
  CHECK_FALSE(is_of_version("5.10.14-lqx2", "5.10.14-lqx1"));
  CHECK_FALSE(is_of_version("6.11.0", "6.1"));
  CHECK_FALSE(is_of_version("6.8.0", ""));
}

}  // namespace rocvet
