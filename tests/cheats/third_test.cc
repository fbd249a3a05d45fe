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

// Which reason each should get is not said yet.
const std::set<std::string> kAny = {
    "wrong-values",      "race",   "unwritten",     "extra-write",
    "depends-on-order",  "biased", "input-written", "unverified-code",
    "divergent-barrier", "fault",  "endless",       "undefined-behaviour"};

const Case kThirdCases[] = {
    {"narrow", "quantised", "ties_away", kAny},
    {"narrow", "quantised", "half_up", kAny},
    {"narrow", "quantised", "wraps", kAny},
    {"narrow", "quantised", "symmetric", kAny},
    {"narrow", "quantised", "half_product", kAny},
    {"narrow", "quantised", "ok_packed", {}, {.per = 4}},
    {"narrow", "quantised", "ok_magic"},
    {"narrow", "nibbles", "offset_binary", kAny},
    {"narrow", "nibbles", "high_unsigned", kAny},
    {"narrow", "nibbles", "scale_of_wave", kAny},
    {"narrow", "nibbles", "ok_helper"},
    {"narrow", "nibbles", "ok_table"},
    {"narrow", "nibbles", "ok_dwords", {}, {.per = 4}},
    {"narrow", "averaged", "narrow_difference", kAny},
    {"narrow", "averaged", "rounded_twice", kAny},
    {"narrow", "averaged", "tail_again", kAny, {.per = 2}},
    {"narrow", "averaged", "small_changes_left_out", kAny},
    {"narrow", "averaged", "ok_pairs", {}, {.per = 2}},
    {"narrow", "averaged", "ok_unfused"},
    {"narrow", "grown", "power_of_two", kAny},
    {"narrow", "grown", "no_denormals", kAny},
    {"narrow", "grown", "raw", kAny},
    {"narrow", "grown", "ok_split"},
    {"narrow", "grown", "ok_four", {}, {.per = 4}},
    {"ranks", "carried", "read_and_write", kAny},
    {"ranks", "carried", "ok_waves"},
    {"ranks", "carried", "ok_two_buffers"},
    {"ranks", "carried", "same_buffer", kAny},
    {"ranks", "carried", "last_carry_alone", kAny},
    {"ranks", "carried", "carry_too_early", kAny},
    {"ranks", "tops", "from_zero", kAny},
    {"ranks", "tops", "from_least_finite", kAny},
    {"ranks", "tops", "compared", kAny},
    {"ranks", "tops", "ok_waves", {}, {.items = 64}},
    {"ranks", "tops", "carry_of_first", kAny, {.items = 64}},
    {"ranks", "kept", "ok_ballot"},
    {"ranks", "kept", "ok_counted_lanes"},
    {"ranks", "kept", "half_of_mask", kAny},
    {"ranks", "kept", "tail_counted", kAny},
    {"ranks", "kept", "any_order", kAny},
    {"ranks", "least", "ok_shuffled"},
    {"ranks", "least", "ties_by_lane", kAny},
    {"ranks", "least", "zeros_ordered", kAny},
    {"ranks", "least", "ok_keys"},
    {"ranks", "least", "bits_as_integers", kAny},
    {"ranks", "least", "no_lower_than_zero", kAny},
    {"waves", "shares", "ok_kept"},
    {"waves", "shares", "ok_one_pass"},
    {"waves", "shares", "not_scaled", kAny},
    {"waves", "shares", "one_pass_unguarded", kAny},
    {"waves", "shares", "ok_base_two"},
    {"waves", "shares", "ok_wave", {}, {.items = 64}},
    {"waves", "shares", "ok_reciprocal"},
    {"waves", "shares", "half_reciprocal", kAny},
    {"waves", "shares", "cut_exponentials", kAny},
    {"waves", "weighted", "ok_four_sums"},
    {"waves", "weighted", "ok_pairwise"},
    {"waves", "weighted", "ok_compensated"},
    {"waves", "weighted", "half_blocks", kAny},
    {"waves", "weighted", "cut_products", kAny},
    {"waves", "weighted", "narrow_weights", kAny},
    {"waves", "weighted", "zeros_left_out", kAny},
    {"waves", "products", "ok_mfma"},
    {"waves", "products", "ok_dots"},
    {"waves", "products", "pairs_saturated", kAny},
    {"waves", "products", "clamped", kAny},
    {"waves", "products", "signs_of_one", kAny},
    {"waves", "mixed", "ok_mfma"},
    {"waves", "mixed", "one_side_masked", kAny},
    {"waves", "mixed", "other_narrow_type", kAny},
    {"waves", "mixed", "sum_in_half_at_end", kAny},
    {"waves", "mixed", "ok_tile"},
    {"waves", "normals", "ok_rsqrt"},
    {"waves", "normals", "raw_root", kAny},
    {"waves", "normals", "newton_once", kAny},
    {"waves", "normals", "newton_twice", kAny},
    {"waves", "normals", "least_length", kAny},
    {"waves", "normals", "ok_staged"},
    {"waves", "normals", "stored_early", kAny},
    {"shared", "slid", "halo_of_first", kAny},
    {"shared", "slid", "tail_of_before", kAny},
    {"shared", "slid", "ok_registers"},
    {"shared", "slid", "ok_two_tiles"},
    {"shared", "slid", "wrong_tile", kAny},
    {"shared", "slid", "ok_shuffled"},
    {"shared", "slid", "next_turn_early", kAny},
    {"shared", "probed", "first_place_alone", kAny},
    {"shared", "probed", "by_part_of_key", kAny},
    {"shared", "probed", "eight_steps", kAny},
    {"shared", "probed", "not_around", kAny},
    {"shared", "probed", "ok_two_at_once"},
    {"shared", "summed", "no_fence", kAny},
    {"shared", "summed", "fence_of_workgroup", kAny},
    {"shared", "summed", "ok_by_waves"},
    {"shared", "summed", "plain_ticket", kAny},
    {"shared", "summed", "last_by_number", kAny},
    {"shared", "summed", "ticket_left", kAny},
    {"shared", "tallest", "ok_private"},
    {"shared", "tallest", "from_zero", kAny},
    {"shared", "tallest", "from_minus_a_million", kAny},
    {"shared", "tallest", "merged_plainly", kAny},
    {"shared", "tallest", "as_unsigned", kAny},
    {"shared", "tallest", "as_floats", kAny},
    {"shared", "tallest", "ok_looks_first"},
    {"shared", "tallest", "ok_exchanged"},
    {"shared", "tallest", "exchanged_once", kAny},
    {"wide", "floored", "toward_zero", kAny},
    {"wide", "floored", "one_less", kAny},
    {"wide", "floored", "biased_first", kAny},
    {"wide", "floored", "factor_of_32_bits", kAny},
    {"wide", "floored", "ok_factor"},
    {"wide", "floored", "ok_complement"},
    {"wide", "swapped", "square_planes", kAny},
    {"wide", "swapped", "by_reciprocals", kAny},
    {"wide", "swapped", "short_places", kAny},
    {"wide", "swapped", "ok_one_division"},
    {"wide", "swapped", "ok_strided", {}, {.per = 2}},
    {"wide", "pushed", "velocity_before", kAny},
    {"wide", "pushed", "rate_inside", kAny},
    {"wide", "pushed", "zero_gradients_left_out", kAny},
    {"wide", "pushed", "tail_again", kAny, {.per = 4}},
    {"wide", "pushed", "ok_vectors", {}, {.per = 4}},
    {"wide", "checksums", "ok_table"},
    {"wide", "checksums", "half_of_table", kAny},
    {"wide", "checksums", "table_not_awaited", kAny},
    {"wide", "checksums", "signed_bytes", kAny},
    {"wide", "checksums", "ok_nibbles"},
    {"wide", "woven", "ok_masks"},
    {"wide", "woven", "sign_spreads", kAny},
    {"wide", "woven", "twelve_bits", kAny},
    {"wide", "woven", "short_index", kAny},
    {"wide", "turned2", "ok_tile"},
    {"wide", "turned2", "ok_turned_columns"},
    {"wide", "turned2", "no_barrier", kAny},
    {"wide", "turned2", "bounds_of_source", kAny},
    {"wide", "turned2", "same_pitch", kAny},
    {"wide", "turned2", "short_places", kAny},
    {"wide", "turned2", "ok_columns_first"},
};

class ThirdCheats : public testing::TestWithParam<const char*> {};

TEST_P(ThirdCheats, EachIsRefusedForItsReasonAndHonestOnesPass) {
  expect_answers(RPL_CHEATS, GetParam(), kThirdCases, third_baselines());
}

INSTANTIATE_TEST_SUITE_P(OnBoth, ThirdCheats, testing::Values("gfx90a", "gfx942"));

}  // namespace
}  // namespace rpl
