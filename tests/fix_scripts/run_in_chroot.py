#!/usr/bin/env python3
"""run_in_chroot.py WRITE_FIX_SCRIPTS CAUSES FOLDER [--only CAUSE] [--table FILE]

Runs the repair script of every cause, for apt, dnf, zypper and pacman, in a throw-away copy of one Debian 13 that has all four package
managers, and says what has changed there. Needs root, mmdebstrap, overlayfs and a Debian mirror; FOLDER (outside every repository) takes
the system, some 900 MB, and is used again.

Package managers, shell, sed, tee, install, usermod and the like are the real ones. APT asks Debian's mirror, and for the names that
Debian lacks a repository of empty packages; dnf, zypper and pacman ask such a repository each, whose names are those of packages.toml.
What needs hardware, a reboot, services, a cluster, or the network of another than Debian (systemctl, dkms, dracut, docker, pip ...) is a
stand-in that writes down how it was called. The table says of each script whether it ended well, which files and packages it changed,
and which lasting calls were written down.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

import check_scripts

# Of each family the system whose names the stand-in repository has; APT's has Debian's own beside them.
SYSTEMS = {"apt": "apt-debian", "dnf": "dnf-fedora", "zypper": "zypper-sles", "pacman": "pacman-arch"}
REAL = """apt apt-get apt-mark apt-cache dpkg dpkg-query dnf rpm zypper pacman tee sed grep find install rm mv ln mkdir cat id usermod gpasswd
chmod chown ldconfig sort head tail xargs sudo gpg""".split()
# A release of its own, so that headers and modules of the running kernel can be had.
KERNEL = {"apt": "6.12.4-amd64", "dnf": "6.12.4-1.x86_64", "zypper": "6.12.4-1.x86_64", "pacman": "6.12.4-1-x86_64"}
# There from the start, in a version that can be brought up to date.
INSTALLED = """amdgpu-dkms amdgpu-dkms-firmware amdgpu-install rock-dkms rocblas linux-firmware amd-gpu-firmware kernel-firmware-amdgpu kernel
kernel-default linux rdma-core opencl-amd kernel-modules-6 rocm-opencl-runtime""".split()
NOT_AT_FIRST = {"pacman": ["rocm-opencl-runtime"], "apt": ["linux-firmware", "rdma-core"]}

PREPARE_FILES = r"""
mkdir -p /etc/modprobe.d /etc/default /etc/OpenCL /etc/yum.repos.d /etc/zypp/repos.d /etc/slurm /etc/udev/rules.d /etc/security/limits.d \
  /etc/sysctl.d /etc/ld.so.conf.d /etc/apt/sources.list.d /etc/modprobe.d /lib/firmware/updates/amdgpu /var/lib/dkms/amdgpu/6.8.5 /opt/rocm-7.0.2 \
  /usr/lib/gcc/x86_64-linux-gnu/14 /srv/build
