#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/environment.h"
#include "checks/facts/gpus.h"
#include "checks/logs/app_errors.h"
#include "checks/logs/complaint.h"

namespace rocvet {
namespace {

constexpr std::string_view kMiopenCacheUnusableDoc = R"(
## What it looks for
The folders of MIOpen's user database and kernel cache: that they (or the nearest folder above)
exist and can be written, and the file system below them.

## Why it matters
MIOpen keeps SQLite files there. A missing or read-only home gives "readonly database" and "disk
I/O error"; on NFS and Lustre SQLite's locks fail.

## How to mend it
export MIOPEN_USER_DB_PATH=/tmp/miopen-$USER MIOPEN_CUSTOM_CACHE_DIR=/tmp/miopen-$USER

## Not this
A missing system database of precompiled kernels, which only costs time.

## References
- https://rocm.docs.amd.com/projects/MIOpen/en/latest/conceptual/cache.html
- https://www.sqlite.org/faq.html#q5
)";

bool is_network(const std::string& type) {
  return type.starts_with("nfs") || type == "lustre" || type == "gpfs" || type == "beegfs" ||
         type == "cifs" || type == "smb3" || type.starts_with("fuse.sshfs") || type == "ceph" ||
         type == "wekafs";
}

std::vector<Finding> run_miopen_cache_unusable(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  const bool complaint =
      people_say(context, {"sqlite"}) || app_log_has(context, "readonly database") ||
      app_log_has(context, "disk I/O error") || app_log_has(context, "memvfs") ||
      people_say(context, {"database file", "MIOpen cache", "malformed"}) ||
      app_log_has(context, "miopenStatus") || app_log_has(context, "create_directories") ||
      app_log_has(context, "MIOpen*Permission denied") || app_log_has(context, "udb.txt") ||
      app_log_has(context, "ufdb.txt") || said(context, "miopen-cache-not-writable") >= 0.3 ||
      said(context, "miopen-cache-on-network-fs") >= 0.3;
  std::vector<Finding> findings;
  for (const CachePlace& place : machine.settings.caches) {
    const bool miopen = place.purpose.find("miopen") != std::string::npos;
    if (!miopen && place.purpose != "home") continue;
    const std::vector<Step> fix = {
        "export MIOPEN_USER_DB_PATH=/tmp/miopen-$USER MIOPEN_CUSTOM_CACHE_DIR=/tmp/miopen-$USER"};
    if (miopen && is_network(place.file_system)) {
      findings.push_back((complaint ? failing("MIOpen's databases lie on a network file system")
                                    : passing("MIOpen's databases lie on " + place.file_system))
                             .about(place.path)
                             .saw(place.path + " is on " + place.file_system)
                             .sees("miopen-databases-on-network-fs")
                             .fix(fix));
    } else if (place.writable && !*place.writable) {
      findings.push_back(
          (complaint ? failing("MIOpen cannot write to " + place.path)
                     : passing(place.path + " cannot be written"))
              .about(place.path)
              .saw(place.path + ": " +
                   (place.stat ? "not writable for this user"
                               : "does not exist, and cannot be made in " + place.existing_parent))
              .sees("cache-or-home-not-writable")
              .fix(fix));
    }
  }
  // The databases that come with the wheel are opened too.
  for (const PythonEnvironment& python : machine.software.python) {
    std::string type, mount;
    for (const Mount& one : machine.mounts) {
      if (python.root.starts_with(one.path + "/") && one.path.size() > mount.size() &&
          one.path != "/") {
        mount = one.path;
        type = one.type;
      }
    }
    if (!is_network(type)) continue;
    findings.push_back(
        (complaint ? failing("the databases of the Python environment lie on a network file system")
                   : passing("a Python environment lies on " + type))
            .about(python.root)
            .saw(python.root + " is on " + type)
            .sees("python-environment-on-network-fs")
            .fix({"keep the environment on a local disk, or set MIOPEN_SYSTEM_DB_PATH and "
                  "MIOPEN_USER_DB_PATH to one"}));
  }
  return or_pass(std::move(findings), "MIOpen can use its folders");
}

}  // namespace

extern const Check kMiopenCacheUnusable;
constinit const Check kMiopenCacheUnusable{.code = "RV1006",
                                           .id = "miopen-cache-unusable",
                                           .topic = "memory",
                                           .title = "MIOpen cannot use its cache folder",
                                           .doc = kMiopenCacheUnusableDoc,
                                           .run = run_miopen_cache_unusable};

}  // namespace rocvet
