#include "machine/read_distro.h"

#include <doctest/doctest.h>

#include "tests/unit/machine/fake_source.h"

using namespace rocvet;

TEST_CASE("parse_os_release") {
  SUBCASE("Linux Mint names the Ubuntu below it") {
    const Distro distro = parse_os_release(
        "NAME=\"Linux Mint\"\nVERSION=\"22.1 (Xia)\"\nID=linuxmint\nID_LIKE=\"ubuntu debian\"\n"
        "PRETTY_NAME=\"Linux Mint 22.1\"\nVERSION_ID=\"22.1\"\nVERSION_CODENAME=xia\n"
        "UBUNTU_CODENAME=noble\n");
    CHECK(distro.id == "linuxmint");
    CHECK(distro.version == "22.1");
    CHECK(distro.codename == "xia");
    CHECK(distro.ubuntu_codename == "noble");
    CHECK(distro.like == std::vector<std::string>{"ubuntu", "debian"});
    CHECK(distro.pretty == "Linux Mint 22.1");
  }
  SUBCASE("Arch has no version") {
    const Distro distro = parse_os_release("NAME=\"Arch Linux\"\nID=arch\nBUILD_ID=rolling\n");
    CHECK(distro.id == "arch");
    CHECK(distro.version.empty());
  }
  SUBCASE("a file without ID is linux, as os-release(5) says") {
    CHECK(parse_os_release("# empty\n").id == "linux");
  }
}

TEST_CASE("read_distro") {
  FakeSource source;
  CHECK(read_distro(source).is_missing());
  source.file("/usr/lib/os-release", "ID=fedora\nVERSION_ID=43\n");
  REQUIRE(read_distro(source));
  CHECK(read_distro(source)->version == "43");
  source.symlink("/etc/os-release", "../usr/lib/os-release");
  CHECK(read_distro(source)->id == "fedora");
}
