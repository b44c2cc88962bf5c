// Values of a machine as words of a command: a shell reads back what was put in, and nothing else.
#include "base/step.h"

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <vector>

namespace rocvet {
namespace {

// A step is made of literals and words alone.
static_assert(!std::is_constructible_v<Step, std::string>);
static_assert(!std::is_constructible_v<Step, const std::string&>);
static_assert(!std::is_constructible_v<Step, std::string_view>);
static_assert(!std::is_constructible_v<Step, char (&)[8]>);
static_assert(!std::is_constructible_v<Step, std::string, Word>);
static_assert(!std::is_constructible_v<Literal, std::string>);
static_assert(!std::is_constructible_v<Literal, std::string_view>);
static_assert(!std::is_assignable_v<Step&, std::string>);
static_assert(std::is_constructible_v<Step, const char (&)[8]>);
static_assert(std::is_constructible_v<Word, std::string>);

const std::vector<std::string> kHostile = {"",
                                           "$(touch X)",
                                           "`touch X`",
                                           ";rm -rf ~",
                                           "a b",
                                           "a'b",
                                           "'",
                                           "''",
                                           "\"",
                                           "a\"$(touch X)\"",
                                           "\\",
                                           "a\\",
                                           "\\'",
                                           "\\\\'",
                                           "'\\",
                                           "\\n",
                                           "a\\nb\\c",
                                           "%s%n",
                                           "!x",
                                           "!!",
                                           "*",
                                           "?[a]",
                                           "~root",
                                           "#x",
                                           "a#b",
                                           "{a,b}",
                                           "$HOME",
                                           "${IFS}x",
                                           "&& x",
                                           "| x",
                                           "> x",
                                           "=x",
                                           "a=b",
                                           "\xc3\xa9t\xc3\xa9",
                                           "\xe4\xb8\xad\xe6\x96\x87",
                                           "'; touch X; '",
                                           "$'\\n'",
                                           "\xf0\x9f\x92\xa9",
                                           "plain-1.2_3:4/5,6@7%8+9=0"};

std::string what_a_shell_reads(const std::string& shell, const std::string& word) {
  // popen hands the text to sh, which starts the shell under test with a here-document's text.
  const std::string command = shell + " <<'THE_END'\nprintf %s " + word + "\nTHE_END\n";
  FILE* pipe = popen(command.c_str(), "r");  // NOLINT
  REQUIRE(pipe != nullptr);
  std::string out;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) out += static_cast<char>(c);
  CHECK(pclose(pipe) == 0);
  return out;
}

}  // namespace

TEST_CASE("a shell reads a quoted word back as the value") {
  for (const char* shell : {"sh", "bash", "zsh -f", "fish --no-config"}) {
    const std::string name = std::string(shell).substr(0, std::string(shell).find(' '));
    if (std::system(("command -v " + name + " >/dev/null 2>&1").c_str()) != 0) continue;
    for (const std::string& value : kHostile) {
      CAPTURE(shell);
      CAPTURE(value);
      const auto word = shell_quoted(value);
      REQUIRE(word.has_value());
      CHECK(what_a_shell_reads(shell, *word) == value);
    }
  }
}

TEST_CASE("what is plain stays as it is, the rest is quoted") {
  CHECK(shell_quoted("render") == "render");
  CHECK(shell_quoted("/opt/rocm-6.2.0") == "/opt/rocm-6.2.0");
  CHECK(shell_quoted("6.8.0-60-generic") == "6.8.0-60-generic");
  CHECK(shell_quoted("") == "''");
  CHECK(shell_quoted("a b") == "'a b'");
  CHECK(shell_quoted("a'b") == "'a'\\''b'");
  CHECK(shell_quoted("-x") == "'-x'");
}

TEST_CASE("no command line carries control characters, broken UTF-8 or text that is not seen") {
  for (const char* value : {"a\nb", "a\rb", "\t", "\x1b[31m", "\x7f", "\xff", "\xc3", "\xc0\xaf",
                            "\xed\xa0\x80", "\xf4\x90\x80\x80",
                            "\xe2\x80\xae"
                            "cod.exe",
                            "\xe2\x81\xa6x", "\xe2\x80\x8b", "\xe2\x80\xa8", "\xc2\x85",
                            "\xef\xbb\xbfx", "\xd8\x9c", "\xc2\xad",
                            // a Hangul filler, a variation selector, a combining joiner
                            "zz\xe3\x85\xa4.conf", "a\xef\xb8\x80", "a\xcd\x8f"}) {
    CAPTURE(value);
    CHECK_FALSE(shell_quoted(value).has_value());
  }
  CHECK_FALSE(shell_quoted(std::string_view("a\0b", 3)).has_value());
}

