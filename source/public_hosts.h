// Which host names say something about the machine's owner.
#pragma once

#include <string_view>

namespace rocvet {

/// Of a site that everybody uses: github.com, download.pytorch.org, repo.radeon.com.
bool is_public_host(std::string_view host);

/// Whether a word with dots in it is the name of somebody's own host: in a domain that only an
/// inner network has ("gpu7.lan"), or of three parts or more below a public top-level domain and of
/// no public site. File names, versions and module paths are not.
bool is_private_host(std::string_view word);

}  // namespace rocvet
