#include "machine/read_driver.h"

#include <doctest/doctest.h>

#include "machine/read_dkms.h"
#include "machine/read_modprobe.h"
#include "tests/unit/machine/fake_source.h"

using namespace rocvet;

TEST_CASE("parse_modprobe") {
  const auto lines = parse_modprobe(
      "# local\nblacklist amdgpu\noptions vfio-pci ids=1002:744c,1002:ab30 \\\n  disable_vga=1\n"
      "install nouveau /bin/false\nblacklist pcspkr\nsoftdep amdgpu pre: vfio-pci\n"
      "alias pci:v00001002d* radeon\n#blacklist radeon\n",
      "/etc/modprobe.d/gpu.conf");
  REQUIRE(lines.size() == 5);
  CHECK(lines[0].command == "blacklist");
  CHECK(lines[0].module == "amdgpu");
  CHECK(lines[1].module == "vfio_pci");
  CHECK(lines[1].argument == "ids=1002:744c,1002:ab30 disable_vga=1");
  CHECK(lines[2].argument == "/bin/false");
  CHECK(lines[3].command == "softdep");
  CHECK(lines[4].module == "radeon");
}

TEST_CASE("command_line_blacklist") {
  const auto kept = command_line_blacklist({{"modprobe.blacklist", "nouveau,amdgpu"},
                                            {"module_blacklist", "radeon"},
                                            {"amdgpu.blacklist", "yes"},
                                            {"amdgpu.runpm", "0"}});
  CHECK(kept.size() == 3);
  CHECK(kept.at("nouveau") == "modprobe.blacklist=nouveau,amdgpu");
  CHECK(kept.at("radeon") == "module_blacklist=radeon");
  CHECK(kept.count("amdgpu") == 1);
  CHECK(command_line_blacklist({{"amdgpu.blacklist", "0"}}).empty());
}

TEST_CASE("read_modprobe") {
  FakeSource source;
  source.file("/etc/modprobe.d/a.conf", "options amdgpu noretry=0\n")
      .file("/usr/lib/modprobe.d/a.conf", "blacklist amdgpu\n")
      .file("/usr/lib/modprobe.d/b.conf", "blacklist radeon\n")
      .file("/etc/modprobe.d/README", "blacklist amdgpu\n")
      .symlink("/lib", "usr/lib")
      .file("/etc/modules-load.d/x.conf", "# note\nvfio-pci\n");
  SUBCASE("a file hides its namesake, and /lib is not read twice") {
    const ModprobeFacts facts = read_modprobe(source);
    REQUIRE(facts.lines.size() == 4);
    CHECK_FALSE(facts.lines[0].shadowed);
    CHECK(facts.lines[1].text == "blacklist amdgpu");
    CHECK(facts.lines[1].shadowed);
    CHECK_FALSE(facts.lines[2].shadowed);
    CHECK(facts.lines[3].command == "load");
    CHECK(facts.readable);
  }
  SUBCASE("a folder that was not captured is said so") {
    FakeSource partial;
    partial.unknown("/etc/modprobe.d");
    CHECK(read_modprobe(partial).readable.is(Error::Kind::not_captured));
  }
}

TEST_CASE("parse_dkms_status") {
  std::vector<std::string> messages;
  SUBCASE("the forms of dkms 2 and 3") {
    const auto states = parse_dkms_status(
        "amdgpu, 5.13.20.22.10-1462318~20.04, 5.13.0-52-generic, x86_64: installed\n"
        "amdgpu/6.8.5-2009582.24.04, 6.8.0-45-generic, x86_64: installed (WARNING! Diff between "
        "built "
        "and installed module!)\nrock, 1.7.60-ubuntu: added\namdgpu/6.3.6-1697589.22.04: added\n",
        messages);
    REQUIRE(states.size() == 4);
    CHECK(states[0].version == "5.13.20.22.10-1462318~20.04");
    CHECK(states[0].kernel == "5.13.0-52-generic");
    CHECK(states[1].module == "amdgpu");
    CHECK(states[1].state == "installed");
    CHECK(states[1].note.starts_with("(WARNING!"));
    CHECK(states[2].module == "rock");
    CHECK(states[2].state == "added");
    CHECK(states[2].kernel.empty());
    CHECK(states[3].version == "6.3.6-1697589.22.04");
    CHECK(messages.empty());
  }
  SUBCASE("errors are no states") {
    const auto states = parse_dkms_status(
        "Error! Could not locate dkms.conf file.\n"
        "File: /var/lib/dkms/amdgpu/5.11.5.26-1109583/source/dkms.conf does not exist.\n",
        messages);
    CHECK(states.empty());
    REQUIRE(messages.size() == 2);
    CHECK(messages[0] == "Error! Could not locate dkms.conf file.");
  }
}

