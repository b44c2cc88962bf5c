// GPUs as the outputs of tools tell of them: rocminfo, amd-smi, rocm-smi, lspci and others. Each
// parser is pure: text in, GPUs out, none when the text is something else.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "machine/gpu.h"
#include "source/source.h"

namespace rocvet {


/// GPU agents. The gfx target is the agent's name, which HSA_OVERRIDE_GFX_VERSION may have changed:
/// gfx_source is "rocminfo", and who knows the device id better overrules it.
std::vector<Gpu> gpus_from_rocminfo(std::string_view text);
/// rocprofv3's agent_info.csv: KFD properties by another name.
std::vector<Gpu> gpus_from_agent_csv(std::string_view text);
/// rocprof-compute's sysinfo.csv.
std::vector<Gpu> gpus_from_sysinfo_csv(std::string_view text);
/// `amd-smi list`, `static` or `metric`, as text.
std::vector<Gpu> gpus_from_amd_smi_text(std::string_view text);
/// `rocm-smi` with -a or --showX, or its table, as text.
std::vector<Gpu> gpus_from_rocm_smi_text(std::string_view text);
/// JSON of rocm-smi, amd-smi or amdgpu_top, told apart by its keys.
std::vector<Gpu> gpus_from_json(std::string_view text);
/// `lspci` in any verbosity, with or without -nn and -D.
std::vector<Gpu> gpus_from_lspci(std::string_view text);
/// hwloc's `lstopo --of xml`.
std::vector<Gpu> gpus_from_lstopo(std::string_view text);
/// `udevadm info --export-db`.
std::vector<Gpu> gpus_from_udevadm(std::string_view text);
/// libdrm's amdgpu info dump.
std::vector<Gpu> gpus_from_libdrm_info(std::string_view text);

using ToolFields = std::map<std::string, std::string>;
/// Keys of rocm-smi in lower case ("device id", "vbios version" …), any of its releases.
Gpu gpu_from_rocm_smi_fields(const ToolFields& fields);
/// Keys of amd-smi as upper-case paths ("ASIC.DEVICE_ID").
Gpu gpu_from_amd_smi_fields(const ToolFields& fields);

/// Takes over what `gpu` does not know from another account of the same GPU.
void fill_from(Gpu& gpu, const Gpu& other);

/// The GPUs of the outputs at hand, best tool first, merged by address; only rocminfo when
/// `rocminfo_only`. Adds to `gpus` what it lacks and returns whether any output told of GPUs.
bool add_tool_gpus(Source& source, bool rocminfo_only, std::vector<Gpu>& gpus);

}  // namespace rocvet
