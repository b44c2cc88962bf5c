#include "formats/package_log.h"

#include <doctest/doctest.h>

namespace rocvet {
namespace {

std::string text(std::string_view log) {
  std::string all;
  for (const PackageChange& one : package_changes(log))
    all += one.date + " " + one.package + " " + one.from + ">" + one.to + "\n";
  return all;
}

}  // namespace

TEST_CASE("upgrades and installations of dpkg, pacman and dnf") {
  CHECK(
      text("2024-08-29 10:11:12 startup archives unpack\n"
           "2024-08-29 10:11:12 upgrade linux-firmware:all 20240318-1 20240318-2\n"
           "2024-08-29 10:11:13 status half-configured linux-firmware:all 20240318-1\n"
           "2024-08-29 10:11:14 install linux-image-6.8.0-45-generic:amd64 <none> 6.8.0-45.45\n") ==
      "2024-08-29 linux-firmware 20240318-1>20240318-2\n"
      "2024-08-29 linux-image-6.8.0-45-generic >6.8.0-45.45\n");
  CHECK(text("[2026-05-27T09:41:02+0000] [PACMAN] Running 'pacman -Syu'\n"
             "[2026-05-27T09:41:03+0000] [ALPM] upgraded linux-firmware-amdgpu (20260410-1 -> "
             "20260519-1)\n"
             "[2026-05-27T09:41:04+0000] [ALPM] installed rocm-core (7.2.0-1)\n") ==
        "2026-05-27 linux-firmware-amdgpu 20260410-1>20260519-1\n2026-05-27 rocm-core >7.2.0-1\n");
  CHECK(text("[2019-03-01 10:20] [ALPM] upgraded mesa (18.3.3-1 -> 18.3.4-1)\n") ==
        "2019-03-01 mesa 18.3.3-1>18.3.4-1\n");
  CHECK(
      text("2024-09-01T10:00:00+0200 SUBDEBUG Upgrade: linux-firmware-20240811-1.fc40.noarch\n"
           "2024-09-01T10:00:01+0200 SUBDEBUG Upgraded: linux-firmware-20240709-1.fc40.noarch\n") ==
      "2024-09-01 linux-firmware >20240811-1.fc40\n");
}

TEST_CASE("lines that are none, or broken off") {
  CHECK(text("").empty());
  CHECK(text("2024-08-29 10:11:12 upgrade linux-firmware:all\n").empty());
  CHECK(text("[2026-05-27T09:41:03+0000] [ALPM] upgraded linux-firmware (2026\n").empty());
  CHECK(text("upgrade of all\n[x] [ALPM] upgraded a (1 -> 2)\n").empty());
  CHECK(text("2024-09-01T10:00:00+0200 SUBDEBUG Upgrade: x\n").empty());
}

}  // namespace rocvet
