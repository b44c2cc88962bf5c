// Whatever bytes a snapshot holds, reading the machine from it neither crashes nor hangs.
//
// The first byte chooses: an archive as it is, an index alone, or the output of a tool.
#include <string>
#include <string_view>

#include "base/terminal_codes.h"
#include "fuzz/target.h"
#include "machine/gpu_tools.h"
#include "machine/kfd_topology.h"
#include "machine/machine.h"
#include "source/redaction.h"
#include "source/snapshot_facts.h"
#include "source/snapshot_index.h"
#include "source/source.h"
#include "source/tar_writer.h"

using namespace rocvet;

namespace {

void read_all(std::string_view archive) {
  const auto source = snapshot_from_memory(archive, "fuzz");
  if (source) static_cast<void>(read_machine(**source));
}

/// A snapshot whose index and one file hold the bytes, so that paths and links are reached sooner
/// than through a valid tar.
void read_index(std::string_view bytes) {
  TarWriter tar;
  tar.add_file("about.toml", "format = 1\ncomplete = ['/sys']\n");
  tar.add_file("index.tsv", bytes);
  tar.add_file("process.toml", "uid = 0\n");
  tar.add_file("files/sys/class/kfd/kfd/topology/nodes/1/properties", bytes);
  read_all(tar.finish());
}

void read_outputs(std::string_view bytes) {
  const std::string text = strip_terminal_codes(bytes);
  for (auto* parse :
       {gpus_from_rocminfo, gpus_from_agent_csv, gpus_from_sysinfo_csv, gpus_from_amd_smi_text,
        gpus_from_rocm_smi_text, gpus_from_json, gpus_from_lspci, gpus_from_lstopo,
        gpus_from_udevadm, gpus_from_libdrm_info}) {
    static_cast<void>(parse(text));
  }
  static_cast<void>(parse_kfd_properties(bytes));
  static_cast<void>(parse_about(bytes, "about.toml"));
  static_cast<void>(parse_process(bytes, "process.toml"));
  static_cast<void>(parse_elf_json(bytes, "elf"));
  Redactor redactor(1);
  redactor.add_user("someone");
  static_cast<void>(redactor.content("/etc/passwd", bytes));
  static_cast<void>(redactor.text(bytes));
}

}  // namespace

FUZZ_TARGET(snapshot) {
  if (bytes.empty()) return;
  const std::string_view rest = bytes.substr(1);
  switch (static_cast<unsigned char>(bytes[0]) % 3) {
    case 0:
      read_all(rest);
      break;
    case 1:
      read_index(rest);
      break;
    default:
      read_outputs(rest);
  }
}
