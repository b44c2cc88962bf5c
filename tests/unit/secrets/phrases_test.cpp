// Whom programs and people name in words that are always the same.
#include "source/phrases.h"

#include <doctest/doctest.h>

#include <chrono>
#include <initializer_list>
#include <string>

#include "source/marked_words.h"
#include "tests/unit/secrets/shared_text.h"

using namespace rocvet;

namespace {

struct Line {
  const char *text, *gone;
};

void check_gone(std::initializer_list<Line> lines) {
  for (const Line& line : lines) {
    CAPTURE(std::string(line.text));
    CHECK(shared(line.text).find(line.gone) == std::string::npos);
  }
}

}  // namespace

TEST_CASE("who and which machine a scheduler, a licence or a service names goes") {
  check_gone(
      {Line{"sbatch: Submitted by mschmidt from loginnode", "mschmidt"},
       Line{"sbatch: Submitted by mschmidt from loginnode", "loginnode"},
       Line{"  812 gpu run.sh mschmidt  R 1:02 1 rivendell", "mschmidt"},
       Line{"  812 gpu run.sh mschmidt  R 1:02 1 rivendell", "rivendell"},
       Line{"  812 gpu run.sh mschmidt PD 0:00 1 (Resources)", "mschmidt"},
       Line{"gpu* up infinite 2 idle gandalf[01-02]", "gandalf"},
       Line{"ANSYS license 27 checked out by mschmidt@gandalf", "gandalf"},
       Line{"process x pid 4242 user mschmidt", "mschmidt"},
       Line{"init_method=tcp://kraken7:29500", "kraken7"},
       Line{"Command line: root=/dev/nfs nfsroot=rivendell:/export/node,ro", "rivendell"},
       Line{"[rank3@gandalf]:[E101] Watchdog", "gandalf"},
       Line{"torchrun --rdzv_endpoint=gandalf:29400", "gandalf"},
       Line{"torchrun --rdzv-endpoint gandalf:29400", "gandalf"},
       Line{"mpirun -np 8 -H gandalf:4,moria:4 ./a.out", "moria"},
       Line{"LSB_HOSTS=\"gandalf moria\"", "moria"},
       Line{"From: LSF <lsfadmin@gandalf>", "gandalf"},
       Line{"<13>1 2024-11-28T10:00:01Z gandalf app - - -", "gandalf"},
       Line{"<13>Nov 28 10:00:01 gandalf app[7]: x", "gandalf"},
       Line{"100.101.2.3 gandalf mschmidt@ linux active", "mschmidt"},
       Line{"100.101.2.3 gandalf mschmidt@ linux active", "gandalf"},
       Line{"git@git.lab.acme-inc.de:mschmidt/x.git", "acme-inc"},
       Line{"git@git.lab.acme-inc.de:mschmidt/x.git", "mschmidt"},
       Line{"arn:aws:iam::530550944874:user/mschmidt", "mschmidt"},
       Line{"Public URL: https://78663d0a470eed.gradio.live", "78663d0a470eed"},
       Line{"(mschmidt\u327fgandalf)-[~/x]", "mschmidt"},
       Line{"(mschmidt\u327fgandalf)-[~/x]", "gandalf"},
       Line{"ACMECORP\\mschmidt", "ACMECORP"},
       Line{"mount -t cifs //gandalf/share /mnt", "gandalf"},
       Line{"scp m.bin mschmidt@10.39.122.212:/data/", "mschmidt"},
       Line{"ssh -p 2222 -l me gandalf7 rocm-smi", "gandalf7"},
       Line{"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIf me@gandalf", "gandalf"},
       Line{"ssh: connect to host gandalf port 22: refused", "gandalf"},
       Line{"root@219b722ff983:/workspace# ls", "219b722ff983"},
       Line{"[gandalf7: ip=10.60.23.7]", "gandalf7"},
       Line{"git clone https://gitlab.eng.acme-inc.com/x", "acme-inc"},
       Line{"machine node1.hpc.acme.ac.in", "acme"},
       Line{"/resourceGroups/mschmidt-rg", "mschmidt"},
       Line{"-i ~/.ssh/id_mschmidt", "mschmidt"},
       Line{"fatal: [gandalf]: UNREACHABLE!", "gandalf"},
       Line{"gandalf                   : ok=12 changed=3", "gandalf"},
       Line{"gandalf slots=8", "gandalf"},
       Line{"gandalf   Ready   <none>   3d   v1.30", "gandalf"},
       Line{"[gandalf:41231:0] ib_device.c:1", "gandalf"},
       Line{"redis://gandalf:6379/0", "gandalf"},
       Line{"3 1000 mschmidt seat0 tty2", "mschmidt"},
       Line{"error: 4711 gpu a.sh mschmidt  R 1:02 1 gandalf", "gandalf"},
       Line{"process 7 of user 1002 (mschmidt) dumped core", "mschmidt"},
       Line{"render:x:109:mschmidt,mmueller", "mmueller"},
       Line{"https://me:x@git.acme-inc.org/a.git", "acme-inc"},
       Line{"mschmidt@gandalf's password:", "gandalf"},
       Line{"POWER_SUPPLY_SERIAL_NUMBER=6963337", "6963337"},
       Line{"arn:aws:sts::1:assumed-role/dev/mschmidt", "mschmidt"},
       Line{"mschmidt:$6$rIncL0Y5cgWt$7Yoeh5KN46VG5rbNtkUZ3yub8cr7mrBafw:1:", "7Yoeh5KN46"}});
}

