// Snapshots are hostile input: nothing in one may lead out of it, crash or hang rocvet.
#include <doctest/doctest.h>

#include "base/path_walk.h"
#include "source/snapshot_facts.h"
#include "source/snapshot_index.h"
#include "source/source.h"
#include "tests/unit/machine/scratch.h"

using namespace rocvet;

namespace {

std::unique_ptr<Source> opened(const Scratch& folder) {
  auto source = snapshot_source(folder.path());
  if (!source) FAIL(source.error().text());
  return std::move(*source);
}

const char kHeader[] = "kind\tpath\tmode\tuid\tgid\towner\tgroup\textra\n";

std::string line(const std::string& kind, const std::string& path, const std::string& extra) {
  return kind + "\t" + path + "\t0660\t0\t44\troot\tvideo\t" + extra + "\n";
}

}  // namespace

TEST_CASE("clean_path never climbs above the root") {
  CHECK(clean_path("/a//b/./c/../d/") == "/a/b/d");
  CHECK(clean_path("/../../etc") == "/etc");
  CHECK(clean_path("") == "/");
}

TEST_CASE("a snapshot answers by its index") {
  Scratch folder;
  folder.file("about.toml", "format = 1\ncomplete = ['/sys/class']\n")
      .file("files/sys/class/drm/card0/device/vendor", "0x1002\n")
      .file("cmd/uname", "Linux host 6.8.0\n")
      .file("cmd/rocminfo", "")
      .file("cmd/rocminfo.rc", "1\n")
      .file("index.tsv",
            kHeader + line("dir", "/dev", "complete") + line("char", "/dev/dri/card0", "226:0") +
                line("error", "/dev/kfd", "open:EACCES") + line("absent", "/opt/rocm", "-") +
                line("error", "/sys/kernel/x", "EIO") + line("link", "/lib", "usr/lib") +
                line("file", "/boot/vmlinuz", "14000000") + line("dir", "/usr/lib", "-") +
                line("file", "/usr/lib/os-release", "0") +
                line("elf", "/usr/lib/libx.so",
                     R"({"soname":"libx.so.1","needed":["libc.so.6"],"gfx":["gfx90a"]})") +
                line("file", "/sys/class/drm/card0/device/vendor", "7"));
  const auto source = opened(folder);

  CHECK(source->read("/sys/class/drm/card0/device/vendor").value_or("") == "0x1002\n");
  SUBCASE("below a complete prefix what is not there does not exist") {
    CHECK(source->read("/sys/class/kfd/kfd").is_missing());
    CHECK(source->lstat("/dev/dri/renderD128").is_missing());
  }
  SUBCASE("elsewhere it was not captured") {
    CHECK(source->read("/etc/hostname").is(Error::Kind::not_captured));
    CHECK(source->list("/etc").is(Error::Kind::not_captured));
  }
  SUBCASE("absent is missing, and so is all below it") {
    CHECK(source->lstat("/opt/rocm").is_missing());
    CHECK(source->read("/opt/rocm/.info/version").is_missing());
  }
  SUBCASE("a device that may not be opened is still a device") {
    const auto open = source->open_device("/dev/kfd");
    REQUIRE_FALSE(open.has_value());
    CHECK(open.is(Error::Kind::denied));
    CHECK(open.error().what.starts_with("EACCES"));
    const auto stat = source->stat("/dev/kfd");
    REQUIRE(stat.has_value());
    CHECK(stat->type == FileStat::Type::char_device);
    CHECK(stat->mode == 0660);
    CHECK(stat->gid == 44U);
  }
  SUBCASE("device numbers and a node that opens") {
    CHECK(source->open_device("/dev/dri/card0").has_value());
    CHECK(source->stat("/dev/dri/card0")->major == 226);
    CHECK(source->open_device("/dev/nothing").error().what.starts_with("ENOENT"));
  }
  SUBCASE("a recorded error comes back") {
    const auto text = source->read("/sys/kernel/x");
    REQUIRE_FALSE(text.has_value());
    CHECK(text.error().what.starts_with("EIO"));
  }
  SUBCASE("links are followed inside") {
    CHECK(source->link("/lib").value_or("") == "usr/lib");
    CHECK(source->resolve("/lib/libx.so").value_or("") == "/usr/lib/libx.so");
    const auto elf = source->elf("/lib/libx.so");
    REQUIRE(elf.has_value());
    CHECK(elf->soname == "libx.so.1");
    CHECK(elf->gfx == std::vector<std::string>{"gfx90a"});
  }
  SUBCASE("a file whose content was not kept is not an empty file") {
    CHECK(source->read("/boot/vmlinuz").is(Error::Kind::not_captured));
    CHECK(source->stat("/boot/vmlinuz")->size == 14000000ULL);
  }
  SUBCASE("commands and their status") {
    CHECK(source->run("uname")->out == "Linux host 6.8.0\n");
    CHECK(source->run("rocminfo")->status == 1);
    CHECK(source->run("lspci-vvnn").is(Error::Kind::not_captured));
  }
}

