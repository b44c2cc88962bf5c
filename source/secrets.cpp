#include "source/secrets.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "base/text.h"
#include "source/characters.h"
#include "source/token_forms.h"

namespace rocvet {
namespace {

constexpr std::string_view kStandIn = "redacted";
constexpr std::size_t kLongestName = 64, kLongestLogin = 512, kLongestValue = 4096;

/// Also of other alphabets than the Latin one, as UTF-8 has them.
bool is_letter(char c) {
  return is_alnum(c) || static_cast<unsigned char>(c) >= 0x80;
}
bool is_name_char(char c) {
  return is_letter(c) || c == '_' || c == '-' || c == '.';
}
bool is_space(char c) {
  return is_blank(c) || c == '\n' || c == '\r' || c == '\v' || c == '\f' || c == '\0';
}
bool is_quote(char c) {
  return c == '"' || c == '\'' || c == '`';
}

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

/// "max_tokens: 2048" and "use_auth: false" are settings.
bool is_harmless(std::string_view name, std::string_view value) {
  if (value.empty() || value == kStandIn || value == "<hidden>") return true;
  while (!value.empty() && std::string_view(".[](){}").find(value.back()) != value.npos)
    value.remove_suffix(1);
  while (!value.empty() && std::string_view("[({").find(value.front()) != value.npos)
    value.remove_prefix(1);
  if (value.empty()) return true;
  const bool number = std::all_of(value.begin(), value.end(), is_digit) ||
                      (value.starts_with("0x") && value.size() <= 10 &&
                       std::all_of(value.begin() + 2, value.end(), is_hex));
  if (lower(name) == "pass") return number && value.size() < 4;  // a count
  if (lower(name).find("pass") != std::string::npos) return false;
  static const std::vector<std::string_view> kWords = {"true", "false", "yes", "no", "none",
                                                       "null", "on",    "off", "y",  "n"};
  return is_one_of(lower(value), kWords) ||
         (number && (value.size() <= 5 || value.starts_with("0x")));
}

/// Everything behind these belongs to the secret, to the end of the line.
bool takes_rest_of_line(std::string_view name) {
  const std::string small = lower(name);
  return small.ends_with("authorization") || small == "cookie" || small == "set-cookie";
}

class Cleaner {
 public:
  explicit Cleaner(std::string_view text) : text_(text) { out_.reserve(text.size()); }

  std::string clean() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      const bool in_word = at_ > 0 && is_letter(text_[at_ - 1]);
      if (c == '?' && at_ < url_end_) {
        take_query();
      } else if (c == '_' && !in_word && rest().starts_with("_Z")) {
        // The symbol of a C++ function, whose letters look like drawn at random.
        keep(run_of(rest(), [](char one) { return is_alnum(one) || one == '_' || one == '$'; }));
      } else if (!is_letter(c) && c != '-' && c != '_') {
        keep(1);
      } else if (in_word || !take_secret()) {
        keep(1);
      }
    }
    return std::move(out_);
  }

 private:
  std::string_view rest() const { return text_.substr(at_); }
  char before() const { return at_ == 0 ? '\n' : text_[at_ - 1]; }
  void keep(std::size_t count) {
    out_ += text_.substr(at_, count);
    at_ += count;
  }
  void drop(std::size_t count) {
    if (count > 0) out_ += kStandIn;
    at_ += count;
  }

  /// At the beginning of a word.
  bool take_secret() {
    if (take_pem() || take_url()) return true;
    if (!is_name_char(before()) &&
        (take_flag() || take_named() || take_spoken() || take_digest() || take_login()))
      return true;
    if (take_bearer()) return true;
    std::size_t length = token_length(rest());
    // One that is longer than its service makes them today is one to its end.
    if (length > 0) {
      length +=
          run_of(rest().substr(length), [](char c) { return is_alnum(c) || c == '_' || c == '-'; });
    }
    if (length == 0) length = random_length(rest(), before());
    drop(length);
    // A scheme that looks like one leaves the address of a URL behind.
    if (length > 0 && rest().starts_with("://")) take_address();
    return length > 0;
  }

