// Names of people and machines taken out of any text: the same again from the same text, and
// nothing that it was told to take out stays.
#include <string>

#include "fuzz/target.h"
#include "source/file_kind.h"
#include "source/mentions.h"
#include "source/process_facts.h"
#include "source/proper_names.h"
#include "source/redaction.h"

using namespace rocvet;

namespace {

/// Letters and digits that are found nowhere else.
constexpr std::string_view kUser = "zqxjkvw7", kHost = "vwkjxqz9";

}  // namespace

FUZZ_TARGET(redaction) {
  Redactor redactor(1);
  redactor.add_user(kUser);
  redactor.add_host(kHost);
  redactor.keep_user("ollama");
  redactor.learn(bytes);
  // As a word by itself: what is part of a longer word may be something else.
  const std::string with_names =
      std::string(bytes) + "\nhello " + std::string(kUser) + " at " + std::string(kHost) + "\n";
  const std::string once = redactor.text(with_names);
  fuzz::must(once.find(kUser) == std::string::npos || bytes.find(kUser) != bytes.npos,
             "a user's name is gone");
  fuzz::must(once.find(kHost) == std::string::npos || bytes.find(kHost) != bytes.npos,
             "a host's name is gone");
  fuzz::must(once.size() <= 16 * with_names.size() + 64, "it does not grow without measure");
  Redactor same(1);
  same.add_user(kUser);
  same.add_host(kHost);
  same.keep_user("ollama");
  same.learn(bytes);
  fuzz::must_equal(same.text(with_names), once, "the same of the same");

  for (const char* path : {"/etc/passwd", "/etc/group", "/etc/subuid", "/etc/hostname",
                           "/proc/self/mounts", "/sys/class/dmi/id/product_serial"})
    fuzz::use(redactor.content(path, bytes));
  fuzz::use(redactor.path(bytes));
  fuzz::use(redactor.user(bytes));
  const std::size_t equals = bytes.find('=');
  const std::string_view name = bytes.substr(0, equals);
  const std::string_view value = equals == bytes.npos ? bytes : bytes.substr(equals + 1);
  fuzz::use(redactor.variable(name, value));
  fuzz::use(redactor.done());

  const auto must_be_inside = [](std::string_view whole) {
    return [whole](std::string_view found) {
      fuzz::must(!found.empty() && found.data() >= whole.data() &&
                     found.data() + found.size() <= whole.data() + whole.size(),
                 "a mention is a place in the text");
    };
  };
  find_mentions(bytes, {must_be_inside(bytes), must_be_inside(bytes)});
  find_mentions_in_variable(name, value, {must_be_inside(value), must_be_inside(value)});
  fuzz::use(is_distinctive(bytes));
  fuzz::use(is_everyday_name(bytes));
  fuzz::use(kind_of_file(bytes));
}
