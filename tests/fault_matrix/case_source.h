// The machine of a case as a Source: tests/unit/checks/case_machine.h hands out what was read.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/toml.h"
#include "source/source.h"

namespace rocvet {

/// The tables of several cases laid over one base.
Result<std::unique_ptr<Source>> case_source(const std::string& base,
                                            const std::vector<const TomlNode*>& cases);

}  // namespace rocvet
