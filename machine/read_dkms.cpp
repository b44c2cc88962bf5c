#include "machine/read_dkms.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "source/read_value.h"

namespace rocvet {
namespace {

constexpr const char* kRoot = "/var/lib/dkms";

bool is_gpu_module(std::string_view name) {
  return name.starts_with("amdgpu") || name.starts_with("rock") || name.starts_with("amd");
}

/// A crash report is long: only its build log and the last lines matter.
std::string tail_of(std::string_view text) {
  constexpr std::size_t kTail = 2048;
  text = trim(text);
  if (text.size() <= kTail) return std::string(text);
  text.remove_prefix(text.size() - kTail);
  const std::size_t line = text.find('\n');
  return std::string(line == std::string_view::npos ? text : text.substr(line + 1));
}

DkmsLog make_log(std::string path, std::string_view text) {
  DkmsLog log;
  log.path = std::move(path);
  log.errors = build_errors(text);
  log.tail = tail_of(text);
  // "DKMS make.log for amdgpu-6.8.5-2009582.24.04 for kernel 6.8.0-45-generic (x86_64)"
  // "DKMS (dkms-3.2.0) make.log for amdgpu/6.8.5-2009582.24.04 for kernel 6.8.0-45-generic
  // (x86_64)"
  for (const std::string_view line : lines_of(text)) {
    const std::size_t at = line.find("make.log for ");
    if (at == std::string_view::npos) continue;
    const std::vector<std::string_view> parts = words(line.substr(at));
    if (parts.size() > 2) {
      const std::size_t cut = parts[2].find_first_of("-/");
      log.module = parts[2].substr(0, cut);
      if (cut != std::string_view::npos) log.version = parts[2].substr(cut + 1);
    }
    if (parts.size() > 5 && parts[3] == "for" && parts[4] == "kernel") log.kernel = parts[5];
    break;
  }
  return log;
}

/// Reads one build log, names what its path tells if the text does not.
void add_log(Source& source, const std::string& path, const DkmsTree& tree, std::string_view kernel,
             Driver& driver) {
  const Result<std::string> text = source.read(path, 32u << 20);
  if (!text) return;
  DkmsLog log = make_log(path, *text);
  log.module = tree.module;
  log.version = tree.version;
  if (log.kernel.empty()) log.kernel = kernel;
  driver.dkms_logs.push_back(std::move(log));
}

/// Whether the kernel has a file of the module where DKMS puts it.
bool module_is_installed(Source& source, const std::string& module, const std::string& kernel) {
  for (const char* folder : {"/updates/dkms", "/extra"}) {
    if (!matching_paths(source, "/lib/modules/" + kernel + folder, module + ".ko*").empty()) {
      return true;
    }
  }
  return false;
}

/// One version folder: where its source is, for which kernels it was built, and its logs.
DkmsTree read_tree(Source& source, const std::string& module, const std::string& version,
                   std::vector<DkmsState>& states, Driver& driver) {
  DkmsTree tree;
  tree.module = module;
  tree.version = version;
  tree.path = std::string(kRoot) + "/" + module + "/" + version;
  tree.source = source.link(tree.path + "/source");
  const Result<FileStat> conf = source.stat(tree.path + "/source/dkms.conf");
  if (conf)
    tree.source_exists = true;
  else if (conf.is_missing())
    tree.source_exists = false;
  else
    tree.source_exists = conf.error();

  const bool wanted = is_gpu_module(module);
  if (wanted) add_log(source, tree.path + "/build/make.log", tree, "", driver);
  for (const std::string& kernel : source.list(tree.path).value_or(std::vector<std::string>{})) {
    if (kernel == "source" || kernel == "build") continue;
    for (const std::string& arch :
         source.list(tree.path + "/" + kernel).value_or(std::vector<std::string>{})) {
      const std::string folder = tree.path + "/" + kernel + "/" + arch;
      if (source.stat(folder + "/module")) {
        tree.built_for.push_back(kernel);
        // dkms marks what it installed with a link kernel-KERNEL-ARCH -> VERSION/KERNEL/ARCH.
        const Result<std::string> mark =
            source.link(std::string(kRoot) + "/" + module + "/kernel-" + kernel + "-" + arch);
        const bool installed = mark ? mark->find(version + "/") != std::string::npos
                                    : module_is_installed(source, module, kernel);
        states.push_back({module, version, kernel, arch, installed ? "installed" : "built", ""});
      }
      if (wanted) add_log(source, folder + "/log/make.log", tree, kernel, driver);
    }
  }
  if (tree.built_for.empty()) states.push_back({module, version, "", "", "added", ""});
  return tree;
}

void read_trees(Source& source, Driver& driver, std::vector<DkmsState>& states) {
  const Result<std::vector<std::string>> modules = source.list(kRoot);
  if (!modules) {
    driver.dkms_trees = modules.error();
    return;
  }
  std::vector<DkmsTree> trees;
  for (const std::string& module : *modules) {
    const std::string folder = std::string(kRoot) + "/" + module;
    for (const std::string& version : source.list(folder).value_or(std::vector<std::string>{})) {
      if (version.starts_with("kernel-") || version == "original_module") continue;
      const Result<FileStat> stat = source.lstat(folder + "/" + version);
      if (!stat || stat->type != FileStat::Type::dir) continue;
      trees.push_back(read_tree(source, module, version, states, driver));
    }
  }
  driver.dkms_trees = std::move(trees);
}

}  // namespace

std::vector<DkmsState> parse_dkms_status(std::string_view text,
                                         std::vector<std::string>& messages) {
  std::vector<DkmsState> states;
  for (const std::string_view raw : lines_of(text)) {
    const std::string_view line = trim(raw);
    if (line.empty()) continue;
    const std::size_t colon = line.find(": ");
    std::vector<std::string_view> parts;
    if (colon != std::string_view::npos) {
      for (const std::string_view part : split(line.substr(0, colon), ',')) {
        parts.push_back(trim(part));
      }
    }
    DkmsState state;
    if (!parts.empty() && !line.starts_with("Error") && !line.starts_with("Warning")) {
      std::string_view first = parts.front();
      const std::size_t slash = first.find('/');
      if (slash != std::string_view::npos && slash > 0) {  // module/version
        state.module = first.substr(0, slash);
        state.version = first.substr(slash + 1);
        parts.erase(parts.begin());
      } else if (parts.size() >= 2) {  // module, version
        state.module = first;
        state.version = parts[1];
        parts.erase(parts.begin(), parts.begin() + 2);
      }
    }
    if (state.module.empty() || state.module.find(' ') != std::string::npos) {
      messages.emplace_back(line);
      continue;
    }
    if (!parts.empty()) state.kernel = parts[0];
    if (parts.size() > 1) state.arch = parts[1];
    std::string_view rest = trim(line.substr(colon + 2));
    const std::size_t note = rest.find('(');
    if (note != std::string_view::npos) {
      state.note = rest.substr(note);
      rest = trim(rest.substr(0, note));
    }
    state.state = lower(rest);
    states.push_back(std::move(state));
  }
  return states;
}

std::vector<std::string> build_errors(std::string_view log) {
  constexpr std::size_t kMost = 20, kLongest = 300;
  std::vector<std::string> errors;
  for (const std::string_view raw : lines_of(log)) {
    const std::string_view line = trim(raw);
    const bool error = line.find(": error:") != std::string_view::npos ||
                       line.find(": fatal error:") != std::string_view::npos ||
                       line.find("ERROR: modpost") != std::string_view::npos ||
                       line.find("undefined!") != std::string_view::npos ||
                       line.find("*** ") != std::string_view::npos || line.starts_with("Error!") ||
                       line.starts_with("ERROR") ||
                       line.find("No space left on device") != std::string_view::npos ||
                       line.find("command not found") != std::string_view::npos;
    if (!error) continue;
    errors.emplace_back(line.substr(0, kLongest));
    if (errors.size() == kMost) break;
  }
  return errors;
}

void read_dkms(Source& source, Driver& driver) {
  std::vector<DkmsState> from_folder;
  read_trees(source, driver, from_folder);

  // A snapshot may hold what `dkms status` said; on the live machine its folder tells the same
  // without starting a shell script, and the command is for when the folder is closed.
  const bool ask = source.kind() != "live" || driver.dkms_trees.is(Error::Kind::denied);
  const Result<CommandOutput> status =
      ask ? source.run("dkms-status") : Result<CommandOutput>(not_captured("dkms status"));
  if (status) {
    driver.dkms = parse_dkms_status(status->out, driver.dkms_messages);
    driver.dkms_source = "dkms status";
  } else if (driver.dkms_trees) {
    driver.dkms = std::move(from_folder);
    driver.dkms_source = kRoot;
  } else {
    driver.dkms = driver.dkms_trees.error();
  }

  for (const std::string& path : matching_paths(source, "/var/crash", "*dkms*.crash")) {
    if (!is_gpu_module(base_name(path))) continue;
    const Result<std::string> text = source.read(path, 32u << 20);
    if (text) driver.dkms_logs.push_back(make_log(path, *text));
  }
  for (const std::string& name : source.list("/usr/src").value_or(std::vector<std::string>{})) {
    if (is_gpu_module(name)) driver.dkms_sources.push_back(name);
  }
}

}  // namespace rocvet
