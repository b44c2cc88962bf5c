// Programs that a log speaks of: the loader's complaint, a prompt's command, a path in a message.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "source/source.h"

namespace rocvet {

/// Words of a log that may name a program, each once, in order: absolute paths and "~/…", the
/// command behind a prompt ("$ ./build/bin/llama-cli", "me@host:~$ vecadd") and what the loader
/// names ("vecadd: symbol lookup error: …"). At most 64.
std::vector<std::string> program_words(std::string_view log);

/// Those of them that are executable files here, not shared libraries, by PATH and HOME; at most
/// eight. Nothing is run, and nothing but a regular file is opened.
std::vector<std::string> read_named_programs(Source& source, std::string_view log,
                                             const std::map<std::string, std::string>& environment);

}  // namespace rocvet
