"""Kinds of secrets and identities as logs hold them: a name, what makes one of Words, the words around it (@@).

A secret may survive nowhere; an identity says who or where, and may not survive in what is passed on."""
import string

CODE = string.ascii_letters + string.digits + "-_"


def token(prefix, length, letters=string.ascii_letters + string.digits):
    return lambda words: prefix + words.any(length, letters)


def password(words):
    return words.password()


def user(words):
    return words.user()


SECRETS = [
    # tokens of services
    ("hf-token", token("hf_", 34), "huggingface_hub: login with token @@ failed"),
    ("hf-token-env", token("hf_", 34), "HF_TOKEN=@@"),
    ("github-classic", token("ghp_", 36), "git clone https://@@@github.com/acme/x.git"),
    ("github-fine", token("github_pat_11", 70), "using @@"), ("github-server", token("ghs_", 36), "x-access-token:@@"),
    ("gitlab", token("glpat-", 20), "PRIVATE-TOKEN: @@"), ("gitlab-ci", token("glcbt-64_", 20), "CI_JOB_TOKEN=@@"),
    ("gitlab-deploy", token("gldt-", 20), "deploy @@"),
    ("aws-key-id", lambda w: "AKIA" + w.upper(16), "aws_access_key_id = @@"),
    ("aws-sts-id", lambda w: "ASIA" + w.upper(16), "credentials @@ expired"),
    ("aws-secret", lambda w: w.any(40, string.ascii_letters + string.digits + "/+"), "aws_secret_access_key = @@"),
    ("aws-session", token("FwoGZXIvYXdzE", 120), "AWS_SESSION_TOKEN=@@"),
    ("aws-presigned", lambda w: w.hex(64),
     "GET https://b.s3.amazonaws.com/m.bin?X-Amz-Credential=x&X-Amz-Signature=@@"),
    ("gcp-api", token("AIza", 35, CODE), "key=@@"), ("gcp-oauth", token("ya29.a0", 80, CODE), "access token @@"),
    ("gcp-client", token("GOCSPX-", 28), "client_secret @@"),
    ("azure-sas", lambda w: w.any(43) + "%3D",
     "https://acc.blob.core.windows.net/c/m?sv=2022-11-02&se=2027-01-01&sp=r&sig=@@"),
    ("azure-accountkey", lambda w: w.base64(64),
     "DefaultEndpointsProtocol=https;AccountName=acc;AccountKey=@@;EndpointSuffix=core.windows.net"),
    ("azure-client", lambda w: w.any(3) + "8Q~" + w.any(34), "AZURE_CLIENT_SECRET: @@"),
    ("slack-bot", lambda w: f"xoxb-{w.digits(12)}-{w.digits(12)}-{w.any(24)}", "slack: @@"),
    ("slack-hook", lambda w: f"T{w.upper(8)}/B{w.upper(8)}/{w.any(24)}", "post https://hooks.slack.com/services/@@"),
    ("discord-hook", lambda w: w.any(68), "https://discord.com/api/webhooks/104857600012345678/@@"),
    ("telegram", lambda w: f"{w.digits(9)}:AA{w.any(33)}", "https://api.telegram.org/bot@@/send"),
    ("openai", token("sk-", 48), "Incorrect API key provided: @@"),
    ("openai-proj", token("sk-proj-", 100, CODE), "OPENAI_API_KEY=@@"),
    ("anthropic", token("sk-ant-api03-", 93, CODE), "x-api-key: @@"), ("wandb", lambda w: w.hex(40), "wandb login @@"),
    ("wandb-env", lambda w: w.hex(40), "WANDB_API_KEY=@@"), ("ngc", token("nvapi-", 64, CODE), "ngc key @@"),
    ("docker-pat", token("dckr_pat_", 27), "docker login -u acme -p @@"),
    ("docker-auth", lambda w: w.base64(30), '"auths":{"https://index.docker.io/v1/":{"auth":"@@"}}'),
    ("npm", token("npm_", 36), "//registry.npmjs.org/:_authToken=@@"),
    ("pypi", token("pypi-AgEIcHlwaS5vcmc", 120, CODE), "TWINE_PASSWORD=@@"), ("groq", token("gsk_", 52), "client @@"),
    ("replicate", token("r8_", 37), "token @@"), ("xai", token("xai-", 80), "xai @@"),
    ("perplexity", token("pplx-", 48), "with @@"),
    ("databricks", lambda w: "dapi" + w.hex(32), "databricks @@"), ("vault", token("hvs.", 90), "vault token @@"),
    ("digitalocean", lambda w: "dop_v1_" + w.hex(64), "doctl @@"), ("stripe", token("sk_live_", 24), "stripe @@"),
    ("sendgrid", lambda w: f"SG.{w.any(22)}.{w.any(43)}", "mail @@"),
    ("twilio", lambda w: "SK" + w.hex(32), "twilio @@"),
    ("linear", token("lin_api_", 40), "linear @@"),
    ("tailscale", lambda w: f"tskey-auth-{w.any(12)}-{w.any(32)}", "tailscale up --authkey @@"),
    ("sentry-dsn", lambda w: w.hex(32), "dsn https://@@@o1234.ingest.sentry.io/5678"),
    ("age-key", lambda w: "AGE-SECRET-KEY-1" + w.upper(58), "age @@"),
    # in URLs and headers
    ("basic-url", password, "Looking in indexes: https://builder:@@@artifactory.corp.example/api/pypi/simple"),
    ("basic-url-port", password, "proxy http://svc:@@@10.9.8.7:3128 refused"),
    ("postgres-url", password, "postgresql://app:@@@db:5432/prod"),
    ("redis-url", password, "redis://:@@@cache:6379/0"),
    ("mongo-url", password, "mongodb+srv://root:@@@c0.mongodb.net"),
    ("s3fs", password, "mount //filer/share -o username=svc,password=@@,vers=3.0"),
    ("odbc", password, "Driver={x};Server=s;Uid=sa;Pwd=@@;"),
    ("basic-header", lambda w: w.base64(24), "Authorization: Basic @@"),
    ("bearer", lambda w: w.any(48), "Authorization: Bearer @@"),
    ("jwt", lambda w: f"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI{w.any(30)}.{w.any(43)}", "got @@"),
    ("cookie", lambda w: w.any(40), "Cookie: sessionid=@@"),
    # keys
    ("pem", lambda w: w.any(64), "-----BEGIN RSA PRIVATE KEY-----\nMIIEow@@\n-----END RSA PRIVATE KEY-----"),
    ("pem-oneline", lambda w: w.any(64),
     '"private_key": "-----BEGIN PRIVATE KEY-----\\n@@\\n-----END PRIVATE KEY-----\\n"'),
    ("ssh-private", token("b3BlbnNzaC1rZXktdjEAAAAA", 50),
     "-----BEGIN OPENSSH PRIVATE KEY-----\n@@\n-----END OPENSSH PRIVATE KEY-----"),
    ("wireguard", lambda w: w.base64(32), "PrivateKey = @@"),
    ("kube-token", lambda w: w.any(60), "kubectl --token=@@ get pods"),
    ("kube-keydata", lambda w: w.base64(60), "client-key-data: @@"),
    ("kubeadm", lambda w: w.hex(6) + "." + w.hex(16), "kubeadm join 10.0.0.1:6443 --token @@"),
    ("licence", lambda w: "-".join(w.upper(5) for _ in range(5)), "licence key: @@"),
    ("license-server", lambda w: w.hex(32), "LICENSE_KEY=@@"),
    # passwords in many spellings
    ("pw-equals", password, "password=@@"), ("pw-colon", password, "Password: @@"),
    ("pw-json", password, '{"user":"x","password":"@@"}'),
    ("pw-json-esc", password, '{\\"passwd\\":\\"@@\\"}'), ("pw-yaml", password, "db_password: '@@'"),
    ("pw-flag", password, "exec mysqldump --password @@ --all"),
    ("pw-flag-eq", password, "exec tool --admin-password=@@"),
    ("pw-short", password, "mysql -uroot -p@@ db"), ("pw-env", password, "DB_PASS=@@"), ("pw-pwd", password, "pwd=@@"),
    ("pw-upper", password, 'POSTGRES_PASSWORD="@@"'), ("pw-phrase", password, "passphrase is @@"),
    ("pw-space", lambda w: f"{w.password()} {w.any(5, string.ascii_lowercase)} {w.password()}", 'password = "@@"'),
    ("pw-de", password, "Kennwort: @@"), ("pw-xml", password, "<password>@@</password>"),
    ("pw-netrc", password, "machine h.example login bob password @@"), ("pw-sshpass", password, "sshpass -p @@ ssh x"),
    ("pw-curl", password, "curl -u admin:@@ https://h/"), ("secret-eq", lambda w: w.any(32), "client-secret=@@"),
    ("apikey-camel", lambda w: w.any(32), 'apiKey: "@@"'),
    ("token-query", lambda w: w.any(32), "GET /v1?access_token=@@&x=1"),
    ("token-eq", lambda w: w.any(32), "auth_token=@@"),
    ("cli-token", lambda w: w.any(32), "jupyter lab http://localhost:8888/lab?token=@@"),
    ("api-key-cli", lambda w: w.any(32), "vllm serve m --api-key @@"),
    ("munge", lambda w: w.base64(48), "munge credential MUNGE:@@"),
    ("snmp", lambda w: w.word() + w.any(6), "snmpget -c @@ host"), ("ldap", password, "bindpw @@"),
    ("credit", lambda w: "4532 " + w.joined(" ", (4, 4, 4), string.digits), "card @@"),
]