echo 'GRUB_CMDLINE_LINUX_DEFAULT="quiet nomodeset acpi=off noapic nolapic pci=nomsi amdgpu.msi=0 modprobe.blacklist=amdgpu vfio-pci.ids=1002:744c amdgpu.vramlimit=512 amdgpu.vis_vramlimit=256"' >/etc/default/grub
echo 'blacklist amdgpu' >/etc/modprobe.d/blacklist-amdgpu.conf
echo 'options vfio-pci ids=1002:744c' >/etc/modprobe.d/vfio.conf
echo 'options amdgpu vramlimit=512 vis_vramlimit=256' >/etc/modprobe.d/amdgpu.conf
printf 'case "$ID" in\n  ubuntu|linuxmint|debian) ;;\n  centos|rhel) ;;\n  sles|opensuse) ;;\nesac\n' >/usr/bin/amdgpu-install
useradd -m ada; useradd -r ollama; groupadd -f render
echo 'root:100000:65536' >/etc/subgid
"""
# What a cause finds on its machine beside that.
PREPARE_CAUSE = {
    "driver-regression": {"apt": "apt-get install -y -qq amdgpu-dkms amdgpu-dkms-firmware",
                          "dnf": "dnf -y -q upgrade amdgpu-dkms amdgpu-dkms-firmware",
                          "zypper": "/usr/bin/zypper -n -q update amdgpu-dkms amdgpu-dkms-firmware"},
    "package-held-back": {"apt": "apt-mark hold rocblas", "zypper": "/usr/bin/zypper -n -q addlock rocblas",
                          "dnf": "dnf -y -q versionlock add rocblas", "pacman": "echo 'IgnorePkg = rocblas' >>/etc/pacman.conf"},
    "repository-release-absent": {
        "apt": "echo 'deb [trusted=yes] file:/repo/repo.radeon.com/rocm/apt/6.4 ./' >/etc/apt/sources.list.d/rocm.list; mkdir -p /repo/repo.radeon.com/rocm/apt; "
               "cp -r /repo/apt /repo/repo.radeon.com/rocm/apt/7.0.2",
        "dnf": "printf '[rocm]\\nname=x\\nbaseurl=https://repo.radeon.com/rocm/el9/6.4/main\\nenabled=0\\n' >/etc/yum.repos.d/rocm.repo",
        "zypper": "printf '[rocm]\\nname=x\\nbaseurl=https://repo.radeon.com/rocm/zyp/6.4/main\\nenabled=0\\n' >/etc/zypp/repos.d/rocm.repo"},
    "repository-entry-malformed": {"apt": "echo 'deb htp://repo.radeon.com x' >/etc/apt/sources.list.d/rocm.list"},
    "distro-rocm-shadows-amd-repo": {
        "dnf": "printf '[rocm]\\nname=x\\nbaseurl=file:///repo/rpm\\nenabled=1\\ngpgcheck=0\\n' >/etc/yum.repos.d/rocm.repo",
        "zypper": "cp /etc/zypp/repos.d/stand-in.repo /etc/zypp/repos.d/rocm.repo; sed -i 's/stand-in/rocm/' /etc/zypp/repos.d/rocm.repo"},
    "gfx-dropped-by-rocm": {"zypper": "sed -i 's/stand-in/rocm/' /etc/zypp/repos.d/stand-in.repo"},
    "distro-release-retired": {
        "dnf": "printf '[base]\\nname=x\\nmirrorlist=http://mirrorlist.centos.org/\\n#baseurl=http://mirror.centos.org/7\\nenabled=0\\n' >/etc/yum.repos.d/CentOS-Base.repo"},
    "conflicting-rocm-packages": {"dnf": "dnf -y -q install rocm"},
    "dpkg-interrupted": {"apt": "sed -i '/^Package: rock-dkms$/{n;s/ok installed/ok half-configured/}' /var/lib/dpkg/status"},
    "wsl-librocdxg-version-mismatch": {"apt": "apt-get install -y -qq rocdxg-roct=1.0"},
    "kernel-without-hsa-amd": {"dnf": "rpm -e kernel", "zypper": "rpm -e kernel-default", "pacman": "pacman --noconfirm -Rdd linux"},
    "dpm-stuck-low": {family: "mkdir -p /sys/class/drm/card0/device; touch /sys/class/drm/card0/device/power_dpm_force_performance_level" for family in SYSTEMS},
    # What overlayfs has in a lower layer, rpm cannot rename.
    "package-database-damaged": {family: "cp -a /var/lib/rpm /var/lib/rpm.copy; rm -rf /var/lib/rpm; mv /var/lib/rpm.copy /var/lib/rpm" for family in ("dnf", "zypper")},
    "migraphx-program-of-another-release": {family: "mkdir -p /srv/models && touch /srv/models/model.mxr" for family in SYSTEMS},
    "wheel-bundled-runtime-conflict": {family: "mkdir -p /site/torch/lib && touch /site/torch/lib/libhsa-runtime64.so.1" for family in SYSTEMS},
    "opt-rocm-symlink-missing": {family: "rm -rf /opt/rocm" for family in SYSTEMS},
}


def sh(command, **more):
    return subprocess.run(["/bin/bash", "-ec", command], check=True, stdout=subprocess.DEVNULL, **more)


def inside(root, command):
    """In the system, with its own /proc."""
    sh(f"unshare -m /bin/bash -ec {check_scripts.quoted(f'mount -t proc proc {root}/proc; chroot {root} /bin/bash -ec ' + check_scripts.quoted(command))}")


def names_of(knowledge, family):
    """Stand-in packages: name -> versions. A pattern stands for the name with the kernel's release."""
    out = {}
    system = SYSTEMS[family]
    for name in [*knowledge.packages[system], *INSTALLED]:
        if name in INSTALLED and name not in knowledge.packages[system]:
            continue
        if name.endswith("*"):
            name = name[:-2] + KERNEL[family]
        out[name] = ["1.0", "2.0"]
    return out


