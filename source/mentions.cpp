#include "source/mentions.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "source/characters.h"
#include "source/marked_words.h"
#include "source/proper_names.h"
#include "source/public_hosts.h"
#include "source/word_lists.h"

namespace rocvet {
namespace {

class Finder {
 public:
  Finder(std::string_view line, const MentionVisitor& found) : line_(line), found_(found) {}

  void find() {
    if (!line_.empty() && is_digit(line_[0])) syslog_head(0);
    if (line_.starts_with('<')) numbered_syslog();
    if (line_.starts_with("Linux ")) uname_line();
    table_row(0);
    for (at_ = 0; at_ < line_.size(); ++at_) {
      const char c = line_[at_];
      if (c == '\\' && from(at_).starts_with("\\\\")) network_share();
      if (c == '/' || c == '\\')
        folder(c);
      else if (c == '@')
        at_sign();
      else if (c == '~')
        tilde();
      else if (c == kWideAt[0] && from(at_).starts_with(kWideAt))
        wide_at_sign();
      else if (c == '[')
        bracket();
      else if (c == '<')
        before_mail();
      else if (c == '-' && is_blank(before()) && from(at_).starts_with("--"))
        option();
      else if (is_word(c) && !is_name_char(before()))
        word();
    }
  }

 private:
  static constexpr std::string_view kWideAt = "\u327f";  ///< between the names of Kali's prompt

  static constexpr std::string_view kJobStates[] = {"R",  "PD", "CG", "CD",
                                                    "CF", "F",  "TO", "S"};  ///< of Slurm

  std::string_view line_;
  const MentionVisitor& found_;
  std::size_t at_ = 0;
  bool looked_for_jobs_ = false;
  std::string last_, one_before_, two_before_;  ///< the words before this one, in lower case
  /// Where the line has a mark that names behind it are judged by, looked for once when first
  /// asked: for each word anew it would take the square of the line's length.
  struct Mark {
    std::string_view text;
    std::optional<std::size_t> at = std::nullopt;
  };
  mutable Mark ssh_{"ssh "}, scp_{"scp "}, rsync_{"rsync "}, sftp_{"sftp "}, sudo_{"[sudo] "},
      netrc_{"machine "}, ed25519_{"ssh-ed25519 "}, rsa_{"ssh-rsa "};

  std::size_t place_of(Mark& mark) const {
    if (!mark.at) mark.at = line_.find(mark.text);
    return *mark.at;
  }

  char before() const { return at_ == 0 ? '\n' : line_[at_ - 1]; }
  std::string_view from(std::size_t at) const { return line_.substr(std::min(at, line_.size())); }
  std::string_view name_at(std::size_t at) const {
    return from(at).substr(0, name_length(from(at).substr(0, 128)));
  }

  void user(std::string_view name) const {
    if (is_name(name) && !is_everyday_name(name)) found_.user(name);
  }
  /// `certain`: nothing but a host stands at this place.
  void host(std::string_view name, bool certain = false) const {
    if (!is_name(name) && !is_drawn_host(name)) return;
    // The everyday word is no name of a machine, but its domain is one of somebody.
    if (is_everyday_name(name.substr(0, name.find('.'))) &&
        !((certain || is_private_host(name)) && names_a_domain(name)))
      return;
    if (!is_module_or_file(name)) found_.host(name);
  }

  /// "7866385d0a470eed.gradio.live": begins with a digit, as versions do.
  static bool is_drawn_host(std::string_view name) {
    const std::string_view first = name.substr(0, name.find('.'));
    return first.size() >= 8 && first.size() < name.size() && has_number(first) &&
           std::any_of(first.begin(), first.end(), is_alpha) && is_private_host(name);
  }

  void host_name(std::string_view name) const {
    if (name.find('.') != name.npos ? is_private_host(name) : looks_like_host(name)) host(name);
  }

  /// "Linux NAME 6.8.0-45-generic #45-Ubuntu SMP … x86_64 GNU/Linux": whatever it is called.
  void uname_line() const {
    const std::string_view name = name_at(6);
    const std::string_view behind = from(6 + name.size());
    if (name.empty() || behind.size() < 4 || behind[0] != ' ' || !is_digit(behind[1])) return;
    const std::string_view release = behind.substr(1, behind.find(' ', 1));
    const std::string_view rest = from(6 + name.size() + release.size());
    const bool whole = rest.find(" #") != rest.npos || rest.find("x86_64") != rest.npos ||
                       rest.find("aarch64") != rest.npos;
    const bool stand_in = name == "host" || name == "localhost" || name == "version";
    if (whole && release.find('.') != release.npos && !stand_in) found_.host(name);
  }

