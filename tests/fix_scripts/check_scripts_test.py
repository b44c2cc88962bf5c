#!/usr/bin/env python3
"""check_scripts_test.py CAUSES: that check_scripts.py finds what is wrong with a script that is broken on purpose."""
import pathlib
import shutil
import sys
import tempfile

import check_scripts

HEAD = "#!/bin/bash\nset -e\n"
# Cause, system, commands, what has to be said of them ("" for a script that is well).
BROKEN = [
    ("firmware-missing", "apt-debian", "sudo apt install --reinstall firmware-amd-graphics", ""),
    ("firmware-missing", "apt-debian", "sudo apt install --reinstall linux-firmware", "no package linux-firmware"),
    ("firmware-missing", "dnf-fedora", "sudo dnf install --reinstall linux-firmware", "no such call is known: dnf"),
    ("firmware-missing", "zypper-sles", "sudo zypper reinstall kernel-firmware-amdgpu", "no such call is known: zypper"),
    ("firmware-missing", "pacman-arch", "sudo pacman install linux-firmware", "no such call is known: pacman"),
    ("rocm-files-missing", "apt-ubuntu", "sudo apt install --reinstall PACKAGE", "left to fill in"),
    ("torch-cpu-wheel", "apt-ubuntu", "pip install torch --index-url https://download.pytorch.org/whl/rocmX.Y", "left to fill in"),
    ("xnack-mode-mismatch", "dnf-rhel", "export HSA_XNACK=1", "lasts no longer than the shell"),
    ("fd-limit-exhausted", "dnf-rhel", "ulimit -n 65536", "lasts no longer than the shell"),
    ("no-amd-gpu", "dnf-rhel", "sudo dmesg | grep amdgpu", "change nothing that lasts"),
    ("slurm-gpu-not-configured", "dnf-rhel", "sudo scontrol reconfigure", "change nothing that lasts"),
    ("slurm-gpu-not-configured", "dnf-rhel", "# by hand: edit gres.conf", "no command, and no row"),
    ("clock-wrong", "dnf-rhel", "sudo timedatectl set-ntp true\n#    by hand: sudo systemctl restart chronyd", "taken for words"),
    ("bar-allocation-failed", "dnf-rhel", "sudo reboot-the-bios", "dry run ended with 127"),
    ("bar-allocation-failed", "dnf-rhel", "echo 1 | sudo tee /etc/bios", "by_hand.toml has it"),
    ("dpkg-interrupted", "apt-debian", "sudo dpkg --configure -a &&", "bash -n"),
    ("cdi-spec-missing", "apt-debian", "sudo amd-ctk cdi generate --output=/etc/cdi/amd.json; echo $unset_and_bare > $1", "shellcheck"),
    ("service-user-not-in-render-group", "apt-debian", ': "${ACCOUNT:?the account}"\nsudo usermod -aG render "$ACCOUNT"', ""),
    ("service-user-not-in-render-group", "apt-debian", 'sudo usermod -aG render "$ACCOUNT"\n: "${ACCOUNT:?the account}"', "does not ask for ACCOUNT first"),
]


def faults_of(folder, knowledge, stubs, cause, system, commands):
    path = folder / system / cause / "any.sh"
    path.parent.mkdir(parents=True)
    path.write_text(HEAD + commands + "\n")
    script = check_scripts.Script(path, folder)
    check_scripts.look_at(script, knowledge, stubs)
    script.faults += [f"shellcheck: {line}" for line in check_scripts.shellcheck([script]).get(str(path), [])]
    check_scripts.judge(script, knowledge)
    return script.faults


def main():
    knowledge = check_scripts.Knowledge(sys.argv[1])
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="rocvet-fix-") as folder:
        folder = pathlib.Path(folder)
        stubs = check_scripts.make_stubs(folder / "stubs", knowledge)
        for number, (cause, system, commands, expected) in enumerate(BROKEN):
            if expected == "shellcheck" and not shutil.which("shellcheck"):
                continue
            faults = faults_of(folder / str(number), knowledge, stubs, cause, system, commands)
            if (faults == []) != (expected == "") or not any(expected in fault for fault in faults or [""]):
                wrong += 1
                print(f"{commands!r}: expected {expected!r}, got {faults}")
    print(f"{len(BROKEN)} scripts, {wrong} not seen for what they are")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