TEST_CASE("the names that people sign with go, in letters of any alphabet") {
  check_gone({Line{"Best regards, Maria van der Berg", "Maria"},
              Line{"Best regards, Maria van der Berg", "Berg"},
              Line{"Reported by J\u00fcrgen M\u00fcller:", "M\u00fcller"},
              Line{"git config user.name \"Maria Berg\"", "Berg"},
              Line{"GIT_AUTHOR_NAME='Maria Berg'", "Maria"},
              Line{"CN=Maria Berg,OU=Users,DC=acme", "Maria"},
              Line{"mberg:x:1001:1001:Maria Berg,,,:/home/mberg:/bin/sh", "Maria"}});
}

TEST_CASE("folders that people call after themselves lose the name, those of software keep it") {
  for (const char* path :
       {"/work/mschmidt/venv", "/data/mschmidt/x", "/mnt/data/mschmidt/x", "/u/mschmidt/x",
        "/scratch/project_12/mschmidt/x", "/gpfs/projects/bsc/mschmidt/x", "/tmp/mschmidt/x",
        "/tmp/ray_mschmidt/x", "/home/ACME/mschmidt/x", "/afs/cern.ch/user/m/mschmidt/x",
        "D:\\Benutzer\\mschmidt\\x.py", "%2Fhome%2Fmschmidt%2Fx"}) {
    CAPTURE(path);
    CHECK(shared(path).find("mschmidt") == std::string::npos);
  }
  for (const char* path :
       {"/data/models/llama", "/work/comfyui/venv", "/tmp/torch/x", "/data/imagenet/train",
        "/opt/rocm/lib", "/workspace/vllm/setup.py", "/tmp/miopen/x", "/home/user/data/wheels/x",
        "https://rocm.docs.amd.com/projects/install/en/latest/x", "../data/tables/gpus.csv",
        "/tmp/pytorch/build", "/usr/share/data/pixmaps/x"}) {
    CAPTURE(path);
    CHECK(shared(path) == path);
  }
}

TEST_CASE("passwords go that people write down, and the names before them") {
  check_gone(
      {Line{"login with mschmidt / Kaffee!5355 and run it", "Kaffee!5355"},
       Line{"login with mschmidt / Kaffee!5355 and run it", "mschmidt"},
       Line{"tool -p Kaffee$2963 -u mschmidt", "Kaffee"},
       Line{"tool -p Kaffee$2963 -u mschmidt", "mschmidt"},
       Line{"*:*:*:mschmidt:dragonfly302", "dragonfly302"},
       Line{"echo \"root:dragonfly302\" | chpasswd", "dragonfly302"},
       Line{"mysqldump -uroot -p'75Qf&aLBS!mm' x", "aLBS"},
       Line{"le mot de passe est S3cr3thXF1I", "S3cr3thXF1I"},
       Line{"la contrase\u00f1a es Sonnenuhr969?", "Sonnenuhr969"},
       Line{"password di accesso: mJKD!rvwt7LP", "mJKD"},
       Line{"StoragePass=P4ssamPWB", "P4ssamPWB"},
       Line{"ldap_default_authtok = gbSi!NvhG", "gbSi"},
       Line{"rootpw --plaintext 4vLv%7KQA", "4vLv"},
       Line{"<property name=\"x.password\">oHkk#zl1H</property>", "oHkk"},
       Line{"run(\"MTA9qE5H0aaaaaaaaaaaaaaaaa.G8Qwhn.aBcD1eFgH2iJkL3mNoP4qRsT5\")", "G8Qwhn"},
       Line{"IDENTIFIED BY 'LDTa&ARlF!3Q'", "LDTa"},
       Line{"db:5432:models:mschmidt:dragonfly302", "mschmidt"},
       Line{"smtp.login('m@acme.de', 'dragonfly302')", "dragonfly302"},
       Line{"auth=('mschmidt', \"dragonfly302\")", "dragonfly302"},
       Line{"AUTH: user 'mschmidt' password 'dragonfly302'", "mschmidt"},
       Line{"root password of that box is dragonfly302, then", "dragonfly302"},
       Line{"seed phrase: ladder velvet canyon fossil elbow", "velvet"},
       Line{"IBAN DE89 3704 0044 0532 0130 00", "0044"},
       Line{"Activation code Z9IOW-P8C4W-KV8I7-QNQ51-6BJ06", "KV8I7"},
       Line{"-u 0xdef06f01d479650eb900c143aeaf7e7437cfdbd7", "def06f01"},
       Line{"(SSID='Smith Family' freq=5180 MHz)", "Smith"},
       Line{"nmcli dev wifi connect \"Smith\" password \"x\"", "Smith"}});
}

