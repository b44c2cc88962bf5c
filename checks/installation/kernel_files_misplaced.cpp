#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kKernelFilesMisplacedDoc = R"(
## What it looks for
Files that the application could not read, and files of the same name elsewhere below the
library's folder.

## Why it matters
A release whose files lie in a folder per target, read by a library that looks one level up, has
no kernels although they are installed.

## How to mend it
Take the release that fixes it, or link the files to where they are looked for.

## Not this
Files that are not there at all: RV402.

## References
- https://github.com/ROCm/TheRock/issues
- https://rocm.docs.amd.com/projects/hipBLASLt/en/latest/
)";

/// Paths in "Cannot read X: No such file" and the like.
std::vector<std::string> unreadable(std::string_view log) {
  std::vector<std::string> paths;
  each_line(log, [&](std::string_view line) {
    if (line.find("annot read") == line.npos && line.find("ould not load") == line.npos) return;
    for (std::size_t at = line.find('/'); at != line.npos; at = line.find('/', at + 1)) {
      const std::size_t end = line.find_first_of("\": ", at);
      const std::string path(line.substr(at, end - at));
      if (path.find("library/") != path.npos) paths.push_back(path);
      break;
    }
  });
  return paths;
}

std::vector<Finding> run_kernel_files_misplaced(const Context& context) {
  if (spoken(context).empty()) return {skip("no application log is at hand")};
  for (const std::string& path : unreadable(spoken(context))) {
    const std::string base = path.substr(path.rfind('/') + 1);
    for (const auto& [library, files] : context.machine.software.kernel_files) {
      for (const std::string& file : files) {
        const std::string other = file.substr(file.rfind('/') + 1);
        if (file == path || !other.starts_with(base)) continue;
        return failing(library + " looks for its kernels in the wrong place")
            .saw("looked for: " + path)
            .saw("is at: " + file)
            .fix({Step("take the release that fixes it, or: ln -s {} {}", file, path)});
      }
    }
  }
  return {pass("no kernel file is looked for in the wrong place")};
}

}  // namespace

extern const Check kKernelFilesMisplaced;
constinit const Check kKernelFilesMisplaced{
    .code = "RV412",
    .id = "kernel-files-misplaced",
    .topic = "installation",
    .title = "A library's kernel files are not where it looks for them",
    .doc = kKernelFilesMisplacedDoc,
    .run = run_kernel_files_misplaced};

}  // namespace rocvet
