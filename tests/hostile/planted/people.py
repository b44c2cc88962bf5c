"""A machine on which people, services and configurations have left secrets and names, as a snapshot folder that nobody
has redacted."""
import re

import faulty
from machine import CARD, KFD, write_process
from tree import append, put, read, replace


class People:
    def __init__(self, planter):
        words, bare = planter.words, planter.bare
        made = ["anna", "bert", "carl", "dora", "emil"] if bare else [words.user() for _ in range(5)]
        self.old_uid, self.high_uid, self.lustre, self.data, self.home = made
        for name, where in zip(made, ("passwd uid 500 + home", "passwd uid 70000, /data/home", "passwd /lustre/users",
                                      "env /data/home",
                                      "env /home")):
            planter.identity("user-name", where, name)
        self.host = "node" if bare else f"Vexo{words.word().capitalize()}04"
        self.full_host = f"{self.host}.Hpc.{'plain' if bare else words.word()}.example"
        planter.identity("host-own", "hostname, with capitals", self.host)
        planter.identity("host-own", "hostname in small letters", self.host.lower())


def write_planted(out, planter):
    """The snapshot folder and its log; the environment, for a live machine of the same files."""
    people, files = People(planter), out + "/files"
    faulty.write_faulty(out, names(planter, people), full_disks=False)
    write_accounts(out, files, planter, people)
    write_services(files, planter, people)
    write_configuration(files, planter, people)
    write_homes(files, planter, people)
    write_hardware(files, planter)
    write_system_logs(out, files, planter, people)
    environment = write_environment(out, planter, people)
    return people, environment


def names(planter, people):
    """name(place, plain) of faulty.py."""
    words, chosen = planter.words, {
        "user": people.high_uid, "home": "/data/home/" + people.high_uid, "svcuser2": people.lustre,
        "ldpath": f"/lustre/users/{people.lustre}/rocm/lib", "rocmpath": f"/data/home/{people.data}/rocm",
        "hippath": f"/home/{people.home}/hip",
        "miopendb": f"/nfs/home/{people.data}/miopen", "venv": f"/home/{people.old_uid}/venv",
        "preload": f"/home/{people.home}/libx.so",
        "topofile": f"/gpfs/users/{people.data}/topo.xml", "profld": f"/lustre/users/{people.lustre}/lib",
        "log-perm": f"/home/{people.home}/.config/miopen"}
    password = planter.secret("basic-url", "apt sources.list password", words.password())
    host = planter.identity("registry-host", "apt sources.list host", f"apt.{words.word()}.corp.example")
    chosen["apturl"] = f"https://deb:{password}@{host}/rocm/apt/6.4.1"
    chosen["image"] = planter.identity("registry-host", "compose image host",
                                       words.word() + "reg.corp.example:5000") + "/rocm/pytorch:latest"
    chosen["vol"] = f"/data/home/{planter.identity('data-home', 'compose volume', words.user())}/models"
    chosen["nfs"] = planter.identity("nfs-server", "mounts", words.word() + "nas.corp.example") + ":/export/home"
    return lambda place, plain: chosen.get(place, plain)


