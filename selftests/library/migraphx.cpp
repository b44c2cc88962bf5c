// MIGraphX: a network of one product, compiled for this GPU and run.
#include <chrono>

#include "base/text.h"
#include "selftests/library/calls.h"
#include "selftests/library/vendor_library.h"
#include "selftests/reference.h"

namespace rocvet {
namespace {

namespace graph = library::migraphx;

std::vector<int> majors(int) {
  return {3};
}
constexpr library::Name kName{"MIGraphX", "libmigraphx_c", majors};

const char* status_text(int status) {
  switch (status) {
    case 1:
      return "bad parameter";
    case 3:
      return "unknown target";
    default:
      return "unknown error";
  }
}

class MiGraphX {
 public:
  explicit MiGraphX(Device& device) : device_(device), library_(device, kName) {}

  /// A (m x k) times B (k x n), both dense row by row, compiled and run. What it makes on the way
  /// ends with the process.
  std::vector<float> product(const std::vector<float>& a, const std::vector<float>& b,
                             std::size_t m, std::size_t n, std::size_t k) {
    void *program = nullptr, *module = nullptr;
    check("migraphx_program_create", call<graph::Create>("migraphx_program_create")(&program));
    check("migraphx_program_get_main_module",
          call<graph::MainModule>("migraphx_program_get_main_module")(&module, program));
    void* shapes[] = {shape(m, k), shape(k, n)};
    const char* const names[] = {"a", "b"};
    const void* operands[2] = {};
    for (int i = 0; i < 2; ++i) {
      void* one = nullptr;
      check("migraphx_module_add_parameter",
            call<graph::AddParameter>("migraphx_module_add_parameter")(&one, module, names[i],
                                                                       shapes[i]));
      operands[i] = one;
    }
    void *dot = nullptr, *result = nullptr, *last = nullptr;
    // The attributes are a format of printf.
    check("migraphx_operation_create",
          call<graph::CreateOperation>("migraphx_operation_create")(&dot, "dot", "{}"));
    check("migraphx_module_add_instruction",
          call<graph::AddInstruction>("migraphx_module_add_instruction")(
              &result, module, dot, instructions(operands, 2)));
    const void* const results[] = {result};
    check("migraphx_module_add_return", call<graph::AddReturn>("migraphx_module_add_return")(
                                            &last, module, instructions(results, 1)));

    void *target = nullptr, *options = nullptr;
    check("migraphx_target_create",
          call<graph::CreateTarget>("migraphx_target_create")(&target, "gpu"));
    check("migraphx_compile_options_create",
          call<graph::Create>("migraphx_compile_options_create")(&options));
    check("migraphx_compile_options_set_offload_copy",
          call<graph::SetFlag>("migraphx_compile_options_set_offload_copy")(options, true));
    const auto began = std::chrono::steady_clock::now();
    check("migraphx_program_compile",
          call<graph::Compile>("migraphx_program_compile")(program, target, options));
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - began;
    device_.note("it compiled the network in " + fixed(spent.count(), 1) + " s");

    void* parameters = nullptr;
    check("migraphx_program_parameters_create",
          call<graph::Create>("migraphx_program_parameters_create")(&parameters));
    const std::vector<float>* const data[] = {&a, &b};
    for (int i = 0; i < 2; ++i) {
      void* argument = nullptr;
      check("migraphx_argument_create",
            call<graph::CreateArgument>("migraphx_argument_create")(
                &argument, shapes[i], const_cast<float*>(data[i]->data())));
      check("migraphx_program_parameters_add",
            call<graph::SetParameter>("migraphx_program_parameters_add")(parameters, names[i],
                                                                         argument));
    }
    void* answers = nullptr;
    check("migraphx_program_run",
          call<graph::Run>("migraphx_program_run")(&answers, program, parameters));
    const void* answer = nullptr;
    check("migraphx_arguments_get",
          call<graph::GetArgument>("migraphx_arguments_get")(&answer, answers, 0));
    char* bytes = nullptr;
    check("migraphx_argument_buffer",
          call<graph::GetBuffer>("migraphx_argument_buffer")(&bytes, answer));
    if (bytes == nullptr) fail("", "migraphx_argument_buffer gives no answer");
    const auto* numbers = reinterpret_cast<const float*>(bytes);
    return {numbers, numbers + m * n};
  }

