// SPDX-License-Identifier: MIT
#include "engine/device/execute/memory/buffer.h"
#include "engine/device/execute/memory/lane_memory.h"
#include "engine/device/execute/memory/lds.h"
#include "engine/device/execute/state/handlers.h"

/// Scalar loads, stores and atomics. Those on buffers are held against the number of bytes of the buffer: what is out of range is
/// read as 0 and not written. s_scratch_* see the backing memory of scratch, which the emulator does not have.
namespace rpl::emu {
namespace {

std::uint64_t offset_of(const Wave& wave, const isa::Instruction& in) {
  const std::uint32_t register_offset = in.has_soffset ? wave.sgprs[in.soffset & 127] : 0;
  return static_cast<std::uint64_t>(std::int64_t{in.offset}) + register_offset;
}

void begin_scalar(Machine& machine, const Op& op, bool store, bool atomic) {
  Access& access = machine.access;
  access.space = Access::Space::scalar;
  access.two_parts = false;
  access.into_lds = 0;
  access.shape = LaneShape::any;
  access.store = store;
  access.atomic = atomic;
  access.active = 1;
  access.bytes = op.dwords * 4U;
}

/// The memory of the next access at machine.access.address[0], or null after a fault.
std::byte* host_of_scalar(Machine& machine, Wave& wave, const Op& op) {
  const std::uint64_t address = machine.access.address[0];
  const Region* region = region_for(machine, op, {address, address});
  if (region == nullptr) return report_lane(machine, wave, op, 0), nullptr;
  return region->host + (address - region->base);
}

constexpr std::uint64_t kWord = ~std::uint64_t{3};

// The hot one: kernel arguments.
bool load(Machine& machine, Wave& wave, const Op& op) {
  begin_scalar(machine, op, false, false);
  machine.access.address[0] =
      (scalar64(machine, wave, op.sources[0]) + offset_of(wave, *op.instruction)) & kWord;
  const std::byte* from = host_of_scalar(machine, wave, op);
  if (from == nullptr) return false;
  std::memcpy(&wave.sgprs[op.destination], from, machine.access.bytes);
  return true;
}

bool store(Machine& machine, Wave& wave, const Op& op) {
  begin_scalar(machine, op, true, false);
  machine.access.address[0] =
      (scalar64(machine, wave, op.sources[0]) + offset_of(wave, *op.instruction)) & kWord;
  std::byte* to = host_of_scalar(machine, wave, op);
  if (to == nullptr) return false;
  std::memcpy(to, &wave.sgprs[op.destination], machine.access.bytes);
  return true;
}

/// How many of the dwords at the offset the buffer has; sets the address.
unsigned place_in_buffer(Machine& machine, Wave& wave, const Op& op) {
  const BufferDescriptor buffer = buffer_descriptor(wave, op.sources[0].number);
  const std::uint64_t bytes =
      buffer.stride == 0 ? buffer.records : std::uint64_t{buffer.stride} * buffer.records;
  const std::uint64_t offset = offset_of(wave, *op.instruction) & kWord;
  machine.access.address[0] = buffer.base + offset;
  if (offset >= bytes) return 0;
  return static_cast<unsigned>(std::min<std::uint64_t>(op.dwords, (bytes - offset) / 4));
}

template <bool kStore>
bool on_buffer(Machine& machine, Wave& wave, const Op& op) {
  begin_scalar(machine, op, kStore, false);
  const unsigned in_range = place_in_buffer(machine, wave, op);
  machine.access.bytes = in_range * 4;
  if (in_range == 0) machine.access.active = 0;
  std::byte* memory = in_range == 0 ? nullptr : host_of_scalar(machine, wave, op);
  if (in_range != 0 && memory == nullptr) return false;
  std::uint32_t* data = &wave.sgprs[op.destination];
  if constexpr (kStore) {
    if (in_range != 0) std::memcpy(memory, data, std::size_t{in_range} * 4);
  } else {
    // The destination may hold the descriptor, which is not needed any more.
    std::fill_n(data, op.dwords, 0U);
    if (in_range != 0) std::memcpy(data, memory, std::size_t{in_range} * 4);
  }
  return true;
}

std::uint64_t scalar_data(const Wave& wave, unsigned number, unsigned dwords) {
  return dwords == 1 ? wave.sgprs[number] : wave.pair(number);
}

// With glc the data registers get what was there before.
template <bool kBuffer>
bool scalar_atomic(Machine& machine, Wave& wave, const Op& op) {
  begin_scalar(machine, op, true, true);
  bool in_range = true;
  if constexpr (kBuffer) {
    in_range = place_in_buffer(machine, wave, op) == op.dwords;
  } else {
    machine.access.address[0] =
        (scalar64(machine, wave, op.sources[0]) + offset_of(wave, *op.instruction)) & kWord;
  }
  std::uint64_t before = 0;
  if (in_range) {
    std::byte* at = host_of_scalar(machine, wave, op);
    if (at == nullptr) return false;
    const auto kind = static_cast<Atomic>(op.target);
    const std::uint64_t expected =
        compares(kind) ? scalar_data(wave, op.destination + op.dwords, op.dwords) : 0;
    const auto apply = machine.shared ? apply_shared_atomic : apply_atomic;
    before = apply(kind, op.dwords, at, scalar_data(wave, op.destination, op.dwords), expected);
  } else {
    machine.access.active = 0;
  }
  if (!op.instruction->glc) return true;
  for (unsigned k = 0; k < op.dwords; ++k)
    wave.sgprs[op.destination + k] = static_cast<std::uint32_t>(before >> (32 * k));
  return true;
}

// Prefetches and discards of the scalar cache, which is not modelled as state.
bool nothing(Machine& machine, Wave&, const Op&) {
  machine.access.space = Access::Space::none;
  return true;
}

}  // namespace

Handler find_scalar_memory_handler(const isa::Instruction& instruction) {
  const auto name = instruction.opcode->mnemonic;
  if (name.starts_with("s_load_")) return load;
  if (name.starts_with("s_buffer_load_")) return on_buffer<false>;
  if (name.starts_with("s_store_")) return store;
  if (name.starts_with("s_buffer_store_")) return on_buffer<true>;
  if (name.starts_with("s_atomic_")) return scalar_atomic<false>;
  if (name.starts_with("s_buffer_atomic_")) return scalar_atomic<true>;
  if (name.starts_with("s_atc_probe") || name.starts_with("s_dcache_discard")) return nothing;
  return nullptr;
}

}  // namespace rpl::emu