def write_accounts(out, files, planter, people):
    words = planter.words
    real = planter.identity("real-name", "passwd gecos", f"{words.word().capitalize()} {words.user().capitalize()}")
    member = planter.identity("user-name", "group member only", words.user())
    old, high, lustre = people.old_uid, people.high_uid, people.lustre
    replace(files, "/etc/passwd", f"root:x:0:0::/root:/bin/bash\n{old}:x:500:500:{real},,,:/home/{old}:/bin/bash\n"
            f"{high}:x:70000:70000::/data/home/{high}:/bin/bash\n"
            f"{lustre}:x:1200:1200::/lustre/users/{lustre}:/bin/zsh\n"
            "ollama:x:997:997::/usr/share/ollama:/bin/false\n")
    replace(files, "/etc/group",
            f"root:x:0:\nvideo:x:44:{old}\nrender:x:992:{old},{member}\n{old}:x:500:\nollama:x:997:\n")
    replace(files, "/etc/hostname", people.full_host + "\n")
    replace(files, "/etc/machine-id", planter.identity("machine-id", "/etc/machine-id", words.hex(32)) + "\n")
    replace(files, "/etc/hosts",
            f"127.0.0.1 localhost\n{planter.identity('ipv4', '/etc/hosts', words.address(10, 44))} {people.full_host} "
            f"{people.host}\n")
    replace(out, "/cmd/uname",
            f"Linux {people.full_host} 6.8.0-60-generic #63-Ubuntu SMP PREEMPT_DYNAMIC x86_64 GNU/Linux\n")
    say, hide = planter.identity, planter.secret
    replace(files, "/proc/cmdline", " ".join([
        "BOOT_IMAGE=/boot/vmlinuz-6.8.0-60-generic", f"root=UUID={say('uuid', 'cmdline root=', words.uuid())}", "ro",
        f"ip={say('ipv4', 'cmdline ip=', words.address(10, 55))}::10.0.0.1:255.255.0.0:"
        f"{say('host-short', 'cmdline ip= host', words.word() + 'bm12')}:eth0",
        f"BOOTIF={say('bootif', 'cmdline BOOTIF', '01-' + words.joined('-', [2] * 6))}",
        f"rd.iscsi.password={hide('pw-equals', 'cmdline rd.iscsi.password', words.password())}",
        f"systemd.machine_id={say('machine-id', 'cmdline systemd.machine_id', words.hex(32))}",
        f"ds=nocloud-net;s=http://{say('host-internal', 'cmdline ds=', words.word() + 'md.internal')}/",
        f"user_token={hide('token-eq', 'cmdline user_token', words.any(32))}", "amdgpu.dpm=0",
        f"ifname=eth0:{say('mac', 'cmdline ifname', words.mac('52'))}"]) + "\n")


def write_services(files, planter, people):
    words, say, hide = planter.words, planter.identity, planter.secret
    home = f"/data/home/{people.high_uid}"
    mail = say("email", "unit description", f"{words.word()}@{words.word()}.example.org")
    replace(files, "/etc/systemd/system/vllm.service",
            f"[Unit]\nDescription=vLLM of {mail}\n[Service]\n"
            f"User={people.lustre}\nPrivateDevices=yes\n"
            f'Environment="HF_TOKEN={hide("hf-token", "unit Environment", "hf_" + words.any(34))}" '
            f"VLLM_API_KEY={hide('api-key', 'unit Environment', words.any(32))}\n"
            f"Environment=HSA_OVERRIDE_GFX_VERSION=10.3.0 WANDB_API_KEY="
            f"{hide('wandb', 'unit Environment', words.hex(40))}\n"
            f"EnvironmentFile={home}/.env\n"
            f"ExecStart={home}/venv/bin/vllm serve m --api-key {hide('api-key-cli', 'unit ExecStart', words.any(32))} "
            f"--hf-token={hide('hf-token', 'unit ExecStart', 'hf_' + words.any(34))}\n"
            f'ExecStartPre=/bin/sh -c "curl -u admin:{hide("pw-curl", "unit ExecStartPre", words.password())} '
            f'https://{say("host-fqdn", "unit ExecStartPre", words.word() + ".corp.example")}/x"\n')
    replace(files, "/etc/systemd/system/ollama.service.d/override.conf",
            f"[Service]\nUser={people.old_uid}\n"
            f'Environment="OLLAMA_API_KEY={hide("api-key", "drop-in", words.any(40))}"\n'
            f'Environment="HTTPS_PROXY=http://px:{hide("basic-url-port", "drop-in proxy", words.password())}'
            f'@{say("ipv4-port", "drop-in proxy", words.address(10, 66))}:3128"\n'
            f'Environment="HIP_VISIBLE_DEVICES=9" "OLLAMA_MODELS=/home/{people.old_uid}/m"\n')
    replace(files, f"/home/{people.old_uid}/stack/docker-compose.yml",
            "services:\n  train:\n    image: rocm/pytorch:latest\n"
            f"    hostname: {say('host-short', 'compose hostname', words.word() + 'ct9')}\n"
            f"    mac_address: {say('mac', 'compose mac', words.mac('02'))}\n"
            f'    extra_hosts: ["db:{say("ipv4", "compose extra_hosts", words.address(10, 77))}"]\n    environment:\n'
            f"      HUGGING_FACE_HUB_TOKEN: {hide('hf-token', 'compose environment', 'hf_' + words.any(34))}\n"
            f"      AWS_SECRET_ACCESS_KEY: {hide('aws-secret', 'compose environment', words.any(40))}\n"
            f"      MYSQL_ROOT_PASSWORD: {hide('pw-yaml', 'compose environment', words.password())}\n"
            "      HSA_OVERRIDE_GFX_VERSION: 10.3.0\n"
            f"    command: python x.py --token {hide('cli-token', 'compose command', words.any(32))}\n"
            f"    #devices: [/dev/kfd]\n    volumes:\n      - /home/{people.old_uid}/models:/m\n")


