// No secret leaves the machine, and what was found there stays found.
#include "source/secrets.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "formats/gzip.h"
#include "machine/collect_filter.h"
#include "machine/record_snapshot.h"
#include "report/read_report.h"
#include "report/report.h"
#include "report/share.h"
#include "source/environment_names.h"
#include "source/forwarding.h"
#include "source/secret_names.h"
#include "tests/unit/secrets/planted_machine.h"

using namespace rocvet;

namespace {

/// The tree, and a kernel log: a source with a root runs no commands.
class WithKernelLog : public ForwardingSource {
 public:
  WithKernelLog(Source& inner, std::string log) : ForwardingSource(inner), log_(std::move(log)) {}
  Result<CommandOutput> run(std::string_view name) override {
    if (name == "dmesg") return CommandOutput{log_, 0};
    return inner().run(name);
  }

 private:
  std::string log_;
};

std::string everything_in(const std::string& folder) {
  std::string all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    all += entry.path().string() + "\n";
    if (entry.is_symlink()) {
      all += std::filesystem::read_symlink(entry.path()).string() + "\n";
    } else if (entry.is_regular_file()) {
      std::ifstream file(entry.path(), std::ios::binary);
      all.append(std::istreambuf_iterator<char>(file), {});
    }
  }
  return all;
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> found_in(const std::string& text,
                                  const std::vector<std::string>& secrets) {
  std::vector<std::string> found;
  for (const std::string& secret : secrets) {
    if (text.find(secret) != std::string::npos) found.push_back(secret);
  }
  return found;
}

Report report_on(Source& source, const std::string& app_log) {
  Report report;
  report.verb = "check";
  report.started = "2026-01-01T00:00:00Z";
  report.source_kind = source.kind();
  report.identity = read_identity(source);
  report.machine = read_machine(source);
  report.machine.app_log = app_log;
  const Context context{report.machine, Database::embedded()};
  report.checks = run_checks(context, *select_checks({}, Database::embedded()));
  report.diagnosis = diagnose(context, report.checks);
  report.verdict = overall_verdict(report);
  return report;
}

/// In every format, as the command line writes it.
std::string all_formats(const Report& report) {
  const Report shared = shareable(report);
  return write_json(shared) + write_html(shared) + write_markdown(shared) + write_junit(shared) +
         write_sarif(shared) + write_text(for_its_owner(report), {.verbose = true});
}

/// What was judged, as JSON.
std::string judgement(const Report& report) {
  const auto json = nlohmann::ordered_json::parse(write_json(shareable(report)));
  return json["checks"].dump(1) + json["diagnosis"].dump(1) + json["machine"]["kernel"].dump(1) +
         json["machine"]["repositories"].dump(1);
}

struct Variable {
  const char *kind, *name, *value, *secret;
};
constexpr Variable kVariables[] = {
    {"variable", "HF_TOKEN", "hf_EnvironmentAAAABBBBCCCC11", "hf_EnvironmentAAAABBBBCCCC11"},
    {"variable", "OLLAMA_API_KEY", "ollamaEnvKey-31", "ollamaEnvKey-31"},
    {"variable", "VLLM_SERVER_PW", "vllmPw-32", "vllmPw-32"},
    {"proxy", "http_proxy", "http://u:proxyEnvPw-33@p:1", "proxyEnvPw-33"},
    {"URL login", "DOCKER_HOST", "tcp://u:dockerHostPw-34@d.example:2376", "dockerHostPw-34"},
    {"index URL", "PIP_INDEX_URL", "https://u:pipPw-35@pypi.example/simple", "pipPw-35"},
    {"index URL", "UV_INDEX", "https://u:uvPw-36@pypi.example/simple", "uvPw-36"},
    {"header", "TORCH_LOGS", "Authorization: Bearer torchBearer-37", "torchBearer-37"}};

}  // namespace

