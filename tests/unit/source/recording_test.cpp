// A recorded machine gives the answers that the machine gave.
#include "source/recording.h"

#include <doctest/doctest.h>

#include "machine/collect_filter.h"
#include "machine/machine.h"
#include "machine/record_snapshot.h"
#include "source/forwarding.h"
#include "source/redaction.h"
#include "tests/unit/machine/scratch.h"

using namespace rocvet;

namespace {

std::string shown(const std::string& text) {
  return "'" + text + "'";
}
std::string shown(const Error& error) {
  return "error " + std::to_string(static_cast<int>(error.kind)) + " " + error.text();
}
template <typename T, typename F>
std::string shown(const Result<T>& result, F&& show) {
  return result ? show(*result) : shown(result.error());
}

/// Writes every question and its answer into one text: the same text is the same machine.
class Transcript : public ForwardingSource {
 public:
  using ForwardingSource::ForwardingSource;
  const std::string& text() const { return text_; }

  Result<std::string> read(std::string_view path, std::size_t limit) override {
    auto answer = inner().read(path, limit);
    note("read", path, shown(answer, [](const std::string& value) { return shown(value); }));
    return answer;
  }
  Result<std::vector<std::string>> list(std::string_view path) override {
    auto answer = inner().list(path);
    note("list", path, shown(answer, [](const std::vector<std::string>& names) {
           std::string out;
           for (const std::string& name : names) out += name + " ";
           return out;
         }));
    return answer;
  }
  Result<std::string> link(std::string_view path) override {
    auto answer = inner().link(path);
    note("link", path, shown(answer, [](const std::string& value) { return shown(value); }));
    return answer;
  }
  Result<std::string> resolve(std::string_view path) override {
    auto answer = inner().resolve(path);
    note("resolve", path, shown(answer, [](const std::string& value) { return shown(value); }));
    return answer;
  }
  Result<FileStat> lstat(std::string_view path) override {
    auto answer = inner().lstat(path);
    note("lstat", path, shown(answer, stat_text));
    return answer;
  }
  Result<FileStat> stat(std::string_view path) override {
    auto answer = inner().stat(path);
    note("stat", path, shown(answer, stat_text));
    return answer;
  }
  Result<Done> open_device(std::string_view path) override {
    auto answer = inner().open_device(path);
    note("open", path, shown(answer, [](const Done&) { return std::string("opened"); }));
    return answer;
  }
  Result<ElfSummary> elf(std::string_view path) override {
    auto answer = inner().elf(path);
    note("elf", path, shown(answer, [](const ElfSummary& elf) { return elf.soname; }));
    return answer;
  }
  Result<CommandOutput> run(std::string_view name) override {
    auto answer = inner().run(name);
    note("run", name, shown(answer, [](const CommandOutput& output) {
           return shown(output.out) + " " + std::to_string(output.status);
         }));
    return answer;
  }

 private:
  static std::string stat_text(const FileStat& stat) {
    return std::to_string(static_cast<int>(stat.type)) + " " + std::to_string(stat.mode) + " " +
           std::to_string(stat.uid.value_or(99)) + " " + std::to_string(stat.gid.value_or(99)) +
           " " + stat.owner + " " + stat.group + " " + std::to_string(stat.size.value_or(0)) + " " +
           std::to_string(stat.major) + ":" + std::to_string(stat.minor);
  }
  void note(std::string_view what, std::string_view path, const std::string& answer) {
    // Some outputs are looked for in snapshots only; a replay has none of them either.
    if (what == "run" && answer.ends_with(": not captured")) return;
    text_ += std::string(what) + " " + std::string(path) + " -> " + answer + "\n";
  }

