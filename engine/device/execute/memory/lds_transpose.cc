// SPDX-License-Identifier: MIT
#include "engine/device/execute/memory/lds.h"
#include "engine/device/execute/state/handlers.h"

/// Reads of LDS that transpose a matrix for matrix instructions (CDNA4 ISA document, "MFMA Transpose Load from LDS"). Sixteen neighbouring lanes
/// read 64 bits each, or 96 of elements of 6 bits, which together are rows of sixteen elements, one behind the other; lane i gets the elements
/// of column i. That is how Triton's lowering of these instructions, which is tested on the hardware, describes them
/// (third_party/amd, lowering of transposed loads).
namespace rpl::emu {
namespace {

constexpr unsigned kColumns = 16;  ///< and lanes that work together

/// Of the registers of one lane, seen as one number.
template <unsigned kBits>
std::uint32_t element_at(const std::uint32_t* dwords, unsigned index) {
  const unsigned first = index * kBits, from = first % 32;
  std::uint32_t value = dwords[first / 32] >> from;
  if (from + kBits > 32) value |= dwords[first / 32 + 1] << (32 - from);
  return value & ((1U << kBits) - 1);
}

template <unsigned kBits>
void put_element(std::uint32_t* dwords, unsigned index, std::uint32_t value) {
  const unsigned first = index * kBits, from = first % 32;
  dwords[first / 32] |= value << from;
  if (from + kBits > 32) dwords[first / 32 + 1] |= value >> (32 - from);
}

// What lanes that are not active would give is not documented, and LLVM reads so with all of them.
template <unsigned kBits, unsigned kDwords>
bool read_transposed(Machine& machine, Wave& wave, const Op& op) {
  constexpr unsigned kItems = kDwords * 32 / kBits, kLanesOfRow = kColumns / kItems;
  set_lds_kind(machine, false, false, kDwords * 4U);
  if (wave.exec() != kAllLanes)
    return machine.stop(wave, op, Errc::unsupported,
                        "a transposing read of LDS needs all lanes of the wave active");
  if (!begin_lds(machine, wave, op, op.target, machine.access.address)) return false;
  std::array<std::array<std::uint32_t, kDwords>, kLanes> read{};
  for (unsigned lane = 0; lane < kLanes; ++lane)
    std::memcpy(read[lane].data(), machine.lds.data() + machine.access.address[lane], kDwords * 4);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const unsigned group = lane / kColumns * kColumns, column = lane % kColumns;
    std::array<std::uint32_t, kDwords> own{};
    for (unsigned row = 0; row < kItems; ++row)
      put_element<kBits>(own.data(), row,
                         element_at<kBits>(read[group + row * kLanesOfRow + column / kItems].data(),
                                           column % kItems));
    for (unsigned k = 0; k < kDwords; ++k) wave.vector(op.destination + k)[lane] = own[k];
  }
  return true;
}

}  // namespace

Handler find_lds_transpose_handler(std::string_view what) {
  if (what == "read_b64_tr_b16") return read_transposed<16, 2>;
  if (what == "read_b64_tr_b8") return read_transposed<8, 2>;
  if (what == "read_b64_tr_b4") return read_transposed<4, 2>;
  return what == "read_b96_tr_b6" ? read_transposed<6, 3> : nullptr;
}

}  // namespace rpl::emu
