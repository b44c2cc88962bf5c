#!/usr/bin/env bash
# live.sh ROCVET MACHINE: the program short of what it needs (memory, files, processes, disk, time, a mount that answers). Each run
# ends in its budget with status 0 to 3; with 3 it says so in one line; nothing is half-written; no verdict is better than undisturbed.
set -uo pipefail
rocvet=$(realpath "$1") machine=$2
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
chmod 755 "$scratch"
trap 'rm -rf "$scratch"' EXIT
failures=0 runs=0 budget=30
export NO_COLOR=1

complain() { echo "$*"; failures=$((failures + 1)); }
skip() { echo "skipped: $*"; }

# A machine that complains: there is something that could get better.
cp -r "$machine" "$scratch/sick" && chmod -R u+w,a+rX "$scratch/sick"
printf '[  100.5] amdgpu 0000:03:00.0: amdgpu: ring gfx_0.0.0 timeout, signaled seq=1, emitted seq=2\n' >>"$scratch/sick/cmd/dmesg"

# better BEFORE AFTER: the checks that complain in one JSON report and pass in the other.
better() {
  /usr/bin/python3 - "$1" "$2" <<'P'
import json, sys
order = ["skip", "pass", "warn", "unknown", "fail"]
def verdicts(path):
    with open(path) as file: report = json.load(file)
    worst = {"overall": report["verdict"]}
    for check in report["checks"]:
        worst[check["id"]] = max(worst.get(check["id"], "skip"), check["verdict"], key=order.index)
    return worst
before, after = verdicts(sys.argv[1]), verdicts(sys.argv[2])
print(" ".join(f"{name}: {was} -> pass" for name, was in before.items() if was in ("warn", "fail") and after.get(name) == "pass"))
P
}

# one NAME FOLDER BASELINE WRITTEN COMMAND…: what became of a command that writes WRITTEN into FOLDER.
one() {
  local name=$1 folder=$2 baseline=$3 written=$4 status=0 said left
  shift 4
  runs=$((runs + 1))
  timeout -k 2 "$budget" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
  case $status in
    0 | 1 | 2) ;;
    3) [ "$(wc -l <"$scratch/err")" = 1 ] || complain "$name: status 3 and not one line: $(head -c 400 "$scratch/err")" ;;
    124 | 137) complain "$name: no end within $budget s" ;;
    *) complain "$name: status $status: $(head -c 400 "$scratch/err")" ;;
  esac
  said=$(head -1 "$scratch/err")
  echo "$name, $written: status $status${said:+, $said}"
  left=$(ls -A "$folder" 2>/dev/null | grep -vxE "report.json|snapshot.tar.gz|filler" | tr '\n' ' ')
  [ -z "$left" ] || complain "$name: left behind: $left"
  # What could not be told on standard output may still be written, but then whole.
  if [ -e "$folder/$written" ]; then
    case $written in
      *.json) said=$(better "$baseline" "$folder/$written" 2>&1) && [ -z "$said" ] || complain "$name: better, or half a report: $said" ;;
      *.gz) gzip -t "$folder/$written" || complain "$name: half a snapshot" ;;
    esac
  elif [ "$status" -le 2 ]; then
    complain "$name: status $status without $written"
  fi
  rm -rf "${folder:?}"/{report.json,snapshot.tar.gz}
}

# disturbed NAME FOLDER WRAPPER…: the commands, each started by the wrapper.
disturbed() {
  local name=$1 folder=$2
  shift 2
  mkdir -p "$folder"
  one "$name" "$folder" "$base/live.json" report.json "$@" "$rocvet" check --output "json=$folder/report.json"
  one "$name, a sick machine" "$folder" "$base/sick.json" report.json "$@" "$rocvet" check --snapshot "$scratch/sick" --output "json=$folder/report.json"
  one "$name" "$folder" "" snapshot.tar.gz "$@" "$rocvet" snapshot "$folder/snapshot.tar.gz"
}

# undisturbed NAME WRAPPER…: what the same says without.
undisturbed() {
  base=$scratch/base-$1
  mkdir -p "$base" && chmod 777 "$base"
  "${@:2}" "$rocvet" check --format json >"$base/live.json"
  "${@:2}" "$rocvet" check --snapshot "$scratch/sick" --format json >"$base/sick.json"
}