def build_debs(folder, names):
    (folder / "pool").mkdir(parents=True)
    for name, versions in names.items():
        for version in versions:
            tree = folder / "tree"
            shutil.rmtree(tree, ignore_errors=True)
            (tree / "DEBIAN").mkdir(parents=True)
            (tree / "usr/share/stand-in/apt").mkdir(parents=True)
            (tree / "usr/share/stand-in/apt" / name).write_text(version)
            (tree / "DEBIAN/control").write_text(f"Package: {name}\nVersion: {version}\nArchitecture: all\nMaintainer: nobody <nobody@invalid>\n"
                                                 "Description: stand-in\n")
            sh(f"dpkg-deb --root-owner-group -b {tree} {folder}/pool/{name}_{version}_all.deb")
    shutil.rmtree(folder / "tree")
    sh(f"cd {folder} && dpkg-scanpackages -m pool /dev/null >Packages 2>/dev/null")


def build_rpms(root, names):
    spec = ["Name: stand-in", "Version: 1", "Release: 1", "Summary: x", "License: x", "BuildArch: x86_64", "%description", "x"]
    for name, versions in names.items():
        kernel = re.fullmatch(r"(.*)-6\.12\.4-1\.x86_64", name)
        for version in ["6.12.4"] if kernel else versions:
            spec_name = kernel[1] if kernel else name
            text = "\n".join([f"Name: {spec_name}", f"Version: {version}", "Release: 1", "Summary: x", "License: x", "BuildArch: x86_64",
                              "%description", "x", "%install", "mkdir -p %{buildroot}/usr/share/stand-in/rpm",
                              f"echo {version} >%{{buildroot}}/usr/share/stand-in/rpm/{spec_name}-{version}", "%files",
                              f"/usr/share/stand-in/rpm/{spec_name}-{version}"])
            (root / "repo/rpm/one.spec").write_text(text + "\n")
            inside(root, "rpmbuild --quiet -bb --define '_rpmdir /repo/rpm' --define '_build_id_links none' /repo/rpm/one.spec 2>/dev/null")
    inside(root, "rm /repo/rpm/one.spec; createrepo_c -q /repo/rpm")


def build_pacman(root, names):
    folder = root / "repo/pacman"
    folder.mkdir(parents=True)
    for name in names:
        tree = folder / "tree"
        shutil.rmtree(tree, ignore_errors=True)
        (tree / "usr/share/stand-in/pacman").mkdir(parents=True)
        for version in ("1.0", "2.0"):
            (tree / "usr/share/stand-in/pacman" / name).write_text(version)
            provides = ""
            (tree / ".PKGINFO").write_text(f"pkgname = {name}\npkgbase = {name}\npkgver = {version}-1\npkgdesc = x\nurl = x\nbuilddate = 1\npackager = x\n"
                                           f"size = 1\narch = any\n{provides}")
            where = folder if version == "2.0" else folder / "old"
            where.mkdir(exist_ok=True)
            file = f"/{where.relative_to(root)}/{name}-{version}-1-any.pkg.tar.zst"
            sh(f"chroot {root} bsdtar -C /repo/pacman/tree --zstd -cf {file} .PKGINFO usr")
    shutil.rmtree(folder / "tree")
    inside(root, "cd /repo/pacman && repo-add -q stand-in.db.tar.gz *.pkg.tar.zst")


