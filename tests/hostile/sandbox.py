"""Runs printed scripts where they can do no harm, and says which of them did what a name in them asked for.

As root, or as a user who may make namespaces: in a chroot that holds bash, touch and timeout alone, without network, as
nobody. Else in a restricted bash (`bash -r`) in an empty folder with touch alone on its PATH. What stands in a script
and is no program there does nothing; sudo and env run their arguments.
"""
import os
import re
import shutil
import subprocess

from tree import drop, raw

STUBS = """command_not_found_handle() { return 0; }
sudo() { while [ $# -gt 0 ]; do case "$1" in -u|-g) shift 2;; -*) shift;; *) break;; esac; done; "$@"; }
env() { while [ $# -gt 0 ]; do case "$1" in -u) shift 2;; -*|*=*) shift;; *) break;; esac; done; "$@"; }
id() { echo 1000; }
"""
# Reads each script, then runs it in a folder of its own.
DRIVER = """ulimit -u 400 2>/dev/null
for script in /s/*.sh; do
  name=${script##*/}; name=${name%.sh}
  cd /w/$name || exit 9
  [ -e /s/$name.step ] || /t/bash -n $script 2>/c/$name
  export PATH=/bin HOME=/w/$name BASH_ENV=/stubs USER=user
  /t/timeout 5 /t/bash --norc $script
done
"""
RESTRICTED = re.compile(r"CAN\w*: restricted: cannot redirect output")


def namespaces(user):
    return ["unshare"] + (["-r"] if user else []) + ["-mpfn", "--kill-child",
                                                     "chroot"] + ([] if user else ["--userspec=65534:65534"])


def libraries(program):
    """The files that the loader needs for it."""
    listed = subprocess.run(["ldd", program], stdout=subprocess.PIPE, text=True, check=False).stdout
    return re.findall(r"(/\S+)\s+\(0x", listed)


def empty(folder):
    """What was in it."""
    names = os.listdir(folder)
    drop(folder, *names)
    return names


class Sandbox:
    def __init__(self, root, canary):
        """root: a folder that is made; canary: the folder that a payload's absolute path names."""
        self.root, self.canary, self.enter = root, canary, None
        for name in ("bin", "alone", "t", "w", "s", "c", "tmp", "dev", "etc", canary.lstrip("/")):
            os.makedirs(os.path.join(root, name), exist_ok=True)
        for folder in ("w", "c", canary.lstrip("/")):
            os.chmod(os.path.join(root, folder), 0o777)
        self.write("stubs", STUBS)
        self.write("driver", DRIVER)
        self.write("dev/null", "")
        os.chmod(os.path.join(root, "dev/null"), 0o666)
        self.write("etc/passwd", "nobody:x:65534:65534::/w:/bin/bash\n")
        self.programs = {name: shutil.which(name) for name in ("bash", "touch", "timeout")}
        for name, folder in (("bash", "bin"), ("touch", "bin"), ("touch", "alone"), ("bash", "t"), ("timeout", "t")):
            program = self.programs[name]
            shutil.copy(program, os.path.join(root, folder, name))
            for library in libraries(program):
                os.makedirs(root + os.path.dirname(library), exist_ok=True)
                shutil.copy(library, root + library)
        os.symlink("bash", os.path.join(root, "bin/sh"))
        self.choose()

    def choose(self):
        """The first way of entering that lets a script make a file."""
        for user in ([False] if os.getuid() == 0 else []) + [True]:
            self.enter = namespaces(user)
            if any("CANARY" in made for made in self.run([b"touch CANARY\n"])[0][1]):
                return
        self.enter = None

    def kind(self):
        return "a restricted bash" if self.enter is None else "a chroot"

    def write(self, path, text):
        with open(os.path.join(self.root, path), "wb") as file:
            file.write(raw(text))

    def run(self, scripts, steps=()):
        """(what `bash -n` says, the files that came into being) of each script; those with a number in `steps` are not
        asked whether they parse."""
        for folder in ("w", "s", "c", self.canary.lstrip("/")):
            empty(os.path.join(self.root, folder))
        for number, script in enumerate(scripts):
            os.makedirs(os.path.join(self.root, "w", str(number)))
            os.chmod(os.path.join(self.root, "w", str(number)), 0o777)
            self.write(f"s/{number}.sh", script)
            if number in steps:
                self.write(f"s/{number}.step", "")
        if self.enter is None:
            return [self.run_restricted(number, number in steps) for number in range(len(scripts))]
        self.quietly(self.enter + [self.root, "/t/bash", "--norc", "/driver"], 10 + 5 * len(scripts))
        beyond = os.listdir(os.path.join(self.root, self.canary.lstrip("/")))
        results = []
        for number in range(len(scripts)):
            try:
                with open(os.path.join(self.root, "c", str(number)), encoding="utf-8", errors="replace") as file:
                    complaint = file.read()
            except OSError:
                complaint = ""
            made = [name for name in os.listdir(os.path.join(self.root, "w", str(number))) if "CAN" in name]
            results.append((complaint, made + beyond))
        return results

    def run_restricted(self, number, step):
        script, at = os.path.join(self.root, "s", f"{number}.sh"), os.path.join(self.root, "w", str(number))
        bash, complaint = self.programs["bash"], ""
        if not step:
            complaint = self.quietly([bash, "-n", script], 10)
        said = self.quietly([self.programs["timeout"], "5", bash, "--norc", "-r", script], 10, cwd=at, env={
            "PATH": os.path.join(self.root, "alone"), "HOME": at, "BASH_ENV": os.path.join(self.root, "stubs")})
        made = [name for name in os.listdir(at) if "CAN" in name] + RESTRICTED.findall(said) + empty(self.canary)
        return complaint, made

    @staticmethod
    def quietly(command, seconds, **options):
        """Runs it; what it said on stderr."""
        try:
            return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                  timeout=seconds,
                                  check=False, **options).stderr.decode("utf-8", "replace")
        except subprocess.TimeoutExpired:
            return ""
