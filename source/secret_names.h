// What a name says of the value under it: a secret, or only a count, a mark or a version.
#pragma once

#include <string_view>

namespace rocvet {

/// Whether a variable, key or option of this name holds a secret: "HF_TOKEN", "db.password",
/// "X-Auth-Token", "WANDB_API_KEY". Upper and lower case are the same.
bool is_secret_name(std::string_view name);

/// Whether what stands under a secret's name is none: "none", "disabled", a version, a count
/// (max_tokens = 131072), a small number.
bool is_harmless_value(std::string_view name, std::string_view value);

/// "0.7.0", "1:4.13+dfsg1": numbers with points, an epoch before them or not.
bool is_version(std::string_view text);

}  // namespace rocvet
