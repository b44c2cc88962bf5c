// What nobody but its owner may read: passwords, tokens, keys. The second net, for text that flows
// through (logs, tool outputs, reports); what a snapshot takes of a file is decided line by line in
// machine/collect_filter.h.
#pragma once

#include <string>
#include <string_view>

namespace rocvet {

/// Whether a variable, key or option of this name holds a secret: "HF_TOKEN", "db.password",
/// "X-Auth-Token", "WANDB_API_KEY". Upper and lower case are the same.
bool is_secret_name(std::string_view name);

/// Whether what stands under a secret's name is none: "none", "disabled", a version, a count
/// (max_tokens = 131072), a small number.
bool is_harmless_value(std::string_view name, std::string_view value);

/// The text without secrets: the user of a URL, its query parameters but for harmless ones, values
/// of secret names (NAME=VALUE, "name": "value", "name": ["value"], --name value, "--name",
/// "value", <name>value</name>), headers with credentials, keys and tokens known by their form, PEM
/// blocks. Facts stay as they are, and doing it twice changes nothing more. Time is linear in the
/// length.
std::string without_secrets(std::string_view text);

}  // namespace rocvet
