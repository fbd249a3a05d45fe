// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/device/cycle/launch_time.h"

/// What the kept waves of a launch say of its operations when registers are followed through them: which loads feed which, and which waits are for nothing.
namespace rpl::cycle {

/// Type of the values that a multiply-add takes, as the matrix unit would.
enum class ProductType : std::uint8_t { none, f32, f16, bf16, f64 };

/// Sums over the kept waves, of one operation.
struct OperationFacts {
  std::uint64_t executed = 0;
  std::uint64_t repeated =
      0;  ///< accesses to the same lines as the one before of this operation and wave
  /// Loads that bring an address that came through kChain loads at least, each of which needed the one before.
  std::uint64_t chained = 0;
  std::uint64_t pages = 0;       ///< distinct pages of kPage bytes of an access, summed
  std::uint64_t straddling = 0;  ///< accesses to a line more than their bytes fill, side by side
  std::uint64_t feeds = 0;       ///< loads, from LDS too, of factors of such products as follow
  std::uint64_t products =
      0;  ///< multiply-adds of two values that were loaded, to a sum that is kept
  ProductType type = ProductType::none;  ///< of these
  /// Of a wait for vector memory: how many could stay outstanding while nothing that is needed is missing; kNoWait: as many as it says.
  std::uint8_t enough = Operation::kNoWait;
  /// Of such a wait that mostly comes too early: how many instructions run between it and the first that needs what it waited for; else 0.
  std::uint32_t early = 0;

  /// Whether the wait could be for less, or later.
  [[nodiscard]] bool is_strict() const { return enough != Operation::kNoWait || early > 0; }
};
inline constexpr std::uint32_t kChain = 8;
/// Linux maps memory of the device by fragments of up to 2 MiB (drivers/gpu/drm/amd, vm_fragment_size).
inline constexpr std::uint64_t kPage = std::uint64_t{2} << 20;

/// By operation. Fails with interrupted.
Result<std::vector<OperationFacts>> facts_of(const LaunchRecord& record,
                                             const std::vector<Operation>& operations);

/// The text of a wait that lets so many loads stay outstanding.
std::string with_wait(std::string_view text, std::uint8_t vm);

}  // namespace rpl::cycle
