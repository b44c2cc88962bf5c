#include "source/phrases.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/text.h"
#include "source/characters.h"
#include "source/proper_names.h"
#include "source/public_hosts.h"
#include "source/token_forms.h"
#include "source/word_lists.h"

namespace rocvet {
namespace {

constexpr std::size_t kLongestPlaceholder = 128;  // that stands for a placeholder

// A phrase begins with a word, or with a slash and a word. In it, a letter stands for itself in
// either case, a blank for some, ' for any quotation mark, and
//   {user}      the name of an account
//   {account}   the same where names of programs and projects stand too: letters, few digits
//   {person}    two or three words with capitals, "Max van der Berg"
//   {host}      a machine, whatever it is called
//   {machine}   the same where devices and words of prose stand too: with a number
//   {password}  what is no blank and no quotation mark
//   {secret}    the same, with a digit or a sign and a letter in it
//   {words}     all up to the quotation mark or the end of the line, a secret
//   {card}      the number of one that pays
//   {pin}       four to eight digits that open something
//   {n} {any}   digits; what is no blank, no quotation mark and no slash
//   {end}       the end of the line, or of the word
constexpr std::string_view kPhrases[] = {
    // Schedulers, licences, kernels
    "submitted by {user} from {host}",
    "checked out by {user}@{host}",
    "out: '{any}' {user}@{host}",
    "in: '{any}' {user}@{host}",
    "lsf system <{any}@{host}>",
    "pid {n} user {user}",
    "running on host {machine}",
    "running on node {machine}",
    "running on {machine}{end}",
    "executing on {machine}{end}",
    "executed on host(s) <{n}*{host}>",
    "started on {machine}{end}",
    "started on <{host}>",
    "executed on host(s) <{host}>",
    "user <{user}>",
    "exec_host={host}",
    "exec_host = {host}",
    "local host: {host}",
    "remote host: {host}",
    "local host name: {host}",
    "running on {host} in /",
    "runner name: {host}",
    "runner name: '{host}'",
    "machine name: '{host}'",
    "successfully assigned {any}/{any} to {host}",
    "node '{host}' not found",
    "node '{host}' is ",
    "ok: [{host}]",
    "changed: [{host}]",
    "fatal: [{host}]",
    "skipping: [{host}]",
    "unreachable: [{host}]",
    "resolve hostname {host}",
    "resolve host: {host}",
    "not known: '{host}'",
    "permanently added '{host}'",
    "user {user} has exceeded",
    "is owned by {account}{end}",
    "quotas for user {user}",
    "quotas for usr {user}",
    "alter user {user}",
    "create user '{user}'",
    "authentication failed for {user} with",
    "logged in as {user}{end}",
    "logged in as: {user}{end}",
    "authenticated as {user}{end}",
    "user id={user}",
    "started by user {person}",
    "dc={host},dc=",
    "launched on {machine}{end}",
    "scheduled on {machine}{end}",
    "allocated on {machine}{end}",
    "machine name: {host}",
    "computer name: {host}",
    "host name: {host}",
    "node name: {host}",
    "static hostname: {host}",
    "transient hostname: {host}",
    "node list: {machine}",
    "this host is {machine}",
    "connect to host {host} port",
    "resourcegroups/{host}",
    "nfsroot={host}:/",
    "ssh/id_{account}{end}",
    // Wireless networks and overlays
    "ssid='{words}'",
    "wifi) connection '{words}'",
    "zerotier-cli join {password}",
    "identified by '{password}'",
    "to your netrc file: {password}",
    "auth-user-pass: {any} / {secret}",
    "verification code is {pin}",
    "verification code: {pin}",
    "one-time code is {pin}",
    "one-time password is {pin}",
    "otp is {pin}",
    "otp: {pin}",
    "pin {pin} for",
    "recovery codes: {words}",
    "backup codes: {words}",
    // What people write
    "regards, {person}",
    "cheers, {person}",
    "thanks, {person}",
    "sincerely, {person}",
    "cordialement, {person}",
    "groeten, {person}",
    "saludos, {person}",
    "our admin {person}",
    "displayname': '{person}'",
    "display_name': '{person}'",
    "fullname': '{person}'",
    "full_name': '{person}'",
    "gitlab_user_name={person}",
    "reporter**: {person}",
    "gecos='{person}'",
    "benutzer {account}{end}",
    "usuario {account}{end}",
    "utilisateur {account}{end}",
    "utente {account}{end}",
    "utente: {user}",
    "gebruiker {account}{end}",
    "full name: {person}",
    "real name: {person}",
    "my name is {person}",
    "assignee: {person}",
    "assigned to: {person}",
    "author: {person}",
    "reported by {person}",
    "dr. {person}",
    "hi {person}, ",
    "dear {person}, ",
    "cn={person},",
    "user.name '{person}'",
    "user.name={person}",
    "git_author_name='{person}'",
    "git_author_name={person}{end}",
    "git_committer_name='{person}'",
    "git_committer_name={person}{end}",
    "telegram @{user}",
    "telegram: @{user}",
    "discord: {user}",
    "discord user {user}",
    "login with {user} / {secret}",
    "log in with {user} / {secret}",
    "login as {user} / {secret}",
    "log in as {user} / {secret}",
    "login: {user} / {secret}",
    "user: {user} / {secret}",
    "credentials: {user} / {secret}",
    "credentials {user} / {secret}",
    "user '{user}' password '{password}'",
    "login('{any}', '{password}')",
    "auth=('{any}', '{password}')",
    "basicauth('{any}', '{password}')",
    "httpbasicauth('{any}', '{password}')",
    "httpdigestauth('{any}', '{password}')",
    "basic_auth('{any}', '{password}')",
    "basic_auth=('{any}', '{password}')",
    "card {card}",
    "card number {card}",
    "card number: {card}",
    "seed phrase: {words}",
    "seed phrase is {words}",
    "recovery phrase: {words}",
    "mnemonic: {words}",
    // Folders called after people
    "/work/{account}/",
    "/data/{account}/",
    "/scratch/{account}/",
    "/storage/{account}/",
    "/nfs/{account}/",
    "/ceph/{account}/",
    "/beegfs/{account}/",
    "/nas/{account}/",
    "/nobackup/{account}/",
    "/projects/{account}/",
    "/workspace/{account}/",
    "/lustre/users/{account}/",
    "/scratch/{any}/{account}/",
    "/projects/{any}/{account}/",
    "/project/{any}/{account}/",
    "/u/{account}/",
    "/afs/{any}/user/{any}/{user}/",
    "/hub/user/{user}/",
    "/crontabs/{user}{end}",
    "/mail/{account}{end}",
    "/tmp/{account}/",
    "/tmp/ray_{account}/",
    "/tmp/ray-{account}/",
    "/tmp/comgr-{account}-",
    "/shm/{account}_",
    "/shm/{account}/",
    "home-{account}.mount",
    "/benutzer/{user}/",
    "/usuarios/{user}/",
    "/utilisateurs/{user}/",
    "2fhome%2f{user}%2f",
};

/// The word that a phrase begins with, without its slash.
constexpr std::string_view first_word(std::string_view phrase) {
  if (phrase.starts_with('/')) phrase.remove_prefix(1);
  return phrase.substr(0, run_of(phrase, is_word));
}

struct Phrase {
  std::string_view text, first;  ///< first: its first word
};

/// Those that begin with one letter.
struct Candidates {
  std::vector<Phrase> phrases;
  std::uint64_t lengths = 0;  ///< of their first words, a bit each
};

using PhrasesByByte = std::array<Candidates, 256>;
const PhrasesByByte& phrases_by_byte() {
  static const PhrasesByByte kByByte = [] {
    PhrasesByByte all;
    for (const std::string_view phrase : kPhrases) {
      const std::string_view first = first_word(phrase);
      Candidates& candidates = all[static_cast<unsigned char>(first[0])];
      candidates.phrases.push_back({phrase, first});
      candidates.lengths |= std::uint64_t{1} << first.size();
    }
    return all;
  }();
  return kByByte;
}

/// A folder that may be called after the account of a person: what software and data are called is
/// none.
bool could_be_account(std::string_view word) {
  constexpr std::string_view kParts[] = {
      "model",   "cache",  "conda",  "python", "llama",  "comfy",   "stable", "diffus", "docker",
      "build",   "share",  "bench",  "whisp",  "hugg",   "check",   "modul",  "spack",  "instal",
      "backup",  "train",  "infer",  "output", "result", "input",   "image",  "video",  "music",
      "steam",   "miopen", "triton", "tensor", "common", "public",  "archiv", "system", "volume",
      "privat",  "releas", "kernel", "driver", "group",  "script",  "devel",  "server", "media",
      "folder",  "local",  "global", "store",  "storag", "scratch", "lustre", "kobold", "webui",
      "agent",   "studio", "flash",  "stack",  "transf", "config",  "weight", "micro",  "wheel",
      "sglang",  "graph",  "torch",  "runtim", "sandb",  "stagin",  "softw",  "loader", "tools",
      "aiter",   "gromac", "lammps", "kokkos", "magma",  "easyb",   "portag", "rpmbui", "utilit",
      "ninja",   "cmake",  "vulkan", "debug",  "trace",  "tensil",  "quark",  "tunab",  "hipblas",
      "rocblas", "rccl",   "pytest"};
  constexpr std::string_view kEnds[] = {
      "rocm", "venv", "env",  "data", "vllm", "src",  "test", "work", "proj", "tmp",  "temp",
      "logs", "hip",  "gpu",  "soft", "app",  "apps", "lib",  "libs", "tool", "load", "game",
      "nix",  "onnx", "cuda", "run",  "runs", "user", "home", "team", "code", "repo", "git",
      "node", "file", "chat", "open", "fast", "disk", "core", "lang", "attn", "blas", "kit",
      "bits", "deep", "eval", "prod", "site", "vol",  "pip",  "pool", "shm",  "hdd",  "ssd",
      "nvme", "raid", "text", "wiki", "net",  "set",  "sets", "files"};
  const std::size_t letters = run_of(word, is_lower);
  if (letters < 5 || letters > 16 || word.size() > letters + 4) return false;
  const std::string_view name = word.substr(0, letters);
  if (run_of(word.substr(letters), is_digit) + letters != word.size()) return false;
  if (is_everyday_name(word) || is_everyday_name(name) || is_technical(word)) return false;
  return std::ranges::none_of(
             kParts, [&](std::string_view part) { return name.find(part) != name.npos; }) &&
         std::ranges::none_of(kEnds, [&](std::string_view part) {
           return name.starts_with(part) || name.ends_with(part);
         });
}

/// What is said to run on, and is no machine: systems, parts, models.
bool is_platform(std::string_view word) {
  constexpr std::string_view kBegins[] = {
      "ubuntu",    "debian", "fedora",   "rhel",   "arch",  "wsl",      "window", "navi",
      "radeon",    "ryzen",  "instinct", "epyc",   "xeon",  "polaris",  "fiji",   "hawaii",
      "ellesmere", "tonga",  "baffin",   "raven",  "qwen",  "llama",    "port",   "core",
      "thread",    "device", "stream",   "python", "strix", "opensuse", "zen"};
  const std::string small = lower(word);
  return std::ranges::any_of(kBegins,
                             [&](std::string_view begin) { return small.starts_with(begin); });
}

/// Of "Max Wagner" and "Anna van der Berg" at the beginning, 0 where no name of a person stands.
std::size_t person_length(std::string_view text) {
  constexpr std::string_view kParticles[] = {"van", "von", "der", "den", "de",  "da",  "di", "del",
                                             "la",  "le",  "bin", "al",  "dos", "ten", "ter"};
  // Words with capitals that stand there too.
  constexpr std::string_view kOthers[] = {
      "the",      "this",     "support", "team",    "radeon",   "ryzen",   "linux",   "ubuntu",
      "rocm",     "instinct", "kernel",  "driver",  "windows",  "python",  "default", "unknown",
      "none",     "all",      "system",  "vega",    "frontier", "edition", "card",    "device",
      "graphics", "navi",     "polaris", "strix",   "halo",     "desktop", "laptop",  "server",
      "machine",  "node",     "error",   "warning", "failed"};
  text = text.substr(0, kLongestPlaceholder);
  std::size_t at = 0, end = 0, capitals = 0;
  for (int parts = 0; parts < 5; ++parts) {
    const std::size_t length = run_of(
        text.substr(at), [](char c) { return is_alpha(c) || c == '-' || c == '\'' || is_wide(c); });
    std::string_view word = text.substr(at, length);
    while (!word.empty() && (word.back() == '\'' || word.back() == '-')) word.remove_suffix(1);
    if (word.empty()) break;
    const bool capital =
        word.size() > 1 && (is_upper(word[0]) || is_wide(word[0])) &&
        std::any_of(word.begin() + 1, word.end(), [](char c) { return is_lower(c) || is_wide(c); });
    if (!capital && (capitals == 0 || !is_in(kParticles, word))) break;
    if (is_in(kOthers, lower(word))) break;
    at += word.size();
    if (capital) {
      ++capitals;
      end = at;
    }
    if (capitals == 3 || word.size() != length || text.substr(at, 1) != " ") break;
    ++at;
  }
  return capitals > 1 ? end : 0;
}

/// One phrase at one place of a line.
class Match {
 public:
  Match(std::string_view line, std::size_t at) : line_(line), at_(at) {}