 private:
  /// The number that this release has for single precision: that of four bytes.
  int float_type() const {
    for (const int type : {graph::kFloat, graph::kFloatLater}) {
      void* made = nullptr;
      std::size_t one = 1, bytes = 0;
      check("migraphx_shape_create",
            call<graph::CreateShape>("migraphx_shape_create")(&made, type, &one, 1));
      check("migraphx_shape_bytes", call<graph::ShapeBytes>("migraphx_shape_bytes")(&bytes, made));
      if (bytes == sizeof(float)) return type;
    }
    throw TestFailure{{Error::Kind::unsupported, "migraphx_shape_create",
                       "has other numbers for types than this test knows"}};
  }
  void* shape(std::size_t rows, std::size_t columns) const {
    void* made = nullptr;
    std::size_t lengths[] = {rows, columns};
    check("migraphx_shape_create",
          call<graph::CreateShape>("migraphx_shape_create")(&made, float_type(), lengths, 2));
    return made;
  }
  void* instructions(const void* const* list, std::size_t count) const {
    void* made = nullptr;
    check("migraphx_instructions_create",
          call<graph::CreateInstructions>("migraphx_instructions_create")(&made, list, count));
    return made;
  }
  template <typename Signature>
  Signature* call(const char* symbol) const {
    return library_.call<Signature>(symbol);
  }
  static void check(const char* name, int status) {
    if (status == 0) return;
    fail("", std::string(name) + " failed: " + status_text(status) + " (" + std::to_string(status) +
                 ")");
  }

  Device& device_;
  library::VendorLibrary library_;
};

/// Dense rows of `matrix`, or of its transpose.
std::vector<float> dense(const Matrix& matrix, bool transposed) {
  std::vector<float> numbers(static_cast<std::size_t>(matrix.rows) * matrix.columns);
  for (std::uint32_t row = 0; row < matrix.rows; ++row) {
    for (std::uint32_t column = 0; column < matrix.columns; ++column) {
      const std::size_t at = transposed ? std::size_t{column} * matrix.rows + row
                                        : std::size_t{row} * matrix.columns + column;
      numbers[at] = static_cast<float>(matrix.value(row, column));
    }
  }
  return numbers;
}

Measurement run(Device& device, const Params& params) {
  MiGraphX migraphx(device);
  const bool tiny = params.size == Size::tiny;
  const std::uint32_t m = tiny ? 33 : 130, n = tiny ? 48 : 260, k = tiny ? 40 : 514;
  // Whole numbers are exact in whatever precision its kernels multiply.
  const Matrix a = random_matrix(Format::fp32, m, k, params.seed, 1, true);
  const Matrix b = random_matrix(Format::fp32, n, k, params.seed, 2, true);
  const std::vector<float> got = migraphx.product(dense(a, false), dense(b, true), m, n, k);
  Matrix c{Format::fp32, m, n, n, {}};
  const auto* bytes = reinterpret_cast<const std::byte*>(got.data());
  c.data.assign(bytes, bytes + got.size() * sizeof(float));
  Measurement result;
  result.verification = check_exact_product(a, b, c);
  result.metric = "MIGraphX compiles and multiplies right: fp32 " + std::to_string(m) + "x" +
                  std::to_string(n) + "x" + std::to_string(k);
  return result;
}

constexpr std::string_view kDoc = R"(
## What it does
Loads the machine's own MIGraphX into a process of its own, has it compile a network of one matrix
product for this GPU, runs it and compares every element, which are whole numbers, with the exact
product. Not installed: the test does not apply.

## What a failure means
MIGraphX compiles its kernels for the GPU when it meets it, through hipRTC, its own compiler (rocMLIR)
and rocBLAS or hipBLASLt: see the self-tests jit and library.rocblas first. If those pass, MIGraphX
does not know this GPU, or its parts are of different releases. ONNX Runtime's MIGraphX provider fails
with it.
)";

}  // namespace

extern const SelfTest kLibraryMigraphx;
constinit const SelfTest kLibraryMigraphx{.id = "library.migraphx",
                                          .title = "the installed MIGraphX compiles and multiplies",
                                          .doc = kDoc,
                                          .why_skip = library::why_skip_of<kName>,
                                          .run = guarded<run>,
                                          .own_process = true,
                                          .deadline_s = 90,
                                          .explain = library::explain_of<kName>};

}  // namespace rocvet