  /// Rows of ps ("NAME 4242 0.0 0.1 …"), squeue, sinfo, "tailscale status"; "-rw-r--r-- 1 NAME …"
  /// of ls.
  void table_row(std::size_t from_here) const {
    const std::size_t begin = from_here + run_of(from(from_here), is_blank);
    if (line_.substr(begin, 1) == "-" && is_mode(line_.substr(begin, 10))) return listing(begin);
    const std::string_view name = name_at(begin);
    const std::string_view behind = from(begin + name.size()).substr(0, 80);
    if (name.empty() || behind.empty()) return;
    if (!is_blank(behind[0]) && behind[0] != '*') return;
    const std::vector<std::string_view> columns = words(behind.substr(1));
    if (columns.size() == 1 && columns[0].starts_with("slots=")) return host(name, true);
    if (columns.size() < 2) return;
    const auto share = [](std::string_view word) {  // "0.0"
      return word.size() > 2 && word[word.size() - 2] == '.' && is_digit(word[0]) &&
             is_digit(word.back());
    };
    if (columns.size() > 2 && is_digit_word(columns[0]) && share(columns[1]) && share(columns[2]))
      user(name);
    if (is_digit(name[0])) job_row(columns);
    // loginctl: "3 1000 NAME seat0 tty2"
    if (is_digit_word(name) && is_digit_word(columns[0]) && columns.size() > 2 &&
        (columns[2].starts_with("seat") || columns[2] == "-"))
      user(columns[1]);
    // "NAME slots=8" of Open MPI, "NAME ansible_host=…", "NAME Ready <none>" of kubectl
    const bool node = columns[0].starts_with("slots=") || columns[0].starts_with("ansible_") ||
                      ((columns[0] == "Ready" || columns[0] == "NotReady") && columns.size() > 3);
    // "NAME : ok=12 changed=3" of Ansible
    const bool played = columns[0] == ":" && columns[1].starts_with("ok=");
    if (node || played) host(name, true);
    if (name.starts_with("100.") && columns[1].size() > 1 && columns[1].ends_with('@')) {
      host(columns[0], true);  // tailscale status: "100.101.2.3 HOST NAME@ linux"
      user(columns[1].substr(0, columns[1].size() - 1));
    }
    // /etc/hosts: "10.1.2.3 NAME.DOMAIN NAME"
    if (columns.size() < 5 && std::count(name.begin(), name.end(), '.') == 3 &&
        is_private_host(columns[0]) && columns[0].starts_with(columns[1])) {
      for (const std::string_view alias : columns) host(alias, true);
    }
    // sinfo: "gpu* up infinite 4 idle HOST[01-04]"
    if (columns.size() == 5 && (columns[0] == "up" || columns[0] == "down") &&
        is_digit_word(columns[2]))
      find_mentions_in_variable("nodelist", columns[4], found_);
  }

  /// A row of squeue inside of another line: "error: 4711 gpu …", "(4711 gpu …". Once for a line,
  /// however many of its words look like the state of a job.
  void quoted_job_row() {
    if (std::exchange(looked_for_jobs_, true)) return;
    const std::string_view head = line_.substr(0, 256);
    for (std::size_t at = 1; at < head.size(); ++at) {
      if (is_digit(head[at]) && !is_name_char(head[at - 1])) table_row(at);
    }
  }

  /// squeue: "4711 gpu train.sh NAME R 1:02 1 HOST", from the second column on.
  void job_row(const std::vector<std::string_view>& columns) const {
    if (columns.size() < 7 || !is_in(kJobStates, columns[3]) ||
        columns[4].find(':') == line_.npos || !is_digit_word(columns[5]))
      return;
    user(columns[2]);
    const std::string_view name = columns[6].substr(0, name_length(columns[6]));
    if (name.size() > 2) host(name, true);
  }

  /// "NAME:x:1000:1000:Max Wagner,,,:/home/NAME:/bin/bash" of /etc/passwd and getent, and
  /// "NAME:redacted:19876:0:99999:7:::" of /etc/shadow.
  void account_row(std::string_view name, std::string_view behind) const {
    if (before() == '\\') return;  // "\nNAME" of a line end that is written out
    const std::string_view rest = behind.substr(behind.find(':', 1) + 1);
    const std::string_view id = rest.substr(0, run_of(rest.substr(0, 12), is_digit));
    members(rest.substr(id.size()));
    if (id.size() < 4 || !rest.substr(id.size()).starts_with(':')) return;
    user(name);
    // The fifth column is who it is.
    const std::vector<std::string_view> fields = split(rest.substr(0, 256), ':');
    const std::string_view who =
        fields.size() > 3 ? fields[2].substr(0, fields[2].find(',')) : std::string_view();
    if (who.find(' ') != who.npos) found_.user(who);
  }

  /// Of a group, behind its number: ":NAME,NAME".
  void members(std::string_view list) const {
    if (!list.starts_with(':')) return;
    list = list.substr(1, 512);
    list = list.substr(0, run_of(list, [](char c) { return is_name_char(c) || c == ','; }));
    for (const std::string_view name : split(list, ',')) user(name);
  }

  /// "NAME pts/0 …" of who, w and last.
  void terminal_row(std::string_view name, std::string_view behind) const {
    const std::string_view next = behind.substr(run_of(behind.substr(0, 32), is_blank));
    if (!next.starts_with("pts/") && !next.starts_with("tty")) return;
    const std::string_view number = next.substr(next.starts_with("pts/") ? 4 : 3);
    const std::size_t digits = run_of(number.substr(0, 4), is_digit);
    if (digits == 0 || (digits < number.size() && !is_blank(number[digits]))) return;
    static constexpr std::string_view kWords[] = {"on",      "of",  "from", "to", "at",
                                                  "console", "the", "pty",  "tty"};
    if (!is_in(kWords, name) && name.find('.') == name.npos && !name.starts_with("seat"))
      user(name);
  }

  /// "Linux version 6.9.3 (NAME@HOST) (gcc …": who built the kernel, where it is no distribution.
  bool built_kernel(std::size_t begin) const {
    static constexpr std::string_view kMark = "Linux version ";
    if (begin == 0 || line_[begin - 1] != '(') return false;
    // Between them stands a release, of at most 64 characters.
    const std::size_t reach = std::min<std::size_t>(begin - 1, 128);
    const std::string_view head = line_.substr(begin - 1 - reach, reach);
    const std::size_t mark = head.rfind(kMark);
    return mark != head.npos && head.find('(', mark) == head.npos;
  }
  static bool is_builder(std::string_view name) {
    static constexpr std::string_view kBuilders[] = {
        "buildd",    "mockbuild",     "mock",    "geeko",   "abuild",  "builder", "root",
        "linux",     "nixbld",        "kbuild",  "oe-user", "ubuntu",  "kernel",  "debian-kernel",
        "archlinux", "linux-cachyos", "bazzite", "fedora",  "cachyos", "user",    "host"};
    return is_in(kBuilders, name);
  }

