"""What was planted, and where. A bare planter plants harmless words instead, for the same machine without secrets."""
import dataclasses

from planted.kinds import IDENTITIES, IN_KERNEL_LOGS, SECRETS
from planted.words import Words

# Where a form is asked for, what stands there on a machine without secrets; else "plain".
HARMLESS = {
    "k8s-node": "aks-gpu-0-vmss0",  # "gpu" is a word that a check listens to
    "ipv4": "10.0.0.1", "ipv4-port": "10.0.0.1", "mac": "02:00:00:00:00:01", "mac-bare": "020000000001",
    "bootif": "01-02-00-00-00-00-01",
    "uuid": "00000000-0000-4000-8000-000000000000", "machine-id": "0" * 32, "gpu-unique": "1",
    "ib-guid-colon": "0000:0000:0000:0001",
    "host-fqdn": "node.example", "nfs-server": "filer.example", "registry-host": "registry.example",
    "host-slurm": "node[001-004]",
    "email": "who@example.org", "gpu-serial": "1", "real-name": "Plain Person",
    "email-plus": "plain+gpu", "gpu-uuid": "GPU-plain",  # a path with "gpu" in it is about GPUs
}


def harmless(kind):
    return HARMLESS.get(kind, "plain")


@dataclasses.dataclass(frozen=True)
class Plant:
    kind: str
    secret: bool     # else an identity
    text: str
    where: str       # log:…, kernel-log:… or file:…

    @property
    def of_log(self):
        return not self.where.startswith("file:")


class Planter:
    def __init__(self, seed, bare=False):
        self.words, self.bare, self.plants = Words(seed), bare, []

    def plant(self, kind, secret, text, where):
        if self.bare:
            return harmless(kind)
        self.plants.append(Plant(kind, secret, text, where))
        return text

    def secret(self, kind, where, text):
        return self.plant(kind, True, text, "file:" + where)

    def identity(self, kind, where, text):
        return self.plant(kind, False, text, "file:" + where)


# Lines that rocvet knows, beside which a secret stands in a log.
SIGNS = ["RuntimeError: No HIP GPUs are available", "hipErrorNoDevice: no ROCm-capable device is detected",
         "HSA_STATUS_ERROR_OUT_OF_RESOURCES: The runtime failed to allocate the necessary resources",
         "RuntimeError: HIP error: invalid device function",
         "Memory access fault by GPU node-1 (Agent handle: 0x55) on address 0x7f. Reason: Page not present"]
KERNEL_LINES = [
    "amdgpu 0000:03:00.0: amdgpu: ring gfx_0.0.0 timeout, signaled seq=1, emitted seq=3 @@",
    "amdgpu 0000:03:00.0: amdgpu: [gfxhub] page fault (src_id:0 ring:24 vmid:8 pasid:1, for process @@ pid 4 thread "
    "@@ pid 4)",
    "EXT4-fs error (device sda2): ext4_find_entry:1455: inode #2: comm @@: reading directory",
    "Out of memory: Killed process 42 (@@) total-vm:1kB",
    'audit: type=1400 audit(1.0:1): apparmor="DENIED" operation="open" profile="@@" name="/dev/kfd" pid=1 comm="x" '
    'requested_mask="rw" '
    'denied_mask="rw"',
    "amdgpu 0000:03:00.0: Direct firmware load for amdgpu/@@ failed with error -2",
    "mce: [Hardware Error]: Machine check events logged @@",
    "usb 1-1: @@", "systemd[1]: @@"]


def app_log(phrase, number):
    """The phrase alone, beside a line that rocvet knows, on an error line and in a path."""
    lines, sign = phrase.split("\n"), SIGNS[number % len(SIGNS)]
    one = lines[0] if len(lines) == 1 else lines[1]
    return (f"Traceback (most recent call last):\n{phrase}\n{sign} ({one})\n{one} {sign}\nxyzzy fatal error: {phrase}\n"
            f"OSError: {one}/librocblas.so.4: cannot open shared object file: No such file or directory\n")


def kernel_log(phrase):
    return "".join(f"[ {number:4}.000000] {line.replace('@@', phrase)}\n" for number, line in enumerate(KERNEL_LINES))


@dataclasses.dataclass
class PlantedLog:
    plant: Plant
    phrase: str
    text: str
    bare: str       # the same with a harmless word in the place of the secret


def logs(seed, in_kernel=False):
    """A log of each kind, that of the application or that of the kernel."""
    words, found = Words(f"{seed} {in_kernel}"), []
    for number, (kind, make, around) in enumerate(SECRETS + IDENTITIES):
        if in_kernel and kind not in IN_KERNEL_LOGS:
            continue
        text, place = make(words), "kernel-log:" if in_kernel else "log:"
        plant = Plant(kind, number < len(SECRETS), text, place + kind)

        def written(word, around=around, number=number):
            phrase = around.replace("@@", word)
            return kernel_log(phrase) if in_kernel else app_log(phrase, number)
        found.append(PlantedLog(plant, around.replace("@@", text), written(text), written(harmless(kind))))
    return found


def all_in_one(planted):
    """One application's log with every phrase of the logs."""
    return "".join(f"{log.phrase}\n{SIGNS[number % len(SIGNS)]}\n" for number, log in enumerate(planted))
