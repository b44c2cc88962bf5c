#include "machine/read_settings.h"

#include <doctest/doctest.h>

#include "machine/read_compose.h"
#include "machine/read_platform.h"
#include "tests/unit/machine/fake_source.h"

using namespace rocvet;

TEST_CASE("is_gpu_variable") {
  CHECK(is_gpu_variable("HSA_OVERRIDE_GFX_VERSION"));
  CHECK(is_gpu_variable("LD_LIBRARY_PATH"));
  CHECK_FALSE(is_gpu_variable("EDITOR"));
  CHECK_FALSE_MESSAGE(is_gpu_variable("OLLAMA_API_KEY"), "secrets are never read");
}

TEST_CASE("parse_shell_variables") {
  const auto found = parse_shell_variables(
      "# export HIP_VISIBLE_DEVICES=9\n"
      "export HSA_OVERRIDE_GFX_VERSION=11.0.0  # for the iGPU\n"
      "ROCM_PATH=/opt/rocm-6.2.0\n"
      "HIP_VISIBLE_DEVICES=0\nexport HIP_VISIBLE_DEVICES\n"
      "if [ -d /opt/rocm ]; then export LD_LIBRARY_PATH=\"/opt/rocm/lib:$LD_LIBRARY_PATH\"; fi\n"
      "HSA_ENABLE_SDMA=0 python train.py\nalias x='HIP_PATH=1'\nsetenv HSA_XNACK 1\n",
      "/home/ada/.bashrc", "shell");
  REQUIRE(found.size() == 5);
  CHECK(found[0].name == "HSA_OVERRIDE_GFX_VERSION");
  CHECK(found[0].value == "11.0.0");
  CHECK(found[0].exported);
  CHECK(found[1].name == "ROCM_PATH");
  CHECK_FALSE(found[1].exported);
  CHECK_MESSAGE(found[2].exported, "exported on a later line");
  CHECK(found[3].value == "/opt/rocm/lib:$LD_LIBRARY_PATH");
  CHECK(found[4].name == "HSA_XNACK");
}

TEST_CASE("parse_fish_variables") {
  const auto found = parse_fish_variables(
      "# VERSION: 3.0\nSETUVAR HSA_OVERRIDE_GFX_VERSION:10\\x2e3\\x2e0\n"
      "SETUVAR --export ROCM_PATH:/opt/rocm\nSETUVAR fish_color_command:blue\n"
      "set -gx HIP_VISIBLE_DEVICES 0\nset HSA_XNACK 1\n",
      "/home/ada/.config/fish/fish_variables");
  REQUIRE(found.size() == 4);
  CHECK(found[0].value == "10.3.0");
  CHECK_FALSE(found[0].exported);
  CHECK(found[1].exported);
  CHECK(found[2].exported);
  CHECK_FALSE(found[3].exported);
}

TEST_CASE("parse_environment_file") {
  const auto found = parse_environment_file(
      "PATH=\"/usr/bin\"\nHSA_OVERRIDE_GFX_VERSION=\"10.3.0\"\n#HIP_PATH=/x\n", "/etc/environment");
  REQUIRE(found.size() == 1);
  CHECK(found[0].value == "10.3.0");
}

TEST_CASE("parse_compose") {
  const auto services = parse_compose(
      "version: '3'\n"
      "services:\n"
      "  ollama:\n"
      "    image: ollama/ollama:rocm\n"
      "    devices:\n"
      "      #- /dev/kfd\n"
      "      - /dev/dri:/dev/dri   # render nodes\n"
      "    group_add: [\"video\", 992]\n"
      "    environment:\n"
      "      - HSA_OVERRIDE_GFX_VERSION=10.3.0\n"
      "      - OLLAMA_DEBUG\n"
      "    ipc: host\n"
      "  webui:\n"
      "    image: \"ghcr.io/open-webui/open-webui:main\"\n"
      "    environment:\n"
      "      OLLAMA_BASE_URL: http://ollama:11434\n"
      "    devices:\n"
      "    - /dev/kfd\n"
      "volumes:\n"
      "  data:\n",
      "/home/ada/docker-compose.yml");
  REQUIRE(services.size() == 2);
  const ComposeService& ollama = services[0];
  CHECK(ollama.name == "ollama");
  CHECK(ollama.image == "ollama/ollama:rocm");
  CHECK(ollama.devices == std::vector<std::string>{"/dev/dri:/dev/dri"});
  CHECK(ollama.commented_devices == std::vector<std::string>{"- /dev/kfd"});
  CHECK(ollama.group_add == std::vector<std::string>{"video", "992"});
  CHECK(ollama.environment.at("HSA_OVERRIDE_GFX_VERSION") == "10.3.0");
  CHECK(ollama.environment.count("OLLAMA_DEBUG") == 1);
  CHECK(ollama.ipc == "host");
  CHECK(services[1].environment.at("OLLAMA_BASE_URL") == "http://ollama:11434");
  CHECK_MESSAGE(services[1].devices == std::vector<std::string>{"/dev/kfd"},
                "a list may stand at the indentation of its key");
}

