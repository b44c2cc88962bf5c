// Whom and which machines a text names, by the places where names stand: home folders, prompts,
// what sudo, sshd, ls and MPI print, host names in a domain of somebody's own.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "source/marked_words.h"

namespace rocvet {

struct MentionVisitor {
  std::function<void(std::string_view)> user, host;
};

/// Calls `found` with the place in the text of each name that it mentions, again for each time, in
/// no order. Names of programs, devices and architectures that stand in the same places are left
/// out as far as they can be told. Time is linear in the length.
void find_mentions(std::string_view text, const MentionVisitor& found);
/// The same with `marked` = find_marked_words(text), by who needs that too.
void find_mentions(std::string_view text, const std::vector<MarkedWord>& marked,
                   const MentionVisitor& found);

/// Of one variable: USER=x, SLURM_NODELIST=gpu[01-04], MASTER_ADDR=gpu7.
void find_mentions_in_variable(std::string_view name, std::string_view value,
                               const MentionVisitor& found);

}  // namespace rocvet
