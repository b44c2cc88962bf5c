// What rocvet knows of faults: root causes and how they show, messages of the kernel, texts of
// programs and people. Rows of the database, made ready.
#pragma once

#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "base/data_name.h"
#include "formats/message_template.h"
#include "threshold_names.h"
#include "word_list_names.h"

namespace rocvet {

using WordListName = DataName<kWordListNames>;    ///< a row of db/word_lists.toml
using ThresholdName = DataName<kThresholdNames>;  ///< a row of db/thresholds.toml

namespace db {
class Blob;
}

/// An observation that a cause shows.
struct Sign {
  std::string_view saw;    ///< "check.ID", "kernel.ID", "text.ID", or a name of db/vocabulary.toml
  std::string_view group;  ///< signs of one group are one fact told several times
  double shows = 0;        ///< how often the cause shows it: 0..1
};

struct Cause {
  std::string_view id;                       ///< "user-not-in-render-group"
  std::string_view title;                    ///< one line
  std::string_view definition;               ///< what it is and how it shows
  std::vector<std::string_view> needs;       ///< conditions without which it cannot be; "!" is not
  std::vector<std::string_view> refuted_by;  ///< observations of state that exclude it
  /// Other causes that this one brings about: found together with it, they are its consequences.
  std::vector<std::string_view> explains;
  std::string_view action;  ///< "configure", "reseat-or-replace" …
  bool mild = false;        ///< a warning: something works, only badly
  /// Only what opens the GPU meets it, and many machines have it that nobody computes on.
  bool met_at_open = false;
  std::string_view experiment;  ///< the command that decides where reading cannot; "" when it can
  /// Commands; one that begins with "apt: ", "dnf: ", "zypper: " or "pacman: " is for that family.
  std::vector<std::string_view> remedy;
  std::vector<std::string_view> asks;  ///< any of root, reboot, login
  std::vector<Sign> signs;
  std::string_view source;

  /// Never to be reported as a fault.
  bool benign() const { return action == "nothing"; }
  /// Its remedy is to open the machine: what a log says is not enough.
  bool hardware() const { return action == "reseat-or-replace"; }
};

/// notice: worth knowing beside a fault, and common on machines that work.
enum class LogSeverity { harmless, notice, warning, error, fatal };

/// When a message is no fault: something of the same GPU that follows, or what a field holds.
struct Benign {
  std::string_view when, field;
  std::vector<std::string_view> is;  ///< globs over the field
};

struct KernelMessage {
  std::string_view id, topic, means, source;
  LogSeverity severity = LogSeverity::harmless;
  bool outcome = false;  ///< says how it ended, not why: what says why outweighs it
  std::vector<Benign> benign;
};

/// A cause that people's words make likelier; share: of all machines whose users say so, 0..1.
struct Suggestion {
  std::string_view cause;
  double share = 0;
};

struct ErrorText {
  std::string_view id;
  /// A program's message: templates over the whole of it (formats/message_template.h). Prose: one
  /// text, in which "*" stands for anything in between; compared without case.
  std::vector<std::string_view> text;
  std::string_view from;    ///< "ROCr", "PyTorch", "ollama" …
  std::string_view means;   ///< one sentence
  std::string_view asks;    ///< which facts decide between its causes
  std::string_view origin;  ///< of a message: "owner/repo@version path"; "" when it was not found
  std::string_view source;  ///< where else it was read
  bool prose = false;       ///< people's words, not a program's message
  bool anywhere = false;    ///< of a message: may stand in the middle of somebody's sentence
  bool outcome = false;     ///< says how it ended, not why: a message that says why outweighs it
  std::vector<Suggestion> suggests;  ///< of prose only; a program's message is a sign of causes
  std::string_view sees;  ///< of prose only: the observation that it is where a person says it
};

struct ObservationInfo {
  std::string_view id, check, means;
  double common = 0;  ///< how often machines without a fault show it, as its author thinks: 0..1
  /// It comes from a list that nobody can complete: that it was not seen says nothing.
  bool partial = false;
  bool asked = false;    ///< seen only where somebody complains of this very thing
  bool outcome = false;  ///< says how it ended, not why: what says why outweighs it
};

/// The rule that weighs: L = ln prior + T · signs + W · prose, against N for none of the causes.
struct Weights {
  double t = 1, w = 1, n = 1;
  /// What db/thresholds.toml says of counting: of the same names there.
  double author = 0, common_text = 0, other_cause = 0, pseudo_case = 0, telling_state = 0;
};

/// On how many machines an observation was seen though none of its causes was there, and on how
/// many it could have been.
struct Count {
  double seen = 0, readable = 0;
};

class Knowledge {
 public:
  /// The blob must outlive it.
  explicit Knowledge(const db::Blob& blob);
  ~Knowledge();
  Knowledge(const Knowledge&) = delete;
  Knowledge& operator=(const Knowledge&) = delete;

  /// In the order of the database.
  const std::vector<Cause>& causes() const;
  /// nullptr for an id that no cause has.
  const Cause* cause(std::string_view id) const;
  const std::vector<KernelMessage>& messages() const;
  /// The message that a line of the kernel log is (without its header), nullptr when it is none
  /// that is known. Of several that fit, the one with the most literal text.
  const KernelMessage* message_of(std::string_view line,
                                  std::vector<MessageTemplate::Value>* values = nullptr) const;
  /// The message that stands somewhere in a line, as people quote it: cut, or with words around it.
  const KernelMessage* message_in(std::string_view line,
                                  std::vector<MessageTemplate::Value>* values = nullptr) const;
  const std::vector<ErrorText>& texts() const;
  /// The message of a program that a line of its log is, with what stands before it; nullptr when
  /// it is none that is known. `above`: the line before, as a message may be broken.
  const ErrorText* program_text(std::string_view above, std::string_view line) const;
  /// Named observations, and those of checks that are not as rare as most.
  const ObservationInfo* observation(std::string_view id) const;
  const std::vector<ObservationInfo>& observations() const;
  /// The logarithm is what a cause starts with: how often it is the one, of known cases.
  double prior(const Cause& cause) const;
  /// How often a machine with a fault shows it for a cause that is known: the sum over causes of
  /// prior times shows.
  double expected(std::string_view observation) const;
  const Weights& weights() const;
  /// The words of a row of db/word_lists.toml, as they are written there.
  const std::vector<std::string_view>& words(WordListName name) const;
  /// The value of a row of db/thresholds.toml.
  double threshold(ThresholdName name) const;
  /// Known cases with this cause.
  double cases(std::string_view cause) const;
  double all_cases() const;
  /// {0, 0} when it was never counted.
  Count count(std::string_view observation) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace rocvet
