#include "formats/program_index.h"

#include <string>
#include <utility>

#include "formats/program_message.h"

namespace rocvet {
namespace {

bool is_broken(const MessageTemplate& text) {
  for (const MessageTemplate::Part& part : text.parts()) {
    if (part.literal.find('\n') != part.literal.npos) return true;
  }
  return false;
}

}  // namespace

ProgramIndex::ProgramIndex(std::vector<Entry> entries) {
  std::vector<MessageIndex::Entry> whole, anywhere, broken;
  for (Entry& entry : entries) {
    auto& kind = is_broken(entry.text) ? broken : entry.anywhere ? anywhere : whole;
    kind.push_back({entry.owner, std::move(entry.text)});
  }
  whole_ = MessageIndex(std::move(whole));
  anywhere_ = MessageIndex(std::move(anywhere));
  broken_ = MessageIndex(std::move(broken));
}

long ProgramIndex::find(std::string_view above, std::string_view line) const {
  const MessageIndex::Entry* best = nullptr;
  const auto take = [&](const MessageIndex::Entry* found) {
    if (found == nullptr) return;
    if (best == nullptr || found->text.literal_bytes() > best->text.literal_bytes()) best = found;
  };
  take(whole_.match_part(line, messages_of));
  take(anywhere_.find(line));
  if (broken_.may_hold(above)) {
    take(broken_.find(std::string(above) + "\n" + std::string(line)));
  }
  return best == nullptr ? -1 : static_cast<long>(best->owner);
}

}  // namespace rocvet