IDENTITIES = [
    ("ssh-public", token("AAAAC3NzaC1lZDI1NTE5AAAAI", 43), "ssh-ed25519 @@ who@where"),
    ("ssh-fingerprint", token("SHA256:", 43), "Host key fingerprint is @@"),
    ("email", lambda w: f"{w.word()}.{w.user()}@{w.word()}.example.com", "contact @@"),
    ("email-plus", lambda w: f"{w.word()}+gpu@{w.word()}.co.uk", "From: <@@>"),
    # addresses
    ("ipv4", lambda w: w.address(10, w.number(20, 250)), "connect to @@ failed"),
    ("ipv4-port", lambda w: w.address(172, 16), "tcp://@@:29500 refused"),
    ("ipv4-public", lambda w: w.address(w.number(60, 99)), "peer @@"),
    ("ipv4-cidr", lambda w: w.address(192, 168), "route @@/24"),
    ("ipv4-underscore", lambda w: "ip-" + w.address(10).replace(".", "-"), "host @@.ec2.internal"),
    ("ipv4-hex", lambda w: "0x0A" + w.upper_hex(6), "addr @@ port 4791"),
    ("ipv6-full", lambda w: "2001:0db8:" + w.joined(":", [4] * 6), "bind @@"),
    ("ipv6-short", lambda w: f"2001:db8::{w.hex(3)}f:a{w.hex(3)}", "bind @@"),
    ("ipv6-link", lambda w: f"fe80::a{w.hex(3)}:{w.hex(2)}ff:fe{w.hex(2)}:b{w.hex(3)}", "via @@%eth0"),
    ("ipv6-bracket", lambda w: f"fd00:{w.hex(4)}::c{w.hex(3)}", "http://[@@]:8080"),
    ("ipv6-mapped", lambda w: "::ffff:" + w.address(10), "from @@"),
    ("ipv6-upper", lambda w: f"2A02:{w.joined(':', [4] * 3, '0123456789ABCDEF')}::{w.upper_hex(4)}", "from @@"),
    ("mac", lambda w: w.mac("52"), "eth0 link up @@"), ("mac-dash",
                                                        lambda w: "3C-" + w.joined("-", [2] * 5, "0123456789ABCDEF"),
                                                        "adapter @@"),
    ("mac-dot", lambda w: w.joined(".", [4] * 3), "arp @@"),
    ("mac-bare", lambda w: "b8599f" + w.hex(6), "enx@@: renamed"),
    ("bootif", lambda w: "01-" + w.joined("-", [2] * 6), "BOOTIF=@@"),
    ("ib-guid", lambda w: "0x" + w.hex(16), "mlx5_0 node_guid @@"),
    ("ib-guid-colon", lambda w: w.joined(":", [4] * 4), "Node GUID: @@"),
    ("ib-gid", lambda w: "fe80:0000:0000:0000:" + w.joined(":", [4] * 4), "GID @@"),
    ("wwn", lambda w: "0x5000c500" + w.hex(8), "WWN @@"),
    # ids of machines and parts
    ("uuid", lambda w: w.uuid(), "root=UUID=@@"), ("uuid-upper", lambda w: w.uuid().upper(), "System UUID @@"),
    ("uuid-brace", lambda w: w.uuid(), "{@@}"), ("machine-id", lambda w: w.hex(32), "machine-id @@"),
    ("boot-id", lambda w: w.hex(32), "_BOOT_ID=@@"),
    ("serial", lambda w: w.upper(10), "Serial Number: @@"), ("serial-sn", lambda w: w.upper(12), "S/N @@"),
    ("serial-usb", lambda w: w.upper(14), "SerialNumber: @@"),
    ("serial-disk", lambda w: "S" + w.upper(13), "nvme0: model X serial @@"),
    ("asset-tag", lambda w: "AT-" + w.upper(8), "Asset Tag: @@"),
    ("gpu-unique", lambda w: "0x" + w.hex(16), "GPU unique_id @@"),
    ("gpu-uuid", lambda w: "GPU-" + w.hex(16), "Uuid: @@"),
    # people
    ("home-path", user, "/home/@@/app/train.py"), ("data-home", user, "/data/home/@@/venv/lib"),
    ("lustre", user, "/lustre/users/@@/job"),
    ("gpfs", user, "/gpfs/fs1/home/@@/x"), ("users-mac", user, "/Users/@@/Library"),
    ("win-user", user, "C:\\Users\\@@\\AppData"),
    ("wsl-user", user, "/mnt/c/Users/@@/x"), ("scratch", user, "/scratch/@@/tmp"),
    ("nfs-home", user, "/nfs/home/@@/.cache"),
    ("tilde", user, "~@@/bin"), ("export-home", user, "/export/home/@@/x"), ("run-user", user, "/tmp/pytest-of-@@/x"),
    ("sudo-log", user, "sudo: @@ : TTY=pts/0 ; USER=root"),
    ("login-log", user, "session opened for user @@(uid=70001)"),
    ("ssh-at", user, "ssh @@@gpu7"), ("prompt", user, "@@@gpu7:~$ python x.py"),
    ("slurm-user", user, "SLURM_JOB_USER=@@"),
    ("ls-l", user, "crw-rw---- 1 @@ render 226, 128 /dev/dri/renderD128"), ("win-domain", user, "CORP\\@@ denied"),
    ("krb", user, "principal @@@CORP.EXAMPLE"), ("phone", lambda w: "+49 170 " + w.digits(7), "call @@"),
    # hosts
    ("host-fqdn", lambda w: f"{w.word()}{w.digits(2)}.hpc.corp.example", "rank 3 on @@"),
    ("host-short", lambda w: f"gpu-{w.word()}-{w.digits(3)}", "[@@] worker died"),
    ("host-upper", lambda w: f"NODE{w.word().upper()}{w.digits(2)}", "host @@ down"),
    ("host-local", lambda w: w.word() + "box.local", "mdns @@"),
    ("host-internal", lambda w: w.word() + "7.internal", "http://@@/x"),
    ("host-slurm", lambda w: w.word() + "[001-017]", "SLURM_NODELIST=@@"),
    ("host-mpi", lambda w: w.word() + "nd04", "[@@:12345] *** Process received signal ***"),
    ("host-nccl", lambda w: w.word() + "rk11", "@@:4242:4242 [0] NCCL INFO Bootstrap"),
    ("host-syslog", lambda w: w.word() + "sv3", "Nov 27 10:11:12 @@ kernel: x"),
    ("nfs-server", lambda w: w.word() + "filer.corp.example", "@@:/vol/home on /home type nfs4"),
    ("aws-arn", lambda w: w.any(12, "123456789"), "arn:aws:iam::@@:role/x"),
    ("gcp-project", lambda w: f"{w.word()}-prod-{w.digits(6)}", "projects/@@/zones"),
    ("k8s-node", lambda w: f"aks-gpu-{w.digits(8)}-vmss{w.digits(6)}", "node @@ NotReady"),
    ("registry-host", lambda w: w.word() + "reg.corp.example:5000", "pull @@/rocm/pytorch"),
    # where programs and people put them
    ("ipv4-rccl", lambda w: w.address(10, w.number(20, 250)), "NCCL INFO NET/Socket : Using [0]eno1:@@<0>"),
    ("ipv4-colon", lambda w: w.address(10, w.number(20, 250)), "connection to tcp:@@:6379 failed"),
    ("ipv4-code", lambda w: w.address(10, w.number(20, 250)), "see `@@`"),
    ("ipv4-star", lambda w: w.address(10, w.number(20, 250)), "see *@@* and _@@_"),
    ("ipv4-range", lambda w: w.address(10, w.number(20, 250)), "could not connect to @@-10.251.7.9"),
    ("ipv6-two-colons", lambda w: "fd" + w.hex(2) + "::1" + w.hex(1), "https://[@@]:443"),
    ("host-server", lambda w: f"{w.word()}-{w.word()}", "cannot reach server.@@.internal"),
    ("host-short-label", lambda w: f"{w.word()}-{w.word()}", "peer=n1.@@.com"),
    ("realm", lambda w: f"{w.word()}{w.word()}".upper(), "kinit: no KDC of realm @@.COM"),
    ("host-share", lambda w: w.word() + "filer7", "cannot open \\\\@@\\share$"),
    ("imei-iccid", lambda w: "89" + w.digits(17), "iccid @@"),
]

# Those that a kernel log may hold.
IN_KERNEL_LOGS = set("""
    hf-token hf-token-env github-classic aws-secret openai anthropic basic-url jwt bearer pw-equals pw-flag pw-json
    azure-sas wireguard email ipv4 ipv4-port ipv6-full ipv6-link ipv6-mapped mac mac-dash mac-bare bootif ib-guid
    ib-guid-colon ib-gid wwn uuid uuid-upper machine-id serial serial-usb serial-disk asset-tag gpu-unique home-path
    data-home lustre scratch host-fqdn host-short host-upper nfs-server login-log sudo-log s3fs slurm-user k8s-node
""".split())
