// Each of these must not compile; without a definition this file must.
#include "base/step.h"

#include <string>

using rocvet::Step;

int main() {
  const std::string value = "x";
  std::size_t size = Step("sudo usermod -aG {} ada", value).text().size();
#if ROCVET_FAIL == 1
  size += Step("sudo usermod -aG " + value + " ada").text().size();
#elif ROCVET_FAIL == 2
  size += Step("echo '{}' | sudo tee /x", value).text().size();  // quotes around the gap
#elif ROCVET_FAIL == 3
  size += Step("echo {} {}", value).text().size();  // a gap too many
#elif ROCVET_FAIL == 4
  size += Step(value.c_str()).text().size();
#elif ROCVET_FAIL == 5
  size += Step(rocvet::Literal(value.c_str())).text().size();
#elif ROCVET_FAIL == 6
  size += Step("echo \"{}\"", value).text().size();
#elif ROCVET_FAIL == 7
  size += Step(value.c_str(), value).text().size();
#endif
  return size == 0;
}
