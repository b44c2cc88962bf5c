#!/usr/bin/env bash
# hostile.sh ROCVET MACHINE: a machine, a log, saved reports and arguments full of escape sequences, bytes that are no UTF-8 and
# controls of writing direction. None of it may reach standard output, standard error or a file, in any format; each format parses.
set -uo pipefail
rocvet=$1 machine=$2
scratch=$(mktemp -d)
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
cp -r "$machine" "$scratch/machine"
chmod -R u+w "$scratch/machine"
/usr/bin/python3 - "$scratch" <<'P'
import os, sys
scratch = sys.argv[1]
machine = scratch + "/machine/"
esc, bidi = b"\x1b]0;owned\x07\x1b[2J\x1b[31m", "\u202e\u2066\u200f\u200b\u200c\U0001f468\u200d\U0001f469\u2063\ufeff\U000e0041".encode()
evil = esc + bidi + b"\xe9\xc0\xaf\xed\xa0\x80\xc2\x9b31m\x7f" + "\u2028 é漢🙂 |<script>`# x`[y](http://z)&\"'".encode()

def edit(path, change):
    with open(machine + path, "rb") as file: text = file.read()
    with open(machine + path, "wb") as file: file.write(change(text))

edit("cmd/dmesg", lambda text: text + b"".join(
    b"[  %d.5] amdgpu 0000:03:00.0: amdgpu: ring gfx_0.0.0 timeout, signaled seq=1, emitted seq=2 %s\n" % (100 + i, evil) for i in range(3))
    + b"[  200.5] amdgpu 0000:03:00.0: amdgpu: GPU reset begin! " + evil + b"\n"
    + b"[  201.5] amdgpu 0000:03:00.0: Direct firmware load for amdgpu/" + evil + b".bin failed with error -2\n")
edit("files/etc/os-release", lambda text: text + b'PRETTY_NAME="' + evil.replace(b'"', b"").replace(b"`", b"") + b'"\n')
edit("files/proc/sys/kernel/osrelease", lambda text: b"6.8.0-45-generic" + evil)
edit("files/proc/cmdline", lambda text: text.strip() + b" amdgpu.x=" + evil + b"\n")
edit("files/etc/ld.so.conf.d/10-rocm-opencl.conf", lambda text: text + b"/opt/rocm-" + evil + b"/lib\n")
edit("files/etc/passwd", lambda text: text.replace(b"ada", b"ada" + evil.replace(b":", b"")))
edit("files/etc/group", lambda text: text.replace(b"ada", b"ada" + evil.replace(b":", b"").replace(b",", b"")))
# TOML carries any character but only UTF-8.
word = '\\u001b]0;owned\\u0007\\u001b[31m\\u202e\\u2066\\u009b\\u007f é'.encode()
edit("process.toml", lambda text: text.replace(b'user = "ada"', b'user = "ada%s"' % word).replace(
    b"[environment]", b'[environment]\nHSA_OVERRIDE_GFX_VERSION = "%s"\nLD_LIBRARY_PATH = "/opt/rocm-%s/lib"\nROCR_VISIBLE_DEVICES = "%s"' % (word, word, word)))
for folder, _, files in os.walk(machine + "files/sys"):
    for name in files:
        if name in ("product_name", "vbios_version"):
            with open(os.path.join(folder, name), "wb") as file: file.write(evil + b"\n")
# A folder of ROCm with an escape sequence in its name.
name = b"rocm-6.4.1\x1b[31m\xe9"
edit("index.tsv", lambda text: text.replace(b"rocm-6.4.1", name))
if os.path.isdir(machine + "files/opt/rocm-6.4.1"):
    os.rename((machine + "files/opt/rocm-6.4.1").encode(), (machine + "files/opt/").encode() + name)
with open(scratch + "/app.log", "wb") as file:
    file.write(b"HIP error: invalid device function " + evil + b"\nRuntimeError: HIP out of memory. Tried to allocate 2.00 GiB" + evil
               + b"\nhipErrorNoBinaryForGpu: Unable to find code object for all current devices! " + evil + b"\n")
P

number=0 worst=0
# record NAME ARGUMENTS…: what goes to standard output and error; whatever the status, it is no crash.
record() {
  local name=$1 status=0
  shift
  number=$((number + 1))
  "$rocvet" "$@" >"$scratch/out.$number.$name" 2>"$scratch/err.$number.text" </dev/null || status=$?
  if [ "$status" -gt 3 ]; then echo "rocvet $*: status $status"; worst=1; fi
}
evil=$'\e]0;owned\a\e[31m\xe2\x80\xae\xe2\x81\xa6\xc2\x9b\x7f\xe9\xc0\xaf'
for format in text json html markdown junit sarif github gitlab prometheus line nagios; do
  record "$format" check --snapshot "$scratch/machine" --log "$scratch/app.log" --verbose --format "$format" --output "$format=$scratch/out.file.$format"
  record "$format" scan --snapshot "$scratch/machine" --format "$format"
