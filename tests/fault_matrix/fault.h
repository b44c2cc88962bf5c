// What can go wrong with one answer about a machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/elf.h"
#include "source/source.h"

namespace rocvet {

enum class Fault {
  // The answer is an error, and says that nobody could look.
  eio,
  eacces,   ///< of a folder: all below it too
  estale,   ///< the same
  blocked,  ///< the same, as a command that did not answer before its deadline
  // The answer looks like one: who reads it cannot know.
  enoent,
  half,
  cut,  ///< in the middle of a line
  empty,
  zeros,
  flipped,   ///< bits
  not_utf8,  ///< bytes that no UTF-8 has, strewn in
  controls,  ///< control characters, likewise
  endless,   ///< the same line up to the limit; of a folder 100,000 names
};

std::span<const Fault> all_faults();
std::string_view to_string(Fault fault);
/// Whether the answer is an error that says that nobody could look: then a pass rests on nothing.
bool admits_it(Fault fault);
/// The errno of those whose answer is an error, "" of the others.
std::string_view errno_of(Fault fault);

/// An answer with the fault in it; the same for the same `seed`. At most `limit` bytes.
std::string spoilt(Fault fault, const std::string& text, std::uint64_t seed, std::size_t limit);
std::vector<std::string> spoilt(Fault fault, const std::vector<std::string>& names);
ElfSummary spoilt(Fault fault, const ElfSummary& elf, std::uint64_t seed);

/// The facts of a process that can be faulty, by name.
std::vector<std::string> process_fields();
/// The facts with one of them spoilt or unread.
ProcessFacts spoilt(Fault fault, ProcessFacts facts, std::string_view field, std::uint64_t seed);

}  // namespace rocvet
