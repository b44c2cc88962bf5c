#include "case_machine.h"

#include "base/text.h"
#include "db/database.h"
#include "diagnosis/diagnosis.h"
#include "unit/machine/fake_source.h"

namespace rocvet {
namespace {

struct CaseGpu {
  std::string bdf, device, gfx_version, name;
  bool apu = false;
  std::string more_properties = {};
};

void add_gpu(FakeSource& source, const CaseGpu& gpu, int number) {
  const std::string device = "/sys/devices/pci0000:00/" + gpu.bdf;
  const std::string minor = std::to_string(128 + number);
  source.symlink("/sys/bus/pci/devices/" + gpu.bdf, "../../../devices/pci0000:00/" + gpu.bdf);
  source.file(device + "/vendor", "0x1002\n").file(device + "/device", "0x" + gpu.device + "\n");
  source.file(device + "/class", "0x030000\n").file(device + "/revision", "0xc8\n");
  source.file(device + "/subsystem_vendor", "0x1002\n")
      .file(device + "/subsystem_device", "0x0e3b\n");
  source.dir("/sys/bus/pci/drivers/amdgpu");
  source.symlink(device + "/driver", "../../../bus/pci/drivers/amdgpu");
  source.file(device + "/mem_info_vram_total", gpu.apu ? "536870912\n" : "25753026560\n");
  source.file(device + "/mem_info_vram_used", "104857600\n");
  source.file(device + "/mem_info_vis_vram_total", gpu.apu ? "536870912\n" : "25753026560\n");
  source.file(device + "/mem_info_gtt_total", "33649491968\n");
  source.file(device + "/power/control", gpu.apu ? "on\n" : "auto\n");
  source.file(device + "/power/runtime_status", "active\n");
  source.file(device + "/power_dpm_force_performance_level", "auto\n");
  source.file(device + "/gpu_busy_percent", "0\n");
  source.file(device + "/pp_dpm_sclk", "0: 500Mhz *\n1: 2500Mhz\n");
  source.file(device + "/max_link_speed", "16.0 GT/s PCIe\n")
      .file(device + "/max_link_width", "16\n");
  source.file(device + "/current_link_speed", "2.5 GT/s PCIe\n")
      .file(device + "/current_link_width", "16\n");
  source.file(device + "/drm/card" + std::to_string(number) + "/dev",
              "226:" + std::to_string(number) + "\n");
  source.file(device + "/drm/renderD" + minor + "/dev", "226:" + minor + "\n");
  source.symlink("/sys/class/drm/card" + std::to_string(number),
                 "../../devices/pci0000:00/" + gpu.bdf + "/drm/card" + std::to_string(number));
  source.symlink(device + "/drm/card" + std::to_string(number) + "/device", "../../../" + gpu.bdf);
  source.symlink("/sys/class/drm/renderD" + minor,
                 "../../devices/pci0000:00/" + gpu.bdf + "/drm/renderD" + minor);
  source.symlink(device + "/drm/renderD" + minor + "/device", "../../../" + gpu.bdf);
  source.device("/dev/dri/card" + std::to_string(number), 0660, 0, 44);
  source.device("/dev/dri/renderD" + minor, 0660, 0, 109);

  // location_id: bus << 8 | device << 3 | function.
  const auto bus = parse_number(gpu.bdf.substr(5, 2), 16).value_or(0);
  const std::string node = "/sys/class/kfd/kfd/topology/nodes/" + std::to_string(number + 1);
  source.file(
      node + "/properties",
      "cpu_cores_count " + std::string(gpu.apu ? "8" : "0") +
          "\nsimd_count 192\nsimd_per_cu 2\nwave_front_size 32\nnum_xcc 1\ngfx_target_version " +
          gpu.gfx_version + "\nvendor_id 4098\ndevice_id " +
          std::to_string(parse_number(gpu.device, 16).value_or(0)) + "\nlocation_id " +
          std::to_string(bus << 8) + "\ndomain 0\ndrm_render_minor " + minor + "\nlocal_mem_size " +
          (gpu.apu ? "0" : "25753026560") + "\n" + gpu.more_properties);
  source.file(node + "/gpu_id", std::to_string(4000 + number) + "\n")
      .file(node + "/name", gpu.name + "\n");
  source.file(
      node + "/mem_banks/0/properties",
      "heap_type 1\nsize_in_bytes " + std::string(gpu.apu ? "16050894336" : "25753026560") + "\n");
}

void add_system(FakeSource& source) {
  source.file("/proc/sys/kernel/osrelease", "6.8.0-60-generic\n");
  source.file("/proc/version", "Linux version 6.8.0-60-generic (buildd@host) #63-Ubuntu SMP\n");
  source.file("/proc/cmdline", "BOOT_IMAGE=/boot/vmlinuz-6.8.0-60-generic root=UUID=1 ro quiet\n");
  source.file("/etc/os-release",
              "ID=ubuntu\nID_LIKE=debian\nVERSION_ID=\"24.04\"\nVERSION_CODENAME=noble\nUBUNTU_"
              "CODENAME=noble\nPRETTY_NAME=\"Ubuntu 24.04 LTS\"\n");
  source.file("/etc/group", "root:x:0:\nvideo:x:44:ada\nrender:x:109:ada\nada:x:1000:\n");
  source.file("/etc/passwd", "root:x:0:0::/root:/bin/bash\nada:x:1000:1000::/home/ada:/bin/bash\n");
  source.file(
      "/proc/meminfo",
      "MemTotal:       65721664 kB\nMemFree:        40000000 kB\nMemAvailable:   57348820 kB\n");
  source.file("/proc/mounts", "/dev/nvme0n1p2 / ext4 rw,relatime 0 0\n");
  source.file("/proc/cpuinfo",
              "processor\t: 0\nvendor_id\t: AuthenticAMD\nmodel name\t: AMD Ryzen 9 "
              "7950X\nflags\t\t: fpu sse2\n");
  source.file("/lib/modules/6.8.0-60-generic/kernel/drivers/gpu/drm/amd/amdgpu/amdgpu.ko.zst", "");
  source.file("/lib/modules/6.8.0-60-generic/build/Makefile", "");
  source.file("/var/lib/dpkg/status",
              "Package: bash\nStatus: install ok installed\nVersion: 5.2\nArchitecture: amd64\n\n");
  source.dir("/home/ada", 0755, 1000, 1000);
  source.dir("/sys/bus/pci/devices").dir("/sys/class/drm");
  source.file("/usr/lib/udev/rules.d/50-udev-default.rules",
              "SUBSYSTEM==\"kfd\", KERNEL==\"kfd\", GROUP=\"render\", MODE=\"0660\"\n");
  source.command("dmesg", "[    1.0] Linux version 6.8.0-60-generic\n");
  ProcessFacts& process = source.facts();
  process.uid = 1000u;
  process.gid = 1000u;
  process.user = std::string("ada");
  process.groups = std::vector<std::uint32_t>{44, 109, 1000};
  process.uid_map = std::string("0 0 4294967295");
  process.gid_map = std::string("0 0 4294967295");
  process.cgroup = std::string("0::/user.slice\n");
  process.environment =
      std::map<std::string, std::string>{{"HOME", "/home/ada"}, {"PATH", "/usr/bin"}};
  process.limits = std::map<std::string, std::pair<std::uint64_t, std::uint64_t>>{
      {"nofile", {1048576, 1048576}}, {"memlock", {UINT64_MAX, UINT64_MAX}}};
}

void add_driver(FakeSource& source) {
  source.file("/sys/module/amdgpu/initstate", "live\n").file("/sys/module/amdgpu/refcnt", "1\n");
  source.file("/sys/module/amdgpu/parameters/noretry", "-1\n");
  source.file("/proc/modules", "amdgpu 19000000 1 - Live 0x0\n");
  source.device("/dev/kfd", 0660, 0, 109);
  source.file("/sys/class/kfd/kfd/topology/nodes/0/properties",
              "cpu_cores_count 32\nsimd_count 0\ngfx_target_version 0\n");
  source.file("/sys/class/kfd/kfd/topology/nodes/0/gpu_id", "0\n");
}

/// Four MI300X of one hive, each linked to each.
void add_hive(FakeSource& source) {
  const char* bdfs[] = {"0000:05:00.0", "0000:26:00.0", "0000:46:00.0", "0000:65:00.0"};
  for (int number = 0; number < 4; ++number) {
    add_gpu(source, {bdfs[number], "74a1", "90402", "aqua_vanjaram", false, "hive_id 7701\n"},
            number);
    const std::string device = std::string("/sys/devices/pci0000:00/") + bdfs[number];
    source.file(device + "/numa_node", number < 2 ? "0\n" : "1\n");
    source.file(device + "/current_compute_partition", "SPX\n");
    source.file(device + "/current_memory_partition", "NPS1\n");
    source.file(device + "/mem_info_vram_total", "206141652992\n");
    source.file(device + "/mem_info_vis_vram_total", "206141652992\n");
    const std::string node =
        "/sys/class/kfd/kfd/topology/nodes/" + std::to_string(number + 1) + "/io_links/";
    source.file(node + "0/properties", "type 2\nnode_from " + std::to_string(number + 1) +
                                           "\nnode_to 0\nweight 20\nflags 1\n");
    int link = 1;
    for (int other = 0; other < 4; ++other) {
      if (other == number) continue;
      source.file(node + std::to_string(link++) + "/properties",
                  "type 11\nnode_from " + std::to_string(number + 1) + "\nnode_to " +
                      std::to_string(other + 1) +
                      "\nweight 15\nmin_bandwidth 50000\nmax_bandwidth 50000\nflags 1\n");
    }
  }
}

bool add_base(FakeSource& source, const std::string& base) {
  add_system(source);
  if (base == "none") return true;
  if (base == "wsl") {
    source.file("/proc/version", "Linux version 6.6.87.2-microsoft-standard-WSL2 (root@host)\n");
    source.file("/proc/sys/kernel/osrelease", "6.6.87.2-microsoft-standard-WSL2\n");
    source.device("/dev/dxg", 0666, 0, 0);
    source.file("/usr/lib/wsl/lib/libdxcore.so", "");
    return true;
  }
  add_driver(source);
  if (base == "apu") {
    add_gpu(source, {"0000:c4:00.0", "15bf", "110003", "phoenix", true, ""}, 0);
    return true;
  }
  if (base == "hive") {
    add_hive(source);
    return true;
  }
  add_gpu(source, {"0000:03:00.0", "744c", "110000", "navi31", false, ""}, 0);
  if (base == "pair") {
    add_gpu(source, {"0000:83:00.0", "744c", "110000", "navi31", false, ""}, 1);
    source.file("/sys/class/iommu/ivhd0/amd-iommu/cap", "1\n");
  }
  if (base == "igpu") add_gpu(source, {"0000:0e:00.0", "164e", "100306", "raphael", true, ""}, 1);
  if (base == "docker") source.file("/.dockerenv", "");
  return base == "desktop" || base == "pair" || base == "docker" || base == "igpu";
}

std::vector<std::string> strings(const TomlNode* node) {
  std::vector<std::string> out;
  if (node == nullptr) return out;
  for (const TomlNode& item : node->items) out.push_back(item.text);
  return out;
}

Error wrong(const std::string& where, const std::string& what) {
  return malformed(where, what);
}

Result<Done> lay_over(FakeSource& source, const TomlNode& tables) {
  for (const auto& [key, node] : tables.members) {
    if (key == "remove") {
      for (const std::string& path : strings(&node)) source.erase(path);
    }
  }
  for (const auto& [key, node] : tables.members) {
    if (key == "denied") {
      for (const std::string& path : strings(&node))
        source.error(path, Error::Kind::denied, "EACCES: Permission denied");
    } else if (key == "failed") {
      for (const std::string& path : strings(&node))
        source.error(path, Error::Kind::failed, "EIO: Input/output error");
    } else if (key == "unknown") {
      for (const std::string& path : strings(&node)) source.erase(path).unknown(path);
    } else if (key == "files") {
      for (const auto& [path, text] : node.members) source.file(path, text.text);
    } else if (key == "links") {
      for (const auto& [path, target] : node.members) source.symlink(path, target.text);
    } else if (key == "devices") {
      // "0660 0 109 EACCES": mode, uid, gid, errno of opening it.
      for (const auto& [path, text] : node.members) {
        const auto parts = words(text.text);
        if (parts.size() < 3) return wrong(path, "wants mode, uid and gid");
        source.device(
            path,
            static_cast<std::uint32_t>(std::strtoul(std::string(parts[0]).c_str(), nullptr, 8)),
            static_cast<std::uint32_t>(parse_number(parts[1]).value_or(0)),
            static_cast<std::uint32_t>(parse_number(parts[2]).value_or(0)),
            parts.size() > 3 ? std::string(parts[3]) : "");
      }
    } else if (key == "commands") {
      for (const auto& [name, text] : node.members) source.command(name, text.text);
    } else if (key == "env") {
      for (const auto& [name, text] : node.members) (*source.facts().environment)[name] = text.text;
    } else if (key == "limits") {
      for (const auto& [name, number] : node.members) {
        const auto value = static_cast<std::uint64_t>(number.integer);
        (*source.facts().limits)[name] = {value, value};
      }
    } else if (key == "process") {
      ProcessFacts& process = source.facts();
      for (const auto& [name, value] : node.members) {
        if (name == "uid") process.uid = static_cast<std::uint32_t>(value.integer);
        if (name == "gid") process.gid = static_cast<std::uint32_t>(value.integer);
        if (name == "seccomp") process.seccomp = static_cast<int>(value.integer);
        if (name == "gid_map") process.gid_map = value.text;
        if (name == "uid_map") process.uid_map = value.text;
        if (name == "cgroup") process.cgroup = value.text + "\n";
        if (name == "user") process.user = value.text;
        if (name == "groups") {
          std::vector<std::uint32_t> gids;
          for (const TomlNode& gid : value.items)
            gids.push_back(static_cast<std::uint32_t>(gid.integer));
          process.groups = gids;
        }
      }
    } else if (key == "elf") {
      for (const auto& [path, table] : node.members) {
        ElfSummary elf;
        elf.soname = table.string_or("soname");
        elf.needed = strings(table.find("needed"));
        elf.gfx = strings(table.find("gfx"));
        elf.rpath = strings(table.find("rpath"));
        elf.runpath = strings(table.find("runpath"));
        elf.needs_versions = strings(table.find("needs_versions"));
        elf.defines_versions = strings(table.find("defines_versions"));
        source.library(path, elf);
      }
    }
  }
  return Done{};
}

}  // namespace

Result<Machine> case_machine(const TomlNode& tables) {
  FakeSource source;
  const std::string base = tables.string_or("base", "desktop");
  if (!add_base(source, base)) return wrong("base", "no base machine '" + base + "'");
  if (auto laid = lay_over(source, tables); !laid) return laid.error();
  Machine machine = read_machine(source);
  identify_gpus(machine, Database::embedded());
  if (const TomlNode* log = tables.find("log")) machine.app_log = log->string_or("app");
  return machine;
}

std::vector<std::string> complaints_of(const Machine& machine) {
  const Context context{machine, Database::embedded()};
  const auto results = run_checks(context, all_checks(Database::embedded()));
  std::vector<std::string> found;
  for (const CheckResult& result : results) {
    const Verdict verdict = result.finding.verdict;
    if (verdict == Verdict::fail || verdict == Verdict::warn)
      found.push_back(std::string(result.check->id) + ": " + std::string(to_string(verdict)) +
                      ": " + result.finding.summary);
  }
  for (const RootCause& cause : diagnose(context, results).root_causes)
    found.push_back("cause: " + cause.id);
  return found;
}

}  // namespace rocvet
