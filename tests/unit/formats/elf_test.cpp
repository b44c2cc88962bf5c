#include "formats/elf.h"

#include <doctest/doctest.h>
#include <zlib.h>
#include <zstd.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "formats/gfx_target.h"
#include "tests/unit/machine/elf_writer.h"

namespace rocvet {
namespace {

const std::vector<std::string> kIds{"host-x86_64-unknown-linux--",
                                    "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-",
                                    "hipv4-amdgcn-amd-amdhsa--gfx1100"};
const std::vector<std::string> kTargets{"gfx1100", "gfx90a:xnack-"};

std::string zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

std::string zlib_packed(const std::string& text) {
  uLongf size = compressBound(text.size());
  std::string out(size, '\0');
  compress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(text.data()),
           text.size());
  out.resize(size);
  return out;
}

/// The header of clang's compressed bundles, by version; method 0 is zlib, 1 zstd.
std::string compressed(int version, int method, const std::string& bundle) {
  const std::string packed = method == 1 ? zstd(bundle) : zlib_packed(bundle);
  std::string out = "CCOB";
  put(out, static_cast<std::uint16_t>(version));
  put(out, static_cast<std::uint16_t>(method));
  if (version == 2) put(out, static_cast<std::uint32_t>(24 + packed.size()));
  if (version == 3) put(out, static_cast<std::uint64_t>(32 + packed.size()));
  if (version < 3) put(out, static_cast<std::uint32_t>(bundle.size()));
  if (version == 3) put(out, static_cast<std::uint64_t>(bundle.size()));
  put(out, std::uint64_t{0x1234});  // hash
  return out + packed;
}

std::string page_after(std::string text, const std::string& next) {
  text.resize((text.size() + 4095) / 4096 * 4096);
  return text + next;
}

/// An AMD code object's header alone.
std::string code_object(std::uint32_t flags, unsigned char abi) {
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_OSABI] = 64;
  header.e_ident[EI_ABIVERSION] = abi;
  header.e_machine = 224;
  header.e_flags = flags;
  std::string out;
  put(out, header);
  return out;
}

std::vector<std::string> gfx_of(const std::string& bytes) {
  const auto elf = read_elf(bytes, "test");
  if (!elf) FAIL(elf.error().text());
  return elf->gfx;
}

}  // namespace

TEST_CASE("an ELF file's dynamic section and versions") {
  ElfSpec spec;
  spec.soname = "libamdhip64.so.6";
  spec.needed = {"libc.so.6", "libhsa-runtime64.so.1"};
  spec.runpath = "$ORIGIN:/opt/rocm/lib";
  spec.needs_versions = {"GLIBC_2.34", "GLIBC_2.17"};
  spec.defines_versions = {"hip_4.2", "hip_6.0"};
  const auto elf = read_elf(write_elf(spec), "test");
  REQUIRE(elf.has_value());
  CHECK(elf->soname == "libamdhip64.so.6");
  CHECK(elf->needed == spec.needed);
  CHECK(elf->runpath == std::vector<std::string>{"$ORIGIN", "/opt/rocm/lib"});
  CHECK(elf->rpath.empty());
  CHECK(elf->needs_versions == std::vector<std::string>{"GLIBC_2.17", "GLIBC_2.34"});
  // The base definition, which repeats the soname, is none.
  CHECK(elf->defines_versions == spec.defines_versions);
  CHECK(elf->gfx.empty());
  CHECK_FALSE(elf->has_cuda);
  CHECK(elf->is_64_bit);
}

TEST_CASE("offload bundles of every generation") {
  ElfSpec spec;
  SUBCASE("plain") {
    spec.fatbin = plain_bundle(kIds);
    CHECK(gfx_of(write_elf(spec)) == kTargets);
  }
  SUBCASE("several, each at a page") {
    spec.fatbin = page_after(plain_bundle({kIds[0], kIds[1]}, 5000), plain_bundle({kIds[2]}));
    CHECK(gfx_of(write_elf(spec)) == kTargets);
  }
  SUBCASE("an entry without code is none") {
    spec.fatbin = plain_bundle(kIds, 0);
    CHECK(gfx_of(write_elf(spec)).empty());
  }
  SUBCASE("compressed") {
    for (const int version : {1, 2, 3}) {
      for (const int method : {0, 1}) {
        CAPTURE(version);
        CAPTURE(method);
        spec.fatbin = compressed(version, method, plain_bundle(kIds));
        CHECK(gfx_of(write_elf(spec)) == kTargets);
        spec.fatbin = page_after(compressed(version, method, plain_bundle({kIds[1]})),
                                 compressed(version, method, plain_bundle({kIds[2]})));
        CHECK(gfx_of(write_elf(spec)) == kTargets);
      }
    }
  }
  SUBCASE("a bundle as a file of its own") {
    CHECK(gfx_of(plain_bundle(kIds)) == kTargets);
    CHECK(gfx_of(compressed(2, 1, plain_bundle(kIds))) == kTargets);
  }
  SUBCASE("CUDA") {
    spec.cuda = true;
    const auto elf = read_elf(write_elf(spec), "test");
    REQUIRE(elf.has_value());
    CHECK(elf->has_cuda);
    CHECK(elf->gfx.empty());
  }
}