  bool take_pem() {
    constexpr std::string_view kBegin = "-----BEGIN ", kEnd = "-----END ";
    if (!rest().starts_with(kBegin)) return false;
    const std::size_t label = run_of(rest().substr(kBegin.size(), 64), [](char c) {
      return (c >= 'A' && c <= 'Z') || is_digit(c) || c == ' ';
    });
    if (!rest().substr(kBegin.size() + label).starts_with("-----")) return false;
    keep(kBegin.size() + label + 5);
    if (rest().starts_with(" redacted ")) return true;
    std::size_t end = pem_ends_ ? rest().find(kEnd) : std::string_view::npos;
    if (end == std::string_view::npos) {  // cut off: all that looks like its lines
      pem_ends_ = false;
      end = run_of(rest(), [](char c) {
        return is_alnum(c) || c == '+' || c == '/' || c == '=' || c == '\n' || c == '\r';
      });
    }
    if (end == 0) return true;
    out_ += ' ';
    drop(end);
    out_ += ' ';
    return true;
  }

  /// scheme://user:password@ loses all between // and the host.
  bool take_url() {
    const std::size_t scheme = run_of(rest().substr(0, 24), [](char c) {
      return is_alnum(c) || c == '+' || c == '-' || c == '.';
    });
    if (scheme == 0 || !rest().substr(scheme).starts_with("://")) return false;
    keep(scheme);
    take_address();
    return true;
  }

  /// "://" and what follows.
  void take_address() {
    keep(3);
    if (at_ >= url_end_) {  // else it stands inside of another
      url_end_ = at_ + run_of(rest(), [](char c) {
                   return !is_space(c) && !is_quote(c) && c != '<' && c != '>';
                 });
    }
    // What stands behind a login may be one too: the user is an address, "me@here:pa/ss@host".
    while (const std::size_t login = login_length(text_.substr(at_, url_end_ - at_))) at_ += login;
    take_hook();
  }

  /// "user:password@" that a URL begins with behind its scheme.
  static std::size_t login_length(std::string_view url) {
    const std::size_t path = std::min(url.find_first_of("/?#"), url.size());
    std::size_t end = url.substr(0, path).rfind('@');
    if (end == std::string_view::npos) {
      // A password may hold a bare slash: "user:pa/ss@host" is no host with a port.
      const std::size_t colon = url.substr(0, path).find(':');
      const bool port = colon == std::string_view::npos || url.starts_with('[') ||
                        std::all_of(url.begin() + static_cast<std::ptrdiff_t>(colon) + 1,
                                    url.begin() + static_cast<std::ptrdiff_t>(path), is_digit);
      if (!port) end = url.substr(0, kLongestLogin).rfind('@');
    }
    return end == std::string_view::npos ? 0 : end + 1;
  }

  /// The path of an address that only its owner knows.
  void take_hook() {
    const std::string_view url = text_.substr(at_, url_end_ - at_);
    const std::size_t path = url.find('/');
    if (path == std::string_view::npos || path > kLongestLogin) return;
    const std::string_view host = url.substr(0, std::min(path, url.find(':')));
    const std::size_t length = secret_path_length(host, url.substr(path));
    if (length < 2 || url.substr(path + 1) == kStandIn) return;
    keep(path + 1);
    drop(length - 1);
  }

  /// Parameters that say what is asked for stay, the others lose their value.
  void take_query() {
    static const std::vector<std::string_view> kKept = {
        "arch", "branch",   "component", "country", "dist",     "infra",   "keywords", "lang",
        "page", "protocol", "q",         "ref",     "release",  "repo",    "suite",    "tag",
        "v",    "version",  "basearch",  "search",  "platform", "package", "id",       "view"};
    keep(1);
    while (at_ < url_end_ && text_[at_] != '#') {
      const std::string_view left = text_.substr(at_, url_end_ - at_);
      const std::string_view one = left.substr(0, left.find_first_of("&;#"));
      const std::size_t equals = one.find('=');
      if (equals == std::string_view::npos) {
        if (one.size() < 8)
          keep(one.size());
        else
          drop(one.size());
      } else if (is_one_of(lower(one.substr(0, equals)), kKept)) {
        keep(equals + 1);
        if (const std::size_t token = token_length(rest()); token > 0) drop(token);
        keep(one.size() - std::min(one.size(), at_ - (url_end_ - left.size())));
      } else {
        keep(equals + 1);
        drop(one.size() - equals - 1);
      }
      if (at_ < url_end_ && text_[at_] != '#') keep(1);
    }
  }

