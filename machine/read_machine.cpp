#include "machine/machine.h"

namespace rocvet {

Machine read_machine(Source& source, const ReadOptions&) {
  Machine machine;
  machine.process = source.process();
  return machine;
}

}  // namespace rocvet