TEST_CASE("a step holds its values as words") {
  const Step step("sudo usermod -aG {} {}", "ren der", std::string("$(id)"));
  CHECK(step.text() == "sudo usermod -aG 'ren der' '$(id)'");
  CHECK(step.is_command());
  CHECK(Step("export {}={}", "ROCM_PATH", "/opt/x y").text() == "export ROCM_PATH='/opt/x y'");
  CHECK(Step("rm {}libhsa-runtime64.so*", "/a b/").text() == "rm '/a b/'libhsa-runtime64.so*");
  CHECK(Step("echo {} | sudo tee /x", 7).text() == "echo 7 | sudo tee /x");
  const std::vector<std::string> names = {"a", "b;c"};
  CHECK(Step("sudo apt purge {}", Word::list(names)).text() == "sudo apt purge a 'b;c'");
  CHECK(Step("sudo usermod -aG render {}", Word::code("\"$USER\"")).text() ==
        "sudo usermod -aG render \"$USER\"");
  // The values are no part of what decides whether it is a command.
  CHECK(Step("df -h {}", "/mnt/IMAGE (old)").is_command());
}

TEST_CASE("a value that no quotes make safe turns the step into a comment") {
  const auto by_hand = [](const Step& step) {
    CAPTURE(step.text());
    return step.text().starts_with("# by hand: ") && !step.is_command() &&
           step.text().find('\n') == std::string::npos;
  };
  CHECK(by_hand(Step("sudo usermod -aG render {}", "a\n: >X\nb")));
  CHECK(Step("sudo usermod -aG render {}", "a\n$(id)").text() ==
        "# by hand: sudo usermod -aG render a???id?");
  // An option, or nothing at all.
  CHECK(by_hand(Step("sudo usermod -aG {} ada", "-R/x")));
  CHECK(by_hand(Step("sudo usermod -aG {} ada", "")));
  CHECK(by_hand(Step("rm {}lib*", "-rf /")));
  CHECK(Step("export HSA_XNACK={}", "-1").is_command());
  CHECK(Step("export HSA_XNACK={}", "").is_command());
  // bash runs what is in the brackets, quoted or not.
  CHECK(by_hand(Step("unset {}", "a[$(id)]")));
  CHECK(by_hand(Step("export {}={}", "a[$(id)]", "1")));
  CHECK(by_hand(Step("unset {}", "1a")));
  // dash's echo makes a line's end of it.
  CHECK(by_hand(Step("echo {} | sudo tee /etc/ld.so.conf.d/rocm.conf", "/opt/a\\n/evil")));
  CHECK(by_hand(Step("sudo rm -r {}", "/var/lib/dkms/amdgpu/../../../etc")));
  const std::vector<std::string> names = {"a", "-y"}, none;
  CHECK(by_hand(Step("sudo apt purge {}", Word::list(names))));
  CHECK(by_hand(Step("sudo apt purge {}", Word::list(none))));
  // sed's own syntax.
  for (const char* value : {"a/e", "a;w /x", "a&b", "", "x'y"}) {
    CAPTURE(value);
    CHECK(by_hand(Step("sudo sed -i {} /x", Word::around("s/", value, "//"))));
  }
  CHECK(Step("sudo sed -i {} /x", Word::around("s/\\b", "mem=4G", "\\b//")).text() ==
        "sudo sed -i 's/\\bmem=4G\\b//' /x");
}

TEST_CASE("a named gap takes plain values alone, wherever it stands") {
  Step step("echo 'options ttm pages_limit=PAGES' | sudo tee /x");
  CHECK_FALSE(step.is_command());
  step.fill("PAGES", "1'; touch X; '");
  step.fill("PAGES", "$(id)");
  step.fill("PAGES", "");
  CHECK(step.text() == "echo 'options ttm pages_limit=PAGES' | sudo tee /x");
  step.fill("PAGES", "123");
  CHECK(step.text() == "echo 'options ttm pages_limit=123' | sudo tee /x");
  CHECK(step.is_command());
}

