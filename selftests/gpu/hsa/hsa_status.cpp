#include "selftests/gpu/hsa/hsa_api.h"

namespace rocvet::gpu::hsa {
namespace {

struct Status {
  int number;
  const char* name;
};
// hsa_status_t of HSA 1.2, and AMD's own.
constexpr Status kStatuses[] = {
    {40, "HSA_STATUS_ERROR_INVALID_MEMORY_POOL"},
    {41, "HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION"},
    {42, "HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION"},
    {43, "HSA_STATUS_ERROR_MEMORY_FAULT"},
    {44, "HSA_STATUS_CU_MASK_REDUCED"},
    {45, "HSA_STATUS_ERROR_OUT_OF_REGISTERS"},
    {46, "HSA_STATUS_ERROR_RESOURCE_BUSY"},
    {47, "HSA_STATUS_ERROR_NOT_SUPPORTED"},
    {0x1000, "HSA_STATUS_ERROR"},
    {0x1001, "HSA_STATUS_ERROR_INVALID_ARGUMENT"},
    {0x1002, "HSA_STATUS_ERROR_INVALID_QUEUE_CREATION"},
    {0x1003, "HSA_STATUS_ERROR_INVALID_ALLOCATION"},
    {0x1004, "HSA_STATUS_ERROR_INVALID_AGENT"},
    {0x1005, "HSA_STATUS_ERROR_INVALID_REGION"},
    {0x1006, "HSA_STATUS_ERROR_INVALID_SIGNAL"},
    {0x1007, "HSA_STATUS_ERROR_INVALID_QUEUE"},
    {0x1008, "HSA_STATUS_ERROR_OUT_OF_RESOURCES"},
    {0x1009, "HSA_STATUS_ERROR_INVALID_PACKET_FORMAT"},
    {0x100a, "HSA_STATUS_ERROR_RESOURCE_FREE"},
    {0x100b, "HSA_STATUS_ERROR_NOT_INITIALIZED"},
    {0x100c, "HSA_STATUS_ERROR_REFCOUNT_OVERFLOW"},
    {0x100d, "HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS"},
    {0x100e, "HSA_STATUS_ERROR_INVALID_INDEX"},
    {0x100f, "HSA_STATUS_ERROR_INVALID_ISA"},
    {0x1010, "HSA_STATUS_ERROR_INVALID_CODE_OBJECT"},
    {0x1011, "HSA_STATUS_ERROR_INVALID_EXECUTABLE"},
    {0x1012, "HSA_STATUS_ERROR_FROZEN_EXECUTABLE"},
    {0x1013, "HSA_STATUS_ERROR_INVALID_SYMBOL_NAME"},
    {0x1014, "HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED"},
    {0x1015, "HSA_STATUS_ERROR_VARIABLE_UNDEFINED"},
    {0x1016, "HSA_STATUS_ERROR_EXCEPTION"},
    {0x1017, "HSA_STATUS_ERROR_INVALID_ISA_NAME"},
    {0x1018, "HSA_STATUS_ERROR_INVALID_CODE_SYMBOL"},
    {0x1019, "HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL"},
    {0x1020, "HSA_STATUS_ERROR_INVALID_FILE"},
    {0x1021, "HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER"},
    {0x1022, "HSA_STATUS_ERROR_INVALID_CACHE"},
    {0x1023, "HSA_STATUS_ERROR_INVALID_WAVEFRONT"},
    {0x1024, "HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP"},
    {0x1025, "HSA_STATUS_ERROR_INVALID_RUNTIME_STATE"},
    {0x1026, "HSA_STATUS_ERROR_FATAL"},
};

}  // namespace

std::string status_name(int status) {
  for (const Status& one : kStatuses) {
    if (one.number == status) return one.name;
  }
  return "HSA status " + std::to_string(status);
}

std::string_view meaning_of(std::string_view call, int status) {
  if (status != 0x1008 || call != "hsa_init") return "";
  return "ROCr has no way to the kernel driver: /dev/kfd or a GPU's render node is not there, may "
         "not be opened, or refuses";
}

}  // namespace rocvet::gpu::hsa
