// Where variables and container options are written down, whether or not the process has them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "source/source.h"

namespace rocvet {

/// One place that sets a variable ROCm, a framework or the loader reads.
struct VariableSetting {
  std::string name, value;
  std::string file;      ///< absolute; "~" is not used
  std::string kind;      ///< "shell", "profile", "environment", "fish", "service", "compose"
  std::string where;     ///< service or compose service name; "" otherwise
  bool exported = true;  ///< false: children do not see it (no export, set -U without -x)
};

/// One service of a compose file; values as written, lists in order.
struct ComposeService {
  std::string file, name, image;
  std::vector<std::string> devices, group_add, security_opt, volumes;
  std::map<std::string, std::string> environment;
  std::string ipc, shm_size, privileged, user;
  std::vector<std::string> commented_devices;  ///< device lines that are commented out
};

/// A device that a Proxmox container is given: "dev0: /dev/kfd,gid=104" of its configuration.
struct LxcDevice {
  std::string file;            ///< /etc/pve/lxc/101.conf
  std::string path;            ///< /dev/kfd
  std::string gid, uid, mode;  ///< inside the container, as written; "" when not given
};

/// What the docker command line of this user talks to.
struct DockerClient {
  Result<std::string> current_context;  ///< of ~/.docker/config.json; "default" when not named
  std::vector<std::string> contexts;    ///< names in ~/.docker/contexts/meta
  std::string host;                     ///< DOCKER_HOST of the environment
  bool desktop_folder = false;          ///< ~/.docker/desktop exists
  bool native_socket = false;           ///< /var/run/docker.sock exists
};

/// A folder that libraries write their caches to.
struct CachePlace {
  std::string purpose;  ///< "miopen user db", "miopen cache", "home", "tmp"
  std::string path;
  Result<FileStat> stat;        ///< of the path itself
  std::string existing_parent;  ///< the nearest folder above that exists
  Result<bool> writable;        ///< by owner, mode and mount options of what exists, for this user
  std::string file_system;      ///< type of the mount below it: "ext4", "nfs4"; "" unknown
};

struct Settings {
  std::vector<VariableSetting> variables;
  std::vector<ComposeService> compose;
  DockerClient docker;
  std::vector<LxcDevice> lxc;  ///< on a Proxmox host
  Result<std::string>
      nvidia_smi;  ///< where nvidia-smi lies: installers take it for a GPU of NVIDIA
  std::vector<CachePlace> caches;
};

}  // namespace rocvet
