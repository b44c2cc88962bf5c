#include "machine/read_platform.h"

#include <doctest/doctest.h>

#include "machine/read_kernel.h"
#include "source/disk_use.h"
#include "tests/unit/machine/fake_source.h"

using namespace rocvet;

TEST_CASE("parse_cpuinfo") {
  const Cpu cpu = parse_cpuinfo(
      "processor\t: 0\nvendor_id\t: AuthenticAMD\nmodel name\t: AMD EPYC 9654 96-Core Processor\n"
      "physical id\t: 0\nflags\t\t: fpu vme hypervisor lm\n\n"
      "processor\t: 1\nvendor_id\t: AuthenticAMD\nphysical id\t: 1\nflags\t\t: fpu\n");
  CHECK(cpu.vendor == Result<std::string>("AuthenticAMD"));
  CHECK(cpu.model == Result<std::string>("AMD EPYC 9654 96-Core Processor"));
  CHECK(cpu.logical == Result<int>(2));
  CHECK(cpu.sockets == Result<int>(2));
  CHECK(cpu.hypervisor_flag == Result<bool>(true));
  CHECK_MESSAGE(parse_cpuinfo("processor\t: 0\n").hypervisor_flag.is_missing(),
                "no flags is not the same as no hypervisor");
}

TEST_CASE("read_cpu") {
  FakeSource source;
  std::string text;
  for (int i = 0; i < 400; ++i) {
    text += "processor\t: " + std::to_string(i) +
            "\nvendor_id\t: AuthenticAMD\nphysical id\t: " + std::to_string(i / 200) +
            "\nflags\t\t: fpu lm\n\n";
  }
  source.file("/proc/cpuinfo", text);
  SUBCASE("many processors, counted without their blocks") {
    source.file("/sys/devices/system/cpu/online", "0-191,200-391\n")
        .file("/sys/devices/system/cpu/cpu391/topology/physical_package_id", "1\n");
    const Cpu cpu = read_cpu(source);
    CHECK(cpu.logical == Result<int>(384));
    CHECK(cpu.sockets == Result<int>(2));
    CHECK(cpu.hypervisor_flag == Result<bool>(false));
  }
  SUBCASE("a snapshot without the list: all blocks are read") {
    CHECK(read_cpu(source).logical == Result<int>(400));
    CHECK(read_cpu(source).sockets == Result<int>(2));
  }
  SUBCASE("lists of processors") {
    CHECK(count_cpus("0") == 1);
    CHECK(count_cpus("0-3,8,10-11\n") == 7);
    CHECK(last_cpu_of("0-3,8,10-11\n") == 11);
  }
}

TEST_CASE("parse_mounts") {
  const auto mounts = parse_mounts(
      "/dev/nvme0n1p2 / ext4 rw,relatime 0 0\n"
      "10.0.0.2:/home /home nfs4 rw,vers=4.1 0 0\n"
      "/dev/sda1 /mnt/my\\040disk vfat ro 0 0\nbroken line\n");
  REQUIRE(mounts.size() == 3);
  CHECK(mounts[2].path == "/mnt/my disk");
  REQUIRE(mount_of(mounts, "/home/ada/.cache") != nullptr);
  CHECK(mount_of(mounts, "/home/ada/.cache")->type == "nfs4");
  CHECK(mount_of(mounts, "/homes")->type == "ext4");
  CHECK(mount_of({}, "/") == nullptr);
}

TEST_CASE("parse_df") {
  SUBCASE("typed, POSIX form") {
    const auto rows = parse_df(
        "Filesystem     Type     1024-blocks      Used Available Capacity Mounted on\n"
        "/dev/nvme0n1p2 ext4       959786032 959786032         0     100% /\n"
        "tmpfs          tmpfs          65536         0     65536       0% /dev/shm\n"
        "/dev/sda1      vfat            1024         0      1024       0% /mnt/my disk\n");
    REQUIRE(rows);
    REQUIRE(rows->size() == 3);
    CHECK(rows->at(0).available_bytes == 0);
    CHECK(rows->at(0).type == "ext4");
    CHECK(rows->at(1).size_bytes == 64u * 1024 * 1024);
    CHECK(rows->at(2).path == "/mnt/my disk");
  }
  SUBCASE("untyped, with a long device name on a line of its own") {
    const auto rows = parse_df(
        "Filesystem           1K-blocks      Used Available Use% Mounted on\n"
        "/dev/mapper/very-long-volume-group-name-root\n"
        "                      51475068  20000000  28837244  41% /\n");
    REQUIRE(rows);
    REQUIRE(rows->size() == 1);
    CHECK(rows->at(0).path == "/");
    CHECK(rows->at(0).type.empty());
  }
  SUBCASE("something else") {
    CHECK(parse_df("df: no\n").is(Error::Kind::malformed));
  }
}

