// What an archive may cost: its bytes are a stranger's, and a few KB of them may claim any size.
#include <doctest/doctest.h>
#include <zlib.h>
#include <zstd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

#include "source/snapshot_store.h"
#include "tests/unit/machine/scratch.h"

using namespace rocvet;

namespace {

/// A header. Types: '0' file, '2' link, '5' folder, 'K' GNU's long target of a link.
std::string header(const std::string& name, char type, std::size_t size = 0,
                   const std::string& target = "") {
  std::string out(512, '\0');
  const auto set = [&](std::size_t at, const std::string& text) {
    out.replace(at, text.size(), text);
  };
  char number[12];
  std::snprintf(number, sizeof number, "%011zo", size);
  set(0, name);
  set(100, "0000755");
  set(108, "0000000");
  set(116, "0000000");
  set(124, number);
  set(136, "00000000000");
  set(148, "        ");
  out[156] = type;
  set(157, target);
  set(257, "ustar");
  set(263, "00");
  unsigned sum = 0;
  for (const char c : out) sum += static_cast<unsigned char>(c);
  std::snprintf(number, sizeof number, "%06o", sum);
  set(148, std::string(number) + '\0');
  return out;
}

std::string padded(std::string text) {
  text.resize((text.size() + 511) / 512 * 512);
  return text;
}

std::string long_link(const std::string& name, const std::string& target) {
  return header("././@LongLink", 'K', target.size() + 1) + padded(target + '\0') +
         header(name, '2', 0, target.substr(0, 100));
}

std::string zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 1));
  return out;
}

std::string repeated(const std::string& text, std::size_t times) {
  std::string out;
  out.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

std::string error_of(const std::string& archive) {
  const auto store = archive_store_from_memory(archive, "x.tar");
  return store ? "" : store.error().text();
}

const std::string kEnd(1024, '\0');

}  // namespace

TEST_CASE("an archive holds files, folders and links") {
  const auto store = archive_store_from_memory(
      header("a", '5') + header("a/f", '0', 3) + padded("abc") +
          long_link("a/l", std::string(4095, 'x')) + header("a/h", '1', 0, "a/f") + kEnd,
      "x.tar");
  REQUIRE(store);
  CHECK(*(*store)->list("a") == std::vector<std::string>{"f", "h", "l"});
  CHECK((*store)->read("a/f", 100).value_or("") == "abc");
  CHECK((*store)->read("a/h", 100).value_or("") == "abc");
  CHECK((*store)->look("a/l")->target.size() == 4095);
}

TEST_CASE("a gzip file whose checksum is wrong is damaged, wherever the archive ends in it") {
  const Scratch scratch;
  const std::string path = scratch.path() + "/x.tar.gz";
  const auto packed = [&](const std::string& text) {
    gzFile file = gzopen(path.c_str(), "wb");
    gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
    gzclose(file);
    std::ifstream in(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const auto error_of_file = [&](const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
    const auto store = archive_store(path);
    return store ? std::string() : store.error().what;
  };
  const std::string text = header("f", '0', 3) + padded("abc") + kEnd;
  for (const std::string& whole : {packed(text), packed(text + std::string(300000, '\0'))}) {
    CHECK(error_of_file(whole) == "");
    std::string changed = whole;
    changed[changed.size() - 8] = static_cast<char>(changed[changed.size() - 8] ^ 1);
    CHECK(error_of_file(changed) == "the gzip file is damaged: incorrect data check");
    CHECK(error_of_file(whole.substr(0, whole.size() - 4)) == "the gzip file is cut off");
  }
}

TEST_CASE("an archive that ends within a file is damaged") {
  CHECK_FALSE(error_of(header("f", '0', 5000) + "abc").empty());
  // Larger than what is kept of a file, so passed over.
  CHECK_FALSE(error_of(header("f", '0', 70u << 20) + "abc").empty());
}

TEST_CASE("a link's target is no longer than a path") {
  CHECK(error_of(long_link("l", std::string(5000, 'x')) + kEnd) ==
        "x.tar: l: a link with a target above 4096 bytes");
}

TEST_CASE("the targets of links count as names do") {
  // The same link again and again, so that it is the sum that is too much.
  const std::string some = zstd(repeated(long_link("l", std::string(4000, 'x')), 1000));
  CHECK(error_of(repeated(some, 60) + zstd(kEnd)) == "");
  CHECK(error_of(repeated(some, 70) + zstd(kEnd)) ==
        "x.tar: more than 256 MiB of names and links when unpacked");
}

TEST_CASE("headers without content count") {
  const std::string some = zstd(repeated(header("a", '5'), 10000));
  REQUIRE(some.size() < 4000);
  CHECK(error_of(repeated(some, 110) + zstd(kEnd)) ==
        "x.tar: more than 512 MiB of headers when unpacked");
}

TEST_CASE("content that is passed over counts") {
  // pax lets a hard link have content of its own: 7 GiB of it.
  const std::string linked = header("f", '0', 3) + padded("abc") + header("p", 'x', 11) +
                             padded("11 a=b 12.\n") + header("h", '1', 7ull << 30, "f");
  CHECK(error_of(linked + kEnd) == "x.tar: more than 1024 MiB when unpacked");
}
