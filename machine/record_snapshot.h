// `rocvet snapshot`: a machine, written down so that it can be looked at elsewhere.
#pragma once

#include <functional>
#include <string>

#include "machine/machine.h"
#include "source/recording.h"

namespace rocvet {

/// Runs every probe on `source` through a recording, takes the small trees, and writes the result.
/// `deep` is asked for what --deep found out on this machine; empty: nobody asks. `app_log_file`,
/// what the failing application printed, goes into the snapshot (as "app.log"), and the programs
/// that it names are looked at; an error when it cannot be read.
Result<Done> record_snapshot(Source& source, const std::string& out_path,
                             const SnapshotOptions& options = {},
                             const std::function<Deep(const Machine&)>& deep = {},
                             const std::string& app_log_file = "");

}  // namespace rocvet
