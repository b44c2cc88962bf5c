#include "source/process_facts.h"

#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>

#include "base/read_whole_file.h"
#include "base/text.h"
#include "source/environment_names.h"

namespace rocvet {
namespace {

Result<std::map<std::string, std::pair<std::uint64_t, std::uint64_t>>> live_limits() {
  struct Name {
    const char* name;
    int resource;
  };
  constexpr Name kNames[] = {{"nofile", RLIMIT_NOFILE}, {"memlock", RLIMIT_MEMLOCK},
                             {"nproc", RLIMIT_NPROC},   {"stack", RLIMIT_STACK},
                             {"as", RLIMIT_AS},         {"core", RLIMIT_CORE}};
  const auto value = [](rlim_t limit) -> std::uint64_t {
    return limit == RLIM_INFINITY ? UINT64_MAX : static_cast<std::uint64_t>(limit);
  };
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> limits;
  for (const Name& entry : kNames) {
    rlimit both{};
    if (getrlimit(static_cast<__rlimit_resource_t>(entry.resource), &both) == 0) {
      limits[entry.name] = {value(both.rlim_cur), value(both.rlim_max)};
    }
  }
  return limits;
}

/// The name in /etc/passwd; a network user database is never asked: it may hang.
Result<std::string> user_name(std::uint32_t uid) {
  const Result<std::string> passwd = read_whole_file("/etc/passwd", 16u << 20);
  if (passwd) {
    for (std::string_view line : split(*passwd, '\n')) {
      const auto fields = split(line, ':');
      if (fields.size() > 2 && parse_number(fields[2]) == uid) return std::string(fields[0]);
    }
  }
  const char* name = std::getenv("USER");
  if (name != nullptr && *name != '\0') return std::string(name);
  return missing("/etc/passwd", "has no entry for uid " + std::to_string(uid));
}

/// A user's or group's number; a larger one is none.
std::optional<std::uint32_t> id_of(std::string_view text) {
  const auto number = parse_number(text);
  if (!number || *number > UINT32_MAX) return std::nullopt;
  return static_cast<std::uint32_t>(*number);
}

}  // namespace

std::string normalised_id_map(std::string_view text) {
  std::string out;
  for (std::string_view line : split(trim(text), '\n')) {
    if (!out.empty()) out += '\n';
    bool first = true;
    for (std::string_view word : words(line)) {
      if (!first) out += ' ';
      out += word;
      first = false;
    }
  }
  return out;
}

void parse_process_status(std::string_view text, ProcessFacts& facts) {
  for (std::string_view line : split(text, '\n')) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string_view key = line.substr(0, colon);
    const auto fields = words(line.substr(colon + 1));
    // Uid and Gid show real, effective, saved, file system.
    if (key == "Uid" && fields.size() >= 2) {
      if (const auto id = id_of(fields[1])) facts.uid = *id;
    } else if (key == "Gid" && fields.size() >= 2) {
      if (const auto id = id_of(fields[1])) facts.gid = *id;
    } else if (key == "Groups") {
      std::vector<std::uint32_t> groups;
      for (std::string_view field : fields) {
        if (const auto id = id_of(field)) groups.push_back(*id);
      }
      facts.groups = std::move(groups);
    } else if (key == "CapEff" && !fields.empty()) {
      if (auto mask = parse_number(fields[0], 16)) facts.capabilities = *mask;
    } else if (key == "Seccomp" && !fields.empty()) {
      if (const auto mode = parse_number(fields[0]); mode && *mode <= 2)
        facts.seccomp = static_cast<int>(*mode);
    }
  }
}

ProcessFacts live_process_facts() {
  ProcessFacts facts;
  if (const auto status = read_whole_file("/proc/self/status", 1u << 20)) {
    parse_process_status(*status, facts);
  }
  if (!facts.uid) facts.uid = static_cast<std::uint32_t>(geteuid());
  if (!facts.gid) facts.gid = static_cast<std::uint32_t>(getegid());
  facts.user = user_name(*facts.uid);
  facts.uid_map = read_whole_file("/proc/self/uid_map", 1u << 20).transform(normalised_id_map);
  facts.gid_map = read_whole_file("/proc/self/gid_map", 1u << 20).transform(normalised_id_map);
  facts.cgroup =
      read_whole_file("/proc/self/cgroup", 1u << 20).transform([](const std::string& text) {
        return std::string(trim(text));
      });
  facts.limits = live_limits();
  std::map<std::string, std::string> environment;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view name = text.substr(0, equals);
    if (environment_name_allowed(name)) {
      environment.emplace(name, text.substr(equals + 1));
    }
  }
  facts.environment = std::move(environment);
  return facts;
}

}  // namespace rocvet
