#include "machine/read_access.h"

#include <doctest/doctest.h>

#include "machine/read_init_script.h"
#include "machine/read_security.h"
#include "machine/read_services.h"
#include "machine/read_udev.h"
#include "tests/unit/machine/fake_source.h"

using namespace rocvet;

TEST_CASE("parse_groups") {
  const auto groups = parse_groups(
      "root:x:0:\nvideo:x:44:ada,grace\n# note\nrender:x:992:ada\nbroken\nbad:x:many:\n+::::\n");
  REQUIRE(groups.size() == 3);
  CHECK(groups[1].members == std::vector<std::string>{"ada", "grace"});
  CHECK(groups[2].name == "render");
  CHECK(groups[2].gid == 992);
}

TEST_CASE("parse_accounts") {
  const auto accounts = parse_accounts(
      "root:x:0:0:root:/root:/bin/bash\nollama:x:997:984::/usr/share/ollama:/bin/"
      "false\nshort:x:1\n");
  REQUIRE(accounts.size() == 2);
  CHECK(accounts[1].uid == 997);
  CHECK(accounts[1].gid == 984);
  CHECK(accounts[1].home == "/usr/share/ollama");
  CHECK(accounts[1].shell == "/bin/false");
}

TEST_CASE("parse_sub_ids") {
  const auto ranges = parse_sub_ids("ada:100000:65536\n1000:992:1\n");
  REQUIRE(ranges.size() == 2);
  CHECK(ranges[0].owner == "ada");
  CHECK(ranges[0].count == 65536);
  CHECK(ranges[1].first == 992);
}

TEST_CASE("parse_limit_lines") {
  const auto lines = parse_limit_lines(
      "# /etc/security/limits.conf\n*               soft    memlock         unlimited # RDMA\n\n"
      "@render hard nofile 1048576\nnonsense\n");
  REQUIRE(lines.size() == 2);
  CHECK(lines[0] == "* soft memlock unlimited");
}

TEST_CASE("open_errno") {
  CHECK(open_errno(Done{}) == "");
  CHECK(open_errno(Error{Error::Kind::denied, "/dev/kfd", "EACCES (permission denied)"}) ==
        "EACCES");
  CHECK(open_errno(Error{Error::Kind::failed, "/dev/kfd", "ENOMEM: out"}) == "ENOMEM");
  CHECK(open_errno(not_captured("/dev/kfd")) == "");
}

TEST_CASE("device nodes") {
  FakeSource source;
  source.device("/dev/kfd", 0660, 0, 992, "EACCES")
      .device("/dev/dri/renderD128", 0666, 0, 992)
      .device("/dev/dri/renderD129", 0660, 0, 992)
      .device("/dev/dri/card0", 0660, 0, 44)
      .file("/sys/class/drm/renderD129/device/power/runtime_status", "suspended\n")
      .set_kind("live");
  SUBCASE("opening tells, and by which errno") {
    const DeviceNode kfd = read_node(source, "/dev/kfd");
    REQUIRE(kfd.stat);
    CHECK(kfd.stat->gid == 992);
    CHECK(kfd.open.is(Error::Kind::denied));
    CHECK(open_errno(kfd.open) == "EACCES");
    CHECK(read_node(source, "/dev/dxg").stat.is_missing());
  }
  SUBCASE("a sleeping GPU is not woken") {
    const auto nodes = read_render_nodes(source);
    REQUIRE(nodes.size() == 2);
    CHECK(nodes[0].open);
    CHECK(nodes[1].open.is(Error::Kind::unsupported));
    CHECK(nodes[1].stat);
  }
  SUBCASE("card nodes are never opened") {
    const auto nodes = read_card_nodes(source);
    REQUIRE(nodes.size() == 1);
    CHECK_FALSE(nodes[0].open);
  }
}

TEST_CASE("read_groups adds what an image-based distribution keeps in /usr/lib/group") {
  FakeSource source;
  source.file("/etc/group", "root:x:0:\nada:x:1000:\n")
      .file("/usr/lib/group", "root:x:0:\nrender:x:105:\n");
  const auto groups = read_groups(source);
  REQUIRE(groups);
  REQUIRE(groups->size() == 3);
  CHECK(groups->back().name == "render");
}

