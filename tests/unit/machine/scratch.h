// A folder for one test, gone afterwards.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace rocvet {

class Scratch {
 public:
  Scratch() {
    char name[] = "/tmp/rocvet-test-XXXXXX";
    REQUIRE(mkdtemp(name) != nullptr);
    path_ = name;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { std::filesystem::remove_all(path_); }

  Scratch& file(const std::string& name, const std::string& text) {
    std::filesystem::create_directories(path_ / std::filesystem::path(name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
    return *this;
  }
  Scratch& link(const std::string& name, const std::string& target) {
    std::filesystem::create_directories(path_ / std::filesystem::path(name).parent_path());
    std::filesystem::create_symlink(target, path_ / name);
    return *this;
  }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace rocvet