TEST_CASE("code objects name their target in the header") {
  // EF_AMDGPU_MACH and feature bits of https://llvm.org/docs/AMDGPUUsage.html#header
  CHECK(gfx_of(code_object(0x041, 4)) == std::vector<std::string>{"gfx1100"});
  CHECK(gfx_of(code_object(0x03f | 0x200 | 0xc00, 2)) ==
        std::vector<std::string>{"gfx90a:sramecc+:xnack-"});
  CHECK(gfx_of(code_object(0x02f | 0x100, 1)) == std::vector<std::string>{"gfx906:xnack+"});
  CHECK(gfx_of(code_object(0x054 | 0x01000000, 4)) == std::vector<std::string>{"gfx11-generic"});
  CHECK(gfx_of(code_object(0x0ff, 4)).empty());
}

TEST_CASE("damaged ELF files are errors or empty, never a crash") {
  ElfSpec spec;
  spec.soname = "libx.so";
  spec.needed = {"libc.so.6"};
  spec.needs_versions = {"GLIBC_2.34"};
  spec.fatbin = plain_bundle(kIds);
  const std::string whole = write_elf(spec);
  for (std::size_t size = 0; size < whole.size(); size += size < 600 ? 1 : 97) {
    static_cast<void>(read_elf(std::string_view(whole).substr(0, size), "cut"));
  }
  for (std::size_t at = 0; at < 600; ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(0xff);
    static_cast<void>(read_elf(changed, "changed"));
  }
  CHECK(read_elf("", "x").is(Error::Kind::malformed));
  CHECK(read_elf("#!/bin/sh\n", "x").error().text() == "x: too short for an ELF file");
  CHECK(read_elf("INPUT ( -lamdhip64 ) as linkers have it", "x").is(Error::Kind::malformed));
  CHECK(read_elf_file("/nonexistent/lib.so").is_missing());
}

TEST_CASE("a library that is cut short, or for another processor, cannot be loaded") {
  const std::string whole = write_elf({.soname = "libhsa-runtime64.so.1"});
  REQUIRE(read_elf(whole, "whole").has_value());
  Elf64_Phdr load;
  std::memcpy(&load, whole.data() + sizeof(Elf64_Ehdr), sizeof load);
  REQUIRE(load.p_type == PT_LOAD);
  // The segment's last byte decides, whatever of the section headers behind it is there.
  CHECK(read_elf(whole.substr(0, load.p_offset + load.p_filesz), "short").has_value());
  const auto cut = read_elf(whole.substr(0, load.p_offset + load.p_filesz - 1), "short");
  REQUIRE_FALSE(cut.has_value());
  CHECK(cut.error().kind == Error::Kind::malformed);
  CHECK(cut.error().what.find("cut short") != std::string::npos);
#ifdef __x86_64__
  std::string foreign = whole;
  const Elf64_Half machine = EM_AARCH64;
  std::memcpy(foreign.data() + offsetof(Elf64_Ehdr, e_machine), &machine, sizeof machine);
  const auto arm = read_elf(foreign, "arm");
  REQUIRE_FALSE(arm.has_value());
  CHECK(arm.error().what.find("another processor") != std::string::npos);
#endif
}

