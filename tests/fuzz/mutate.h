// An input like a given one, with some of its bytes changed: without a fuzzer's knowledge of what
// the program did with it.
#pragma once

#include <cstddef>
#include <random>
#include <string>

namespace rocvet::fuzz {

/// One to eight changes, of bits, bytes, runs of bytes and numbers, and parts of `other`; at most
/// `longest` bytes.
std::string mutated(std::string bytes, const std::string& other, std::size_t longest,
                    std::mt19937_64& random);

}  // namespace rocvet::fuzz
