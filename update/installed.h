// The database that was installed beside the one in the binary.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "db/database.h"
#include "update/archive.h"

namespace rocvet::update {

/// Where this user's databases go: /var/lib/rocvet for root, else $XDG_DATA_HOME/rocvet or
/// ~/.local/share/rocvet; "" where there is no home.
std::string own_folder();

/// Keys whose archives are taken: *.pub in /etc/rocvet/keys and, but for root, in
/// $XDG_CONFIG_HOME/rocvet/keys. Errors: a file there that is no key.
Result<std::vector<PublicKey>> trusted_keys();

struct Installed {
  std::string version, path;
};
/// Installs an archive for this user. Refused, and nothing is changed: one that open() or rows_of()
/// refuse, one signed by no key of `trusted`, one that is not newer than `present`.
Result<Installed> install(std::string_view bytes, const std::string& where,
                          const std::vector<PublicKey>& trusted, const std::string& present);
/// Takes this user's away; what it was. Error::missing where there is none.
Result<Installed> remove();

/// What is installed and newer than the one in the binary: this user's, or the machine's. Files
/// that others could have written do not count; `ignored` says of each why.
struct Found {
  std::shared_ptr<const Database> database;  ///< null: the one in the binary
  std::string path;                          ///< "" then
  std::vector<std::string> ignored;
};
Found newest();

}  // namespace rocvet::update
