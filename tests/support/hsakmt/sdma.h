// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>
#include <variant>

#include "engine/base/result.h"
#include "tests/support/hsakmt/device.h"

/// The packets of the copy engines of GFX9 that ROCr writes. Formats: sdma_registers.h of ROCr; sdma_v4_0 of the Linux kernel.
namespace rpl::hsakmt::sdma {

struct Nop {};
struct Copy {
  std::uint64_t source = 0, destination = 0, bytes = 0;
};
/// Elements of 2^shift bytes; pitches in elements.
struct CopyBox {
  struct Side {
    std::uint64_t address = 0;
    std::uint32_t x = 0, y = 0, z = 0;
    std::uint64_t row = 0, slice = 0;
  };
  unsigned shift = 0;
  Side source, destination;
  std::array<std::uint32_t, 3> size{};
};
struct Fill {
  std::uint64_t destination = 0, bytes = 0;  ///< a multiple of `width`
  std::uint32_t value = 0;
  unsigned width = 4;  ///< bytes of `value` that are repeated
};
struct Fence {
  std::uint64_t address = 0;
  std::uint32_t value = 0;
};
struct Trap {
  std::uint32_t event = 0;
};
/// Waits until the dword, masked, compares with `value` as `function` says (0 always, 1 <, 2 <=, 3 ==, 4 !=, 5 >=, 6 >).
struct Poll {
  std::uint64_t address = 0;
  std::uint32_t value = 0, mask = 0;
  unsigned function = 0;
};
struct AtomicAdd {
  std::uint64_t address = 0, value = 0;
};
struct Timestamp {
  std::uint64_t address = 0;
};

using Command = std::variant<Nop, Copy, CopyBox, Fill, Fence, Trap, Poll, AtomicAdd, Timestamp>;

struct Decoded {
  Command command;
  std::size_t dwords = 0;  ///< that it takes in the ring
};

/// The packet that `words` begin with. Fails with corrupt when it is cut short, and with unsupported for what no stand-in executes.
Result<Decoded> decode(std::span<const std::uint32_t> words);

}  // namespace rpl::hsakmt::sdma

namespace rpl::hsakmt {

struct SdmaRing {
  std::uint64_t address = 0, bytes = 0;  ///< a power of two
  std::uint64_t read_offset = 0,
                write_offset = 0;  ///< addresses of bytes that are counted on for ever
};

/// Executes the packets of one ring in order.
class SdmaProcessor : public Processor {
 public:
  /// The ring and the offsets must lie in memory of the device as long as this lives.
  SdmaProcessor(const Device& device, const SdmaRing& ring) : device_(device), ring_(ring) {}
  Step step(const std::atomic<bool>& cancel) override;

 private:
  Step stop(const std::string& why);
  /// Null after a fault was raised.
  std::byte* reach(const DeviceView& view, std::uint64_t address, std::uint64_t bytes);
  Step run(const DeviceView& view, const sdma::Nop& nop);
  Step run(const DeviceView& view, const sdma::Copy& copy);
  Step run(const DeviceView& view, const sdma::CopyBox& box);
  Step run(const DeviceView& view, const sdma::Fill& fill);
  Step run(const DeviceView& view, const sdma::Fence& fence);
  Step run(const DeviceView& view, const sdma::Trap& trap);
  Step run(const DeviceView& view, const sdma::Poll& poll);
  Step run(const DeviceView& view, const sdma::AtomicAdd& add);
  Step run(const DeviceView& view, const sdma::Timestamp& timestamp);

  const Device& device_;
  SdmaRing ring_;
};

}  // namespace rpl::hsakmt