  /// Whether it stands there whole; what it marks is in found().
  bool fits(std::string_view phrase) {
    for (std::size_t i = 0; i < phrase.size(); ++i) {
      const char c = phrase[i];
      if (c == '{') {
        const std::size_t end = phrase.find('}', i);
        if (!take(phrase.substr(i + 1, end - i - 1))) return false;
        i = end;
      } else if (c == ' ') {
        const std::size_t blanks = run_of(rest(), is_blank);
        if (blanks == 0) return false;
        at_ += blanks;
      } else if (c == '\'') {
        if (rest().starts_with("\\\"")) ++at_;  // JSON inside of a string
        if (rest().empty() || !is_quote(rest()[0])) return false;
        ++at_;
      } else if (c == '/') {
        if (rest().empty() || (rest()[0] != '/' && rest()[0] != '\\')) return false;
        at_ += run_of(rest(), [&](char one) { return one == line_[at_]; });
      } else {
        if (rest().empty() || small_letter(rest()[0]) != c) return false;
        ++at_;
      }
    }
    return true;
  }
  const std::vector<MarkedWord>& found() const { return found_; }

 private:
  std::string_view line_;
  std::size_t at_;
  std::vector<MarkedWord> found_;

  std::string_view rest() const { return line_.substr(std::min(at_, line_.size())); }

