// SPDX-License-Identifier: MIT
// The fifth set: candidates of further kinds of kernels, written and kept before they were held against verification (docs/testing.md).
// Those whose name begins with ok_ are honest.
#include <cmath>

#include "tests/cheats/corpus.h"

namespace rpl {
namespace {

using namespace test;

constexpr std::int32_t kLength = 1000;

BufferArgument empty(std::uint64_t count, Element element) {
  return {.element = element, .count = count, .fill = {}};
}

template <class T>
BufferArgument numbers(Element element, std::uint64_t count,
                       const std::function<T(std::int64_t)>& value) {
  std::vector<T> out(count);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = value(static_cast<std::int64_t>(i));
  return holding(element, out);
}

BufferArgument bytes(std::uint64_t count, const std::function<int(std::int64_t)>& value) {
  return numbers<std::uint8_t>(Element::u8, count,
                               [&](auto i) { return static_cast<std::uint8_t>(value(i)); });
}

BufferArgument words(std::uint64_t count, std::uint32_t step) {
  return numbers<std::uint32_t>(
      Element::u32, count, [step](auto i) { return static_cast<std::uint32_t>(i + 1) * step; });
}

void add_codes(std::map<std::string, KernelRun>& out) {
  const auto n = number(kLength);
  out["dated"] = launched(
      kLength, 256,
      {integers(kLength, [](auto i) { return i * 19 + 400; }), empty(kLength, Element::u32), n});
  out["adler"] = launched(16, 64,
                          {bytes(6400, [](auto i) { return static_cast<int>(i * 37 % 251); }),
                           empty(16, Element::u32), number(16), number(400)});
  // Numbers of one, two and three bytes in turns.
  out["unpacked"] = launched(
      kLength, 256,
      {bytes(2000, [](auto i) { return static_cast<int>(i % 6 < 3 ? 5 + i % 90 : 0x90 + i % 77); }),
       integers(kLength + 1, [](auto i) { return i / 3 * 6 + (i % 3) * (i % 3 + 1) / 2; }),
       empty(kLength, Element::u32), n});
  out["squared"] = launched(kLength, 256, {words(kLength, 4001), empty(kLength, Element::u32), n});
  const auto codes = [](std::uint64_t count, std::uint64_t factor) {
    return numbers<std::uint64_t>(Element::u64, count, [factor](auto i) {
      return static_cast<std::uint64_t>(i + 3) * factor;
    });
  };
  out["nearest"] = launched(kLength, 256,
                            {codes(100, 0x9e3779b97f4a7c15U), codes(kLength, 0xc2b2ae3d27d4eb4fU),
                             empty(kLength, Element::i32), n, number(100)});
  out["sketched"] = launched(kLength, 256, {words(kLength, 77), empty(64, Element::u32), n});
}

void add_shapes(std::map<std::string, KernelRun>& out) {
  const auto corner = [](double turn, double part) {
    return numbers<float>(Element::f32, 25, [=](auto i) {
      const double angle = static_cast<double>(i % 24) / 24 * 6.283185307179586 + part;
      return static_cast<float>(turn + (i % 2 == 0 ? 0.45 : 0.2) * std::cos(angle));
    });
  };
  out["inside"] = launched(
      kLength, 256,
      {corner(0.5, 0), corner(0.5, -1.5707963267948966), random_floats(kLength, 1),
       random_floats(kLength, 2), empty(kLength, Element::i32), number(kLength), number(25)});
  out["entered"] =
      launched(kLength, 256,
               {random_floats(3 * kLength, 3), random_floats(3 * kLength, 4),
                numbers<float>(Element::f32, 6, [](auto i) { return i < 3 ? 0.75F : 1.5F; }),
                floats(kLength), number(kLength)});
  KernelRun picture = launched_square(
      48, {integers(44 * 21, [](auto i) { return i * 7 % 1000; }), empty(40 * 21, Element::i32),
           number(37), number(21), number(44), number(40), number(12)});
  picture.grid = {48, 32, 1};
  out["pitched"] = picture;
  // Nothing lives at the sides.
  out["lives"] = launched(160, 64,
                          {numbers<std::uint32_t>(Element::u32, 160,
                                                  [](auto i) {
                                                    const auto bits =
                                                        static_cast<std::uint32_t>(i * 2654435761);
                                                    return i % 4 == 0   ? bits & ~1U
                                                           : i % 4 == 3 ? bits & ~0x80000000U
                                                                        : bits;
                                                  }),
                           empty(160, Element::u32), number(4), number(40)});
  out["extended"] =
      launched(206, 64, {random_floats(200, 5), floats(206), number(200), number(3), number(1)});
  out["backwards"] = launched(512, 128, {random_floats(512, 6), floats(512), number(4)});
}

void add_pairs(std::map<std::string, KernelRun>& out) {
  out["merged"] = launched(
      500, 256,
      {integers(500, [](auto i) { return i * 2; }), integers(500, [](auto i) { return i; }),
       integers(500, [](auto i) { return i * 2 + 1; }),
       integers(500, [](auto i) { return 1000 + i; }), empty(1000, Element::i32),
       empty(1000, Element::i32), number(500), number(500)});
  out["edited"] = launched(
      100, 64,
      {bytes(1600, [](auto i) { return static_cast<int>('a' + i * i % 7); }),
       bytes(1600, [](auto i) { return static_cast<int>('a' + (i % 9 == 3 ? i % 5 : i * i % 7)); }),
       empty(100, Element::i32), number(100), number(16)});
  out["gated"] = launched(
      64, 64,
      {random_floats(6400, 7), empty(128, Element::i32), floats(64), number(64), number(100)});
  out["solved"] = launched(
      3 * 128, 128,
      {numbers<float>(Element::f32, 3 * 100 * 100,
                      [](auto i) {
                        const auto row = i % 10'000 / 100, column = i % 100;
                        return row == column
                                   ? 1.0F
                                   : static_cast<float>((row * 7 + column * 3) % 11) * 0.01F;
                      }),
       random_floats(300, 8), floats(300), number(100)});
}

void add_tables(std::map<std::string, KernelRun>& out) {
  out["ordered"] = launched(125, 64,
                            {integers(kLength, [](auto i) { return i * 7919 % 1009; }),
                             empty(kLength, Element::i32), number(125)});
  // Four pages a row, which follow each other; nothing behind the end of a row.
  out["paged"] = launched(
      40, 64,
      {numbers<float>(Element::f32, 40 * 64,
                      [](auto i) {
                        return i % 64 < 5 + i / 64 ? static_cast<float>(i * 31 % 97) * 0.25F : 0.0F;
                      }),
       integers(160, [](auto i) { return i; }), integers(40, [](auto i) { return 5 + i; }),
       floats(40), number(40), number(4), number(16)});
  out["bloomed"] = launched(300, 256, {words(300, 97), empty(32, Element::u32), number(300)});
  out["checked"] = launched(kLength, 256,
                            {words(kLength, 977), words(kLength, 3), empty(kLength, Element::u32),
                             empty(1, Element::u32), number(kLength)});
}

void add_places(std::map<std::string, KernelRun>& out) {
  out["limited"] = launched(kLength, 256,
                            {random_floats(kLength, 9), empty(1, Element::i32), number(kLength),
                             real_number(0.25F), real_number(0.75F)});
  out["curved"] =
      launched(kLength, 256, {random_floats(kLength, 10), floats(kLength), number(kLength)});
  out["energies"] =
      launched(64, 64, {random_floats(64 * 30, 11), floats(64), number(64), number(30)});
}

std::map<std::string, KernelRun> fifth_baselines() {
  std::map<std::string, KernelRun> out;
  add_codes(out);
  add_shapes(out);
  add_pairs(out);
  add_tables(out);
  add_places(out);
  return out;
}

const std::set<std::string> kWrongValues = {"wrong-values"};
const std::set<std::string> kRacy = {"race", "wrong-values", "depends-on-order"};
const std::set<std::string> kUnverified = {"unverified-code"};

const Case kFifthCases[] = {
    {"codes", "dated", "last_day_of_era", kWrongValues},
    {"codes", "dated", "julian", kWrongValues},
    {"codes", "dated", "after_year_zero", kWrongValues},
    {"codes", "dated", "ok_multiplied"},
    {"codes", "adler", "at_the_end", kWrongValues},
    {"codes", "adler", "small_sums", kWrongValues},
    {"codes", "adler", "ok_by_hundreds"},
    {"codes", "adler", "ok_subtracted"},
    {"codes", "unpacked", "three_bytes", kWrongValues},
    {"codes", "unpacked", "all_of_them", kWrongValues},
    {"codes", "unpacked", "last_without_mark", kWrongValues},
    {"codes", "unpacked", "ok_loaded_once"},
    {"codes", "squared", "float", kWrongValues},
    {"codes", "squared", "corrected_down", kWrongValues},
    {"codes", "squared", "signed", kWrongValues},
    {"codes", "squared", "ok_double"},
    {"codes", "squared", "ok_newton"},
    {"codes", "nearest", "last_of_equals", kWrongValues},
    {"codes", "nearest", "sixteen_bits_of_place", kWrongValues},
    {"codes", "nearest", "seven_bits_of_place", kWrongValues},
    {"codes", "nearest", "near_enough", kWrongValues},
    {"codes", "nearest", "tile_of_one_turn", kRacy},
    {"codes", "nearest", "ok_tiled"},
    {"codes", "nearest", "ok_ends_at_equal"},
    {"codes", "sketched", "of_no_zero", kWrongValues},
    {"codes", "sketched", "plain", kRacy},
    {"codes", "sketched", "not_cleared", kWrongValues},
    {"codes", "sketched", "stored", kRacy},
    {"codes", "sketched", "ok_private"},
    {"codes", "sketched", "ok_looks_first"},
    {"shapes", "inside", "closed", kWrongValues},
    {"shapes", "inside", "level_corners", kWrongValues},
    {"shapes", "inside", "rising_alone", kWrongValues},
    {"shapes", "inside", "narrow_edges_are_upright", kWrongValues},
    {"shapes", "inside", "ok_carried"},
    {"shapes", "entered", "no_zero_ways", kWrongValues},
    {"shapes", "entered", "ordered_ways", kWrongValues},
    {"shapes", "entered", "nearly_zero", kWrongValues},
    {"shapes", "entered", "touched_is_missed", kWrongValues},
    {"shapes", "entered", "ok_unrolled"},
    {"shapes", "pitched", "padding_too", {"extra-write"}},
    {"shapes", "pitched", "one_pitch", {"memory-fault"}},
    {"shapes", "pitched", "whole_fours", {"unwritten"}, {.x = {.per = 4}}},
    {"shapes", "pitched", "fours_up", {"extra-write"}, {.x = {.per = 4}}},
    {"shapes", "pitched", "padding_restored", kUnverified},
    {"shapes", "pitched", "ok_fours", {}, {.x = {.per = 4}}},
    {"shapes", "pitched", "ok_vectors", {}, {.x = {.per = 4}}},
    {"shapes", "lives", "two_bits", kWrongValues},
    {"shapes", "lives", "ends_at_the_side", kWrongValues},
    {"shapes", "lives", "empty_stays", kWrongValues},
    {"shapes", "lives", "ok_sliced"},
    {"shapes", "extended", "captured_mode", kWrongValues},
    {"shapes", "extended", "mirrored_once", kWrongValues},
    {"shapes", "extended", "times_zero", {"unverified-code", "wrong-values"}},
    {"shapes", "extended", "ok_middle_first"},
    {"shapes", "backwards", "second_barrier", kRacy},
    {"shapes", "backwards", "one_turn", {"unwritten"}},
    {"shapes", "backwards", "captured_grid", {"unwritten"}},
    {"shapes", "backwards", "barrier_of_some", kRacy},
    {"shapes", "backwards", "ok_two_barriers"},
    {"shapes", "backwards", "ok_two_buffers"},
    {"shapes", "backwards", "ok_ahead"},
    {"pairs", "merged", "b_first", kWrongValues},
    {"pairs", "merged", "no_equals", kRacy},
    {"pairs", "merged", "next_key", kRacy},
    {"pairs", "merged", "as_many_of_both", {"unwritten"}},
    {"pairs", "merged", "ok_halved"},
    {"pairs", "edited", "letters_changed", kWrongValues},
    {"pairs", "edited", "near_the_diagonal", kUnverified},
    {"pairs", "edited", "sixteen_letters", kWrongValues},
    {"pairs", "edited", "ok_bits"},
    {"pairs", "gated", "from_zero", kWrongValues},
    {"pairs", "gated", "later_second", kWrongValues},
    {"pairs", "gated", "best_of_halves", kWrongValues},
    {"pairs", "gated", "ok_wave", {}, {.x = {.items = 64}}},
    {"pairs", "solved", "ones_across", kWrongValues},
    {"pairs", "solved", "not_awaited", kRacy},
    {"pairs", "solved", "zeros_passed_over", kWrongValues},
    {"pairs", "solved", "ok_one_barrier"},
    {"pairs", "solved", "ok_kept"},
    {"tables", "ordered", "one_exchange_less", kWrongValues},
    {"tables", "ordered", "by_difference", kWrongValues},
    {"tables", "ordered", "as_floats", kWrongValues},
    {"tables", "ordered", "ok_network"},
    {"tables", "paged", "shifted", kWrongValues},
    {"tables", "paged", "whole_pages", kWrongValues},
    {"tables", "paged", "pages_in_a_row", {"memory-fault", "wrong-values"}},
    {"tables", "paged", "ok_wave", {}, {.x = {.items = 64}}},
    {"tables", "bloomed", "added", kRacy},
    {"tables", "bloomed", "plain", kRacy},
    {"tables", "bloomed", "other_bit", kWrongValues},
    {"tables", "bloomed", "private_no_barrier", kRacy},
    {"tables", "bloomed", "ok_private"},
    {"tables", "bloomed", "ok_one_word"},
    {"tables", "checked", "no_flags", kWrongValues},
    {"tables", "checked", "flag_stored", kRacy},
    {"tables", "checked", "as_floats", kWrongValues},
    {"tables", "checked", "behind_the_end", {"memory-fault"}},
    {"tables", "checked", "ok_by_wave"},
    {"places", "limited", "equal_ones_count", kWrongValues},
    {"places", "limited", "none_is_low", kWrongValues},
    {"places", "limited", "first_lane_counts", kWrongValues},
    {"places", "limited", "counted_from_zero", kRacy},
    {"places", "limited", "ok_by_wave"},
    {"places", "curved", "kept", kRacy},
    {"places", "curved", "later_launches", kRacy},
    {"places", "curved", "by_clock", kUnverified},
    {"places", "curved", "by_unit", kUnverified},
    {"places", "curved", "by_place_of_arguments", kUnverified},
    {"places", "curved", "by_address", {"unverified-code", "wrong-values"}},
    {"places", "curved", "fours_by_address", {"memory-fault"}, {.x = {.per = 4}}},
    {"places", "curved", "by_size_of_grid", kRacy},
    {"places", "curved", "next_one_read", kWrongValues},
    {"places", "curved", "fours_left_over", {"unwritten"}, {.x = {.per = 4}}},
    {"places", "curved", "stride_short_by_one", {"unwritten"}, {.x = {.per = 4}}},
    {"places", "curved", "halves", kWrongValues},
    {"places", "curved", "ok_strided", {}, {.x = {.per = 4}}},
    {"places", "curved", "ok_fours", {}, {.x = {.per = 4}}},
    {"places", "curved", "ok_aligned_fours", {}, {.x = {.per = 4}}},
    {"places", "energies", "floats", kWrongValues},
    {"places", "energies", "sampled_zero", {"unverified-code", "wrong-values"}},
    {"places", "energies", "ok_squares_in_floats"},
    {"places", "energies", "every_second", kWrongValues},
    {"places", "energies", "half_a_wave", kWrongValues, {.x = {.items = 64}}},
    {"places", "energies", "scratch_not_cleared", kWrongValues},
    {"places", "energies", "ok_wave", {}, {.x = {.items = 64}}},
    {"places", "energies", "ok_four_sums"},
};

// Nothing is wrong with them: the remainder of an unrolled loop never ends at the tile's end, what is left between two ends is never negative, and a row with elements has pages with some.
const Case kFifthUndecided[] = {
    {"shapes", "inside", "ok_tiled", {"unverified-code"}},
    {"pairs", "edited", "ok_equal_ends_left_out", {"unverified-code"}},
    {"tables", "paged", "ok_page_by_page", {"unverified-code"}},
};

class FifthCheats : public testing::TestWithParam<const char*> {};

TEST_P(FifthCheats, EachIsRefusedForItsReasonAndHonestOnesPass) {
  expect_answers(RPL_CHEATS, GetParam(), kFifthCases, fifth_baselines());
}

TEST_P(FifthCheats, WhatStaysOpenIsKnown) {
  expect_answers(RPL_CHEATS, GetParam(), kFifthUndecided, fifth_baselines());
}

// A count of 1 leaves the baseline's workgroups nothing to do, where the grid is the captured one.
TEST(FifthCheatsOfLongRuns, ATileInLdsPasses) {
  constexpr std::uint32_t kSide = 384;
  const Case cases[] = {{"tables", "multiplied", "ok_tiled"}};
  const std::map<std::string, KernelRun> runs = {
      {"multiplied",
       launched_square(kSide,
                       {random_floats(kSide * kSide, 12), random_floats(kSide * kSide, 13),
                        floats(kSide * kSide), number(kSide), number(kSide), number(kSide)})}};
  expect_answers(RPL_CHEATS, "gfx942", cases, runs);
}

INSTANTIATE_TEST_SUITE_P(OnBoth, FifthCheats, testing::Values("gfx90a", "gfx942"));

}  // namespace
}  // namespace rpl
