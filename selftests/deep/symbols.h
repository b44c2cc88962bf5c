// A table of function pointers out of a library that was just loaded.
#pragma once

#include <span>
#include <string>

#include "base/absent_names.h"
#include "selftests/deep/tell.h"
#include "selftests/gpu/rocm_library.h"

namespace rocvet::deep {

/// Loads the library, or tells why not and answers nothing.
std::optional<gpu::Library> load(const std::string& stem, std::span<const int> majors);

/// Fills function pointers by name and remembers what was not there.
class Symbols {
 public:
  explicit Symbols(const gpu::Library& library) : library_(library) {}

  template <typename Function>
  Symbols& need(const char* name, Function*& pointer) {
    find(name, pointer);
    if (pointer == nullptr) absent_.add(name);
    return *this;
  }
  /// Not every release has it.
  template <typename Function>
  Symbols& find(const char* name, Function*& pointer) {
    pointer = reinterpret_cast<Function*>(library_.symbol(name));
    return *this;
  }
  /// True when all that is needed is there; tells otherwise.
  bool complete() const {
    if (!absent_.empty())
      tell_failure(DeepProbe::Outcome::incomplete, library_.path + " has no " + absent_.text());
    return absent_.empty();
  }

 private:
  const gpu::Library& library_;
  AbsentNames absent_;
};

/// "0000:c1:00.0".
std::string bdf_text(std::uint64_t domain, unsigned bus, unsigned device, unsigned function);

}  // namespace rocvet::deep
