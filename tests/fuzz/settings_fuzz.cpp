// The files in which people and packages set things: units, compose files, rules, shells.
#include <string>

#include "fuzz/target.h"
#include "machine/loader.h"
#include "machine/module_options.h"
#include "machine/read_access.h"
#include "machine/read_applications.h"
#include "machine/read_compose.h"
#include "machine/read_dead_paths.h"
#include "machine/read_init_script.h"
#include "machine/read_modprobe.h"
#include "machine/read_rocm.h"
#include "machine/read_services.h"
#include "machine/read_settings.h"
#include "machine/read_surroundings.h"
#include "machine/read_udev.h"

using namespace rocvet;

FUZZ_TARGET(settings) {
  const std::string text(bytes);
  fuzz::use(parse_compose(bytes, "x"));
  Service service;
  apply_unit_file(bytes, service);
  apply_unit_file(bytes, service);
  fuzz::use(gpu_words_of_unit(bytes));
  fuzz::use(unit_lines(bytes));
  fuzz::use(parse_service_starts(bytes));
  fuzz::use(parse_environment_words(bytes));
  fuzz::use(account_of_init_script(bytes));
  fuzz::use(parse_modprobe(bytes, "x"));
  fuzz::use(parse_udev_rules(bytes, "x"));
  fuzz::use(parse_shell_variables(bytes, "x", "shell"));
  fuzz::use(parse_fish_variables(bytes, "x"));
  fuzz::use(parse_environment_file(bytes, "x"));
  fuzz::use(json_string(bytes, "currentContext"));
  fuzz::use(json_string("{\"a\": \"b\"}", bytes));
  fuzz::use(parse_lxc_devices(bytes, "x"));
  fuzz::use(parse_containerenv(bytes));
  fuzz::use(hypervisor_of(bytes, bytes));
  fuzz::use(is_initial_id_map(bytes));
  fuzz::use(is_gpu_variable(bytes));
  fuzz::use(parse_groups(bytes));
  fuzz::use(parse_accounts(bytes));
  fuzz::use(parse_sub_ids(bytes));
  fuzz::use(parse_limit_lines(bytes));
  fuzz::use(parse_cmake_cache(bytes, "x"));
  fuzz::use(prefixes_of_modulefile(bytes));
  fuzz::use(parse_option(bytes));
  fuzz::use(split_preload(bytes));
  fuzz::use(split_library_path(bytes));
  fuzz::use(expand_loader_path(bytes, "/opt/rocm/lib"));
  fuzz::use(names_tool_folder(bytes));
  Kernel kernel;
  kernel.settings["dead paths"] = text;
  for (const DeadPath& path : dead_paths(kernel)) fuzz::use(path);
}
