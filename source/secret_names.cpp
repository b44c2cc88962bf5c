#include "source/secret_names.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/text.h"
#include "source/characters.h"
#include "source/word_lists.h"

namespace rocvet {
namespace {

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
  return mark != std::string_view::npos && is_in(kMarks, name.substr(0, mark));
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
  if (is_in(kStates, small)) return true;
  if (of == "pass") return number && value.size() < 4;  // a count
  if (of == "auth" && small == "user") return true;     // "AUTH: user 'x' password 'y'"
  if (of.find("pass") != std::string::npos) return false;
  if (value == "Secret" && of.ends_with("secret")) return true;  // a kind of object of Kubernetes
  return is_in(kWords, small) || is_plain_version(value) ||
         (number && (value.size() <= 5 || value.starts_with("0x") || is_count_name(name)));
}

namespace {

/// Also as people of other languages call it.
constexpr std::string_view kWords[] = {"token",
                                       "secret",
                                       "passw",
                                       "passphrase",
                                       "passcode",
                                       "credential",
                                       "apikey",
                                       "api_key",
                                       "accesskey",
                                       "authkey",
                                       "privatekey",
                                       "bindpw",
                                       "kennwort",
                                       "contrase",
                                       "mot_de_pas",
                                       "session_id",
                                       "sessionid",
                                       "sessid",
                                       "senha",
                                       "wachtwoord",
                                       "motdepass",
                                       "l\u00f6senord",
                                       "salasana",
                                       "heslo",
                                       "parola",
                                       "has\u0142o",
                                       "\u043f\u0430\u0440\u043e\u043b\u044c",
                                       "\u53e3\u4ee4",
                                       "\ube44\ubc00\ubc88\ud638",
                                       "\u5bc6\u7801",
                                       "\u5bc6\u78bc",
                                       "\u30d1\u30b9\u30ef\u30fc\u30c9"};

/// Two bytes as a number.
constexpr std::size_t pair_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]) * 256u + static_cast<unsigned char>(text[at + 1]);
}

/// The pairs of bytes that one of those begins with: every word of a text is asked about.
constexpr std::array<bool, 65536> kFirstPairs = [] {
  std::array<bool, 65536> first{};
  for (const std::string_view word : kWords) first[pair_at(word, 0)] = true;
  return first;
}();

bool holds_a_word(std::string_view small) {
  for (std::size_t at = 0; at + 1 < small.size(); ++at) {
    if (!kFirstPairs[pair_at(small, at)]) continue;
    const std::string_view rest = small.substr(at);
    if (std::ranges::any_of(kWords, [&](std::string_view word) { return rest.starts_with(word); }))
      return true;
  }
  return false;
}

/// "DB_PASS", "X-Auth-Key"; "passThrough" is no "pass".
bool has_a_part(std::string_view small) {
  static const std::vector<std::string_view> kParts = {
      "auth",       "auths",    "oauth",      "authorization", "pass",     "passwd",
      "psk",        "jwt",      "bearer",     "cookie",        "webhook",  "signkey",
      "community",  "csrf",     "xsrf",       "creds",         "cred",     "essid",
      "clave",      "sifre",    "\u015fifre", "csrftoken",     "authtok",  "requirepass",
      "masterauth", "crumb",    "sshpass",    "dbpass",        "userpass", "adminpass",
      "rootpass",   "ldappass", "smtppass",   "mailpass",      "ftppass"};
  for (std::size_t begin = 0; begin <= small.size();) {
    const std::size_t end = std::min(small.find_first_of("_-.", begin), small.size());
    const std::string_view part = small.substr(begin, end - begin);
    if (part.size() > 2 && is_in(kParts, part)) return true;
    begin = end + 1;
  }
  return false;
}

/// "MYPASS", "DBPWD", "PWD_DB": a variable whose name is not parted. "BYPASS" and "OLDPWD" are
/// none.
bool is_variable_of_a_password(std::string_view name, std::string_view small) {
  if (std::ranges::any_of(name, [](char c) { return c >= 'a' && c <= 'z'; })) return false;
  static const std::vector<std::string_view> kOthers = {"bypass", "compass", "pass", "oldpwd",
                                                        "pwd"};
  if (is_in(kOthers, small) || small.ends_with("_pass") || small.ends_with("bypass")) return false;
  return small.starts_with("pwd_") || small.ends_with("pwd") || small.ends_with("pass");
}

/// "API_KEY", "API_KEY_2", "client-key-data": a kind of secret behind what it opens.
bool ends_like_a_secret(std::string_view name, std::string_view small) {
  static const std::vector<std::string_view> kLast = {"key", "pat", "pwd",
                                                      "pw",  "sig", "signature"};
  while (!small.empty() && (is_digit(small.back()) || small.back() == '_' || small.back() == '-'))
    small.remove_suffix(1);
  const bool data = small.ends_with("data");
  if (!data &&
      std::ranges::none_of(kLast, [&](std::string_view last) { return small.ends_with(last); }))
    return false;
  const std::vector<std::string_view> parts = parts_of(name.substr(0, small.size()));
  const std::size_t count = parts.size();
  if (count > 1 && is_in(kLast, lower(parts.back()))) return true;
  return count > 2 && data && lower(parts.back()) == "data" && lower(parts[count - 2]) == "key";
}

}  // namespace

bool is_secret_name(std::string_view name) {
  while (name.starts_with('-')) name.remove_prefix(1);
  const std::string small = lower(name);
  // "StoragePass"; "ByPass" and "MultiPass" are none.
  const bool hump = name.ends_with("Pass") && name.size() > 8 && !name.ends_with("iPass") &&
                    name.find("Render") == name.npos && name.find("Shader") == name.npos;
  const bool is = hump || small.ends_with("jfrog-art-api") || holds_a_word(small) ||
                  has_a_part(small) || ends_like_a_secret(name, small) ||
                  is_variable_of_a_password(name, small) || small == "pwd" || small == "pw";
  if (!is || is_token_of_model(small)) return false;
  // Packages, functions and what udev calls the keys of keyboards.
  constexpr std::string_view kOthers[] = {"tokeniz",       "tiktoken",        "asttoken",
                                          "secretstorage", "keyvault-secret", "keyboard_key",
                                          "parse_next_key"};
  return std::ranges::none_of(
      kOthers, [&](std::string_view other) { return small.find(other) != std::string::npos; });
}

}  // namespace rocvet