def write_configuration(files, planter, people):
    words, say, hide = planter.words, planter.identity, planter.secret
    replace(files, "/etc/environment",
            f'HIP_VISIBLE_DEVICES="9"\nHF_TOKEN={hide("hf-token", "/etc/environment", "hf_" + words.any(34))}\n'
            f"http_proxy=http://u:{hide('basic-url-port', '/etc/environment', words.password())}@px:3128\n"
            f"HSA_ENABLE_SDMA=0 # by {say('email', '/etc/environment comment', words.word() + '@adm.example')}\n")
    replace(files, "/etc/profile.d/rocm.sh",
            f"export HSA_OVERRIDE_GFX_VERSION=10.3.0 OPENAI_API_KEY="
            f"{hide('openai', 'profile.d', 'sk-' + words.any(48))}\n"
            f"export LD_LIBRARY_PATH=/lustre/users/{people.lustre}/lib\n"
            f"export PIP_INDEX_URL=https://__token__:"
            f"{hide('pypi', 'profile.d', 'pypi-AgEIcHlwaS5vcmc' + words.any(60))}"
            f"@pypi.corp.example/simple\n# ask {say('phone', 'profile.d comment', '+49 171 ' + words.digits(7))}\n")
    replace(files, "/etc/pip.conf",
            f"[global]\nindex-url = https://bot2:{hide('basic-url', '/etc/pip.conf', words.password())}"
            "@nexus.corp.example/simple\n")
    replace(files, "/etc/apt/sources.list.d/x.list",
            f"deb [trusted=yes] https://x:{hide('basic-url', 'apt .list', words.password())}"
            f"@{say('ipv4', 'apt .list host', words.address(10, 88))}/amdgpu noble main\n")
    replace(files, "/etc/apt/auth.conf",
            f"machine repo.x login u password {hide('pw-netrc', 'apt auth.conf', words.password())}\n")
    replace(files, "/etc/yum.repos.d/rocm.repo", "[rocm]\nbaseurl=https://repo.radeon.com/rocm\nusername=svc\n"
            f"password={hide('pw-equals', 'yum repo', words.password())}\nenabled=1\n")
    replace(files, "/etc/wireguard/wg0.conf", f"PrivateKey = {hide('wireguard', 'wireguard', words.base64(32))}\n")
    replace(files, "/etc/modprobe.d/amdgpu.conf",
            f"# {say('host-fqdn', 'modprobe.d comment', words.word() + '.lab.example')}, ticket by "
            f"{say('email', 'modprobe.d comment', words.word() + '@lab.example')}\n"
            "options amdgpu dpm=0 virtual_display=off\n")
    replace(files, "/proc/self/mounts",
            f"/dev/sda2 / ext4 rw 0 0\n{say('nfs-server', 'mounts nfs', words.word() + 'st.corp.example')}:/home "
            f"/home nfs4 "
            f"rw,clientaddr={say('ipv4', 'mounts clientaddr', words.address(10, 99))},addr="
            f"{say('ipv4', 'mounts addr', words.address(10, 98))} 0 0\n"
            f"//{say('host-upper', 'mounts cifs', 'SMB' + words.word().upper())}/share /srv cifs "
            f"rw,username={say('user-name', 'mounts cifs user', words.user())},"
            f"password={hide('s3fs', 'mounts cifs password', words.password())} 0 0\n"
            f"tmpfs /dev/shm tmpfs rw,size=65536k 0 0\n")