TEST_CASE("parse_lxc_devices") {
  const auto devices = parse_lxc_devices(
      "arch: amd64\ndev0: /dev/dri/renderD128,gid=992\ndev5: /dev/kfd,gid=44,mode=0660\n"
      "device: no\nunprivileged: 1\n\n[before-upgrade]\ndev0: /dev/kfd,gid=1\n",
      "/etc/pve/lxc/101.conf");
  REQUIRE(devices.size() == 2);
  CHECK(devices[0].path == "/dev/dri/renderD128");
  CHECK(devices[0].gid == "992");
  CHECK(devices[1].path == "/dev/kfd");
  CHECK(devices[1].mode == "0660");
}

TEST_CASE("read_settings") {
  FakeSource source;
  source.facts().uid = 1000;
  source.facts().gid = 1000;
  source.facts().groups = std::vector<std::uint32_t>{1000, 992};
  source.facts().environment = std::map<std::string, std::string>{{"HOME", "/home/ada"}};
  source.dir("/home/ada", 0750, 1000, 1000)
      .dir("/home/ada/.config/miopen", 0755, 0, 0)
      .dir("/tmp", 01777)
      .file("/home/ada/.bashrc", "export ROCR_VISIBLE_DEVICES=0\n")
      .file("/etc/profile.d/rocm.sh", "export ROCM_PATH=/opt/rocm\n")
      .file("/home/ada/.docker/config.json",
            "{\n\t\"auths\": {},\n\t\"currentContext\": \"desktop-linux\"\n}")
      .file("/home/ada/.docker/contexts/meta/f1/meta.json",
            "{\"Name\":\"desktop-linux\",\"Metadata\":{}}")
      .file("/home/ada/ai/compose.yaml", "services:\n  a:\n    image: rocm/pytorch\n");
  Service service;
  service.name = "ollama.service";
  service.files = {"/etc/systemd/system/ollama.service"};
  service.environment = {{"HSA_XNACK", "1"}, {"PATH", "/bin"}};
  const auto mounts = parse_mounts(
      "/dev/sda / ext4 rw 0 0\nserver:/home /home nfs4 rw 0 0\ntmpfs /tmp tmpfs rw 0 0\n");
  const std::vector<Mount> local = parse_mounts("/dev/sda / ext4 rw 0 0\n");

  SUBCASE("where variables are set") {
    const Settings settings =
        read_settings(source, source.facts(), local, std::vector<Service>{service});
    REQUIRE(settings.variables.size() == 3);
    CHECK(settings.variables[0].kind == "profile");
    CHECK(settings.variables[1].kind == "shell");
    CHECK(settings.variables[1].file == "/home/ada/.bashrc");
    CHECK(settings.variables[2].kind == "service");
    CHECK(settings.variables[2].where == "ollama.service");
  }
  SUBCASE("docker's context and compose files") {
    const Settings settings =
        read_settings(source, source.facts(), local, not_captured("/etc/systemd/system"));
    CHECK(settings.docker.current_context == Result<std::string>("desktop-linux"));
    CHECK(settings.docker.contexts == std::vector<std::string>{"desktop-linux"});
    REQUIRE(settings.compose.size() == 1);
    CHECK(settings.compose[0].file == "/home/ada/ai/compose.yaml");
  }
  SUBCASE("caches: owner, file system, and what exists above them") {
    const Settings settings =
        read_settings(source, source.facts(), mounts, not_captured("/etc/systemd/system"));
    REQUIRE(settings.caches.size() == 4);
    CHECK(settings.caches[0].writable == Result<bool>(true));
    CHECK(settings.caches[0].file_system == "nfs4");
    CHECK_MESSAGE(settings.caches[1].writable == Result<bool>(false), "root's folder");
    CHECK(settings.caches[2].stat.is_missing());
    CHECK(settings.caches[2].existing_parent == "/home/ada");
    CHECK(settings.caches[3].file_system == "tmpfs");
    CHECK_MESSAGE(settings.compose.empty(), "nothing below a network home is searched");
  }
  SUBCASE("a read-only mount is not writable, whoever owns it") {
    const auto read_only = parse_mounts("overlay / overlay ro,relatime 0 0\n");
    const Settings settings =
        read_settings(source, source.facts(), read_only, not_captured("/etc/systemd/system"));
    CHECK(settings.caches[0].writable == Result<bool>(false));
  }
}