  bool mark(MarkedWord::Kind kind, std::size_t length) {
    if (length == 0) return false;
    found_.push_back({kind, at_, length});
    at_ += length;
    return true;
  }

  /// "{end}": what stands behind a name that is one.
  bool at_end() const {
    return rest().empty() || is_blank(rest()[0]) || is_quote(rest()[0]) ||
           std::string_view(":,;.)]").find(rest()[0]) != std::string_view::npos;
  }

  bool take(std::string_view what) {
    using Kind = MarkedWord::Kind;
    if (what == "end") return at_end();
    if (what == "n") {
      const std::size_t digits = run_of(rest().substr(0, kLongestPlaceholder), is_digit);
      at_ += digits;
      return digits > 0;
    }
    if (what == "card") {
      const std::size_t digits = run_of(rest().substr(0, kLongestPlaceholder), is_digit);
      return (digits == 15 || digits == 16) && mark(Kind::password, digits) && at_end();
    }
    if (what == "pin") {
      const std::size_t digits = run_of(rest().substr(0, kLongestPlaceholder), is_digit);
      return digits > 3 && digits < 9 && mark(Kind::password, digits) && at_end();
    }
    if (what == "person") return mark(Kind::user, person_length(rest()));
    if (what == "words") {
      const std::string_view text = rest().substr(0, 4 * kLongestPlaceholder);
      const bool quoted = at_ > 0 && is_quote(line_[at_ - 1]);
      const std::size_t length = quoted ? text.find(line_[at_ - 1]) : text.size();
      return length != text.npos && mark(Kind::password, length);
    }
    const std::string_view word = rest().substr(0, kLongestPlaceholder);
    if (what == "any") {
      const std::size_t length = run_of(
          word, [](char c) { return !is_blank(c) && !is_quote(c) && c != '/' && c != '\\'; });
      at_ += length;
      return length > 0;
    }
    if (what == "password" || what == "secret") {
      std::size_t length = run_of(word, [](char c) { return !is_blank(c) && !is_quote(c); });
      while (length > 0 && std::string_view(".,;:)\\").find(word[length - 1]) != word.npos)
        --length;
      const std::string_view value = word.substr(0, length);
      if (value == "redacted") {  // done before the names are looked for
        at_ += length;
        return true;
      }
      return length > 3 && (what != "secret" || mixes_letters(value)) &&
             mark(Kind::password, length);
    }
    const std::string_view name = word.substr(0, name_of(what, word));
    if (!is_name(name)) return false;
    if (what == "user") return mark(Kind::user, name.size());
    if (what == "account") return could_be_account(name) && mark(Kind::user, name.size());
    const bool dotted = name.find('.') != name.npos;
    const bool machine = dotted ? is_private_host(name)
                                : has_number(name) && looks_like_host(name) && !is_platform(name) &&
                                      name.find('_') == name.npos;
    if (what == "machine" && !machine) return false;
    return mark(Kind::host, name.size());
  }

