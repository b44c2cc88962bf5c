// The compatibility database: what has been published of GPUs, ROCm releases, systems, drivers and
// frameworks, each fact with its source.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "db/check_row.h"
#include "db/knowledge.h"
#include "db/version.h"
#include "machine/machine.h"

namespace rocvet {

enum class Support { supported, deprecated, enabled, unsupported, unlisted, unknown };
std::string_view to_string(Support support);
/// unknown for what is no verdict.
Support support_of(std::string_view word);

struct PciId {
  std::string vendor, device;          ///< lower-case hex without 0x
  std::vector<std::string> revisions;  ///< the same; empty: any revision
};

/// One product. Figures are null where nobody published them.
struct GpuInfo {
  std::string name, gfx, family, codename,
      kind;                          ///< kind: "instinct", "radeon-pro", "radeon", "apu"
  std::vector<std::string> aliases;  ///< other names, such as the processors it sits in
  std::vector<PciId> pci;
  bool is_apu = false;
  std::optional<int> compute_units, tdp_w, wavefront_size, infinity_cache_mib, max_engine_clock_mhz;
  std::optional<double> vram_gib, memory_bandwidth_gbs;
  std::string memory_type, pcie;
  /// Peak rates by what is counted: "fp16_tflops", "fp64_matrix_tflops", "int8_tops" …
  std::map<std::string, double> peaks;
  std::string peak_basis;  ///< "dense matrix", "WMMA dense" …
  std::string peak_source;
  std::string source, checked;
};

/// One published statement that took part in an answer.
struct Fact {
  std::string subject;  ///< "gpu × rocm", …
  Support verdict = Support::unknown;
  std::string because, source, checked, condition;
};

struct Answer {
  Support verdict = Support::unknown;
  std::string because;
  std::vector<Fact> facts;
  std::vector<std::string> conditions;
};

/// What is known of a machine when published defects are looked up; "" is not known.
struct Situation {
  std::string gfx = {};          ///< "gfx1151"
  std::string device = {};       ///< "1002:150e", of the same GPU
  std::string rocm = {};         ///< "7.1.1": of the installation or framework that is used
  std::string kernel = {};       ///< uname -r, with its suffix
  std::string dkms_driver = {};  ///< version of the DKMS module ("6.8.5"), "" for the in-tree one
  std::string dkms_package =
      {};  ///< version of the amdgpu-dkms package ("1:6.16.13.30300000-2278356.24.04")
  std::string linux_firmware = {};  ///< version of the distribution's firmware package
  std::string os = {};              ///< "ubuntu-24.04"
  std::string gfx_override = {};    ///< HSA_OVERRIDE_GFX_VERSION as set
  bool wsl = false;
  std::map<std::string, std::string> firmware = {};  ///< "mes" -> "0x00000083"
  /// As pip names them: "torch" -> "2.5.1+rocm6.2".
  std::map<std::string, std::string> frameworks = {};
};

/// A published defect, limit or workaround that fits a Situation. Topics: "dkms-build" (this driver
/// does not build on this kernel), "kernel-min" (the kernel predates the GPU or lacks a fix that it
/// needs), "kernel-bad" (a defect of the kernel's own driver), "firmware-bad", "driver-bad",
/// "release-bug", "api-removed" (the release lacks what older sources and programs use),
/// "framework-bad", "program-bad" (a program's own defect, told and no fault of the stack),
/// "override-works", "override-harms", "wsl-unsupported", "driver-window" (user space and this
/// driver are no published pair, or it calls what the driver lacks), "gpu-stops-runtime" (beside
/// this GPU the runtime finds none), "gfx-dropped".
struct KnownIssue {
  std::string id, topic, because, remedy, source;
  /// What shows it at work, any of them: a text of the kernel log or the application, or
  /// "kernel.ID" or "text.ID", a message that is known; empty: none known.
  std::vector<std::string> signatures;
  /// The signatures are what many other faults show too.
  bool generic = false;
  /// How a complaint speaks of what it breaks, any of them: all words of one occur.
  std::vector<std::string> about;
  bool breaks_compute = false;  ///< whatever program uses the GPU
  bool hits_most = false;       ///< most machines that lie within it, as soon as they do that
  /// True when the condition is met in every part that the issue names (nothing was unknown).
  bool certain = true;
};

/// The code objects that a published wheel holds.
struct WheelInfo {
  std::string framework, version, rocm, index;  ///< "pytorch", "2.6", "6.2.4", the --index-url
  std::vector<std::string> gfx;                 ///< empty: not known
  std::vector<std::string> python;              ///< "3.10" …; empty: not known
  std::string install;  ///< the document's own command, where it takes more than the index
  std::string source;
  bool released = true;      ///< not of a channel for tests or nightly builds
  bool installable = false;  ///< a command for it is known
  bool brings_rocm = false;  ///< it need not be of the ROCm that is installed
};

/// What the hardware of a gfx target, or a framework on it, makes of a feature ("fp8",
/// "flash-attention"). The verdict is "supported", "slow" (works, in more steps or by a slower way)
/// or "unsupported".
struct FeatureFact {
  std::string feature, verdict, format, because, source;
  std::string means;  ///< "aotriton 0.10", "bitsandbytes": who really decides; no verdict then
  std::string environment;  ///< "NAME=VALUE" that makes it supported
};

/// What installs a shared library, or the component that a build asks CMake for. A name that stands
/// nowhere is "".
struct LibraryPackage {
  std::string_view library;             ///< "libamdhip64"; "": of CMake's files alone
  std::vector<std::string_view> cmake;  ///< as find_package() has it, in lower case
  std::string_view apt, dnf, fedora, zypper, pacman;
  std::string_view development;  ///< with the headers and CMake's files, as apt has it
  bool programs_only = false;    ///< no library of ROCm's stands on it
};

/// Any subset; an empty member was not asked.
struct Question {
  std::string gpu = {}, rocm = {}, os = {}, kernel = {}, driver = {}, framework = {};
  std::string python = {};    ///< "3.12": which wheels of the framework are published for it
  std::string platform = {};  ///< "bare-metal", "wsl", "kvm", "kvm-sr-iov", "esxi-passthrough" …
  /// The system is not asked about by itself: it only decides what depends on it.
  bool system_is_given = false;
};

class Database {
 public:
  /// The one in the binary.
  static const Database& embedded();
  /// The embedded one with the TOML files of `directory` laid over it. Errors have
  /// file:line:column.
  static Result<std::shared_ptr<const Database>> with_overlay(const std::string& directory);