TEST_CASE("no path and no link leaves a snapshot") {
  Scratch outside;
  outside.file("secret", "top secret\n");
  Scratch folder;
  folder.file("sysroot/sys/real", "inside\n")
      .link("sysroot/sys/absolute", outside.path() + "/secret")
      .link("sysroot/sys/climb", "../../../../../../../../../.." + outside.path() + "/secret")
      .link("sysroot/out", outside.path())
      .link("sysroot/sys/a", "b")
      .link("sysroot/sys/b", "a")
      .link("sysroot/sys/good", "../sys/./real");
  const auto source = opened(folder);
  CHECK(source->read("/sys/good").value_or("") == "inside\n");
  CHECK_FALSE(source->read("/sys/absolute").has_value());
  CHECK_FALSE(source->read("/sys/climb").has_value());
  CHECK_FALSE(source->read("/out/secret").has_value());
  CHECK_FALSE(source->list("/out").has_value());
  CHECK_FALSE(source->read("/../" + outside.path() + "/secret").has_value());
  CHECK_FALSE(source->read("/sys/../../../.." + outside.path() + "/secret").has_value());
  CHECK_FALSE(source->read("sys/real").has_value());
  const auto loop = source->read("/sys/a");
  REQUIRE_FALSE(loop.has_value());
  CHECK(loop.error().what.starts_with("ELOOP"));
}

TEST_CASE("an index that calls a link on disk a folder does not open a way out") {
  Scratch outside;
  outside.file("secret", "top secret\n");
  Scratch folder;
  folder.file("about.toml", "format = 1\n")
      .link("files/etc", outside.path())
      .file("index.tsv",
            kHeader + line("dir", "/etc", "complete") + line("file", "/etc/secret", "11"));
  const auto source = opened(folder);
  CHECK_FALSE(source->read("/etc/secret").has_value());
  CHECK_FALSE(source->read("/etc/other").has_value());
}

TEST_CASE("a nest of deep links ends") {
  Scratch folder;
  std::string deep;
  for (int i = 0; i < 300; ++i) deep += "d/";
  folder.file("sysroot/sys/x", "");
  for (int i = 0; i < 40; ++i) {
    folder.link("sysroot/sys/l" + std::to_string(i), "l" + std::to_string(i + 1) + "/" + deep);
  }
  const auto source = opened(folder);
  CHECK_FALSE(source->read("/sys/l0").has_value());
}

TEST_CASE("what is no snapshot is refused in one line") {
  Scratch folder;
  folder.file("readme.txt", "hello\n");
  const auto none = snapshot_source(folder.path());
  REQUIRE_FALSE(none.has_value());
  CHECK(none.error().what.find("not a snapshot") != std::string::npos);
  CHECK(none.error().text().find('\n') == std::string::npos);
  CHECK_FALSE(snapshot_source(folder.path() + "/readme.txt").has_value());
  CHECK(snapshot_source(folder.path() + "/nothing").is_missing());
  CHECK_FALSE(snapshot_source("/dev/null").has_value());
}

