// The probes themselves. Each runs in a worker, tells what it learns and returns; it may just as
// well crash or hang.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rocvet::deep {

void probe_hip();
void probe_hsa();
void probe_rocm_smi();
void probe_amd_smi();
struct FrameworkScript;
/// Becomes `python -I` that runs the script; comes back only when it does not start. `folders` are
/// further site-packages.
void probe_framework(const FrameworkScript& framework, const std::string& python,
                     const std::vector<std::string>& folders);
/// Loads the HIP back end of ggml ("/…/libggml-hip.so") and computes on each of its GPUs.
void probe_ggml(const std::string& path);
inline constexpr std::string_view kGgml = "ggml";

/// Job of a worker: "deep", "hip", or "torch", the uid, "/usr/bin/python3", folders…, or "ggml",
/// the uid, "/…/libggml-hip.so", folders to search first…, each on a line of its own. False: it is
/// no such job.
bool run_job(const std::string& job);

}  // namespace rocvet::deep
