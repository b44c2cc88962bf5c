// The one way in which rocvet writes JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace rocvet {

/// Every text and every name of a member as printable_lines() shows it.
void make_printable(nlohmann::ordered_json& json);
/// Indented by two, with a line end, each text made printable: never throws for what a text holds.
std::string json_text(nlohmann::ordered_json json);

}  // namespace rocvet
