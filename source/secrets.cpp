#include "source/secrets.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "base/text.h"
#include "source/characters.h"
#include "source/marked_words.h"
#include "source/secret_names.h"
#include "source/token_forms.h"
#include "source/word_lists.h"

namespace rocvet {
namespace {

constexpr std::string_view kStandIn = "redacted";
constexpr std::size_t kLongestName = 64, kLongestLogin = 512, kLongestValue = 4096;
constexpr std::string_view kWideColon = "\uff1a", kChineseIs = "\u662f", kJapaneseIs = "\u306f";
constexpr std::size_t kLongestGap =
    64;  // between the parts of one entry: line ends and indentation

/// Also of other alphabets than the Latin one, as UTF-8 has them.
bool is_letter(char c) {
  return is_alnum(c) || is_wide(c);
}
bool is_name_char(char c) {
  return is_letter(c) || c == '_' || c == '-' || c == '.';
}
bool is_space(char c) {
  return is_blank(c) || c == '\n' || c == '\r' || c == '\v' || c == '\f' || c == '\0';
}

/// What a list, an object or a call opens and closes with.
bool is_open(char c) {
  return c == '[' || c == '(' || c == '{';
}
bool is_close(char c) {
  return c == ']' || c == ')' || c == '}';
}
/// How long what stands before the quote of a string is: b'…', u'…', rb"…", $'…'.
std::size_t string_prefix(std::string_view text) {
  const std::size_t length = text.starts_with('$') ? 1 : run_of(text.substr(0, 3), [](char c) {
    return std::string_view("bBuUrRfF").find(c) != std::string_view::npos;
  });
  return length > 0 && length < text.size() && is_quote(text[length]) && text[length] != '`'
             ? length
             : 0;
}
/// "SecretStr(" at the beginning, 0 for no call.
std::size_t call_length(std::string_view text) {
  const std::size_t name = run_of(text.substr(0, kLongestName), is_name_char);
  return name > 0 && text.substr(name).starts_with('(') ? name + 1 : 0;
}

/// Everything behind these belongs to the secret, to the end of the line.
bool takes_rest_of_line(std::string_view name) {
  const std::string small = lower(name);
  return small.ends_with("authorization") || small == "cookie" || small == "set-cookie";
}

class Cleaner {
 public:
  Cleaner(std::string_view text, const std::vector<MarkedWord>& marked)
      : text_(text), marked_(marked) {
    out_.reserve(text.size());
  }

