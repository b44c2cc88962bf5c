// The name of a row of db/ that C++ speaks of; a name that no row has does not compile.
#pragma once

#include <string_view>

namespace rocvet {

/// `kNames`: those that the rows have, an array made from their file (cmake/data_names.cmake).
template <const auto& kNames>
class DataName {
 public:
  consteval DataName(const char* name) : name_(name) {  // NOLINT: a literal is one
    for (const std::string_view known : kNames) {
      if (known == name_) return;
    }
    throw "no row of db/ has this name";
  }
  /// Of a row of the database, where the name has been looked up; must live as long.
  static constexpr DataName of_database(std::string_view name) { return DataName(name, 0); }
  constexpr std::string_view view() const { return name_; }

 private:
  constexpr DataName(std::string_view name, int) : name_(name) {}
  std::string_view name_;
};

}  // namespace rocvet
