// SPDX-License-Identifier: MIT
#include "engine/device/execute/memory/buffer.h"
#include "engine/device/execute/memory/lane_memory.h"
#include "engine/device/execute/memory/lds.h"
#include "engine/device/execute/state/handlers.h"

namespace rpl::emu {

bool begin_buffer(Machine& machine, Wave& wave, const Op& op, bool each_dword, BufferLanes& lanes,
                  const Region*& region) {
  Access& access = machine.access;
  access.space = Access::Space::global;
  access.two_parts = false;
  access.into_lds = 0;
  access.shape = LaneShape::any;
  const BufferDescriptor buffer = buffer_descriptor(wave, op.target);
  // The dwords of one access would lie apart.
  if (buffer.swizzled && access.bytes > 4) {
    return machine.stop(wave, op, Errc::unsupported,
                        "accesses of more than a dword to a swizzled buffer are not known");
  }
  place_buffer_lanes(machine, wave, op, buffer, access.bytes, each_dword, lanes);
  access.active = 0;
  Span span{~std::uint64_t{0}, 0};
  bool whole = true;
  const auto most = static_cast<std::uint8_t>(std::max(1U, access.bytes / 4));
  for (unsigned i = 0; i < kLanes; ++i) {
    if ((wave.exec() >> i & 1) == 0 || lanes.dwords[i] == 0) continue;
    access.active |= std::uint64_t{1} << i;
    span.low = std::min(span.low, lanes.address[i]);
    span.high = std::max(span.high, lanes.address[i]);
    whole = whole && lanes.dwords[i] == most;
  }
  access.address = lanes.address;
  region = nullptr;
  if (access.active == 0) return true;
  if (whole) return reach(machine, wave, op, span, region);
  // A lane that ends at the end of the buffer may end at the end of an allocation too.
  const std::uint32_t bytes = access.bytes;
  const std::uint64_t active = access.active;
  bool good = true;
  for (unsigned i = 0; i < kLanes && good; ++i) {
    if ((active >> i & 1) == 0) continue;
    access.active = std::uint64_t{1} << i;
    access.bytes = std::min(bytes, lanes.dwords[i] * 4U);
    good = each_lane_allowed(machine, wave, op);
  }
  access.active = active;
  access.bytes = bytes;
  return good;
}

namespace {

bool is_active(const Machine& machine, unsigned lane) {
  return (machine.access.active >> lane & 1) != 0;
}

void set_buffer_kind(Machine& machine, bool store, bool atomic, std::uint32_t bytes) {
  machine.access.store = store;
  machine.access.atomic = atomic;
  machine.access.bytes = bytes;
}

// What compilers make of tiles: offsets in a register, all of them in range and in one allocation. Null where it is not so.
const Region* plain_region(Machine& machine, Wave& wave, const Op& op) {
  const isa::Instruction& in = *op.instruction;
  Access& access = machine.access;
  access.active = wave.exec();
  if (!in.offen || in.idxen || access.active == 0) return nullptr;
  const BufferDescriptor buffer = buffer_descriptor(wave, op.target);
  if (buffer.swizzled || buffer.adds_lane) return nullptr;
  const std::uint64_t scalar =
      op.sources[1].kind == Source::Kind::none ? 0 : scalar32(machine, wave, op.sources[1]);
  const Span span = primitives().addresses(
      access.address.data(), wave.vector(op.sources[0].number), nullptr,
      buffer.base + scalar + static_cast<std::uint32_t>(in.offset), access.active);
  if (span.high + access.bytes > buffer.base + buffer.records) return nullptr;
  access.space = Access::Space::global;
  access.two_parts = false;
  access.into_lds = 0;
  access.shape = LaneShape::any;
  return region_for(machine, op, span);
}

void load_plain(Machine& machine, Wave& wave, const Op& op, const Region& region) {
  constexpr unsigned kMaxDwords = 4;
  const auto& address = machine.access.address;
  if (machine.access.active == kAllLanes) {
    primitives().gather(wave.vector(op.data), region.host, region.base, address.data(), op.dwords);
    return;
  }
  alignas(64) std::array<std::uint32_t, kMaxDwords * kLanes> data;
  primitives().gather(data.data(), region.host, region.base, address.data(), op.dwords);
  for (unsigned k = 0; k < op.dwords; ++k)
    primitives().blend(wave.vector(op.data + k), &data[std::size_t{k} * kLanes],
                       machine.access.active);
}

template <bool kStore>
bool buffer_dwords(Machine& machine, Wave& wave, const Op& op) {
  if (is_private_buffer(wave, op)) return run_on_private_buffer(machine, wave, op);
  set_buffer_kind(machine, kStore, false, op.dwords * 4U);
  if constexpr (!kStore) {
    if (const Region* plain = plain_region(machine, wave, op); plain != nullptr)
      return load_plain(machine, wave, op, *plain), true;
  }
  BufferLanes lanes;
  const Region* region = nullptr;
  if (!begin_buffer(machine, wave, op, true, lanes, region)) return false;
  for (unsigned i = 0; i < kLanes; ++i) {
    if ((wave.exec() >> i & 1) == 0) continue;
    const unsigned in_range = is_active(machine, i) ? lanes.dwords[i] : 0U;
    std::byte* memory = in_range != 0 ? host_of(machine, wave, region, i) : nullptr;
    for (unsigned k = 0; k < op.dwords; ++k) {
      std::uint32_t& value = wave.vector(op.data + k)[i];
      if constexpr (kStore) {
        if (k < in_range) std::memcpy(memory + 4 * k, &value, 4);
      } else {
        value = 0;
        if (k < in_range) std::memcpy(&value, memory + 4 * k, 4);
      }
    }
  }
  return true;
}

template <class T, Half16 kHalf>
bool buffer_load_small(Machine& machine, Wave& wave, const Op& op) {
  if (is_private_buffer(wave, op)) return run_on_private_buffer(machine, wave, op);
  set_buffer_kind(machine, false, false, sizeof(T));
  BufferLanes lanes;
  const Region* region = nullptr;
  if (!begin_buffer(machine, wave, op, false, lanes, region)) return false;
  for (unsigned i = 0; i < kLanes; ++i) {
    if ((wave.exec() >> i & 1) == 0) continue;
    T value = 0;
    if (is_active(machine, i)) std::memcpy(&value, host_of(machine, wave, region, i), sizeof(T));
    put_loaded<kHalf>(wave.vector(op.data)[i],
                      static_cast<std::uint32_t>(static_cast<std::int32_t>(value)));
  }
  return true;
}

template <class T, bool kHigh>
bool buffer_store_small(Machine& machine, Wave& wave, const Op& op) {
  if (is_private_buffer(wave, op)) return run_on_private_buffer(machine, wave, op);
  set_buffer_kind(machine, true, false, sizeof(T));
  BufferLanes lanes;
  const Region* region = nullptr;
  if (!begin_buffer(machine, wave, op, false, lanes, region)) return false;
  for (unsigned i = 0; i < kLanes; ++i) {
    if (!is_active(machine, i)) continue;
    const auto value = static_cast<T>(wave.vector(op.data)[i] >> (kHigh ? 16 : 0));
    std::memcpy(host_of(machine, wave, region, i), &value, sizeof(T));
  }
  return true;
}

// With glc the register of the data gets what was there before; zero for a lane out of range.
bool buffer_atomic(Machine& machine, Wave& wave, const Op& op) {
  const auto kind = static_cast<Atomic>(op.scalar_destination);
  const unsigned width = op.dwords;
  set_buffer_kind(machine, true, true, width * 4);
  BufferLanes lanes;
  const Region* region = nullptr;
  if (!begin_buffer(machine, wave, op, false, lanes, region)) return false;
  const auto apply = machine.shared ? apply_shared_atomic : apply_atomic;
  AtomicRounding rounding(wave, kind);
  for (unsigned i = 0; i < kLanes; ++i) {
    if ((wave.exec() >> i & 1) == 0) continue;
    std::uint64_t before = 0;
    if (is_active(machine, i)) {
      const std::uint64_t expected =
          kind == Atomic::compare_swap ? lane_data(wave, op.data + width, width, i) : 0;
      rounding.draw();
      before = apply(kind, width, host_of(machine, wave, region, i),
                     lane_data(wave, op.data, width, i), expected);
    }
    if (!op.instruction->glc) continue;
    for (unsigned k = 0; k < width; ++k)
      wave.vector(op.data + k)[i] = static_cast<std::uint32_t>(before >> (32 * k));
  }
  return true;
}

template <class T>
bool buffer_load_to_lds(Machine& machine, Wave& wave, const Op& op) {
  set_buffer_kind(machine, false, false, sizeof(T));
  BufferLanes lanes;
  const Region* region = nullptr;
  if (!begin_buffer(machine, wave, op, false, lanes, region)) return false;
  if (!begin_into_lds(machine, wave, op, machine.access.second_address)) return false;
  machine.access.into_lds = 4;
  for (unsigned i = 0; i < kLanes; ++i) {
    if ((wave.exec() >> i & 1) == 0) continue;
    T value = 0;
    if (is_active(machine, i)) std::memcpy(&value, host_of(machine, wave, region, i), sizeof(T));
    put_into_lds(machine, i, static_cast<std::uint32_t>(static_cast<std::int32_t>(value)));
  }
  return true;
}

// Dwords out of range are zero in LDS as they would be in registers.
bool buffer_load_dwords_to_lds(Machine& machine, Wave& wave, const Op& op) {
  set_buffer_kind(machine, false, false, op.dwords * 4U);
  BufferLanes lanes;
  const Region* region = nullptr;
  if (!begin_buffer(machine, wave, op, true, lanes, region)) return false;
  if (!begin_into_lds(machine, wave, op, machine.access.second_address, op.dwords)) return false;
  machine.access.into_lds = static_cast<std::uint8_t>(machine.access.bytes);
  for (unsigned i = 0; i < kLanes; ++i) {
    if ((wave.exec() >> i & 1) == 0) continue;
    std::byte* to = machine.lds.data() + machine.access.second_address[i];
    const std::size_t bytes = is_active(machine, i) ? lanes.dwords[i] * std::size_t{4} : 0;
    if (bytes != 0) std::memcpy(to, host_of(machine, wave, region, i), bytes);
    std::memset(to + bytes, 0, machine.access.bytes - bytes);
  }
  return true;
}

// A dword of LDS for each lane, without a detour through registers.
bool buffer_store_from_lds(Machine& machine, Wave& wave, const Op& op) {
  set_buffer_kind(machine, true, false, 4);
  BufferLanes lanes;
  const Region* region = nullptr;
  if (!begin_buffer(machine, wave, op, false, lanes, region)) return false;
  if (!begin_into_lds(machine, wave, op, machine.access.second_address)) return false;
  for (unsigned i = 0; i < kLanes; ++i) {
    if (!is_active(machine, i)) continue;
    std::memcpy(host_of(machine, wave, region, i),
                machine.lds.data() + machine.access.second_address[i], 4);
  }
  return true;
}

Handler to_lds_handler(std::string_view what) {
  if (what == "load_ubyte") return buffer_load_to_lds<std::uint8_t>;
  if (what == "load_sbyte") return buffer_load_to_lds<std::int8_t>;
  if (what == "load_ushort") return buffer_load_to_lds<std::uint16_t>;
  if (what == "load_sshort") return buffer_load_to_lds<std::int16_t>;
  if (what == "load_dword") return buffer_load_to_lds<std::uint32_t>;
  return what == "load_dwordx3" || what == "load_dwordx4" ? buffer_load_dwords_to_lds : nullptr;
}

Handler small_buffer_handler(std::string_view what) {
  using std::int16_t, std::int8_t, std::uint16_t, std::uint8_t;
  if (what == "load_ubyte") return buffer_load_small<uint8_t, Half16::none>;
  if (what == "load_sbyte") return buffer_load_small<int8_t, Half16::none>;
  if (what == "load_ushort") return buffer_load_small<uint16_t, Half16::none>;
  if (what == "load_sshort") return buffer_load_small<int16_t, Half16::none>;
  if (what == "load_ubyte_d16") return buffer_load_small<uint8_t, Half16::low>;
  if (what == "load_ubyte_d16_hi") return buffer_load_small<uint8_t, Half16::high>;
  if (what == "load_sbyte_d16") return buffer_load_small<int8_t, Half16::low>;
  if (what == "load_sbyte_d16_hi") return buffer_load_small<int8_t, Half16::high>;
  if (what == "load_short_d16") return buffer_load_small<uint16_t, Half16::low>;
  if (what == "load_short_d16_hi") return buffer_load_small<uint16_t, Half16::high>;
  if (what == "store_byte") return buffer_store_small<uint8_t, false>;
  if (what == "store_short") return buffer_store_small<uint16_t, false>;
  if (what == "store_byte_d16_hi") return buffer_store_small<uint8_t, true>;
  if (what == "store_short_d16_hi") return buffer_store_small<uint16_t, true>;
  return nullptr;
}

}  // namespace

Handler find_buffer_handler(const isa::Instruction& instruction) {
  const auto mnemonic = instruction.opcode->mnemonic;
  const auto what = mnemonic.substr(mnemonic.find('_') + 1);
  if (what == "store_lds_dword") return buffer_store_from_lds;
  if (what.find("_format_") != what.npos) return find_buffer_format_handler(instruction);
  if (instruction.lds) return to_lds_handler(what);
  if (what.starts_with("load_dword")) return buffer_dwords<false>;
  if (what.starts_with("store_dword")) return buffer_dwords<true>;
  if (what.starts_with("atomic_")) return find_atomic(what.substr(7)) ? buffer_atomic : nullptr;
  return small_buffer_handler(what);
}

}  // namespace rpl::emu
