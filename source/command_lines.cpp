#include "source/command_lines.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/text.h"
#include "source/characters.h"
#include "source/proper_names.h"
#include "source/public_hosts.h"
#include "source/token_forms.h"
#include "source/word_lists.h"

namespace rocvet {
namespace {

constexpr std::size_t kMostWords = 64;     // of one command that are looked at
constexpr std::size_t kLongestWord = 512;  // what is longer is no name and no password
constexpr std::size_t kLongestProgram = 20;

enum class Takes {
  user,
  password,
  login,      ///< "user:password", of which all goes
  owner,      ///< "user:group"
  last_user,  ///< the last word of the command, which is a user
  host,       ///< "host", "host:port", "user@host", "//host/share"
  last_host,  ///< the last word of the command, which is one
  hosts,      ///< "host:slots,host"
};

/// Whether the value may, or has to, stand in the option's own word: "-pPASSWORD".
enum class Glued { no, may, must };

/// What one option of a program is followed by.
struct Rule {
  std::string_view program;
  std::string_view option;  ///< "" : the first word that is no option; "-u": also in "-iu"
  Takes takes;
  std::size_t skip = 0;  ///< words between the option and the value
  Glued glued = Glued::no;
  bool typed = false;  ///< only where a command is typed, as the program's name is a word of prose
};

constexpr Rule kRules[] = {
    {"sudo", "-u", Takes::user},
    {"su", "-", Takes::user},
    {"su", "-l", Takes::user},
    {"runuser", "-l", Takes::user},
    {"runuser", "-u", Takes::user},
    {"usermod", "-p", Takes::password},
    {"usermod", "", Takes::last_user},
    {"useradd", "-p", Takes::password},
    {"useradd", "", Takes::last_user},
    {"userdel", "", Takes::last_user},
    {"adduser", "", Takes::user, 0, Glued::no, true},
    {"deluser", "", Takes::user, 0, Glued::no, true},
    {"passwd", "", Takes::last_user, 0, Glued::no, true},
    {"chage", "", Takes::last_user, 0, Glued::no, true},
    {"gpasswd", "-a", Takes::user},
    {"gpasswd", "-d", Takes::user},
    {"chown", "", Takes::owner},
    {"loginctl", "enable-linger", Takes::user},
    {"loginctl", "disable-linger", Takes::user},
    {"loginctl", "user-status", Takes::user},
    {"ssh", "-l", Takes::user},
    {"plink", "-l", Takes::user},
    {"plink", "-pw", Takes::password},
    {"pscp", "-pw", Takes::password},
    {"psql", "-U", Takes::user},
    {"pg_dump", "-U", Takes::user},
    {"pg_restore", "-U", Takes::user},
    {"createdb", "-U", Takes::user},
    {"mysql", "-u", Takes::user, 0, Glued::may},
    {"mysql", "-p", Takes::password, 0, Glued::must},
    {"mysqldump", "-u", Takes::user, 0, Glued::may},
    {"mysqldump", "-p", Takes::password, 0, Glued::must},
    {"mysqladmin", "-p", Takes::password, 0, Glued::must},
    {"mariadb", "-u", Takes::user, 0, Glued::may},
    {"mariadb", "-p", Takes::password, 0, Glued::must},
    {"mongosh", "-u", Takes::user},
    {"mongosh", "-p", Takes::password},
    {"mongo", "-u", Takes::user},
    {"mongo", "-p", Takes::password},
    {"mongodump", "-u", Takes::user},
    {"mongodump", "-p", Takes::password},
    {"snowsql", "-u", Takes::user},
    {"snowsql", "-p", Takes::password},
    {"racadm", "-u", Takes::user},
    {"racadm", "-p", Takes::password},
    {"rdesktop", "-u", Takes::user},
    {"rdesktop", "-p", Takes::password},
    {"xfreerdp", "/u:", Takes::user, 0, Glued::must},
    {"xfreerdp", "/p:", Takes::password, 0, Glued::must},
    {"ipmitool", "-U", Takes::user},
    {"ipmitool", "-P", Takes::password},
    {"mosquitto_pub", "-P", Takes::password},
    {"mosquitto_sub", "-P", Takes::password},
    {"redis-cli", "-a", Takes::password},
    {"x11vnc", "-passwd", Takes::password},
    {"vncviewer", "-passwd", Takes::password},
    {"curl", "-u", Takes::login, 0, Glued::may},
    {"curl", "--user", Takes::login},
    {"curl", "--proxy-user", Takes::login},
    {"curl", "-U", Takes::login},
    {"curl", "-b", Takes::password},
    {"wget", "-u", Takes::login},
    {"wget", "--user", Takes::user},
    {"wget", "--http-user", Takes::user},
    {"http", "-a", Takes::login},
    {"https", "-a", Takes::login},
    {"etcdctl", "--user", Takes::login},
    {"lftp", "-u", Takes::login},
    {"ssh-keygen", "-N", Takes::password},
    {"sshpass", "-p", Takes::password, 0, Glued::may},
    {"htpasswd", "-b", Takes::user, 1},
    {"htpasswd", "-b", Takes::password, 2},
    {"rabbitmqctl", "add_user", Takes::user},
    {"rabbitmqctl", "add_user", Takes::password, 1},
    {"rabbitmqctl", "change_password", Takes::password, 1},
    {"wpa_passphrase", "", Takes::password, 1, Glued::no, true},
    {"nmcli", "wifi-sec.psk", Takes::password},
    {"nmcli", "802-11-wireless-security.psk", Takes::password},
    {"openvpn", "--auth-user-pass", Takes::user},
    {"openvpn", "--auth-user-pass", Takes::password, 1},
    {"vault", "login", Takes::password},
    {"unzip", "-P", Takes::password, 0, Glued::may},
    {"zip", "-P", Takes::password, 0, Glued::may},
    {"7z", "-p", Takes::password, 0, Glued::must},
    {"rar", "-p", Takes::password, 0, Glued::must},
    {"unrar", "-p", Takes::password, 0, Glued::must},
    {"smbclient", "-U", Takes::login},
    {"rpcclient", "-U", Takes::login},
    {"ldapsearch", "-w", Takes::password},
    {"ldapmodify", "-w", Takes::password},
    {"ldapadd", "-w", Takes::password},
    {"ldapwhoami", "-w", Takes::password},
    {"ldapdelete", "-w", Takes::password},
    {"snmpwalk", "-c", Takes::password},
    {"snmpget", "-c", Takes::password},
    {"snmpwalk", "-A", Takes::password},
    {"snmpwalk", "-X", Takes::password},
    {"snmpget", "-A", Takes::password},
    {"snmpget", "-X", Takes::password},
    {"openssl", "-k", Takes::password},
    {"mc", "set", Takes::password, 2, Glued::no, true},
    {"mc", "set", Takes::password, 3, Glued::no, true},
    {"login", "-p", Takes::password},  // of docker, podman, helm registry, az
    {"login", "-u", Takes::user},
    {"login", "--username", Takes::user},
    {"sqlplus", "", Takes::password, 0, Glued::no, true},
    {"radtest", "", Takes::user, 0, Glued::no, true},
    {"radtest", "", Takes::password, 1, Glued::no, true},
    {"radtest", "", Takes::password, 4, Glued::no, true},
    {"quota", "-u", Takes::user},
    {"lfs", "-u", Takes::user},
    {"mosquitto_pub", "-u", Takes::user},
    {"mosquitto_sub", "-u", Takes::user},
    {"nmcli", "connect", Takes::password},  // the network's name, which says where it is
    {"mpirun", "-H", Takes::hosts},
    {"mpirun", "-host", Takes::hosts},
    {"mpirun", "--host", Takes::hosts},
    {"mpirun", "-hosts", Takes::hosts},
    {"mpiexec", "-H", Takes::hosts},
    {"mpiexec", "-host", Takes::hosts},
    {"mpiexec", "--host", Takes::hosts},
    {"mpiexec", "-hosts", Takes::hosts},
    {"orterun", "--host", Takes::hosts},
    {"prun", "--host", Takes::hosts},
    {"horovodrun", "-H", Takes::hosts},
    {"srun", "-w", Takes::hosts},
    {"srun", "--nodelist", Takes::hosts},
    {"salloc", "-w", Takes::hosts},
    {"salloc", "--nodelist", Takes::hosts},
    {"sbatch", "-w", Takes::hosts},
    {"sbatch", "--nodelist", Takes::hosts},
    {"pdsh", "-w", Takes::hosts},
    {"pdcp", "-w", Takes::hosts},
    {"clush", "-w", Takes::hosts},
    {"scontrol", "node", Takes::hosts},
    {"kubectl", "drain", Takes::host},
    {"kubectl", "cordon", Takes::host},
    {"kubectl", "uncordon", Takes::host},
    {"hostnamectl", "set-hostname", Takes::host},
    {"hostnamectl", "hostname", Takes::host},
    {"docker", "--hostname", Takes::host},
    {"podman", "--hostname", Takes::host},
    {"redis-cli", "-h", Takes::host},
    {"psql", "-h", Takes::host},
    {"pg_dump", "-h", Takes::host},
    {"pg_restore", "-h", Takes::host},
    {"mysql", "-h", Takes::host, 0, Glued::may},
    {"mysqldump", "-h", Takes::host, 0, Glued::may},
    {"mariadb", "-h", Takes::host, 0, Glued::may},
    {"mongosh", "--host", Takes::host},
    {"mongo", "--host", Takes::host},
    {"mosquitto_pub", "-h", Takes::host},
    {"mosquitto_sub", "-h", Takes::host},
    {"ldapsearch", "-h", Takes::host},
    {"ipmitool", "-H", Takes::host},
    {"racadm", "-r", Takes::host},
    {"xfreerdp", "/v:", Takes::host, 0, Glued::must},
    {"rdesktop", "", Takes::last_host},
    {"vncviewer", "", Takes::last_host, 0, Glued::no, true},
    {"smbclient", "", Takes::host},
    {"plink", "-ssh", Takes::host},
    {"ssh", "", Takes::host, 0, Glued::no, true},
    {"ssh", "-J", Takes::hosts},
    {"ssh-copy-id", "", Takes::host, 0, Glued::no, true},
    {"mosh", "", Takes::host, 0, Glued::no, true},
    {"ping", "", Takes::last_host, 0, Glued::no, true},
    {"telnet", "", Takes::host, 0, Glued::no, true},
    {"traceroute", "", Takes::last_host, 0, Glued::no, true},
    {"nslookup", "", Takes::host, 0, Glued::no, true},
    {"showmount", "-e", Takes::host},
    {"iperf3", "-c", Takes::host},
    {"ib_write_bw", "", Takes::last_host, 0, Glued::no, true},
    {"ib_read_bw", "", Takes::last_host, 0, Glued::no, true},
    {"ib_send_bw", "", Takes::last_host, 0, Glued::no, true},
    {"virsh", "start", Takes::host, 0, Glued::no, true},
    {"virsh", "shutdown", Takes::host, 0, Glued::no, true},
    {"virsh", "destroy", Takes::host, 0, Glued::no, true},
    {"virsh", "reboot", Takes::host, 0, Glued::no, true},
    {"virsh", "edit", Takes::host, 0, Glued::no, true},
    {"virsh", "dumpxml", Takes::host, 0, Glued::no, true},
    {"virsh", "console", Takes::host, 0, Glued::no, true},
    {"virsh", "attach-device", Takes::host, 0, Glued::no, true},
    {"virsh", "detach-device", Takes::host, 0, Glued::no, true},
};

/// What reads a password from a pipe, or from "<<<"; behind it the option by which it does ("":
/// always).
struct Reader {
  std::string_view program, option;
};
constexpr Reader kReaders[] = {
    {"sudo", "-S"},
    {"sudo", "--stdin"},
    {"passwd", ""},
    {"chpasswd", ""},
    {"kinit", ""},
    {"cryptsetup", ""},
    {"openconnect", ""},
    {"smbpasswd", ""},
    {"vncpasswd", "-f"},
    {"login", ""},
    {"htpasswd", "-i"},
    {"openvpn", ""},
    {"sshfs", "password_stdin"},
};

struct Word {
  std::size_t at, length;
  bool operates = false;  ///< "|", ";", "&&", "<<<"
  bool begins = false;    ///< the first of a command
};

bool is_operator(char c) {
  return c == '|' || c == ';' || c == '&';
}

/// The programs that rules and readers know, by the bytes that their names begin with.
using Programs = std::array<std::vector<std::string_view>, 256>;

const Programs& programs() {
  static const Programs kPrograms = [] {
    std::set<std::string_view> names;
    for (const Rule& rule : kRules) names.insert(rule.program);
    for (const Reader& reader : kReaders) names.insert(reader.program);
    Programs by_byte;
    for (const std::string_view name : names)
      by_byte[static_cast<unsigned char>(name[0])].push_back(name);
    return by_byte;
  }();
  return kPrograms;
}

bool is_program(std::string_view name) {
  return !name.empty() && is_in(programs()[static_cast<unsigned char>(name[0])], name);
}

class Line {
 public:
  Line(std::string_view line, std::size_t begin, std::vector<MarkedWord>& found)
      : line_(line), begin_(begin), found_(found) {}

