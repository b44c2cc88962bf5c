#!/usr/bin/env bash
# secrets.sh ROCVET: what is secret in the environment and in an application's log is in no snapshot and no report.
set -uo pipefail
rocvet=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export NO_COLOR=1
failures=0
secrets=()

complain() { echo "$*"; failures=$((failures + 1)); }
plant() { secrets+=("$1"); }

home=$scratch/home
mkdir -p "$home/.docker"
export HOME=$home
export HF_TOKEN=hf_CliAAAABBBBCCCCDDDD01 && plant "$HF_TOKEN"
export OLLAMA_API_KEY=cli-ollama-key-02 && plant "$OLLAMA_API_KEY"
export DOCKER_HOST=tcp://u:cliDockerPw-03@d.example:2376 && plant cliDockerPw-03
export https_proxy=http://u:cliProxyPw-04@p.example:1 && plant cliProxyPw-04
export AWS_SECRET_ACCESS_KEY=cliAwsKey-05 && plant "$AWS_SECRET_ACCESS_KEY"
export TORCH_HOME=https://u:cliTorchPw-06@m.example/x && plant cliTorchPw-06
printf 'export GITHUB_TOKEN=ghp_CliAAAABBBBCCCCDDDDEEEEFFFF0123\nexport HIP_VISIBLE_DEVICES=0\nfoo cliPlainWord-07\n' >"$home/.bashrc"
plant ghp_CliAAAABBBBCCCCDDDDEEEEFFFF0123
plant cliPlainWord-07
echo '{"auths":{"x":{"auth":"Y2xpOmRvY2tlcg=="}},"currentContext":"default"}' >"$home/.docker/config.json"
plant Y2xpOmRvY2tlcg==
cat >"$scratch/app.log" <<'LOG'
Authorization: Bearer cliBearer-08
RuntimeError: HIP error: invalid device function, see https://u:cliUrlPw-09@h.example/?token=cliQuery-10
rocBLAS error: Cannot read https://u:cliUrlPw-11@h/TensileLibrary.dat: No such file or directory for GPU arch : gfx1100
ImportError: libamdhip64.so.6: cannot open shared object file password=cliLogPw-12
LOG
for secret in cliBearer-08 cliUrlPw-09 cliQuery-10 cliUrlPw-11 cliLogPw-12; do plant "$secret"; done

outputs=()
for format in json html markdown junit sarif github gitlab prometheus line nagios text; do outputs+=(--output "$format=$scratch/report.$format"); done
"$rocvet" check --log "$scratch/app.log" --verbose "${outputs[@]}" >"$scratch/report.stdout"
[ $? -le 2 ] || complain "check: status $?"
"$rocvet" check --log "$scratch/app.log" --format json >"$scratch/report.stdout.json"
"$rocvet" snapshot "$scratch/folder" >/dev/null || complain "snapshot failed"
"$rocvet" snapshot "$scratch/packed.tar.gz" >/dev/null || complain "snapshot failed"
mkdir "$scratch/unpacked" && tar -xzf "$scratch/packed.tar.gz" -C "$scratch/unpacked" || complain "cannot unpack"
"$rocvet" snapshot --no-redact "$scratch/whole" >/dev/null || complain "snapshot --no-redact failed"
"$rocvet" check --snapshot "$scratch/whole" --log "$scratch/app.log" --format json >"$scratch/report.whole.json"

for secret in "${secrets[@]}"; do
  found=$(grep -rlF -e "$secret" "$scratch"/report.* "$scratch/folder" "$scratch/unpacked" | sed "s|$scratch/||")
  [ -z "$found" ] || complain "'$secret' is in" $found
done
# What was asked for is kept all the same.
grep -rqF HIP_VISIBLE_DEVICES "$scratch/folder" || complain "HIP_VISIBLE_DEVICES is lost"
grep -q cliPlainWord-07 -r "$scratch/whole" || complain "--no-redact is not whole"
[ "$failures" = 0 ] && echo "${#secrets[@]} secrets kept"
[ "$failures" = 0 ]