  /// "Nov 27 10:11:12 NAME program:", "2026-11-27T10:11:12.123456+00:00 NAME program:", from
  /// `begin` on: also where somebody quotes a line in his own.
  void syslog_head(std::size_t begin) const {
    static constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
    const std::string_view line = from(begin).substr(0, 256);
    if (line.size() < 20) return;
    const std::size_t month = kMonths.find(line.substr(0, 3));
    std::size_t at = 0;
    if (month != kMonths.npos && month % 3 == 0 && line[3] == ' ' && line[9] == ':' &&
        line[12] == ':') {
      at = 15;
    } else if (is_digit(line[0]) && line[4] == '-' && line[7] == '-' && line[10] == 'T' &&
               line[13] == ':') {
      at = std::min(line.find(' '), line.size());
    } else {
      return;
    }
    if (at >= line.size() || line[at] != ' ') return;
    const std::string_view name = name_at(begin + at + 1);
    const std::string_view behind = from(begin + at + 1 + name.size()).substr(0, 128);
    if (!behind.starts_with(' ')) return;
    // A program, a level or a message would be no name before "program:".
    const std::size_t end = behind.find_first_of(" :[", 1);
    if (end == behind.npos || end == 1 || behind[end] == ' ') return;
    host(name, true);
  }

  /// "<13>1 2026-11-27T10:11:12Z NAME program - - -", "<13>Nov 27 10:11:12 NAME program:".
  void numbered_syslog() const {
    const std::size_t digits = run_of(from(1).substr(0, 4), is_digit);
    std::size_t at = 1 + digits;
    if (digits == 0 || !from(at).starts_with('>')) return;
    ++at;
    if (!from(at).starts_with("1 ")) return syslog_head(at);
    at += 2;
    const std::string_view time = from(at).substr(0, 48);
    const std::size_t end = time.find(' ');
    if (end == time.npos || !is_digit(time[0]) || time.substr(0, end).find('T') == time.npos)
      return;
    const std::string_view name = name_at(at + end + 1);
    if (from(at + end + 1 + name.size()).starts_with(' ')) host(name, true);
  }

  /// The folder that is named after a person, below one that holds such.
  void folder(char separator) {
    static constexpr std::string_view kPeople[] = {
        "home",   "homes", "users",    "scratch",
        "people", "staff", "students", "documents and settings"};
    std::size_t begin = at_;
    while (begin > 0 && at_ - begin < 32 && line_[begin - 1] != '/' && line_[begin - 1] != '\\' &&
           (is_name_char(line_[begin - 1]) || line_[begin - 1] == ' '))
      --begin;
    const char mark = begin == 0 ? '\n' : line_[begin - 1];
    std::string above = lower(line_.substr(begin, at_ - begin));
    const bool below_media = above == "media" && separator == '/';
    if (!below_media && !is_in(kPeople, above)) return;
    // "C:\Users", "/home": a folder of that name, not a word before a slash.
    if (mark != '/' && mark != '\\') return;
    std::size_t at = at_;
    while (at < line_.size() && line_[at] == separator) ++at;  // JSON doubles a backslash
    const std::string_view name = name_at(at);
    const std::string_view behind = from(at + name.size());
    // "/media/NAME/DISK"; a file of a folder that is only called so.
    if (below_media && !behind.starts_with('/')) return;
    if (above == "scratch" && !behind.starts_with('/')) return;
    // "/home/DOMAIN/NAME", "/homes/n/NAME".
    const bool letter = name.size() == 1 && above != "home";
    const bool domain = std::count(name.begin(), name.end(), '.') > 1 && names_a_domain(name);
    const bool windows = above == "home" && name.size() > 2 &&
                         std::all_of(name.begin(), name.end(),
                                     [](char c) { return (c >= 'A' && c <= 'Z') || c == '-'; });
    const bool part = letter || domain || windows;
    if (part && behind.size() > 1 && behind[0] == separator) {
      const std::size_t next =
          at + name.size() + run_of(behind, [&](char c) { return c == separator; });
      user(name_at(next));
    }
    if (const std::size_t wide = wide_name_length(at); wide > name.size())
      return found_.user(from(at).substr(0, wide));
    user(name);
  }
  /// Of a folder called after a person in letters of any alphabet, and with a blank between the
  /// names: "Müller", "Max Wagner". 0 where it is neither.
  std::size_t wide_name_length(std::size_t at) const {
    const std::string_view text = from(at).substr(0, 64);
    const auto is_part = [](char c) { return is_name_char(c) || is_wide(c); };
    const std::size_t first = run_of(text, is_part);
    const std::size_t wide = run_of(text.substr(0, first), is_name_char) == first ? 0 : first;
    const std::string_view behind = text.substr(first);
    if (behind.size() < 3 || behind[0] != ' ' || behind[1] < 'A' || behind[1] > 'Z') return wide;
    const std::size_t second = run_of(behind.substr(1), is_part);
    const std::string_view end = behind.substr(1 + second);
    const bool closes = !end.empty() && (end[0] == '/' || end[0] == '\\');
    return first > 0 && closes ? first + 1 + second : wide;
  }

  void tilde() const {
    if (is_name_char(before()) || before() == '/') return;
    const std::string_view name = name_at(at_ + 1);
    if (from(at_ + 1 + name.size()).starts_with('/')) user(name);
  }

  /// What could be a name and ends here.
  std::string_view name_before() const {
    std::size_t begin = at_;
    while (begin > 0 && at_ - begin < 64 && is_name_char(line_[begin - 1])) --begin;
    return line_.substr(begin, at_ - begin);
  }

