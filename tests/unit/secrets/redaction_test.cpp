// Texts of every kind that people paste: what is secret goes from all, who and where the machine is
// from what is passed on, and facts stay.
#include "source/redaction.h"

#include <doctest/doctest.h>

#include <string>

#include "base/text.h"
#include "source/secrets.h"
#include "source/source.h"
#include "tests/unit/machine/scratch.h"

using namespace rocvet;

namespace {

struct PlantedText {
  std::string text, gone;  ///< a line, and the part of it that nobody may see
};

const PlantedText kSecrets[] = {
    // What people type, without the marks of a file.
    {"hipErrorNoBinaryForGpu: passwd: DE0qKiMgq6YBEzWxIC", "DE0qKiMgq6YBEzWxIC"},
    {"pw: 3fZUfFjQ8B3BZQvu6P", "3fZUfFjQ8B3BZQvu6P"},
    {"Password for qz: BiobnDtBomBiifD", "BiobnDtBomBiifD"},
    {"password is: PYcJGMlRQQYuHJJhPI", "PYcJGMlRQQYuHJJhPI"},
    {"mot de passe: R94LrJNcTFTajCTJSE", "R94LrJNcTFTajCTJSE"},
    {"token o3eW79plpf5lTWUCPU", "o3eW79plpf5lTWUCPU"},
    {"apikey T0wgC3P3zbbVcThULJ", "T0wgC3P3zbbVcThULJ"},
    {"secret key 8oOQwQloxHTwcxMsgx", "8oOQwQloxHTwcxMsgx"},
    {"access key Vzh097idsDFI9pT2Q7", "Vzh097idsDFI9pT2Q7"},
    {"webhook secret zDVAQ1dTavrLaAQDhP", "zDVAQ1dTavrLaAQDhP"},
    {"401: invalid token 'zDVAQ1dTavrLaAQDhP'", "zDVAQ1dTavrLaAQDhP"},
    {"SSHPASS=WawhIvCQQcinRPTZoA", "WawhIvCQQcinRPTZoA"},
    {"dbpass=HphBCcIx8thNcE3F21", "HphBCcIx8thNcE3F21"},
    {"userpass=Vu38kprrufJZROlsTX", "Vu38kprrufJZROlsTX"},
    {"session_id=iB6DLLOirLIsNgAkzU", "iB6DLLOirLIsNgAkzU"},
    {"csrf=YQHvN2x4DZWxnZ1zhF", "YQHvN2x4DZWxnZ1zhF"},
    {"KEY=9jxpwbbf2siSnwJCUW", "9jxpwbbf2siSnwJCUW"},
    {"hf_token: Optional[str] = 'opensesame'", "opensesame"},
    {"echo opensesame | sudo -S modprobe amdgpu", "opensesame"},
    {"export HIPCC_COMPILE_FLAGS_APPEND=\"-DKEY=8usPN5OMmTIFJYEAKr1j\"", "8usPN5OMmTIFJYEAKr1j"},
    {"export MIOPEN_FIND_MODE='ABCzqRYr53zkUdfYIV8Gs6Nw'", "ABCzqRYr53zkUdfYIV8Gs6Nw"},
    {"HSA_OVERRIDE_GFX_VERSION=${X:-xHB9QL02VmEEaOpAT5}", "xHB9QL02VmEEaOpAT5"},
    {"adm:$apr1$FpQr8m5o$YClOI5cu6PiniGNcFwwQom", "YClOI5cu6PiniGNcFwwQom"},
    {"root:$y$j9T$FpQr8m5o$YClOI5cu6PiniGNcFwwQom/8nZ", "YClOI5cu6PiniGNcFwwQom"},
    {"sbp_92ef80ad93867576ba332d46e22af0d697d92ef8", "92ef80ad93867576ba332d46"},
    {"gta_da852cbd78b73ada852cbd78b73ada852cbd78b7", "da852cbd78b73ada852cbd78"},
    {"CCIPAT_slml7xkq89vJGwShMVMrxf_74409495db7c0d870c76", "slml7xkq89vJGwShMVMrxf"},
    {"patVv5znz4NvsuGCp."
     "92ef80ad93867576ba332d46e22af0d697d92ef80ad93867576ba332d46e22af",
     "92ef80ad93867576"},
    {"card 4532 1234 5678 9012 Visa", "4532 1234 5678 9012"},
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
    // Lists, calls and marked strings, as vLLM and Python print them.
    {"non-default args: {'model': 'x', 'api_key': ['tok-abc123geheim'], 'port': 8000}",
     "tok-abc123geheim"},
    {"Namespace(api_key=['one1geheim', 'two2geheim'])", "two2geheim"},
    {"\"api_keys\": [\"one1geheim\",\"two2geheim\"]", "two2geheim"},
    {"\"api_keys\": [\n  \"one1geheim\",\n  \"two2geheim\"\n]", "two2geheim"},
    {"{\\\"api_key\\\": [\\\"one1geheim\\\", \\\"two2geheim\\\"]}", "two2geheim"},
    {"api_key=[one1geheim, two2geheim]", "two2geheim"},
    {"api_key=b'one1geheim'", "one1geheim"},
    {"api_key=u'one1geheim'", "one1geheim"},
    {"PASSWORD=$'one1geheim'", "one1geheim"},
    {"SecretStr(\"one1geheim\")", "one1geheim"},
    {"api_key = SecretStr('one1geheim')", "one1geheim"},
    {"\"password\": {\"value\": \"one1geheim\"}", "one1geheim"},
    {"vllm serve m --api-key one1geheim two2geheim --port 1", "two2geheim"},
    // Argument vectors, and names beside their values.
    {"\"Cmd\": [\"vllm\",\"serve\",\"--api-key\",\"one1geheim\"]", "one1geheim"},
    {"['--api-key', 'one1geheim']", "one1geheim"},
    {"args:\n- --api-key\n- one1geheim", "one1geheim"},
    {"('api_key', 'one1geheim')", "one1geheim"},
    {"{\"name\": \"HF_TOKEN\", \"value\": \"one1geheim\"}", "one1geheim"},
    {"- name: HF_TOKEN\n  value: one1geheim", "one1geheim"},
    {"setenv HF_TOKEN one1geheim", "one1geheim"},
    {"set -gx HF_TOKEN one1geheim", "one1geheim"},
    {"password:\n  one1geheim", "one1geheim"},
    {"password: |\n  one1geheim and more", "one1geheim"},
    {"<password type=\"p\">one1geheim<", "one1geheim"},
    {"wandb login one1geheim", "one1geheim"},
    {"Incorrect API key provided: one1geheim. You can find", "one1geheim"},
    {"MIIEowaB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX2yZ3aB4cD5eF6gH7iJ8kL9m", "aB1cD2eF3gH4iJ5k"},
};

const PlantedText kIdentities[] = {
    {"nat 64:ff9b::10.77.3.105 hip", "77.3.105"},
    {"104.3.77.10.in-addr.arpa", "104.3.77.10"},
    {"hosts 10.88.7.11-20", "10.88.7.11"},
    {"/var/x/10.88.7.10/y", "10.88.7.10"},
    {"PPIN 0x2b7a3309cafe0001", "2b7a3309cafe0001"},
    {"Ser. No. Z7A33034", "Z7A33034"},
    {"serialno Z7A33071", "Z7A33071"},
    {"fru_id: FRU7A323XYZ", "FRU7A323XYZ"},
    {"Linux q7 6.8.0-45-generic #45-Ubuntu SMP x86_64 GNU/Linux", "q7"},
    {"Linux gpu 6.8.0-45-generic #45-Ubuntu SMP x86_64 GNU/Linux", "gpu"},
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
    // Addresses where programs and people put them.
    {"NET/Socket : Using [0]eno1:192.168.77.10<0>", "192.168.77.10"},
    {"NET/Socket : Using [0]eno1:10.41.77.10<0>", "10.41.77.10"},
    {"connection to tcp:10.41.12.9:6379 failed", "10.41.12.9"},
    {"host:10.41.12.3 is down", "10.41.12.3"},
    {"bootes,10.20.1.125", "10.20.1.125"},
    {"see `10.41.12.3`", "10.41.12.3"},
    {"see *10.41.12.3*", "10.41.12.3"},
    {"see _10.41.12.3_", "10.41.12.3"},
    {"see #10.41.12.3", "10.41.12.3"},
    {"see --10.41.12.3--", "10.41.12.3"},
    {"see <10.41.12.3>", "10.41.12.3"},
    {"see ->10.41.12.3", "10.41.12.3"},
    {"b'x\\n10.41.12.3 refused'", "10.41.12.3"},
    {"range 10.41.12.3-10.41.12.9", "10.41.12.9"},
    {"range 10.41.12.3-10.41.12.9", "10.41.12.3"},
    {"node 10.41.12.3-eth0", "10.41.12.3"},
    {"store 10.41.12.3_29500", "10.41.12.3"},
    {"head-node 10.41.12.3 is down", "10.41.12.3"},
    {"kubernetes-head  10.41.12.3:6443", "10.41.12.3"},
    {"version\n10.41.12.3 refused", "10.41.12.3"},
    {"127.0.0.1 and 10.41.12.3", "10.41.12.3"},
    {"gpu/10.41.12.3:29500", "10.41.12.3"},
    {"mount /net/10.41.12.3/export", "10.41.12.3"},
    {"dns 8.8.4.4 and 9.9.9.9", "8.8.4.4"},
    {"dns 8.8.4.4 and 9.9.9.9", "9.9.9.9"},
    {"it asks 8.8.4.4", "8.8.4.4"},
    {"it asks 3.145.220.77", "3.145.220.77"},
    {"[fd00::12]:443", "fd00::12"},
    {"https://[2a02::1]/", "2a02::1"},
    {"via fe80::1", "fe80::1"},
    {"via FD12::7", "FD12::7"},
    // Domains behind a first label that says nothing.
    {"cannot reach server.acme-lockheed.internal", "lockheed"},
    {"cannot reach gpu.acme-lockheed.com of team", "lockheed"},
    {"peer=n1.acme-lockheed.internal port=7", "lockheed"},
    {"at h7.cluster.lockheed.com", "lockheed"},
    {"host admin.secretcorp.internal down", "secretcorp"},
    {"host gpu.hp.com down", "hp.com"},
    {"Nov 27 10:11:12 server.lockheed.aero kernel: x", "lockheed"},
    {"MASTER_ADDR=node.lockheed.internal", "lockheed"},
    {"principal alice@LOCKHEED.COM", "LOCKHEED"},
    {"principal HTTP/gpu@LOCKHEED.COM", "LOCKHEED"},
    {"of the realm @LOCKHEED.COM", "LOCKHEED"},
    {"default_realm = LOCKHEED.COM", "LOCKHEED"},
    {"cannot open \\\\fileserver7\\share$", "fileserver7"},
    {"cannot open \\\\filer\\share$", "filer"},
    {"{\"path\": \"\\\\\\\\fileserver7\\\\share\"}", "fileserver7"},
    {"//fileserver7/share on /mnt type cifs", "fileserver7"},
    // Hardware.
    {"[UFW BLOCK] MAC=3c:ec:ef:11:22:33:00:1b:21:aa:bb:cc:08:00 SRC=10.4.5.6", "3c:ec:ef"},
    {"link/infiniband 00:00:10:29:fe:80:00:00:00:00:00:00:b8:3f:d2:03:00:a1:b2:c4 brd", "b8:3f:d2"},
    {"\"Unique ID\": \"0x18f68e602b8a790f\"", "18f68e602b8a790f"},
    {"unique_id: 0x18f68e602b8a790f", "18f68e602b8a790f"},
    {"\"unique_id\": \"0x18f68e602b8a790f\"", "18f68e602b8a790f"},
    {"XGMI Hive ID: 0x18f68e602b8a790f", "18f68e602b8a790f"},
    {"xgmi_hive_id 18f68e602b8a790f", "18f68e602b8a790f"},
    // Addresses that look like versions.
    {"5.9.61.200 - - [02/Nov/2026:10:00:00 +0000] \"GET / HTTP/1.1\"", "5.9.61"},
    {"authentication failure; tty=ssh ruser= rhost=5.9.61.20  user=root", "5.9.61"},
    {"X-Forwarded-For: 10.4.5.6, 5.9.61.20", "5.9.61"},
    {"\"ClientIP\": \"5.9.61.20\"", "5.9.61"},
    {"closed by authenticating user petra 5.9.61.20 port 22 [preauth]", "5.9.61"},
    {"Connection reset by 5.9.61.20 port 22", "5.9.61"},
    {"Connection closed by 5.9.61.20", "5.9.61"},
    {"SSH_CONNECTION=5.9.61.20 51234 5.9.61.21 22", "5.9.61"},
    {"rw,clientaddr=5.9.61.20,addr=5.9.61.21", "5.9.61"},
    {"inet 5.9.61.20/27 brd 5.9.61.31 scope global", "5.9.61"},
    {"petra pts/0 2026-11-02 10:00 (5.9.61.20)", "5.9.61"},
    {"--master_addr 5.9.61.20", "5.9.61"},
    {"bigbox 10.41.12.3", "10.41.12"},
    // Nodes and people in the lines of Slurm, PyTorch, NFS and logins.
    {"slurmstepd: error: *** STEP 1.0 ON nid001234 CANCELLED", "nid001234"},
    {"srun: error: nid001234: task 3: Exited", "nid001234"},
    {"srun: error: nid001234: tasks 0-7: Exited", "nid001234"},
    {"NodeList=nid[001234-001240] BatchHost=nid001234", "nid001234"},
    {"failed to connect to [storage9]:29500", "storage9"},
    {"while trying to connect to (lassen12, 29500)", "lassen12"},
    {"nfs: server nasbox not responding", "nasbox"},
    {"JobId=1 UserId=mkowalski(52311) GroupId=x(5000)", "mkowalski"},
    {"sudo[88]:    petra : TTY=pts/0", "petra"},
    {"CRON[9]: (petra) CMD (x)", "petra"},
    {"New session 12 of user petra.", "petra"},
    {"Started session-c2.scope - Session c2 of User petra.", "petra"},
    {"su[77]: (to root) petra on pts/0", "petra"},
    {"su[77]: (to petra) root on none", "petra"},
    {"useradd[3]: new user: name=quirin, UID=1004", "quirin"},
    {"groups=1001(petra),44(video)", "petra"},
    {"Disconnected from user petra 10.4.5.6 port 5", "petra"},
    {"Failed password for invalid user oracle9 from 10.4.5.6 port 44", "oracle9"},
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
    // Versions of four numbers.
    "amdgpu 6.10.5.60203 loaded, then 30.10.0.0",
    "driver: 30.10.2.1",
    "amdgpu version: 30.10.2.1 (`30.10.2.1`)",
    "amdgpu: 30.20.1.1 to 30.30.4.1",
    "/usr/src/amdgpu-19.10.8.12-2147087.18.04",
    "/var/lib/dkms/amdgpu/30.10.2.1/build",
    "https://repo.radeon.com/amdgpu/30.10.2.1/ubuntu",
    "/opt/cray/pe/papi/17.1.0.2/lib64:/opt/cray/lib",
    "nvidia_cublas_cu12-12.4.5.8-py3-none-manylinux.whl",
    "nvidia-cublas-cu12==12.4.5.8",
    "nvidia-cublas-cu12: 12.4.5.8",
    "{\"nvidia-curand-cu12\": \"10.3.5.147\"}",
    "nvidia-cublas-cu12       12.4.5.8",
    "nvidia-curand-cu12       10.3.5.147\nnvidia-cusolver-cu12     11.6.1.9",
    "some-package  10.3.5.147",
    "torch>=10.3.5.14, foo!=10.3.5.14",
    "VBIOS 032.019.000.008, PLDM 01.25.17.07, bundle 10.02.03.04",
    "\"version\": \"32.00.00.15\"",
    "docker pull rocm/pytorch:12.4.5.8",
    "Linux version 5.15.167.4-microsoft-standard-WSL2",
    "kernel 6.8.0.45 and 6.8.0.48",
    "upgrade from 5.15.0.133 to 6.8.0.45",
    "amdgpu-dkms-firmware 1:5.11.5.26-1271047",
    "scale-free-21.0.1.0-Linux/target",
    "distrobox 1.8.1.2, MangoHud 0.6.9.1-6",
    "docker0 at 0.0.0.0:80, 127.0.1.1, 172.17.0.1<38561>",
    "at::native::add, c10::Error, ab::cd",
    "[c10::ad] and [add::be]",
    // Names with dots that are nobody's.
    "torch.cuda.is_available() of github.com/ROCm and raw.githubusercontent.com",
    "https://repo.radeon.com/rocm, https://download.pytorch.org, rocm.docs.amd.com",
    "https://data.pyg.org/whl/torch-2.6.0+rocm6.2.html",
    "https://code.visualstudio.com/docs",
    "google.protobuf.internal.decoder",
    "from google.protobuf.internal import x",
    "/etc/rc.local, rc.local, threading.local, model.local",
    "copy config.yaml.example and compose.yml.local",
    "libfoo.so.1 of libamdhip64.so.6.2.60203",
    "user.slice, docker.service, server.py, node.js",
    "rd.lvm.lv=almalinux/root http://http.kali.org/kali https://ui.perfetto.dev/",
    // Settings and versions of what language models run on, under names like those of secrets.
    "tiktoken==0.7.0",
    "\"tiktoken\": \"0.7.0\"",
    "google-auth==2.35.0",
    "asttokens==2.4.1",
    "azure-keyvault-secrets==4.8.0",
    "passwd\t1:4.13+dfsg1-4ubuntu3.2",
    "max_num_batched_tokens=131072",
    "'max_tokens': 131072",
    "num_tokens: 1234567",
    "eos_token_id=128009 eos_token='</s>'",
    "\"eos_token_id\": [128001, 128009]",
    "token_ids=[128000, 9906, 1917]",
    "auth: disabled",
    "Authorization: none",
    "psp: PSP auth: ok",
    "password: none",
    "Missing key CA8BB4727A47B4D09B4EE8969386B48A1A693C5C, which is needed to verify signature.",
    "gpg: using RSA key CA8BB4727A47B4D09B4EE8969386B48A1A693C5C",
    "ImageRegistrySecret: Secret mysecret not found in namespace kube-amd-gpu",
    "_parse_next_key: Parsing error at unrecognized key: /dev/dri/renderD136,",
    "the repository is not valid yet (invalid for another 7d 3h 42min 1s)",
    "(Microsoft@Microsoft.com) (gcc version 5.4.0 (GCC) )",
    "soft lockup - CPU#5 stuck for 26s! [nvtop:4312]",
    "SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c",
    "passwd: files systemd",
    "ID_PATH=acpi-PNP0C0C:00",
    "PHYS=\"i2c-SYNA3105:00\"",
    "unexpected token MI250NoGCNArchName",
    "token indices sequence length is longer than the maximum",
    "Linux version 6.8.0-45-generic (x) #45-Ubuntu SMP x86_64",
    "echo 262144 | sudo tee /proc/sys/vm/max_map_count",
    "key: str = 'x'",
    // Versions behind the name of what they are of.
    "xorg-server 21.1.11.2",
    "electron 31.3.1.12",
    "firmware 32.19.0.11 psp 13.0.10.2",
    "AMD Software 25.10.25.10",
    "bnxt_en fw 230.0.157.0 pkg 230.1.116.0",
    // Hosts of everybody, and groups of objects.
    "see https://pip.pypa.io/en/latest/topics",
    "from geo.mirror.pkgbuild.com : error 404",
    "in version \"kmm.sigs.x-k8s.io/v1beta1\"",
    "in version \"nfd.openshift.io/v1alpha1\"",
    "in version \"gpu.vendor-of-cards.io/v1beta2\"",
    "kubernetes.azure.com/cluster and eks.amazonaws.com/nodegroup",
    "ai.lmstudio.app",
    // Words that stand where names do.
    "authentication failure; logname= uid=0 euid=0 tty=ssh ruser= rhost=",
    "Last login: Mon Nov  2 10:00:00",
    "\\xc93s@\\\\xdf\\\" \\\\n\\\\tfoo",
    "re.match(\"\\\\bword\\\\b\")",
};

}  // namespace

