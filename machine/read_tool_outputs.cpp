#include "machine/read_tool_outputs.h"

#include <algorithm>

namespace rocvet {

std::map<std::string, std::string> read_tool_outputs(Source& source) {
  std::map<std::string, std::string> texts;
  for (const std::string& name : source.outputs()) {
    const std::string stem = name.substr(0, name.find('.'));
    for (const char* wanted : {"rocminfo", "clinfo", "hipconfig", "lspci-vvnn", "apt-policy"}) {
      if (stem != wanted || texts.count(wanted) != 0) continue;
      if (const auto output = source.run(name)) texts[wanted] = output->out;
    }
  }
  return texts;
}

}  // namespace rocvet