  /// ssh NAME@HOST, NAME@HOST:~$, [NAME@HOST folder]$. Addresses of mail are for Redactor.
  void at_sign() const {
    const std::string_view left = name_before(), right = name_at(at_ + 1);
    const std::size_t begin = at_ - left.size();
    const char mark = begin == 0 ? '\n' : line_[begin - 1];
    const std::string_view behind = from(at_ + 1 + right.size());
    const bool remote = place_of(ssh_) < begin || place_of(scp_) < begin ||
                        place_of(rsync_) < begin || place_of(sftp_) < begin ||
                        place_of(ed25519_) != line_.npos || place_of(rsa_) != line_.npos ||
                        behind.starts_with("'s password");
    if (!is_name(right)) return numbered_host(left, right, behind, remote);
    if (built_kernel(begin)) {
      if (is_builder(left) || is_public_host(right)) return;
      user(left);
      return host(right, true);
    }
    if (is_realm(right) && !is_technical(right) && !is_public_host(right)) host_of_realm(right);
    if (left.empty() || mark == '/' || mark == ':') return;
    // "[rank3@NAME]" of torchrun, "<NAME@HOST>" of local mail.
    if (mark == '[' && left.starts_with("rank") && behind.starts_with(']'))
      return host(right, true);
    const bool local_mail = mark == '<' && behind.starts_with('>') && right.find('.') == right.npos;
    if (left == "git" && behind.starts_with(':') && !is_public_host(right)) {
      host(right, true);
      return user(name_at(at_ + 2 + right.size()));
    }
    if (right.ends_with(".service") || right.starts_with("sha256") || is_public_host(right)) return;
    const bool prompt =
        behind.starts_with(":~") || behind.starts_with(":/") || behind.starts_with(" ~") ||
        behind.starts_with("[~]") || behind.starts_with("[/") ||
        (mark == '[' && behind.starts_with(' ') && behind.substr(0, 128).find(']') != behind.npos);
    const bool realm = is_realm(right);
    if (prompt || remote || realm || local_mail || is_private_host(right)) {
      user(left);
      const bool certain = prompt || remote || local_mail;
      if (!realm && (certain || !is_technical(right))) host(right, certain);
    }
  }

  /// NAME@10.1.2.3 of a program that goes there; "root@219b722ff983:/#" of a container, whose host
  /// is called by its id.
  void numbered_host(std::string_view left, std::string_view right, std::string_view behind,
                     bool remote) const {
    constexpr std::size_t kIdOfContainer = 12;
    const bool address =
        std::count(right.begin(), right.end(), '.') == 3 &&
        std::all_of(right.begin(), right.end(), [](char c) { return is_digit(c) || c == '.'; });
    if (remote || address) user(left);
    if (right.size() == kIdOfContainer && std::all_of(right.begin(), right.end(), is_hex) &&
        (behind.starts_with(":/") || behind.starts_with(":~")))
      found_.host(right);
  }

  void wide_at_sign() const {
    user(name_before());
    host(name_at(at_ + kWideAt.size()), true);
  }

  /// CORP.EXAMPLE, as Kerberos has them: a domain in capitals, its last label in letters.
  static bool is_realm(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    if (dot == name.npos || name.size() - dot < 3) return false;
    return std::none_of(name.begin(), name.end(),
                        [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; }) &&
           std::all_of(name.begin() + static_cast<std::ptrdiff_t>(dot) + 1, name.end(), is_alpha);
  }
  void host_of_realm(std::string_view name) const {
    if (names_a_domain(name) || !is_everyday_name(name.substr(0, name.find('.'))))
      found_.host(name);
  }

  /// \\NAME\share, and in JSON with each backslash twice.
  void network_share() const {
    const std::size_t before_name =
        run_of(from(at_).substr(0, 5), [](char c) { return c == '\\'; });
    if (before_name != 2 && before_name != 4) return;
    if (!is_blank(before()) && std::string_view("\n\"'`(=,[<").find(before()) == line_.npos) return;
    const std::string_view name = name_at(at_ + before_name);
    const std::string_view rest = from(at_ + before_name + name.size()).substr(0, 4);
    const std::size_t behind = run_of(rest, [](char c) { return c == '\\'; });
    // "\\bword\\b" is an expression, "\\xdf\"" an escape.
    const bool share = behind * 2 == before_name && behind < rest.size() && is_word(rest[behind]);
    if (share && name.size() > 2 && !lower(name).starts_with("wsl.")) host(name);
  }

  /// "--username NAME", "--docker-username=NAME"
  void option() const {
    const std::string_view name = name_at(at_ + 2);
    const std::size_t end = at_ + 2 + name.size();
    const char mark = end < line_.size() ? line_[end] : '\0';
    const bool of_user = name == "user" || name.ends_with("username") || name.ends_with("-user");
    if (of_user && (mark == ' ' || mark == '=')) user(name_at(end + 1));
    if ((mark != ' ' && mark != '=') || name.empty()) return;
    static constexpr std::string_view kOfMachines[] = {"host", "node", "addr", "endpoint",
                                                       "server"};
    if (std::ranges::none_of(kOfMachines,
                             [&](std::string_view part) { return name.find(part) != name.npos; }))
      return;
    const std::string_view value = from(end + 1).substr(0, 256);
    std::string variable(name);
    std::replace(variable.begin(), variable.end(), '-', '_');
    find_mentions_in_variable(variable, value.substr(0, value.find_first_of(" \t\"'")), found_);
  }