TEST_CASE("secrets stay on the machine, findings do not change") {
  Scratch root, out;
  Planted plant = plant_machine(root);
  const std::string log = planted_kernel_log(plant), app_log = planted_app_log(plant);
  for (const Variable& variable : kVariables) {
    setenv(variable.name, variable.value, 1);
    plant(variable.kind, variable.secret);
  }
  setenv("HOME", "/home/ada", 1);
  setenv("LOADEDMODULES", "", 1);
  auto tree = live_source(root.path());
  WithKernelLog live(*tree, log);

  // As it was asked for: whole. This is what would leak, so this test can fail.
  SnapshotOptions whole;
  whole.redact = false;
  REQUIRE(record_snapshot(live, out.path() + "/whole", whole).has_value());
  const std::vector<std::string> at_risk =
      found_in(everything_in(out.path() + "/whole"), plant.secrets);
  MESSAGE(at_risk.size() << " of " << plant.secrets.size() << " secrets of " << plant.kinds.size()
                         << " kinds are in what the probes read");
  CHECK(at_risk.size() >= 60);
  CHECK(plant.kinds.size() >= 25);

  REQUIRE(record_snapshot(live, out.path() + "/folder").has_value());
  REQUIRE(record_snapshot(live, out.path() + "/packed.tar.gz").has_value());
  for (const std::string& secret : found_in(everything_in(out.path() + "/folder"), plant.secrets)) {
    FAIL_CHECK("in the folder: " << secret);
  }
  const auto tar = gunzip(bytes_of(out.path() + "/packed.tar.gz"), "packed.tar.gz");
  REQUIRE(tar.has_value());
  for (const std::string& secret : found_in(*tar, plant.secrets)) {
    FAIL_CHECK("in the archive: " << secret);
  }

  auto replay = snapshot_source(out.path() + "/folder");
  auto whole_replay = snapshot_source(out.path() + "/whole");
  REQUIRE(replay.has_value());
  REQUIRE(whole_replay.has_value());
  const Report now = report_on(live, app_log), later = report_on(**replay, app_log),
               unredacted = report_on(**whole_replay, app_log);
  for (const Report* report : {&now, &later, &unredacted}) {
    for (const std::string& secret : found_in(all_formats(*report), plant.secrets)) {
      FAIL_CHECK("in a report: " << secret);
    }
  }
  CHECK(judgement(now) == judgement(later));
  CHECK(judgement(now) == judgement(unredacted));
  // A report that is passed on names nobody; on the terminal the commands can be typed.
  const std::string shared = write_json(shareable(now));
  CHECK(shared.find("wonderland") == std::string::npos);
  CHECK(shared.find("/home/ada") == std::string::npos);

  // What the probes found is still all there.
  std::size_t variables = 0;
  const auto shown = [&](const Report& report) {
    std::string text;
    for (const VariableSetting& one : report.machine.settings.variables) {
      text += one.kind + " " + one.where + " " + one.name + "=" + one.value +
              (one.exported ? " exported\n" : "\n");
      ++variables;
    }
    for (const ComposeService& one : report.machine.settings.compose) {
      text += one.name + " " + one.image + " " + (one.devices.empty() ? "" : one.devices[0]) + "\n";
    }
    for (const LxcDevice& one : report.machine.settings.lxc)
      text += one.path + " " + one.gid + "\n";
    for (const BuildTargets& one : report.machine.software.build_targets) text += one.variable;
    for (const AptPin& one : report.machine.software.apt_pins.value_or(std::vector<AptPin>{})) {
      text += std::to_string(one.priority) + "\n";
    }
    return text + report.machine.surroundings.evidence + report.machine.surroundings.engine +
           report.machine.settings.docker.current_context.value_or("?");
  };
  CHECK(shown(now) == shown(later));
  CHECK(variables >= 30);
  for (const Variable& variable : kVariables) unsetenv(variable.name);
}

