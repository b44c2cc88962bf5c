// What the dynamic loader was told: ld.so.conf and its cache.
#pragma once

#include <string>
#include <vector>

#include "formats/loader_cache.h"
#include "source/source.h"

namespace rocvet {

/// The cache's file, else the command's output.
Result<LoaderCache> read_loader_cache(Source& source);
/// Folders named by /etc/ld.so.conf and what it includes, in order.
std::vector<std::string> read_loader_folders(Source& source);

}  // namespace rocvet
