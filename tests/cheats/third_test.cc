// SPDX-License-Identifier: MIT
// The third set: candidates that were written from the families alone, and held against verification once before anything was changed for them (docs/testing.md).
// Those whose name begins with ok_ are honest.
#include "tests/cheats/corpus.h"

namespace rpl {
namespace {

using namespace test;

constexpr std::int32_t kLength = 1000;

KernelRun in_groups(std::uint32_t groups, std::uint32_t workgroup,
                    std::vector<emu::Argument> arguments) {
  return launched(groups * workgroup, workgroup, std::move(arguments));
}

BufferArgument counted_bytes(std::uint64_t count, Element element, std::uint32_t factor) {
  std::vector<std::uint8_t> out(count);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::uint8_t>(i * factor);
  return holding(element, out);
}

BufferArgument empty(std::uint64_t count, Element element = Element::i32) {
  return {.element = element, .count = count, .fill = {}};
}

std::int32_t below_hundred(std::int32_t i) { return i * 31 % 97; }

// A table of open addressing as a host fills it, with chains that are short and do not reach its end.
std::pair<BufferArgument, BufferArgument> table_and_wanted(std::uint32_t size) {
  std::vector<std::uint32_t> table(size), wanted;
  for (std::uint32_t i = 1; wanted.size() < kLength; ++i) {
    const std::uint32_t key = i * 7919;
    wanted.push_back(key);
    if (i % 4 != 0 || i > size) continue;
    std::uint32_t at = (key * 2654435761U >> 8U) % size;
    while (table[at] != 0) at = at + 1 == size ? 0 : at + 1;
    table[at] = key;
  }
  return {holding(Element::u32, table), holding(Element::u32, wanted)};
}

void add_narrow(std::map<std::string, KernelRun>& out) {
  const auto n = number(kLength);
  out["quantised"] =
      launched(kLength, 256,
               {random_floats(kLength, 1), empty(kLength, Element::i8), n, real_number(100.0F)});
  out["nibbles"] = launched(
      512, 256,
      {counted_bytes(512, Element::u8, 7), random_floats(32, 2), floats(1024), number(512)});
  BufferArgument means = random_floats(kLength, 3);
  means.element = Element::bf16;
  out["averaged"] =
      launched(kLength, 256, {means, random_floats(kLength, 4), n, real_number(0.125F)});
  out["grown"] = launched(kLength, 256, {random_floats(kLength, 5), floats(kLength), n});
}

void add_ranks(std::map<std::string, KernelRun>& out) {
  const auto n = number(kLength);
  out["carried"] = launched(kLength, 256, {integers(kLength, below_hundred), empty(kLength), n});
  out["tops"] = launched(64, 64, {random_floats(6400, 6), floats(6400), number(64), number(100)});
  out["kept"] = launched(kLength, 256,
                         {integers(kLength, below_hundred), empty(1024), empty(4), n, number(40)});
  out["least"] = in_groups(16, 64, {random_floats(1600, 7), empty(16), number(100)});
}

void add_waves(std::map<std::string, KernelRun>& out) {
  const auto side = number(40), depth = number(100);
  out["shares"] = launched(64, 64, {random_floats(6400, 8), floats(6400), number(64), number(100)});
  out["weighted"] = launched(
      64, 64,
      {random_floats(32000, 9), random_floats(500, 10), floats(64), number(500), number(64)});
  out["products"] =
      launched_square(48, {counted_bytes(4000, Element::i8, 5), counted_bytes(4000, Element::i8, 3),
                           empty(1600), side, side, depth});
  out["mixed"] = launched_square(
      48, {emu::halves(4000, 11), emu::halves(4000, 12), floats(1600), side, side, depth});
  out["normals"] = launched(kLength, 256, {random_floats(3000, 13), floats(3000), number(kLength)});
}

void add_shared(std::map<std::string, KernelRun>& out) {
  const auto n = number(kLength);
  out["slid"] = in_groups(3, 128, {random_floats(kLength, 14), floats(kLength), n});
  const auto [table, wanted] = table_and_wanted(512);
  out["probed"] = launched(kLength, 256, {table, wanted, empty(kLength), n, number(512)});
  out["summed"] =
      launched(kLength, 256,
               {integers(kLength, below_hundred), empty(4), empty(1), empty(1, Element::u32), n});
  out["tallest"] = launched(kLength, 256,
                            {integers(kLength, below_hundred),
                             integers(kLength, [](auto i) { return i * 5 % 16; }), empty(16), n});
}

void add_wide(std::map<std::string, KernelRun>& out) {
  const auto n = number(kLength);
  out["floored"] =
      launched(kLength, 256, {integers(kLength, below_hundred), empty(kLength), n, number(10)});
  out["swapped"] = launched(
      1200, 256, {random_floats(1200, 15), floats(1200), number(3), number(20), number(20)});
  out["pushed"] = launched(kLength, 256,
                           {random_floats(kLength, 16), random_floats(kLength, 17),
                            random_floats(kLength, 18), n, real_number(0.875F), real_number(1.0F)});
  out["checksums"] = launched(
      64, 64,
      {counted_bytes(6400, Element::u8, 3), empty(64, Element::u32), number(64), number(100)});
  std::vector<std::uint16_t> places(kLength);
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<std::uint16_t>(i * 3);
  out["woven"] = launched(kLength, 256,
                          {holding(Element::u16, places), holding(Element::i16, places),
                           empty(kLength, Element::u32), n});
  out["turned2"] =
      launched_square(48, {random_floats(1600, 19), floats(1600), number(40), number(40)});
}

std::map<std::string, KernelRun> third_baselines() {
  std::map<std::string, KernelRun> out;
  add_narrow(out);
  add_ranks(out);
  add_waves(out);
  add_shared(out);
  add_wide(out);
  return out;
}

const std::set<std::string> kWrongValues = {"wrong-values"};
const std::set<std::string> kRacy = {"race", "wrong-values", "depends-on-order"};

const Case kThirdCases[] = {
    {"narrow", "quantised", "ties_away", kWrongValues},
    {"narrow", "quantised", "half_up", kWrongValues},
    {"narrow", "quantised", "wraps", kWrongValues},
    {"narrow", "quantised", "symmetric", kWrongValues},
    {"narrow", "quantised", "half_product", kWrongValues},
    {"narrow", "quantised", "ok_packed", {}, {.x = {.per = 4}}},
    {"narrow", "quantised", "ok_magic"},
    {"narrow", "nibbles", "offset_binary", kWrongValues},
    {"narrow", "nibbles", "high_unsigned", kWrongValues},
    {"narrow", "nibbles", "scale_of_wave", kWrongValues},
    {"narrow", "nibbles", "ok_helper"},
    {"narrow", "nibbles", "ok_table"},
    {"narrow", "nibbles", "ok_dwords", {}, {.x = {.per = 4}}},
    {"narrow", "averaged", "narrow_difference", kWrongValues},
    {"narrow", "averaged", "rounded_twice", kWrongValues},
    {"narrow", "averaged", "tail_again", {"memory-fault"}, {.x = {.per = 2}}},
    {"narrow", "averaged", "small_changes_left_out", kWrongValues},
    {"narrow", "averaged", "ok_pairs", {}, {.x = {.per = 2}}},
    {"narrow", "averaged", "ok_unfused"},
    {"narrow", "grown", "power_of_two", kWrongValues},
    {"narrow", "grown", "no_denormals", kWrongValues},
    {"narrow", "grown", "raw", kWrongValues},
    {"narrow", "grown", "ok_split"},
    {"narrow", "grown", "split_contracted", kWrongValues},
    {"narrow", "grown", "ok_four", {}, {.x = {.per = 4}}},
    {"ranks", "carried", "read_and_write", kRacy},
    {"ranks", "carried", "ok_waves"},
    {"ranks", "carried", "ok_two_buffers"},
    {"ranks", "carried", "same_buffer", kRacy},
    {"ranks", "carried", "last_carry_alone", kWrongValues},
    {"ranks", "carried", "carry_too_early", kRacy},
    {"ranks", "tops", "from_zero", kWrongValues},
    {"ranks", "tops", "from_least_finite", kWrongValues},
    {"ranks", "tops", "compared", kWrongValues},
    {"ranks", "tops", "ok_waves", {}, {.x = {.items = 64}}},
    {"ranks", "tops", "carry_of_first", kWrongValues, {.x = {.items = 64}}},
    {"ranks", "kept", "ok_ballot"},
    {"ranks", "kept", "ok_counted_lanes"},
    {"ranks", "kept", "half_of_mask", kRacy},
    {"ranks", "kept", "tail_counted", kWrongValues},
    {"ranks", "kept", "any_order", kRacy},
    {"ranks", "least", "ok_shuffled"},
    {"ranks", "least", "ties_by_lane", kWrongValues},
    {"ranks", "least", "zeros_ordered", kWrongValues},
    {"ranks", "least", "ok_keys"},
    {"ranks", "least", "bits_as_integers", kWrongValues},
    {"ranks", "least", "no_lower_than_zero", kWrongValues},
    {"waves", "shares", "ok_kept"},
    {"waves", "shares", "ok_one_pass"},
    {"waves", "shares", "not_scaled", kWrongValues},
    {"waves", "shares", "one_pass_unguarded", kWrongValues},
    {"waves", "shares", "ok_base_two"},
    {"waves", "shares", "ok_wave", {}, {.x = {.items = 64}}},
    {"waves", "shares", "ok_reciprocal"},
    {"waves", "shares", "half_reciprocal", kWrongValues},
    {"waves", "shares", "cut_exponentials", kWrongValues},
    {"waves", "weighted", "ok_four_sums"},
    {"waves", "weighted", "ok_compensated"},
    {"waves", "weighted", "half_blocks", kWrongValues},
    {"waves", "weighted", "cut_products", {"biased", "wrong-values"}},
    {"waves", "weighted", "narrow_weights", kWrongValues},
    {"waves", "weighted", "zeros_left_out", kWrongValues},
    {"waves", "products", "ok_mfma"},
    {"waves", "products", "ok_dots"},
    {"waves", "products", "pairs_saturated", kWrongValues},
    {"waves", "products", "clamped", kWrongValues},
    {"waves", "products", "signs_of_one", kWrongValues},
    {"waves", "mixed", "one_side_masked", kWrongValues},
    {"waves", "mixed", "other_narrow_type", kWrongValues},
    {"waves", "mixed", "sum_in_half_at_end", kWrongValues},
    {"waves", "mixed", "ok_tile"},
    {"waves", "normals", "ok_rsqrt"},
    {"waves", "normals", "raw_root", kWrongValues},
    {"waves", "normals", "newton_once", kWrongValues},
    {"waves", "normals", "newton_twice", kWrongValues},
    {"waves", "normals", "least_length", kWrongValues},
    {"waves", "normals", "ok_staged"},
    {"waves", "normals", "stored_early", kRacy},
    {"shared", "slid", "halo_of_first", kWrongValues},
    {"shared", "slid", "tail_of_before", kWrongValues},
    {"shared", "slid", "ok_two_tiles"},
    {"shared", "slid", "wrong_tile", kWrongValues},
    {"shared", "slid", "ok_shuffled"},
    {"shared", "slid", "next_turn_early", kRacy},
    {"shared", "probed", "first_place_alone", kWrongValues},
    {"shared", "probed", "by_part_of_key", kWrongValues},
    {"shared", "probed", "eight_steps", kWrongValues},
    {"shared", "probed", "not_around", kWrongValues},
    {"shared", "probed", "ok_two_at_once"},
    {"shared", "summed", "no_fence", kRacy},
    {"shared", "summed", "fence_of_workgroup", kRacy},
    {"shared", "summed", "ok_by_waves"},
    {"shared", "summed", "plain_ticket", kRacy},
    {"shared", "summed", "last_by_number", kRacy},
    {"shared", "summed", "ticket_left", {"input-changed"}},
    {"shared", "tallest", "ok_private"},
    {"shared", "tallest", "from_zero", kWrongValues},
    {"shared", "tallest", "from_minus_a_million", {"extra-write", "input-changed", "wrong-values"}},
    {"shared", "tallest", "merged_plainly", kRacy},
    {"shared", "tallest", "as_unsigned", kWrongValues},
    {"shared", "tallest", "as_floats", kWrongValues},
    {"shared", "tallest", "ok_looks_first"},
    {"shared", "tallest", "ok_exchanged"},
    {"shared", "tallest", "exchanged_once", kWrongValues},
    {"wide", "floored", "toward_zero", kWrongValues},
    {"wide", "floored", "one_less", kWrongValues},
    {"wide", "floored", "biased_first", kWrongValues},
    {"wide", "floored", "factor_of_32_bits", kWrongValues},
    {"wide", "floored", "ok_complement"},
    {"wide", "swapped", "square_planes", {"unwritten"}},
    {"wide", "swapped", "short_places", kRacy},
    {"wide", "swapped", "ok_one_division"},
    {"wide", "swapped", "ok_strided", {}, {.x = {.per = 2}}},
    {"wide", "pushed", "velocity_before", kWrongValues},
    {"wide", "pushed", "rate_inside", kWrongValues},
    {"wide", "pushed", "zero_gradients_left_out", kWrongValues},
    {"wide", "pushed", "tail_again", kWrongValues, {.x = {.per = 4}}},
    {"wide", "pushed", "ok_vectors", {}, {.x = {.per = 4}}},
    {"wide", "checksums", "ok_table"},
    {"wide", "checksums", "half_of_table", kWrongValues},
    {"wide", "checksums", "signed_bytes", kWrongValues},
    {"wide", "checksums", "ok_nibbles"},
    {"wide", "woven", "ok_masks"},
    {"wide", "woven", "sign_spreads", kWrongValues},
    {"wide", "woven", "twelve_bits", kWrongValues},
    {"wide", "woven", "short_index", {"unwritten"}},
    {"wide", "turned2", "ok_tile"},
    {"wide", "turned2", "ok_turned_columns"},
    {"wide", "turned2", "no_barrier", kRacy},
    {"wide", "turned2", "bounds_of_source", {"memory-fault"}},
    {"wide", "turned2", "same_pitch", {"race", "unwritten"}},
    {"wide", "turned2", "short_places", kRacy},
    {"wide", "turned2", "ok_columns_first"},
};

// Lanes of one wave go in step, so that the machine code is right without the barrier.
const Case kAcceptedStill[] = {{"wide", "checksums", "table_not_awaited"}};

// Nothing is wrong with them, and verification does not see it: rows of 65536 elements would have to be tried; bounds that the loop implies; divisions of 64 bits.
const Case kUndecidedStill[] = {
    {"waves", "weighted", "ok_pairwise", {"unverified-code"}},
    {"shared", "slid", "ok_registers", {"unverified-code"}},
    {"wide", "floored", "ok_factor", {"unverified-code"}},
};

// Matrix instructions in 16 bits take denormals for zero where they add products in pairs.
const Case kWithoutDenormals[] = {{"waves", "mixed", "ok_mfma", kWrongValues}};
const Case kWithDenormals[] = {{"waves", "mixed", "ok_mfma"}};

class ThirdCheats : public testing::TestWithParam<const char*> {};

TEST_P(ThirdCheats, EachIsRefusedForItsReasonAndHonestOnesPass) {
  expect_answers(RPL_CHEATS, GetParam(), kThirdCases, third_baselines());
}

TEST_P(ThirdCheats, WhatStaysOpenIsKnown) {
  const std::map<std::string, KernelRun> runs = third_baselines();
  expect_answers(RPL_CHEATS, GetParam(), kAcceptedStill, runs);
  expect_answers(RPL_CHEATS, GetParam(), kUndecidedStill, runs);
  const auto arch = isa::find_architecture(GetParam());
  ASSERT_TRUE(arch);
  if (isa::traits(*arch).adds_narrow_products_in_pairs)
    expect_answers(RPL_CHEATS, GetParam(), kWithoutDenormals, runs);
  else
    expect_answers(RPL_CHEATS, GetParam(), kWithDenormals, runs);
}

INSTANTIATE_TEST_SUITE_P(OnBoth, ThirdCheats, testing::Values("gfx90a", "gfx942"));

}  // namespace
}  // namespace rpl