TEST_CASE("texts lose secrets and keep facts") {
  CHECK(without_secrets(std::string_view("see https://u:p%40ss@host.example:80/a/b?arch=x")) ==
        "see https://host.example:80/a/b?arch=x");
  CHECK(without_secrets(std::string_view("https://me@here:pa/ss@host/x")) == "https://host/x");
  CHECK(without_secrets(std::string_view("ssh://git@host/x (postgres://u:a/b@h/d)")) ==
        "ssh://host/x (postgres://h/d)");
  CHECK(without_secrets(std::string_view("a http://u:x@h1,http://v:y@h2 b")) ==
        "a http://h1,http://h2 b");
  CHECK(without_secrets(std::string_view("https://h/x?sig=abc&repo=el9#f")) ==
        "https://h/x?sig=redacted&repo=el9#f");
  CHECK(without_secrets(std::string_view("DB_PASSWORD=\"a b\" next")) ==
        "DB_PASSWORD=\"redacted\" next");
  CHECK(without_secrets(std::string_view("{\"api_key\":\"x\",\"n\":5}")) ==
        "{\"api_key\":\"redacted\",\"n\":5}");
  CHECK(without_secrets(std::string_view("rw,username=a,password=b,vers=3.0")) ==
        "rw,username=a,password=redacted,vers=3.0");
  for (const std::string_view fact :
       {"pci 0000:c1:00.0: [1002:744c] type 00", "6.12.12.1", "/etc/passwd: permission denied",
        "rocm/pytorch:6.2@sha256:0123456789abcdef", "max_tokens: 2048", "PWD=/home/x",
        "docker run -u 1000:1000 --group-add render image", "std::auth::x", "tokenizer=abc",
        "module verification failed: signature and/or required key missing",
        "https://packages.debian.org/search?keywords=libstdc%2B%2B-dev",
        "git+https://github.com/org/repo@v1.2", "pass: 12", "sudo usermod -aG render ada",
        "[    0.000000] BIOS-e820: [mem 0x0000000000000000-0x000000000009fbff] usable",
        "http://[::1]:8080/x@y", "amdgpu.ppfeaturemask=0xffffffff", "hf_hub_download_from_here"}) {
    CAPTURE(fact);
    CHECK(without_secrets(fact) == fact);
  }
  Planted plant;
  const std::string text = planted_app_log(plant) + planted_kernel_log(plant);
  const std::string once = without_secrets(std::string_view(text));
  CHECK(without_secrets(std::string_view(once)) == once);
}

TEST_CASE("a file that nobody classified leaves nothing behind") {
  CHECK(kind_of_file("/home/ada/.netrc") == FileKind::other);
  CHECK(kind_of_file("/root/.ssh/id_ed25519") == FileKind::other);
  CHECK(kind_of_file("/etc/shadow") == FileKind::other);
  CHECK(kind_of_file("/proc/4711/cmdline") == FileKind::other);
  CHECK(recordable(FileKind::other, "anything", "/x").empty());
  CHECK(recordable_arguments("ro amdgpu.runpm=0 secret.param=x pci=realloc\n") ==
        "ro amdgpu.runpm=0 secret.param pci=realloc\n");
  Scratch root;
  root.file("srv/notes", "nobody asked").file("etc/environment", "A=1\nROCM_PATH=/opt/rocm\n");
  auto live = live_source(root.path());
  RecordingSource recording(*live);
  static_cast<void>(recording.read("/srv/notes"));
  static_cast<void>(recording.read("/etc/environment"));
  const SnapshotFiles files = snapshot_files(recording.recording(), {}, kRecordFilter);
  CHECK(files.files.count("files/srv/notes") == 0);
  CHECK(files.files.at("files/etc/environment") == "ROCM_PATH=\"/opt/rocm\"\n");
}

