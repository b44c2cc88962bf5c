// What people type and paste: who is named in it, and which words are passwords.
#include "source/command_lines.h"

#include <doctest/doctest.h>

#include <chrono>
#include <string>

#include "source/marked_words.h"
#include "source/secrets.h"
#include "tests/unit/secrets/shared_text.h"

using namespace rocvet;

TEST_CASE("a password that a program is given goes, whatever the program's option is called") {
  for (const char* line : {"echo 'dragonfly997' | sudo -S apt install x",
                           "echo dragonfly997 | sudo --stdin true",
                           "sudo -S <<< \"dragonfly997\" apt update",
                           "kinit max <<< dragonfly997",
                           "echo 'mabdulra:dragonfly997' | sudo chpasswd",
                           "printf 'dragonfly997' | docker login -u x",
                           "htpasswd -bc passwords max dragonfly997",
                           "rabbitmqctl add_user max dragonfly997",
                           "mongosh -u max -p dragonfly997",
                           "racadm -r bmc -u root -p dragonfly997 get",
                           "mysql -u root -pdragonfly997 models",
                           "curl -umax:dragonfly997 https://x.example",
                           "curl -sku max:dragonfly997 https://x.example",
                           "curl -u max:dragonfly997 https://x.example",
                           "http -a max:dragonfly997 https://x.example",
                           "lftp -u max,dragonfly997 sftp://x",
                           "plink -ssh max@box -pw dragonfly997",
                           "x11vnc -passwd dragonfly997",
                           "xfreerdp /u:max /p:dragonfly997 /v:box",
                           "ssh-keygen -t rsa -N 'dragonfly997'",
                           "unzip -Pdragonfly997 a.zip",
                           "rar x -pdragonfly997 a.rar",
                           "nmcli con modify x wifi-sec.psk dragonfly997",
                           "wpa_passphrase MyNet dragonfly997",
                           "openvpn --auth-user-pass max dragonfly997",
                           "docker login -u max -p dragonfly997 reg.x",
                           "sshpass -p dragonfly997 ssh box",
                           "smbclient //nas/x -U max%dragonfly997"}) {
    CAPTURE(line);
    const std::string out = without_secrets(line);
    CAPTURE(out);
    CHECK(out.find("dragonfly997") == out.npos);
    CHECK(without_secrets(out) == out);
  }
}

TEST_CASE("what a command line says of the machine stays") {
  for (const char* line :
       {"docker run -u 1000:1000 -p 8080:80 rocm/pytorch:latest python train.py",
        "curl -u : https://x.example ; sudo -u root rocminfo", "mysql -p models",
        "sudo usermod -aG render,video $USER   # add the user to the groups",
        "usermod -a -G video,render $LOGNAME # Add the current user to the render and video groups",
        "sudo journalctl -u ollama -b", "sudo systemctl restart ollama", "su -c rocminfo",
        "chown the device to root", "passwd: files systemd", "cat /etc/passwd | grep video",
        "unzip rocm.zip -d /opt", "ssh-keygen -t ed25519", "echo 1 | sudo tee /proc/sys/vm/x",
        "sudo rocm-smi --showuser", "don't run sudo -u, it's not needed", "zip -r a.zip lib"}) {
    CAPTURE(line);
    CHECK(shared(line) == line);
  }
}

