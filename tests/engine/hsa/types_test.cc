// SPDX-License-Identifier: MIT
// Our declarations against the vendor's headers, where they are installed. Those of ROCm 5 lack what later releases added.
#include "engine/hsa/types.h"

#include <gtest/gtest.h>

#if __has_include( \
    <hsa/hsa.h>) && __has_include(<hsa/hsa_ext_amd.h>) && __has_include(<hsa/amd_hsa_signal.h>)
#define RPL_HAS_VENDOR_HEADERS 1
#include <hsa/amd_hsa_signal.h>
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#endif

namespace rpl::hsa {
namespace {

#ifdef RPL_HAS_VENDOR_HEADERS

// Both sides as numbers.
#define SAME(ours, theirs) \
  static_assert(static_cast<std::uint64_t>(ours) == static_cast<std::uint64_t>(theirs))
#define SAME_SIZE(ours, theirs) static_assert(sizeof(ours) == sizeof(theirs))
#define SAME_PLACE(ours, field, theirs, their_field)                      \
  static_assert(offsetof(ours, field) == offsetof(theirs, their_field) && \
                sizeof(ours::field) == sizeof(theirs::their_field))

SAME(Status::success, HSA_STATUS_SUCCESS);
SAME(Status::info_break, HSA_STATUS_INFO_BREAK);
SAME(Status::error, HSA_STATUS_ERROR);
SAME(Status::invalid_argument, HSA_STATUS_ERROR_INVALID_ARGUMENT);
SAME(Status::invalid_queue_creation, HSA_STATUS_ERROR_INVALID_QUEUE_CREATION);
SAME(Status::invalid_allocation, HSA_STATUS_ERROR_INVALID_ALLOCATION);
SAME(Status::invalid_agent, HSA_STATUS_ERROR_INVALID_AGENT);
SAME(Status::invalid_region, HSA_STATUS_ERROR_INVALID_REGION);
SAME(Status::invalid_signal, HSA_STATUS_ERROR_INVALID_SIGNAL);
SAME(Status::invalid_queue, HSA_STATUS_ERROR_INVALID_QUEUE);
SAME(Status::out_of_resources, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
SAME(Status::invalid_packet_format, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT);
SAME(Status::resource_free, HSA_STATUS_ERROR_RESOURCE_FREE);
SAME(Status::not_initialized, HSA_STATUS_ERROR_NOT_INITIALIZED);
SAME(Status::refcount_overflow, HSA_STATUS_ERROR_REFCOUNT_OVERFLOW);
SAME(Status::incompatible_arguments, HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS);
SAME(Status::invalid_index, HSA_STATUS_ERROR_INVALID_INDEX);
SAME(Status::invalid_isa, HSA_STATUS_ERROR_INVALID_ISA);
SAME(Status::invalid_code_object, HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
SAME(Status::invalid_executable, HSA_STATUS_ERROR_INVALID_EXECUTABLE);
SAME(Status::frozen_executable, HSA_STATUS_ERROR_FROZEN_EXECUTABLE);
SAME(Status::invalid_symbol_name, HSA_STATUS_ERROR_INVALID_SYMBOL_NAME);
SAME(Status::variable_already_defined, HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED);
SAME(Status::variable_undefined, HSA_STATUS_ERROR_VARIABLE_UNDEFINED);
SAME(Status::exception, HSA_STATUS_ERROR_EXCEPTION);
SAME(Status::invalid_isa_name, HSA_STATUS_ERROR_INVALID_ISA_NAME);
SAME(Status::invalid_code_symbol, HSA_STATUS_ERROR_INVALID_CODE_SYMBOL);
SAME(Status::invalid_executable_symbol, HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL);
SAME(Status::invalid_file, HSA_STATUS_ERROR_INVALID_FILE);
SAME(Status::invalid_code_object_reader, HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER);
SAME(Status::invalid_runtime_state, HSA_STATUS_ERROR_INVALID_RUNTIME_STATE);
SAME(Status::fatal, HSA_STATUS_ERROR_FATAL);

SAME_SIZE(Agent, hsa_agent_t);
SAME_SIZE(Signal, hsa_signal_t);
SAME_SIZE(Pool, hsa_amd_memory_pool_t);
SAME_SIZE(Isa, hsa_isa_t);
SAME_SIZE(Reader, hsa_code_object_reader_t);
SAME_SIZE(Executable, hsa_executable_t);
SAME_SIZE(Symbol, hsa_executable_symbol_t);
SAME_SIZE(LoadedObject, hsa_loaded_code_object_t);
SAME_SIZE(SignalValue, hsa_signal_value_t);
SAME_SIZE(Dim3, hsa_dim3_t);

SAME_SIZE(Queue, hsa_queue_t);
SAME_PLACE(Queue, type, hsa_queue_t, type);
SAME_PLACE(Queue, features, hsa_queue_t, features);
SAME_PLACE(Queue, base_address, hsa_queue_t, base_address);
SAME_PLACE(Queue, doorbell, hsa_queue_t, doorbell_signal);
SAME_PLACE(Queue, size, hsa_queue_t, size);
SAME_PLACE(Queue, id, hsa_queue_t, id);

SAME_SIZE(DispatchPacket, hsa_kernel_dispatch_packet_t);
SAME_PLACE(DispatchPacket, header, hsa_kernel_dispatch_packet_t, header);
SAME_PLACE(DispatchPacket, setup, hsa_kernel_dispatch_packet_t, setup);
static_assert(offsetof(DispatchPacket, workgroup) ==
              offsetof(hsa_kernel_dispatch_packet_t, workgroup_size_x));
static_assert(offsetof(DispatchPacket, grid) ==
              offsetof(hsa_kernel_dispatch_packet_t, grid_size_x));
SAME_PLACE(DispatchPacket, private_bytes, hsa_kernel_dispatch_packet_t, private_segment_size);
SAME_PLACE(DispatchPacket, group_bytes, hsa_kernel_dispatch_packet_t, group_segment_size);
SAME_PLACE(DispatchPacket, kernel_object, hsa_kernel_dispatch_packet_t, kernel_object);
SAME_PLACE(DispatchPacket, kernarg, hsa_kernel_dispatch_packet_t, kernarg_address);
SAME_PLACE(DispatchPacket, completion, hsa_kernel_dispatch_packet_t, completion_signal);
SAME_SIZE(BarrierPacket, hsa_barrier_and_packet_t);
SAME_PLACE(BarrierPacket, dependency, hsa_barrier_and_packet_t, dep_signal);
SAME_PLACE(BarrierPacket, completion, hsa_barrier_and_packet_t, completion_signal);

SAME_SIZE(SignalBlock, std::uint64_t[6]);
SAME_PLACE(SignalBlock, kind, amd_signal_t, kind);
SAME_PLACE(SignalBlock, value, amd_signal_t, value);
SAME_PLACE(SignalBlock, event_mailbox, amd_signal_t, event_mailbox_ptr);
SAME_PLACE(SignalBlock, event_id, amd_signal_t, event_id);
SAME_PLACE(SignalBlock, start_ticks, amd_signal_t, start_ts);
SAME_PLACE(SignalBlock, end_ticks, amd_signal_t, end_ts);

SAME(PacketType::vendor, HSA_PACKET_TYPE_VENDOR_SPECIFIC);
SAME(PacketType::invalid, HSA_PACKET_TYPE_INVALID);
SAME(PacketType::dispatch, HSA_PACKET_TYPE_KERNEL_DISPATCH);
SAME(PacketType::barrier_and, HSA_PACKET_TYPE_BARRIER_AND);
SAME(PacketType::agent_dispatch, HSA_PACKET_TYPE_AGENT_DISPATCH);
SAME(PacketType::barrier_or, HSA_PACKET_TYPE_BARRIER_OR);
SAME(kHeaderBarrier, HSA_PACKET_HEADER_BARRIER);
SAME(kHeaderAcquire, HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE);
SAME(kHeaderRelease, HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE);
SAME(kScopeAgent, HSA_FENCE_SCOPE_AGENT);
SAME(kScopeSystem, HSA_FENCE_SCOPE_SYSTEM);
static_assert(system_header(PacketType::dispatch, true) == 0x1502);

SAME(Condition::equal, HSA_SIGNAL_CONDITION_EQ);
SAME(Condition::not_equal, HSA_SIGNAL_CONDITION_NE);
SAME(Condition::less, HSA_SIGNAL_CONDITION_LT);
SAME(Condition::greater_or_equal, HSA_SIGNAL_CONDITION_GTE);
SAME(WaitState::blocked, HSA_WAIT_STATE_BLOCKED);
SAME(WaitState::active, HSA_WAIT_STATE_ACTIVE);
SAME(AgentInfo::name, HSA_AGENT_INFO_NAME);
SAME(AgentInfo::vendor_name, HSA_AGENT_INFO_VENDOR_NAME);
SAME(AgentInfo::feature, HSA_AGENT_INFO_FEATURE);
SAME(AgentInfo::profile, HSA_AGENT_INFO_PROFILE);
SAME(AgentInfo::queue_max_size, HSA_AGENT_INFO_QUEUE_MAX_SIZE);
SAME(AgentInfo::device, HSA_AGENT_INFO_DEVICE);
SAME(AgentInfo::cache_size, HSA_AGENT_INFO_CACHE_SIZE);
SAME(AgentInfo::isa, HSA_AGENT_INFO_ISA);
SAME(AgentInfo::product_name, HSA_AMD_AGENT_INFO_PRODUCT_NAME);
SAME(DeviceType::cpu, HSA_DEVICE_TYPE_CPU);
SAME(DeviceType::gpu, HSA_DEVICE_TYPE_GPU);
SAME(DeviceType::dsp, HSA_DEVICE_TYPE_DSP);
SAME(IsaInfo::name_length, HSA_ISA_INFO_NAME_LENGTH);
SAME(IsaInfo::name, HSA_ISA_INFO_NAME);
SAME(SystemInfo::version_major, HSA_SYSTEM_INFO_VERSION_MAJOR);
SAME(SystemInfo::version_minor, HSA_SYSTEM_INFO_VERSION_MINOR);
SAME(SystemInfo::timestamp, HSA_SYSTEM_INFO_TIMESTAMP);
SAME(SystemInfo::timestamp_frequency, HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY);
SAME(SystemInfo::signal_max_wait, HSA_SYSTEM_INFO_SIGNAL_MAX_WAIT);
SAME(PoolInfo::segment, HSA_AMD_MEMORY_POOL_INFO_SEGMENT);
SAME(PoolInfo::global_flags, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS);
SAME(PoolInfo::size, HSA_AMD_MEMORY_POOL_INFO_SIZE);
SAME(PoolInfo::alloc_allowed, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED);
SAME(PoolInfo::alloc_granule, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE);
SAME(PoolInfo::alloc_alignment, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALIGNMENT);
SAME(PoolInfo::accessible_by_all, HSA_AMD_MEMORY_POOL_INFO_ACCESSIBLE_BY_ALL);
SAME(Segment::global, HSA_AMD_SEGMENT_GLOBAL);
SAME(Segment::readonly, HSA_AMD_SEGMENT_READONLY);
SAME(Segment::private_, HSA_AMD_SEGMENT_PRIVATE);
SAME(Segment::group, HSA_AMD_SEGMENT_GROUP);
SAME(kPoolKernarg, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT);
SAME(kPoolFine, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED);
SAME(kPoolCoarse, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED);

SAME(PointerType::unknown, HSA_EXT_POINTER_TYPE_UNKNOWN);
SAME(PointerType::hsa, HSA_EXT_POINTER_TYPE_HSA);
SAME(PointerType::locked, HSA_EXT_POINTER_TYPE_LOCKED);
SAME(PointerType::graphics, HSA_EXT_POINTER_TYPE_GRAPHICS);
SAME(PointerType::ipc, HSA_EXT_POINTER_TYPE_IPC);
SAME_PLACE(PointerInfo, size, hsa_amd_pointer_info_t, size);
SAME_PLACE(PointerInfo, type, hsa_amd_pointer_info_t, type);
SAME_PLACE(PointerInfo, agent_base, hsa_amd_pointer_info_t, agentBaseAddress);
SAME_PLACE(PointerInfo, host_base, hsa_amd_pointer_info_t, hostBaseAddress);
SAME_PLACE(PointerInfo, bytes, hsa_amd_pointer_info_t, sizeInBytes);
SAME_PLACE(PointerInfo, user_data, hsa_amd_pointer_info_t, userData);
SAME_PLACE(PointerInfo, owner, hsa_amd_pointer_info_t, agentOwner);
SAME_PLACE(PointerInfo, global_flags, hsa_amd_pointer_info_t, global_flags);

SAME(SymbolInfo::type, HSA_EXECUTABLE_SYMBOL_INFO_TYPE);
SAME(SymbolInfo::name_length, HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH);
SAME(SymbolInfo::name, HSA_EXECUTABLE_SYMBOL_INFO_NAME);
SAME(SymbolInfo::variable_size, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE);
SAME(SymbolInfo::kernarg_bytes, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE);
SAME(SymbolInfo::group_bytes, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE);
SAME(SymbolInfo::private_bytes, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE);
SAME(SymbolInfo::variable_address, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS);
SAME(SymbolInfo::kernel_object, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT);
SAME(SymbolType::variable, HSA_SYMBOL_KIND_VARIABLE);
SAME(SymbolType::kernel, HSA_SYMBOL_KIND_KERNEL);
SAME(SymbolType::indirect_function, HSA_SYMBOL_KIND_INDIRECT_FUNCTION);

SAME(QueueType::several_producers, HSA_QUEUE_TYPE_MULTI);
SAME(QueueType::one_producer, HSA_QUEUE_TYPE_SINGLE);
SAME(QueueType::cooperative, HSA_QUEUE_TYPE_COOPERATIVE);
SAME(Profile::base, HSA_PROFILE_BASE);
SAME(Profile::full, HSA_PROFILE_FULL);
SAME(Rounding::as_compiled, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT);
SAME(Rounding::zero, HSA_DEFAULT_FLOAT_ROUNDING_MODE_ZERO);
SAME(Rounding::near, HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR);
SAME_SIZE(DispatchTime, hsa_amd_profiling_dispatch_time_t);
SAME_PLACE(DispatchTime, start, hsa_amd_profiling_dispatch_time_t, start);
SAME_PLACE(DispatchTime, end, hsa_amd_profiling_dispatch_time_t, end);
SAME_PLACE(FaultEvent, type, hsa_amd_event_t, event_type);
static_assert(offsetof(FaultEvent, agent) == offsetof(hsa_amd_event_t, memory_fault.agent));
static_assert(offsetof(FaultEvent, address) ==
              offsetof(hsa_amd_event_t, memory_fault.virtual_address));
static_assert(offsetof(FaultEvent, reasons) ==
              offsetof(hsa_amd_event_t, memory_fault.fault_reason_mask));

TEST(Types, AreThoseOfTheInstalledHeaders) {
  // The compiler checked all of it above.
  EXPECT_EQ(sizeof(hsa_kernel_dispatch_packet_t), kPacketBytes);
}

#else

TEST(Types, AreThoseOfTheInstalledHeaders) {
  GTEST_SKIP() << "the HSA runtime's headers are not installed (libhsa-runtime-dev)";
}

#endif

}  // namespace
}  // namespace rpl::hsa
