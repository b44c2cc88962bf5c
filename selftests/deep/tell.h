// What a worker of --deep writes: a line of JSON for each thing it learns, at once, so that the
// parent has it when the next call crashes or hangs.
#pragma once

#include <cstdint>
#include <string>

#include "machine/deep.h"

namespace rocvet::deep {

/// Before the call: should it never come back, it is the one to name.
void tell_calling(const std::string& call);
void tell_library(const std::string& path, const std::string& version);
void tell_device(const DeepDevice& device);
/// The end, without success. `why` is one sentence.
void tell_failure(DeepProbe::Outcome outcome, const std::string& why);
/// The same for a call that answered with an error.
void tell_refusal(const std::string& call, std::int64_t status, const std::string& name,
                  const std::string& why, DeepProbe::Outcome outcome = DeepProbe::Outcome::refused);
/// The end, with success: works where there was a device, no-device where there was none.
void tell_done();

}  // namespace rocvet::deep
