// Placeholder until the ELF reader lands: every question is answered "unsupported", never a guess.
#include "machine/elf.h"

namespace rocvet {

Result<ElfSummary> read_elf_file(const std::string& path) {
  return Error{Error::Kind::unsupported, path, "this build cannot read ELF files"};
}

Result<ElfSummary> read_elf(std::string_view, std::string_view where) {
  return Error{Error::Kind::unsupported, std::string(where), "this build cannot read ELF files"};
}

}  // namespace rocvet
