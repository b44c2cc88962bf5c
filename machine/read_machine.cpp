#include "machine/machine.h"
#include "machine/read_distro.h"
#include "machine/read_driver.h"
#include "machine/read_kernel.h"

namespace rocvet {

Machine read_machine(Source& source, const ReadOptions&) {
  Machine machine;
  machine.process = source.process();
  machine.kernel = read_kernel(source);
  machine.distro = read_distro(source);
  machine.driver = read_driver(source, machine.kernel);
  return machine;
}

}  // namespace rocvet
