#include "selftests/deep/tell.h"

#include <unistd.h>

#include <cerrno>
#include <nlohmann/json.hpp>

namespace rocvet::deep {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kEvents = 3;

void tell(const Json& event) {
  const std::string line = event.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t wrote = write(kEvents, line.data() + done, line.size() - done);
    if (wrote < 0 && errno != EINTR) _exit(1);  // the parent is gone
    if (wrote > 0) done += static_cast<std::size_t>(wrote);
  }
}

template <typename T>
void put(Json& object, const char* key, const std::optional<T>& fact) {
  if (fact) object[key] = *fact;
}

}  // namespace

void tell_calling(const std::string& call) {
  tell({{"calling", call}});
}

void tell_library(const std::string& path, const std::string& version) {
  tell({{"library", path}, {"version", version}});
}

void tell_device(const DeepDevice& device) {
  Json object{{"index", device.index}};
  put(object, "bdf", device.bdf);
  put(object, "name", device.name);
  put(object, "gfx", device.gfx);
  put(object, "uuid", device.uuid);
  put(object, "kfd_node", device.kfd_node);
  put(object, "memory_bytes", device.memory_bytes);
  put(object, "product_right", device.product_right);
  tell({{"device", std::move(object)}});
}

void tell_failure(DeepProbe::Outcome outcome, const std::string& why) {
  tell({{"failed", {{"outcome", to_string(outcome)}, {"why", why}}}});
}

void tell_refusal(const std::string& call, std::int64_t status, const std::string& name,
                  const std::string& why, DeepProbe::Outcome outcome) {
  tell({{"failed",
         {{"outcome", to_string(outcome)},
          {"call", call},
          {"status", status},
          {"name", name},
          {"why", why}}}});
}

void tell_done() {
  tell({{"done", true}});
}

}  // namespace rocvet::deep