  void find(const CommandHints& hints) {
    if (hints.first_colons == CommandHints::kColonsOfPgpass) pgpass_row();
    if (!hints.program && !hints.login) return;
    split_words();
    if (hints.login) login_of_any();
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::string_view name = program(i);
      if (!is_program(name)) continue;
      for (const Rule& rule : kRules) {
        if (rule.program == name && (!rule.typed || is_typed(i))) apply(rule, i);
      }
      reads(name, i);
    }
  }

 private:
  std::string_view line_;
  std::size_t begin_;  ///< of the line in the text
  std::vector<MarkedWord>& found_;
  std::vector<Word> words_;

  void pgpass_row() {
    const std::string_view row =
        line_.substr(0, run_of(line_.substr(0, kLongestWord), [](char c) { return !is_blank(c); }));
    const std::vector<std::string_view> columns = split(row, ':');
    if (columns.size() != CommandHints::kColonsOfPgpass + 1) return;
    const std::string_view port = columns[1], user = columns[3], password = columns[4];
    const bool of_postgres =
        port == "5432" || (port == "*" && (columns[0] == "*" || columns[2] == "*"));
    if (!of_postgres || user.empty() || password.empty()) return;
    const auto place = [&](std::string_view column) {
      return static_cast<std::size_t>(column.data() - line_.data());
    };
    take(Takes::user, place(user), user.size());
    if (password != "redacted") take(Takes::password, place(password), password.size());
  }