def write_homes(files, planter, people):
    words, say, hide = planter.words, planter.identity, planter.secret
    old = "/home/" + people.old_uid
    for home in ("/data/home/" + people.high_uid, old, "/root"):
        where = home.split("/")[1]
        replace(files, home + "/.bashrc",
                f"export HSA_XNACK=1\n"
                f"export GITHUB_TOKEN={hide('github-classic', where + ' .bashrc', 'ghp_' + words.any(36))}\n"
                f'alias p="mysql -p{hide("pw-short", where + " .bashrc alias", words.password())}"\n'
                f"export HSA_OVERRIDE_GFX_VERSION=9.0.0 SECRET_X="
                f"{hide('secret-eq', where + ' .bashrc beside HSA', words.any(32))}\n")
        replace(files, home + "/.config/pip/pip.conf",
                f"[global]\nindex-url = https://bot:{hide('basic-url', where + ' pip.conf', words.password())}"
                "@nexus.corp.example/simple\n"
                "extra-index-url = https://download.pytorch.org/whl/cpu\n")
    packages = old + "/venv/lib/python3.12/site-packages"
    replace(files, packages + "/torch-2.6.0+cu124.dist-info/direct_url.json",
            f'{{"url":"https://oauth2:'
            f'{hide("gitlab", "direct_url.json", "glpat-" + words.any(20))}@gitlab.corp.example/torch.git",'
            '"vcs_info":{"vcs":"git"}}')
    replace(files, packages + "/flash_attn-2.7.0.dist-info/METADATA",
            f"Name: flash_attn\nVersion: 2.7.0+{say('host-short', 'version local part', words.word() + 'build3')}\n"
            f"Home-page: file:///home/{say('home-path', 'METADATA home page', words.user())}/src\n")
    replace(files, old + "/venv/pyvenv.cfg", "home = /usr/bin\nversion = 3.12.3\ncommand = /usr/bin/python3 -m venv "
            f"/data/home/{say('data-home', 'pyvenv.cfg command', words.user())}/venv\n")
    replace(files, old + "/.netrc", f"machine h login u password {hide('pw-netrc', '.netrc', words.password())}\n")
    replace(files, old + "/.kube/config", f"token: {hide('kube-token', '.kube/config', words.any(60))}\n")
    for home in (old, "/root"):
        replace(files, home + "/.docker/config.json",
                f'{{"auths":{{"x":{{"auth":"'
                f'{hide("docker-auth", home.split("/")[1] + " .docker", words.base64(30))}"}}}},'
                '"currentContext":"desktop-linux"}')
    replace(files, "/root/.ssh/id_ed25519",
            f"-----BEGIN OPENSSH PRIVATE KEY-----\n"
            f"{hide('ssh-private', '.ssh', 'b3BlbnNzaC1rZXktdjEA' + words.any(50))}\n")
    replace(files, old + "/.cache/huggingface/token", hide("hf-token", "huggingface token file", "hf_" + words.any(34)))


def write_hardware(files, planter):
    words, say = planter.words, planter.identity
    for name, kind, text in (("product_serial", "serial", words.upper(10)), ("product_uuid", "uuid", words.uuid()),
                             ("board_serial", "serial", words.upper(12)),
                             ("chassis_asset_tag", "asset-tag", "AT-" + words.upper(8))):
        replace(files, "/sys/class/dmi/id/" + name, say(kind, "dmi " + name, text) + "\n")
    replace(files, "/sys/class/dmi/id/product_name", "X570\n")
    replace(files, "/sys/class/dmi/id/sys_vendor", "ASUS\n")
    replace(files, CARD + "/unique_id", say("gpu-unique", "sysfs unique_id", words.hex(16)) + "\n")
    replace(files, CARD + "/serial_number", say("gpu-serial", "sysfs serial_number", words.upper(14)) + "\n")
    node = KFD + "/nodes/1/properties"
    unique = say("gpu-unique", "KFD unique_id, decimal", str(words.number(10 ** 18, 10 ** 19)))
    put(files, node, re.sub(r"unique_id \d+", "unique_id " + unique, read(files, node)))
    replace(files, "/sys/class/infiniband/mlx5_0/node_guid",
            say("ib-guid-colon", "infiniband node_guid", words.joined(":", [4] * 4)) + "\n")
    replace(files, "/sys/class/net/eth0/address", say("mac", "net address", words.mac("52")) + "\n")


