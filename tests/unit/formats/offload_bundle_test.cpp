// What a file of bundles may cost: the time is bounded by its size, whatever it says.
#include "formats/offload_bundle.h"

#include <doctest/doctest.h>

#include "formats/elf.h"
#include "tests/unit/machine/elf_writer.h"

namespace rocvet {
namespace {

/// Counts what is asked of it.
class CountedBytes : public Bytes {
 public:
  explicit CountedBytes(std::string_view bytes) : bytes_(bytes) {}
  std::uint64_t size() const override { return bytes_.size(); }
  bool read(std::uint64_t offset, void* to, std::size_t count) override {
    ++reads;
    return bytes_.read(offset, to, count);
  }

  std::uint64_t reads = 0;

 private:
  MemoryBytes bytes_;
};

std::set<std::string> targets_of(const std::string& file) {
  CountedBytes bytes(file);
  std::set<std::string> targets;
  add_bundle_targets(bytes, 0, file.size(), targets);
  return targets;
}

std::string binary_head(std::uint64_t size, std::uint64_t entries, std::uint64_t count) {
  std::string out = "\x10\xFF\x10\xAD";
  put(out, std::uint32_t{2});
  put(out, size);
  put(out, entries);
  put(out, count);
  return out;
}

/// LLVM's offload binary with an image of this target, as clang writes it.
std::string offload_binary(const std::string& arch) {
  const std::uint64_t entry = 32, strings = entry + 40, texts = strings + 2 * 24;
  const std::string names = std::string("arch\0triple\0amdgcn-amd-amdhsa\0", 30) + arch + '\0';
  const std::uint64_t size = (texts + names.size() + 7) / 8 * 8;
  std::string out = binary_head(size, entry, 1);
  for (const std::uint64_t field :
       {std::uint64_t{0}, strings, std::uint64_t{2}, size, std::uint64_t{0}, texts, texts + 30,
        std::uint64_t{0}, texts + 5, texts + 12, std::uint64_t{0}})
    put(out, field);
  out += names;
  out.resize(size);
  return out;
}

/// `bundles` heads one behind another that all have the same 1024 entries of the same 64 strings.
std::string overlapping(std::uint64_t bundles) {
  const std::uint64_t entries = bundles * 24 + 8, strings = entries + 1024 * 40;
  std::string out;
  for (std::uint64_t i = 0; i < bundles; ++i)
    out += binary_head(24, entries - i * 24, 0).substr(0, 24);
  put(out, std::uint64_t{1024});
  for (int i = 0; i < 1024; ++i) {
    for (const std::uint64_t field :
         {std::uint64_t{0}, strings, std::uint64_t{64}, std::uint64_t{0}, std::uint64_t{0}})
      put(out, field);
  }
  // Every head sees these records from its own place, so all of them point at zeros.
  for (std::uint64_t i = 0; i < bundles + 64; ++i) {
    for (const std::uint64_t field : {strings, strings, std::uint64_t{0}}) put(out, field);
  }
  out.resize(strings + 2 * (bundles + 64) * 24 + 4096);
  return out;
}

}  // namespace

TEST_CASE("the records of a file are bounded by its size") {
  const std::string file = overlapping(2000);
  REQUIRE(file.size() < 300000);
  CountedBytes bytes(file);
  std::set<std::string> targets;
  add_bundle_targets(bytes, 0, file.size(), targets);
  CHECK(bytes.reads > 1000);    // they are records for the reader
  CHECK(bytes.reads < 500000);  // of 2000 * 1024 * 64
}

TEST_CASE("blocks of a frame without an end are not counted again from every page") {
  std::string page = "CCOB";
  put(page, std::uint16_t{1});
  put(page, std::uint16_t{1});
  put(page, std::uint32_t{0});
  put(page, std::uint64_t{0});
  // A zstd frame of raw blocks without bytes, none of them the last; that which ends the page goes
  // on behind the head of the next.
  page += std::string("\x28\xb5\x2f\xfd\0\x58", 6);
  const std::size_t first = page.size(), last = first + (4096 - first) / 3 * 3 - 3;
  page.resize(4096);
  page[last] = static_cast<char>((4096 + first - last - 3) << 3);
  std::string file;
  for (int i = 0; i < 100; ++i) file += page;
  CountedBytes bytes(file);
  std::set<std::string> targets;
  add_bundle_targets(bytes, 0, file.size(), targets);
  CHECK(bytes.reads < file.size());
}

TEST_CASE("sections over each other are read once") {
  const std::string file = offload_binary("gfx90a") + offload_binary("gfx1100");
  CountedBytes bytes(file);
  std::set<std::string> targets;
  BundleReader bundles(bytes, targets);
  const std::uint64_t second = offload_binary("gfx90a").size();
  bundles.add(second, file.size());
  CHECK(targets == std::set<std::string>{"gfx1100"});
  bundles.add(0, file.size());  // the rest of it
  CHECK(targets == std::set<std::string>{"gfx1100", "gfx90a"});
  const std::uint64_t reads = bytes.reads;
  for (int i = 0; i < 4096; ++i) bundles.add(0, UINT64_MAX);
  bundles.add(5, 3);
  CHECK(bytes.reads == reads);
}

TEST_CASE("a library of thousands of bundles is read whole") {
  std::string file;
  std::vector<std::string> ids{"host-x86_64-unknown-linux--"};
  for (int i = 0; i < 20; ++i) ids.push_back("hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-");
  for (int i = 0; i < 3000; ++i) file += plain_bundle(ids, 8).substr(0, 4096);
  file += plain_bundle({"hipv4-amdgcn-amd-amdhsa--gfx1100"});
  CHECK(targets_of(file).contains("gfx1100"));
  std::string binaries;
  for (int i = 0; i < 5000; ++i) binaries += offload_binary("gfx90a");
  CHECK(targets_of(binaries + offload_binary("gfx1201")) ==
        std::set<std::string>{"gfx1201", "gfx90a"});
}

}  // namespace rocvet
