// The tables and their columns, known while rocvet is compiled: a query that names a column which
// its table lacks does not compile.
#pragma once

#include <algorithm>
#include <array>

#include "db/schema.h"

namespace rocvet::db {
namespace schema {

inline constexpr std::string_view kVerdicts = "supported deprecated enabled unsupported unlisted";

// What every row ends with.
#define ROCVET_ROW_TAIL                                                                \
  {"source", Kind::text, true}, {"checked", Kind::date, true},                         \
      {"basis", Kind::word, false, "published inferred memory community"}, {"note"}, { \
    "where"                                                                            \
  }

inline constexpr Column kDatabase[] = {
    {"version", Kind::text, true}, {"date", Kind::date, true}, ROCVET_ROW_TAIL};
inline constexpr Column kTarget[] = {{"gfx", Kind::text, true},
                                     {"family", Kind::text, true},
                                     {"codenames", Kind::list},
                                     {"devices", Kind::list},
                                     {"wavefront_size", Kind::number},
                                     {"apu", Kind::boolean},
                                     {"runs", Kind::list},
                                     {"sibling_of"},
                                     ROCVET_ROW_TAIL};
inline constexpr Column kGpu[] = {{"gfx", Kind::text, true},
                                  {"name", Kind::text, true},
                                  {"kind", Kind::word, true, "instinct radeon-pro radeon apu"},
                                  {"aliases", Kind::list},
                                  {"pci", Kind::list},
                                  {"codename"},
                                  {"apu", Kind::boolean},
                                  {"compute_units", Kind::number},
                                  {"vram_gib", Kind::number},
                                  {"memory_type"},
                                  {"memory_bandwidth_gbs", Kind::number},
                                  {"max_engine_clock_mhz", Kind::number},
                                  {"tdp_w", Kind::number},
                                  {"pcie"},
                                  {"infinity_cache_mib", Kind::number},
                                  {"peak_fp64_tflops", Kind::number},
                                  {"peak_fp64_matrix_tflops", Kind::number},
                                  {"peak_fp32_tflops", Kind::number},
                                  {"peak_fp32_matrix_tflops", Kind::number},
                                  {"peak_fp16_tflops", Kind::number},
                                  {"peak_bf16_tflops", Kind::number},
                                  {"peak_fp8_tflops", Kind::number},
                                  {"peak_int8_tops", Kind::number},
                                  {"peak_fp6_tflops", Kind::number},
                                  {"peak_fp4_tflops", Kind::number},
                                  {"peak_basis"},
                                  {"peak_source"},
                                  ROCVET_ROW_TAIL};
inline constexpr Column kRelease[] = {{"rocm", Kind::version, true},
                                      {"date", Kind::date},
                                      {"kind", Kind::word, true, "production preview"},
                                      {"driver"},
                                      ROCVET_ROW_TAIL};
inline constexpr Column kComponent[] = {
    {"component", Kind::text, true}, {"version"},    {"soname"}, {"soname_source"},
    {"rocm", Kind::range, true},     ROCVET_ROW_TAIL};
inline constexpr Column kSupport[] = {{"gfx", Kind::text, true},
                                      {"gpus", Kind::list},
                                      {"rocm", Kind::range, true},
                                      {"verdict", Kind::word, true, kVerdicts},
                                      {"condition"},
                                      {"disagrees", Kind::boolean},
                                      ROCVET_ROW_TAIL};
inline constexpr Column kOs[] = {{"os", Kind::text, true},
                                 {"version", Kind::text, true},
                                 {"variant"},
                                 {"kernels", Kind::list},
                                 {"glibc"},
                                 {"rocm", Kind::range, true},
                                 {"verdict", Kind::word, true, kVerdicts},
                                 {"condition"},
                                 {"disagrees", Kind::boolean},
                                 ROCVET_ROW_TAIL};
// What a distribution's release is called and brings along.
inline constexpr Column kSystem[] = {{"os", Kind::text, true},
                                     {"version", Kind::text, true},
                                     {"codename"},
                                     {"amd_codename"},
                                     {"glibc"},
                                     {"python"},
                                     ROCVET_ROW_TAIL};
inline constexpr Column kGpuSystems[] = {{"gpus", Kind::list, true},
                                         {"rocm", Kind::range, true},
                                         {"systems", Kind::list, true},
                                         {"condition"},
                                         ROCVET_ROW_TAIL};
inline constexpr Column kDriver[] = {{"driver", Kind::range, true},
                                     {"numbering", Kind::word, true, "rocm amdgpu kernel"},
                                     {"rocm", Kind::range, true},
                                     {"kinds", Kind::list},
                                     {"verdict", Kind::word, true, kVerdicts},
                                     {"condition"},
                                     {"disagrees", Kind::boolean},
                                     ROCVET_ROW_TAIL};
inline constexpr Column kModule[] = {
    {"module", Kind::range, true}, {"driver", Kind::text, true}, ROCVET_ROW_TAIL};
inline constexpr Column kFirmware[] = {{"gpus", Kind::list, true},
                                       {"rocm", Kind::range, true},
                                       {"firmware", Kind::text, true},
                                       ROCVET_ROW_TAIL};
inline constexpr Column kFramework[] = {{"framework", Kind::text, true},
                                        {"versions", Kind::list, true},
                                        {"variant"},
                                        {"rocm", Kind::range, true},
                                        {"verdict", Kind::word, true, kVerdicts},
                                        {"gfx", Kind::list},
                                        {"condition"},
                                        {"disagrees", Kind::boolean},
                                        ROCVET_ROW_TAIL};
inline constexpr Column kWheel[] = {{"framework", Kind::text, true},
                                    {"version", Kind::range, true},
                                    {"rocm", Kind::text, true},
                                    {"gfx", Kind::list},
                                    {"python", Kind::list},
                                    {"glibc"},
                                    {"index"},
                                    {"install"},
                                    {"condition"},
                                    ROCVET_ROW_TAIL};
// A container image that a document names. `framework` is "" of a plain ROCm.
inline constexpr Column kContainer[] = {{"image", Kind::text, true},
                                        {"tag", Kind::text, true},
                                        {"framework"},
                                        {"version"},
                                        {"rocm", Kind::text, true},
                                        {"os"},
                                        {"python"},
                                        {"gfx", Kind::list},
                                        ROCVET_ROW_TAIL};
// Where a GPU is not driven by the kernel that ROCm runs on: guests of a hypervisor, WSL.
inline constexpr Column kPlatform[] = {{"platform", Kind::word, true, "wsl kvm esxi"},
                                       {"technology", Kind::word, false, "passthrough sr-iov"},
                                       {"gpus", Kind::list, true},
                                       {"rocm", Kind::range, true},
                                       {"host"},
                                       {"guests", Kind::list, true},
                                       {"condition"},
                                       ROCVET_ROW_TAIL};
inline constexpr Column kLibrary[] = {{"library", Kind::text, true},
                                      {"gfx", Kind::list, true},
                                      {"rocm", Kind::range, true},
                                      {"built", Kind::boolean, true},
                                      {"condition"},
                                      ROCVET_ROW_TAIL};
inline constexpr Column kOverride[] = {{"gfx", Kind::list, true},
                                       {"value", Kind::text, true},
                                       {"rocm", Kind::range, true},
                                       {"effect", Kind::word, true, "works unsafe harmful"},
                                       {"text", Kind::text, true},
                                       {"evidence"},
                                       ROCVET_ROW_TAIL};
inline constexpr Column kKernel[] = {{"gfx", Kind::list, true},
                                     {"kernel", Kind::range, true},
                                     {"or_kernel", Kind::range},
                                     {"need", Kind::word, true, "driver fix"},
                                     {"rocm", Kind::range},
                                     {"text", Kind::text, true},
                                     {"devices", Kind::list},
                                     {"signatures", Kind::list},
                                     ROCVET_ROW_TAIL};
inline constexpr Column kIssue[] = {
    {"id", Kind::text, true},
    {"topic", Kind::word, true,
     "dkms-build kernel-min kernel-bad firmware-bad driver-bad release-bug api-removed program-bad "
     "framework-bad "
     "wsl-unsupported driver-window gpu-stops-runtime pcie-atomics library packaging framework os "
     "id-map lifecycle"},
    {"gfx", Kind::list},
    {"rocm", Kind::range},
    {"kernel", Kind::range},
    {"except_kernel", Kind::range},
    {"driver", Kind::range},
    {"driver_release", Kind::range},
    {"os", Kind::list},
    {"firmware_package", Kind::range},
    {"firmware_block"},
    {"firmware", Kind::text},
    {"wsl", Kind::boolean},
    {"framework"},
    {"versions", Kind::range},
    {"in_tree", Kind::boolean},
    {"signatures", Kind::list},
    {"generic", Kind::boolean},
    {"about", Kind::list},
    {"breaks", Kind::word, false, "compute start display suspend install"},
    {"affects", Kind::word, false, "all most some"},
    {"fact", Kind::text, true},
    {"remedy"},
    {"evidence"},
    ROCVET_ROW_TAIL};
inline constexpr Column kPackage[] = {{"library"},
                                      {"cmake", Kind::list},
                                      {"apt"},
                                      {"dnf"},
                                      {"fedora"},
                                      {"zypper"},
                                      {"pacman"},
                                      {"development"},
                                      {"programs_only", Kind::boolean},
                                      ROCVET_ROW_TAIL};
inline constexpr Column kWordList[] = {{"id", Kind::text, true},
                                       {"means", Kind::text, true},
                                       {"words", Kind::list, true},
                                       ROCVET_ROW_TAIL};
inline constexpr Column kThreshold[] = {{"id", Kind::text, true},
                                        {"value", Kind::number, true},
                                        {"means", Kind::text, true},
                                        ROCVET_ROW_TAIL};
inline constexpr Column kInstall[] = {
    {"os", Kind::text, true},
    {"version", Kind::text, true},
    {"rocm", Kind::range, true},
    {"what", Kind::word, true,
     "driver rocm pytorch distribution llama.cpp ollama vulkan-llama.cpp vulkan-ollama venv"},
    {"gfx", Kind::list},
    {"steps", Kind::list},
    {"document"},
    ROCVET_ROW_TAIL};
inline constexpr Column kRepository[] = {
    {"os", Kind::text, true},
    {"versions", Kind::list},
    {"rocm", Kind::range, true},
    {"what", Kind::word, true,
     "driver rocm pytorch llama.cpp ollama vulkan-llama.cpp vulkan-ollama"},
    {"url", Kind::list, true},
    ROCVET_ROW_TAIL};
inline constexpr Column kFeature[] = {{"feature", Kind::word, true, "bf16 fp16 fp8 fp4-fp6 int8"},
                                      {"gfx", Kind::list, true},
                                      {"verdict", Kind::word, true, "supported slow unsupported"},
                                      {"format"},
                                      {"fact", Kind::text, true},
                                      ROCVET_ROW_TAIL};
inline constexpr Column kFeatureIn[] = {
    {"feature", Kind::word, true, "fp8 fp4-fp6 flash-attention 4-bit prequantised torch-compile"},
    {"framework", Kind::text, true},
    {"versions", Kind::range, true},
    {"rocm", Kind::range},
    {"gfx", Kind::list},
    {"means"},
    {"verdict", Kind::word, false, "supported slow unsupported"},
    {"environment"},
    {"fact", Kind::text, true},
    ROCVET_ROW_TAIL};

// Knowledge: what the checks and the diagnosis know, beside what AMD published.
inline constexpr std::string_view kTopics =
    "benign init firmware pcie module execution ras power host security display";
inline constexpr Column kObservation[] = {
    {"id", Kind::text, true},    {"check", Kind::text, true},
    {"means", Kind::text, true}, {"common", Kind::word, false, "never rare uncommon common usual"},
    {"partial", Kind::boolean},  {"asked", Kind::boolean},
    {"outcome", Kind::boolean},  {"where"}};
inline constexpr Column kCause[] = {
    {"id", Kind::text, true},
    {"title", Kind::text, true},
    {"definition", Kind::text, true},
    {"needs", Kind::list},
    {"refuted_by", Kind::list},
    {"explains", Kind::list},
    {"action", Kind::word, true,
     "configure install update downgrade reboot reseat-or-replace report-upstream nothing"},
    {"mild", Kind::boolean},
    {"met_at_open", Kind::boolean},
    {"experiment"},
    {"remedy", Kind::list},
    {"asks", Kind::list},
    {"sign", Kind::rows, false, "sign"},
    ROCVET_ROW_TAIL};
inline constexpr Column kSign[] = {{"of"},
                                   {"saw", Kind::text, true},
                                   {"shows", Kind::word, true, "always usually sometimes rarely"},
                                   {"group", Kind::text, true},
                                   {"where"}};
inline constexpr Column kEvent[] = {
    {"id", Kind::text, true},
    {"text", Kind::list, true},
    {"component", Kind::word, true,
     "init discovery firmware psp smu gfx sdma mes cp vm-fault reset ras pcie iommu memory kfd "
     "power xgmi module host security display scheduler vcn"},
    {"topic", Kind::word, true, kTopics},
    {"severity", Kind::word, true, "harmless notice warning error fatal"},
    {"outcome", Kind::boolean},
    {"means", Kind::text, true},
    {"via", Kind::text, true},
    {"benign", Kind::rows, false, "benign"},
    {"hit", Kind::list, true, "", false},
    {"near", Kind::list, false, "", false},
    ROCVET_ROW_TAIL};
inline constexpr Column kBenign[] = {
    {"of"},
    {"when", Kind::word, false,
     "gpu-initialised reset-succeeded failure-follows trace-elsewhere display virtual-function "
     "suspend bar-assigned"},
    {"field"},
    {"is", Kind::list},
    {"why", Kind::text, true},
    {"where"}};
// A program's message has an origin, what people say a source; basis "threads": the wording is
// from public threads, in no source that was found.
inline constexpr Column kText[] = {
    {"id", Kind::text, true},
    {"text", Kind::list, true},
    {"from", Kind::text, true},
    {"prose", Kind::boolean},
    {"anywhere", Kind::boolean},
    {"outcome", Kind::boolean},
    {"means", Kind::text, true},
    {"asks"},
    {"suggests", Kind::rows, false, "suggestion"},
    {"sees"},
    {"hit", Kind::list, false, "", false},
    {"near", Kind::list, false, "", false},
    {"origin"},
    {"source"},
    {"checked", Kind::date, true},
    {"basis", Kind::word, false, "published inferred memory community threads"},
    {"note"},
    {"where"}};
inline constexpr Column kSuggestion[] = {
    {"of"}, {"cause", Kind::text, true}, {"share", Kind::number, true}, {"where"}};
// Checks that are a fact and the values of it that are a fault (db/check_rows.h).
inline constexpr std::string_view kCheckTopics =
    "detection access driver firmware kernel_log installation runtime environment container "
    "framework application memory pcie xgmi power platform";
inline constexpr Column kCheck[] = {
    {"code", Kind::text, true},
    {"id", Kind::text, true},
    {"topic", Kind::word, true, kCheckTopics},
    {"title", Kind::text, true},
    {"needs", Kind::list},
    {"bad", Kind::rows, false, "bad"},
    {"when", Kind::word, false, "any all"},
    {"matters_if", Kind::list},
    {"verdict", Kind::word, false, "fail warn pass"},
    {"said", Kind::list},
    {"sees", Kind::text},
    {"says", Kind::text},
    {"good", Kind::text, true},
    {"remedy", Kind::word, false, "remove-kernel-parameter unset-variable"},
    {"fix", Kind::list},
    {"verify"},
    {"undo"},
    {"asks", Kind::list},
    {"doc", Kind::text, true},
    {"places", Kind::text, false, "", false},
    ROCVET_ROW_TAIL};
inline constexpr Column kBad[] = {{"of"},
                                  {"fact", Kind::text, true},
                                  {"eq", Kind::number},
                                  {"ne", Kind::number},
                                  {"lt", Kind::number},
                                  {"gt", Kind::number},
                                  {"bits_set", Kind::number},
                                  {"bits_clear", Kind::number},
                                  {"no_number", Kind::boolean},
                                  {"in", Kind::list},
                                  {"not_in", Kind::list},
                                  {"starts_with", Kind::list},
                                  {"set", Kind::boolean},
                                  {"any_case", Kind::boolean},
                                  {"saw"},
                                  {"places", Kind::text, false, "", false},
                                  {"where"}};
// Fitted by tools/fit_weights.py; nobody writes these by hand.
inline constexpr Column kWeight[] = {
    {"id", Kind::word, true, "T W N"}, {"value", Kind::number, true}, {"where"}};
inline constexpr Column kPrior[] = {
    {"cause", Kind::text, true}, {"cases", Kind::number, true}, {"where"}};
inline constexpr Column kLeak[] = {{"saw", Kind::text, true},
                                   {"seen", Kind::number, true},
                                   {"readable", Kind::number, true},
                                   {"where"}};

inline constexpr std::array kTables = {
    TableSpec{"database", "version and date of the whole", kDatabase, "version"},
    TableSpec{"target", "a gfx target and the PCI device ids that carry it", kTarget, "gfx"},
    TableSpec{"gpu", "one product", kGpu, "gfx name"},
    TableSpec{"release", "one ROCm release", kRelease, "rocm"},
    TableSpec{"component", "the version and soname of a component in a range of releases",
              kComponent, "component rocm"},
    TableSpec{"support",
              "what was published of a GPU (or a whole gfx target) and a range of releases",
              kSupport, "gfx gpus rocm"},
    TableSpec{"os", "what was published of a system and a range of releases", kOs,
              "os version variant rocm"},
    TableSpec{"system", "what a distribution's release is called and brings along", kSystem,
              "os version"},
    TableSpec{"gpu_systems", "all systems that a range of releases supports a GPU on", kGpuSystems,
              "gpus rocm"},
    TableSpec{"driver", "which kernel driver goes with which releases", kDriver,
              "driver numbering rocm kinds"},
    TableSpec{"module", "amdgpu-dkms module version to driver release", kModule, "module"},
    TableSpec{"firmware", "firmware that a release asks for", kFirmware, "gpus rocm"},
    TableSpec{"framework", "framework versions listed for a range of releases", kFramework,
              "framework versions variant rocm"},
    TableSpec{"wheel", "gfx targets that a published wheel was built for", kWheel,
              "framework version rocm"},
    TableSpec{"container", "a container image that a document names", kContainer, "image tag"},
    TableSpec{"platform",
              "guests of a hypervisor, and WSL, that a range of releases supports a GPU in",
              kPlatform, "platform technology gpus rocm host"},
    TableSpec{"library", "gfx targets that a library is built for", kLibrary, "library gfx rocm"},
    TableSpec{"override", "HSA_OVERRIDE_GFX_VERSION values that work or harm", kOverride,
              "gfx value rocm"},
    TableSpec{"kernel", "Linux version that a target needs", kKernel, "gfx kernel need"},
    TableSpec{"issue", "a known bad combination", kIssue, "id"},
    TableSpec{"package", "what installs a shared library, or what CMake asks for", kPackage,
              "library development"},
    TableSpec{"feature", "what the hardware of a gfx target computes natively", kFeature,
              "feature gfx"},
    TableSpec{"feature_in", "what a framework makes of a feature on a gfx target", kFeatureIn,
              "feature framework versions rocm gfx"},
    TableSpec{"install", "commands that install a release on a system", kInstall,
              "os version rocm what gfx"},
    TableSpec{"repository", "which repositories AMD's pages for a release name", kRepository,
              "os rocm what"},
    TableSpec{"weight", "a constant of the rule that weighs", kWeight, "id"},
    TableSpec{"prior", "how many known cases have a cause", kPrior, "cause"},
    TableSpec{"leak", "on how many machines an observation was seen that no cause of it explains",
              kLeak, "saw"},
    TableSpec{"observation", "what a check may see, by name", kObservation, "id"},
    TableSpec{"cause", "a root cause, and how it shows", kCause, "id"},
    TableSpec{"sign", "an observation that a cause shows", kSign, "of", "cause"},
    TableSpec{"event", "a message of the kernel", kEvent, "id"},
    TableSpec{"benign", "when a message of the kernel is no fault", kBenign, "of", "event"},
    TableSpec{"text", "what programs and people say when something fails", kText, "id"},
    TableSpec{"word_list", "words by which checks tell what people speak of", kWordList, "id"},
    TableSpec{"threshold", "what the weighing takes for likely", kThreshold, "id"},
    TableSpec{"check", "a check that is a fact and its bad values", kCheck, "id"},
    TableSpec{"bad", "values of a fact that are a fault", kBad, "of", "check"},
    TableSpec{"suggestion", "a cause that people's words make likelier", kSuggestion, "of", "text"},
};

}  // namespace schema

/// The name of a table as a template argument.
template <std::size_t kSize>
struct TableName {
  char text[kSize];
  consteval TableName(const char (&name)[kSize]) {  // NOLINT: a literal is one
    std::copy(name, name + kSize, text);
  }
  constexpr std::string_view view() const { return {text, kSize - 1}; }
};

/// Where a table stands among tables(). Does not compile for a name that none has.
template <TableName kName>
inline constexpr std::size_t kTableIndex = [] {
  for (std::size_t i = 0; i < schema::kTables.size(); ++i) {
    if (schema::kTables[i].name == kName.view()) return i;
  }
  throw "no table has this name";
}();

/// A column of one table, by its name. Does not compile for a name that the table lacks.
template <TableName kTable>
class ColumnOf {
 public:
  consteval ColumnOf(const char* name)  // NOLINT: a literal is one
      : index_(schema::kTables[kTableIndex<kTable>].column(name).value()) {}
  constexpr std::size_t index() const { return index_; }

 private:
  std::size_t index_;
};

}  // namespace rocvet::db
