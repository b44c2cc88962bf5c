#include "machine/read_kernel.h"

#include <doctest/doctest.h>
#include <zlib.h>

#include "formats/gzip.h"
#include "tests/unit/machine/fake_source.h"

using namespace rocvet;

TEST_CASE("parse_command_line") {
  SUBCASE("words, values, quotes and dashes") {
    const auto words = parse_command_line(
        "BOOT_IMAGE=/boot/vmlinuz-6.8.0-45-generic root=UUID=1f0c ro quiet amdgpu.runpm=0 "
        "dyndbg=\"file drivers/usb/* +p\" video-mode=x\n");
    REQUIRE(words.size() == 7);
    CHECK(words[1] == std::pair<std::string, std::string>("root", "UUID=1f0c"));
    CHECK(words[2] == std::pair<std::string, std::string>("ro", ""));
    CHECK(words[4] == std::pair<std::string, std::string>("amdgpu.runpm", "0"));
    CHECK(words[5].second == "file drivers/usb/* +p");
    CHECK(words[6].first == "video_mode");
  }
  SUBCASE("an empty line has no words") {
    CHECK(parse_command_line(" \n").empty());
  }
}

TEST_CASE("parse_proc_version") {
  const auto release = parse_proc_version(
      "Linux version 6.6.87.2-microsoft-standard-WSL2 (root@439a258ad544) (gcc (GCC) 11.2.0, GNU "
      "ld "
      "(GNU Binutils) 2.37) #1 SMP PREEMPT_DYNAMIC Thu Jun  5 18:30:46 UTC 2025");
  REQUIRE(release);
  CHECK(*release == "6.6.87.2-microsoft-standard-WSL2");
  CHECK(parse_proc_version("garbage").is(Error::Kind::malformed));
}

TEST_CASE("parse_kernel_config") {
  const auto options = parse_kernel_config(
      "#\n# Automatically generated file; DO NOT EDIT.\n#\nCONFIG_DRM_AMDGPU=m\n"
      "# CONFIG_HSA_AMD is not set\nCONFIG_MODULE_SIG=y\nCONFIG_E1000E=m\n");
  CHECK(options.at("DRM_AMDGPU") == "m");
  CHECK(options.at("HSA_AMD") == "n");
  CHECK(options.at("MODULE_SIG") == "y");
  CHECK_MESSAGE(options.count("E1000E") == 0, "options that say nothing about a GPU are left out");
}

TEST_CASE("gunzip") {
  const std::string text = "CONFIG_HSA_AMD=y\n";
  std::string packed(200, '\0');
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);

  CHECK(gunzip(packed, "x") == Result<std::string>(text));
  CHECK(gunzip(text, "x") == Result<std::string>(text));
  CHECK(gunzip(packed.substr(0, packed.size() / 2), "x").is(Error::Kind::malformed));
}

TEST_CASE("parse_secure_boot_variable") {
  using namespace std::string_literals;
  CHECK(parse_secure_boot_variable("\6\0\0\0\1"s, "v") == Result<bool>(true));
  CHECK(parse_secure_boot_variable("\6\0\0\0\0"s, "v") == Result<bool>(false));
  CHECK(parse_secure_boot_variable("", "v").is(Error::Kind::malformed));
}

