#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/facts/gpus.h"
#include "checks/facts/siblings.h"

namespace rocvet {
namespace {

constexpr std::string_view kCardMissingFromBoardDoc = R"(
## What it looks for
Modules (MI300X, MI325X, MI350X, MI355X) on a bare-metal machine: they sit on a baseboard of eight.

## Why it matters
A count such as seven means that one did not come up. Jobs that want all eight fail, and the hive
has a hole.

## How to mend it
Power the machine off and on; read the management controller's log; have the module replaced.

## Not this
A container, a virtual machine or a job that was given some of them, and half boards of four.

## References
- https://instinct.docs.amd.com/
)";

std::vector<Finding> run_card_missing_from_board(const Context& context) {
  const Machine& machine = context.machine;
  if (auto none = skip_without_gpu(context)) return {*none};
  if (machine.surroundings.container || machine.surroundings.virtual_machine.value_or(false))
    return {skip("the machine may have been given a part of the board")};
  std::size_t modules = 0;
  bool linked = false;  // cards in PCIe slots come in any number
  for (const Gpu* gpu : cards(machine)) {
    if (gpu->kind == GpuKind::apu || !gpu->gfx || !gpu->card_bdf) continue;
    linked |= gpu->hive.has_value();
    modules += (*gpu->gfx == "gfx942" || *gpu->gfx == "gfx950") && is_instinct(context, *gpu);
  }
  if (modules == 0 || !linked)
    return {none_here("there is no baseboard of modules here", Absence::gpu)};
  const std::string count = std::to_string(modules);
  if (modules % 8 == 0 || (modules & (modules - 1)) == 0)
    return {pass(count + " modules were found")};
  return warning(count + " modules were found, a baseboard carries eight")
      .fix({"lspci -d 1002: | grep -ci processing", "sudo poweroff   # and on again"})
      .root()
      .reboot();
}

}  // namespace

extern const Check kCardMissingFromBoard;
constinit const Check kCardMissingFromBoard{.code = "RV308",
                                            .id = "card-missing-from-board",
                                            .topic = "detection",
                                            .title = "A baseboard of eight shows fewer cards",
                                            .doc = kCardMissingFromBoardDoc,
                                            .run = run_card_missing_from_board};

}  // namespace rocvet
