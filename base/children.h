// Processes that this one started, and those that these left behind.
#pragma once

#include <sys/types.h>

#include <functional>

namespace rocvet {

/// Starts a child by `start` (fork or spawn; its pid, or -1) and knows it from its first moment on.
/// From the first call on, what children leave behind becomes a child of this process, also where
/// it went into a session of its own (PR_SET_CHILD_SUBREAPER).
pid_t start_child(const std::function<pid_t()>& start);

/// After `child` was waited for: kills and waits for all that is a child of this process and was
/// not started by it.
void child_ended(pid_t child);

}  // namespace rocvet