def make_base(folder, knowledge):
    root = folder / "base"
    if (folder / "made").exists():
        return root
    shutil.rmtree(folder / "base", ignore_errors=True)
    print("Debian 13 with four package managers", flush=True)
    packages = ("dnf,dnf-plugins-core,zypper,pacman-package-manager,makepkg,createrepo-c,rpm,dpkg-dev,python3,zstd,libarchive-tools,xz-utils,ca-certificates,"
                "gpg,apt-utils,passwd,sed,findutils")
    sh(f"mmdebstrap --variant=apt --components=main,non-free-firmware --include={packages} trixie {root} http://deb.debian.org/debian 2>/dev/null")
    for family in SYSTEMS:
        print("stand-in packages for", family, flush=True)
        names = names_of(knowledge, family)
        if family == "apt":
            known = subprocess.run(["chroot", str(root), "apt-cache", "pkgnames"], capture_output=True, text=True).stdout.split()
            build_debs(root / "repo/apt", {name: versions for name, versions in names.items() if name not in known})
        elif family == "pacman":
            build_pacman(root, names)
    (root / "repo/rpm").mkdir(parents=True)
    build_rpms(root, {**names_of(knowledge, "dnf"), **names_of(knowledge, "zypper"), "epel-release": ["1.0"]})
    (root / "etc/apt/sources.list.d/stand-in.list").write_text("deb [trusted=yes] file:/repo/apt ./\n")
    # The key of a repository that is not there: rpm fetches one with curl.
    inside(root, "mkdir -p /stubs; export GNUPGHOME=/tmp/key; mkdir -m 700 $GNUPGHOME; gpg -q --batch --passphrase '' --quick-gen-key stand-in; "
           "gpg -q --armor --export stand-in >/stubs/key.asc; gpgconf --kill all")
    (root / "usr/bin/curl").write_text('#!/bin/bash\nwhile [ "$1" != -o ]; do shift; done\ncp /stubs/key.asc "$2"\n')
    (root / "usr/bin/curl").chmod(0o755)
    (root / "etc/apt/apt.conf.d/90yes").write_text('APT::Get::Assume-Yes "true";\nAPT::Install-Recommends "false";\n')
    (root / "prepare.sh").write_text(PREPARE_FILES)
    inside(root, "bash -e /prepare.sh; apt-get update -qq")
    conf = root / "etc/dnf/dnf.conf"
    conf.parent.mkdir(exist_ok=True)
    conf.write_text("[main]\nassumeyes=True\ngpgcheck=False\nmodule_platform_id=platform:f43\n")
    for path in ("etc/yum.repos.d", "etc/zypp/repos.d"):
        (root / path / "stand-in.repo").write_text("[stand-in]\nname=stand-in\nbaseurl=file:///repo/rpm\nenabled=1\ngpgcheck=0\n")
    (root / "etc/pacman.conf").write_text("[options]\nArchitecture = auto\nSigLevel = Never\nDisableSandbox\n[stand-in]\nServer = file:///repo/pacman\n")
    here = set(INSTALLED)
    old = {family: [name for name in names_of(knowledge, family) if name in here and name not in NOT_AT_FIRST.get(family, [])] for family in SYSTEMS}
    debs = [name for name in old["apt"] if (root / f"repo/apt/pool/{name}_1.0_all.deb").exists()]
    inside(root, "apt-get install -y -qq " + " ".join(f"{name}=1.0" for name in debs))
    rpms = sorted({*old["dnf"], *old["zypper"]})
    inside(root, "dnf -q -y install " + " ".join(f"{name}-1.0" for name in rpms))
    inside(root, "pacman --noconfirm -U " + " ".join(f"/repo/pacman/old/{name}-1.0-1-any.pkg.tar.zst" for name in old["pacman"])
           + " 2>/dev/null; pacman --noconfirm -Sy >/dev/null 2>&1")
    stubs = root / "stubs"
    stubs.mkdir(exist_ok=True)
    for name in [*knowledge.programs, "add-apt-repository"]:
        if name not in REAL:
            shutil.copy(check_scripts.HERE / "stub.sh", stubs / name)
    # Nobody is there to say yes.
    for name, option in (("zypper", "--non-interactive"), ("pacman", "--noconfirm")):
        (stubs / name).write_text(f'#!/bin/bash\n[ "$1" != migration ] || {{ echo "{name} $*" >>"$FIX_LOG"; exit; }}\nexec /usr/bin/{name} {option} "$@"\n')
        (stubs / name).chmod(0o755)
    # Headers and modules are of this release.
    (stubs / "uname").write_text('#!/bin/bash\necho "$FIX_KERNEL"\n')
    (stubs / "uname").chmod(0o755)
    for name in ("wget", "curl"):
        (stubs / name).write_text('#!/bin/bash\necho "${0##*/} $*" >>"$FIX_LOG"\ncat /stubs/key.asc\n')
        (stubs / name).chmod(0o755)
    (folder / "made").write_text("")
    return root


