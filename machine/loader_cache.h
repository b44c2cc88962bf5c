// What the dynamic loader was told: ld.so.conf and its cache.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "machine/result.h"
#include "machine/source.h"

namespace rocvet {

/// File name -> path, 64-bit libraries only; the first entry of a name wins, as in the loader.
using LoaderCache = std::map<std::string, std::string>;

/// /etc/ld.so.cache of glibc: the old format, the new one, or the new one inside the old one.
/// Source: glibc, sysdeps/generic/dl-cache.h.
Result<LoaderCache> parse_loader_cache(std::string_view bytes, std::string_view where);
/// `ldconfig -p`.
LoaderCache parse_ldconfig(std::string_view text);
/// The cache's file, else the command's output.
Result<LoaderCache> read_loader_cache(Source& source);

/// Folders named by /etc/ld.so.conf and what it includes, in order.
std::vector<std::string> read_loader_folders(Source& source);

}  // namespace rocvet
