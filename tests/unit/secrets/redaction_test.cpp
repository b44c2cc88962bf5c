// Texts of every kind that people paste: what is secret goes from all, who and where the machine is
// from what is passed on, and facts stay.
#include "source/redaction.h"

#include <doctest/doctest.h>

#include <string>

#include "source/secrets.h"

using namespace rocvet;

namespace {

struct Planted {
  std::string text, gone;  ///< a line, and the part of it that nobody may see
};

const Planted kSecrets[] = {
    {"xai xai-AbCdEfGh1234567890AbCdEfGh1234567890", "AbCdEfGh1234567890AbCdEfGh1234567890"},
    {"with pplx-0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0u", "0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0u"},
    {"databricks dapi0123456789abcdef0123456789abcdef", "0123456789abcdef0123456789abcdef"},
    {"linear lin_api_0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX2yZ3", "0aB1cD2eF3gH4iJ5kL6mN7"},
    {"client_secret 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", "0aB1cD2eF3gH4iJ5kL6mN7oP8qR9"},
    {"twilio SK0123456789abcdef0123456789abcdef", "0123456789abcdef0123456789abcdef"},
    {"wandb login 0123456789abcdef0123456789abcdef01234567", "0123456789abcdef0123456789abcdef"},
    {"munge credential MUNGE:AwQFAAC0aB1cD2eF3gH4iJ5kL6mN7oP8qR9=", "AwQFAAC0aB1cD2eF3gH4iJ5k"},
    {"post https://hooks.slack.com/services/T0AB12CD3/B0AB12CD3/abcdefghijklmnopqrstuvwx",
     "abcdefghijklmnopqrstuvwx"},
    {"https://discord.com/api/webhooks/104857600012345678/abcdefghijklmnopqrst",
     "abcdefghijklmnop"},
    {"https://api.telegram.org/bot123456789:AAabcdefghijklmnopqrstuvwxyzabcdefg/send",
     "AAabcdefgh"},
    {"token 123456789:AAabcdefghijklmnopqrstuvwxyzabcdefg", "AAabcdefghijk"},
    {"card 4532 1234 5678 9012", "4532 1234 5678 9012"},
    {"AccountName=acc;AccountKey=c2hvcnQ=;EndpointSuffix=x", "c2hvcnQ="},
    {"client-key-data: LS0tLS1C", "LS0tLS1C"},
    {"licence key: ABCDE-12345-FGHIJ", "ABCDE-12345-FGHIJ"},
    {"bindpw qwErtabc", "qwErtabc"},
    {"passphrase is qwErtabc#q", "qwErtabc#q"},
    {"passphrase is qwErt7abc!x/librocblas.so.4", "qwErt7abc!x"},
    {"passphrase is qwErt7abc!x", "qwErt7abc!x"},
    {"Kennwort: qwErtabc", "qwErtabc"},
    {"contrase\u00f1a: qwErtabc", "qwErtabc"},
    {"\u5bc6\u7801: qwErtabc", "qwErtabc"},
    {"{\\\"passwd\\\":\\\"qwErtabc\\\"}", "qwErtabc"},
    {"machine h.example login bob password qwErt7abc", "qwErt7abc"},
    {"mysql -uroot -pqwErtabc db", "qwErtabc"},
    {"snmpget -c mycommunity host", "mycommunity"},
    {"redis-cli -a qwErtabc ping", "qwErtabc"},
    {"load /home/x/libtool.so?sig=abcdef", "abcdef"},
    {"MIIEowaB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX2yZ3aB4cD5eF6gH7iJ8kL9m", "aB1cD2eF3gH4iJ5k"},
};

const Planted kIdentities[] = {
    {"contact ada.byron@science.example.com", "byron"},
    {"tcp://172.16.4.9:29500 refused", "172.16.4.9"},
    {"from ::ffff:10.4.5.6", "10.4.5.6"},
    {"addr 0x0A040506 port 4791", "0A040506"},
    {"host ip-10-4-5-6.ec2.internal", "10-4-5-6"},
    {"adapter 3C-52-82-0A-1B-2C", "52-82-0A"},
    {"arp b859.9f12.3456", "b859.9f12"},
    {"enxb8599f123456: renamed", "b8599f123456"},
    {"BOOTIF=01-52-54-00-12-34-56", "52-54-00-12"},
    {"Node GUID: b8ce:f603:00a1:b2c4", "f603"},
    {"mlx5_0 node_guid 0xb8cef60300a1b2c4", "b8cef60300a1b2c4"},
    {"WWN 0x5000c500a1b2c3d4", "5000c500a1b2c3d4"},
    {"machine-id 0123456789abcdef0123456789abcdef", "0123456789abcdef"},
    {"S/N AB12CD34EF56", "AB12CD34EF56"},
    {"nvme0: model X serial S4EVNX0M123456", "S4EVNX0M123456"},
    {"comm serial S4EVNX0M123456: reading", "S4EVNX0M123456"},
    {"S/N AB12CD34EF56/librocblas.so.4: cannot open", "AB12CD34EF56"},
    {"Asset Tag: AT-AB12CD34", "AB12CD34"},
    {"iccid 8949012345678901234", "8949012345678901234"},
    {"call +49 170 1234567", "1234567"},
    {"arn:aws:iam::123456789123:role/x", "123456789123"},
    {"projects/analytics-prod-123456/zones", "analytics"},
    {"/data/home/byronada/venv/lib", "byronada"},
    {"/lustre/users/byronada/job", "byronada"},
    {"/gpfs/fs1/home/byronada/x", "byronada"},
    {"/Users/byronada/Library", "byronada"},
    {"C:\\Users\\byronada\\AppData", "byronada"},
    {"/mnt/c/Users/byronada/x", "byronada"},
    {"/scratch/byronada/tmp", "byronada"},
    {"~byronada/bin", "byronada"},
    {"/tmp/pytest-of-byronada/x", "byronada"},
    {"/tmp/torchinductor_byronada/ab", "byronada"},
    {"sudo: byronada : TTY=pts/0 ; USER=root", "byronada"},
    {"session opened for user byronada(uid=70001)", "byronada"},
    {"uid=1000(byronada) gid=1000(byronada)", "byronada"},
    {"ssh byronada@gpu7", "byronada"},
    {"byronada@gpubox7:~$ python x.py", "gpubox7"},
    {"SLURM_JOB_USER=byronada", "byronada"},
    {"crw-rw---- 1 byronada render 226, 128 /dev/dri/renderD128", "byronada"},
    {"CORP\\byronada denied", "byronada"},
    {"principal byronada@CORP.EXAMPLE", "byronada"},
    {"rank 3 on node07.hpc.corp.example", "node07"},
    {"[gpu-byron-017] worker died", "byron"},
    {"mdns byronbox.local", "byronbox"},
    {"http://byron7.internal/x", "byron7"},
    {"SLURM_NODELIST=byron[001-017]", "byron"},
    {"[byronnd04:12345] *** Process received signal ***", "byronnd04"},
    {"byronrk11:4242:4242 [0] NCCL INFO Bootstrap", "byronrk11"},
    {"Nov 27 10:11:12 byronsv3 kernel: x", "byronsv3"},
    {"No HIP GPUs (Nov 27 10:11:12 byronsv3 kernel: x)", "byronsv3"},
    {"2026-11-27T10:11:12.123456+00:00 byronsv3 kernel: x", "byronsv3"},
    {"byronfiler.corp.example:/vol/home on /home type nfs4", "byronfiler"},
    {"node aks-gpu-12345678-vmss00000a NotReady", "aks-gpu-12345678"},
    {"pull byronreg.corp.example:5000/rocm/pytorch", "byronreg"},
};

// Lines of real logs that look like the above. What a reader needs of them must stay.
const std::string kFacts[] = {
    "Memory access fault by GPU node-1 (Agent handle: 0x55d0c8a0) on address 0x7f1234567000.",
    "amdgpu 0000:03:00.0: amdgpu: ring gfx_0.0.0 timeout, signaled seq=1, emitted seq=3",
    "undefined symbol: _ZN3c104cuda20CUDAKernelLaunchRegistry4lastIfLi256ELi4ELb1EEvPT_",
    "Cijk_Ailk_Bljk_HHS_BH_Bias_HA_S_SAV_UserArgs_MT128x128x64_MI16x16x1_SN_LDSB0_AFC1_AFEM1",
    "commit 7f1c0e2a9b8d4f6e5a3c1b0d9e8f7a6b5c4d3e2f",
    "docker pull "
    "rocm/pytorch@sha256:7f1c0e2a9b8d4f6e5a3c1b0d9e8f7a6b5c4d3e2f7f1c0e2a9b8d4f6e5a3c1b0d",
    "from /opt/venv/lib/python3.12/site-packages/torch/lib/libamdhip64.so",
    "ImportError: libamdhip64.so.6: cannot open shared object file: No such file or directory",
    "pip install --index-url https://download.pytorch.org/whl/rocm6.4 torch==2.8.0+rocm6.4",
    "git clone git@github.com:ROCm/TheRock.git",
    "torch.distributed.elastic.multiprocessing.errors.ChildFailedError",
    "user@1000.service: Failed with result 'oom-kill'",
    "HSA_STATUS_ERROR_OUT_OF_RESOURCES: The runtime failed to allocate",
    "hipBLASLt error: Heuristic Fetch Failed! This message will be only be displayed once",
    "model.layers.0.self_attn.q_proj.weight",
    "the password is not known",
    "the passphrase is wrong",
    "token 32000 of 32768",
    "GPU[0] : Card Series: 0x744c",
    "PCI ids 1002:744c:1da2:471e",
    "firmware version 10.2.1.5",
    "driver: 31.0.24027.1012",
    "libdrm_amdgpu1 2.4.123-1 amd64",
    "node 0, host memory 64 GiB, worker 3",
    "E: The repository 'https://repo.radeon.com/amdgpu/6.4.1/ubuntu noble Release' has no file",
    "/usr/share/ollama/.ollama/models",
    "/nix/store/0c8a3f6h1b2c4d5f6g7h8i9j0k1l2m3n-rocm-6.4/lib",
    "key=value; sort_keys: true",
    "kernel: Linux version 6.8.0-60-generic (buildd@lcy02-amd64-054)",
    "HIP_VISIBLE_DEVICES=GPU-XX",
    "error: 'std::vector<int>::operator[]' at /usr/include/c++/13/bits/stl_vector.h:1123",
};

}  // namespace