TEST_CASE("read_disk_use") {
  CHECK(is_local_file_system("ext4"));
  CHECK(is_local_file_system("tmpfs"));
  CHECK_FALSE(is_local_file_system("nfs4"));
  CHECK_FALSE(is_local_file_system("fuse.sshfs"));
  CHECK_FALSE_MESSAGE(is_local_file_system("autofs"), "asking would mount it");
  const auto mounts = parse_mounts(
      "server:/x / nfs4 rw 0 0\n/dev/root / ext4 rw 0 0\n/dev/root / ext4 rw 0 0\n"
      "/dev/gone /no/such/folder ext4 rw 0 0\n");
  const auto rows = parse_df(read_disk_use(mounts, [](const std::string& path) {
                               return make_file_call({FileCall::What::use, path});
                             }).out);
  REQUIRE(rows);
  REQUIRE_MESSAGE(rows->size() == 1, "the root of this machine, once");
  CHECK(rows->at(0).path == "/");
  CHECK(rows->at(0).size_bytes > 0);
  CHECK(rows->at(0).available_bytes <= rows->at(0).size_bytes);
}

TEST_CASE("parse_tmpfs_size") {
  CHECK(parse_tmpfs_size("65536k", 0) == Result<std::uint64_t>(64u << 20));
  CHECK(parse_tmpfs_size("8g", 0) == Result<std::uint64_t>(8ull << 30));
  CHECK(parse_tmpfs_size("50%", 1000) == Result<std::uint64_t>(500));
  CHECK(parse_tmpfs_size("67108864", 0) == Result<std::uint64_t>(64u << 20));
  CHECK_FALSE(parse_tmpfs_size("lots", 0));
}

TEST_CASE("read_memory") {
  FakeSource source;
  source.file(
      "/proc/meminfo",
      "MemTotal:       65766492 kB\nMemAvailable:   60000000 kB\nSwapTotal:       8388604 kB\n"
      "HugePages_Total:      12\nHugepagesize:       2048 kB\n");
  const Result<std::vector<FileSystemUse>> no_df = not_captured("cmd/df");
  SUBCASE("sizes, and /dev/shm as docker makes it") {
    const auto mounts = parse_mounts("shm /dev/shm tmpfs rw,nosuid,size=65536k 0 0\n");
    const SystemMemory memory = read_memory(source, mounts, no_df);
    CHECK(memory.total_bytes == Result<std::uint64_t>(65766492ull * 1024));
    CHECK(memory.hugepages == Result<std::uint64_t>(12));
    CHECK(memory.swap_free_bytes.is_missing());
    CHECK(memory.shm_bytes == Result<std::uint64_t>(64u << 20));
  }
  SUBCASE("a tmpfs without size= is half of the memory") {
    const auto mounts = parse_mounts("tmpfs /dev/shm tmpfs rw,nosuid,nodev 0 0\n");
    CHECK(read_memory(source, mounts, no_df).shm_bytes ==
          Result<std::uint64_t>(65766492ull * 1024 / 2));
  }
  SUBCASE("mounts unknown: size unknown") {
    CHECK(read_memory(source, {}, no_df).shm_bytes.is(Error::Kind::not_captured));
  }
}

TEST_CASE("read_iommu") {
  FakeSource source;
  source.dir("/sys/class/iommu/ivhd0").file("/sys/kernel/iommu_groups/14/type", "DMA-FQ\n");
  Kernel kernel;
  kernel.command_line = std::string("quiet amd_iommu=on");
  kernel.arguments = parse_command_line(*kernel.command_line);
  SUBCASE("translated") {
    const Iommu iommu = read_iommu(source, kernel);
    REQUIRE(iommu.units);
    CHECK(iommu.units->size() == 1);
    REQUIRE(iommu.group_types);
    CHECK(iommu.group_types->at("14") == "DMA-FQ");
    CHECK(iommu.passthrough_asked == Result<bool>(false));
  }
  SUBCASE("iommu=pt among other words") {
    kernel.arguments = parse_command_line("iommu=nomerge,pt");
    CHECK(read_iommu(source, kernel).passthrough_asked == Result<bool>(true));
  }
  SUBCASE("an unknown command line") {
    CHECK(read_iommu(source, Kernel{}).passthrough_asked.is(Error::Kind::not_captured));
  }
}