UNREACHABLE = re.compile(r"repo.radeon.com|rocm' metadata|Cannot download repomd.xml|graphics' metadata|ROCm' metadata")
# Paths that a package manager writes at each run, whether anything changed or not.
PASSING = re.compile(r"^/(log|calls|packages|script\.sh|tmp|run|proc|dev|var/(cache|log|tmp|lib/(apt/(lists|periodic|extended_states)|rpm|dnf|zypp/AutoInstalled|zypp/AnonymousUniqueId))|"
                     r"root/\.(cache|gnupg)|usr/share/info|var/lib/dpkg/(lock.*|triggers|status|.*-old)|srv/rocvet|repo/|stubs/)")


# Causes that lie in just these.
ABOUT_LISTS = ("repository-out-of-step", "package-database-damaged", "disk-full", "repository-key-refused-by-policy", "repository-signing-key-missing")


def changed_files(upper, with_lists):
    out = []
    for folder, _, files in os.walk(upper):
        for name in files:
            path = "/" + str(pathlib.Path(folder, name).relative_to(upper))
            if not PASSING.match(path) or (with_lists and path.startswith(("/var/lib/", "/var/cache/"))):
                out.append(path)
    return sorted(out)


# With the time of installation, where the manager has one.
LIST_PACKAGES = """{{ chroot {root} dpkg-query -W -f '${{Package}} ${{Version}} ${{Status}}\\n'; chroot {root} rpm -qa --qf 'rpm %{{NAME}} %{{VERSION}} %{{INSTALLTIME}}\\n'; \
chroot {root} pacman -Q; true; }}"""


def run_one(script, base, folder, knowledge):
    work = folder / "run" / f"{script.family}-{script.cause}"
    shutil.rmtree(work, ignore_errors=True)
    for name in ("upper", "work", "root"):
        (work / name).mkdir(parents=True)
    root = work / "root"
    mount = ["mount", "-t", "overlay", "overlay", "-o", f"lowerdir={base},upperdir={work}/upper,workdir={work}/work", str(root)]
    prepare = PREPARE_CAUSE.get(script.cause, {}).get(script.family, "true")
    # Its own /dev: what a script writes there is nothing to keep. Each in a mount namespace, that ends with it.
    (work / "script.sh").write_text(check_scripts.by_name(script.text))
    (work / "packages").write_text("\n".join(knowledge.packages[script.system]) + "\n")
    environment = {"PATH": "/stubs:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "USER": "ada", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive",
                   "FIX_LOG": "/log", "FIX_PACKAGES": "/packages", "FIX_SYSTEM": script.system, "FIX_KERNEL": KERNEL[script.family],
                   "WSL_DISTRO_NAME": "Ubuntu", "ORT_MIGRAPHX_MODEL_CACHE_PATH": "/srv/models", **check_scripts.SAMPLES, "GOOD_VERSION": "1.0"}
    dropped = [name for line in script.commands if line.startswith(("drop_variables ", "keep_variables "))
               for name in re.findall(r"\b([A-Z][A-Z0-9_a-z]+)\b(?==|\s|$)", line.split("   # ")[0])]
    profile = "".join(f"export {name}=as-it-was\n" for name in dropped)
    steps = (f"{' '.join(mount)}; mount -t proc proc {root}/proc; mount -t tmpfs tmpfs {root}/tmp; cp {work}/script.sh {work}/packages {root}/; touch {root}/log; "
             f"printf %s {check_scripts.quoted(profile)} >{root}/root/.profile; mkdir -p {root}/srv/build; "
             f"chroot {root} /bin/bash -ec {check_scripts.quoted(prepare)} >{work}/prepared 2>&1 || {{ cat {work}/prepared >&2; exit 250; }}; "
             f"{LIST_PACKAGES.format(root=root)} >{work}/before 2>/dev/null; touch {root}/began; find {work}/upper -type f >{work}/files; cd /; set +e; "
             f"chroot {root} /bin/bash -c 'cd /srv; exec /bin/bash /script.sh'; status=$?; "
             f"{LIST_PACKAGES.format(root=root)} >{work}/after 2>/dev/null; exit $status")
    try:
        done = subprocess.run(["unshare", "-m", "/bin/bash", "-ec", steps], env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=420)
        status, said = done.returncode, done.stderr + done.stdout
    except subprocess.TimeoutExpired:
        status, said = 124, "time"
    upper = work / "upper"
    log = upper / "log"
    calls = log.read_text(errors="replace").splitlines() if log.exists() else []
    lists = [set((work / name).read_text(errors="replace").splitlines()) if (work / name).exists() else set() for name in ("before", "after")]
    began = (upper / "began").stat().st_mtime_ns if (upper / "began").exists() else 0
    there = {line.removeprefix(str(upper)) for line in (work / "files").read_text().splitlines()} if (work / "files").exists() else set()
    own = script.cause in ABOUT_LISTS
    now = changed_files(upper, own)
    files = [path for path in now if path not in there or (upper / path[1:]).lstat().st_mtime_ns >= began]
    gone = [path for path in there - {*now} if not (upper / path[1:]).exists() and not (PASSING.match(path) and not own)]
    if (upper / "root/.profile").exists() and (upper / "root/.profile").read_text() == profile:
        files = [path for path in files if path != "/root/.profile"]
    script.status = status
    script.said = said[-600:]
    script.files = sorted({path for path in [*files, *gone] if path != "/began"})
    script.calls = [call for call in calls if knowledge.kind(call) == "lasts"]
    script.helps = [call for call in calls if not knowledge.kind(call) and not call.startswith(("env ", "unknown"))]
    script.packages = sorted(lists[0] ^ lists[1])
    shutil.rmtree(work, ignore_errors=True)
    return script


