#include "base/json_text.h"

#include <nlohmann/json.hpp>

#include "base/printable.h"

namespace rocvet {

using Json = nlohmann::ordered_json;

void make_printable(Json& json) {
  if (json.is_string()) {
    auto& text = json.get_ref<std::string&>();
    text = printable_lines(text);
  } else if (json.is_array()) {
    for (Json& item : json) make_printable(item);
  } else if (json.is_object()) {
    bool clean = true;
    for (auto& [name, value] : json.items()) {
      clean &= printable_lines(name) == name;
      make_printable(value);
    }
    if (clean) return;
    // A name cannot be changed in place.
    Json renamed = Json::object();
    for (auto& [name, value] : json.items()) renamed[printable_lines(name)] = std::move(value);
    json = std::move(renamed);
  }
}

std::string json_text(Json json) {
  make_printable(json);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace rocvet
