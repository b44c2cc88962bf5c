// What stands in a line of a log, whoever wrote it: stamps, heads, statements of an error, frames
// of a stack; and the templates of known messages over it.
//
// Up to the first NUL the input is a template, behind it a log; without one it is a log.
#include <string>
#include <vector>

#include "base/text.h"
#include "formats/error_statement.h"
#include "formats/gfx_target.h"
#include "formats/kernel_head.h"
#include "formats/kernel_message.h"
#include "formats/line_time.h"
#include "formats/literal_filter.h"
#include "formats/message_index.h"
#include "formats/message_template.h"
#include "formats/program_index.h"
#include "formats/program_message.h"
#include "formats/stack_frame.h"
#include "formats/wrapped_lines.h"
#include "fuzz/target.h"
#include "machine/read_kernel_log.h"
#include "machine/read_named_programs.h"

using namespace rocvet;

namespace {

void must_be_inside(std::string_view part, std::string_view whole, const char* what) {
  const bool inside = part.empty() || (part.data() >= whole.data() &&
                                       part.data() + part.size() <= whole.data() + whole.size());
  fuzz::must(inside, what);
}

void read_line(std::string_view line) {
  fuzz::use(line_time(line));
  fuzz::use(is_error_statement(line));
  fuzz::use(is_kernel_line(line));
  must_be_inside(device_of(line).bdf, line, "a device is part of its line");
  must_be_inside(message_of(line), line, "a message is part of its line");
  if (const auto frame = parse_stack_frame(line))
    must_be_inside(frame->object, line, "an object is part of its frame");
  for (const std::string_view part : messages_of(line))
    must_be_inside(part, line, "what a line says is part of it");
  std::string_view rest = line;
  drop_level(rest);
  fuzz::use(take_stamp(rest));
  drop_iso_stamp(rest);
  fuzz::use(take_syslog_head(rest));
  must_be_inside(rest, line, "what is behind a head is part of the line");
  fuzz::use(gfx_of_file_name(line));
  fuzz::use(gfx_of_miopen_file(line));
  fuzz::use(gfx_of_bundle_id(line));
  fuzz::use(is_gfx_target(gfx_without_features(line)));
}

/// An index looks at few of its templates: none that fits may be among the others.
void match(std::string_view text, std::string_view log) {
  constexpr std::string_view kOther =
      "Direct firmware load for {file:path} failed with error {n:int}";
  const auto made = MessageTemplate::parse(text), other = MessageTemplate::parse(kOther);
  if (!made) return;
  const MessageIndex index({{0, *made}, {1, *other}});
  const ProgramIndex programs({{0, *made, false}, {1, *other, true}});
  std::string_view above;
  for (const std::string_view line : lines_of(log)) {
    std::vector<MessageTemplate::Value> values;
    const bool fits = made->match(line, &values), stands = made->find(line);
    if (fits) {
      for (const auto& value : values) must_be_inside(value.text, line, "a value is of its line");
      fuzz::use(fill_gaps("{file} {code}", values));
      fuzz::must(stands, "what fits the whole stands in it");
    }
    fuzz::must(!fits || index.match(line) != nullptr, "the index misses no match");
    fuzz::must(!stands || index.find(line) != nullptr, "the index finds what stands there");
    fuzz::must(!stands || index.may_hold(line), "the filter lets it pass");
    // It reads lines without the blanks around them.
    fuzz::must(!made->match(trim(line)) || programs.find(above, line) >= 0,
               "nor does that of programs");
    above = line;
  }
}

}  // namespace

FUZZ_TARGET(log_lines) {
  const std::size_t nul = bytes.find('\0');
  const std::string_view log = nul == bytes.npos ? bytes : bytes.substr(nul + 1);
  if (nul != bytes.npos) {
    match(bytes.substr(0, nul), log);
    fuzz::use(gaps_of(bytes.substr(0, nul)));
    must_be_inside(message_of(bytes.substr(0, nul)), bytes, "a message is part of it");
    fuzz::use(longest_part(bytes.substr(0, nul)));
  }
  for (const std::string_view line : lines_of(log)) read_line(line);
  for (const WrappedMessage& message : wrapped_messages(log))
    must_be_inside(message.first, log, "the first line is in the log");
  fuzz::must(program_words(log).size() <= 64, "no more than 64 words of programs");
}
