// The calls of ROCm's libraries that the self-tests use: signatures and numbers of the public
// headers (rocblas.h, hipblaslt.h, hipblas-common.h, miopen.h, rocfft.h, rocrand.h, rocsparse.h,
// migraphx.h, rccl.h, hiprtc.h) of ROCm 6.4.3 and 7.2.4, in which they agree. Handles and
// descriptors are opaque pointers, enums are int.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rocvet::library {

// rocBLAS (rocblas-functions.h, rocblas-auxiliary.h); these are the same since ROCm 3.
namespace rocblas {
enum Operation { kNone = 111, kTranspose = 112 };
using Create = int(void** handle);
using Destroy = int(void* handle);
using SetStream = int(void* handle, void* stream);
using GetVersion = int(char* text, std::size_t bytes);
using StatusText = const char*(int status);
using Sgemm = int(void* handle, int transpose_a, int transpose_b, int m, int n, int k,
                  const float* alpha, const float* a, int lda, const float* b, int ldb,
                  const float* beta, float* c, int ldc);
}  // namespace rocblas

// hipBLASLt. Before ROCm 6 its types had other numbers.
namespace hipblaslt {
enum Operation { kNone = 111, kTranspose = 112 };
constexpr int kCompute32F = 2;             // HIPBLAS_COMPUTE_32F
constexpr int kReal32F = 0, kReal16F = 2;  // hipDataType
enum DescriptorAttribute { kTransposeA = 0, kTransposeB = 1 };
constexpr int kMaxWorkspaceBytes = 1;  // HIPBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES

struct Algorithm {
  std::uint8_t data[16];
  std::size_t max_workspace_bytes;
};
struct Heuristic {
  Algorithm algorithm;
  std::size_t workspace_bytes;
  int state;
  float waves;
  int reserved[4];
};
using Create = int(void** handle);
using Destroy = int(void* handle);
using GetVersion = int(void* handle, int* version);
using LayoutCreate = int(void** layout, int type, std::uint64_t rows, std::uint64_t columns,
                         std::int64_t leading);
using DescriptorCreate = int(void** descriptor, int compute, int scale_type);
using SetAttribute = int(void* object, int attribute, const void* value, std::size_t bytes);
using PreferenceCreate = int(void** preference);
using GetHeuristic = int(void* handle, void* descriptor, void* a, void* b, void* c, void* d,
                         void* preference, int wanted, Heuristic* found, int* count);
using Matmul = int(void* handle, void* descriptor, const void* alpha, const void* a, void* layout_a,
                   const void* b, void* layout_b, const void* beta, const void* c, void* layout_c,
                   void* d, void* layout_d, const Algorithm* algorithm, void* workspace,
                   std::size_t workspace_bytes, void* stream);
}  // namespace hipblaslt

namespace miopen {
constexpr int kFloat = 1;
constexpr int kConvolution = 0;  // cross-correlation, as networks have it
struct Solution {
  float time;
  std::size_t workspace_bytes;
  std::uint64_t id;
  int algorithm;
};
struct Found {  // miopenConvAlgoPerf_t
  int algorithm;
  float time;
  std::size_t memory;
};
using CreateWithStream = int(void** handle, void* stream);
using Destroy = int(void* handle);
using StatusText = const char*(int status);
using GetVersion = int(std::size_t* major, std::size_t* minor, std::size_t* patch);
using CreateDescriptor = int(void** descriptor);  // of tensors and of convolutions
using Set4d = int(void* descriptor, int type, int n, int c, int h, int w);
using Softmax = int(void* handle, const void* alpha, void* x_descriptor, const void* x,
                    const void* beta, void* y_descriptor, void* y);
using InitConvolution = int(void* descriptor, int mode, int pad_h, int pad_w, int stride_h,
                            int stride_w, int dilation_h, int dilation_w);
using GetSolution = int(void* handle, void* w, void* x, void* convolution, void* y,
                        std::size_t most, std::size_t* count, Solution* solutions);
using CompileSolution = int(void* handle, void* w, void* x, void* convolution, void* y,
                            std::uint64_t solution);
using Convolve = int(void* handle, void* w_descriptor, const void* w, void* x_descriptor,
                     const void* x, void* convolution, void* y_descriptor, void* y, void* workspace,
                     std::size_t workspace_bytes, std::uint64_t solution);
using WorkspaceBytes = int(void* handle, void* w, void* x, void* convolution, void* y,
                           std::size_t* bytes);
using Find = int(void* handle, void* x_descriptor, const void* x, void* w_descriptor, const void* w,
                 void* convolution, void* y_descriptor, void* y, int wanted, int* count,
                 Found* found, void* workspace, std::size_t workspace_bytes, bool exhaustive);
using Forward = int(void* handle, const void* alpha, void* x_descriptor, const void* x,
                    void* w_descriptor, const void* w, void* convolution, int algorithm,
                    const void* beta, void* y_descriptor, void* y, void* workspace,
                    std::size_t workspace_bytes);
}  // namespace miopen