  /// "Author: NAME SURNAME <me@example.org>"
  void before_mail() const {
    const std::string_view mail = from(at_).substr(0, 96);
    const std::size_t at = mail.find('@'), end = mail.find('>');
    if (at == mail.npos || end == mail.npos || at > end || at_ < 4 || line_[at_ - 1] != ' ') return;
    const auto is_part = [](char c) { return is_alpha(c) || c == '-' || c == '.' || is_wide(c); };
    std::size_t begin = at_ - 1, parts = 0;
    while (begin > 0 && parts < 4) {
      std::size_t word = begin;
      while (word > 0 && begin - word < 32 && is_part(line_[word - 1])) --word;
      const bool capital = word < begin && (is_upper(line_[word]) || is_wide(line_[word]));
      if (!capital) break;
      begin = word;
      ++parts;
      if (begin == 0 || line_[begin - 1] != ' ') break;
      --begin;
    }
    begin += line_.substr(begin, 1) == " " ? 1 : 0;
    if (parts >= 2) found_.user(line_.substr(begin, at_ - 1 - begin));
  }

  /// [NAME:12345] of MPI, [gpu-worker-3] of a launcher.
  void bracket() const {
    const std::string_view name = name_at(at_ + 1);
    const std::string_view behind = from(at_ + 1 + name.size());
    if (name.size() < 4 || behind.empty()) return;
    // The process of "soft lockup - CPU#5 stuck for 26s! [nvtop:4312]".
    if (at_ > 1 && line_[at_ - 1] == ' ' && line_[at_ - 2] == '!') return;
    // "[NAME: ip=10.1.2.3]" of DeepSpeed
    if (behind.starts_with(": ip=") && looks_like_host(name)) return host(name);
    // [NAME]:29500, as PyTorch writes an address.
    if (behind.starts_with("]:") && run_of(behind.substr(2), is_digit) >= 4 && !is_technical(name))
      return host(name);
    if (behind[0] == ':' && behind.size() > 2 && is_digit(behind[1])) {
      std::size_t digits = std::min(behind.find_first_not_of("0123456789", 1), behind.size());
      // "[NAME:41231:0]" of UCX
      if (digits > 2 && behind.substr(digits).starts_with(':'))
        digits += 1 + run_of(behind.substr(digits + 1, 8), is_digit);
      const bool pci = name.size() == 4 && name.find_first_not_of("0123456789abcdef") == name.npos;
      if (digits > 2 && digits < behind.size() && behind[digits] == ']' && !pci &&
          !is_technical(name))
        host(name);
    } else if (behind[0] == ']' && name.find('-') != name.npos &&
               std::any_of(name.begin(), name.end(), is_digit) && looks_like_host(name) &&
               std::any_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; })) {
      host(name);
    }
  }

  void word() {
    const std::string_view name = name_at(at_);
    if (name.empty()) return;
    const std::string_view behind = from(at_ + name.size());
    // Digits alone end versions, addresses and bus numbers.
    const bool folder = before() == '/' && at_ > 1 && line_[at_ - 2] != '/';
    if (behind.starts_with(':')) before_colon(name, behind);
    if (behind.starts_with(":x:") || behind.starts_with(":redacted:")) account_row(name, behind);
    // Every word comes here: "pts/0" or "tty1" follows, behind one blank or more.
    if (behind.size() > 4 && is_blank(behind[0]) &&
        (behind[1] == 'p' || behind[1] == 't' || is_blank(behind[1])))
      terminal_row(name, behind);
    if (name.find('.') != name.npos && is_alpha(name.back()) && !folder && is_private_host(name)) {
      if (before() != '@' && !is_api_group(behind)) host(name);
    } else if (behind.starts_with('\\')) {
      domain_account(name, behind);
    } else if (is_mode(from(at_).substr(0, 10))) {
      listing(at_);
    } else if (is_cloud_host(name)) {
      host(name);
    } else if (before() == '/' && behind.starts_with('/') && is_share()) {
      host(name);
    } else if (behind.size() > 5 && behind[1] == 'H' && behind.starts_with(" HCA-")) {
      host(name);  // of InfiniBand's tools: "NAME HCA-1"
    } else if (line_.substr(at_ > 3 ? at_ - 3 : 0, std::min<std::size_t>(at_, 3)) == "://") {
      if (is_of_server(line_.substr(0, at_ - 3))) return host(name, true);
      // "tcp://gpu7:6379"; a name without a number is that of a service, one with a point a model.
      if (name.find('.') == name.npos && looks_like_host(name) && has_number(name) &&
          !is_public_host(name))
        host(name);
    }
    if (name.size() == 3 && name[0] >= 'A' && name[0] <= 'Z') syslog_head(at_);
    if (name.size() < 3 && is_in(kJobStates, name) && is_blank(before())) quoted_job_row();
    marked(name, behind);
    spoken(name);
    if (name == "arn" && behind.starts_with(":aws:")) cloud_user(behind);
    if (name.size() > 10 && (name[0] == 'p' || name[0] == 't')) {
      for (const std::string_view begin : {"pytest-of-", "torchinductor_"}) {
        if (name.starts_with(begin)) user(name.substr(begin.size()));
      }
    }
    two_before_ = std::move(one_before_);
    one_before_ = std::move(last_);
    last_ = lower(name.substr(0, 32));
    at_ += name.size() - 1;
  }

  /// Whether a scheme ends here of which nothing but a server is the address.
  static bool is_of_server(std::string_view head) {
    static constexpr std::string_view kSchemes[] = {
        "postgresql", "postgres", "mysql", "mariadb", "mongodb", "redis", "rediss",
        "amqp",       "ldap",     "ldaps", "smb",     "cifs",    "nfs",   "ssh",
        "sftp",       "ftp",      "rsync", "vnc",     "rdp",     "mqtt"};
    const std::size_t length = std::min<std::size_t>(head.size(), 12);
    const std::string_view last = head.substr(head.size() - length);
    return std::ranges::any_of(kSchemes, [&](std::string_view scheme) {
      return last.ends_with(scheme) &&
             (last.size() == scheme.size() || !is_alpha(last[last.size() - scheme.size() - 1]));
    });
  }

