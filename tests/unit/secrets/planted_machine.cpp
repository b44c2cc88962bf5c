#include "tests/unit/secrets/planted_machine.h"

namespace rocvet {
namespace {

void plant_hardware(Scratch& root) {
  const std::string gpu = "sys/devices/pci0000:00/0000:00:01.1/0000:03:00.0";
  root.file(gpu + "/uevent", "DRIVER=amdgpu\nPCI_ID=1002:744C\nPCI_SLOT_NAME=0000:03:00.0\n")
      .file(gpu + "/mem_info_vram_total", "25753026560\n")
      .file(gpu + "/drm/renderD128/dev", "226:128\n")
      .link(gpu + "/driver", "../../../../bus/pci/drivers/amdgpu")
      .link("sys/bus/pci/devices/0000:03:00.0",
            "../../../devices/pci0000:00/0000:00:01.1/0000:03:00.0")
      .file("sys/bus/pci/drivers/amdgpu/bind", "")
      .file("etc/os-release", "ID=ubuntu\nVERSION_ID=\"24.04\"\nVERSION_CODENAME=noble\n")
      .file("etc/group", "root:x:0:\nvideo:x:44:ada\nrender:x:992:ada\n")
      .file("proc/sys/kernel/hostname", "wonderland\n")
      .file("proc/sys/kernel/osrelease", "6.8.0-60-generic\n")
      .file("proc/version", "Linux version 6.8.0-60-generic (buildd@lcy02) #63-Ubuntu SMP\n")
      .file("proc/mounts", "/dev/sda1 / ext4 rw 0 0\n");
}

void plant_shells(Scratch& root, Planted& plant) {
  root.file("etc/environment", "PATH=\"/usr/bin\"\nHSA_OVERRIDE_GFX_VERSION=10.3.0\nHF_TOKEN=" +
                                   plant("environment file", "hf_AbCdEfGhIjKlMnOpQrStUv01") +
                                   "\nSMTP_PASS=" + plant("environment file", "kestrel-harbour-1") +
                                   "\n")
      .file("etc/environment.d/50-proxy.conf",
            "https_proxy=http://ada:" + plant("proxy", "proxyPass77x") +
                "@proxy.example.com:3128\nROCM_PATH=/opt/rocm\n")
      .file("home/ada/.config/environment.d/secrets.conf",
            "GEMINI=" + plant("environment file", "AIzaSyA1234567890abcdefghijklmnopqrstu") +
                "\nHIP_VISIBLE_DEVICES=0\n")
      .file("etc/profile", "export COMPANY_VPN_PASSWORD='" + plant("shell", "vpn hunter two") +
                               "'\nexport ROCR_VISIBLE_DEVICES=0\n")
      .file("etc/profile.d/company.sh",
            "if true; then export NEXUS_PW=" + plant("shell", "nexusPw_9931") +
                "; fi\nexport HSA_ENABLE_SDMA=0\n")
      .file("etc/bash.bashrc", "alias db='mysql -u root -p" + plant("command", "mysqlroot55") +
                                   "'\nexport GPU_MAX_HW_QUEUES=4\n")
      .file("home/ada/.profile",
            "export GITHUB_TOKEN=" +
                plant("GitHub token", "ghp_0123456789abcdefghijABCDEFGHIJ0123") + "\n")
      .file(
          "home/ada/.bashrc",
          "export OPENAI_API_KEY=\"" + plant("API key", "sk-proj-aaaa1111bbbb2222cccc3333") +
              "\"\nexport AWS_ACCESS_KEY_ID=" + plant("AWS id", "AKIAIOSFODNN7EXAMPLE") +
              "\nexport AWS_SECRET_ACCESS_KEY=" +
              plant("AWS key", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY") +
              "\nexport HSA_OVERRIDE_GFX_VERSION=11.0.0\nexport LD_LIBRARY_PATH=\"/opt/it's/lib\"\n"
              "curl -H 'Authorization: Bearer " +
              plant("header", "bearer-0099-aabb-ccdd") +
              "' https://x.example\n# old: " + plant("comment", "commented-out-pw-31") + "\n")
      .file("home/ada/.bash_aliases",
            "alias up='sshpass -p " + plant("command", "sshpassword81") + " ssh box'\n")
      .file("home/ada/.zshrc",
            "export ANTHROPIC_API_KEY=" + plant("API key", "sk-ant-api03-zzzz9999yyyy8888xxxx") +
                "\nHIP_VISIBLE_DEVICES=1\nexport HIP_VISIBLE_DEVICES\n")
      .file("home/ada/.zshenv", "typeset -x WANDB_API_KEY=" +
                                    plant("API key", "0123456789abcdef0123456789abcdef01234567") +
                                    "\n")
      .file("home/ada/.cshrc", "setenv SLACK_TOKEN " +
                                   plant("Slack token", "xoxb-1111111111-abcdefghij") +
                                   "\nsetenv MIOPEN_LOG_LEVEL 7\n")
      .file("home/ada/.config/fish/config.fish",
            "set -gx GITLAB_TOKEN " + plant("GitLab token", "glpat-abcdEFGH1234ijklMNOP") +
                "\nset -gx ROCM_PATH /opt/rocm\n")
      .file("home/ada/.config/fish/fish_variables",
            "SETUVAR --export NPM_TOKEN:" +
                plant("npm token", "npm_abcdefghijklmnopqrstuvwxyz0123456789") +
                "\nSETUVAR --export HSA_OVERRIDE_GFX_VERSION:10\\x2e3\\x2e0\n")
      .file("home/ada/.config/fish/conf.d/k.fish",
            "set -x DOCKER_PAT " + plant("Docker token", "dckr_pat_AbCdEfGhIjKlMnOp12") + "\n");
}

void plant_services(Scratch& root, Planted& plant) {
  root.file("etc/systemd/system/ollama.service",
            "[Unit]\nDescription=with " + plant("unit", "descriptionSecret4") +
                "\n[Service]\nUser=ollama\nExecStart=/usr/bin/ollama serve --api-key " +
                plant("command", "ollamaServeKey12") +
                " \\\n  --token=" + plant("command", "continuedToken7788") +
                "\nEnvironment=\"OLLAMA_HOST=0.0.0.0\" \"OLLAMA_API_KEY=" +
                plant("unit", "ollamaKeyInUnit55") +
                "\" HSA_OVERRIDE_GFX_VERSION=10.3.0 FOO=" + plant("unit", "plainFooSecret66") +
                "\nEnvironmentFile=/srv/keys/ollama.env\n"
                "EnvironmentFile=-/etc/default/ollama\nLoadCredential=db:" +
                plant("unit", "/etc/credstore/pw-file-991") + "\n")
      .file("etc/systemd/system/ollama.service.d/10-key.conf",
            "[Service]\nEnvironment=HF_TOKEN=" +
                plant("unit drop-in", "hf_ZyXwVuTsRqPoNmLkJiHgFe98") +
                "\nEnvironment=HIP_VISIBLE_DEVICES=0\nPrivateDevices=yes\nSetCredential=a:" +
                plant("unit drop-in", "setCredentialValue3") + "\n")
      .file("srv/keys/ollama.env",
            "DB_URL=postgres://svc:" + plant("database URL", "pg-P4ss/word") +
                "@db.example.com/x\nOLLAMA_KEEP_ALIVE=5m\nSESSION=" +
                plant("EnvironmentFile", "sessionSecretNoName") + "\n")
      .file("etc/default/ollama",
            "export JWT=" + plant("web token", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0") +
                "\nROCR_VISIBLE_DEVICES=0\n")
      .file("etc/systemd/system/local-train.service",
            "[Service]\nExecStart=/usr/bin/env TOKEN=" + plant("command", "envTokenArg31") +
                " python3 -m torch.distributed.run\nEnvironment=\"LD_PRELOAD=/usr/lib/libx.so\"\n")
      .file("etc/systemd/system/unrelated.service",
            "[Service]\nExecStart=/usr/bin/backup --password " +
                plant("other unit", "backupPassword72") + "\n")
      .file("home/ada/compose.yaml",
            "services:\n  ollama:\n    image: ollama/ollama:rocm\n    devices:\n"
            "      - /dev/kfd:/dev/kfd\n    environment:\n      - HSA_OVERRIDE_GFX_VERSION=10.3.0\n"
            "      - POSTGRES_PASSWORD=" +
                plant("compose", "composePg44") + "\n    command: --token " +
                plant("compose", "composeCommandToken5") + "\n    # - /dev/dri  pw " +
                plant("compose comment", "commentedPw-6") +
                "\n  db:\n    image: postgres\n"
                "    labels:\n      secret: " +
                plant("compose", "labelSecret71") +
                "\n    environment:\n      MYSQL_ROOT: " + plant("compose", "mysqlMapSecret8") +
                "\nsecrets:\n  x:\n    content: " + plant("compose", "inlineSecretContent") + "\n")
      .file("home/ada/stack/docker-compose.yml",
            "services:\n  vllm:\n    image: rocm/vllm\n    environment: [\"HF_TOKEN=" +
                plant("compose", "hf_QqWwEeRrTtYyUuIiOoPp12") + "\", \"HIP_VISIBLE_DEVICES=0\"]\n")
      .file("home/ada/stack/.env", "DB_PASSWORD=" + plant("compose .env", "dotEnvPw-3") + "\n")
      .file("home/ada/.docker/config.json",
            "{\"auths\":{\"ghcr.io\":{\"auth\":\"" + plant("docker auths", "YWRhOmRvY2tlclBhc3M=") +
                "\"}},\"credHelpers\":{\"x\":\"" + plant("docker credHelpers", "helper-of-ada") +
                "\"},\"currentContext\":\"desktop-linux\",\"HttpHeaders\":{\"X-Meta\":\"" +
                plant("docker headers", "metaHeaderSecret") + "\"}}\n")
      .file("home/ada/.docker/contexts/meta/ab12/meta.json",
            "{\"Name\":\"desktop-linux\",\"Metadata\":{\"Token\":\"" +
                plant("docker context", "contextToken19") + "\"}}\n");
}

void plant_system(Scratch& root, Planted& plant) {
  root.file("proc/1/environ",
            std::string("container=lxc\0INIT_SECRET=", 26) +
                plant("init's environment", "initSecret-5150") + '\0' + "GITHUB_PAT=" +
                plant("init's environment", "github_pat_11AAAAAAA0bbbbbbbbbbbb_cccccc") + '\0')
      .file("proc/cmdline",
            "BOOT_IMAGE=/vmlinuz root=/dev/sda1 ro amdgpu.ppfeaturemask=0xffffffff iommu=pt "
            "rd.iscsi.password=" +
                plant("kernel command line", "iscsiPw-88") +
                " systemd.setenv=API=" + plant("kernel command line", "setenvSecret-9") +
                " ds=nocloud;s=http://seed:" + plant("kernel command line", "seedPw-10") +
                "@cloud.example/ luks.key=" + plant("kernel command line", "luksKeyMaterial11") +
                " \"quoted.param=" + plant("kernel command line", "two words-12") + "\"\n")
      .file("etc/passwd", "root:" + plant("password hash", "$6$rootsalt$rootHashAAAA") +
                              ":0:0:root:/root:/bin/sh\nada:x:1000:1000:" +
                              plant("real name", "Ada Augusta Byron") + ":/home/ada:/bin/bash\n")
      .file("etc/apt/sources.list",
            "deb https://ada:" + plant("apt login", "aptPassword-1") +
                "@repo.radeon.com/rocm/apt/6.2.2 noble main\ndeb https://build:" +
                plant("apt login", "otherAptPw-2") + "@apt.example.com/internal noble main\n")
      .file("etc/apt/sources.list.d/amdgpu.sources",
            "Types: deb\nURIs: https://tok:" + plant("apt login", "deb822Pw%21x") +
                "@repo.radeon.com/amdgpu/6.2.2/ubuntu\nSuites: noble\nComponents: main\n\n"
                "Types: deb\nURIs: https://x:" +
                plant("apt login", "deb822OtherPw") + "@private.example.com/\nSuites: noble\n")
      .file("etc/yum.repos.d/rocm.repo",
            "[rocm]\nname=" + plant("yum", "nameWithSecret3") +
                "\nbaseurl=https://repo.radeon.com/rocm/el9/6.2.2/main?token=" +
                plant("URL parameter", "yumUrlToken-4") + "\nusername=ada\npassword=" +
                plant("yum", "yumPassword-5") + "\nproxy_password=" + plant("yum", "yumProxyPw-6") +
                "\nenabled=1\npriority=50\n[private]\nbaseurl=https://" +
                "a:" + plant("yum", "yumPrivatePw-7") + "@rpm.example.com/\n")
      .file("etc/zypp/repos.d/amd.repo",
            "[amd]\nbaseurl=https://repo.radeon.com/amdgpu/6.2.2/sle/15.6/?X-Amz-Signature=" +
                plant("signed URL", "5d672d79c15b13162d9279b0855cfba6789a8edb") + "\nenabled=1\n")
      .file("etc/apt/preferences.d/rocm",
            "Package: *\nPin: release o=repo.radeon.com\nPin-Priority: 600\n\nPackage: x\n"
            "Explanation: " +
                plant("apt comment", "explanationSecret8") + "\nPin: origin x\nPin-Priority: 1\n")
      .file("etc/modprobe.d/x.conf", "options amdgpu gpu_recovery=1\noptions wifi psk=" +
                                         plant("module option", "wifiPsk-2048") + "\n")
      .file(
          "etc/udev/rules.d/70-kfd.rules",
          "KERNEL==\"kfd\", GROUP=\"render\", MODE=\"0660\"\nKERNEL==\"sda\", RUN+=\"/bin/notify " +
              plant("udev rule", "udevNotifyToken") + "\"\n")
      .file("etc/security/limits.conf",
            "# " + plant("comment", "limitsComment-1") + "\n* soft memlock unlimited\n")
      .file("etc/ld.so.conf", "# " + plant("comment", "loaderComment-2") + "\n/opt/rocm/lib\n")
      .file("etc/pve/lxc/101.conf", "#" + plant("comment", "lxcComment-3") +
                                        "\ndev0: /dev/kfd,gid=104\nlxc.environment: PW=" +
                                        plant("container configuration", "lxcEnvPw-4") + "\n")
      .file("run/.containerenv", "engine=\"podman-4.9.3\"\nname=\"" +
                                     plant("container name", "secretive-name-5") +
                                     "\"\nimage=\"docker.io/rocm/pytorch\"\nrootless=1\n")
      .file("home/ada/llama.cpp/build/CMakeCache.txt",
            "GPU_TARGETS:STRING=gfx1100\nUPLOAD_TOKEN:STRING=" +
                plant("build cache", "cmakeUploadToken") + "\n")
      .file("home/ada/llama.cpp/build/bin/llama-server", "no ELF")
      .file("var/log/dpkg.log", "2024-01-01 00:00:00 install rocm-core <none> 6.2.2\n")
      .file("var/log/kern.log",
            "Jan  1 00:00:01 wonderland kernel: [    1.0] Command line: ro pw=" +
                plant("kernel log", "kernLogCmdline-1") +
                "\nJan  1 00:00:02 wonderland sudo: COMMAND=/bin/login " +
                plant("system log", "sudoCommandPw-2") + "\n");
}

}  // namespace

Planted plant_machine(Scratch& root) {
  Planted plant;
  plant_hardware(root);
  plant_shells(root, plant);
  plant_services(root, plant);
  plant_system(root, plant);
  return plant;
}

std::string planted_kernel_log(Planted& plant) {
  return "[    0.000000] Linux version 6.8.0-60-generic\n"
         "[    0.000000] Command line: BOOT_IMAGE=/vmlinuz ro auth_blob=" +
         plant("kernel log", "dmesgCmdSecret-1") +
         "\n[    0.100000] Unknown kernel command line parameters \"vault=" +
         plant("kernel log", "dmesgUnknown-2") +
         "\", will be passed to user space.\n"
         "[    0.200000]     BACKUP=" +
         plant("kernel log", "initEnvironment-3") +
         "\n[    3.000000] amdgpu 0000:03:00.0: amdgpu: ring gfx timeout, signaled seq=1\n"
         "[    4.000000] audit: type=1327 audit(1.0:1): proctitle=" +
         plant("audit record", "6D7973716C002D7073656372657470617373") +
         "\n[    5.000000] systemd[1]: Started fetch https://u:" +
         plant("URL login", "dmesgUrlPw-4") + "@h.example/x.\n";
}

std::string planted_app_log(Planted& plant) {
  const std::string pem = plant("private key", "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj");
  return "GET https://bucket.s3.example/x?X-Amz-Credential=" +
         plant("signed URL", "ASIAQWERTYUIOPASDFGH") +
         "&X-Amz-Signature=" + plant("signed URL", "deadbeefcafe0123456789") +
         "\nAuthorization: Basic " + plant("header", "YWRhOnNlY3JldA==") +
         "\nX-Auth-Token: " + plant("header", "xauth-1234567") +
         "\nSet-Cookie: sid=" + plant("cookie", "cookieValue-77; Path=/") +
         "\nlogin {\"password\": \"" + plant("JSON", "json pass word") +
         "\", \"user\": \"ada\"}\nrun --api-key " + plant("command", "flagKey-5566") +
         " --steps 5\n-----BEGIN PRIVATE KEY-----\n" + pem +
         "\n-----END PRIVATE KEY-----\nproxy is ada:" + plant("proxy", "bareProxyPw8") +
         "@proxy.example.com:3128\n<password>" + plant("XML", "xmlPassword-9") +
         "</password>\nRuntimeError: HIP error: invalid device function, token=" +
         plant("log", "appLogToken-10") + "\n";
}

}  // namespace rocvet