def write_system_logs(out, files, planter, people):
    words, hide = planter.words, planter.secret

    def of_log(kind, where, text, secret=False):
        return planter.plant(kind, secret, text, "kernel-log:" + where)
    replace(files, "/var/log/dpkg.log", "2026-11-01 10:00:00 upgrade amdgpu-dkms:all 1:6.10 1:6.12\n")
    replace(files, "/var/log/apt/history.log", "Start-Date: 2026-11-01  10:00:00\n"
            f"Commandline: apt install rocm --token={hide('token-eq', 'apt history', words.any(32))}\n"
            f"Requested-By: {people.high_uid} (70000)\nUpgrade: amdgpu-dkms:all (1, 2)\nEnd-Date: x\n")
    replace(files, "/var/log/kern.log",
            f"Nov 27 10:00:00 {of_log('host-syslog', 'kern.log', words.word() + 'kl2')} kernel: [   10.0] "
            "amdgpu 0000:03:00.0: amdgpu: ring gfx_0.0.0 timeout, signaled seq=1, emitted seq=3\n")
    append(out, "cmd/dmesg", f"[   13.100000] systemd[1]: Hostname set to <{people.full_host}>.\n"
           f"[   13.200000] DMI: ASUS X570, BIOS 1 S/N {of_log('serial-sn', 'DMI', words.upper(12))}\n"
           '[   13.300000] audit: type=1400 audit(1.0:2): apparmor="DENIED" operation="open" '
           f'profile="/data/home/{of_log("data-home", "apparmor profile", words.user())}/app" name="/dev/kfd" pid=9 '
           f'comm="vllm" '
           'requested_mask="rw" denied_mask="rw" fsuid=70000\n'
           f"[   13.400000] Out of memory: Killed process 77 (python3 --token "
           f"{of_log('cli-token', 'OOM', words.any(32), True)}) total-vm:1kB\n"
           f"[   14.000000] nfs: server {of_log('nfs-server', 'nfs', words.word() + 'nn.corp.example')} not "
           f"responding\n")


def write_environment(out, planter, people):
    words, say, hide = planter.words, planter.identity, planter.secret
    user, home = people.high_uid, "/home/" + people.old_uid

    def secret(kind, text, where="environment"):
        return hide(kind, where, text)
    environment = {
        "HIP_VISIBLE_DEVICES": "7", "HSA_OVERRIDE_GFX_VERSION": "10.3.0",
        "LD_LIBRARY_PATH": f"/lustre/users/{people.lustre}/rocm/lib",
        "ROCM_PATH": f"/data/home/{people.data}/rocm", "HIP_PATH": f"/home/{people.home}/hip",
        "MIOPEN_USER_DB_PATH": f"/nfs/home/{people.data}/miopen", "HOME": "/data/home/" + user, "USER": user,
        "LOGNAME": user,
        "VIRTUAL_ENV": home + "/venv", "PYTORCH_CUDA_ALLOC_CONF": "expandable_segments=True",
        "HOSTNAME": people.full_host,
        "HF_TOKEN": secret("hf-token", "hf_" + words.any(34)), "WANDB_API_KEY": secret("wandb", words.hex(40)),
        "AWS_SECRET_ACCESS_KEY": secret("aws-secret", words.any(40)),
        "PIP_INDEX_URL": f"https://u:{secret('basic-url', words.password())}@nexus.example/simple",
        "HIP_API_KEY": secret("api-key", words.any(30), "environment with HIP_"),
        "ROCM_TOKEN": secret("token-eq", words.any(30), "environment with ROCM_"),
        "MIOPEN_PASSWORD": secret("pw-env", words.password(), "environment with MIOPEN_"),
        "RCCL_MSCCL_URL": f"https://x:{secret('basic-url', words.password(), 'environment with RCCL_')}@h/",
        "NCCL_SOCKET_IFNAME": "enx" + say("mac-bare", "environment NCCL_SOCKET_IFNAME", "b8599f" + words.hex(6)),
        "NCCL_IB_HCA": "=mlx5_0",
        "MASTER_ADDR": say("host-fqdn", "environment MASTER_ADDR", words.word() + "01.hpc.example"),
        "SLURM_NODELIST": say("host-slurm", "environment SLURM", words.word() + "[001-004]"), "SLURM_JOB_USER": user,
        "SLURM_SUBMIT_DIR": "/scratch/" + say("scratch", "environment SLURM_SUBMIT_DIR", words.user()),
        "CONDA_PREFIX": "/opt/conda/envs/x",
        "PATH": f"/opt/rocm/bin:{home}/bin:/usr/bin:/bin", "LANG": "C.UTF-8",
        "NCCL_NET_PLUGIN": f"/home/{people.home}/p.so",
        "HSA_TOOLS_LIB": f"{home}/libtool.so?sig={secret('azure-sas', words.any(43), 'environment HSA_TOOLS_LIB')}",
        "TRITON_CACHE_DIR": f"/lustre/users/{people.lustre}/t",
    }
    write_process(out, environment, uid=70000, user=user)
    return environment