def main():
    options = argparse.ArgumentParser()
    options.add_argument("writer")
    options.add_argument("causes")
    options.add_argument("folder")
    options.add_argument("--only")
    options.add_argument("--family")
    options.add_argument("--table")
    options = options.parse_args()
    if os.geteuid() != 0:
        sys.exit("run_in_chroot.py: has to be root")
    folder = pathlib.Path(options.folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    knowledge = check_scripts.Knowledge(options.causes)
    base = make_base(folder, knowledge)
    scripts_folder = folder / "scripts"
    shutil.rmtree(scripts_folder, ignore_errors=True)
    subprocess.run([options.writer, str(scripts_folder), "--causes"], check=True)
    scripts = [check_scripts.Script(path, scripts_folder) for family in SYSTEMS for path in sorted((scripts_folder / SYSTEMS[family]).glob("*/any.sh"))]
    scripts = [one for one in scripts if one.commands and (one.cause, one.family) not in knowledge.not_on
               and options.only in (None, one.cause) and options.family in (None, one.family)]
    bad = 0
    out = open(options.table, "w") if options.table else open(os.devnull, "w")
    out.write("cause\tfamily\tstatus\tpackages changed\tfiles changed\tlasting calls written down\n")
    totals = {}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for script in pool.map(lambda one: run_one(one, base, folder, knowledge), scripts):
            lasts = bool(script.files or script.calls or script.packages)
            unreachable = script.status != 0 and UNREACHABLE.search(script.said) and lasts
            fault = "" if unreachable else "ended with %d" % script.status if script.status else "" if lasts else "changes nothing that lasts"
            for key in ("ran", "ended well" if script.status == 0 else "stopped at repo.radeon.com, out of reach" if unreachable else "failed", "changed packages" if script.packages else "changed files" if script.files else "calls alone" if script.calls else "nothing"):
                totals[script.family, key] = totals.get((script.family, key), 0) + 1
            out.write("\t".join([script.cause, script.family, str(script.status), str(len(script.packages)), " ".join(script.files[:6]), "; ".join(script.calls[:4])]) + "\n")
            out.flush()
            if fault:
                bad += 1
                print(f"{script.family}/{script.cause}: {fault}: {script.said.strip()[-400:]}", flush=True)
    for (family, key), count in sorted(totals.items()):
        print(f"{family} {key}: {count}")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