TEST_CASE("who built a library is nobody's business") {
  Recording recorded;
  ElfSummary elf;
  elf.soname = "libx.so.1";
  elf.needed = {"libamdhip64.so.6", "/home/zeldafitz/liby.so"};
  elf.runpath = {"/home/zeldafitz/miniconda3/lib", "$ORIGIN", "/x/hf_abcdefghij0123456789ABCDEF"};
  elf.needs_versions = {"GLIBC_2.34", "ghp_0123456789abcdefghijABCDEFGHIJ0123"};
  RecordedPath library;
  library.stat = FileStat{};
  library.elf = elf;
  recorded.paths["/opt/x/libx.so.1"] = library;
  RecordedPath broken = library;
  broken.elf = Error{Error::Kind::malformed, "x", "no section of /home/zeldafitz"};
  recorded.paths["/opt/x/broken.so"] = broken;
  recorded.commands["rpm"].error = Error{Error::Kind::failed, "rpm", "no /home/zeldafitz/.rpmdb"};

  const SnapshotFiles files = snapshot_files(recorded, {}, kRecordFilter);
  const std::string& index = files.files.at("index.tsv");
  CHECK(index.find("zeldafitz") == std::string::npos);
  CHECK(index.find("hf_abcdef") == std::string::npos);
  CHECK(index.find("ghp_0123") == std::string::npos);
  for (const char* fact : {"libx.so.1", "libamdhip64.so.6", "$ORIGIN", "GLIBC_2.34",
                           "/home/user/miniconda3/lib", "no section of"}) {
    CAPTURE(fact);
    CHECK(index.find(fact) != std::string::npos);
  }
  CHECK(files.files.at("cmd/rpm.rc").find("zeldafitz") == std::string::npos);
}

TEST_CASE("a snapshot knows who owns a file, though no file of accounts does") {
  Recording recording;
  RecordedPath mine;
  mine.stat = FileStat{};
  mine.stat->uid = 70123;
  mine.stat->owner = "zeldafitz";
  recording.paths["/opt/rocm"] = mine;
  recording.paths["/opt/of-zeldafitz"] = mine;
  const SnapshotFiles files = snapshot_files(recording, {}, kRecordFilter);
  CHECK(files.files.at("index.tsv").find("\tzeldafitz") == std::string::npos);
}

namespace {

/// What an older rocvet, or somebody's script, wrote.
constexpr const char* kSaved = R"({"schema": "rocvet.report/1", "verdict": "pass",
  "run": {"started": "2026-01-01T00:00:00Z", "source": {"path": "/home/zeldafitz/snap"}},
  "machine": {"environment": {"OLLAMA_API_KEY": "correcthorse9", "ROCM_PATH": "/home/zeldafitz/rocm",
                              "HSA_OVERRIDE_GFX_VERSION": "11.0.0", "PIN": 123456789},
    "kernel": {"release": "6.8.0-60", "command_line": "ro ip=10.41.12.7"},
    "distro": {"id": "ubuntu", "version": "24.04", "name": "Ubuntu of gpu.acme-lockheed.com"},
    "driver": {"name": "amdgpu", "loaded": true, "version": "30.10.2.1", "parameters": {}},
    "gpus": [{"index": 0, "vendor_id": "1002", "gfx": "gfx942",
              "xgmi": {"hive": "15188982192727901047", "links": []}}],
    "frameworks": [], "packages": {"nvidia-cublas-cu12": "12.4.5.8"}},
  "extra": {"api_token": "two words", "db_password": 918273645, "max_tokens": 2048,
            "hostname": "gpubox7", "/home/zeldafitz/lib": ["mac 3c:52:82:12:34:56"]},
  "checks": [{"id": "x", "code": "RV999", "topic": "t", "verdict": "pass", "subject": "",
              "summary": "peer 10.41.12.3 of server.acme-lockheed.internal", "evidence": []}]})";

constexpr const char* kGone[] = {
    "correcthorse9",        "zeldafitz", "123456789", "10.41.12.7", "10.41.12.3",       "lockheed",
    "15188982192727901047", "two words", "918273645", "gpubox7",    "3c:52:82:12:34:56"};

}  // namespace

