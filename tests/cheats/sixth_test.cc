// SPDX-License-Identifier: MIT
// The sixth set: candidates of kernels as hosts launch them, over megabytes, of which verification runs less (docs/testing.md). Written and kept before they
// were held against it. Those whose name begins with ok_ are honest.
#include "tests/cheats/corpus.h"

namespace rpl {
namespace {

using namespace test;

BufferArgument empty(std::uint64_t count, Element element) {
  return {.element = element, .count = count, .fill = {}};
}

void add_large(std::map<std::string, KernelRun>& out) {
  constexpr std::int32_t kCount = 1'200'004, kSide = 256;
  out["blended"] = launched(kCount, 256,
                            {random_floats(kCount, 1), random_floats(kCount, 2), floats(kCount),
                             real_number(0.5F), number(kCount)});
  out["rowed"] =
      launched(1100 * 256, 256, {random_floats(1100 * 1000, 3), floats(1100), number(1000)});
  out["matrixed"] =
      launched_square(kSide, {random_floats(kSide * kSide, 4), random_floats(kSide * kSide, 5),
                              floats(kSide * kSide), number(kSide), number(kSide), number(kSide)});
}

void add_further(std::map<std::string, KernelRun>& out) {
  constexpr std::int32_t kSide = 1008, kBytes = (1 << 22) + 4, kCount = 1'200'004;
  out["turned"] = launched_square(kSide, {random_floats(kSide * kSide, 6), floats(kSide * kSide),
                                          number(kSide), number(kSide)});
  std::vector<std::uint8_t> bytes(kBytes);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::uint8_t>((i * 2654435761U) >> 20);
  out["tallied"] = launched(
      64 * 256, 256, {holding(Element::u8, bytes), empty(256, Element::u32), number(kBytes)});
  out["spread"] = launched_square(kSide, {random_floats(kSide * kSide, 7), floats(kSide * kSide),
                                          real_number(0.2F), number(kSide), number(kSide)});
  out["looked"] = launched(
      kCount, 256,
      {random_floats(1000, 8),
       integers(kCount,
                [](auto i) { return static_cast<std::int32_t>(std::int64_t{i} * 7919 % 1000); }),
       floats(kCount), number(kCount), number(1000)});
  out["softened"] =
      launched(1050 * 64, 64, {random_floats(1050 * 1000, 9), floats(1050 * 1000), number(1000)});
  out["summed"] = launched(kCount, 256,
                           {integers(
                                kCount, [](auto i) { return i % 89; }, Element::u32),
                            empty(kCount, Element::u32), number(kCount)});
}

std::map<std::string, KernelRun> sixth_baselines() {
  std::map<std::string, KernelRun> out;
  add_large(out);
  add_further(out);
  return out;
}

const std::set<std::string> kWrongValues = {"wrong-values"};
const std::set<std::string> kUnverified = {"unverified-code"};
const std::set<std::string> kRacy = {"race", "wrong-values", "depends-on-order"};

/// What was let through before larger buffers, long rows and equal integers were tried on such dispatches, and honest ones of the same kernels.
const Case kSixthLetThrough[] = {
    {"megabytes", "tallied", "halfwords", kWrongValues},
    {"megabytes", "tallied", "ok_private"},
    {"megabytes", "looked", "short", {"wrong-values", "memory-fault"}},
    {"megabytes", "looked", "in_pairs", kWrongValues},
    {"megabytes", "looked", "ok_two", {}, {.x = {.per = 2}}},
    {"megabytes", "softened", "maximum_of_the_first", kWrongValues},
    {"megabytes", "softened", "sixteen_kept", {"unwritten", "wrong-values"}},
    {"megabytes", "softened", "ok_stored_between"},
};

const Case kSixthCases[] = {
    {"large", "blended", "short_index", {"unwritten"}},
    {"large", "blended", "medium_counts", kWrongValues},
    {"large", "blended", "fours_of_all", {"memory-fault", "extra-write"}, {.x = {.per = 4}}},
    {"large", "blended", "fours_without_rest", {"unwritten"}, {.x = {.per = 4}}},
    {"large", "blended", "late_ones", kWrongValues},
    {"large", "blended", "one_scale", kWrongValues},
    {"large", "blended", "faint_far", kWrongValues},
    {"large", "blended", "ok_fours", {}, {.x = {.per = 4}}},
    {"large", "blended", "ok_strided"},
    {"large", "rowed", "sixteen_steps", kUnverified},
    {"large", "rowed", "no_barrier", kRacy},
    {"large", "rowed", "fours", kWrongValues},
    {"large", "rowed", "narrow_place", kUnverified},
    {"large", "rowed", "halves", kWrongValues},
    {"large", "rowed", "every_second_far_row", kWrongValues},
    {"large", "rowed", "ok_waves"},
    {"large", "rowed", "ok_two_sums"},
    {"large", "matrixed", "whole_tiles", kWrongValues},
    {"large", "matrixed", "second_barrier", kRacy},
    {"large", "matrixed", "square", kWrongValues},
    {"large", "matrixed", "no_far_terms", kWrongValues},
    {"large", "matrixed", "rounded_factors", kWrongValues},
    {"large", "matrixed", "no_bounds", {"memory-fault", "extra-write", "wrong-values"}},
    {"large", "matrixed", "small_products", kWrongValues},
    {"large", "matrixed", "zeros_passed_over", kWrongValues},
    {"large", "matrixed", "last_tile_kept", kWrongValues},
    {"large", "matrixed", "ok_tiled"},
    {"large", "matrixed", "ok_two_sums"},
    {"large", "matrixed", "ok_four_columns", {}, {.x = {.per = 4}}},
    {"megabytes", "turned", "square", {"unwritten", "wrong-values"}},
    {"megabytes", "turned", "no_barrier", kRacy},
    {"megabytes", "turned", "whole_tiles", {"unwritten"}},
    {"megabytes", "turned", "swapped_bounds", {"unwritten", "wrong-values", "extra-write", "race"}},
    {"megabytes", "turned", "far_corner", kWrongValues},
    {"megabytes", "turned", "ok_tile"},
    {"megabytes", "tallied", "not_cleared", kWrongValues},
    {"megabytes", "tallied", "no_barrier", kRacy},
    {"megabytes", "tallied", "stored", kRacy},
    {"megabytes", "tallied", "signed_bytes", kWrongValues},
    {"megabytes", "tallied", "ok_by_words"},
    {"megabytes", "spread", "border_too", kWrongValues},
    {"megabytes", "spread", "last_border_forgotten", kWrongValues},
    {"megabytes", "spread", "calm_ones_stay", kWrongValues},
    {"megabytes", "spread", "tile_without_halo", kWrongValues},
    {"megabytes", "spread", "ok_tile"},
    {"megabytes", "looked", "thousand_in_lds", kWrongValues, {}, "5 as captured"},
    {"megabytes", "softened", "no_maximum", kWrongValues},
    {"megabytes", "softened", "small_ones_are_zero", kWrongValues},
    {"megabytes", "softened", "ok_online", {}, {}, "1 in -60..60"},
    {"megabytes", "summed", "no_barrier", kRacy},
    {"megabytes", "summed", "one_wave_back", kWrongValues},
    {"megabytes", "summed", "halfword_ends", kWrongValues},
    {"megabytes", "summed", "far_seven", kUnverified},
    {"megabytes", "summed", "ok_waves"},
    {"megabytes", "summed", "ok_serial_ends"},
};

// Nothing is wrong with it: a number that the baseline does not look at says how long its table is, and it is the captured one, so that the lesser of two is always the same.
const Case kSixthUndecided[] = {
    {"megabytes", "looked", "ok_lds_first", kUnverified, {}, "5 as captured"},
};

TEST(SixthCheats, WhatWasLetThroughIsRefused) {
  expect_answers(RPL_CHEATS, "gfx942", kSixthLetThrough, sixth_baselines());
}

TEST(SixthCheats, EachIsRefusedForItsReasonAndHonestOnesPass) {
  expect_answers(RPL_CHEATS, "gfx942", kSixthCases, sixth_baselines());
}

TEST(SixthCheats, WhatStaysOpenIsKnown) {
  expect_answers(RPL_CHEATS, "gfx942", kSixthUndecided, sixth_baselines());
}

}  // namespace
}  // namespace rpl