  std::string text_;
};

/// A machine with one GPU below a bridge, as a tree for live_source.
void build_machine(Scratch& root) {
  const std::string gpu = "sys/devices/pci0000:00/0000:00:01.1/0000:03:00.0";
  root.file(gpu + "/uevent",
            "DRIVER=amdgpu\nPCI_CLASS=30000\nPCI_ID=1002:744C\nPCI_SUBSYS_ID=1DA2:E471\n"
            "PCI_SLOT_NAME=0000:03:00.0\n")
      .file(gpu + "/mem_info_vram_total", "25753026560\n")
      .file(gpu + "/unique_id", "a1b2c3d4e5f60718\n")
      .file(gpu + "/drm/card0/dev", "226:0\n")
      .file(gpu + "/drm/renderD128/dev", "226:128\n")
      .file(gpu + "/fw_version/mec_fw_version", "0x0000005a\n")
      .link(gpu + "/driver", "../../../../bus/pci/drivers/amdgpu")
      .link("sys/bus/pci/devices/0000:03:00.0",
            "../../../devices/pci0000:00/0000:00:01.1/0000:03:00.0")
      .link("sys/class/drm/card0", "../../devices/pci0000:00/0000:00:01.1/0000:03:00.0/drm/card0")
      .link(gpu + "/drm/card0/device", "../..")
      .link("sys/class/kfd/kfd", "../../devices/virtual/kfd/kfd")
      .file("sys/devices/virtual/kfd/kfd/topology/nodes/0/properties",
            "cpu_cores_count 16\nsimd_count 0\n")
      .file("sys/devices/virtual/kfd/kfd/topology/nodes/1/properties",
            "simd_count 192\nsimd_per_cu 2\ngfx_target_version 110000\nvendor_id 4098\n"
            "device_id 29772\nlocation_id 768\ndomain 0\ndrm_render_minor 128\n"
            "unique_id 11651590505119483672\n")
      .file("sys/bus/pci/drivers/amdgpu/bind", "")
      .file("etc/os-release", "ID=debian\nVERSION_ID=\"12\"\n")
      .file("etc/passwd",
            "root:x:0:0:root:/root:/bin/sh\nalice:x:1000:1000:Alice A:/home/alice:/bin/sh\n")
      .file("etc/group", "root:x:0:\nvideo:x:44:alice\nrender:x:992:alice,bob\n")
      .file("proc/sys/kernel/hostname", "wonderland\n")
      .file("proc/sys/kernel/osrelease", "6.8.0-60-generic\n")
      .file("proc/cmdline",
            "BOOT_IMAGE=/vmlinuz root=UUID=0c8a3f6e-1b2c-4d5e-8f90-a1b2c3d4e5f6 ro\n")
      .file("etc/modprobe.d/amdgpu.conf", "options amdgpu ppfeaturemask=0xffffffff\n")
      .file("dev/not-a-device", "")
      .link("etc/loop", "loop")
      .link("lib", "usr/lib")
      .file("usr/lib/x", "");
}

void check_same_answers(const std::string& name) {
  Scratch root, out;
  build_machine(root);
  auto live = live_source(root.path());
  Transcript first(*live);
  RecordingSource recording(first);
  static_cast<void>(read_machine(recording));
  const std::string path = out.path() + "/" + name;
  SnapshotOptions options;
  options.redact = false;
  REQUIRE(write_snapshot(snapshot_files(recording.recording(), options, kRecordFilter), path)
              .has_value());

  auto snapshot = snapshot_source(path);
  if (!snapshot) FAIL(snapshot.error().text());
  Transcript live_again(*live), replay(**snapshot);
  const Machine seen = read_machine(live_again);
  const Machine replayed = read_machine(replay);
  CHECK(live_again.text() == replay.text());
  REQUIRE(replayed.gpus.size() == 1);
  CHECK(seen.gpus.size() == 1);
  CHECK(replayed.gpus[0].gfx == seen.gpus[0].gfx);
  CHECK(replayed.gpus[0].gfx.value_or("") == "gfx1100");
  CHECK(replayed.gpus[0].vram_bytes.value_or(0ULL) == 25753026560ULL);
}

}  // namespace

TEST_CASE("a replay gives every probe the answers that the machine gave") {
  SUBCASE("folder") {
    check_same_answers("snapshot");
  }
  SUBCASE(".tar.zst") {
    check_same_answers("snapshot.tar.zst");
  }
  SUBCASE(".tar.gz") {
    check_same_answers("snapshot.tar.gz");
  }
}

TEST_CASE("answers that no probe of today asks for are kept too") {
  Scratch root, out;
  build_machine(root);
  auto live = live_source(root.path());
  RecordingSource recording(*live);
  const char* kPaths[] = {"/etc/loop", "/nothing/here", "/lib/x", "/etc", "/dev/not-a-device"};
  for (const char* path : kPaths) {
    static_cast<void>(recording.read(path));
    static_cast<void>(recording.lstat(path));
    static_cast<void>(recording.stat(path));
    static_cast<void>(recording.resolve(path));
    static_cast<void>(recording.list(path));
    static_cast<void>(recording.elf(path));
  }
  SnapshotOptions options;
  options.redact = false;
  REQUIRE(write_snapshot(snapshot_files(recording.recording(), options, kRecordFilter),
                         out.path() + "/s")
              .has_value());
  auto snapshot = snapshot_source(out.path() + "/s");
  REQUIRE(snapshot.has_value());
  Transcript a(*live), b(**snapshot);
  for (const char* path : kPaths) {
    for (Source* source : {static_cast<Source*>(&a), static_cast<Source*>(&b)}) {
      static_cast<void>(source->read(path));
      static_cast<void>(source->lstat(path));
      static_cast<void>(source->stat(path));
      static_cast<void>(source->resolve(path));
      static_cast<void>(source->list(path));
    }
  }
  CHECK(a.text() == b.text());
}

