#include "source/secrets.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "base/text.h"

namespace rocvet {
namespace {

constexpr std::string_view kStandIn = "redacted";
constexpr std::size_t kLongestName = 64, kLongestLogin = 512, kLongestValue = 4096;

bool is_alnum(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}
bool is_name_char(char c) {
  return is_alnum(c) || c == '_' || c == '-' || c == '.';
}
bool is_blank(char c) {
  return c == ' ' || c == '\t';
}
bool is_space(char c) {
  return is_blank(c) || c == '\n' || c == '\r' || c == '\v' || c == '\f' || c == '\0';
}
bool is_quote(char c) {
  return c == '"' || c == '\'' || c == '`';
}

template <typename Test>
std::size_t run_of(std::string_view text, Test test) {
  std::size_t at = 0;
  while (at < text.size() && test(text[at])) ++at;
  return at;
}

bool is_one_of(std::string_view word, const std::vector<std::string_view>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// How keys and tokens of the well-known services begin, and how much must follow.
struct Form {
  std::string_view prefix;
  std::size_t least;        ///< characters behind the prefix
  bool plain;               ///< letters and digits only; else also _ - . =
  bool needs_digit = true;  ///< a word of prose has none
};
constexpr Form kForms[] = {
    {"AKIA", 16, true, false},
    {"ASIA", 16, true, false},
    {"AROA", 16, true, false},
    {"AIDA", 16, true, false},
    {"ABIA", 16, true, false},
    {"ghp_", 20, true, false},
    {"gho_", 20, true, false},
    {"ghu_", 20, true, false},
    {"ghs_", 20, true, false},
    {"ghr_", 20, true, false},
    {"github_pat_", 20, false},
    {"hf_", 20, true, false},
    {"api_org_", 20, true, false},
    {"glpat-", 16, false},
    {"gldt-", 16, false},
    {"glrt-", 16, false},
    {"glptt-", 16, false},
    {"glcbt-", 16, false},
    {"sk-", 20, false},
    {"sk_live_", 10, true},
    {"sk_test_", 10, true},
    {"rk_live_", 10, true},
    {"whsec_", 16, true},
    {"xoxb-", 10, false},
    {"xoxp-", 10, false},
    {"xoxa-", 10, false},
    {"xoxr-", 10, false},
    {"xoxs-", 10, false},
    {"xapp-", 10, false},
    {"ya29.", 16, false},
    {"AIza", 30, false},
    {"npm_", 30, true, false},
    {"pypi-", 30, false},
    {"dckr_pat_", 16, false, false},
    {"dckr_oat_", 16, false},
    {"nvapi-", 20, false},
    {"gsk_", 20, true, false},
    {"r8_", 30, true, false},
    {"shpat_", 20, true},
    {"SG.", 30, false},
    {"dop_v1_", 30, true},
    {"tskey-", 16, false},
    {"hvs.", 16, false},
    {"AQoDYXdz", 16, false},
    {"tk-", 30, false},
    {"AAAAB3NzaC1", 20, false},
    {"AAAAC3NzaC1", 20, false},
    {"AGE-SECRET-KEY-1", 20, true},
};

/// How long the token at the beginning of `rest` is; 0 when there is none.
std::size_t token_length(std::string_view rest) {
  const auto loose = [](char c) { return is_name_char(c) || c == '/' || c == '+' || c == '='; };
  for (const Form& form : kForms) {
    if (!rest.starts_with(form.prefix)) continue;
    const std::string_view behind = rest.substr(form.prefix.size());
    const std::size_t length = form.plain ? run_of(behind, is_alnum) : run_of(behind, loose);
    if (length < form.least) continue;
    const std::string_view body = behind.substr(0, length);
    if (form.needs_digit && std::none_of(body.begin(), body.end(), is_digit)) continue;
    return form.prefix.size() + length;
  }
  // A JSON web token: {" in base64, and dots between its parts.
  if (rest.starts_with("eyJ")) {
    const std::size_t length = run_of(rest, loose);
    const bool parts = rest.substr(0, length).find('.') != std::string_view::npos;
    if (length >= (parts ? 20 : 60)) return length;
  }
  return 0;
}

std::vector<std::string_view> parts_of(std::string_view name) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find_first_of("_-.", at), name.size());
    if (end > at) parts.push_back(name.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

/// "max_tokens: 2048" and "use_auth: false" are settings.
bool is_harmless(std::string_view name, std::string_view value) {
  if (value.empty() || value == kStandIn || value == "<hidden>") return true;
  const bool number = std::all_of(value.begin(), value.end(), is_digit);
  if (lower(name) == "pass") return number && value.size() < 4;  // a count
  if (lower(name).find("pass") != std::string::npos) return false;
  static const std::vector<std::string_view> kWords = {"true", "false", "yes", "no", "none",
                                                       "null", "on",    "off", "y",  "n"};
  return is_one_of(lower(value), kWords) || (number && value.size() <= 5);
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
      const bool in_word = at_ > 0 && is_alnum(text_[at_ - 1]);
      if (c == '?' && at_ < url_end_) {
        take_query();
      } else if (!is_alnum(c) && c != '-' && c != '_') {
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
    if (!is_name_char(before()) && (take_flag() || take_named() || take_login())) return true;
    if (take_bearer()) return true;
    const std::size_t length = token_length(rest());
    drop(length);
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
    keep(scheme + 3);
    if (at_ >= url_end_) {  // else it stands inside of another
      url_end_ = at_ + run_of(rest(), [](char c) {
                   return !is_space(c) && !is_quote(c) && c != '<' && c != '>';
                 });
    }
    const std::string_view url = text_.substr(at_, url_end_ - at_);
    const std::size_t path = std::min(url.find_first_of("/?#"), url.size());
    std::size_t user = url.substr(0, path).rfind('@');
    if (user == std::string_view::npos) {
      // A password may hold a bare slash: "user:pa/ss@host" is no host with a port.
      const std::size_t colon = url.substr(0, path).find(':');
      const bool port = colon == std::string_view::npos || url.starts_with('[') ||
                        std::all_of(url.begin() + static_cast<std::ptrdiff_t>(colon) + 1,
                                    url.begin() + static_cast<std::ptrdiff_t>(path), is_digit);
      if (!port) user = url.substr(0, kLongestLogin).rfind('@');
    }
    if (user != std::string_view::npos) at_ += user + 1;
    return true;
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

  /// curl -u USER:PASSWORD, sshpass -p PASSWORD.
  bool take_flag() {
    if (!is_space(before()) || !(rest().starts_with("-u ") || rest().starts_with("-p "))) {
      return false;
    }
    std::string_view head =
        text_.substr(at_ > 200 ? at_ - 200 : 0, std::min<std::size_t>(at_, 200));
    if (const std::size_t line = head.rfind('\n'); line != std::string_view::npos) {
      head.remove_prefix(line + 1);
    }
    const bool user = rest()[1] == 'u';
    const auto names = [&](std::string_view word) {
      return head.find(word) != std::string_view::npos;
    };
    if (user ? !(names("curl") || names("wget")) : !(names("sshpass") || names("login"))) {
      return false;
    }
    keep(3);
    drop_value("password", value_length(rest(), '\0'));
    return true;
  }

  /// NAME=VALUE, name: value, "name": "value", --name value, <name>value<.
  bool take_named() {
    const std::size_t length = run_of(rest().substr(0, kLongestName + 1), is_name_char);
    if (length == 0 || length > kLongestName) return false;
    const std::string_view name = rest().substr(0, length);
    if (!is_secret_name(name)) return false;
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
    if (mark == ':' && (next() == ':' || lower(name) == "passwd")) return false;
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
  if (has("tokenizer")) return false;
  for (const std::string_view word : {"token", "secret", "passw", "passphrase", "credential",
                                      "apikey", "accesskey", "privatekey", "authkey"}) {
    if (has(word)) return true;
  }
  static const std::vector<std::string_view> kParts = {"auth", "auths",  "oauth",  "authorization",
                                                       "pass", "passwd", "psk",    "bearer",
                                                       "jwt",  "cookie", "webhook"};
  const std::vector<std::string_view> parts = parts_of(small);
  for (const std::string_view part : parts) {
    if (is_one_of(part, kParts)) return true;
  }
  static const std::vector<std::string_view> kLast = {"key", "pat", "pwd", "pw", "sig"};
  if (parts.size() > 1 && is_one_of(parts.back(), kLast)) return true;
  return small == "pwd";
}

std::string without_secrets(std::string_view text) {
  return Cleaner(text).clean();
}

}  // namespace rocvet