TEST_CASE("parse_udev_rules") {
  const auto rules = parse_udev_rules(
      "# AMD\nKERNEL==\"kfd\", GROUP=\"render\", MODE=\"0660\"\n"
      "SUBSYSTEM==\"drm\", KERNEL==\"renderD*\", GROUP=\"render\", \\\n  MODE=\"0666\"\n"
      "SUBSYSTEM==\"sound\", GROUP=\"audio\"\nKERNEL!=\"kfd\", GROUP=\"x\"\n",
      "70-amdgpu.rules");
  REQUIRE(rules.size() == 2);
  CHECK(rules[0].kernel == "kfd");
  CHECK(rules[0].group == "render");
  CHECK(rules[0].mode == "0660");
  CHECK(rules[1].subsystem == "drm");
  CHECK(rules[1].mode == "0666");
}

TEST_CASE("read_udev_rules") {
  FakeSource source;
  source.dir("/etc/udev/rules.d")
      .file("/usr/lib/udev/rules.d/50-udev-default.rules",
            "SUBSYSTEM==\"kfd\", GROUP=\"render\", MODE=\"0660\"\n");
  SUBCASE("a link to /dev/null in /etc hides a rule") {
    REQUIRE(read_udev_rules(source));
    CHECK(read_udev_rules(source)->size() == 1);
    source.file("/etc/udev/rules.d/50-udev-default.rules", "");
    CHECK(read_udev_rules(source)->empty());
  }
  SUBCASE("no rule in a folder that was seen, another unseen: nobody knows") {
    FakeSource partial;
    partial.dir("/etc/udev/rules.d").unknown("/usr/lib/udev");
    CHECK(read_udev_rules(partial).is(Error::Kind::not_captured));
  }
}

TEST_CASE("parse_environment_words") {
  const auto words = parse_environment_words(
      "\"OLLAMA_HOST=0.0.0.0\" HSA_OVERRIDE_GFX_VERSION=10.3.0 'A=two words' plain");
  REQUIRE(words.size() == 3);
  CHECK(words[0] == std::pair<std::string, std::string>("OLLAMA_HOST", "0.0.0.0"));
  CHECK(words[2].second == "two words");
}

TEST_CASE("read_services") {
  FakeSource source;
  source
      .file("/etc/systemd/system/ollama.service",
            "[Unit]\nDescription=Ollama Service\nAfter=network-online.target\n\n[Service]\n"
            "ExecStart=/usr/local/bin/ollama serve\nUser=ollama\nGroup=ollama\nRestart=always\n"
            "Environment=\"PATH=/usr/local/bin:/usr/bin\"\nSupplementaryGroups=video\n"
            "[Install]\nWantedBy=default.target\n")
      .file("/etc/systemd/system/ollama.service.d/override.conf",
            "[Service]\nEnvironment=\"HSA_OVERRIDE_GFX_VERSION=10.3.0\"\nLimitNOFILE=65536\n"
            "PrivateDevices=yes\nSupplementaryGroups=render\n")
      .file("/etc/systemd/system/trainer.service", "[Service]\nExecStart=/opt/rocm/bin/x\n")
      .file("/etc/systemd/system/backup.service", "[Service]\nExecStart=/bin/tar\n")
      .file("/usr/lib/systemd/system/cron.service", "[Service]\nExecStart=/usr/sbin/cron # rocm\n");
  const auto services = read_services(source);
  REQUIRE(services);
  REQUIRE(services->size() == 2);
  const Service& ollama = services->front();
  CHECK(ollama.name == "ollama.service");
  CHECK(ollama.files.size() == 2);
  CHECK(ollama.user == "ollama");
  CHECK(ollama.exec_start == "/usr/local/bin/ollama serve");
  CHECK(ollama.environment.at("HSA_OVERRIDE_GFX_VERSION") == "10.3.0");
  CHECK(ollama.environment.at("PATH") == "/usr/local/bin:/usr/bin");
  CHECK(ollama.supplementary_groups == std::vector<std::string>{"video", "render"});
  CHECK(ollama.limits.at("NOFILE") == "65536");
  CHECK(ollama.private_devices);
  CHECK(services->back().name == "trainer.service");
}