  /// What follows an account in the name of a folder is none of it.
  static std::size_t name_of(std::string_view what, std::string_view word) {
    return what == "account" ? run_of(word, is_alnum) : name_length(word);
  }
};

/// Whether the folder whose name begins at `at` may hold those of people: it is at the root of a
/// file system or one or two below, and not of an address of the web or in somebody's own folder.
bool may_hold_people(std::string_view line, std::size_t at) {
  if (at == 0 || (line[at - 1] != '/' && line[at - 1] != '\\')) return false;
  constexpr std::size_t kReach = 48, kMostAbove = 4;
  const std::size_t first = at - std::min(at, kReach);
  std::size_t begin = at;
  while (begin > first && (is_name_char(line[begin - 1]) || line[begin - 1] == '/' ||
                           line[begin - 1] == '\\' || line[begin - 1] == ':'))
    --begin;
  const std::string_view above = line.substr(begin, at - begin);
  if (above.find("//") != above.npos || above[0] == '.' || is_name_char(above[0]))
    return above.size() == 3 && above[1] == ':';  // "D:\"
  const auto slashes = static_cast<std::size_t>(std::count(above.begin(), above.end(), '/'));
  constexpr std::string_view kOwn[] = {"/home/", "/users/", "/usr/", "/opt/", "/nix/"};
  return slashes <= kMostAbove &&
         std::ranges::none_of(kOwn, [&](std::string_view own) { return above.starts_with(own); });
}

}  // namespace

void find_phrases_at(std::string_view line, std::size_t at, std::size_t length, std::size_t begin,
                     std::vector<MarkedWord>& found) {
  // Every word of a log comes here.
  const Candidates& candidates =
      phrases_by_byte()[static_cast<unsigned char>(small_letter(line[at]))];
  if (length > 63 || ((candidates.lengths >> length) & 1U) == 0) return;
  for (const auto& [phrase, first] : candidates.phrases) {
    const std::string_view word = line.substr(at, length);
    if (first.size() != length ||
        !std::equal(word.begin(), word.end(), first.begin(),
                    [](char one, char of_phrase) { return small_letter(one) == of_phrase; }))
      continue;
    const bool folder = phrase[0] == '/';
    if (folder && !may_hold_people(line, at)) continue;
    Match match(line, folder ? at - 1 : at);
    if (!match.fits(phrase)) continue;
    for (MarkedWord marked : match.found()) {
      marked.at += begin;
      found.push_back(marked);
    }
    return;
  }
}

}  // namespace rocvet