  /// A mark of quotation that ends on the line; people write apostrophes.
  std::size_t quoted_length(std::size_t at) const {
    const char quote = line_[at];
    if (quote != '"' && quote != '\'') return 0;
    const std::size_t end = line_.substr(0, at + kLongestWord).find(quote, at + 1);
    return end == line_.npos ? 0 : end - at + 1;
  }

  void split_words() {
    bool begins = true;
    for (std::size_t at = 0; at < line_.size();) {
      const char c = line_[at];
      if (c == '#' && !words_.empty() && !words_.back().operates && at > 0 &&
          is_blank(line_[at - 1]) && !begins) {
        return;  // a comment
      }
      if (is_blank(c) || c == '`' || c == '(' || c == ')') {
        begins |= c == '`' || c == '(';
        ++at;
      } else if (is_operator(c)) {
        const std::size_t length = run_of(line_.substr(at), is_operator);
        words_.push_back({at, length, true});
        begins = true;
        at += length;
      } else if (line_.substr(at, 3) == "<<<") {
        words_.push_back({at, 3, true});
        at += 3;
      } else if (const std::size_t quoted = quoted_length(at)) {
        words_.push_back({at + 1, quoted - 2, false, begins});
        begins = false;
        at += quoted;
      } else {
        std::size_t end = at;
        while (end < line_.size() && !is_blank(line_[end]) && !is_operator(line_[end]) &&
               line_[end] != '`' && line_[end] != ')') {
          // --name='a b', -p'a&b'
          const bool of_option = end > at && (line_[end - 1] == '=' || line_[at] == '-');
          const std::size_t inner = of_option ? quoted_length(end) : 0;
          end += std::max<std::size_t>(inner, 1);
        }
        words_.push_back({at, end - at, false, begins});
        // "user@host:~$ usermod …", "$ usermod …", "# usermod …"
        const char last = line_[end - 1];
        begins = last == '$' || last == '#' || last == '%' || last == '>' ||
                 text(words_.size() - 1) == "sudo";
        at = end;
      }
    }
  }

