// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "engine/hsa/types.h"

namespace rpl::hsa {
namespace {

constexpr std::pair<Status, std::string_view> kNames[] = {
    {Status::success, "HSA_STATUS_SUCCESS"},
    {Status::info_break, "HSA_STATUS_INFO_BREAK"},
    {Status::error, "HSA_STATUS_ERROR"},
    {Status::invalid_argument, "HSA_STATUS_ERROR_INVALID_ARGUMENT"},
    {Status::invalid_queue_creation, "HSA_STATUS_ERROR_INVALID_QUEUE_CREATION"},
    {Status::invalid_allocation, "HSA_STATUS_ERROR_INVALID_ALLOCATION"},
    {Status::invalid_agent, "HSA_STATUS_ERROR_INVALID_AGENT"},
    {Status::invalid_region, "HSA_STATUS_ERROR_INVALID_REGION"},
    {Status::invalid_signal, "HSA_STATUS_ERROR_INVALID_SIGNAL"},
    {Status::invalid_queue, "HSA_STATUS_ERROR_INVALID_QUEUE"},
    {Status::out_of_resources, "HSA_STATUS_ERROR_OUT_OF_RESOURCES"},
    {Status::invalid_packet_format, "HSA_STATUS_ERROR_INVALID_PACKET_FORMAT"},
    {Status::resource_free, "HSA_STATUS_ERROR_RESOURCE_FREE"},
    {Status::not_initialized, "HSA_STATUS_ERROR_NOT_INITIALIZED"},
    {Status::refcount_overflow, "HSA_STATUS_ERROR_REFCOUNT_OVERFLOW"},
    {Status::incompatible_arguments, "HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS"},
    {Status::invalid_index, "HSA_STATUS_ERROR_INVALID_INDEX"},
    {Status::invalid_isa, "HSA_STATUS_ERROR_INVALID_ISA"},
    {Status::invalid_code_object, "HSA_STATUS_ERROR_INVALID_CODE_OBJECT"},
    {Status::invalid_executable, "HSA_STATUS_ERROR_INVALID_EXECUTABLE"},
    {Status::frozen_executable, "HSA_STATUS_ERROR_FROZEN_EXECUTABLE"},
    {Status::invalid_symbol_name, "HSA_STATUS_ERROR_INVALID_SYMBOL_NAME"},
    {Status::variable_already_defined, "HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED"},
    {Status::variable_undefined, "HSA_STATUS_ERROR_VARIABLE_UNDEFINED"},
    {Status::exception, "HSA_STATUS_ERROR_EXCEPTION"},
    {Status::invalid_isa_name, "HSA_STATUS_ERROR_INVALID_ISA_NAME"},
    {Status::invalid_code_symbol, "HSA_STATUS_ERROR_INVALID_CODE_SYMBOL"},
    {Status::invalid_executable_symbol, "HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL"},
    {Status::invalid_file, "HSA_STATUS_ERROR_INVALID_FILE"},
    {Status::invalid_code_object_reader, "HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER"},
    {Status::invalid_runtime_state, "HSA_STATUS_ERROR_INVALID_RUNTIME_STATE"},
    {Status::fatal, "HSA_STATUS_ERROR_FATAL"},
};

}  // namespace

std::string name_of(Status status) {
  const auto* found =
      std::ranges::find(kNames, status, &std::pair<Status, std::string_view>::first);
  if (found != std::end(kNames)) return std::string(found->second);
  return fmt::format("HSA status {:#x}", static_cast<std::uint32_t>(status));
}

}  // namespace rpl::hsa