namespace rocfft {
enum { kNotInPlace = 1, kComplexForward = 0, kSingle = 0 };
using Setup = int();
using GetVersion = int(char* text, std::size_t bytes);
using PlanCreate = int(void** plan, int placement, int transform, int precision,
                       std::size_t dimensions, const std::size_t* lengths, std::size_t transforms,
                       void* description);
using PlanDestroy = int(void* plan);
using WorkBytes = int(void* plan, std::size_t* bytes);
using InfoCreate = int(void** info);
using SetStream = int(void* info, void* stream);
using SetWork = int(void* info, void* buffer, std::size_t bytes);
using Execute = int(void* plan, void** in, void** out, void* info);
}  // namespace rocfft

// rocRAND (rocrand.h), the same since ROCm 3.
namespace rocrand {
constexpr int kXorwow = 401, kPhilox = 404, kSobol32 = 501;  // rocrand_rng_type
using Create = int(void** generator, int type);
using Destroy = int(void* generator);
using SetStream = int(void* generator, void* stream);
using SetSeed = int(void* generator, unsigned long long seed);
using GetVersion = int(int* version);
using Generate = int(void* generator, std::uint32_t* to, std::size_t count);
using GenerateUniform = int(void* generator, float* to, std::size_t count);
using GenerateNormal = int(void* generator, float* to, std::size_t count, float mean,
                           float deviation);
}  // namespace rocrand

// rocSPARSE (rocsparse-auxiliary.h, internal/level2/rocsparse_csrmv.h), the same since ROCm 3.
namespace rocsparse {
constexpr int kNone = 111;          // rocsparse_operation_none
using Create = int(void** object);  // handles and descriptors of matrices
using Destroy = int(void* object);
using SetStream = int(void* handle, void* stream);
using GetVersion = int(void* handle, int* version);
using Scsrmv = int(void* handle, int operation, int rows, int columns, int values,
                   const float* alpha, void* descriptor, const float* value, const int* row_starts,
                   const int* column, void* info, const float* x, const float* beta, float* y);
}  // namespace rocsparse

// MIGraphX (migraphx/migraphx.h of its C interface).
namespace migraphx {
// migraphx_shape_float_type; from ROCm 7.1 on there is one type more before it.
constexpr int kFloat = 3, kFloatLater = 4;
using Create = int(void** object);  // programs, parameters, options
using CreateShape = int(void** shape, int type, std::size_t* lengths, std::size_t dimensions);
using ShapeBytes = int(std::size_t* bytes, const void* shape);
using MainModule = int(void** module, void* program);
using AddParameter = int(void** instruction, void* module, const char* name, const void* shape);
using CreateInstructions = int(void** list, const void* const* instructions, std::size_t count);
using CreateOperation = int(void** operation, const char* name, const char* attributes, ...);
using AddInstruction = int(void** instruction, void* module, void* operation, void* arguments);
using AddReturn = int(void** instruction, void* module, void* arguments);
using CreateTarget = int(void** target, const char* name);
using SetFlag = int(void* options, bool value);
using Compile = int(void* program, void* target, void* options);
using CreateArgument = int(void** argument, const void* shape, void* bytes);
using SetParameter = int(void* parameters, const char* name, const void* argument);
using Run = int(void** arguments, void* program, void* parameters);
using GetArgument = int(const void** argument, void* arguments, std::size_t at);
using GetBuffer = int(char** bytes, const void* argument);
}  // namespace migraphx

namespace rccl {
constexpr int kFloat = 7, kSum = 0;
using GetVersion = int(int* version);
using ErrorText = const char*(int status);
using LastError = const char*(void* communicator);
using InitAll = int(void** communicators, int devices, const int* list);
using Destroy = int(void* communicator);
using AllReduce = int(const void* from, void* to, std::size_t count, int type, int operation,
                      void* communicator, void* stream);
using Group = int();  // ncclGroupStart, ncclGroupEnd
}  // namespace rccl

namespace hiprtc {
constexpr int kCompilation = 6;
using GetVersion = int(int* major, int* minor);
using ErrorText = const char*(int status);
using CreateProgram = int(void** program, const char* source, const char* name, int headers,
                          const char** header_texts, const char** header_names);
using Compile = int(void* program, int options, const char** texts);
using GetSize = int(void* program, std::size_t* bytes);  // of the log or the code
using GetBytes = int(void* program, char* to);
using DestroyProgram = int(void** program);
}  // namespace hiprtc

}  // namespace rocvet::library