TEST_CASE("build_errors") {
  const auto errors = build_errors(
      "make[1]: Entering directory '/usr/src/linux-headers-6.11.0-29-generic'\n"
      "/var/lib/dkms/amdgpu/6.3.6/build/amd/amdkcl/kcl_drm.c:12:9: error: implicit declaration of "
      "function 'drm_foo'\n  CC [M]  /var/lib/dkms/a.o\n"
      "make[2]: *** [scripts/Makefile.build:229: amd/amdkcl/kcl_drm.o] Error 1\n"
      "warning: the compiler differs from the one used to build the kernel\n");
  REQUIRE(errors.size() == 2);
  CHECK(errors[0].find("drm_foo") != std::string::npos);
  CHECK(build_errors("make: Leaving directory '/usr/src'\n").empty());
}

TEST_CASE("firmware_name") {
  CHECK(firmware_name("gc_11_0_0_mec.bin.zst") == "gc_11_0_0_mec");
  CHECK(firmware_name("navi10_ce.bin.xz") == "navi10_ce");
  CHECK(firmware_name("vega20_ta.bin") == "vega20_ta");
  CHECK(firmware_name("README") == "");
}

namespace {

/// A machine with AMD's DKMS driver built and loaded.
FakeSource dkms_machine() {
  FakeSource source;
  const std::string tree = "/var/lib/dkms/amdgpu/6.8.5-2009582.24.04";
  source.file("/proc/modules", "amdgpu 19 5 - Live 0x0 (OE)\namdkcl 32 3 amdgpu, Live 0x0 (OE)\n")
      .file("/sys/module/amdgpu/initstate", "live\n")
      .file("/sys/module/amdgpu/version", "6.8.5\n")
      .file("/sys/module/amdgpu/taint", "OE\n")
      .file("/sys/module/amdgpu/parameters/noretry", "-1\n")
      .file("/lib/modules/6.8.0-45-generic/updates/dkms/amdgpu.ko.zst", "")
      .file("/lib/modules/6.8.0-45-generic/kernel/drivers/gpu/drm/amd/amdgpu/amdgpu.ko.zst", "")
      .symlink("/lib/modules/6.8.0-45-generic/build", "/usr/src/linux-headers-6.8.0-45-generic")
      .file("/usr/src/linux-headers-6.8.0-45-generic/Makefile", "")
      .dir("/lib/modules/6.11.0-14-generic/kernel")
      .file("/usr/src/amdgpu-6.8.5-2009582.24.04/dkms.conf", "")
      .symlink(tree + "/source", "/usr/src/amdgpu-6.8.5-2009582.24.04")
      .dir(tree + "/6.8.0-45-generic/x86_64/module")
      .file(tree + "/6.8.0-45-generic/x86_64/log/make.log", "make: Leaving directory\n")
      .symlink("/var/lib/dkms/amdgpu/kernel-6.8.0-45-generic-x86_64",
               "6.8.5-2009582.24.04/6.8.0-45-generic/x86_64")
      .file("/lib/firmware/amdgpu/gc_11_0_0_mec.bin.zst", "")
      .set_kind("live");
  return source;
}

Kernel running(std::string release) {
  Kernel kernel;
  kernel.release = std::move(release);
  return kernel;
}

}  // namespace

TEST_CASE("read_driver") {
  FakeSource source = dkms_machine();
  SUBCASE("a DKMS driver that works") {
    const Driver driver = read_driver(source, running("6.8.0-45-generic"));
    REQUIRE(driver.amdgpu);
    CHECK(driver.amdgpu->loaded);
    CHECK(option_of(driver.amdgpu->options, "noretry").value_or(OptionValue{}).number == -1);
    CHECK(driver.origin == DriverOrigin::dkms);
    CHECK(driver.version == Result<std::string>("6.8.5"));
    REQUIRE(driver.module_files);
    REQUIRE(driver.module_files->size() == 2);
    CHECK(driver.module_files->front() ==
          "/lib/modules/6.8.0-45-generic/updates/dkms/amdgpu.ko.zst");
    CHECK(driver.headers == Result<std::string>("/usr/src/linux-headers-6.8.0-45-generic"));
    REQUIRE(driver.other_module_files);
    CHECK(driver.other_module_files->at("6.11.0-14-generic").empty());
    REQUIRE(driver.dkms);
    REQUIRE(driver.dkms->size() == 1);
    CHECK(driver.dkms->front().state == "installed");
    CHECK(driver.dkms_source == "/var/lib/dkms");
    CHECK(driver.dkms_sources == std::vector<std::string>{"amdgpu-6.8.5-2009582.24.04"});
    CHECK(driver.has_firmware("gc_11_0_0_mec"));
    CHECK_FALSE(driver.has_firmware("gc_12_0_1_mec"));
    CHECK_MESSAGE(source.commands_run().empty(), "files told everything");
  }
  SUBCASE("booted into a kernel without headers, for which nothing was built") {
    source.file("/proc/modules", "nvme 61440 1 - Live 0x0\n")
        .symlink("/lib/modules/6.11.0-14-generic/build",
                 "/usr/src/linux-headers-6.11.0-14-generic");
    const Driver driver = read_driver(source, running("6.11.0-14-generic"));
    REQUIRE(driver.module_files);
    CHECK(driver.module_files->empty());
    CHECK_MESSAGE(driver.headers.is_missing(), "the link stays when the headers are removed");
    CHECK(driver.other_module_files->at("6.8.0-45-generic").size() == 2);
  }
  SUBCASE("an orphaned source tree") {
    source.symlink("/var/lib/dkms/amdgpu/5.11.5-1109583/source", "/usr/src/amdgpu-5.11.5-1109583");
    const Driver driver = read_driver(source, running("6.8.0-45-generic"));
    REQUIRE(driver.dkms_trees);
    REQUIRE(driver.dkms_trees->size() == 2);
    CHECK(driver.dkms_trees->at(0).source_exists == Result<bool>(false));
    CHECK(driver.dkms_trees->at(1).source_exists == Result<bool>(true));
  }
  SUBCASE("a failed build leaves its log") {
    source.file(
        "/var/lib/dkms/amdgpu/6.8.5-2009582.24.04/build/make.log",
        "DKMS make.log for amdgpu-6.8.5-2009582.24.04 for kernel 6.14.0-24-generic (x86_64)\n"
        "/build/amd/a.c:3:1: error: too few arguments\n");
    const Driver driver = read_driver(source, running("6.8.0-45-generic"));
    REQUIRE(driver.dkms_logs.size() == 2);
    CHECK(driver.dkms_logs[0].kernel == "6.14.0-24-generic");
    CHECK(driver.dkms_logs[0].errors.size() == 1);
    CHECK(driver.dkms_logs[1].errors.empty());
  }
}