TEST_CASE("secrets of every kind leave a text, whoever reads it") {
  for (const PlantedText& one : kSecrets) {
    CAPTURE(one.text);
    const std::string clean = without_secrets(std::string_view(one.text));
    CHECK(clean.find(one.gone) == std::string::npos);
    CHECK(without_secrets(std::string_view(clean)) == clean);
  }
}

TEST_CASE("people, hosts and their numbers leave what is passed on") {
  for (const PlantedText& one : kIdentities) {
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

TEST_CASE("what is said of a user who is invalid stays") {
  Redactor redactor(7);
  CHECK(redactor.text("Failed password for invalid user oracle9 from x") ==
        "Failed password for invalid user user from x");
  CHECK(redactor.text("k8s at abc.gr7.eu-west-1.eks.amazonaws.com").find("gr7") ==
        std::string::npos);
}

TEST_CASE("the version of a module is no address") {
  Redactor redactor(7);
  CHECK(redactor.content("/sys/module/amdgpu/version", "30.10.2.1\n") == "30.10.2.1\n");
}

TEST_CASE("a person is known by the home, and by a name with characters that no word has") {
  CHECK(is_person(101, "/export/drumlin"));
  CHECK(is_person(999, "/home/ullswater"));
  CHECK(is_person(60001, "/home/CORP/hadrian"));
  CHECK_FALSE(is_person(412, "/var/lib/ollama"));
  CHECK_FALSE(is_person(33, "/home/httpd"));
  Redactor redactor(7);
  for (const char* name :
       {"WOLPERT\\hadrian.p", "m\u00fc\u00dfig", "o'zarka", "spiegel pfau", "glimmer@corp.example"})
    redactor.add_user(name);
  const std::string text = redactor.text(
      "/home/WOLPERT/hadrian.p/x m\u00fc\u00dfig's /data/m\u00fc\u00dfig/lib; owner o'zarka, "
      "/home/o'zarka/y, /home/spiegel pfau/lib, glimmer: /home/corp.example/glimmer");
  for (const char* part : {"hadrian", "m\u00fc\u00dfig", "zarka", "pfau", "glimmer"}) {
    CAPTURE(text);
    CHECK(text.find(part) == std::string::npos);
  }
}

TEST_CASE("a host is known by its full name and its domain, whatever its first label") {
  Redactor redactor(7);
  redactor.add_host("server.acme-lockheed.aero");
  CHECK(redactor.text("server.acme-lockheed.aero is a server") == "host is a server");
  const std::string other = redactor.text("at SERVER9.ACME-LOCKHEED.AERO, acme-lockheed.aero.");
  CHECK(lower(other).find("lockheed") == std::string::npos);
  CHECK(redactor.text("gpu7.acme-lockheed.aero:80") != redactor.text("gpu8.acme-lockheed.aero:80"));
  redactor.add_host("server.lan");
  CHECK(redactor.text("server.lan, lan") == "server.lan, lan");
  redactor.add_host("gpu.github.com");
  CHECK(redactor.text("github.com/ROCm") == "github.com/ROCm");
}

TEST_CASE("the ids of a GPU on their own") {
  Redactor redactor(7);
  const std::string hive = redactor.gpu_id("15188982192727901047");
  CHECK(hive != "15188982192727901047");
  CHECK(hive.find_first_not_of("0123456789") == std::string::npos);
  CHECK(redactor.text("hive_id 15188982192727901047") == "hive_id " + hive);
  CHECK(redactor.gpu_id("0") == "0");
  CHECK(redactor.gpu_id("N/A") == "N/A");
  CHECK(redactor.gpu_id("0xa1b2c3d4e5f60718").starts_with("0x"));
  CHECK(redactor.gpu_id("0xa1b2c3d4e5f60718").find("a1b2c3d4") == std::string::npos);
  CHECK(redactor.gpu_id("GPU-a1b2c3d4e5f60718").find("a1b2c3d4") == std::string::npos);
}

TEST_CASE("stand-ins are made with a secret") {
  const std::string mac = "mac 3c:52:82:12:34:56";
  CHECK(Redactor(random_key()).text(mac) != Redactor(random_key()).text(mac));
  // Of two addresses that begin alike.
  Redactor redactor(7);
  CHECK(redactor.text("fd00:12:7::1") != redactor.text("fd00:12:7::2"));
  const char* const id = "0123456789abcdef0123456789abcdef\n";
  REQUIRE(key_of_machine(id).has_value());
  CHECK(*key_of_machine(id) == *key_of_machine(id));
  CHECK(*key_of_machine(id) != *key_of_machine("0123456789abcdef0123456789abcdee\n"));
  for (const char* none : {"", "\n", "redacted\n", "uninitialized\n", "gpubox7\n",
                           "00000000000000000000000000000000\n", "0123456789abcdef\n"}) {
    CAPTURE(none);
    CHECK_FALSE(key_of_machine(none).has_value());
  }
  // A machine that has none gets no key that its host's name gives away.
  Scratch one, other;
  one.file("etc/hostname", "gpubox7\n").file("etc/machine-id", "");
  other.file("etc/hostname", "gpubox8\n");
  const auto first = live_source(one.path()), second = live_source(other.path());
  CHECK(read_identity(*first).key == own_key());
  CHECK(read_identity(*second).key == own_key());
}

TEST_CASE("who is met once is known everywhere, where the name is a word of nothing else") {
  Redactor redactor(7);
  redactor.learn("sudo: byron77 : TTY=pts/0\nNov 27 10:11:12 engine1 kernel: x\n");
  CHECK(redactor.text("owner of job 7 is byron77, on ENGINE1") ==
        "owner of job 7 is user, on host");
  redactor.learn("/home/aiter/x user@desktop:~$ x");
  CHECK(redactor.text("/home/aiter/y: aiter is no user") == "/home/user2/y: aiter is no user");
  // An address too, where it looks like a version.
  redactor.learn("Connection reset by 5.9.61.20 port 22");
  CHECK(redactor.text("5.9.61.20 is busy").find("5.9.61") == std::string::npos);
  CHECK(redactor.text("5.9.61.21 is busy, driver 5.9.61.20") ==
        "5.9.61.21 is busy, driver 5.9.61.20");
  redactor.keep_user("comfy7");
  redactor.learn("sudo: comfy7 : TTY=pts/0");
  CHECK(redactor.text("sudo: comfy7 : TTY=pts/0") == "sudo: comfy7 : TTY=pts/0");
}