TEST_CASE("the account of a System V script") {
  CHECK(account_of_init_script("USER=fahclient\nexec FAHClient --run-as $USER --daemon\n") ==
        "fahclient");
  CHECK(account_of_init_script("start-stop-daemon --start --chuid boinc:boinc --exec x\n") ==
        "boinc");
  CHECK(account_of_init_script("daemon --user=\"${RUN_AS:-llama}\" /opt/x\n") == "llama");
  CHECK(account_of_init_script("su - worker -c /opt/x\n") == "worker");
  CHECK(account_of_init_script("su -s /bin/sh -c /opt/x worker\n") == "worker");
  CHECK(account_of_init_script("RUN_AS=ada # not USER=bob\n/opt/x\n") == "ada");
  CHECK(account_of_init_script("# USER=ada\nstart-stop-daemon --start --exec /opt/x\n") == "");
  CHECK(account_of_init_script("curl -u name:word http://x\n") == "");
}

TEST_CASE("a script of System V is a service, unless a unit has its name") {
  FakeSource source;
  source.dir("/etc/systemd/system")
      .file("/etc/init.d/fahclient", "USER=fahclient\n")
      .file("/etc/init.d/cron", "USER=ada\n")
      .file("/etc/init.d/ollama", "USER=other\n")
      .file("/usr/lib/systemd/system/ollama.service", "[Service]\nUser=ollama\n");
  const auto services = read_services(source);
  REQUIRE(services);
  REQUIRE(services->size() == 2);
  CHECK(services->front().name == "fahclient.service");
  CHECK(services->front().user == "fahclient");
  CHECK(services->back().user == "ollama");
}

TEST_CASE("read_security") {
  const std::string denial =
      "type=AVC msg=audit(1712345678.123:456): avc:  denied  { read write } for  pid=4242 "
      "comm=\"rocminfo\" name=\"kfd\" dev=\"devtmpfs\" ino=512 "
      "scontext=system_u:system_r:container_t:s0:c1,c2 tcontext=system_u:object_r:hsa_device_t:s0 "
      "tclass=chr_file permissive=0";
  FakeSource source;
  SUBCASE("enforcing, with denials in the audit log") {
    source.file("/sys/fs/selinux/enforce", "1")
        .file("/sys/fs/selinux/booleans/container_use_devices", "0 0")
        .file("/var/log/audit/audit.log", denial + "\ntype=AVC avc:  denied { read } name=\"x\"\n");
    const SecurityModules security = read_security(source);
    CHECK(security.selinux == Result<std::string>("enforcing"));
    CHECK(security.container_use_devices == Result<bool>(false));
    REQUIRE(security.denials.size() == 1);
    CHECK(security.denials[0] == denial);
  }
  SUBCASE("no SELinux at all") {
    CHECK(read_security(source).selinux == Result<std::string>("disabled"));
    CHECK(read_security(source).apparmor == Result<bool>(false));
  }
  SUBCASE("not captured is not disabled") {
    source.unknown("/sys/fs/selinux");
    CHECK(read_security(source).selinux.is(Error::Kind::not_captured));
  }
}

TEST_CASE("when services were started, by systemctl show") {
  const auto starts = parse_service_starts(
      "MainPID=1412\nExecMainStartTimestampMonotonic=9120345\nId=ollama.service\n\n"
      "MainPID=0\nExecMainStartTimestampMonotonic=5000000\nId=vllm.service\n\n"
      "MainPID=7\nExecMainStartTimestampMonotonic=0\nId=llama.service\n");
  REQUIRE(starts.size() == 1);  // the others do not run, or nobody knows since when
  CHECK(starts.at("ollama.service") == doctest::Approx(9.120345));
  CHECK(parse_service_starts("").empty());
}

TEST_CASE("a unit's order") {
  Service service;
  apply_unit_file("[Unit]\nAfter=network.target dev-dri-renderD128.device\n[Service]\nAfter=x\n",
                  service);
  CHECK(service.after == std::vector<std::string>{"network.target", "dev-dri-renderD128.device"});
}