TEST_CASE("read_driver: in-tree, built in, absent, unknown") {
  FakeSource source;
  SUBCASE("the in-tree module has neither version nor taint") {
    source.file("/proc/modules", "amdgpu 19 5 - Live 0x0\nttm 3 1 amdgpu, Live 0x0\n")
        .file("/sys/module/amdgpu/initstate", "live\n")
        .file("/sys/module/amdgpu/taint", "\n");
    const Driver driver = read_driver(source, running("6.17.0"));
    CHECK(driver.origin == DriverOrigin::in_tree);
    CHECK(driver.version.is_missing());
    CHECK_MESSAGE(driver.module_files.is_missing(), "a container has no /lib/modules");
  }
  SUBCASE("a driver that is built in is not in /proc/modules") {
    source.file("/proc/modules", "nvme 1 1 - Live 0x0\n")
        .file("/sys/module/amdgpu/parameters/modeset", "-1\n");
    const Driver driver = read_driver(source, running("6.17.0"));
    REQUIRE(driver.amdgpu);
    CHECK(driver.amdgpu->built_in);
    CHECK(driver.origin == DriverOrigin::in_tree);
  }
  SUBCASE("not loaded is missing") {
    source.file("/proc/modules", "nvme 1 1 - Live 0x0\n");
    CHECK(read_driver(source, running("6.17.0")).amdgpu.is_missing());
  }
  SUBCASE("a capture of the KFD tree alone shows that amdgpu is loaded") {
    source.unknown("/proc").unknown("/sys").dir("/sys/class/kfd/kfd/topology/nodes/1");
    REQUIRE(read_driver(source, running("6.17.0")).amdgpu);
    CHECK(read_driver(source, running("6.17.0")).amdgpu->loaded);
  }
  SUBCASE("a snapshot without modules does not say that it is not loaded") {
    source.unknown("/proc").unknown("/sys");
    CHECK(read_driver(source, running("6.17.0")).amdgpu.is(Error::Kind::not_captured));
  }
}

TEST_CASE("what modules.dep wants for amdgpu") {
  FakeSource source;
  const std::string root = "/lib/modules/6.8.0-45-generic";
  source.file(root + "/kernel/drivers/gpu/drm/amd/amdgpu/amdgpu.ko.zst", "")
      .file(root + "/kernel/drivers/gpu/drm/ttm/ttm.ko.zst", "")
      .file(
          root + "/modules.dep",
          "kernel/drivers/gpu/drm/ttm/ttm.ko.zst:\n"
          "kernel/drivers/gpu/drm/amd/amdgpu/amdgpu.ko.zst: kernel/drivers/gpu/drm/ttm/ttm.ko.zst "
          "kernel/drivers/acpi/video.ko.zst\n");
  const Driver driver = read_driver(source, running("6.8.0-45-generic"));
  REQUIRE(driver.missing_dependencies);
  CHECK(*driver.missing_dependencies ==
        std::vector<std::string>{root + "/kernel/drivers/acpi/video.ko.zst"});
  SUBCASE("no modules.dep") {
    source.erase(root + "/modules.dep");
    CHECK(read_driver(source, running("6.8.0-45-generic")).missing_dependencies.is_missing());
  }
  SUBCASE("a list of which nothing is there is of other modules") {
    source.erase(root + "/kernel/drivers/gpu/drm/ttm/ttm.ko.zst");
    CHECK(read_driver(source, running("6.8.0-45-generic")).missing_dependencies.is_missing());
  }
  CHECK(amdgpu_dependencies("kernel/x/notamdgpu.ko: a.ko\n").empty());
}