TEST_CASE("a name that is not to be passed on is replaced before it is quoted") {
  const auto without_ada = [](std::string_view value) {
    std::string text(value);
    for (std::size_t at = text.find("a'da"); at != text.npos; at = text.find("a'da"))
      text.replace(at, 4, "user");
    return text;
  };
  Step step("sudo usermod -aG {} {}", "ren der", "a'da;x");
  step.change(without_ada);
  CHECK(step.text() == "sudo usermod -aG 'ren der' 'user;x'");
  CHECK(step.is_command());
  const std::vector<std::string> names = {"b", "a'da"};
  Step list("sudo apt purge {}", Word::list(names));
  list.change(without_ada);
  CHECK(list.text() == "sudo apt purge b user");
  Step sed("sudo sed -i {} /x", Word::around("s/\\b", "mem=4G", "\\b//"));
  sed.change(without_ada);
  CHECK(sed.text() == "sudo sed -i 's/\\bmem=4G\\b//' /x");
  // What would take a quote along.
  Step secret("export ROCM_PATH={}", "tok en;touch X");
  secret.change([](std::string_view value) {
    const std::size_t at = value.find("ROCM_PATH='tok");
    return at == value.npos
               ? std::string(value)
               : std::string(value.substr(0, at)) + "redacted" + std::string(value.substr(at + 14));
  });
  CHECK(secret.text() == "# by hand: export redacted en;touch X'");
  CHECK_FALSE(secret.is_command());
}

TEST_CASE("a step of a stranger's report is one line and never a command") {
  const Step step = Step::of_report("sudo true\nrm -rf /");
  CHECK(step.text() == "sudo true rm -rf /");
  CHECK_FALSE(step.is_command());
  CHECK(Step::of_database("unset HIP_PATH\nrm x").text() == "unset HIP_PATH rm x");
}

TEST_CASE("advice in words and commands with a place to fill in are no commands") {
  CHECK(Step("sudo reboot").is_command());
  CHECK_FALSE(Step("plug the charger in").is_command());
  CHECK_FALSE(Step("podman run --group-add keep-groups IMAGE").is_command());
  CHECK_FALSE(Step("ulimit -n 65536 (service: LimitNOFILE=65536)").is_command());
  CHECK(Step("docker run --group-add \"$(stat -c %g /dev/kfd)\" x").is_command());
  CHECK_FALSE(Step().is_command());
  // A remark behind the command is none of it, whatever it says.
  CHECK(Step("pip install 'numpy<2'   # or a newer framework (IMAGE)").is_command());
  CHECK_FALSE(Step("sudo apt install PACKAGE").is_command());
  CHECK(Step("rpm -qa --qf '%{NAME}' | sudo xargs -r dnf remove -y").is_command());
}

TEST_CASE("what only looks mends nothing, and what is left open still does") {
  CHECK(Step("sudo dmesg | grep -i amdgpu").only_looks());
  CHECK(Step("df -h; df -i").only_looks());
  CHECK_FALSE(Step("grep -ls x /etc/modprobe.d/*.conf | sudo xargs -r sed -i s/x//").only_looks());
  CHECK_FALSE(Step("find . -name '*.mxr' -delete").only_looks());
  CHECK(Step("docker run IMAGE").mends());
  CHECK_FALSE(Step("lspci -nn").mends());
  CHECK_FALSE(Step("plug the charger in").mends());
}

TEST_CASE("a name that is asked for becomes a variable where it stands by itself and bare") {
  Step step("sudo systemctl restart SERVICE && echo SERVICEACCOUNT MY_SERVICE 'SERVICE' $SERVICE");
  CHECK(step.ask("SERVICE", "\"$SERVICE\""));
  CHECK(step.text() ==
        "sudo systemctl restart \"$SERVICE\" && echo SERVICEACCOUNT MY_SERVICE 'SERVICE' $SERVICE");
  Step of_machine("sudo usermod -aG render {}", "SERVICE");
  CHECK_FALSE(of_machine.ask("SERVICE", "\"$SERVICE\""));
  CHECK(of_machine.text() == "sudo usermod -aG render SERVICE");
}

TEST_CASE("the name of a unit leads into no other folder") {
  const char* name = "a/../../../tmp/x";
  CHECK_FALSE(
      Step("sudo install -D /dev/stdin /etc/systemd/system/{}.d/x.conf", name).is_command());
  CHECK(
      Step("sudo install -D /dev/stdin /etc/systemd/system/{}.d/x.conf", "a.service").is_command());
}

}  // namespace rocvet
