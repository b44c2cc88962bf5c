#include "formats/wrapped_lines.h"

#include <doctest/doctest.h>

namespace rocvet {
namespace {

TEST_CASE("paragraphs of CMake") {
  const auto found = wrapped_messages(
      "CMake Error at CMakeLists.txt:47 (find_package):\n"
      "  By not providing \"FindAMDDeviceLibs.cmake\" in CMAKE_MODULE_PATH this\n"
      "  project has asked CMake to find a package configuration file provided by\n"
      "  \"AMDDeviceLibs\", but CMake did not find one.\n"
      "\n"
      "  Could not find it.\n"
      "-- Configuring incomplete, errors occurred!\n"
      "  indented, but of no message\n  at all\n");
  REQUIRE(found.size() == 1);
  CHECK(
      found[0].text ==
      "By not providing \"FindAMDDeviceLibs.cmake\" in CMAKE_MODULE_PATH this project has asked "
      "CMake to find a package configuration file provided by \"AMDDeviceLibs\", but CMake did not "
      "find one.");
  CHECK(found[0].first ==
        "  By not providing \"FindAMDDeviceLibs.cmake\" in CMAKE_MODULE_PATH this");
}

TEST_CASE("alternatives of apt") {
  const auto found = wrapped_messages(
      " rocm-llvm : Depends: libstdc++-5-dev but it is not installable or\n"
      "                      libstdc++-11-dev but it is not installable\n"
      "             Depends: libgcc-5-dev but it is not installable\n");
  REQUIRE(found.size() == 1);
  CHECK(found[0].text ==
        "rocm-llvm : Depends: libstdc++-5-dev but it is not installable or libstdc++-11-dev but it "
        "is "
        "not installable");
}

TEST_CASE("what is not wrapped") {
  CHECK(wrapped_messages("").empty());
  CHECK(wrapped_messages("CMake Error").empty());
  CHECK(wrapped_messages("CMake Error at x:\n  one line\n").empty());
  CHECK(wrapped_messages("one or\ntwo\n").empty());
  CHECK(wrapped_messages("Depends: a or").empty());
  const std::string endless = "CMake Error at x:\n  " + std::string(9000, 'a') + "\n  b\n  c\n";
  CHECK(wrapped_messages(endless).size() == 1);
}

}  // namespace
}  // namespace rocvet