  /// "arn:aws:iam::123456789012:user/NAME", from behind "arn" on.
  void cloud_user(std::string_view behind) const {
    behind = behind.substr(0, std::min<std::size_t>(behind.find_first_of(" \"',"), 128));
    if (const std::size_t mark = behind.find(":user/"); mark != behind.npos)
      return user(name_at(at_ + 3 + mark + 6));
    // ":assumed-role/ROLE/NAME"
    const std::size_t role = behind.find(":assumed-role/");
    const std::size_t session = role == behind.npos ? role : behind.find('/', role + 14);
    if (session != behind.npos) user(name_at(at_ + 3 + session + 1));
  }

  /// "kmm.sigs.x-k8s.io/v1beta1" of Kubernetes, from `behind` its name on: a group of objects, not
  /// a host with a path.
  bool is_api_group(std::string_view behind) const {
    if (before() == '/' || !behind.starts_with("/v")) return false;
    behind.remove_prefix(2);
    const std::size_t major = run_of(behind, is_digit);
    behind.remove_prefix(major);
    for (const std::string_view stage : {"alpha", "beta"}) {
      if (!behind.starts_with(stage)) continue;
      behind.remove_prefix(stage.size());
      behind.remove_prefix(run_of(behind, is_digit));
    }
    return major > 0 && (behind.empty() || (!is_name_char(behind[0]) && behind[0] != '/'));
  }

  /// The NAME of "//NAME/share on /mnt type cifs".
  bool is_share() const {
    if (at_ < 2 || line_[at_ - 2] != '/' || (at_ > 2 && !is_blank(line_[at_ - 3]))) return false;
    const std::size_t begin = at_ - std::min<std::size_t>(at_, 64);
    const std::string_view around = line_.substr(begin, at_ - begin + 256);
    return around.find("cifs") != around.npos || around.find("smb") != around.npos;
  }

  /// CORP\NAME; "\n" and "\t" are ends of lines.
  void domain_account(std::string_view domain, std::string_view behind) const {
    const bool capitals = std::all_of(domain.begin(), domain.end(), [](char c) {
      return (c >= 'A' && c <= 'Z') || is_digit(c) || c == '-';
    });
    static constexpr std::string_view kBuses[] = {
        "PCI", "USB", "ACPI", "ROOT", "SWD", "HID", "HKLM", "HKCU", "HKEY", "BTHENUM", "DISPLAY"};
    if (!capitals || domain.size() < 2 || before() == '\\' || is_in(kBuses, domain)) return;
    const std::size_t slashes = behind.find_first_not_of('\\');
    if (slashes == behind.npos || slashes > 2) return;
    const std::string_view name = behind.substr(slashes, name_length(behind.substr(slashes, 64)));
    const bool escape = slashes == 1 && name.size() > 1 &&
                        std::string_view("nrtux0").find(name[0]) != std::string_view::npos &&
                        !(name[1] >= 'a' && name[1] <= 'z');
    if (escape || name.empty()) return;
    user(name);
    static constexpr std::string_view kOfWindows[] = {
        "BUILTIN", "NT", "AUTHORITY", "WORKGROUP", "SOFTWARE", "SYSTEM", "HARDWARE"};
    const bool maybe_escape = std::string_view("nrtux0bf").find(name[0]) != std::string_view::npos;
    if (domain.size() > 3 && name.size() > 2 && !maybe_escape && before() != '$' &&
        !is_in(kOfWindows, domain))
      host(domain);
  }

  /// NAME:4242:4242 [0] NCCL INFO; server:/export on /mnt type nfs; registry:5000/image.
  void before_colon(std::string_view name, std::string_view behind) const {
    if (behind.size() < 2 || !is_alpha(name[0])) return;
    if (is_digit(behind[1])) {
      const std::size_t first = std::min(behind.find_first_not_of("0123456789", 1), behind.size());
      const std::string_view rest = behind.substr(first);
      const bool nccl = rest.starts_with(':') && rest.size() > 1 && is_digit(rest[1]) &&
                        rest.substr(0, 64).find("NCCL") != rest.npos;
      const bool port = first >= 4 && rest.starts_with('/');
      if (nccl || (port && looks_like_host(name))) host(name);
    } else if (behind.starts_with(":/") && !behind.starts_with("://") &&
               behind.substr(0, 256).find(" nfs") != behind.npos) {
      host(name);
    }
  }

  static bool is_mode(std::string_view name) {
    return name.size() == 10 &&
           std::string_view("-dlcbps").find(name[0]) != std::string_view::npos &&
           std::all_of(name.begin() + 1, name.end(), [](char c) {
             return std::string_view("rwxsStT-").find(c) != std::string_view::npos;
           });
  }

  /// crw-rw---- 1 NAME render 226, 128 /dev/dri/renderD128
  void listing(std::size_t begin) const {
    const std::vector<std::string_view> columns = words(from(begin).substr(0, 160));
    if (columns.size() < 5 || !is_digit(columns[1][0])) return;
    user(columns[2]);
    if (columns[3] == columns[2]) user(columns[3]);  // the group of that user alone
  }

  /// Names that clouds give: ip-10-0-1-2, aks-pool-123-vmss00000a, gke-…, i-0123456789abcdef0.
  static bool is_cloud_host(std::string_view name) {
    static constexpr std::string_view kBegins[] = {"ip-10-", "ip-172-", "ip-192-",
                                                   "aks-",   "gke-",    "i-0"};
    return name.size() > 9 &&
           std::any_of(std::begin(kBegins), std::end(kBegins),
                       [&](std::string_view begin) { return name.starts_with(begin); }) &&
           std::any_of(name.begin(), name.end(), is_digit);
  }

