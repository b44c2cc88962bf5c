#include "source/hung_places.h"

#include <algorithm>
#include <array>

#include "base/add_once.h"
#include "base/errno_name.h"
#include "base/text.h"

namespace rocvet {
namespace {

bool is_below(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

/// "/sys/devices/pci0000:00/0000:00:01.0/0000:03:00.0/hwmon/hwmon3/temp1_input" -> up to
/// "0000:03:00.0"; elsewhere in /sys the folder.
std::string device_folder(std::string_view path) {
  std::size_t end = std::string_view::npos;
  for (std::size_t at = path.find('/', 1); at != std::string_view::npos;) {
    const std::size_t next = path.find('/', at + 1);
    const std::string_view name = path.substr(at + 1, next - at - 1);
    if (glob_match("????:??:??.?", name)) end = next;
    at = next;
  }
  return std::string(end == std::string_view::npos ? parent_path(path) : path.substr(0, end));
}

/// What the PCI core itself answers, whatever the device's driver waits for.
bool is_of_the_bus(std::string_view name) {
  constexpr std::array<std::string_view, 18> kNames = {"class",
                                                       "config",
                                                       "current_link_speed",
                                                       "current_link_width",
                                                       "device",
                                                       "dma_mask_bits",
                                                       "enable",
                                                       "irq",
                                                       "local_cpulist",
                                                       "max_link_speed",
                                                       "max_link_width",
                                                       "modalias",
                                                       "numa_node",
                                                       "resource",
                                                       "revision",
                                                       "subsystem_device",
                                                       "subsystem_vendor",
                                                       "vendor"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

bool reads(FileCall::What what) {
  return what == FileCall::What::read || what == FileCall::What::head ||
         what == FileCall::What::touch;
}

}  // namespace

bool follows_last(FileCall::What what) {
  return what != FileCall::What::link && what != FileCall::What::lstat;
}

void HungPlaces::add(std::string_view path, const std::vector<Mount>& mounts) {
  if (path.starts_with("/sys/")) return add_once(devices_, device_folder(path));
  const Mount* mount = mount_of(mounts, path);
  // All of the root file system is not given up for one file.
  const bool whole = mount != nullptr && mount->path != "/" && is_below(path, mount->path);
  add_once(folders_, whole ? mount->path : std::string(path));
}

std::optional<std::string> HungPlaces::in_the_way(const FileCall& call) const {
  std::optional<std::string> hung;
  const auto refuse = [&](const std::string& place) -> Result<Done> {
    for (const std::string& folder : folders_) {
      if (!is_below(place, folder)) continue;
      hung = folder;
      return errno_error(place, "ETIMEDOUT");
    }
    return Done{};
  };
  const Result<std::string> real = walk_to(call.path, follows_last(call.what), refuse);
  if (hung) return hung;
  const std::string place = real.value_or(call.path);  // what is not there makes nobody wait
  if (!refuse(place)) return hung;
  if (!reads(call.what)) return std::nullopt;
  for (const std::string& device : devices_) {
    const bool bus = parent_path(place) == device && is_of_the_bus(base_name(place));
    if (is_below(place, device) && !bus) return device;
  }
  return std::nullopt;
}

Result<PathWalk::Step> look_at(const std::string& path) {
  const Result<FileReply> info = make_file_call({FileCall::What::lstat, path});
  if (!info) return info.error();
  if (!S_ISLNK(info->info.st_mode)) return PathWalk::Step{};
  return make_file_call({FileCall::What::link, path}).transform([](const FileReply& reply) {
    return PathWalk::Step{true, reply.bytes};
  });
}

Result<std::string> walk_to(const std::string& path, bool follow_last,
                            const std::function<Result<Done>(const std::string&)>& arrived) {
  PathWalk walk([&](const std::string& place) -> Result<PathWalk::Step> {
    if (const Result<Done> may = arrived(place); !may) return may.error();
    return look_at(place);
  });
  return walk.resolve(path, follow_last);
}

}  // namespace rocvet