done
record text fix --snapshot "$scratch/machine" --log "$scratch/app.log"
for format in text json; do
  record "$format" advise --snapshot "$scratch/machine" --format "$format"
  record "$format" advise --gpu "RX 7900 XTX" --os "ubuntu-24.04$evil" --format "$format"
  record "$format" compat --gpu "gfx1100" --rocm 6.4.1 --os "ubuntu-24.04$evil" --format "$format"
  record "$format" compat --gpu "gfx1100" --kernel "6.8.0$evil" --driver "6.4$evil" --framework "pytorch=2.6$evil" --format "$format"
  record "$format" compat --snapshot "$scratch/machine" --log "$scratch/app.log" --format "$format"
done
# A saved report whose ids, names and words mean ill.
/usr/bin/python3 - "$scratch" <<'P'
import json, sys
scratch = sys.argv[1]
for name in ("a", "b"):
    with open(scratch + "/out.file.json", encoding="utf-8", errors="replace") as file: report = json.load(file)
    evil = "\x1b]0;owned\x07\x1b[31m\u202e\u2028\u009b\x7f| <b>" + name
    for check in report["checks"]: check.update(id=check["id"] + evil, code=check["code"] + evil, topic=evil, summary=evil)
    for cause in report["diagnosis"]["root_causes"]: cause.update(id=cause["id"] + evil, experiment=evil)
    report["machine"]["environment"]["X" + evil] = evil
    report["run"]["started"] = report["tool"]["db_version"] = evil
    report["machine"]["kernel"]["release"] = evil
    with open(scratch + "/saved." + name + ".json", "w") as file: json.dump(report, file)
    report["checks"][0]["verdict"] = evil
    with open(scratch + "/spoilt." + name + ".json", "w") as file: json.dump(report, file)
P
cp "$scratch/saved.a.json" "$scratch/saved.$evil.json"
for format in text json html markdown junit sarif github gitlab prometheus line nagios; do
  record "$format" report "$scratch/saved.a.json" --verbose --format "$format"
done
for format in text json; do
  record "$format" diff "$scratch/saved.a.json" "$scratch/saved.b.json" --format "$format"
  record "$format" fleet "$scratch/saved.a.json" "$scratch/saved.b.json" "$scratch/saved.$evil.json" --format "$format"
done
# Complaints.
record text report "$scratch/spoilt.a.json"
record text report "$scratch/nothing$evil"
record text check --snapshot "/nowhere$evil"
record text check --only "x$evil"
record text check --format "x$evil"
record text "check$evil"
record text scan "--x$evil"
record text scan "x$evil"
record text explain "RV$evil"
record text list "x$evil"
record text compat --gpu "x$evil"
record text advise --gpu "x$evil"
record text db "x$evil"
record text db export --table "x$evil"
record text test --device "x$evil"
record text check --snapshot "$scratch/machine" --python "/x$evil"
record text check --snapshot "$scratch/machine" --policy "/x$evil"
record text check --snapshot "$scratch/machine" --output "json=/nowhere$evil/x"

/usr/bin/python3 - "$scratch" <<'P' || worst=1
import glob, json, html.parser, re, sys
import xml.etree.ElementTree as etree
scratch = sys.argv[1]
forbidden = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufdd0-\ufdef\ufeff\ufffe\uffff\U000e0000-\U000e0fff]")
class Tags(html.parser.HTMLParser):
    seen = set()
    def handle_starttag(self, tag, attributes):
        self.seen.add(tag)
        if any(name.startswith("on") or name == "href" for name, _ in attributes): self.seen.add("!" + tag)
files = sorted(glob.glob(glob.escape(scratch) + "/out.*") + glob.glob(glob.escape(scratch) + "/err.*"))
bad = raw = 0
for path in files:
    data, format = open(path, "rb").read(), path.rsplit(".", 1)[1]
    problems = []
    text = data.decode("utf-8", "replace")
    try: data.decode("utf-8")
    except UnicodeDecodeError as problem: problems.append(str(problem))
    found = forbidden.findall(text)
    raw += len(found)
    if found: problems.append(f"{len(found)} characters that may not be there, first {found[0]!r}")
    if format in ("json", "sarif", "gitlab") and data:
        try: json.loads(text)
        except ValueError as problem: problems.append(f"no JSON: {problem}")
    if format == "junit" and data:
        try: etree.fromstring(data)
        except etree.ParseError as problem: problems.append(f"no XML: {problem}")
    if format in ("line", "nagios") and text.count("\n") > 1: problems.append("more than one line")
    if format == "html":
        parser = Tags(); parser.seen = set(); parser.feed(text)
        if strange := parser.seen & {"script", "img", "a", "iframe"} | {tag for tag in parser.seen if tag[0] == "!"}:
            problems.append(f"elements of the machine's making: {strange}")
    if "/err." in path and len(text.splitlines()) > 1: problems.append("more than one line")
    for problem in problems: print(f"{path[len(scratch) + 1:]}: {problem}")
    bad += bool(problems)
if not any(b"owned" in open(path, "rb").read() for path in files): print("nothing hostile was quoted: the test is no test"); bad += 1
print(f"{len(files) - bad} passed, {bad} failed, {raw} raw characters")
sys.exit(bad > 0)
P
exit $worst
