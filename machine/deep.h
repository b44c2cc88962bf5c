// What the vendor's libraries said when they were really loaded and asked (--deep): the only facts
// that are not read but run, each in a worker process of its own (selftests/deep).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source/source.h"

namespace rocvet {

/// A GPU as one library tells of it.
struct DeepDevice {
  int index = 0;                    ///< in the library's own order
  std::optional<std::string> bdf;   ///< "0000:c1:00.0", lower case
  std::optional<std::string> name;  ///< marketing name
  std::optional<std::string> gfx;   ///< with its features: "gfx90a:sramecc+:xnack-"
  std::optional<std::string> uuid;  ///< "GPU-…"
  std::optional<int> kfd_node;
  std::optional<std::uint64_t> memory_bytes;
  std::optional<bool> product_right;  ///< frameworks: a matrix product on it was right
};

/// One library, loaded and asked.
struct DeepProbe {
  enum class Outcome {
    works,
    no_device,   ///< it runs and finds no GPU
    absent,      ///< it is not installed
    unloadable,  ///< it is installed and the dynamic loader refuses it
    incomplete,  ///< it lacks a function
    refused,     ///< a call answered with an error
    crashed,     ///< a signal or exit() ended the process
    hung,        ///< no answer before the deadline
    garbage,     ///< what came back makes no sense
    wrong,       ///< it computes, and the numbers are wrong
    withheld,    ///< rocvet did not run it: `why`
  };
  std::string id;       ///< "hip", "hsa", "rocm-smi", "amd-smi"; a framework: "torch", "jax" …
  std::string subject;  ///< of a framework the root of its Python environment; else ""
  Outcome outcome = Outcome::garbage;
  std::string why;                     ///< one sentence; "" when it works
  std::string library;                 ///< the file that was loaded
  std::string version;                 ///< as the library tells it
  std::string call;                    ///< the call that failed, crashed or hung: "hipInit"
  std::optional<std::int64_t> status;  ///< what it returned
  std::string status_name;             ///< "hipErrorNoDevice"
  std::vector<DeepDevice> devices;
  std::map<std::string, std::string> facts;  ///< torch: "hip", "cuda", "available", "arch_list"
  std::optional<int> exit, signal;           ///< how the worker ended when it did not end well
  std::string words;                         ///< the last it wrote to stderr, else to stdout
};

struct Deep {
  std::vector<DeepProbe> probes;
};

/// "works", "no-device", "absent" …
std::string_view to_string(DeepProbe::Outcome outcome);
std::optional<DeepProbe::Outcome> deep_outcome(std::string_view name);

/// As a snapshot keeps it (cmd/deep): JSON, and back. parse_deep answers Error::malformed for
/// anything else, and never takes more than 256 probes of 1024 devices.
std::string write_deep(const Deep& deep);
Result<Deep> parse_deep(std::string_view text);
/// A device out of its JSON text, for one line of a worker's events.
Result<DeepDevice> parse_deep_device(std::string_view text);

/// What a snapshot recorded. Error::not_captured: nobody asked with --deep; always so on a live
/// machine, whose answers come from run_deep().
Result<Deep> read_deep(Source& source);

}  // namespace rocvet