TEST_CASE("a redacted snapshot names nobody, and still tells the machine") {
  Scratch root, out;
  build_machine(root);
  auto live = live_source(root.path());
  SnapshotOptions options;
  options.salt = 7;
  const std::string path = out.path() + "/s";
  REQUIRE(record_snapshot(*live, path, options).has_value());
  std::string all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
    all += entry.path().string() + "\n";
    if (!entry.is_regular_file() || entry.is_symlink()) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    all.append(std::istreambuf_iterator<char>(file), {});
  }
  for (const char* secret : {"alice", "Alice", "wonderland", "a1b2c3d4e5f60718",
                             "11651590505119483672", "0c8a3f6e-1b2c"}) {
    CAPTURE(secret);
    CHECK(all.find(secret) == std::string::npos);
  }
  CHECK(all.find("\"host name\"") != std::string::npos);
  auto snapshot = snapshot_source(path);
  REQUIRE(snapshot.has_value());
  const Machine machine = read_machine(**snapshot);
  REQUIRE(machine.gpus.size() == 1);
  CHECK(machine.gpus[0].gfx.value_or("") == "gfx1100");
  CHECK(machine.gpus[0].driver.value_or("") == "amdgpu");
  // KFD shows in decimal what the device folder shows in hex: still the same GPU.
  CHECK(std::to_string(std::stoull(machine.gpus[0].unique_id.value_or("0"), nullptr, 16)) ==
        std::to_string(machine.gpus[0].kfd_properties.at("unique_id")));
}

TEST_CASE("a snapshot appears whole or not at all, and replaces nothing") {
  Scratch out;
  SnapshotFiles files;
  files.files["about.toml"] = "format = 1\n";
  CHECK_FALSE(write_snapshot(files, out.path() + "/no/such/folder/s").has_value());
  CHECK_FALSE(write_snapshot(files, out.path() + "/no/such/folder/s.tar").has_value());
  out.file("taken/file", "x").file("taken.tar.gz", "x");
  CHECK_FALSE(write_snapshot(files, out.path() + "/taken").has_value());
  CHECK_FALSE(write_snapshot(files, out.path() + "/taken.tar.gz").has_value());
  std::size_t entries = 0;
  for (const auto& entry : std::filesystem::directory_iterator(out.path())) {
    static_cast<void>(entry);
    ++entries;
  }
  CHECK(entries == 2);
}

TEST_CASE("redaction replaces the same thing by the same thing, and leaves facts alone") {
  Redactor redactor(42);
  redactor.add_host("gpu-box-7.example.org");
  redactor.add_user("carol");
  redactor.add_user("ubuntu");
  const auto text = [&](const char* from) { return redactor.text(from); };
  CHECK(text("gpu-box-7 kernel: hello carol") == "host kernel: hello user");
  CHECK(text("/home/carol/x /home/dave/y") == "/home/user/x /home/user3/y");
  CHECK(text("/home/ubuntu/.bashrc") == "/home/user2/.bashrc");
  CHECK(text("ID=ubuntu carolina") == "ID=ubuntu carolina");
  const std::string mac = text("52:54:00:12:34:56");
  CHECK(mac != "52:54:00:12:34:56");
  CHECK(mac == text("52:54:00:12:34:56"));
  CHECK(text("from 192.168.1.17 to") != "from 192.168.1.17 to");
  CHECK(text("fe80::5054:ff:fe12:3456/64").find("5054") == std::string::npos);
  CHECK(text("usb: SerialNumber: 4C530001230") == "usb: SerialNumber: redacted");
  CHECK(text("Uuid: GPU-e2abaca2f842a074").find("e2abaca2") == std::string::npos);
  for (const char* fact :
       {"0000:03:00.0", "pci 0000:c1:00.0: [1002:744c] type 00 class 0x030000", "6.12.12.1",
        "rocm-hip-runtime 6.2.4.60204-139~22.04", "version 1.14.0.50", "127.0.0.1",
        "[    3.200000] amdgpu 0000:03:00.0: amdgpu: VRAM: 24560M 0x0000008000000000",
        "console=ttyS0 serial=ttyS0", "std::vector", "Uuid: GPU-XX", "unique_id 0", "hive_id 0"}) {
    CAPTURE(fact);
    CHECK(text(fact) == fact);
  }
}
