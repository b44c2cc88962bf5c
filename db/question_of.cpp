#include "db/question_of.h"

#include <algorithm>

namespace rocvet {
namespace {

void add_named_once(std::vector<std::string>& list, const std::string& text) {
  if (!text.empty() && std::find(list.begin(), list.end(), text) == list.end())
    list.push_back(text);
}

std::string system_of(const Machine& machine) {
  if (!machine.distro) return {};
  const Distro& distro = *machine.distro;
  return distro.version.empty() ? distro.id : distro.id + "-" + distro.version;
}

}  // namespace

std::string asked_name(const Gpu& gpu, const Database& database) {
  const bool known = gpu.name && database.find(*gpu.name).size() == 1;
  return known ? *gpu.name : gpu.gfx.value_or("");
}

Question question_of(const Machine& machine, const Question& given) {
  Question question = given;
  if (question.os.empty()) question.os = system_of(machine);
  if (question.kernel.empty()) question.kernel = machine.kernel.release.value_or("");
  return question;
}

std::vector<std::string> asked_gpus(const Machine& machine, const Database& database) {
  std::vector<std::string> gpus;
  for (const Gpu& gpu : machine.gpus) add_named_once(gpus, asked_name(gpu, database));
  return gpus;
}

std::vector<std::string> asked_releases(const Machine& machine) {
  std::vector<std::string> releases;
  for (const RocmInstall& install : machine.software.rocm)
    add_named_once(releases, install.version.value_or(""));
  return releases;
}

}  // namespace rocvet
