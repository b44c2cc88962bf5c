#include "source/token_forms.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/text.h"
#include "source/characters.h"

namespace rocvet {
namespace {

enum class Body { letters, loose, hex };  // loose: also _ - . / + =

/// How a service's keys begin, and how much must follow. From the services' own documents and the
/// rules of gitleaks and GitHub's secret scanning.
struct Form {
  std::string_view prefix;
  std::size_t least;  ///< characters behind the prefix
  Body body;
  bool needs_digit = true;  ///< a word of prose has none
};
constexpr Form kForms[] = {
    // Amazon, Google, Microsoft, Alibaba, Tencent
    {"AKIA", 16, Body::letters, false},
    {"ASIA", 16, Body::letters, false},
    {"AROA", 16, Body::letters, false},
    {"AIDA", 16, Body::letters, false},
    {"ABIA", 16, Body::letters, false},
    {"AQoDYXdz", 16, Body::loose},
    {"FwoGZXIvYXdz", 16, Body::loose},
    {"IQoJb3JpZ2lu", 16, Body::loose},
    {"ya29.", 16, Body::loose},
    {"AIza", 30, Body::loose},
    {"GOCSPX-", 20, Body::loose},
    {"LTAI", 16, Body::letters},
    {"AKID", 28, Body::letters},
    // Code and packages
    {"ghp_", 20, Body::letters, false},
    {"gho_", 20, Body::letters, false},
    {"ghu_", 20, Body::letters, false},
    {"ghs_", 20, Body::letters, false},
    {"ghr_", 20, Body::letters, false},
    {"github_pat_", 20, Body::loose},
    {"glpat-", 16, Body::loose},
    {"gldt-", 16, Body::loose},
    {"glrt-", 16, Body::loose},
    {"glptt-", 16, Body::loose},
    {"glcbt-", 16, Body::loose},
    {"glsoat-", 16, Body::loose},
    {"glft-", 16, Body::loose},
    {"glagent-", 16, Body::loose},
    {"gloas-", 16, Body::loose},
    {"ATATT3", 30, Body::loose},
    {"ATBB", 28, Body::letters},
    {"ATCTT3", 30, Body::loose},
    {"npm_", 30, Body::letters, false},
    {"pypi-", 30, Body::loose},
    {"rubygems_", 30, Body::hex},
    {"oy2", 40, Body::letters},
    {"dckr_pat_", 16, Body::loose, false},
    {"dckr_oat_", 16, Body::loose},
    {"AKCp", 30, Body::letters},
    {"CCIPAT_", 30, Body::loose},
    {"bkua_", 40, Body::hex},
    {"sgp_", 40, Body::loose},
    {"slk_", 40, Body::hex},
    {"gta_", 40, Body::hex},
    {"CLOJARS_", 60, Body::hex},
    {"HRKU-", 30, Body::loose},
    {"rdme_", 40, Body::letters},
    {"nfp_", 36, Body::letters},
    {"vcp_", 20, Body::letters},
    {"vck_", 20, Body::letters},
    {"cmVmd", 50, Body::letters},
    // Models and data
    {"hf_", 20, Body::letters, false},
    {"hf_oauth_", 20, Body::loose},
    {"api_org_", 20, Body::letters, false},
    {"sk-", 20, Body::loose},
    {"sess-", 30, Body::letters},
    {"gsk_", 20, Body::letters, false},
    {"r8_", 30, Body::letters, false},
    {"xai-", 20, Body::letters},
    {"pplx-", 20, Body::letters},
    {"nvapi-", 20, Body::loose},
    {"jina_", 20, Body::letters},
    {"tvly-", 20, Body::loose},
    {"fw_", 20, Body::letters},
    {"csk-", 20, Body::letters},
    {"tgp_v1_", 20, Body::loose},
    {"pcsk_", 20, Body::loose},
    {"lsv2_", 20, Body::loose},
    {"dapi", 32, Body::hex},
    {"esecret_", 20, Body::letters},
    {"rpa_", 30, Body::letters},
    {"pnu_", 36, Body::letters},
    {"sbp_", 40, Body::hex},
    {"sb_secret_", 20, Body::loose},
    {"pscale_tkn_", 30, Body::loose},
    {"pscale_pw_", 30, Body::loose},
    {"p8e-", 30, Body::letters},
    {"key-", 32, Body::hex},
    // Machines and secrets of theirs
    {"hvs.", 16, Body::loose},
    {"hvb.", 16, Body::loose},
    {"hvr.", 16, Body::loose},
    {"dop_v1_", 30, Body::letters},
    {"doo_v1_", 30, Body::letters},
    {"tskey-", 16, Body::loose},
    {"ops_ey", 30, Body::loose},
    {"pul-", 30, Body::hex},
    {"dp.pt.", 30, Body::letters},
    {"dp.st.", 30, Body::loose},
    {"glsa_", 30, Body::loose},
    {"glc_", 30, Body::loose},
    {"NRAK-", 20, Body::letters},
    {"NRJS-", 15, Body::hex},
    {"sntrys_", 30, Body::loose},
    {"sntryu_", 30, Body::loose},
    {"MUNGE:", 16, Body::loose},
    {"AGE-SECRET-KEY-1", 20, Body::letters},
    {"AAAAB3NzaC1", 20, Body::loose},
    {"AAAAC3NzaC1", 20, Body::loose},
    {"AAAAE2VjZHNh", 20, Body::loose},
    {"b3BlbnNzaC1rZXkt", 20, Body::loose},
    {"FlyV1 ", 30, Body::loose},
    {"dt0c01.", 30, Body::loose},
    {"scfw_", 20, Body::letters},
    {"rnd_", 20, Body::letters},
    // Talk, mail, money
    {"xoxb-", 10, Body::loose},
    {"xoxp-", 10, Body::loose},
    {"xoxa-", 10, Body::loose},
    {"xoxr-", 10, Body::loose},
    {"xoxs-", 10, Body::loose},
    {"xoxe.", 10, Body::loose},
    {"xoxe-", 10, Body::loose},
    {"xapp-", 10, Body::loose},
    {"xoxd-", 10, Body::loose},
    {"SG.", 30, Body::loose},
    {"SK", 32, Body::hex},
    {"AC", 32, Body::hex},
    {"sk_live_", 10, Body::letters},
    {"sk_test_", 10, Body::letters},
    {"rk_live_", 10, Body::letters},
    {"pk_live_", 10, Body::letters},
    {"whsec_", 16, Body::letters},
    {"sq0atp-", 20, Body::loose},
    {"sq0csp-", 20, Body::loose},
    {"shpat_", 20, Body::letters},
    {"shpss_", 20, Body::letters},
    {"shpca_", 20, Body::letters},
    {"shppa_", 20, Body::letters},
    {"shippo_live_", 40, Body::hex},
    {"FLWSECK-", 20, Body::loose},
    {"EZAK", 54, Body::letters},
    {"tfp_", 40, Body::loose},
    {"lin_api_", 20, Body::letters},
    {"lin_oauth_", 20, Body::letters},
    {"ntn_", 30, Body::letters},
    {"secret_", 40, Body::letters},
    {"figd_", 20, Body::loose},
    {"PMAK-", 20, Body::loose},
    {"phx_", 30, Body::letters},
    {"EAAC", 40, Body::letters},
    {"xkeysib-", 30, Body::loose},
    {"mlsn.", 30, Body::letters},
};

bool in_body(char c, Body body) {
  if (body == Body::hex) return is_hex(c);
  if (is_alnum(c)) return true;
  return body == Body::loose && std::string_view("_-./+=").find(c) != std::string_view::npos;
}

/// The forms by their first byte: every word of a log is asked about.
using FormsByByte = std::array<std::vector<const Form*>, 256>;
FormsByByte forms_by_byte() {
  FormsByByte forms;
  for (const Form& form : kForms)
    forms[static_cast<unsigned char>(form.prefix[0])].push_back(&form);
  return forms;
}

std::size_t form_length(std::string_view rest) {
  static const FormsByByte forms = forms_by_byte();
  for (const Form* form : forms[static_cast<unsigned char>(rest[0])]) {
    if (!rest.starts_with(form->prefix)) continue;
    const std::string_view behind = rest.substr(form->prefix.size());
    const auto fits = [&](char c) { return in_body(c, form->body); };
    // A prefix that stands again and again must not be followed to the end each time.
    const std::string_view body = behind.substr(0, run_of(behind.substr(0, 512), fits));
    if (body.size() < form->least) continue;
    if (form->needs_digit && std::none_of(body.begin(), body.end(), is_digit)) continue;
    const std::size_t length = run_of(behind, fits);
    // SK and AC begin words; as a key nothing else follows.
    if (form->body == Body::hex && length < behind.size() && is_alnum(behind[length])) continue;
    return form->prefix.size() + length;
  }
  return 0;
}

/// A JSON web token: {" in base64, and dots between its parts.
std::size_t web_token_length(std::string_view rest) {
  if (!rest.starts_with("eyJ")) return 0;
  const std::size_t length = run_of(rest, [](char c) { return in_body(c, Body::loose); });
  const bool parts = rest.substr(0, length).find('.') != std::string_view::npos;
  return length >= (parts ? 20 : 60) ? length : 0;
}

/// 123456789:AA…, with "bot" before it in an address.
std::size_t bot_token_length(std::string_view rest) {
  const std::size_t bot = rest.starts_with("bot") ? 3 : 0;
  const std::size_t number = run_of(rest.substr(bot), is_digit);
  if (number < 8 || number > 10 || !rest.substr(bot + number).starts_with(":AA")) return 0;
  const std::size_t key = run_of(rest.substr(bot + number + 1),
                                 [](char c) { return is_alnum(c) || c == '_' || c == '-'; });
  return key >= 30 ? bot + number + 1 + key : 0;
}

/// Four groups of four digits, with one separator between them, that begin as cards do.
std::size_t card_length(std::string_view rest) {
  if (rest.size() < 19 || rest[0] < '3' || rest[0] > '6') return 0;
  const char separator = rest[4];
  if (separator != ' ' && separator != '-') return 0;
  for (std::size_t i = 0; i < 19; ++i) {
    if (i % 5 == 4 ? rest[i] != separator : !is_digit(rest[i])) return 0;
  }
  const bool goes_on = rest.size() > 20 && rest[19] == separator && is_digit(rest[20]);
  const bool ends = rest.size() == 19 || (!is_alnum(rest[19]) && !goes_on);
  return ends ? 19 : 0;
}

/// "DE89 3704 0044 0532 0130 00": two letters, two digits, and eleven to thirty more, in groups of
/// four or not, of which most are digits.
std::size_t account_length(std::string_view rest) {
  if (rest.size() < 15 || !is_upper(rest[0]) || !is_upper(rest[1]) || !is_digit(rest[2]) ||
      !is_digit(rest[3]))
    return 0;
  const bool grouped = rest[4] == ' ';
  std::size_t at = 4, count = 4, digits = 2;
  for (; at < rest.size() && count <= 34; ++at) {
    if (grouped && count % 4 == 0 && rest[at] == ' ' && at + 1 < rest.size() &&
        (is_upper(rest[at + 1]) || is_digit(rest[at + 1])))
      continue;
    if (!is_upper(rest[at]) && !is_digit(rest[at])) break;
    ++count;
    digits += is_digit(rest[at]);
  }
  const bool ends = at == rest.size() || !is_alnum(rest[at]);
  return ends && count >= 15 && digits >= 14 && digits * 4 >= count * 3 ? at : 0;
}

/// "Z9IOW-P8C4W-KV8I7-QNQ51-6BJ06" of licences: four groups or more of five capitals and digits.
std::size_t product_key_length(std::string_view rest) {
  constexpr std::size_t kGroup = 5, kLeastGroups = 4;
  std::size_t at = 0, groups = 0, digits = 0;
  while (groups < 12) {
    const std::string_view group = rest.substr(at, kGroup);
    if (group.size() < kGroup ||
        !std::all_of(group.begin(), group.end(), [](char c) { return is_upper(c) || is_digit(c); }))
      return 0;
    digits += static_cast<std::size_t>(std::count_if(group.begin(), group.end(), is_digit));
    at += kGroup;
    ++groups;
    if (at >= rest.size() || rest[at] != '-') break;
    ++at;
  }
  const bool ends = at >= rest.size() || !is_alnum(rest[at]);
  return ends && groups >= kLeastGroups && digits > 1 && digits < groups * kGroup ? at : 0;
}

/// 0x and forty hex digits: an account of Ethereum.
std::size_t wallet_length(std::string_view rest) {
  if (!rest.starts_with("0x") || run_of(rest.substr(2, 41), is_hex) != 40) return 0;
  return rest.size() > 42 && is_alnum(rest[42]) ? 0 : 42;
}

/// "SHA256:" and 43 letters of base64: which key somebody logs in with.
std::size_t fingerprint_length(std::string_view rest) {
  constexpr std::string_view kMark = "SHA256:";
  constexpr std::size_t kLetters = 43;
  if (!rest.starts_with(kMark)) return 0;
  const std::size_t length = run_of(rest.substr(kMark.size(), kLetters + 1),
                                    [](char c) { return is_alnum(c) || c == '+' || c == '/'; });
  return length == kLetters ? kMark.size() + length : 0;
}

/// Discord's: the bot's number, the time and a signature, in base64, with points between.
std::size_t discord_token_length(std::string_view rest) {
  if (rest[0] < 'M' || rest[0] > 'O') return 0;
  const auto part = [&](std::size_t at) {
    return run_of(rest.substr(std::min(at, rest.size()), 64),
                  [](char c) { return is_alnum(c) || c == '_' || c == '-'; });
  };
  const std::size_t id = part(0);
  if (id < 20 || id > 30 || !rest.substr(id).starts_with('.')) return 0;
  const std::size_t time = part(id + 1);
  if (time < 5 || time > 7 || !rest.substr(id + 1 + time).starts_with('.')) return 0;
  const std::size_t signature = part(id + time + 2);
  return signature >= 25 && signature < 64 ? id + time + 2 + signature : 0;
}

/// Airtable's: 14 letters and digits, a point, 64 hex digits.
std::size_t airtable_length(std::string_view rest) {
  constexpr std::size_t kPoint = 17, kLength = kPoint + 1 + 64;
  if (!rest.starts_with("pat") || rest.size() < kLength || rest[kPoint] != '.') return 0;
  if (run_of(rest.substr(0, kPoint), is_alnum) != kPoint) return 0;
  return run_of(rest.substr(kPoint + 1), is_hex) == 64 ? kLength : 0;
}

/// What a word is made of.
struct Make {
  std::size_t lowers = 0, uppers = 0, digits = 0, others = 0;
  std::size_t changes = 0, pairs = 0;  ///< neighbours of two classes, and all
  std::size_t numbers = 0;             ///< runs of digits
  bool digit_by_lower = false, digit_by_upper = false;

