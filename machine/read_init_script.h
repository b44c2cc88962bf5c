// Scripts of System V init, which systemd still runs (systemd-sysv-generator).
#pragma once

#include <string>
#include <string_view>

namespace rocvet {

/// The account that a script of /etc/init.d starts its program as: the name after `--chuid`,
/// `--run-as`, `--user` of start-stop-daemon, `daemon` or runuser, or after `su`; a variable is
/// looked up in the script, with its default. Else what `USER=`, `RUN_AS=` and the like say.
/// "" when it says none: the program runs as root.
std::string account_of_init_script(std::string_view text);

}  // namespace rocvet
