// The ladder as text: one line a rung, then where it breaks.
#include "base/text.h"
#include "report/layout.h"

namespace rocvet {

std::string ladder_text(const std::vector<GpuLadder>& ladders) {
  std::string out;
  for (const GpuLadder& ladder : ladders) {
    const std::string where = ladder.bdf.empty() ? "this machine" : ladder.bdf;
    out += "ladder of " + where + (ladder.arch.empty() ? "" : " (" + ladder.arch + ")") + "\n";
    for (const Rung& rung : ladder.rungs) {
      std::string title = title_of_rung(rung.name);
      title.resize(28, ' ');
      std::string verdict(to_string(rung.verdict));
      if (rung.verdict == Verdict::fail) verdict = "FAIL";
      verdict.resize(9, ' ');
      std::string time = rung.seconds > 0 ? fixed(rung.seconds, 1) + " s" : "";
      time.insert(0, time.size() < 8 ? 8 - time.size() : 0, ' ');
      out += "  " + verdict + title + time + "  " + rung.summary +
             (rung.through.empty() ? "" : "  [" + rung.through + "]") + "\n";
    }
    if (!ladder.broken.empty()) out += ladder.broken + "\n";
    for (const std::string& test : ladder.differing)
      out += "the same kernel gives different bits: " + test + "\n";
  }
  return out;
}

}  // namespace rocvet
