// Secrets taken out of any text: to do it twice changes nothing, and the text does not grow without
// measure.
#include <string>

#include "fuzz/target.h"
#include "source/environment_names.h"
#include "source/public_hosts.h"
#include "source/secret_names.h"
#include "source/secrets.h"
#include "source/token_forms.h"

using namespace rocvet;

FUZZ_TARGET(secrets) {
  const std::string once = without_secrets(bytes), twice = without_secrets(once);
  // Beside what stands for a secret, a word may look like one: then it goes too.
  fuzz::must_equal(without_secrets(twice), twice, "without_secrets: thrice is twice");
  // A value of one letter becomes a word.
  fuzz::must(once.size() <= 16 * bytes.size() + 64, "without_secrets: it does not grow so much");
  fuzz::use(is_secret_name(bytes));
  fuzz::use(environment_name_allowed(bytes));
  fuzz::use(is_public_host(bytes));
  fuzz::use(is_private_host(bytes));
  for (std::size_t at = 0; at < bytes.size() && at < 64; ++at) {
    const std::string_view rest = bytes.substr(at);
    fuzz::must(token_length(rest) <= rest.size(), "a token ends in the text");
    fuzz::must(random_length(rest, at == 0 ? ' ' : bytes[at - 1]) <= rest.size(),
               "a random word ends in the text");
    fuzz::must(secret_path_length("hooks.slack.com", rest) <= rest.size(),
               "a secret path ends in the text");
  }
}
