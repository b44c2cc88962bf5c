// Whom and which machines a text names, by the places where names stand: home folders, prompts,
// what sudo, sshd, ls and MPI print, host names in a domain of somebody's own.
#pragma once

#include <functional>
#include <string_view>

namespace rocvet {

struct MentionVisitor {
  std::function<void(std::string_view)> user, host;
};

/// Calls `found` with the place in the text of each name that it mentions, again for each time, in
/// no order. Names of programs, devices and architectures that stand in the same places are left
/// out as far as they can be told. Time is linear in the length.
void find_mentions(std::string_view text, const MentionVisitor& found);

/// Of one variable: USER=x, SLURM_NODELIST=gpu[01-04], MASTER_ADDR=gpu7.
void find_mentions_in_variable(std::string_view name, std::string_view value,
                               const MentionVisitor& found);

/// Whether a name is hardly a word of anything else: it may be looked for everywhere.
bool is_distinctive(std::string_view name);

/// Whether a host name with dots tells whose it is by what stands behind its first label:
/// "server.acme.example", not "rc.local" or "server.lan".
bool names_a_domain(std::string_view host);

/// Words that are names of accounts, distributions and parts of this field: one that happens to be
/// called so is not found by it.
bool is_everyday_name(std::string_view name);

}  // namespace rocvet