TEST_CASE("read_kernel") {
  using namespace std::string_literals;
  const std::string kVariable =
      "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c";
  FakeSource source;
  source.file("/proc/sys/kernel/osrelease", "6.11.0-14-generic\n")
      .file("/proc/cmdline", "modprobe.blacklist=a modprobe.blacklist=amdgpu iommu=pt\n")
      .file("/sys/kernel/security/lockdown", "none [integrity] confidentiality\n")
      .file("/boot/config-6.11.0-14-generic", "CONFIG_HSA_AMD=y\n")
      .file("/boot/vmlinuz-6.11.0-14-generic", "")
      .file("/boot/vmlinuz-6.8.0-45-generic", "")
      .file("/proc/sys/kernel/numa_balancing", "1\n");

  SUBCASE("facts of a plain machine") {
    const Kernel kernel = read_kernel(source);
    CHECK(kernel.release == Result<std::string>("6.11.0-14-generic"));
    CHECK(kernel.arguments.size() == 3);
    CHECK(kernel.arguments.at(1) ==
          std::pair<std::string, std::string>("modprobe.blacklist", "amdgpu"));
    CHECK(kernel.lockdown == Result<std::string>("integrity"));
    REQUIRE(kernel.config);
    CHECK(kernel.config->at("HSA_AMD") == "y");
    CHECK(kernel.config_source == "/boot/config-6.11.0-14-generic");
    CHECK(kernel.sysctl.at("kernel.numa_balancing") == Result<std::string>("1"));
    CHECK(kernel.sysctl.at("vm.swappiness").is_missing());
    REQUIRE(kernel.images);
    CHECK(kernel.images->size() == 2);
    CHECK(kernel.secure_boot == Result<bool>(false));
  }
  SUBCASE("Secure Boot is on, and the DKMS key is enrolled or not") {
    const std::string certificate(800, 'c');
    source.file(kVariable, "\6\0\0\0\1"s).file("/var/lib/shim-signed/mok/MOK.der", certificate);
    const std::string list = "/sys/firmware/efi/efivars/MokListRT-605dab50-e046-4300-abb6";
    source.file(list, "header" + std::string(300, 'x'));
    CHECK(read_kernel(source).secure_boot == Result<bool>(true));
    CHECK(read_kernel(source).mok_enrolled == Result<bool>(false));
    source.file(list, "header" + certificate + "tail");
    CHECK(read_kernel(source).mok_enrolled == Result<bool>(true));
  }
  SUBCASE("an empty /sys/firmware is a container's cover, not a machine without EFI") {
    source.dir("/sys/firmware");
    CHECK(read_kernel(source).secure_boot.is(Error::Kind::unsupported));
  }
  SUBCASE("mokutil tells where the variables were not captured") {
    source.unknown("/sys/firmware").command("mokutil-sb-state", "SecureBoot enabled\n");
    const Kernel kernel = read_kernel(source);
    CHECK(kernel.secure_boot == Result<bool>(true));
    CHECK(kernel.secure_boot_source == "mokutil");
  }
  SUBCASE("nothing told: not captured, never off") {
    source.unknown("/sys/firmware");
    CHECK(read_kernel(source).secure_boot.is(Error::Kind::not_captured));
  }
  SUBCASE("the release comes from uname where no file has it") {
    FakeSource bare;
    bare.command("uname", "Linux host 5.15.0-140-generic #150-Ubuntu SMP x86_64 GNU/Linux\n");
    CHECK(read_kernel(bare).release == Result<std::string>("5.15.0-140-generic"));
  }
}

TEST_CASE("read_kernel: settings that are put together from several files") {
  FakeSource source;
  source.file("/sys/class/power_supply/BAT0/type", "Battery\n");
  source.file("/sys/class/power_supply/ADP1/type", "Mains\n");
  source.file("/sys/class/power_supply/ADP1/online", "0\n");
  source.file("/sys/devices/system/edac/mc/mc0/ue_count", "0\n");
  source.file("/sys/devices/system/edac/mc/mc0/ce_count", "12\n");
  source.file("/sys/devices/system/edac/mc/mc1/ue_count", "1\n");
  source.file("/sys/devices/system/edac/mc/mc1/ce_count", "3\n");
  source.symlink("/sys/class/devcoredump/devcd7/failing_device", "../../../0000:03:00.0");
  source.facts().cgroup = std::string("0::/system.slice/ollama.service\n");
  source.file("/sys/fs/cgroup/system.slice/memory.max", "68719476736\n");
  source.file("/sys/fs/cgroup/system.slice/ollama.service/memory.max", "max\n");
  const Kernel kernel = read_kernel(source);
  CHECK(kernel.settings.at("mains") == Result<std::string>("offline"));
  CHECK(kernel.settings.at("edac") == Result<std::string>("ue 1 ce 15"));
  CHECK(kernel.settings.at("device core dumps") == Result<std::string>("0000:03:00.0"));
  CHECK(kernel.settings.at("cgroup memory limit") == Result<std::string>("68719476736"));

  FakeSource desktop;
  const Kernel plain = read_kernel(desktop);
  for (const char* name : {"mains", "edac", "device core dumps", "cgroup memory limit"}) {
    CAPTURE(name);
    CHECK(plain.settings.at(name).is_missing());
  }
}
