// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string_view>

#include "engine/arch/gpu.h"
#include "engine/base/result.h"
#include "engine/document/derivation.h"

namespace rpl::arch {

/// Types that units compute in. `f32_single` is vector FP32 without packed or dual-issued instructions.
enum class DataType { f64, f32, f32_single, xf32, f16, bf16, f8, f6, f4, i8, i4 };
inline constexpr std::array kDataTypes{DataType::f64,  DataType::f32, DataType::f32_single,
                                       DataType::xf32, DataType::f16, DataType::bf16,
                                       DataType::f8,   DataType::f6,  DataType::f4,
                                       DataType::i8,   DataType::i4};
enum class Pipe { vector, matrix };
/// From the wave outwards.
enum class Level { lds, vl1d, l2, mall, hbm };
inline constexpr std::array kLevels{Level::lds, Level::vl1d, Level::l2, Level::mall, Level::hbm};

std::string_view to_string(DataType type);  ///< "f16", as in keys
std::string_view to_string(Pipe pipe);      ///< "vector"
std::string_view to_string(Level level);    ///< "l2", as in keys

/// Highest rate of the device in GFLOP/s (GOP/s for integers), dense, at the highest clock: FLOP/clk/CU x compute units x clock. Fails
/// with not_found when a value is unknown, naming it and how to give it. `value` of the result is set.
Result<Derivation> peak_flops(const Gpu& gpu, DataType type, Pipe pipe);

/// Highest bandwidth of the device at a level in GB/s. Fails as above.
Result<Derivation> peak_bandwidth(const Gpu& gpu, Level level);

/// A fact as the leaf of a tree.
Derivation derivation_of(const Fact& fact);

}  // namespace rpl::arch