  std::string_view text(std::size_t i) const {
    return line_.substr(words_[i].at, words_[i].length);
  }
  std::string_view program(std::size_t i) const {
    if (words_[i].operates) return "";
    const std::string_view word = text(i);
    return word.substr(word.rfind('/') + 1);
  }
  bool is_typed(std::size_t i) const { return words_[i].begins; }

  /// Where the command of the word `i` ends.
  std::size_t end_of(std::size_t i) const {
    std::size_t end = i + 1;
    while (end < words_.size() && end - i < kMostWords && !words_[end].operates) ++end;
    return end;
  }

  static bool is_option(std::string_view word) {
    return word.size() > 1 && (word[0] == '-' || (word[0] == '/' && word[1] != '/'));
  }

  /// `weak`: a word of prose may stand there.
  void take(Takes takes, std::size_t at, std::size_t length, bool weak = false) {
    if (length == 0 || length > kLongestWord) return;
    const std::string_view value = line_.substr(at, length);
    const auto add = [&](MarkedWord::Kind kind, std::size_t from, std::size_t count) {
      if (count > 0) found_.push_back({kind, begin_ + from, count});
    };
    // "$USER", "<password>", "${PW}" are none; a file that holds one is named.
    if (value[0] == '$' &&
        (value.size() < 2 || is_alpha(value[1]) || value[1] == '{' || value[1] == '('))
      return;
    if (value[0] == '<' || value[0] == '-' || value[0] == '{') return;
    switch (takes) {
      case Takes::host:
      case Takes::last_host:
      case Takes::hosts:
        return take_hosts(value, weak);
      case Takes::user:
      case Takes::last_user:
        return add(MarkedWord::Kind::user, at, length);
      case Takes::owner: {
        const std::size_t colon = std::min(value.find(':'), length);
        add(MarkedWord::Kind::user, at, colon);
        if (colon < length) add(MarkedWord::Kind::user, at + colon + 1, length - colon - 1);
        return;
      }
      case Takes::login:
        if (value.find_first_of(":,%") == value.npos)
          return add(MarkedWord::Kind::user, at, length);
        return value == ":" ? void() : add(MarkedWord::Kind::password, at, length);
      case Takes::password:
        if (value[0] == '/' || value[0] == '~') return;  // a file
        return add(MarkedWord::Kind::password, at, length);
    }
  }

