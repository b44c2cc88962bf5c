// What of a file a snapshot may write down. Nothing is taken because it looks harmless: a file is
// one of these kinds, and of each only what the probe that reads it asks for. A file of no kind
// leaves no content at all.
#pragma once

#include <string>
#include <string_view>

#include "source/recording.h"

namespace rocvet {

/// The part of `content` that may be written down; a probe reads the same facts from it as from the
/// whole. `path` is that of the file, for messages that name it.
std::string recordable(FileKind kind, std::string_view content, const std::string& path);

/// The kernel's command line with only the values that a check may ask for; of every other
/// parameter the name.
std::string recordable_arguments(std::string_view command_line);

/// A log, with kernel command lines in it cut down likewise.
std::string recordable_log(std::string_view log);

/// The two, for a recording.
inline constexpr RecordFilter kRecordFilter = {recordable, recordable_log};

}  // namespace rocvet
