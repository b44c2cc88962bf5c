// A soak as text: a line of bars for each figure and reading of each GPU.
#include "base/text.h"
#include "report/layout.h"
#include "report/padded.h"
#include "report/soak_lines.h"
#include "report/spark_line.h"

namespace rocvet {
namespace {

std::string word_of(Verdict verdict) {
  if (verdict == Verdict::skip) return "";
  return verdict == Verdict::fail ? "FAIL" : std::string(to_string(verdict));
}

}  // namespace

std::string soak_text(const Soak& soak, bool verbose) {
  std::string out = soak_heading(soak) + "\n";
  for (const SoakGpu& gpu : soak.gpus) {
    out += soak_title(gpu) + "\n";
    for (const SoakLine& line : soak_lines(gpu)) {
      if (line.on_demand && !verbose) continue;  // as everywhere
      out += "  " + padded(word_of(line.verdict), 9) + padded(line.name, 20);
      if (!line.values.empty()) out += "|" + spark_line(line.values) + "| ";
      out += line.text + "\n";
    }
    for (const std::string& line : soak_error_lines(gpu)) out += "      " + line + "\n";
  }
  return out;
}

}  // namespace rocvet