  /// "host", "user@host:path", "host:4,host[1-3]", "//host/share". `weak`: a word of prose may
  /// stand there.
  void take_hosts(std::string_view list, bool weak) {
    for (std::size_t from = 0; from < list.size();) {
      const std::size_t end = std::min(list.find(',', from), list.size());
      std::string_view one = list.substr(from, end - from);
      one.remove_prefix(run_of(one, [](char c) { return c == '/'; }));
      const std::string_view login = one.substr(0, std::min(one.find_first_of("/:["), one.size()));
      if (const std::size_t mark = login.rfind('@'); mark != login.npos)
        one.remove_prefix(mark + 1);
      const std::string_view name = one.substr(0, name_length(one));
      const bool plain = is_name(name) && name.find('_') == name.npos && !is_technical(name);
      if (plain && (!weak || looks_like_host(name) || is_private_host(name))) {
        const auto place = static_cast<std::size_t>(name.data() - line_.data());
        found_.push_back({MarkedWord::Kind::host, begin_ + place, name.size()});
      }
      from = end + 1;
    }
  }

  /// "-p PASSWORD -u NAME" of a program that no rule knows. Ports, numbers and files are none.
  void login_of_any() {
    for (std::size_t i = 0; i + 1 < words_.size(); ++i) {
      if (text(i) != "-p") continue;
      std::size_t begin = i;
      while (begin > 0 && i - begin < kMostWords && !words_[begin - 1].operates) --begin;
      const std::size_t end = end_of(i);
      for (std::size_t at = begin; at + 1 < end; ++at) {
        if (text(at) != "-u" || at + 1 == i) continue;
        const std::string_view password = text(i + 1);
        const bool taken = password == "redacted";  // the names are looked for after the secrets
        if (!taken && (!mixes_letters(password) || password.size() < 6 ||
                       password.find_first_of(":/.=") != password.npos))
          break;
        if (!taken) take(Takes::password, words_[i + 1].at, words_[i + 1].length);
        take(Takes::user, words_[at + 1].at, words_[at + 1].length);
        break;
      }
    }
  }

  void apply(const Rule& rule, std::size_t i) {
    const std::size_t end = end_of(i);
    if (rule.takes == Takes::last_user || rule.takes == Takes::last_host) {
      // "usermod -aG render NAME"; "usermod: no changes" is none.
      if (end > i + 1 && (rule.typed || is_option(text(i + 1)) || end == i + 2) &&
          !is_option(text(end - 1)))
        take(rule.takes, words_[end - 1].at, words_[end - 1].length, rule.typed);
      return;
    }
    if (rule.option.empty()) return take_first(rule, i, end);
    for (std::size_t at = i + 1; at < end; ++at) {
      const std::string_view word = text(at);
      // What follows is the command's that sudo runs.
      if (rule.program == "sudo" && !is_option(word)) return;
      if (is_this(rule, word)) {
        if (at + 1 + rule.skip < end) {
          const Word& value = words_[at + 1 + rule.skip];
          take(rule.takes, value.at, value.length, rule.typed);
        }
        return;
      }
      const bool named = rule.option.starts_with("--") && word.starts_with(rule.option) &&
                         word.substr(rule.option.size()).starts_with('=');
      if (named || (rule.glued != Glued::no && word.size() > rule.option.size() &&
                    word.starts_with(rule.option))) {
        const std::size_t mark = rule.option.size() + (named ? 1 : 0);
        return take(rule.takes, words_[at].at + mark, words_[at].length - mark, rule.typed);
      }
    }
  }

