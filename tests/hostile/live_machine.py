"""A planted machine as the running one: its files are the root of a chroot, with its own host name, kernel log and
environment."""
import os
import shutil
import stat
import subprocess

from tree import put

MOUNTED = ("usr", "bin", "lib", "lib64",
           "sbin")  # programs and libraries are those of the machine that the test runs on
ENTER = """root=$1; shift
for folder in usr bin lib lib64 sbin; do
  [ -e /$folder ] || continue
  mkdir -p "$root/$folder" && mount --bind "/$folder" "$root/$folder" || exit 90
done
mkdir -p "$root/proc" && mount --rbind /proc "$root/proc" || exit 90
hostname "$(cat "$root/etc/hostname")" || exit 90
if [ -e "$root/usr/bin/dmesg" ]; then mount --bind "$root/kernel-log" "$root/usr/bin/dmesg" || exit 90; fi
exec chroot "$root" "$@"
"""


class LiveMachine:
    """of: a snapshot folder that was planted; its files are moved."""

    def __init__(self, root, of, rocvet, environment):
        self.root, self.environment = root, {**environment, "PATH": "/usr/bin:/bin:/usr/sbin:/sbin"}
        shutil.copytree(of + "/files", root, symlinks=True)
        for name in (*MOUNTED, "proc"):
            shutil.rmtree(os.path.join(root, name), ignore_errors=True)
        for name in ("tmp", "dev/dri"):
            os.makedirs(os.path.join(root, name), exist_ok=True)
        put(root, "kernel-log", "#!/bin/sh\ncat /kernel.log\n")
        os.chmod(root + "/kernel-log", 0o755)
        shutil.copy(of + "/cmd/dmesg", root + "/kernel.log")
        shutil.copy(rocvet, root + "/rocvet")
        if os.getuid() == 0:
            for name, minor in (("kfd", 3), ("null", 3), ("dri/renderD128", 3)):  # all of them are /dev/null
                os.mknod(f"{root}/dev/{name}", 0o660 | stat.S_IFCHR, os.makedev(1, minor))
                os.chown(f"{root}/dev/{name}", 0, 992)
            os.chmod(root + "/dev/null", 0o666)

    def add(self, name, text):
        put(self.root, name, text)

    def run(self, argv, out):
        """Status of rocvet on it; both streams go to the file `out`."""
        enter = ["unshare", *([] if os.getuid() == 0 else ["-r"]), "-mu", "bash", "-c", ENTER, "enter", self.root,
                 "/rocvet", *argv]
        with open(out, "wb") as file:
            return subprocess.run(enter, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT,
                                  env=self.environment,
                                  check=False, timeout=120).returncode

    def works(self, out):
        return self.run(["--version"], out) == 0