open=$scratch/open
mkdir "$open" && chmod 777 "$open"

undisturbed me env
disturbed "no /tmp" "$open" env TMPDIR=/nowhere/at/all
disturbed "no HOME" "$open" env -u HOME
disturbed "no environment" "$open" env -i
disturbed "no such locale" "$open" env LC_ALL=xx_XX.UTF-8 LANG=xx_XX.UTF-8
for mib in 64 128 256; do
  disturbed "$mib MiB of addresses" "$open" bash -c 'ulimit -v "$0" && exec "$@"' $((mib * 1024))
done
for files in 4 8 16; do
  disturbed "$files open files" "$open" bash -c 'ulimit -n "$0" && exec "$@"' "$files"
done
disturbed "2 MiB of stack" "$open" bash -c 'ulimit -s "$0" && exec "$@"' 2048
disturbed "files of 4 KiB" "$open" bash -c 'trap "" XFSZ; ulimit -f 4 && exec "$@"' _
disturbed "closed output" "$open" bash -c 'exec "$@" >&-' _

# A tenth of a CPU.
group=
if mkdir /sys/fs/cgroup/cpu/rocvet-test 2>/dev/null; then
  group=/sys/fs/cgroup/cpu/rocvet-test
  echo 100000 >$group/cpu.cfs_period_us && echo 10000 >$group/cpu.cfs_quota_us || group=
elif mkdir /sys/fs/cgroup/rocvet-test 2>/dev/null; then
  group=/sys/fs/cgroup/rocvet-test
  echo "10000 100000" >$group/cpu.max 2>/dev/null || { rmdir $group; group=; }
fi
if [ -n "$group" ]; then
  disturbed "a tenth of a CPU" "$open" bash -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group"
  rmdir "$group"
else
  skip "a tenth of a CPU: no cgroup can be made"
fi

if [ "$(id -u)" = 0 ]; then
  nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
  if ! "${nobody[@]}" test -x "$rocvet"; then
    cp "$rocvet" "$scratch/rocvet" && chmod 755 "$scratch/rocvet" && rocvet=$scratch/rocvet
  fi
  undisturbed nobody "${nobody[@]}"
  disturbed "no process" "$open" "${nobody[@]}" bash -c 'ulimit -u 0 && exec "$@"' _
  undisturbed me env

  full=$scratch/full
  mkdir "$full"
  if mount -t tmpfs -o size=64k,mode=777 none "$full" 2>/dev/null; then
    head -c 1000000 /dev/zero >"$full/filler" 2>/dev/null
    disturbed "a full disk" "$full" env TMPDIR="$full"
    umount "$full"
  else
    skip "a full disk: no mount"
  fi

  if unshare -m true 2>/dev/null; then
    mount -t tmpfs -o mode=777 none "$full" && disturbed "a read-only root, written elsewhere" "$full" unshare -m bash -c 'mount --make-rprivate / && mount -o remount,bind,ro / && exec "$@"' _
    umount "$full"
    disturbed "a read-only root" "$open" unshare -m bash -c 'mount --make-rprivate / && mount -o remount,bind,ro / && exec "$@"' _
    mkfifo "$scratch/fifo"
    disturbed "a FIFO for a file" "$open" unshare -m bash -c 'mount --bind "$0" /etc/os-release && mount --bind "$0" /etc/group && exec "$@"' "$scratch/fifo"
    if [ -c /dev/fuse ]; then
      for place in /opt /etc/modprobe.d /usr/local; do
        [ -d "$place" ] || continue
        disturbed "a mount at $place that never answers" "$open" unshare -m bash -c '
          exec 9< <(exec /usr/bin/python3 "$0" "$1")
          mount=$!
          read -r -t 5 <&9 || exit 3
          "${@:2}" 9<&- &
          run=$!
          trap "kill -KILL $run $mount 2>/dev/null" TERM
          wait $run
          status=$?
          kill $mount 2>/dev/null
          exit $status' "$here/hung_mount.py" "$place"
      done
    else
      skip "a mount that never answers: no /dev/fuse"
    fi
  else
    skip "a read-only root and a mount that never answers: no mount namespace"
  fi
else
  skip "no process, a full disk, a read-only root, a mount that never answers: not root"
fi

echo "$runs runs, $failures complaints"
[ "$failures" = 0 ]