  /// "-u", and "-iu" of one that takes its value behind it.
  static bool is_this(const Rule& rule, std::string_view word) {
    if (word == rule.option) return rule.glued != Glued::must;
    const bool letter =
        rule.option.size() == 2 && rule.option[0] == '-' && is_alpha(rule.option[1]);
    if (!letter || word.size() < 3 || word[0] != '-') return false;
    const bool letters = std::all_of(word.begin() + 1, word.end(), is_alpha);
    const bool last = word.back() == rule.option[1];
    // htpasswd's "-bc" may be in any order.
    const bool any = rule.program == "htpasswd" && word.find(rule.option[1]) != word.npos;
    return letters && rule.glued != Glued::must && (last || any);
  }

  /// "-p 2222" of ssh, before the host.
  static bool takes_a_value(std::string_view program, std::string_view option) {
    constexpr std::string_view kOfSsh = "bcDEeFIiJLlmOopQRSWw";
    return program == "ssh" && option.size() == 2 && kOfSsh.find(option[1]) != kOfSsh.npos;
  }

  void take_first(const Rule& rule, std::size_t i, std::size_t end) {
    std::size_t skip = rule.skip;
    for (std::size_t at = i + 1; at < end; ++at) {
      const std::string_view word = text(at);
      if (is_option(word)) {
        if (takes_a_value(rule.program, word)) ++at;
        continue;
      }
      if (skip-- > 0) continue;
      // "chown NAME:GROUP /path"; a word of prose has neither.
      const bool path = at + 1 < end && text(at + 1).find_first_of("/~.") != std::string_view::npos;
      if (rule.takes == Takes::owner && word.find(':') == word.npos && !path) return;
      return take(rule.takes, words_[at].at, words_[at].length, rule.typed);
    }
  }

  /// "echo PASSWORD | sudo -S", "sudo -S <<< PASSWORD", "echo USER:PASSWORD | chpasswd".
  void reads(std::string_view name, std::size_t i) {
    const std::size_t end = end_of(i);
    const bool reader = std::ranges::any_of(kReaders, [&](const Reader& one) {
      if (one.program != name) return false;
      for (std::size_t at = i + 1; at < end; ++at) {
        if (text(at) == one.option) return true;
      }
      return one.option.empty();
    });
    if (!reader) return;
    if (end + 1 < words_.size() && text(end) == "<<<")
      take(Takes::password, words_[end + 1].at, words_[end + 1].length);
    // Back over "sudo" and "docker" to the pipe.
    std::size_t pipe = i;
    while (pipe > 0 && i - pipe < kMostWords && !words_[pipe].operates) --pipe;
    if (pipe == 0 || text(pipe) != "|") return;
    std::size_t first = pipe;
    while (first > 0 && pipe - first < kMostWords && !words_[first - 1].operates) --first;
    static constexpr std::string_view kEchoes[] = {"echo", "printf"};
    for (std::size_t at = first; at < pipe; ++at) {
      if (!is_in(kEchoes, program(at))) continue;
      for (std::size_t value = at + 1; value < pipe; ++value)
        take(Takes::password, words_[value].at, words_[value].length);
      return;
    }
  }
};

}  // namespace

bool names_a_program(std::string_view line, std::size_t at, std::size_t length) {
  const std::vector<std::string_view>& known = programs()[static_cast<unsigned char>(line[at])];
  if (known.empty() || length > kLongestProgram) return false;
  if (at > 0 && (line[at - 1] == '-' || line[at - 1] == '.')) return false;
  length += run_of(line.substr(at + length, kLongestProgram),
                   [](char c) { return is_word(c) || c == '-'; });
  const std::string_view rest = line.substr(at + length);
  return (rest.empty() || is_blank(rest[0]) || rest[0] == ')') &&
         is_in(known, line.substr(at, length));
}

void find_command_words(std::string_view line, std::size_t begin, const CommandHints& hints,
                        std::vector<MarkedWord>& found) {
  Line(line, begin, found).find(hints);
}

}  // namespace rocvet
