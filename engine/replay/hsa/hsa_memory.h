// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "engine/replay/hsa/hsa_device.h"
#include "engine/replay/hsa/page_ranges.h"

namespace rpl {

/// One allocation from a pool.
class HsaAllocation {
 public:
  explicit HsaAllocation(HsaCalls& calls) : calls_(calls) {}
  ~HsaAllocation();
  HsaAllocation(const HsaAllocation&) = delete;
  HsaAllocation& operator=(const HsaAllocation&) = delete;

  /// `about`: for messages.
  Status make(hsa::Pool pool, std::size_t bytes, std::string about);
  /// Lets a GPU reach memory of the host.
  Status share_with(hsa::Agent gpu);
  [[nodiscard]] void* get() const { return at_; }

 private:
  HsaCalls& calls_;
  void* at_ = nullptr;
  std::string about_;
};

/// Copies between this process and memory that the GPU reaches. Not by hsa_memory_copy: the runtime takes addresses that were reserved for
/// the host's, and copies there by the processor, which does not reach them.
class HsaCopies {
 public:
  /// Both must outlive it.
  HsaCopies(HsaCalls& calls, const HsaDevice& device) : calls_(calls), device_(device) {}
  ~HsaCopies();
  HsaCopies(const HsaCopies&) = delete;
  HsaCopies& operator=(const HsaCopies&) = delete;

  /// Fails as HsaCalls does; with timeout when a copy does not end within a minute, and with io when the GPU could not do it.
  Status write(std::uint64_t address, std::span<const std::byte> bytes, std::string_view about);
  Status read(std::uint64_t address, std::span<std::byte> bytes, std::string_view about);

 private:
  Status begin();
  Status copy(void* to, hsa::Agent to_agent, const void* from, hsa::Agent from_agent,
              std::size_t bytes, std::string_view about);

  HsaCalls& calls_;
  const HsaDevice& device_;
  HsaAllocation between_{
      calls_};  ///< memory of the host that the GPU reaches; made for the first copy
  hsa::Signal done_{};
};

/// Memory of the GPU at the captured addresses. Gives everything back, in reverse order, when it goes.
class HsaMemory {
 public:
  /// All of them must outlive it.
  HsaMemory(HsaCalls& calls, const HsaDevice& device, const Capture& capture, Steering& steering)
      : calls_(calls), device_(device), capture_(capture), steering_(steering) {}
  ~HsaMemory();
  HsaMemory(const HsaMemory&) = delete;
  HsaMemory& operator=(const HsaMemory&) = delete;

  /// Takes the addresses of all ranges, and nothing else yet. The ranges that the runtime would put elsewhere; fails as HsaCalls does.
  Result<std::vector<PlaceConflict>> reserve(const std::vector<PageRange>& ranges);
  /// Puts memory there: of the GPU, or of the host where the ranges say so. Fails with unsupported when the GPU sees memory of the host at
  /// other addresses.
  Status back();

  /// Copies between the host and captured addresses, or those of the loaded code.
  Status write(std::uint64_t address, std::span<const std::byte> bytes, std::string_view about) {
    return copies_.write(address, bytes, about);
  }
  Status read(std::uint64_t address, std::span<std::byte> bytes, std::string_view about) {
    return copies_.read(address, bytes, about);
  }

 private:
  struct Placed {
    PageRange range;
    std::uint64_t at = 0;  ///< where the runtime reserved it; 0: not
    hsa::MemoryHandle handle{};
    bool mapped = false, locked = false, ours = false;
    std::string text;
  };
  Status back_on_device(Placed& placed);
  Status back_on_host(Placed& placed);
  void give_back(Placed& placed);

  HsaCalls& calls_;
  const HsaDevice& device_;
  const Capture& capture_;
  Steering& steering_;
  std::vector<Placed> placed_;
  HsaCopies copies_{calls_, device_};
};

}  // namespace rpl