  /// How long the value is that begins at `from` of the rest: to the closing quote, else the blank.
  std::size_t value_length(std::string_view value, char stop) const {
    if (!value.empty() && is_quote(value[0])) {
      for (std::size_t i = 1; i < value.size(); ++i) {
        if (value[i] == '\\') {
          ++i;
        } else if (value[i] == value[0]) {
          return i + 1;
        } else if (value[i] == '\n') {
          return i;
        }
      }
      return value.size();
    }
    if (value.starts_with("\\\"")) {  // JSON inside of a string
      const std::size_t close = value.substr(0, kLongestValue).find("\\\"", 2);
      if (close != std::string_view::npos) return close + 2;
    }
    return run_of(value, [&](char c) { return !is_space(c) && !is_quote(c) && c != stop; });
  }

  void drop_value(std::string_view name, std::size_t length) {
    const std::string_view value = rest().substr(0, length);
    const bool quoted = length > 1 && is_quote(value[0]) && value.back() == value[0];
    const std::string_view bare = quoted ? value.substr(1, length - 2) : value;
    if (is_harmless(name, bare)) return keep(length);
    if (length > 3 && value.starts_with("\\\"") && value.ends_with("\\\"")) {
      keep(2);
      drop(length - 4);
      return keep(2);
    }
    if (!value.empty() && is_quote(value[0])) {
      keep(1);
      drop(length - (quoted ? 2 : 1));
      if (quoted) keep(1);
    } else {
      drop(length);
    }
  }

  /// The line up to here, as far as a command's name may be away.
  std::string_view line_before() const {
    std::string_view head =
        text_.substr(at_ > 200 ? at_ - 200 : 0, std::min<std::size_t>(at_, 200));
    if (const std::size_t line = head.rfind('\n'); line != std::string_view::npos)
      head.remove_prefix(line + 1);
    return head;
  }

  /// In lower case: "licence" at the K of "licence key".
  std::string word_before() const {
    std::string_view head = text_.substr(at_ > 40 ? at_ - 40 : 0, std::min<std::size_t>(at_, 40));
    while (!head.empty() && (is_blank(head.back()) || head.back() == ':' || head.back() == '='))
      head.remove_suffix(1);
    std::size_t begin = head.size();
    while (begin > 0 && is_name_char(head[begin - 1])) --begin;
    return lower(head.substr(begin));
  }

  /// curl -u USER:PASSWORD, sshpass -p PASSWORD, mysql -pPASSWORD.
  bool take_flag() {
    struct Flag {
      std::string_view flag;  // ends in a blank where the value is a word of its own
      std::vector<std::string_view> programs;
    };
    static const std::vector<Flag> kFlags = {
        {"-u ", {"curl", "wget"}},
        {"--user ", {"curl"}},
        {"--proxy-user ", {"curl"}},
        {"-U ", {"curl", "smbclient", "rpcclient"}},
        {"-p ", {"sshpass", "login"}},
        {"-p", {"mysql", "mariadb", "sshpass", "7z"}},
        {"-a ", {"redis-cli"}},
        {"-c ", {"snmp"}},
        {"-A ", {"snmp"}},
        {"-X ", {"snmp"}},
        {"-P ", {"ipmitool", "mosquitto", "unzip", "zip "}},
        {"-w ", {"ldapsearch", "ldapmodify", "ldapadd", "ldapwhoami", "ldapdelete"}},
        {"-k ", {"openssl"}},
    };
    if (!is_space(before()) || !rest().starts_with('-')) return false;
    std::string_view head;
    for (const Flag& one : kFlags) {
      if (!rest().starts_with(one.flag)) continue;
      if (head.empty()) head = line_before();
      const bool named =
          std::any_of(one.programs.begin(), one.programs.end(),
                      [&](std::string_view program) { return head.find(program) != head.npos; });
      const std::size_t value = value_length(rest().substr(one.flag.size()), '\0');
      if (!named || value == 0) continue;
      keep(one.flag.size());
      drop_value("password", value);
      return true;
    }
    return false;
  }

