// What the kernel shows in /proc and /sys, and what tools print of it.
#include <string>

#include "formats/mounts.h"
#include "fuzz/target.h"
#include "machine/kfd_topology.h"
#include "machine/parse_readings.h"
#include "machine/pci_device.h"
#include "machine/read_dkms.h"
#include "machine/read_driver.h"
#include "machine/read_kernel.h"
#include "machine/read_modprobe.h"
#include "machine/read_platform.h"
#include "machine/read_security.h"
#include "source/disk_use.h"
#include "source/process_facts.h"
#include "source/read_value.h"
#include "source/snapshot_index.h"

using namespace rocvet;

FUZZ_TARGET(kernel_files) {
  fuzz::use(parse_proc_modules(bytes));
  fuzz::use(firmware_name(bytes));
  fuzz::use(is_amdgpu_dependency_line(bytes));
  fuzz::use(amdgpu_dependencies(bytes));
  fuzz::use(command_line_blacklist(parse_command_line(bytes)));
  fuzz::use(parse_proc_version(bytes));
  fuzz::use(parse_boot_time(bytes));
  fuzz::use(parse_kernel_config(bytes));
  fuzz::use(parse_secure_boot_variable(bytes, "x"));
  fuzz::use(parse_uevent(bytes));
  fuzz::use(parse_link_speed(bytes, "x"));
  fuzz::use(parse_link_width(bytes, "x"));
  fuzz::use(is_gpu_class(bytes));
  fuzz::use(is_bdf(bytes));
  fuzz::use(parse_clock_steps(bytes, "x"));
  fuzz::use(parse_ras_errors(bytes, "x"));
  fuzz::use(parse_bad_pages(bytes, "x"));
  fuzz::use(parse_aer_counts(bytes, "x"));
  fuzz::use(parse_pci_regions(bytes, "x"));
  fuzz::use(parse_removable(bytes, "x"));
  fuzz::use(parse_signed(bytes, "x"));
  KfdNode node;
  node.properties = parse_kfd_properties(bytes);
  fuzz::use(node.is_gpu());
  fuzz::use(gpu_from_kfd_node(node));
  fuzz::use(parse_cpuinfo(bytes));
  fuzz::must(count_cpus(bytes) >= 0, "no fewer processors than none");
  fuzz::use(last_cpu_of(bytes));
  fuzz::use(parse_df(bytes));
  fuzz::use(parse_tmpfs_size(bytes, std::uint64_t{1} << 40));
  fuzz::use(parse_tmpfs_size(bytes, ~std::uint64_t{0}));
  std::vector<std::string> messages;
  fuzz::use(parse_dkms_status(bytes, messages));
  fuzz::must(build_errors(bytes).size() <= 20, "no more than 20 errors of a build");
  fuzz::must(find_denials(bytes).size() <= 50, "no more than 50 denials");
  const std::vector<Mount> mounts = parse_mounts(bytes);
  fuzz::use(mount_of(mounts, "/home/a/b"));
  fuzz::use(mount_of(mounts, bytes));
  fuzz::use(is_local_file_system(bytes));
  ProcessFacts facts;
  parse_process_status(bytes, facts);
  fuzz::use(normalised_id_map(bytes));
  fuzz::use(chosen_word(bytes, "x"));
  fuzz::use(parse_device_numbers(bytes));
}
