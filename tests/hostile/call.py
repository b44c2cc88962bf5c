"""One call of rocvet within limits, and what came of it."""
import dataclasses
import os
import resource
import selectors
import signal
import subprocess
import time

# LEAKMARK must not show (outputs.py): a snapshot's link may lead to /proc/self/environ.
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": "/root", "LANG": "C.UTF-8",
               "UNRELATED": "LEAKMARK"}
ADDRESS_SPACE = 2 << 30
MOST_OUTPUT = 64 << 20


@dataclasses.dataclass
class Around:
    """What a call finds around it."""
    env: dict = None        # names that change; None takes a name away
    no_env: bool = False    # an empty environment
    stdin: str = ""         # a file; nothing is /dev/null
    stdout: str = ""        # a file, or EPIPE: a pipe that nobody reads
    stderr: str = ""
    close: tuple = ()       # descriptors that are not open
    limits: dict = dataclasses.field(default_factory=dict)  # RLIMIT_ names without the beginning
    cwd: str = ""           # a folder, or GONE: one that was removed
    uid: int = -1

    def environment(self):
        if self.no_env:
            return {}
        found = {**ENVIRONMENT, **(self.env or {})}
        return {name: value for name, value in found.items() if value is not None}


@dataclasses.dataclass
class Ran:
    status: int = -1        # exit status, -1 where a signal ended it
    signal: int = 0
    hung: bool = False
    seconds: float = 0
    cpu: float = 0
    mib: float = 0
    out: bytes = b""
    err: bytes = b""
    refused: str = ""       # why it could not be started


def prepare(around, gone):
    """Runs in the child."""
    os.setsid()
    if gone:
        os.rmdir(gone)
    limits = {"AS": ADDRESS_SPACE, "CORE": 0, **around.limits}
    for name, value in limits.items():
        resource.setrlimit(getattr(resource, "RLIMIT_" + name), (value, value))
    if around.uid >= 0:
        os.setgroups([])
        os.setgid(around.uid)
        os.setuid(around.uid)
    for number in around.close:
        os.close(number)


def opened(name, opened_files):
    if name == "EPIPE":
        reader, writer = os.pipe()
        os.close(reader)
        opened_files.append(writer)
        return writer
    if name:
        opened_files.append(os.open(name, os.O_WRONLY | os.O_CREAT, 0o666))
        return opened_files[-1]
    return subprocess.PIPE


def starved(pid):
    """Seconds that a process has waited for a CPU: on a busy machine they are not its own."""
    try:
        with open(f"/proc/{pid}/schedstat", encoding="ascii") as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0


def gather(process, seconds):
    """Both outputs until their end or until the time is over; whether it was over."""
    texts = {"stdout": bytearray(), "stderr": bytearray()}
    began = time.monotonic()
    end = began + seconds
    with selectors.DefaultSelector() as waiting:
        for name in texts:
            if getattr(process, name):
                waiting.register(getattr(process, name), selectors.EVENT_READ, name)
        while waiting.get_map():
            ready = waiting.select(max(0, end - time.monotonic()))
            if not ready:
                later = began + seconds + min(starved(process.pid), 5 * seconds)
                if later - end < 0.1:
                    return texts, True
                end = later
            for key, _ in ready:
                data = os.read(key.fd, 1 << 16)
                if not data:
                    waiting.unregister(key.fileobj)
                elif len(texts[key.data]) < MOST_OUTPUT:
                    texts[key.data] += data
    return texts, False


def wait(process, end):
    """Status and use of the process; None while it lives on after `end`."""
    while True:
        pid, status, use = os.wait4(process.pid, os.WNOHANG)
        if pid:
            return status, use
        if time.monotonic() > end + starved(process.pid):
            return None
        time.sleep(0.002)


def kill_group(pid):
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def own_kib():
    """What this process holds now. A child's peak begins with it: the kernel counts the memory that fork() copied."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize() // 1024


def call(argv, around, cwd, seconds=10):
    gone = ""
    if around.cwd == "GONE":
        gone = cwd = os.path.join(cwd, "gone")
        os.makedirs(gone, exist_ok=True)
    elif around.cwd:
        cwd = around.cwd
    opened_files, began = [], time.monotonic()
    stdin = os.open(around.stdin, os.O_RDONLY) if around.stdin else subprocess.DEVNULL
    own = own_kib()
    try:
        process = subprocess.Popen([os.fsencode(word) for word in argv], stdin=stdin,
                                   stdout=opened(around.stdout, opened_files),
                                   stderr=opened(around.stderr, opened_files), cwd=cwd,
                                   preexec_fn=lambda: prepare(around, gone),
                                   env={os.fsencode(name): os.fsencode(value) for name,
                                        value in around.environment().items()})
    except (OSError, ValueError, subprocess.SubprocessError) as problem:
        return Ran(refused=str(problem))
    finally:
        for number in opened_files + ([stdin] if around.stdin else []):
            os.close(number)
    texts, hung = gather(process, seconds)
    ended = None if hung else wait(process, began + seconds)
    hung = ended is None
    kill_group(process.pid)  # a hung one, and what an ended one left behind
    status, use = ended or os.wait4(process.pid, 0)[1:]
    process.returncode = 0
    for pipe in (process.stdout, process.stderr):
        if pipe:
            pipe.close()
    peak = use.ru_maxrss if use.ru_maxrss > 1.05 * own + 4096 else 0
    return Ran(status=os.WEXITSTATUS(status) if os.WIFEXITED(status) else -1,
               signal=os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0,
               hung=hung, seconds=time.monotonic() - began, cpu=use.ru_utime + use.ru_stime, mib=peak / 1024,
               out=bytes(texts["stdout"]), err=bytes(texts["stderr"]))