  /// USER=x, "hostname": "x", uid=1000(x).
  void marked(std::string_view name, std::string_view behind) const {
    std::size_t at = 0;
    if ((behind.starts_with('"') || behind.starts_with('\'')) && before() == behind[0]) at = 1;
    if (at >= behind.size() || (behind[at] != '=' && behind[at] != ':')) return;
    const char mark = behind[at++];
    if (mark == '=' && at < behind.size() && is_blank(behind[at])) return;  // "logname= uid=0"
    while (at < behind.size() && (is_blank(behind[at]) || behind[at] == '"' || behind[at] == '\''))
      ++at;
    const std::string small = lower(name);
    if (small == "login" && last_ == "last") return;  // "Last login: Mon Nov 2"
    if (mark == '=' && small == "groups") return groups(behind.substr(at, 512));
    if (mark == '=' && (small == "userid" || small == "groupid")) {  // Slurm: UserId=NAME(1000)
      const std::string_view who = name_at(at_ + name.size() + at);
      if (behind.substr(at + who.size()).starts_with('(')) user(who);
      return;
    }
    if (mark == '=' && small == "name" && one_before_ == "new" &&
        (last_ == "user" || last_ == "group"))
      return user(name_at(at_ + name.size() + at));  // useradd: new user: name=NAME
    if (mark == '=' && small == "domain") {          // of a mount of Windows' shares
      const std::string_view domain = name_at(at_ + name.size() + at);
      const bool large =
          std::none_of(domain.begin(), domain.end(), [](char c) { return c >= 'a' && c <= 'z'; });
      if (domain.size() > 3 && large) host(domain);
      return;
    }
    if (mark == '=' && small == "uid" && at < behind.size() && is_alpha(behind[at]))
      return user(name_at(at_ + name.size() + at));  // of ODBC and LDAP
    if (mark == '=' && (small == "uid" || small == "gid" || small == "auid")) {
      const std::size_t open =
          std::min(behind.substr(0, at + 12).find_first_not_of("0123456789", at), behind.size());
      const bool person = small != "gid" || open >= at + 4;  // a person's own group
      if (open < behind.size() && open > at && behind[open] == '(' && person)
        user(behind.substr(open + 1, name_length(behind.substr(open + 1, 64))));
      return;
    }
    const std::string_view rest = behind.substr(at, 256);
    if (mark == ':' && !rest.empty() && behind[at - 1] == ':') return;  // "host:port", "user::x"
    const char opened = behind[at - 1];
    const bool quoted = mark == '=' && (opened == '"' || opened == '\'');
    const std::string_view ends = quoted ? "\"'\n;" : " \t\"'\n;";
    const std::size_t list = std::min(rest.find_first_of(ends), rest.size());
    find_mentions_in_variable(name, rest.substr(0, list), found_);
  }

  /// 1001(NAME),44(video): a person's own group is called as he is.
  void groups(std::string_view list) const {
    for (std::size_t at = 0; at < list.size();) {
      const std::size_t digits = run_of(list.substr(at), is_digit);
      if (digits == 0 || !list.substr(at + digits).starts_with('(')) return;
      at += digits + 1;
      const std::string_view name = list.substr(at, name_length(list.substr(at, 64)));
      if (digits >= 4) user(name);
      at += name.size() + 2;  // and "),"
    }
  }

  /// What cron, su, Slurm and PyTorch write in brackets: "CRON[9]: (NAME) CMD", "su: (to NAME) NAME
  /// on pts/0", "connect to (NAME, 29500)".
  void in_brackets(std::string_view name, std::string_view behind) const {
    static constexpr std::string_view kConnect[] = {"connect", "connecting", "connected"};
    if (behind.starts_with(") CMD")) return user(name);
    // systemd: "for UID 1000 (NAME)", "of user 1002 (NAME) dumped core"
    const bool numbered = (one_before_ == "uid" || one_before_ == "user") && is_digit_word(last_);
    if (numbered && behind.starts_with(")")) return user(name);
    const bool addresses = last_ == "of" && one_before_ == "addresses";
    if ((addresses || (last_ == "to" && is_in(kConnect, one_before_))) &&
        behind.starts_with(", ") && run_of(behind.substr(2), is_digit) >= 4)
      host(name);
  }
  /// "su[77]: (to NAME) NAME on pts/0".
  bool is_of_su(std::string_view behind) const {
    const bool by_whom = one_before_ == "to" && before() == ' ' && at_ > 1 &&
                         line_[at_ - 2] == ')' &&
                         (behind.starts_with(" on pts/") || behind.starts_with(" on tty") ||
                          behind.starts_with(" on none"));
    const bool to_whom = last_ == "to" && at_ > 3 && line_[at_ - 4] == '(' &&
                         behind.starts_with(") ") && (one_before_ == "su" || two_before_ == "su");
    return by_whom || to_whom;
  }
  /// Of Slurm and NFS, whose machines may be called anything: "STEP 1.0 ON NAME", "srun: error:
  /// NAME: task 3", "nfs: server NAME not responding".
  bool is_of_cluster(std::string_view behind) const {
    return (last_ == "on" && two_before_ == "step") ||
           (last_ == "error" && one_before_ == "srun" && behind.starts_with(": task")) ||
           (last_ == "server" && one_before_ == "nfs");
  }