  std::size_t letters() const { return lowers + uppers + digits; }
  bool changes_in(std::size_t percent) const { return changes * 100 >= pairs * percent; }
};
Make make_of(std::string_view word) {
  Make make;
  char last = 0;
  for (const char c : word) {
    const char kind = is_lower(c) ? 'a' : is_upper(c) ? 'A' : is_digit(c) ? '0' : '-';
    make.lowers += kind == 'a';
    make.uppers += kind == 'A';
    make.digits += kind == '0';
    make.others += kind == '-';
    make.numbers += kind == '0' && last != '0';
    if (last != 0 && last != '-' && kind != '-') {
      ++make.pairs;
      make.changes += kind != last;
      const bool digit = kind == '0' || last == '0';
      make.digit_by_lower |= digit && (kind == 'a' || last == 'a');
      make.digit_by_upper |= digit && (kind == 'A' || last == 'A');
    }
    last = kind;
  }
  return make;
}

/// Both cases and digits, that alternate: in a name one of two neighbours is of another class in
/// one place of five, in random letters in three of five.
bool looks_random(std::string_view word) {
  const Make make = make_of(word);
  const std::size_t letters = make.letters();
  return letters >= 30 && make.others * 12 <= word.size() && make.lowers * 6 >= letters &&
         make.uppers * 6 >= letters && make.digits * 20 >= letters && make.changes_in(42) &&
         // "MI250NoGCNArchName" has but one
         make.digit_by_lower && make.digit_by_upper;
}

}  // namespace

std::size_t token_length(std::string_view rest) {
  if (rest.empty()) return 0;
  if (is_digit(rest[0]) || rest.starts_with("bot")) {
    if (const std::size_t length = bot_token_length(rest); length > 0) return length;
    if (const std::size_t length = card_length(rest); length > 0) return length;
    if (const std::size_t length = wallet_length(rest); length > 0) return length;
  }
  if (is_upper(rest[0])) {
    if (const std::size_t length = discord_token_length(rest); length > 0) return length;
    if (const std::size_t length = account_length(rest); length > 0) return length;
    if (const std::size_t length = fingerprint_length(rest); length > 0) return length;
  }
  if (is_upper(rest[0]) || is_digit(rest[0])) {
    if (const std::size_t length = product_key_length(rest); length > 0) return length;
  }
  if (const std::size_t length = form_length(rest); length > 0) return length;
  if (const std::size_t length = airtable_length(rest); length > 0) return length;
  return web_token_length(rest);
}

bool mixes_letters(std::string_view word) {
  return std::any_of(word.begin(), word.end(), is_alpha) &&
         !std::all_of(word.begin(), word.end(), is_alpha);
}

bool looks_drawn(std::string_view word) {
  constexpr std::size_t kLeast = 12, kMost = 256;
  if (word.size() < kLeast || word.size() > kMost) return false;
  const Make make = make_of(word);
  // "MI250NoGCNArchName" has one number.
  return make.lowers > 1 && make.uppers > 1 &&
         (make.numbers > 1 ? make.changes_in(33) : make.numbers == 1 && make.changes_in(45));
}

std::size_t crypt_length(std::string_view rest) {
  static constexpr std::string_view kMethods[] = {"$1$",
                                                  "$2a$",
                                                  "$2b$",
                                                  "$2y$",
                                                  "$5$",
                                                  "$6$",
                                                  "$7$",
                                                  "$gy$",
                                                  "$y$",
                                                  "$md5",
                                                  "$sha1$",
                                                  "$3$$",
                                                  "$argon2i$",
                                                  "$argon2id$",
                                                  "$8$",
                                                  "$9$",
                                                  "$sm3$",
                                                  "$apr1$",
                                                  "$scrypt$",
                                                  "$pbkdf2-sha256$",
                                                  "$pbkdf2-sha512$"};
  constexpr std::size_t kLeast = 20;  // the shortest hash, with its salt
  if (std::none_of(std::begin(kMethods), std::end(kMethods),
                   [&](std::string_view method) { return rest.starts_with(method); }))
    return 0;
  const std::size_t length = run_of(rest.substr(0, 512), [](char c) {
    return is_alnum(c) || std::string_view("$./+=,_-").find(c) != std::string_view::npos;
  });
  const std::size_t body = length - rest.substr(0, length).rfind('$') - 1;
  return length >= kLeast && body >= kLeast ? length : 0;
}

std::size_t random_length(std::string_view rest, char before) {
  constexpr std::size_t kLeast = 32, kMost = 4096;
  rest = rest.substr(0, kMost);
  std::size_t longest = 0;
  for (const std::string_view also : {"+/", "_-"}) {
    // Each word once, however many parts it has.
    if (also.find(before) != also.npos) continue;
    std::size_t length =
        run_of(rest, [&](char c) { return is_alnum(c) || also.find(c) != also.npos; });
    if (length < kLeast || !looks_random(rest.substr(0, length))) continue;
    while (length < rest.size() && rest[length] == '=') ++length;
    longest = std::max(longest, length);
  }
  return longest;
}

std::size_t secret_path_length(std::string_view host, std::string_view path) {
  struct Hook {
    std::string_view host, path;  // host: with or without a subdomain
  };
  static constexpr Hook kHooks[] = {{"hooks.slack.com", "/"},
                                    {"discord.com", "/api/webhooks/"},
                                    {"discordapp.com", "/api/webhooks/"},
                                    {"api.telegram.org", "/bot"},
                                    {"webhook.office.com", "/"},
                                    {"outlook.office.com", "/webhook/"},
                                    {"logic.azure.com", "/"},
                                    {"hooks.zapier.com", "/"},
                                    {"maker.ifttt.com", "/"},
                                    {"chat.googleapis.com", "/"},
                                    {"open.feishu.cn", "/open-apis/bot/"},
                                    {"open.larksuite.com", "/open-apis/bot/"},
                                    {"hc-ping.com", "/"},
                                    {"ntfy.sh", "/"},
                                    {"api.pushover.net", "/"},
                                    {"events.pagerduty.com", "/"},
                                    {"webhook.site", "/"},
                                    {"conda.anaconda.org", "/t/"}};
  const std::string small = lower(host);
  for (const Hook& hook : kHooks) {
    const bool same = small == hook.host || small.ends_with("." + std::string(hook.host));
    if (same && path.size() > hook.path.size() && path.starts_with(hook.path)) return path.size();
  }
  return 0;
}

}  // namespace rocvet