TEST_CASE("whom a command or a message names is nobody in what is passed on") {
  for (const char* line : {"sudo usermod -aG render,video izielins",
                           "sudo adduser izielins video",
                           "sudo gpasswd -a izielins render",
                           "sudo chown izielins:izielins /dev/kfd",
                           "sudo -u izielins rocminfo",
                           "sudo -iu izielins",
                           "su - izielins",
                           "runuser -l izielins -c x",
                           "sudo loginctl enable-linger izielins",
                           "ssh -l izielins box",
                           "psql -U izielins models",
                           "mysql -u izielins models",
                           "server --username izielins",
                           "k --docker-username=izielins",
                           "FATAL: password authentication failed for user \"izielins\"",
                           "Access denied for user 'izielins'@'localhost'",
                           "Adding user `izielins' to group `render'",
                           "izielins is not in the sudoers file.",
                           "[sudo] Passwort f\u00fcr izielins:",
                           "session opened for user root(uid=0) by izielins(uid=1000)",
                           "Started User Manager for UID 1000 (izielins).",
                           "{'USER': 'izielins', 'LANG': 'C'}",
                           "-rw-r--r-- 1 izielins izielins 12 Nov 28 10:00 train.py",
                           "izielins   4711  0.0  0.1  12345  6789 pts/0 S+ 10:00 0:00 python",
                           "izielins pts/0 2026-11-28",
                           "izielins:x:1001:1001::/home/x:/bin/bash",
                           "machine gitlab.com login izielins",
                           "izielins@galatea ~ %",
                           "DRIVER={ODBC};UID=izielins;DATABASE=x",
                           "C:\\Users\\izielins M\\x.py"}) {
    CAPTURE(line);
    const std::string out = shared(line);
    CAPTURE(out);
    CHECK(out.find("izielins") == out.npos);
  }
  for (const char* name : {"M\u00fcller", "Max Wagner"}) {
    const std::string out = shared("C:\\Users\\" + std::string(name) + "\\venv\\x.py");
    CAPTURE(out);
    CHECK(out.find("Wagner") == out.npos);
    CHECK(out.find("ller") == out.npos);
  }
  CHECK(shared("Author: Mei Delacroix <mei@lab.example>").find("Delacroix") == std::string::npos);
}

TEST_CASE("who built a kernel goes where it is no distribution") {
  const std::string own =
      "Linux version 6.9.3 (mwagner@betelgeuse84) (gcc (GCC) 14.1.1) #1 SMP PREEMPT_DYNAMIC";
  CHECK(shared(own).find("mwagner") == std::string::npos);
  CHECK(shared(own).find("betelgeuse84") == std::string::npos);
  CHECK(shared(own).starts_with("Linux version 6.9.3 ("));
  const std::string debian =
      "Linux version 6.8.0-45-generic (buildd@lcy02-amd64-115) (x86_64-linux-gnu-gcc-13) "
      "#45-Ubuntu";
  CHECK(shared(debian) == debian);
}

TEST_CASE("passwords of other languages and unparted names") {
  for (const char* line :
       {"mot de passe : Kaffee5355x", "\u5bc6\u7801\uff1aKaffee5355x",
        "\u5bc6\u7801\u662fKaffee5355x", "\u53e3\u4ee4: Kaffee5355x",
        "\ube44\ubc00\ubc88\ud638: Kaffee5355x", "\u015fifre: Kaffee5355x", "clave: Kaffee5355x",
        "MYPASS=Kaffee5355x", "DBPWD=Kaffee5355x", "PWD_DB=Kaffee5355x", "CREDS=max:Kaffee5355x",
        "user/pass: max/Kaffee5355x",
        "Authorization: Digest username=\"max\", response=\"Kaffee5355x\""}) {
    CAPTURE(line);
    CHECK(without_secrets(line).find("5355x") == std::string::npos);
  }
  for (const char* line : {"OLDPWD=/home/x/models", "BYPASS=1", "COMPASS=north", "PASS: 3"}) {
    CAPTURE(line);
    CHECK(without_secrets(line) == line);
  }
}

TEST_CASE("one long line that speaks of people takes no longer than its length") {
  for (const char* part :
       {"a@bcd ", "login x ", "name: ", "(ab@cd ", "Name Other <a@b> ", "--user abc "}) {
    CAPTURE(part);
    std::string text;
    while (text.size() < (1u << 20u)) text += part;
    const auto begin = std::chrono::steady_clock::now();
    CHECK_FALSE(shared(text).empty());
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(60));
  }
}

TEST_CASE("a line of commands alone takes no longer than its length") {
  std::string text;
  while (text.size() < (4u << 20u)) text += "sudo -u sudo -S <<< mysql ";
  const auto begin = std::chrono::steady_clock::now();
  CHECK_FALSE(find_marked_words(text).empty());
  // A bound, not a speed: what is quadratic needs hours.
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(60));
}
