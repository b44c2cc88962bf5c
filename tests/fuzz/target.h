// A fuzz target is one function over bytes, built twice: with clang's libFuzzer, a program each
// (ROCVET_FUZZ), and by any compiler into fuzz_replay, which runs kept inputs through all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace rocvet::fuzz {

using Target = void (*)(std::string_view bytes);

/// Makes a target known to replay_main.cpp.
struct Registration {
  Registration(const char* name, Target target);
};

/// A property of a parser; ends the process, with the text, where it does not hold.
void must(bool holds, const char* what);
/// The same of two texts, which are shown.
void must_equal(std::string_view one, std::string_view other, const char* what);

/// Keeps the compiler from leaving out a call whose result nobody wants.
template <typename T>
void use(T&& value) {
  static_cast<void>(std::forward<T>(value));
}

}  // namespace rocvet::fuzz

/// FUZZ_TARGET(shell_word) { … bytes … }
#ifdef ROCVET_LIBFUZZER
#define FUZZ_TARGET(name)                                                             \
  static void name##_target(std::string_view bytes);                                  \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { \
    name##_target({reinterpret_cast<const char*>(data), size});                       \
    return 0;                                                                         \
  }                                                                                   \
  static void name##_target(std::string_view bytes)
#else
#define FUZZ_TARGET(name)                                                            \
  static void name##_target(std::string_view bytes);                                 \
  static const rocvet::fuzz::Registration name##_registration(#name, name##_target); \
  static void name##_target(std::string_view bytes)
#endif