  std::string clean() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      const bool in_word = at_ > 0 && is_letter(text_[at_ - 1]);
      if (take_marked()) continue;
      if (c == '?' && at_ < url_end_) {
        take_query();
      } else if (const std::size_t hash = c == '$' ? crypt_length(rest()) : 0) {
        drop(hash);
      } else if (c == '_' && !in_word && rest().starts_with("_Z")) {
        // The symbol of a C++ function, whose letters look like drawn at random.
        keep(run_of(rest(), [](char one) { return is_alnum(one) || one == '_' || one == '$'; }));
      } else if (const std::size_t cut = (c == '/' || c == '+') && is_space(before())
                                             ? random_length(rest(), before())
                                             : 0) {
        drop(cut);  // a line of a key in base64
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

  /// A password that a program was given, or that a phrase names: "sshpass -p PASSWORD", "echo
  /// PASSWORD | sudo -S", "login with NAME / PASSWORD".
  bool take_marked() {
    while (next_ < marked_.size() && marked_[next_].at <= at_ &&
           (marked_[next_].at < at_ || marked_[next_].kind != MarkedWord::Kind::password))
      ++next_;
    if (next_ == marked_.size() || marked_[next_].at > at_) return false;
    const MarkedWord& word = marked_[next_++];
    drop_value("password", word.length);
    return true;
  }

  /// At the beginning of a word.
  bool take_secret() {
    if (take_pem() || take_url()) return true;
    if (!is_name_char(before()) &&
        (take_named() || take_spoken() || take_drawn() || take_digest() || take_login()))
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
    // "/t/TOKEN/channel" of a server for conda
    const std::string_view token = url.substr(path).starts_with("/t/") ? url.substr(path + 3) : "";
    const std::size_t of_token = run_of(token.substr(0, 65), is_alnum);
    if (of_token >= 16 && of_token < 65 && token.substr(of_token).starts_with('/') &&
        std::any_of(token.begin(), token.begin() + static_cast<std::ptrdiff_t>(of_token),
                    is_digit)) {
      keep(path + 3);
      return drop(of_token);
    }
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
      } else if (is_in(kKept, lower(one.substr(0, equals)))) {
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
    if (is_harmless_value(name, bare)) return keep(length);
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
    while (!head.empty() && (is_blank(head.back()) || head.back() == ':' || head.back() == '=' ||
                             is_quote(head.back())))
      head.remove_suffix(1);
    std::size_t begin = head.size();
    while (begin > 0 && is_name_char(head[begin - 1])) --begin;
    return lower(head.substr(begin));
  }

  /// Of an annotation before a default: "Optional[str] = " of hf_token: Optional[str] = 'x'.
  static std::size_t type_length(std::string_view text) {
    static const std::vector<std::string_view> kTypes = {"Optional", "Union",  "str",       "bytes",
                                                         "String",   "string", "SecretStr", "&str"};
    if (std::none_of(kTypes.begin(), kTypes.end(),
                     [&](std::string_view type) { return text.starts_with(type); }))
      return 0;
    std::size_t at = run_of(text.substr(0, kLongestName), [](char c) {
      return is_name_char(c) || std::string_view("[]|, &").find(c) != std::string_view::npos;
    });
    if (!text.substr(at).starts_with('=')) return 0;
    ++at;
    at += run_of(text.substr(at, 16), is_blank);
    const std::string_view value = text.substr(at);
    return !value.empty() && (is_quote(value[0]) || string_prefix(value) > 0) ? at : 0;
  }

  /// Whether a list, an object, a call or a marked string begins that may hold values in quotes, or
  /// a list of bare ones.
  bool wraps(std::string_view text) const {
    if (string_prefix(text) > 0 || text.starts_with('[')) return true;
    const std::size_t call = call_length(text);
    if (call == 0 && (text.empty() || !is_open(text[0]))) return false;
    std::size_t at = std::max<std::size_t>(call, 1);
    at += run_of(text.substr(at, kLongestGap), is_space);
    const std::string_view inner = text.substr(std::min(at, text.size()));
    return !inner.empty() && (is_quote(inner[0]) || inner.starts_with("\\\"") || wraps_more(inner));
  }
  static bool wraps_more(std::string_view inner) {
    return string_prefix(inner) > 0 || is_open(inner[0]) || call_length(inner) > 0;
  }

  /// ['a', b"b"], ["a"], {"value": "a"}, SecretStr("a"), b'a': each value goes, up to the bracket
  /// that closes the first.
  void drop_wrapped(std::string_view name) {
    const std::size_t end = std::min(text_.size(), at_ + kLongestValue);
    if (const std::size_t prefix = string_prefix(rest())) {
      keep(prefix);
      return drop_value(name, value_length(rest(), '\0'));
    }
    std::size_t depth = 0;
    do {
      const char c = text_[at_];
      if (is_open(c)) {
        ++depth;
        keep(1);
      } else if (is_close(c)) {
        if (depth > 0) --depth;
        keep(1);
      } else if (c == '\n' || c == '\r') {
        // The next line belongs to it where it holds a string or closes it.
        const std::size_t gap = run_of(rest().substr(0, kLongestGap), is_space);
        const char next = at_ + gap < text_.size() ? text_[at_ + gap] : '\0';
        if (!is_quote(next) && !is_close(next) && !is_open(next)) return;
        keep(gap);
      } else if (is_blank(c) || c == ',' || c == ':' || c == '=') {
        keep(1);
      } else if (is_quote(c) || rest().starts_with("\\\"")) {
        const std::size_t length = value_length(rest(), '\0');
        if (length < 2)  // it does not end
          keep(is_quote(c) ? 1 : 2);
        else if (rest().substr(length, 2).find(':') == 0)  // the name of a member
          keep(length);
        else
          drop_value(name, length);
      } else if (const std::size_t mark = std::max(string_prefix(rest()), call_length(rest()))) {
        if (rest()[mark - 1] == '(') ++depth;
        keep(mark);
      } else {
        const std::size_t length =
            std::max<std::size_t>(run_of(rest(),
                                         [](char one) {
                                           return !is_space(one) && !is_quote(one) &&
                                                  !is_open(one) && !is_close(one) && one != ',';
                                         }),
                                  1);
        if (rest()[length - 1] == ':' || rest()[length - 1] == '=')
          keep(length);
        else
          drop_value(name, length);
      }
    } while (at_ < end && depth > 0);
  }

  /// Where the value stands that belongs to the name which ends at `at`, though no mark joins them:
  /// "--name", "value" of an argument vector; ("name", "value"); "name": NAME, "value": "…".
  std::size_t value_beside(std::string_view name, std::size_t at, bool quoted) const {
    const auto is_gap = [](char c) { return is_space(c); };
    const std::size_t comma = at + (rest().substr(at).starts_with(',') ? 1 : 0);
    std::size_t next = comma + run_of(rest().substr(comma, kLongestGap), is_gap);
    if (next == at || next >= rest().size()) return 0;
    const std::string_view behind = rest().substr(next);
    const std::size_t quote = is_quote(behind[0]) ? 1 : behind.starts_with("\\\"") ? 2 : 0;
    if (lower(behind.substr(quote, 5)) == "value") {
      std::size_t mark = quote + 5 + quote;
      mark += run_of(behind.substr(std::min(mark, behind.size()), 8), is_blank);
      if (mark >= behind.size() || (behind[mark] != ':' && behind[mark] != '=')) return 0;
      ++mark;
      return next + mark + run_of(behind.substr(mark, kLongestGap), is_blank);
    }
    // Kubernetes' "- --name" and "- value" on the next line.
    const bool item = name.starts_with("--") && comma == at && behind.starts_with("- ") &&
                      !behind.starts_with("- -") && rest()[at] == '\n';
    if (item) return next + 2;
    if (!quoted || comma == at) return 0;
    const std::size_t prefix = string_prefix(behind);
    if (quote == 0 && prefix == 0) return 0;
    if (name.starts_with('-')) return next;
    // A pair: the bracket closes behind the value.
    const std::size_t begin = at_ - 1 - (at_ > 1 && text_[at_ - 2] == 'b' ? 1 : 0);
    const std::size_t end = prefix + value_length(behind.substr(prefix, kLongestValue), '\0');
    const bool pair =
        begin > 0 && is_open(text_[begin - 1]) && end < behind.size() && is_close(behind[end]);
    return pair ? next : 0;
  }

  /// "setenv NAME value", "set -gx NAME value" of shells.
  bool is_set_by_shell() const {
    std::string_view head = line_before();
    while (!head.empty() && is_blank(head.back())) head.remove_suffix(1);
    const std::string_view last = head.substr(head.find_last_of(" \t") + 1);
    if (last.ends_with("setenv")) return true;  // "(setenv"
    head.remove_suffix(last.size());
    while (!head.empty() && is_blank(head.back())) head.remove_suffix(1);
    return last.starts_with('-') && last.find('x') != last.npos && head.ends_with("set");
  }

  /// Of "name:" that ends its line: the value is the word on the next one, further in; behind "|"
  /// or ">" all that stands there. `at` is behind the colon.
  bool take_next_line(std::string_view name, std::size_t at) {
    const std::size_t marks = run_of(rest().substr(at, 8), [](char c) {
      return is_blank(c) || c == '|' || c == '>' || c == '-';
    });
    const bool block = rest().substr(at, marks).find_first_of("|>") != std::string_view::npos;
    at += marks;
    if (!rest().substr(at).starts_with('\n')) return false;
    const std::string_view head = line_before();
    const std::size_t indent = run_of(head, is_blank);
    bool taken = false;
    while (rest().substr(at).starts_with('\n')) {
      const std::size_t gap = run_of(rest().substr(at + 1, kLongestGap), is_blank);
      const std::string_view behind = rest().substr(at + 1 + gap);
      const std::string_view line = behind.substr(0, behind.find_first_of("\r\n"));
      const bool word = line.find_first_of(" \t") == line.npos && !line.ends_with(':');
      if (gap <= indent || line.empty() || line.size() > kLongestValue || (!block && !word)) break;
      keep(at + 1 + gap);
      drop_value(name, line.size());
      taken = true;
      at = 0;
      if (!block) break;
    }
    return taken;
  }

  /// Several words behind vLLM's --api-key are keys, each.
  void take_more_keys(std::string_view name) {
    if (lower(name).find("api") == std::string::npos ||
        line_before().find("vllm") == std::string_view::npos)
      return;
    while (at_ < text_.size() && is_blank(text_[at_])) {
      const std::size_t gap = run_of(rest(), is_blank);
      const std::size_t length = run_of(rest().substr(gap), is_name_char);
      const std::string_view behind = rest().substr(gap + length);
      if (length == 0 || rest()[gap] == '-' || (!behind.empty() && !is_space(behind[0]))) return;
      keep(gap);
      drop_value(name, length);
    }
  }

  /// NAME=VALUE, name: value, "name": "value", --name value, <name>value<, and lists of values.
  bool take_named() {
    const std::string_view head = rest().substr(0, kLongestName + 1);
    const char opened = is_quote(before()) ? before() : '\0';
    const std::size_t length =
        std::min(run_of(head, is_name_char),
                 std::min({head.find(kWideColon), head.find(kChineseIs), head.find(kJapaneseIs)}));
    named_ = false;
    if (length == 0 || length > kLongestName) return false;
    const std::string_view name = rest().substr(0, length);
    named_ = is_secret_name(name) || is_secret_here(name);
    // "BOS token = 151643" of a model
    static const std::vector<std::string_view> kMarksOfModels = {"bos", "eos", "eot",  "eog", "pad",
                                                                 "unk", "sep", "mask", "fim", "lf"};
    if (named_ && lower(name) == "token" && is_in(kMarksOfModels, word_before())) named_ = false;
    if (!named_) return false;
    if ((name == "SecretStr" || name == "SecretBytes") && wraps(rest())) {
      drop_wrapped(name);
      return true;
    }
    std::size_t at = length;
    const auto next = [&] { return at < rest().size() ? rest()[at] : '\0'; };
    const bool quoted = is_quote(before()) && next() == before();
    if (quoted) ++at;
    if (!quoted && before() == '"' && next() == '\\')
      at = std::min(at + 2, rest().size());  // JSON inside of a string
    const std::size_t glued = at;
    while (is_blank(next())) ++at;
    const bool flag = name.starts_with("--") && at > glued && next() != '-' && next() != '\0';
    if (flag && next() != '=' && next() != ':' && next() != '\n') {
      keep(at);
      drop_value(name, value_length(rest(), '\0'));
      take_more_keys(name);
      return true;
    }
    if (before() == '<' && at > glued) {  // <name type="x">
      const std::size_t end = rest().substr(0, kLongestLogin).find_first_of(">\n", at);
      if (end != std::string_view::npos) at = end;
    }
    if (quoted && next() == '>') {  // <property name="password">x</property>
      keep(at + 1);
      drop_value(name, run_of(rest(), [](char c) { return c != '<' && c != '\n'; }));
      return true;
    }
    if (before() == '<' && next() == '>') {
      keep(at + 1);
      drop_value(name, run_of(rest(), [](char c) { return c != '<'; }));
      return true;
    }
    for (const std::string_view wide : {kWideColon, kChineseIs, kJapaneseIs}) {
      if (!rest().substr(at).starts_with(wide)) continue;
      at += wide.size();
      while (is_blank(next())) ++at;
      keep(at);
      drop_value(name, value_length(rest(), '\0'));
      return true;
    }
    const char mark = next();
    if (mark != '=' && mark != ':') {
      std::size_t value_at = value_beside(name, glued, quoted || glued > length);
      if (value_at == 0 && at > glued && name.size() == length && is_set_by_shell()) value_at = at;
      if (value_at == 0) return false;
      keep(value_at);
      if (wraps(rest()))
        drop_wrapped(name);
      else
        drop_value(name, value_length(rest(), '\0'));
      return true;
    }
    // "/etc/passwd: permission denied" and "::" are no settings.
    static const std::vector<std::string_view> kUsers = {"user/", "username/", "login/", "id/"};
    if (mark == ':' && before() == '/' && std::ranges::none_of(kUsers, [&](std::string_view user) {
          return lower(line_before()).ends_with(user);
        }))
      return false;
    ++at;
    if (mark == ':' && (next() == ':' || (lower(name) == "passwd" && at == length + 1)))
      return false;
    if (next() == '=' && is_version(rest().substr(at + 1, kLongestName)))
      return false;                            // name==1.2
    if (next() == '=' || next() == '>') ++at;  // := and =>
    while (is_blank(next())) ++at;
    if (mark == ':') at += type_length(rest().substr(at));
    if (mark == ':' && (next() == '\n' || next() == '|' || next() == '>') &&
        take_next_line(name, at))
      return true;
    // Of a path that names a folder of the shell: PWD=/home/x.
    if (name.ends_with("PWD") && next() == '/') return false;
    keep(at);
    if (takes_rest_of_line(name) && !(wraps(rest()) && is_open(text_[at_]))) {
      const bool whole = !is_quote(at_ < text_.size() ? text_[at_] : '\0');
      // -H "Authorization: …" ends at its own quote; what stands in others belongs to it.
      const std::size_t length_of_it =
          whole ? run_of(rest(),
                         [&](char c) {
                           return c != '\n' && c != '\r' && (opened ? c != opened : c != '`');
                         })
                : value_length(rest(), '\0');
      drop_value("password", length_of_it);
      return true;
    }
    if (wraps(rest())) {
      drop_wrapped(name);
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
    static const std::vector<std::string_view> kProvided = {"key", "token", "password"};
    if (before() == '?' || before() == '&') return is_in(kParameters, lower(name));
    if (!is_blank(before())) return false;
    if (lower(name) == "code") return word_before() == "activation";
    if (name == "provided") return is_in(kProvided, word_before());  // "API key provided: x"
    return name.size() == 3 && lower(name) == "key" && is_in(kKeysOf, word_before());
  }

  /// "of that box is" and "for the server is: ", between "password" and what it is.
  static std::size_t whose_length(std::string_view text) {
    static const std::vector<std::string_view> kOf = {"of",    "for",      "on",  "to", "here",
                                                      "there", "di",       "de",  "do", "del",
                                                      "pour",  "f\u00fcr", "voor"};
    text = text.substr(0, kLongestName);
    const std::size_t first = run_of(text, is_letter);
    if (!is_in(kOf, lower(text.substr(0, first)))) return 0;
    for (const std::string_view link : {" is ", " is: ", " was ", ": "}) {
      const std::size_t at = text.find(link);
      const std::size_t stop = text.find_first_of(".,;\n");
      if (at != text.npos && at < stop) return at + link.size() - (link.ends_with(": ") ? 2 : 1);
    }
    return 0;
  }

  /// What people and old configuration files say without a mark: "passphrase is …", "login bob
  /// password …", "bindpw …", "Password for bob: …". Words of prose that follow hold no digit.
  bool take_spoken() {
    static const std::vector<std::string_view> kNames = {
        "password",        "passwd",     "passphrase",
        "passcode",        "bindpw",     "rootpw",
        "kennwort",        "passwort",   "pw",
        "senha",           "wachtwoord", "heslo",
        "contrase\u00f1a", "has\u0142o", "l\u00f6senord",
        "salasana",        "parola",     "\u043f\u0430\u0440\u043e\u043b\u044c",
        "requirepass",     "masterauth", "rocommunity",
        "rwcommunity"};
    static const std::vector<std::string_view> kLinks = {
        "is", "was", "ist", "lautet", "est", "to", "es", "\u00e9", "jest", "je", "\u00e4r"};
    const std::size_t length = run_of(rest().substr(0, 18), is_name_char);
    const std::string_view name = rest().substr(0, length);
    const bool login = name == "login" && word_before() == "wandb";
    const bool french =
        (name == "passe" || name == "PASSE") && lower(line_before()).ends_with("mot de ");
    // Every word comes here: the short ones are "pw", "senha" and "heslo".
    const char first = length == 0 ? '\0' : name[0];
    const bool may_be = length > 5 || (length == 2 && (first == 'p' || first == 'P')) ||
                        (length == 5 && std::string_view("sShH").find(first) != name.npos);
    if (!login && !french && (!may_be || !is_in(kNames, lower(name)))) return false;
    std::size_t at = length;
    const auto skip = [&] { at += run_of(rest().substr(at, 16), is_blank); };
    // "rootpw --plaintext x" of kickstart
    const auto skip_options = [&] {
      if (!rest().substr(at).starts_with("--") || lower(name) != "rootpw") return;
      at += run_of(rest().substr(at, 32), [](char c) { return !is_space(c); });
      skip();
    };
    bool marked = false;  // "password is: x"
    const auto skip_colon = [&] {
      if (french) skip();  // "mot de passe : x"
      if (at >= rest().size() || rest()[at] != ':') return;
      ++at;
      marked = lower(name) != "passwd";  // "passwd: files" of nsswitch.conf
    };
    if (lower(name) == "passwd" || french) skip_colon();
    const std::size_t end = french ? length : at;
    skip();
    if (at == end) return false;
    skip_options();
    const std::size_t link = run_of(rest().substr(at, 8), is_letter);
    if (is_in(kLinks, lower(rest().substr(at, link)))) {
      at += link;
      skip_colon();
      skip();
    } else if (const std::size_t whose = whose_length(rest().substr(at))) {
      at += whose;
      skip_colon();
      skip();
    } else if (rest().substr(at).starts_with("for ")) {
      const std::size_t who = 4 + run_of(rest().substr(at + 4, kLongestName),
                                         [](char c) { return !is_space(c) && c != ':'; });
      if (rest().substr(at + who).starts_with(": ")) {
        at += who;
        skip_colon();
        skip();
      }
    }
    const std::size_t value = value_length(rest().substr(at), '\0');
    const std::string_view said = rest().substr(at, value);
    const bool mixed =
        marked || std::any_of(said.begin(), said.end(), [](char c) {
          return is_digit(c) || std::string_view("!#$%&*+?^~@").find(c) != std::string_view::npos;
        });
    const bool letter = std::any_of(said.begin(), said.end(), is_letter);
    // Of a configuration file: bindpw x.
    const bool directive = (lower(name).ends_with("pw") && name.size() > 2) ||
                           name.ends_with("community") || name == "requirepass" ||
                           name == "masterauth";
    if (!directive && (value < 6 || !mixed || !letter || said.find_first_of("/~.") == 0))
      return false;
    if (is_version(said)) return false;  // of the package passwd
    keep(at);
    drop_value("password", value);
    return true;
  }

  /// MIOPEN_FIND_MODE: one of a shell, which may hold what does not belong there.
  static bool is_variable(std::string_view name) {
    return name.size() > 2 && std::all_of(name.begin(), name.end(), [](char c) {
             return (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
           });
  }

  /// "token o3eW79plpf5lTWUCPU", "invalid token 'x'", KEY=x: where a word of prose may stand, or
  /// under a name that may mean anything, what looks drawn at random.
  bool take_drawn() {
    const std::size_t length = run_of(rest().substr(0, kLongestName), is_name_char);
    const std::string_view name = rest().substr(0, length);
    std::size_t at = length + run_of(rest().substr(length, 16), is_blank);
    // Every word of a text comes here.
    const char mark = at < rest().size() ? rest()[at] : '\0';
    const bool marked = mark == '=' || mark == ':';
    if (!named_ && !marked) return false;
    const bool any = !named_ && is_variable(name);
    const bool key = any || lower(name).ends_with("key");
    if (!named_ && !key) return false;
    if (key && marked) {
      ++at;
      at += run_of(rest().substr(at, 16), is_blank);
    } else if (!named_ || at == length) {
      return false;
    }
    if (at < rest().size() && is_quote(rest()[at])) ++at;
    if (rest().substr(at).starts_with("${")) {  // ${NAME:-default}
      const std::size_t end = at + 2 + run_of(rest().substr(at + 2, kLongestName), is_name_char);
      if (rest().substr(end).starts_with(":-")) at = end + 2;
    }
    const std::size_t value =
        run_of(rest().substr(at, 257), [](char c) { return is_alnum(c) || c == '_' || c == '-'; });
    const std::string_view word = rest().substr(at, value);
    if (!looks_drawn(word)) return false;
    // What is packed as base64 goes on.
    const std::size_t more = run_of(rest().substr(at + value, 257), [](char c) {
      return is_alnum(c) || std::string_view("_-+/=").find(c) != std::string_view::npos;
    });
    // "acpi-PNP0C0C" and "GPU-8c55016ca05afbef" are made of parts.
    constexpr std::size_t kLongWord = 16;
    if (any && (value < kLongWord || word.find('-') != word.npos)) return false;
    keep(at);
    drop(value + more);
    return true;
  }

  /// A key of hex digits alone is one where the word before it says so; else it is a digest.
  bool take_digest() {
    static const std::vector<std::string_view> kBefore = {
        "login",    "relogin",    "key",         "token",         "secret",  "auth",
        "password", "apikey",     "api_key",     "wandb",         "api-key", "authtoken",
        "apitoken", "credential", "credentials", "private_key_id"};
    const std::size_t length = run_of(rest().substr(0, 129), is_hex);
    if (length < 32 || length > 128) return false;
    if (length < rest().size() && is_name_char(rest()[length])) return false;
    const bool named = is_in(kBefore, word_before()) ||
                       line_before().find("wandb login") != std::string_view::npos;
    if (!named || is_public_key_id(length)) return false;
    drop(length);
    return true;
  }

  /// "Missing key CA8BB4…", "using RSA key CA8BB4…": what apt and gpg call OpenPGP keys, which are
  /// public.
  bool is_public_key_id(std::size_t length) const {
    static const std::vector<std::string_view> kOf = {
        "missing", "rsa", "dsa", "eddsa", "ecdsa", "public", "unknown", "gpg", "pgp", "primary"};
    constexpr std::size_t kFingerprint = 40;
    const std::string_view id = rest().substr(0, length);
    if (length != kFingerprint || id.find_first_of("abcdef") != id.npos) return false;
    std::string head = lower(line_before());
    while (!head.empty() && !is_letter(head.back())) head.pop_back();
    if (!head.ends_with(" key")) return false;
    head.resize(head.size() - 4);
    return is_in(kOf, std::string_view(head).substr(head.find_last_of(" \t:(") + 1));
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
  const std::vector<MarkedWord>& marked_;
  std::size_t next_ = 0;  ///< the next of them
  std::string out_;
  std::size_t at_ = 0, url_end_ = 0;
  bool named_ = false;    ///< the word here is the name of a secret, as take_named() saw
  bool pem_ends_ = true;  ///< the end of a block lies ahead, as far as is known
};

}  // namespace

std::string without_secrets(std::string_view text) {
  return without_secrets(text, find_marked_words(text));
}

std::string without_secrets(std::string_view text, const std::vector<MarkedWord>& marked) {
  return Cleaner(text, marked).clean();
}

}  // namespace rocvet
