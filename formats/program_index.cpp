#include "formats/program_index.h"

#include <algorithm>
#include <string>
#include <utility>

#include "formats/program_message.h"

namespace rocvet {
namespace {

/// Bytes of a message's own text that are no accident in the middle of a line.
constexpr std::size_t kTelling = 24;
/// No wrapper has more before what it passes on.
constexpr int kMostParts = 16;

bool is_broken(const MessageTemplate& text) {
  for (const MessageTemplate::Part& part : text.parts()) {
    if (part.literal.find('\n') != part.literal.npos) return true;
  }
  return false;
}

/// Enough text of its own, and bounded by text: a number or a word at the end would lose its
/// bounds.
bool is_telling(const MessageTemplate& text) {
  const MessageTemplate::Part& last = text.parts().back();
  const bool bounded = !last.literal.empty() || last.field == MessageTemplate::Field::any ||
                       last.field == MessageTemplate::Field::rest;
  return text.literal_bytes() >= kTelling && !is_broken(text) && bounded &&
         !text.parts().front().literal.empty();
}

/// Behind the next mark and its blank: ": ", "] ", ") ", "| ", "- ".
std::size_t next_part(std::string_view line, std::size_t from) {
  constexpr std::string_view kMarks = ":])>|-\"'=,;!";
  for (std::size_t at = std::max<std::size_t>(from, 1) + 1; at < line.size(); ++at) {
    if (line[at - 1] == ' ' && line[at] != ' ' && kMarks.find(line[at - 2]) != kMarks.npos)
      return at;
  }
  return line.size();
}

}  // namespace

ProgramIndex::ProgramIndex(std::vector<Entry> entries) {
  std::vector<MessageIndex::Entry> whole, within, anywhere, broken;
  for (Entry& entry : entries) {
    if (!entry.anywhere && is_telling(entry.text)) within.push_back({entry.owner, entry.text});
    auto& kind = is_broken(entry.text) ? broken : entry.anywhere ? anywhere : whole;
    kind.push_back({entry.owner, std::move(entry.text)});
  }
  whole_ = MessageIndex(std::move(whole));
  within_ = MessageIndex(std::move(within));
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
  // A wrapper may go before a message, and something of its own behind it: one with much text is
  // known there too. It begins behind a mark: who only speaks of a message writes on.
  if (best == nullptr && within_.may_hold(line)) {
    std::size_t at = 0;
    for (int part = 0; part < kMostParts && best == nullptr; ++part) {
      at = next_part(line, at);
      if (at >= line.size()) break;
      const MessageIndex::Entry* found = within_.find(line.substr(at));
      if (found != nullptr && line.substr(at).starts_with(found->text.parts().front().literal))
        take(found);
    }
  }
  return best == nullptr ? -1 : static_cast<long>(best->owner);
}

}  // namespace rocvet
