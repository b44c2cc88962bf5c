// `rocvet db key|export --archive|install|remove|show`: databases as signed files.
#pragma once

#include <string>
#include <vector>

namespace rocvet::cli {

/// Makes a pair of keys: FILE (secret, 0600) and FILE.pub. An exit status, as all below.
int make_keys(const std::string& file);
/// Packs a folder into an archive, signed with a secret key's file.
int export_archive(const std::string& folder, const std::string& archive, const std::string& key);
/// Installs an archive that a trusted key signed: those of the machine and of the user, and `keys`.
int install_archive(const std::string& archive, const std::vector<std::string>& keys);
int remove_installed();
/// Which database answers, where it lies, and what was passed over.
int show_database();

}  // namespace rocvet::cli
