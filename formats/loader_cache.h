// The cache of the dynamic loader: which file a soname is found in.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace rocvet {

/// File name -> path, 64-bit libraries only; the first entry of a name wins, as in the loader.
using LoaderCache = std::map<std::string, std::string>;

/// /etc/ld.so.cache of glibc: the old format, the new one, or the new one inside the old one.
/// Source: glibc, sysdeps/generic/dl-cache.h.
Result<LoaderCache> parse_loader_cache(std::string_view bytes, std::string_view where);
/// `ldconfig -p`.
LoaderCache parse_ldconfig(std::string_view text);

}  // namespace rocvet
