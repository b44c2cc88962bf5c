#include "machine/read_surroundings.h"

#include <doctest/doctest.h>

#include "tests/unit/machine/fake_source.h"

using namespace rocvet;

namespace {

struct Setting {
  FakeSource source;
  Kernel kernel;
  Cpu cpu;
  Dmi dmi;

  Setting() {
    kernel.release = std::string("6.8.0-45-generic");
    cpu.hypervisor_flag = false;
    dmi.sys_vendor = std::string("Supermicro");
    source.facts().uid_map = std::string("0 0 4294967295");
    source.facts().environment = std::map<std::string, std::string>{};
  }
  Surroundings read() { return read_surroundings(source, source.facts(), kernel, cpu, dmi); }
};

}  // namespace

TEST_CASE("is_initial_id_map") {
  CHECK(is_initial_id_map("         0          0 4294967295\n"));
  CHECK_FALSE(is_initial_id_map("0 100000 65536"));
  CHECK_FALSE(is_initial_id_map("0 1 1000\n1000 0 1\n"));
}

TEST_CASE("hypervisor_of") {
  CHECK(hypervisor_of("QEMU", "Standard PC (Q35 + ICH9, 2009)") == "kvm");
  CHECK(hypervisor_of("VMware, Inc.", "VMware7,1") == "vmware");
  CHECK(hypervisor_of("innotek GmbH", "VirtualBox") == "virtualbox");
  CHECK(hypervisor_of("Microsoft Corporation", "Virtual Machine") == "microsoft");
  CHECK(hypervisor_of("Microsoft Corporation", "Surface Laptop 4") == "");
  CHECK(hypervisor_of("Amazon EC2", "g4ad.4xlarge") == "kvm");
  CHECK(hypervisor_of("Amazon EC2", "m7a.metal-48xl") == "");
  CHECK(hypervisor_of("Supermicro", "AS -8125GS-TNMR2") == "");
}

TEST_CASE("read_surroundings") {
  Setting setting;
  SUBCASE("bare metal") {
    const Surroundings around = setting.read();
    CHECK(around.environment == Environment::bare_metal);
    CHECK_FALSE(around.container);
    CHECK(around.virtual_machine == Result<bool>(false));
  }
  SUBCASE("nothing known is unknown, not bare metal") {
    setting.cpu = Cpu{};
    setting.dmi = Dmi{};
    const Surroundings around = setting.read();
    CHECK(around.environment == Environment::unknown);
    CHECK_FALSE(around.virtual_machine);
  }
  SUBCASE("rootless podman made by distrobox") {
    setting.source.file(
        "/run/.containerenv",
        "engine=\"podman-4.9.3\"\nname=\"llama-rocm-7.2\"\n"
        "image=\"docker.io/kyuz0/amd-strix-halo-toolboxes:rocm-7.2\"\nrootless=1\n");
    setting.source.facts().uid_map = std::string("0 1 1000\n1000 0 1\n1001 1001 64536");
    setting.source.facts().environment =
        std::map<std::string, std::string>{{"DISTROBOX_ENTER_PATH", "/usr/bin/distrobox-enter"}};
    const Surroundings around = setting.read();
    CHECK(around.environment == Environment::podman);
    CHECK(around.user_namespace);
    CHECK(around.rootless == Result<bool>(true));
    CHECK(around.engine == "podman-4.9.3");
    CHECK(around.image == "docker.io/kyuz0/amd-strix-halo-toolboxes:rocm-7.2");
    CHECK(around.helper == "distrobox");
  }
  SUBCASE("docker inside WSL is docker, and still WSL") {
    setting.source.file("/.dockerenv", "");
    setting.kernel.release = std::string("5.15.167.4-microsoft-standard-WSL2");
    const Surroundings around = setting.read();
    CHECK(around.environment == Environment::docker);
    CHECK(around.wsl);
    CHECK(around.hypervisor == Result<std::string>("microsoft"));
  }
  SUBCASE("an unprivileged LXC container") {
    setting.source.file("/proc/1/environ", std::string("TERM=linux\0container=lxc\0", 25));
    setting.source.facts().uid_map = std::string("0 100000 65536");
    const Surroundings around = setting.read();
    CHECK(around.environment == Environment::lxc);
    CHECK(around.evidence == "/proc/1/environ");
    CHECK_MESSAGE(around.rootless == Result<bool>(false), "its daemon is root");
  }
  SUBCASE("flatpak, with the devices it was given") {
    setting.source.file("/.flatpak-info",
                        "[Application]\nname=ai.jan.Jan\n\n[Context]\nshared=network;ipc;\n"
                        "devices=dri;\n");
    const Surroundings around = setting.read();
    CHECK(around.environment == Environment::flatpak);
    CHECK(around.application == "ai.jan.Jan");
    CHECK(around.flatpak_devices == std::vector<std::string>{"dri"});
  }
  SUBCASE("kubernetes by its cgroup") {
    setting.source.facts().cgroup =
        std::string("0::/kubepods.slice/kubepods-besteffort.slice/cri-containerd-0a1b.scope");
    CHECK(setting.read().environment == Environment::kubernetes);
  }
  SUBCASE("the docker daemon or its desktop application is no container") {
    setting.source.facts().cgroup = std::string("0::/system.slice/docker.service");
    CHECK(setting.read().environment == Environment::bare_metal);
    setting.source.facts().cgroup =
        std::string("0::/user.slice/user-1000.slice/app.slice/app-gnome-docker-desktop-42.scope");
    CHECK(setting.read().environment == Environment::bare_metal);
  }
  SUBCASE("a virtual machine by its board alone") {
    setting.dmi.sys_vendor = std::string("QEMU");
    setting.cpu.hypervisor_flag = not_captured("/proc/cpuinfo");
    const Surroundings around = setting.read();
    CHECK(around.environment == Environment::vm);
    CHECK(around.hypervisor == Result<std::string>("kvm"));
  }
  SUBCASE("an Azure machine is a VM and not WSL") {
    setting.kernel.release = std::string("6.8.0-1015-azure");
    setting.dmi.sys_vendor = std::string("Microsoft Corporation");
    setting.dmi.product_name = std::string("Virtual Machine");
    setting.cpu.hypervisor_flag = true;
    CHECK(setting.read().environment == Environment::vm);
  }
}