TEST_CASE("kernel archives of ROCm 7, and libraries that refer to them") {
  char name[] = "/tmp/rocvet-kpack-XXXXXX";
  REQUIRE(mkdtemp(name) != nullptr);
  const std::string root = name;
  std::filesystem::create_directories(root + "/lib");
  std::filesystem::create_directories(root + "/.kpack");
  const auto write = [&](const std::string& path, const std::string& bytes) {
    std::ofstream(root + path, std::ios::binary) << bytes;
  };
  const std::string archive =
      kernel_archive({"gfx1100", "gfx1101"},
                     {{"lib/libx.so.1", {"gfx1100"}}, {"bin/tool", {"gfx1100", "gfx1101"}}});
  write("/.kpack/blas_lib_gfx110X.kpack", archive);
  write("/.kpack/blas_lib_gfx942.kpack",
        kernel_archive({"gfx942"}, {{"lib/libx.so.1", {"gfx942"}}}));
  write("/.kpack/other_gfx90a.kpack", kernel_archive({"gfx90a"}, {{"lib/libx.so.1", {"gfx90a"}}}));
  // An archive alone: all of its targets.
  CHECK(read_elf_file(root + "/.kpack/blas_lib_gfx110X.kpack")->gfx ==
        std::vector<std::string>{"gfx1100", "gfx1101"});
  CHECK(read_elf(archive, "x")->gfx == std::vector<std::string>{"gfx1100", "gfx1101"});
  // A library: those of the archives it names, for it.
  ElfSpec spec;
  spec.soname = "libx.so.1";
  spec.kpack_reference =
      pack_map({{"kernel_name", pack_text("lib/libx.so.1")},
                {"kpack_search_paths", pack_list({"../.kpack/blas_lib_gfx110X.kpack"})}});
  write("/lib/libx.so.1", write_elf(spec));
  CHECK(read_elf_file(root + "/lib/libx.so.1")->gfx == std::vector<std::string>{"gfx1100"});
  // With a pattern, and with a path that leads nowhere.
  spec.kpack_reference =
      pack_map({{"kernel_name", pack_text("lib/libx.so.1")},
                {"kpack_search_paths",
                 pack_list({"../.kpack/gone.kpack", "../.kpack/blas_lib_@GFXARCH@.kpack"})}});
  write("/lib/libx.so.1", write_elf(spec));
  CHECK(read_elf_file(root + "/lib/libx.so.1")->gfx ==
        std::vector<std::string>{"gfx1100", "gfx942"});
  // A foreign library sends nobody elsewhere.
  spec.kpack_reference =
      pack_map({{"kernel_name", pack_text("lib/libx.so.1")},
                {"kpack_search_paths",
                 pack_list({root + "/.kpack/blas_lib_gfx110X.kpack",
                            "../../../../../../.." + root + "/.kpack/blas_lib_gfx110X.kpack"})}});
  write("/lib/libx.so.1", write_elf(spec));
  CHECK(read_elf_file(root + "/lib/libx.so.1")->gfx.empty());
  // In memory there is nothing to be relative to.
  CHECK(read_elf(write_elf(spec), "x")->gfx.empty());
  // Cut and changed archives give nothing, or what is still whole; they never end the program.
  for (std::size_t size = 16; size < archive.size(); ++size)
    CHECK(read_elf(archive.substr(0, size), "cut")->gfx.empty());
  for (std::size_t at = 4; at < archive.size(); at += at == 16 ? 48 : 1) {
    for (const char value : {'\xff', '\xdf', '\xdb'}) {
      std::string changed = archive;
      changed[at] = value;
      CHECK(read_elf(changed, "changed")->gfx.size() <= 2);
    }
  }
  std::filesystem::remove_all(root);
}

TEST_CASE("targets in names") {
  CHECK(gfx_of_bundle_id("hip-amdgcn-amd-amdhsa-gfx803") == "gfx803");
  CHECK(gfx_of_bundle_id("hip-amdgcn-amd-amdhsa-gfx906+sram-ecc+xnack") ==
        "gfx906:sramecc+:xnack+");
  CHECK(gfx_of_bundle_id("hipv4-amdgcn-amd-amdhsa--gfx9-4-generic") == "gfx9-4-generic");
  CHECK(gfx_of_bundle_id("hip-spirv64-amd-amdhsa--amdgcnspirv") == "amdgcnspirv");
  CHECK(gfx_of_bundle_id("host-x86_64-unknown-linux--") == "");
  CHECK(gfx_of_bundle_id("hipv4-amdgcn-amd-amdhsa--gfx90a;rm -rf") == "");
  CHECK(gfx_of_file_name("TensileLibrary_lazy_gfx1100.dat") == "gfx1100");
  CHECK(gfx_of_file_name("Kernels.so-000-gfx90a-xnack+.hsaco") == "gfx90a:xnack+");
  CHECK(gfx_of_file_name("kernel_gfx11-generic.fatbin.zst") == "gfx11-generic");
  CHECK(gfx_of_file_name("TensileLibrary_Type_SS_fallback.dat") == "");
  CHECK(gfx_of_miopen_file("gfx90a68.kdb") == "gfx90a");
  CHECK(gfx_of_miopen_file("gfx1030_36.HIP.fdb.txt") == "gfx1030");
  CHECK(gfx_of_miopen_file("gfx90878.db") == "gfx908");
}

}  // namespace rocvet