TEST_CASE("secrets of every kind leave a text, whoever reads it") {
  for (const Planted& one : kSecrets) {
    CAPTURE(one.text);
    const std::string clean = without_secrets(std::string_view(one.text));
    CHECK(clean.find(one.gone) == std::string::npos);
    CHECK(without_secrets(std::string_view(clean)) == clean);
  }
}

TEST_CASE("people, hosts and their numbers leave what is passed on") {
  for (const Planted& one : kIdentities) {
    CAPTURE(one.text);
    Redactor redactor(7);
    CHECK(redactor.text(one.text).find(one.gone) == std::string::npos);
  }
}

TEST_CASE("what looks like a name or a key and is none stays") {
  Redactor redactor(7);
  for (const std::string& fact : kFacts) {
    CAPTURE(fact);
    CHECK(redactor.text(fact) == fact);
  }
}

TEST_CASE("who is met once is known everywhere, where the name is a word of nothing else") {
  Redactor redactor(7);
  redactor.learn("sudo: byron77 : TTY=pts/0\nNov 27 10:11:12 engine1 kernel: x\n");
  CHECK(redactor.text("owner of job 7 is byron77, on ENGINE1") ==
        "owner of job 7 is user, on host");
  redactor.learn("/home/aiter/x user@desktop:~$ x");
  CHECK(redactor.text("/home/aiter/y: aiter is no user") == "/home/user2/y: aiter is no user");
  redactor.keep_user("comfy7");
  redactor.learn("sudo: comfy7 : TTY=pts/0");
  CHECK(redactor.text("sudo: comfy7 : TTY=pts/0") == "sudo: comfy7 : TTY=pts/0");
}
