// What a verb gives up that only reads what strangers wrote: snapshots, logs, saved reports.
#pragma once

#include "cli/options.h"

namespace rocvet::cli {

/// From here on this process runs nothing, reaches no network and writes only where `options` has
/// its outputs: a fault in a parser is of no use to whoever wrote the input.
/// Once for the process: a second call does nothing.
void only_read(const CommonOptions& options);

/// The same where the machine is a snapshot. To be called before any other foreign file (a policy,
/// a baseline) is read.
void only_read_if_recorded(const CommonOptions& options);

}  // namespace rocvet::cli