  /// NAME=VALUE, name: value, "name": "value", --name value, <name>value<.
  bool take_named() {
    const std::size_t length = run_of(rest().substr(0, kLongestName + 1), is_name_char);
    if (length == 0 || length > kLongestName) return false;
    const std::string_view name = rest().substr(0, length);
    if (!is_secret_name(name) && !is_secret_here(name)) return false;
    std::size_t at = length;
    const auto next = [&] { return at < rest().size() ? rest()[at] : '\0'; };
    const bool quoted = is_quote(before()) && next() == before();
    if (quoted) ++at;
    if (!quoted && before() == '"' && next() == '\\') at += 2;  // JSON inside of a string
    const std::size_t glued = at;
    while (is_blank(next())) ++at;
    const bool flag = name.starts_with("--") && at > glued && next() != '-' && next() != '\0';
    if (flag && next() != '=' && next() != ':') {
      keep(at);
      drop_value(name, value_length(rest(), '\0'));
      return true;
    }
    if (before() == '<' && next() == '>') {
      keep(at + 1);
      drop_value(name, run_of(rest(), [](char c) { return c != '<'; }));
      return true;
    }
    const char mark = next();
    if (mark != '=' && mark != ':') return false;
    // "/etc/passwd: permission denied" and "::" are no settings.
    if (mark == ':' && before() == '/') return false;
    ++at;
    if (mark == ':' && (next() == ':' || (lower(name) == "passwd" && at == length + 1)))
      return false;
    if (next() == '=' || next() == '>') ++at;  // := and =>
    while (is_blank(next())) ++at;
    // Of a path that names a folder of the shell: PWD=/home/x.
    if (name.ends_with("PWD") && next() == '/') return false;
    keep(at);
    if (takes_rest_of_line(name)) {
      const bool whole = !is_quote(at_ < text_.size() ? text_[at_] : '\0');
      drop_value("password",
                 whole
                     ? run_of(rest(), [](char c) { return c != '\n' && c != '\r' && !is_quote(c); })
                     : value_length(rest(), '\0'));
      return true;
    }
    const char stop = at_ < url_end_ ? '&' : mark == '=' && before_is_mount_option() ? ',' : '\0';
    std::size_t value = value_length(rest(), stop);
    // { password: x } and f(token=x): the bracket is not part of it.
    while (value > 1 && !is_quote(rest()[0]) &&
           std::string_view(",;)}]").find(rest()[value - 1]) != std::string_view::npos) {
      --value;
    }
    drop_value(name, value);
    return true;
  }

  /// "licence key: …", "?sig=…".
  bool is_secret_here(std::string_view name) const {
    static const std::vector<std::string_view> kParameters = {"sig", "signature", "key", "code",
                                                              "st"};
    static const std::vector<std::string_view> kKeysOf = {
        "license", "licence", "product", "activation", "secret",     "api",    "access",
        "private", "signing", "account", "storage",    "encryption", "shared", "recovery"};
    if (before() == '?' || before() == '&') return is_one_of(lower(name), kParameters);
    return is_blank(before()) && lower(name) == "key" && is_one_of(word_before(), kKeysOf);
  }

  /// What people and old configuration files say without a mark: "passphrase is …", "login bob
  /// password …", "bindpw …". Words of prose that follow hold no digit.
  bool take_spoken() {
    static const std::vector<std::string_view> kNames = {
        "password", "passwd", "passphrase", "passcode", "bindpw", "rootpw", "kennwort", "passwort"};
    static const std::vector<std::string_view> kLinks = {"is", "was", "ist", "lautet", "est", "to"};
    const std::size_t length = run_of(rest().substr(0, 16), is_name_char);
    const std::string_view name = rest().substr(0, length);
    if (length < 6 || !is_one_of(lower(name), kNames)) return false;
    std::size_t at = length;
    const auto skip = [&] { at += run_of(rest().substr(at, 16), is_blank); };
    skip();
    if (at == length) return false;
    const std::size_t link = run_of(rest().substr(at, 8), is_alnum);
    if (is_one_of(lower(rest().substr(at, link)), kLinks)) {
      at += link;
      if (at < rest().size() && rest()[at] == ':') ++at;
      skip();
    }
    const std::size_t value = value_length(rest().substr(at), '\0');
    const std::string_view said = rest().substr(at, value);
    const bool mixed = std::any_of(said.begin(), said.end(), [](char c) {
      return is_digit(c) || std::string_view("!#$%&*+?^~@").find(c) != std::string_view::npos;
    });
    const bool letter = std::any_of(said.begin(), said.end(), is_letter);
    const bool directive = lower(name).ends_with("pw");  // of a configuration file: bindpw x
    if (!directive && (value < 6 || !mixed || !letter || said.find_first_of("/~.") == 0))
      return false;
    keep(at);
    drop_value("password", value);
    return true;
  }