TEST_CASE("disks, containers and cards lose what only they are called") {
  check_gone({Line{"/dev/disk/by-id/nvme-Samsung_SSD_990_PRO_2TB_S73WNJ0T51-part1", "S73WNJ0T51"},
              Line{"ata-WDC_WD10SPZX-75Z10T0_WXT1A77LHFFH_1", "WXT1A77LHFFH"},
              Line{"wwn-0x1caea77fa2153dd3", "1caea77fa2153dd3"},
              Line{"UUID=\"2A8C-9368\" TYPE=\"vfat\"", "2A8C"},
              Line{"/dev/disk/by-uuid/2A8C-9368", "2A8C"},
              Line{"iqn.2004-10.com.ubuntu:01:29ed6677a352", "29ed6677a352"},
              Line{"\"mac\": \"cc127db9ef8d\"", "cc127db9ef8d"},
              Line{"/docker/95f035d91151f77b8a89908124f1d7ade7aa3a5b940a40f1a7885a326f4bc079",
                   "95f035d"}});
  // The model says which disk it is.
  CHECK(shared("nvme-Samsung_SSD_990_PRO_2TB_S73WNJ0T51").find("SSD_990_PRO") != std::string::npos);
}

TEST_CASE("what only looks like a phrase stays") {
  for (const char* line :
       {"Running on gfx1100",
        "running on POLARIS10",
        "Running on Ubuntu-24",
        "user: error / warning",
        "allocated on cuda:0",
        "Console: pty pts/2",
        "usb-storage 1-1:1.0: USB Mass Storage",
        "Reported by the kernel driver",
        "regards, the team",
        "docker run -p 8080:80 -u 1000",
        "sha256:95f035d91151f77b8a89908124f1d7ade7aa3a5b940a40f1a7885a326f4bc079",
        "HOST=aarch64-linux-gnu",
        "~/.ssh/id_ed25519",
        "https://wiki.gentoo.org/wiki/ROCm",
        "ollama://qwen2.5-coder:14b",
        "usb-Foxlink_HP_5MP_Camera_01.00.00",
        "ping timed out",
        "ssh works",
        "UUID=12",
        "BOS token        = 151643 '<|endoftext|>'",
        "MT28908 Family [ConnectX-6]"}) {
    CAPTURE(std::string(line));
    CHECK(shared(line) == line);
  }
}

TEST_CASE("a line full of beginnings of phrases takes linear time") {
  const auto time_of = [](std::size_t count) {
    std::string line;
    for (std::size_t i = 0; i < count; ++i)
      line += "login with running on /work/ /data/a/b/ ssid='";
    const auto begin = std::chrono::steady_clock::now();
    CHECK(find_marked_words(line).size() + 1 >= count);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  time_of(1000);
  CHECK(time_of(16000) < 40 * time_of(2000) + 0.05);
}

TEST_CASE("a line of words that look like the states of jobs is looked through once for rows") {
  std::string line;
  while (line.size() < (3u << 20u)) line += "R 1 ";
  const auto begin = std::chrono::steady_clock::now();
  CHECK(shared(line) == line);
  // A bound, not a speed: once for each of its words took 100 s.
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(60));
}
