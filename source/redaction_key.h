// The secret by which stand-ins of ids are made: who lacks it cannot try ids until a stand-in fits.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace rocvet {

using StandInKey = std::array<unsigned char, 32>;

/// For stand-ins that need not agree with those of another run.
StandInKey random_key();
/// The same for the same machine. A machine-id is 128 random bits that stay on the machine
/// (machine-id(5)); a content that is none ("", "uninitialized", what a redacted snapshot has in
/// its place) is no secret, and gives nothing.
std::optional<StandInKey> key_of_machine(std::string_view machine_id);
/// Of the machine that rocvet runs on, for what comes from another one and is to be the same when
/// it is read again. Where it has no machine-id, a random one that lasts as long as the process.
const StandInKey& own_key();
/// For tests: anybody can make it.
StandInKey repeatable_key(std::uint64_t seed);

}  // namespace rocvet