TEST_CASE("a saved report is cleaned by the names of its members, and keeps its facts") {
  const auto saved = read_report(kSaved, "saved.json");
  REQUIRE(saved.has_value());
  const std::string shared = write_json(shareable(*saved));
  for (const char* gone : kGone) {
    CAPTURE(gone);
    CHECK(shared.find(gone) == std::string::npos);
  }
  for (const char* fact : {"\"HSA_OVERRIDE_GFX_VERSION\": \"11.0.0\"", "\"max_tokens\": 2048",
                           "\"release\": \"6.8.0-60\"", "\"gfx\": \"gfx942\"",
                           "\"version\": \"30.10.2.1\"", "\"nvidia-cublas-cu12\": \"12.4.5.8\"",
                           "\"started\": \"2026-01-01T00:00:00Z\"", "/home/user/rocm"}) {
    CAPTURE(fact);
    CHECK(shared.find(fact) != std::string::npos);
  }
  CHECK(write_json(shareable(*saved)) == shared);
  CHECK(write_html(shareable(*saved)).find("lockheed") == std::string::npos);
  const std::string own = write_json(for_its_owner(*saved));
  for (const char* secret : {"correcthorse9", "two words", "918273645"}) {
    CAPTURE(secret);
    CHECK(own.find(secret) == std::string::npos);
  }
}

TEST_CASE("what a verb writes about saved reports is cleaned as they are") {
  const auto saved = read_report(kSaved, "saved.json");
  REQUIRE(saved.has_value());
  const std::string json = shareable_json(
      R"({"name": "gpubox7", "what": "gpubox7 has /home/zeldafitz", "more": {"password": "ab cd"},
          "list": ["10.41.12.3", "10.41.12.3"], "version": "12.4.5.8"})",
      {&*saved, &*saved}, {"name"});
  const auto parsed = nlohmann::json::parse(json);
  CHECK(parsed["name"] == "gpubox7");
  CHECK(parsed["what"].get<std::string>().find("gpubox7") == std::string::npos);
  CHECK(parsed["what"].get<std::string>().find("zeldafitz") == std::string::npos);
  CHECK(parsed["more"]["password"] == "redacted");
  CHECK(parsed["list"][0] == parsed["list"][1]);
  CHECK(parsed["list"][0] != "10.41.12.3");
  CHECK(parsed["version"] == "12.4.5.8");
}

TEST_CASE("an XGMI hive has a stand-in, the same for all its GPUs") {
  Report report;
  report.identity.key = repeatable_key(1);
  report.machine.gpus.resize(2);
  for (Gpu& gpu : report.machine.gpus) gpu.hive = std::string("15188982192727901047");
  const auto json = nlohmann::json::parse(write_json(shareable(report)));
  const auto& gpus = json["machine"]["gpus"];
  CHECK(gpus[0]["xgmi"]["hive"] != "15188982192727901047");
  CHECK(gpus[0]["xgmi"]["hive"] == gpus[1]["xgmi"]["hive"]);
}

TEST_CASE("nobody can try ids until the stand-in of an explained text fits") {
  const std::string text = "RuntimeError: mac 3c:52:82:12:34:56";
  CHECK(passed_on(text) != passed_on(text));
  Explanation explanation;
  explanation.unexplained = {text};
  CHECK(shareable(explanation).unexplained != shareable(explanation).unexplained);
}

TEST_CASE("a number behind the name of a secret makes it no setting") {
  for (const char* name : {"OPENAI_API_KEY_2", "API_KEY2", "deploy-key-10", "DB_PW2"}) {
    CAPTURE(name);
    CHECK(is_secret_name(name));
  }
  for (const char* name :
       {"sort_keys2", "gfx1100", "key2", "card_1", "sdma0", "libkey2.so", "KEYBOARD_KEY_81"}) {
    CAPTURE(name);
    CHECK_FALSE(is_secret_name(name));
  }
}

TEST_CASE("secret names never pass as settings of GPU software") {
  for (const char* name : {"HF_TOKEN", "OLLAMA_API_KEY", "VLLM_AUTH", "AMD_PASSPHRASE",
                           "TORCH_DB_PASSWD", "ROCM_SIGNING_KEY", "CONDA_TOKEN"}) {
    CAPTURE(name);
    CHECK_FALSE(environment_name_allowed(name));
  }
  for (const char* name : {"ROCM_PATH", "HSA_OVERRIDE_GFX_VERSION", "PATH", "LD_PRELOAD"}) {
    CAPTURE(name);
    CHECK(environment_name_allowed(name));
  }
}