  virtual ~Database() = default;
  /// Causes, messages and texts.
  virtual const Knowledge& knowledge() const = 0;
  /// Checks that are data.
  virtual const std::vector<CheckRow>& check_rows() const = 0;
  virtual std::string version() const = 0;  ///< "2026.11.21"
  virtual const std::vector<GpuInfo>& gpus() const = 0;
  /// The gfx target that a device id carries, whatever the product is called; "" when unknown.
  virtual std::string_view gfx_of_device(std::string_view vendor_id,
                                         std::string_view device_id) const = 0;
  /// Candidates, best first: by PCI id (device, and revision, subsystem, CU count where they
  /// decide).
  virtual std::vector<const GpuInfo*> identify(const Gpu& gpu) const = 0;
  /// By gfx target, "1002:744c" or a name; several when it is ambiguous; none when unknown.
  virtual std::vector<const GpuInfo*> find(std::string_view gpu) const = 0;
  /// An error is a question that cannot be understood (an unknown GPU, a malformed version).
  virtual Result<Answer> ask(const Question& question) const = 0;
  /// Every published defect that fits, or those of one topic, most specific first.
  virtual std::vector<KnownIssue> known_issues(const Situation& situation,
                                               std::string_view topic = {}) const {
    (void)situation;
    (void)topic;
    return {};
  }
  /// Whether the driver is the kernel's own, and new enough for the GPU by every row on the first
  /// kernel that knows it. False where nothing is published.
  virtual bool kernel_knows(const Situation& situation) const {
    (void)situation;
    return false;
  }
  /// The last ROCm release that supported (or enabled) a gfx target that later ones do not; "" when
  /// the newest known one still does, or nothing is known.
  virtual std::string last_rocm_for(std::string_view gfx) const {
    (void)gfx;
    return {};
  }
  /// The first ROCm release known to have anything for a gfx target (a published table lists it, or
  /// a library is built for it), when `rocm` is older and is known to have nothing: a table or a
  /// library's build says so. "" when it has something, or nothing is known: silence denies
  /// nothing.
  virtual std::string rocm_needed_for(std::string_view gfx, std::string_view rocm) const {
    (void)gfx, (void)rocm;
    return {};
  }
  /// Sonames that a release's libraries have ("libamdhip64.so.6"), as far as published.
  virtual std::vector<std::string> sonames(std::string_view rocm) const {
    (void)rocm;
    return {};
  }
  /// Features of a gfx target's hardware, in the order of the database.
  virtual std::vector<FeatureFact> hardware_features(std::string_view gfx) const {
    (void)gfx;
    return {};
  }
  /// Features that a version of a framework (built for `rocm`, "" when not known) has or lacks on a
  /// target, provided that it has code for it: the first row that fits, a row a feature.
  virtual std::vector<FeatureFact> framework_features(std::string_view framework,
                                                      std::string_view version,
                                                      std::string_view rocm,
                                                      std::string_view gfx) const {
    (void)framework, (void)version, (void)rocm, (void)gfx;
    return {};
  }
  /// Published wheels of a framework ("pytorch"), oldest first; all for "".
  virtual std::vector<WheelInfo> wheels(std::string_view framework) const {
    (void)framework;
    return {};
  }

  /// Whether a target runs the code of another one unchanged (gfx1031 that of gfx1030): a
  /// maintainer or the documents of the instruction set say so.
  virtual bool runs_code_of(std::string_view gfx, std::string_view other) const {
    return gfx == other;
  }
  /// The first target of the family, whose support in a release brings that of the runtime and the
  /// compiler for this one; "" when it is the first itself, or nothing is known.
  virtual std::string_view sibling_of(std::string_view gfx) const {
    (void)gfx;
    return {};
  }
  virtual const std::vector<LibraryPackage>& library_packages() const {
    static const std::vector<LibraryPackage> none;
    return none;
  }

  /// What the folder above makes of its rows: made when it is first asked for, kept as long as the
  /// database. One kind of thing only.
  template <typename T>
  const T& derived(T (*make)(const Database&)) const {
    std::call_once(derived_once_, [&] { derived_ = std::make_shared<const T>(make(*this)); });
    return *static_cast<const T*>(derived_.get());
  }

 private:
  mutable std::once_flag derived_once_;
  mutable std::shared_ptr<const void> derived_;
};

/// Fills in what only the database knows of a machine: names, gfx targets by PCI id, kind.
void identify_gpus(Machine& machine, const Database& database);

}  // namespace rocvet