TEST_CASE("a malformed file of a snapshot is named with its line") {
  Scratch folder;
  folder.file("about.toml", "format = 1\n");
  const auto error_of = [&](const std::string& index) {
    folder.file("index.tsv", kHeader + index);
    const auto source = snapshot_source(folder.path());
    return source ? std::string("accepted") : source.error().text();
  };
  CHECK(error_of(line("file", "/a", "1") + "file /b\n").find("index.tsv:3: ") != std::string::npos);
  for (const std::string& bad :
       {line("socket", "/a", "-"), line("file", "a", "1"), line("file", "/a/../b", "1"),
        line("file", "/a//b", "1"), line("link", "/a", "-"), line("char", "/a", "226"),
        line("error", "/a", "-"), std::string("file\t/a\t0999\t-\t-\t-\t-\t-\n"),
        std::string("file\t/a\t0644\tx\t-\t-\t-\t-\n"),
        std::string("file\t/a\t0644\t-\t99999999999\t-\t-\t-\n"),
        std::string("file\t/a\t0644\t-\t-\t-\t-\t-\textra\n")}) {
    CAPTURE(bad);
    CHECK(error_of(bad).find("index.tsv:2: ") != std::string::npos);
  }
  CHECK(error_of(line("file", "/a", "1") + line("dir", "/a", "-")).find("listed twice") !=
        std::string::npos);
  folder.file("index.tsv", kHeader).file("process.toml", "uid = 'root'\n");
  CHECK(snapshot_source(folder.path()).error().text().find("process.toml:1:") != std::string::npos);
  folder.file("process.toml", "").file("about.toml", "format = 2\n");
  CHECK_FALSE(snapshot_source(folder.path()).has_value());
  folder.file("about.toml", "format = 1\ncomplete = [3]\n");
  CHECK_FALSE(snapshot_source(folder.path()).has_value());
}

TEST_CASE("a read is bounded by its limit") {
  Scratch folder;
  folder.file("sysroot/sys/large", std::string(100000, 'x'));
  const auto source = opened(folder);
  CHECK(source->read("/sys/large", 100000).value_or("").size() == 100000);
  const auto large = source->read("/sys/large", 99999);
  REQUIRE_FALSE(large.has_value());
  CHECK(large.error().what == "larger than 99999 bytes");
}

TEST_CASE("what lies below a complete folder and was not recorded does not exist") {
  Scratch folder;
  folder.file("about.toml", "format = 1\ncomplete = ['/sys/class/drm/', '/a//b']\n");
  const auto source = opened(folder);
  for (const char* path : {"/sys/class/drm", "/sys/class/drm/card0/device", "/a/b/c"})
    CHECK(source->read(path).is_missing());
  for (const char* path : {"/sys/class", "/sys/class/drm1", "/a", "/ab"})
    CHECK(source->read(path).is(Error::Kind::not_captured));
  folder.file("about.toml", "format = 1\ncomplete = ['/']\n");
  CHECK(opened(folder)->read("/anything/at/all").is_missing());
}

TEST_CASE("process facts survive being written and read") {
  ProcessFacts facts;
  facts.uid = 1000U;
  facts.groups = std::vector<std::uint32_t>{44, 109};
  facts.user = std::string("a \"quoted\" name");
  facts.capabilities = 0xffULL;
  facts.environment = std::map<std::string, std::string>{{"PATH", "/bin:\x7f"}, {"HIP_X", ""}};
  facts.limits = std::map<std::string, std::pair<std::uint64_t, std::uint64_t>>{
      {"nofile", {1024, UINT64_MAX}}};
  const auto read = parse_process(write_process(facts), "process.toml");
  REQUIRE(read.has_value());
  CHECK(read->uid == facts.uid);
  CHECK(read->groups == facts.groups);
  CHECK(read->user == facts.user);
  CHECK(read->capabilities == facts.capabilities);
  CHECK(read->environment == facts.environment);
  CHECK(read->limits == facts.limits);
  CHECK(read->gid.is(Error::Kind::not_captured));
}
