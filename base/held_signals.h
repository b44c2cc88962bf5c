// A signal that ends the process waits until nothing half-done would be left.
#pragma once

#include <memory>

namespace rocvet {

/// While what is returned lives, signals that end a process from outside (SIGTERM, SIGINT, SIGUSR1
/// …; not SIGKILL, nor those of a fault of our own) are held back from this thread, and come then.
/// Several may live at a time.
std::shared_ptr<void> hold_signals();

}  // namespace rocvet
