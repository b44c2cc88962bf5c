// elf_dump FILE…: one line of JSON a file, for compare_elf.py.
#include <cstdio>
#include <string>
#include <vector>

#include "formats/elf.h"

namespace {

/// Names in ELF files are plain ASCII; anything else is shown as a question mark.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' || c == '\\' || c < ' ' ? '?' : c;
  return out + "\"";
}

std::string list(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) out += (out.empty() ? "" : ", ") + quoted(item);
  return "[" + out + "]";
}

}  // namespace

int main(int count, char** arguments) {
  for (int i = 1; i < count; ++i) {
    const auto elf = rocvet::read_elf_file(arguments[i]);
    if (!elf) {
      std::printf("{\"file\": %s, \"error\": %s}\n", quoted(arguments[i]).c_str(),
                  quoted(elf.error().what).c_str());
      continue;
    }
    std::printf(
        "{\"file\": %s, \"soname\": %s, \"needed\": %s, \"rpath\": %s, \"runpath\": %s, "
        "\"needs\": %s, \"defines\": %s, \"gfx\": %s}\n",
        quoted(arguments[i]).c_str(), quoted(elf->soname).c_str(), list(elf->needed).c_str(),
        list(elf->rpath).c_str(), list(elf->runpath).c_str(), list(elf->needs_versions).c_str(),
        list(elf->defines_versions).c_str(), list(elf->gfx).c_str());
  }
}