  /// A key of hex digits alone is one where the word before it says so; else it is a digest.
  bool take_digest() {
    static const std::vector<std::string_view> kBefore = {
        "login",   "relogin",   "key",      "token",      "secret",
        "auth",    "password",  "apikey",   "api_key",    "wandb",
        "api-key", "authtoken", "apitoken", "credential", "credentials"};
    const std::size_t length = run_of(rest().substr(0, 129), is_hex);
    if (length < 32 || length > 128) return false;
    if (length < rest().size() && is_name_char(rest()[length])) return false;
    if (!is_one_of(word_before(), kBefore)) return false;
    drop(length);
    return true;
  }

  /// rw,username=a,password=b,vers=3: options end at a comma.
  bool before_is_mount_option() const {
    const std::string_view said =
        std::string_view(out_).substr(out_.size() - std::min(out_.size(), kLongestLogin));
    const std::size_t begin = said.find_last_of(" \t\n\"'"), comma = said.rfind(',');
    return comma != said.npos && (begin == said.npos || comma > begin);
  }

  /// user:password@host without a scheme, as proxies are written.
  bool take_login() {
    const char c = before();
    if (!is_space(c) && !is_quote(c) && c != '=' && c != '/') return false;
    const std::size_t user = run_of(rest().substr(0, kLongestName), [](char one) {
      return is_name_char(one) || one == '%' || one == '+';
    });
    if (user == 0 || user >= rest().size() || rest()[user] != ':') return false;
    const std::size_t password = run_of(rest().substr(user + 1, 256), [](char one) {
      return !is_space(one) && !is_quote(one) && one != '@' && one != '/' && one != '<' &&
             one != '>' && one != '=';
    });
    const std::size_t mark = user + 1 + password;
    if (password == 0 || mark >= rest().size() || rest()[mark] != '@') return false;
    const std::string_view behind = rest().substr(mark + 1);
    const std::size_t length =
        run_of(behind, [](char one) { return is_alnum(one) || one == '-' || one == '.'; });
    const std::string_view host = behind.substr(0, length);
    const bool port =
        length + 1 < behind.size() && behind[length] == ':' && is_digit(behind[length + 1]);
    // "rocm/pytorch:6.2@sha256:12ab" is an image.
    if (host.starts_with("sha256") || host.starts_with("sha512")) return false;
    if (!port && host.find('.') == std::string_view::npos && host != "localhost") return false;
    if (is_digit(rest()[0]) && is_digit(rest()[user - 1]) && !port) return false;  // 12:30@3.5
    at_ += mark + 1;
    return true;
  }

  bool take_bearer() {
    if (rest().size() < 7 || lower(rest().substr(0, 7)) != "bearer ") return false;
    const std::size_t length = run_of(rest().substr(7), [](char c) {
      return is_name_char(c) || c == '/' || c == '+' || c == '=' || c == '~';
    });
    if (length < 8) return false;
    keep(7);
    drop(length);
    return true;
  }

  std::string_view text_;
  std::string out_;
  std::size_t at_ = 0, url_end_ = 0;
  bool pem_ends_ = true;  ///< the end of a block lies ahead, as far as is known
};

}  // namespace

bool is_secret_name(std::string_view name) {
  while (name.starts_with('-')) name.remove_prefix(1);
  const std::string small = lower(name);
  const auto has = [&](std::string_view word) { return small.find(word) != std::string::npos; };
  if (has("tokenizer") || has("keyboard_key")) return false;  // udev numbers the keys of keyboards
  // Also as people of other languages call it.
  for (const std::string_view word : {"token",
                                      "secret",
                                      "passw",
                                      "passphrase",
                                      "passcode",
                                      "credential",
                                      "apikey",
                                      "accesskey",
                                      "authkey",
                                      "privatekey",
                                      "bindpw",
                                      "kennwort",
                                      "contrase",
                                      "mot_de_pas",
                                      "senha",
                                      "wachtwoord",
                                      "motdepass",
                                      "l\u00f6senord",
                                      "salasana",
                                      "heslo",
                                      "parola",
                                      "has\u0142o",
                                      "\u043f\u0430\u0440\u043e\u043b\u044c",
                                      "\u5bc6\u7801",
                                      "\u5bc6\u78bc",
                                      "\u30d1\u30b9\u30ef\u30fc\u30c9"}) {
    if (has(word)) return true;
  }
  static const std::vector<std::string_view> kParts = {
      "auth", "auths",  "oauth",  "authorization", "pass",    "passwd",   "psk",
      "jwt",  "bearer", "cookie", "webhook",       "signkey", "community"};
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
  return small == "pwd";
}

std::string without_secrets(std::string_view text) {
  return Cleaner(text).clean();
}

}  // namespace rocvet
