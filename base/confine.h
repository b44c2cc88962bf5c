// What a process gives up before it reads what strangers wrote or runs what others built. Each of
// these holds for good, for all threads that are started later, and for children. On a kernel that
// lacks one of the means the others still hold.
#pragma once

#include <span>
#include <string>

namespace rocvet {

/// No program that is run from now on gains rights by its file (PR_SET_NO_NEW_PRIVS).
void give_up_new_privileges();

/// For workers, in which vendors' libraries run: what administers the machine fails with EPERM
/// (kernel modules, mounts, namespaces, clocks, keys, BPF, reboot), also for root.
void give_up_administration();

/// For a process that only reads a snapshot, a log or saved reports and prints: it runs no program,
/// opens no socket, looks into no other process, and writes to no file but below `writable`
/// (folders; what does not exist is left out) and to terminals. Pipes and files that are open
/// already stay as they are.
void become_reader(std::span<const std::string> writable);

}  // namespace rocvet
