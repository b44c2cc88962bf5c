// fuzz_replay FOLDER…: runs each FOLDER/TARGET/FILE through its target, so that what a fuzzer once
// found, and the seeds it starts from, are a test of every build. The input by which the process
// ends, or that takes too long, is named.
// fuzz_replay --only TARGET FILE…: the files through one target.
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

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

void name_the_input() {
  static_cast<void>(!write(STDERR_FILENO, last_words, std::strlen(last_words)));
}

void on_signal(int number) {
  name_the_input();
  std::signal(number, SIG_DFL);
  std::raise(number);
}

void replay(const fs::path& file, Target target) {
  std::ifstream in(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  std::snprintf(last_words, sizeof last_words, "ended or was stopped by: %s\n", file.c_str());
  alarm(kMostSeconds);
  target(bytes);
  alarm(0);
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
    std::vector<fs::path> files;
    for (const fs::directory_entry& file : fs::directory_iterator(of_target))
      files.push_back(file.path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
      replay(file, target->second);
      ++ran[name];
    }
  }
  return true;
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