  /// "session opened for user NAME", "sudo: NAME : TTY", "rank 3 on NAME", "host NAME down".
  void spoken(std::string_view name) const {
    static constexpr std::string_view kHosts[] = {"host",     "node",   "server", "hostname",
                                                  "nodename", "worker", "peer"};
    static constexpr std::string_view kLogins[] = {
        "opened", "closed", "invalid", "password", "publickey", "authenticating", "disconnected"};
    const std::string_view behind = from(at_ + name.size());
    if (before() == '<' && last_ == "to" && behind.starts_with('>'))
      return host(name);  // systemd: Hostname set to <NAME>
    if ((last_ == "realm" || last_ == "default_realm") && is_realm(name) && !is_public_host(name))
      return host_of_realm(name);
    if (before() == '(') return in_brackets(name, behind);
    quoted_account(name, behind);
    if (behind.starts_with(" is not in the sudoers file")) return user(name);
    // "[sudo] password for NAME:", in any language.
    if (behind.starts_with(":") && place_of(sudo_) < at_) return user(name);
    if (!is_blank(before())) return;
    const bool session = one_before_ == "of" && has_number(two_before_);  // "session 12 of user x"
    const bool of_user =
        last_ == "user" && (session || is_in(kLogins, two_before_) || is_in(kLogins, one_before_) ||
                            behind.starts_with("(uid"));
    // "invalid user" is one phrase: "Failed password for invalid user x".
    const bool accepted = last_ == "for" && one_before_ != "invalid" && name != "invalid" &&
                          is_in(kLogins, one_before_);
    const bool sudo = behind.starts_with(" : ") &&
                      (last_ == "sudo" || (one_before_ == "sudo" && is_digit_word(last_)));
    // "session opened for user root(uid=0) by NAME(uid=1000)", "NAME is not in the sudoers file".
    const bool by = last_ == "by" && behind.starts_with("(uid=");
    const bool netrc = last_ == "login" && place_of(netrc_) < at_;
    if (of_user || accepted || sudo || by || netrc || is_of_su(behind)) return user(name);
    if (is_of_cluster(behind)) return host(name);
    if (!is_in(kHosts, last_) && !(last_ == "on" && is_digit_word(one_before_))) return;
    const bool program = behind.starts_with('[');  // "host sshd-session[12]:" of a syslog
    if (name.find_first_of("._") == name.npos && has_number(name) && looks_like_host(name) &&
        !is_hex_word(name) && !program)
      host(name);
  }

  /// "authentication failed for user \"NAME\"", "Access denied for user 'NAME'@", "Adding user
  /// `NAME'".
  void quoted_account(std::string_view name, std::string_view behind) const {
    static constexpr std::string_view kBefore[] = {"for", "adding", "role", "removing"};
    const bool quoted = std::string_view("\"'`").find(before()) != std::string_view::npos &&
                        !behind.empty() && (behind[0] == '"' || behind[0] == '\'');
    if (quoted && (last_ == "user" || last_ == "role") && is_in(kBefore, one_before_)) user(name);
  }

  static bool is_hex_word(std::string_view word) {
    return word.starts_with("0x") || is_digit_word(word);
  }
};

}  // namespace

void find_mentions_in_variable(std::string_view name, std::string_view value,
                               const MentionVisitor& found) {
  static constexpr std::string_view kUsers[] = {"user",         "username",   "logname",  "login",
                                                "requested-by", "owner",      "lxc_user", "account",
                                                "acct",         "accountname"};
  static constexpr std::string_view kHosts[] = {
      "hostname",    "nodename",     "nodelist",        "hostlist",      "nodes",     "master_addr",
      "master_host", "node",         "server",          "host",          "batchhost", "reqnodelist",
      "excnodelist", "computername", "slurmd_nodename", "rdzv_endpoint", "head_node", "hosts",
      "lsb_hosts",   "submit_host",  "o_host"};
  // Nothing but machines stands behind these, whatever they are called.
  static constexpr std::string_view kCertain[] = {
      "batchhost", "computername",    "master_addr", "master_host", "rdzv_endpoint",
      "head_node", "slurmd_nodename", "lsb_hosts",   "submit_host", "o_host"};
  const std::string small = lower(name);
  const auto is_of = [&](const auto& list) {
    return std::any_of(std::begin(list), std::end(list), [&](std::string_view word) {
      return small == word || (small.size() > word.size() && small.ends_with(word) &&
                               (small[small.size() - word.size() - 1] == '_' ||
                                small[small.size() - word.size() - 1] == '-' ||
                                small[small.size() - word.size() - 1] == '.'));
    });
  };
  if (is_of(kUsers)) {
    const std::string_view user = value.substr(0, name_length(value));
    if (is_name(user) && !is_everyday_name(user)) found.user(user);
  } else if (is_of(kHosts)) {
    // HOST=a-b of a shell, SERVER=a-b of ODBC; "HOST=aarch64-linux-gnu" is of a compiler.
    if (value.find("-linux-") != value.npos || value.find("-pc-") != value.npos) return;
    const bool written_large = name == "HOST" || name == "NODE" || name == "SERVER";
    for (std::size_t at = 0; at < value.size();) {
      const std::size_t length = name_length(value.substr(at));
      const std::string_view host = value.substr(at, length);
      const bool range = at + length < value.size() && value[at + length] == '[';
      // "host: gfx1100", "node: kfd", "server = true" are none.
      const bool plain =
          host.find('.') == host.npos && (small.ends_with("hostname") || is_of(kCertain) ||
                                          ((has_number(host) || written_large) &&
                                           looks_like_host(host) && host.find('_') == host.npos));
      if ((range || plain || is_private_host(host)) && is_name(host) && !is_everyday_name(host))
        found.host(host);
      at = std::min(value.find_first_of(", ", at + length), value.size());
      at += at < value.size();
    }
  }
}

void find_mentions(std::string_view text, const MentionVisitor& found) {
  find_mentions(text, find_marked_words(text), found);
}

void find_mentions(std::string_view text, const std::vector<MarkedWord>& marked,
                   const MentionVisitor& found) {
  each_line(text, [&](std::string_view line) { Finder(line, found).find(); });
  for (const MarkedWord& word : marked) {
    const std::string_view name = text.substr(word.at, word.length);
    if (word.kind == MarkedWord::Kind::password || !is_name(name) || is_everyday_name(name) ||
        name == "redacted")
      continue;
    if (word.kind == MarkedWord::Kind::user)
      found.user(name);
    else if (!is_public_host(name))
      found.host(name);
  }
}

}  // namespace rocvet
