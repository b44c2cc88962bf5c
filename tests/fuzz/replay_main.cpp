// fuzz_replay FOLDER…: runs each FOLDER/TARGET/FILE through its target, so that what a fuzzer once
// found, and the seeds it starts from, are a test of every build. The input by which the process
// ends, or that takes too long, is named.
// fuzz_replay --only TARGET FILE…: the files through one target.
// fuzz_replay --mutate COUNT SEED FOUND FOLDER…: inputs like those of the folders: so many of each
// target, the same on a slow machine, or as many as are tried in a time, all targets together, that
// is given as "60s"; 0 is a seed of its own choosing. One by which the process ends is left in the
// file FOUND.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/mutate.h"
#include "fuzz/target.h"

namespace fs = std::filesystem;

extern "C" void __attribute__((weak)) __sanitizer_set_death_callback(void (*callback)());

namespace rocvet::fuzz {
namespace {

std::map<std::string, Target>& targets() {
  static std::map<std::string, Target> all;
  return all;
}

/// No input may take as long as this, also in a debug build on a busy machine; libFuzzer is told
/// five seconds.
constexpr unsigned kMostSeconds = 60;

/// "… by: FILE\n", made before the file is run: a signal handler may do no more than write it.
char last_words[4096];

/// Where the input is left, and the input; nullptr where it lies in a file already.
const char* found = nullptr;
std::string_view tried;

void name_the_input() {
  static_cast<void>(!write(STDERR_FILENO, last_words, std::strlen(last_words)));
  if (found == nullptr) return;
  const int file = open(found, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  static_cast<void>(!write(file, tried.data(), tried.size()));
}

void on_signal(int number) {
  name_the_input();
  std::signal(number, SIG_DFL);
  std::raise(number);
}

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void replay(const fs::path& file, Target target) {
  const std::string bytes = content(file);
  std::snprintf(last_words, sizeof last_words, "ended or was stopped by: %s\n", file.c_str());
  alarm(kMostSeconds);
  target(bytes);
  alarm(0);
}

/// In an order that no file system decides.
std::vector<fs::path> files_of(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& file : fs::directory_iterator(folder))
    files.push_back(file.path());
  std::sort(files.begin(), files.end());
  return files;
}

bool replay_folder(const fs::path& folder, std::map<std::string, int>& ran) {
  for (const fs::directory_entry& of_target : fs::directory_iterator(folder)) {
    if (!of_target.is_directory()) continue;
    const std::string name = of_target.path().filename();
    const auto target = targets().find(name);
    if (target == targets().end()) {
      std::fprintf(stderr, "%s: there is no target of this name\n", of_target.path().c_str());
      return false;
    }
    for (const fs::path& file : files_of(of_target.path())) {
      replay(file, target->second);
      ++ran[name];
    }
  }
  return true;
}

/// Inputs of this size are many in a second.
constexpr std::size_t kLongest = 4096;

/// The inputs of one target in all folders.
std::vector<std::string> inputs_of(std::span<const std::string> folders,
                                   const std::string& target) {
  std::vector<std::string> out;
  for (const std::string& folder : folders) {
    const fs::path of_target = fs::path(folder) / target;
    if (!fs::is_directory(of_target)) continue;
    for (const fs::path& file : files_of(of_target)) out.push_back(content(file));
  }
  return out;
}

/// How many inputs a target is given, or for how long.
struct Amount {
  unsigned long long inputs = 0;
  std::chrono::milliseconds time{};
};

Amount amount_of(const std::string& text) {
  const unsigned long long number = std::stoull(text);
  if (!text.ends_with('s')) return {number, std::chrono::hours(1)};
  return {std::numeric_limits<unsigned long long>::max(),
          std::chrono::milliseconds(1000 * number / targets().size())};
}

int mutate(const Amount& amount, std::uint64_t seed, const std::string& where,
           std::span<const std::string> folders) {
  if (seed == 0) seed = std::random_device{}();
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  found = where.c_str();
  for (const auto& [name, target] : targets()) {
    const std::vector<std::string> given = inputs_of(folders, name);
    if (given.empty()) return 1;
    std::snprintf(last_words, sizeof last_words, "ended or was stopped by a %s, left in %s\n",
                  name.c_str(), found);
    // Of its own, so that the inputs do not depend on how many another target was given.
    std::mt19937_64 random(seed);
    const auto end = std::chrono::steady_clock::now() + amount.time;
    unsigned long long ran = 0;
    for (; ran < amount.inputs && std::chrono::steady_clock::now() < end; ++ran) {
      const std::string& like = given[random() % given.size()];
      const std::string& other = given[random() % given.size()];
      const std::string bytes = mutated(like, other, kLongest, random);
      tried = bytes;
      alarm(kMostSeconds);
      target(bytes);
    }
    alarm(0);
    std::printf("%-16s %8llu inputs\n", name.c_str(), ran);
  }
  return 0;
}

}  // namespace

Registration::Registration(const char* name, Target target) {
  targets()[name] = target;
}

int replay_all(const std::vector<std::string>& arguments) {
  for (const int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM})
    std::signal(number, on_signal);
  // A sanitizer ends the process in its own way.
  if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(name_the_input);
  if (arguments.size() > 2 && arguments[0] == "--only") {
    const auto target = targets().find(arguments[1]);
    if (target == targets().end()) return 2;
    for (std::size_t at = 2; at < arguments.size(); ++at) replay(arguments[at], target->second);
    return 0;
  }
  if (arguments.size() > 4 && arguments[0] == "--mutate")
    return mutate(amount_of(arguments[1]), std::stoull(arguments[2]), arguments[3],
                  std::span(arguments).subspan(4));
  bool good = true;
  std::map<std::string, int> ran;
  for (const std::string& folder : arguments) good &= replay_folder(folder, ran);
  // A target without a single input tests nothing, and nobody would notice.
  for (const auto& [name, target] : targets()) {
    std::printf("%-16s %5d inputs\n", name.c_str(), ran[name]);
    good &= ran[name] > 0;
  }
  return good ? 0 : 1;
}

}  // namespace rocvet::fuzz

int main(int argc, char** argv) {
  return rocvet::fuzz::replay_all({argv + 1, argv + argc});
}
