#include "source/secret_names.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/text.h"
#include "source/characters.h"

namespace rocvet {
namespace {

bool is_one_of(std::string_view word, const std::vector<std::string_view>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// "client-key-data" and "AccountKey" by their words.
std::vector<std::string_view> parts_of(std::string_view name) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= name.size(); ++at) {
    const bool end = at == name.size();
    const bool mark = !end && std::string_view("_-.").find(name[at]) != std::string_view::npos;
    const bool hump = !end && at > begin && name[at] >= 'A' && name[at] <= 'Z' &&
                      name[at - 1] >= 'a' && name[at - 1] <= 'z';
    if ((end || mark || hump) && at > begin) parts.push_back(name.substr(begin, at - begin));
    if (mark) begin = at + 1;
    if (hump) begin = at;
  }
  return parts;
}

/// "num_tokens", "max_batched_tokens", "token_ids": how many there are, and which words of a model.
bool is_count_name(std::string_view name) {
  const std::string small = lower(name);
  const std::vector<std::string_view> parts = parts_of(small);
  if (parts.empty()) return false;
  const std::string_view first = parts.front(), last = parts.back();
  return first == "num" || first == "max" || first == "min" || last == "tokens" ||
         ((last == "id" || last == "ids") && parts.size() > 1 &&
          parts[parts.size() - 2] == "token");
}

/// "eos_token", "pad_token_id": marks that a model puts between words.
bool is_token_of_model(std::string_view name) {
  static const std::vector<std::string_view> kMarks = {"bos", "eos", "pad",  "unk",  "mask",
                                                       "sep", "cls", "stop", "image"};
  const std::size_t mark = name.find("_token");
  return mark != std::string_view::npos && is_one_of(name.substr(0, mark), kMarks);
}

/// The same of three numbers or four, and nothing else.
bool is_plain_version(std::string_view text) {
  const auto points = std::count(text.begin(), text.end(), '.');
  return is_version(text) && points >= 2 && points <= 3 && text.size() <= 16 &&
         text.find_first_not_of("0123456789.") == std::string_view::npos;
}
}  // namespace

bool is_version(std::string_view text) {
  std::size_t at = run_of(text, is_digit);
  if (at > 0 && text.substr(at).starts_with(':')) at += 1 + run_of(text.substr(at + 1), is_digit);
  return at > 0 && at + 1 < text.size() && text[at] == '.' && is_digit(text[at + 1]);
}

bool is_harmless_value(std::string_view name, std::string_view value) {
  if (value.empty() || value == "redacted" || value == "<hidden>") return true;
  while (!value.empty() && std::string_view(".[](){}").find(value.back()) != value.npos)
    value.remove_suffix(1);
  while (!value.empty() && std::string_view("[({").find(value.front()) != value.npos)
    value.remove_prefix(1);
  if (value.empty()) return true;
  const bool number = std::all_of(value.begin(), value.end(), is_digit) ||
                      (value.starts_with("0x") && value.size() <= 10 &&
                       std::all_of(value.begin() + 2, value.end(), is_hex));
  static const std::vector<std::string_view> kStates = {"none", "null", "disabled", "enabled",
                                                        "ok"};
  static const std::vector<std::string_view> kWords = {"true", "false", "yes", "no",
                                                       "on",   "off",   "y",   "n"};
  const std::string small = lower(value), of = lower(name);
  if (is_one_of(small, kStates)) return true;
  if (of == "pass") return number && value.size() < 4;  // a count
  if (of.find("pass") != std::string::npos) return false;
  if (value == "Secret" && of.ends_with("secret")) return true;  // a kind of object of Kubernetes
  return is_one_of(small, kWords) || is_plain_version(value) ||
         (number && (value.size() <= 5 || value.starts_with("0x") || is_count_name(name)));
}

bool is_secret_name(std::string_view name) {
  while (name.starts_with('-')) name.remove_prefix(1);
  const std::string small = lower(name);
  const auto has = [&](std::string_view word) { return small.find(word) != std::string::npos; };
  // Packages, functions and what udev calls the keys of keyboards.
  for (const std::string_view word : {"tokeniz", "tiktoken", "asttoken", "secretstorage",
                                      "keyvault-secret", "keyboard_key", "parse_next_key"}) {
    if (has(word)) return false;
  }
  if (is_token_of_model(small)) return false;
  // Also as people of other languages call it.
  for (const std::string_view word :
       {"token",         "secret",       "passw",
        "passphrase",    "passcode",     "credential",
        "apikey",        "api_key",      "accesskey",
        "authkey",       "privatekey",   "bindpw",
        "kennwort",      "contrase",     "mot_de_pas",
        "session_id",    "sessionid",    "sessid",
        "senha",         "wachtwoord",   "motdepass",
        "l\u00f6senord", "salasana",     "heslo",
        "parola",        "has\u0142o",   "\u043f\u0430\u0440\u043e\u043b\u044c",
        "\u5bc6\u7801",  "\u5bc6\u78bc", "\u30d1\u30b9\u30ef\u30fc\u30c9"}) {
    if (has(word)) return true;
  }
  static const std::vector<std::string_view> kParts = {
      "auth",     "auths",     "oauth",    "authorization", "pass",     "passwd",    "psk",
      "jwt",      "bearer",    "cookie",   "webhook",       "signkey",  "community", "csrf",
      "xsrf",     "csrftoken", "sshpass",  "dbpass",        "userpass", "adminpass", "rootpass",
      "ldappass", "smtppass",  "mailpass", "ftppass"};
  for (const std::string_view part : parts_of(small)) {  // "passThrough" is no "pass"
    if (is_one_of(part, kParts)) return true;
  }
  // OPENAI_API_KEY_2 and API_KEY2 are of one kind with API_KEY.
  std::string_view counted = name;
  while (!counted.empty() && (is_digit(counted.back()) || counted.back() == '_'))
    counted.remove_suffix(1);
  const std::vector<std::string_view> parts = parts_of(counted);
  static const std::vector<std::string_view> kLast = {"key", "pat", "pwd",
                                                      "pw",  "sig", "signature"};
  const std::size_t count = parts.size();
  if (count > 1 && is_one_of(lower(parts.back()), kLast)) return true;
  if (count > 2 && lower(parts.back()) == "data" && lower(parts[count - 2]) == "key") return true;
  return small == "pwd" || small == "pw";
}

}  // namespace rocvet
