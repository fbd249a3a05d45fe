// SPDX-License-Identifier: MIT
// The fourth set: candidates of other kinds of kernels than the first three, written and kept before they were held against verification (docs/testing.md).
// Those whose name begins with ok_ are honest.
#include "tests/cheats/corpus.h"

namespace rpl {
namespace {

using namespace test;

constexpr std::int32_t kLength = 1000;

KernelRun in_space(emu::Size3 grid, emu::Size3 workgroup, std::vector<emu::Argument> arguments) {
  KernelRun out;
  out.grid = grid;
  out.workgroup = workgroup;
  out.arguments = std::move(arguments);
  return out;
}

BufferArgument random_numbers(std::uint64_t count, Element element, std::uint64_t seed) {
  return {.element = element,
          .count = count,
          .fill = {.kind = Fill::Kind::random, .seed = seed, .bytes = {}}};
}

BufferArgument empty(std::uint64_t count, Element element) {
  return {.element = element, .count = count, .fill = {}};
}

emu::ValueArgument long_number(std::int64_t value) {
  std::vector<std::byte> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return {.bytes = std::move(bytes), .element = Element::i64};
}

template <class T>
BufferArgument numbers(Element element, std::uint64_t count,
                       const std::function<T(std::int64_t)>& value) {
  std::vector<T> out(count);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = value(static_cast<std::int64_t>(i));
  return holding(element, out);
}

void add_doubles(std::map<std::string, KernelRun>& out) {
  out["distances"] =
      in_space({48, 48, 1}, {16, 16, 1},
               {random_numbers(1600, Element::f64, 1), random_numbers(1600, Element::f64, 2),
                empty(1600, Element::f64), number(40), number(40), number(40)});
  out["horner"] = launched(
      kLength, 256,
      {random_numbers(kLength, Element::f64, 3), empty(kLength, Element::f64), number(kLength)});
  const auto begins = numbers<std::int64_t>(Element::i64, kLength, [](auto i) { return i * 977; });
  const auto ends = numbers<std::int64_t>(Element::i64, kLength,
                                          [](auto i) { return i * 977 + i * i * 31 % 5003; });
  out["gaps"] = launched(
      kLength, 256, {begins, ends, empty(kLength, Element::i64), number(kLength), long_number(24)});
  out["updated"] =
      in_space({3 * 64, 3, 1}, {64, 1, 1},
               {random_numbers(40 * 24, Element::f64, 4), random_numbers(24 * 40, Element::f64, 5),
                random_numbers(1600, Element::f64, 6), number(40), number(40), number(24)});
}

void add_graphs(std::map<std::string, KernelRun>& out) {
  constexpr std::int32_t kVertices = 300, kDegree = 5, kFrontier = 100;
  out["expanded"] = launched(
      kFrontier, 64,
      {integers(kVertices + 1, [](auto i) { return i * kDegree; }),
       integers(std::uint64_t{kVertices} * kDegree,
                [](auto e) { return (e / kDegree * 7 + e % kDegree * 41 + 1) % kVertices; }),
       integers(kVertices, [](auto i) { return i % 3 == 0 ? i % 2 : -1; }),
       integers(kFrontier, [](auto i) { return i * 3; }), empty(kVertices, Element::i32),
       empty(1, Element::i32), number(kFrontier), number(2)});
  out["rooted"] = launched(kLength, 256,
                           {integers(kLength, [](auto i) { return i % 7 == 0 ? i : i - 1; }),
                            empty(kLength, Element::i32), number(kLength)});
  out["coordinates"] =
      launched(kLength, 256,
               {integers(kLength, [](auto i) { return i / 5; }),
                integers(kLength, [](auto i) { return i * 13 % 200; }), random_floats(kLength, 7),
                random_floats(200, 8), floats(200), number(kLength)});
  out["restarted"] =
      launched(kLength, 256,
               {integers(kLength, [](auto i) { return i * 31 % 97; }),
                numbers<std::uint8_t>(Element::u8, kLength,
                                      [](auto i) -> std::uint8_t { return i % 23 == 4; }),
                empty(kLength, Element::i32), number(kLength)});
}

void add_signals(std::map<std::string, KernelRun>& out) {
  out["blended"] =
      launched(kLength, 256,
               {random_numbers(kLength, Element::i16, 9), random_numbers(kLength, Element::i16, 10),
                empty(kLength, Element::i16), number(kLength), number(12000)});
  out["decayed"] = launched(
      64, 64,
      {random_floats(6400, 11), floats(6400), number(64), number(100), real_number(0.875F)});
  out["walsh"] = launched(4 * 256, 256, {random_floats(1024, 12), floats(1024)});
  out["ringed"] = launched(
      1024, 256,
      {random_floats(1024, 13), random_floats(9, 14), floats(1024), number(1024), number(9)});
}

void add_images(std::map<std::string, KernelRun>& out) {
  out["heat"] = in_space({16, 16, 8}, {8, 8, 4},
                         {random_floats(1536, 15), floats(1536), number(16), number(16), number(6),
                          real_number(0.125F)});
  out["sampled"] =
      launched(kLength, 256,
               {random_floats(400, 16),
                numbers<float>(Element::f32, 2 * kLength,
                               [](auto i) { return static_cast<float>(i * 37 % 1900) * 0.01F; }),
                floats(kLength), number(kLength), number(20), number(20)});
  out["medians"] = in_space(
      {48, 48, 1}, {16, 16, 1},
      {numbers<std::uint16_t>(Element::u16, 1600,
                              [](auto i) { return static_cast<std::uint16_t>(i * 7919 % 1024); }),
       empty(1600, Element::u16), number(40), number(40)});
  out["columned"] = launched(3 * 9 * 100, 256,
                             {random_floats(300, 17), floats(2700), number(3), number(10),
                              number(10), number(3), number(1)});
}

void add_text(std::map<std::string, KernelRun>& out) {
  out["matched"] =
      launched(kLength, 256,
               {numbers<std::uint8_t>(
                    Element::u8, kLength,
                    [](auto i) { return static_cast<std::uint8_t>("abcdabce"[i * i % 11 % 8]); }),
                numbers<std::uint8_t>(Element::u8, 4,
                                      [](auto i) { return static_cast<std::uint8_t>("abce"[i]); }),
                empty(1, Element::i32), number(kLength), number(4)});
  out["terminated"] =
      launched(128, 64,
               {numbers<std::uint8_t>(Element::u8, 128 * 32,
                                      [](auto i) {
                                        return static_cast<std::uint8_t>(
                                            i % 32 < i / 32 * 7 % 33 ? 97 + i % 26 : 0);
                                      }),
                empty(128, Element::i32), number(128), number(32)});
  out["masked"] =
      launched(kLength / 8, 64,
               {numbers<std::uint8_t>(Element::u8, kLength,
                                      [](auto i) -> std::uint8_t { return i * i % 7 < 3; }),
                empty(kLength / 8, Element::u8), number(kLength)});
  out["decoded"] =
      launched(kLength, 256,
               {numbers<std::uint8_t>(Element::u8, kLength,
                                      [](auto i) { return static_cast<std::uint8_t>(i * 5); }),
                floats(kLength), number(kLength)});
}

void add_models(std::map<std::string, KernelRun>& out) {
  out["rotated"] = launched(640, 256,
                            {random_numbers(1280, Element::f16, 18), random_floats(640, 19),
                             random_floats(640, 20), number(20), number(32)});
  out["losses"] = launched(64, 64,
                           {random_floats(6400, 21),
                            integers(64, [](auto i) { return i % 9 == 4 ? -100 : i * 37 % 100; }),
                            floats(64), floats(64), number(64), number(100)});
  out["gelus"] = launched(
      kLength, 256,
      {random_numbers(kLength, Element::f16, 22), empty(kLength, Element::f16), number(kLength)});
  out["tallied"] =
      launched(kLength, 256,
               {random_floats(kLength, 23), integers(kLength, [](auto i) { return i * 29 % 64; }),
                floats(64), number(kLength)});
  out["pulled"] =
      launched(128, 64, {random_floats(512, 24), floats(512), number(128), real_number(0.0625F)});
  out["randoms"] = launched(kLength, 256, {floats(kLength), number(kLength), number(12345)});
  out["divisors"] = launched(
      kLength, 256,
      {numbers<std::uint32_t>(Element::u32, kLength,
                              [](auto i) { return static_cast<std::uint32_t>(i * 60 + 15); }),
       numbers<std::uint32_t>(Element::u32, kLength,
                              [](auto i) { return static_cast<std::uint32_t>(i * 25 + 5); }),
       empty(kLength, Element::u32), number(kLength)});
}

void add_nearby(std::map<std::string, KernelRun>& out) {
  const auto n = number(kLength);
  out["runs"] = launched(
      kLength, 256,
      {integers(kLength, [](auto i) { return i / 3 % 5; }), empty(kLength, Element::i32), n});
  out["collected"] = launched(
      kLength, 256,
      {random_floats(kLength, 30), floats(kLength), empty(1, Element::i32), n, real_number(0.25F)});
  out["paired"] = launched(
      kLength, 256,
      {integers(kLength, [](auto i) { return i % 3 == 0 ? i * 7 : 0; }),
       empty(kLength, Element::i32), empty(kLength, Element::i32), empty(2, Element::i32), n});
  out["labelled"] = launched(kLength, 256,
                             {random_floats(kLength, 31),
                              integers(kLength, [](auto i) { return i % 11 == 3 ? -1 : i % 8; }),
                              random_floats(8, 32), floats(kLength), n, number(8)});
  out["ratios"] = launched(kLength, 256,
                           {integers(kLength, [](auto i) { return i * 1001 - 300'000; }),
                            empty(kLength, Element::i32), n, number(48'000), number(44'100)});
  out["bucketed"] = launched(
      kLength, 256, {integers(kLength, [](auto i) { return i / 9; }), empty(112, Element::i32), n});
  out["filtered"] =
      launched(kLength, 256,
               {random_floats(kLength, 33), random_floats(5, 34), floats(kLength), n, number(5)});
  out["softened"] = launched(kLength, 256, {random_floats(kLength, 35), floats(kLength), n});
  out["means"] = launched(128, 64,
                          {integers(129, [](auto i) { return i * 9 - i % 4; }),
                           random_floats(1152, 36), floats(128), number(128)});
  out["hits"] = launched(64, 64,
                         {random_floats(6400, 37), empty(64, Element::i32), number(64), number(100),
                          real_number(0.75F)});
}

std::map<std::string, KernelRun> fourth_baselines() {
  std::map<std::string, KernelRun> out;
  add_doubles(out);
  add_graphs(out);
  add_signals(out);
  add_images(out);
  add_text(out);
  add_models(out);
  add_nearby(out);
  return out;
}

const std::set<std::string> kWrongValues = {"wrong-values"};
// Where the baseline finds nothing its count is an input.
const std::set<std::string> kWrongCount = {"wrong-values", "input-changed"};
const std::set<std::string> kRacy = {"race", "wrong-values", "depends-on-order"};

const Case kFourthCases[] = {
    {"doubles", "distances", "expanded", kWrongValues},
    {"doubles", "distances", "float_differences", kWrongValues},
    {"doubles", "distances", "tile_of_depth", kWrongValues},
    {"doubles", "distances", "ok_tile"},
    {"doubles", "distances", "ok_two_sums"},
    {"doubles", "horner", "float_constants", kWrongValues},
    {"doubles", "horner", "last_digit", kWrongValues},
    {"doubles", "horner", "float_high_terms", kWrongValues},
    {"doubles", "horner", "ok_pairs", {}, {}, "1 in -100..100"},
    {"doubles", "horner", "ok_strided"},
    {"doubles", "gaps", "narrow", kWrongValues},
    {"doubles", "gaps", "by_double", kWrongValues},
    {"doubles", "gaps", "by_reciprocal", kWrongValues},
    {"doubles", "gaps", "unsigned", kWrongValues},
    {"doubles", "gaps", "shifted", kWrongValues},
    {"doubles", "updated", "ok_mfma"},
    {"doubles", "updated", "mfma_stores", kWrongValues},
    {"doubles", "updated", "mfma_last_again", kWrongValues},
    {"graphs", "expanded", "unclaimed", kRacy},
    {"graphs", "expanded", "eight_edges", kWrongValues},
    {"graphs", "expanded", "raised", kWrongValues},
    {"graphs", "expanded", "first_lane_leads", kWrongValues},
    {"graphs", "expanded", "ok_pushed_together"},
    {"graphs", "expanded", "ok_looks_first"},
    {"graphs", "rooted", "sixteen_steps", kWrongValues},
    {"graphs", "rooted", "shortened", {"input-changed", "input-written", "race"}},
    {"graphs", "rooted", "of_lower_ones", kRacy},
    {"graphs", "rooted", "ok_two_steps"},
    {"graphs", "coordinates", "sorted_rows", kWrongValues},
    {"graphs", "coordinates", "lone_rows", kRacy},
    {"graphs", "coordinates", "small_left_out", kWrongValues},
    {"graphs", "coordinates", "ok_uniform"},
    {"graphs", "coordinates", "ok_pairs", {}, {.x = {.per = 2}}},
    {"graphs", "restarted", "heads_are_one", kWrongValues},
    {"graphs", "restarted", "wave_before_alone", kWrongValues},
    {"graphs", "restarted", "sums_not_awaited", kRacy},
    {"graphs", "restarted", "ok_waves"},
    {"graphs", "restarted", "ok_staged"},
    {"signals", "blended", "wraps", kWrongValues},
    {"signals", "blended", "product_in_16_bits", {"unverified-code"}},
    {"signals", "blended", "symmetric", kWrongValues},
    {"signals", "blended", "rounded", kWrongValues},
    {"signals", "blended", "pairs_alone", {"unwritten"}, {.x = {.per = 2}}},
    {"signals", "blended", "ok_pairs", {}, {.x = {.per = 2}}},
    {"signals", "blended", "ok_overflow_by_sign"},
    {"signals", "decayed", "small_states_end", kWrongValues},
    {"signals", "decayed", "begins_again", kWrongValues},
    {"signals", "decayed", "difference_form", kWrongValues},
    {"signals", "decayed", "ok_four_loads"},
    {"signals", "decayed", "ok_two_ahead", {}, {}, "5 in -1..1"},
    {"signals", "walsh", "waves_alone", kRacy},
    {"signals", "walsh", "half_waves", kWrongValues},
    {"signals", "walsh", "one_barrier", kRacy},
    {"signals", "walsh", "ok_shuffled"},
    {"signals", "walsh", "ok_two_buffers"},
    {"signals", "ringed", "masked", kWrongValues},
    {"signals", "ringed", "around_once", {"memory-fault"}},
    {"signals", "ringed", "small_weights_left_out", kWrongValues},
    {"signals", "ringed", "ok_counting_down"},
    {"signals", "ringed", "ok_two_sums"},
    {"images", "heat", "cube", kRacy},
    {"images", "heat", "next_row", kWrongValues},
    {"images", "heat", "tile_not_awaited", kRacy},
    {"images", "heat", "ok_places"},
    {"images", "heat", "ok_tile"},
    {"images", "sampled", "toward_zero", kWrongValues},
    {"images", "sampled", "eight_bits", kWrongValues},
    {"images", "sampled", "square", kWrongValues},
    {"images", "sampled", "ok_differences", {}, {}, "1 in -1000000..1000000"},
    {"images", "sampled", "ok_inside_first"},
    {"images", "medians", "one_exchange_less", kWrongValues},
    {"images", "medians", "signed", kWrongValues},
    {"images", "medians", "border_kept", kWrongValues},
    {"images", "medians", "of_medians", kWrongValues},
    {"images", "medians", "ok_network"},
    {"images", "medians", "ok_rows"},
    {"images", "columned", "nearest", kWrongValues},
    {"images", "columned", "size_three", kWrongValues},
    {"images", "columned", "one_side", kWrongValues},
    {"images", "columned", "ok_one_comparison"},
    {"images", "columned", "ok_unsigned_division"},
    {"text", "matched", "four_bytes", kWrongCount},
    {"text", "matched", "by_sum", kWrongCount},
    {"text", "matched", "up_to_zero", kWrongCount},
    {"text", "matched", "last_left_out", kWrongCount},
    {"text", "matched", "seen_by_ballot", kWrongCount},
    {"text", "matched", "ok_counted_by_wave"},
    {"text", "matched", "ok_from_behind"},
    {"text", "terminated", "without_complement", kWrongValues},
    {"text", "terminated", "last_zero", kWrongValues},
    {"text", "terminated", "past_the_record", kWrongValues},
    {"text", "terminated", "ok_words"},
    {"text", "masked", "low_bits", kWrongValues},
    {"text", "masked", "multiplied", kWrongValues},
    {"text", "masked", "last_repeated", kWrongValues},
    {"text", "masked", "ok_words"},
    {"text", "masked", "ok_ballot", {}, {.x = {.items = 8}}},
    {"text", "masked", "ballot_of_half", kWrongValues, {.x = {.items = 8}}},
    {"text", "decoded", "no_denormals", kWrongValues},
    {"text", "decoded", "no_nan", kWrongValues},
    {"text", "decoded", "negative_zero_is_nan", kWrongValues},
    {"text", "decoded", "ok_shifted"},
    {"text", "decoded", "ok_table"},
    {"models", "rotated", "first_updated", kWrongValues},
    {"models", "rotated", "in_halves", kWrongValues},
    {"models", "rotated", "narrow_tables", kWrongValues},
    {"models", "rotated", "angles_of_first_row", kWrongValues},
    {"models", "rotated", "ok_pairs", {}, {.x = {.per = 2}}},
    {"models", "losses", "not_shifted", kWrongValues},
    {"models", "losses", "by_share", kWrongValues},
    {"models", "losses", "far_left_out", kWrongValues},
    {"models", "losses", "labels_kept_in", kWrongValues},
    {"models", "losses", "ok_wave", {}, {.x = {.items = 64}}},
    {"models", "losses", "ok_base_two"},
    {"models", "gelus", "by_tanh", kWrongValues},
    {"models", "gelus", "by_sigmoid", kWrongValues},
    {"models", "gelus", "beyond_three", kWrongValues},
    {"models", "gelus", "ok_pairs", {}, {.x = {.per = 2}}},
    {"models", "gelus", "ok_complement"},
    {"models", "tallied", "fixed_point", kWrongValues},
    {"models", "tallied", "positive_alone", kWrongValues},
    {"models", "tallied", "plain_in_lds", kRacy},
    {"models", "tallied", "ok_private"},
    {"models", "pulled", "far_left_out", kWrongValues},
    {"models", "pulled", "whole_tiles", kWrongValues},
    {"models", "pulled", "mass_not_kept", {"unwritten"}},
    {"models", "pulled", "ok_tiles"},
    {"models", "pulled", "ok_backwards"},
    {"models", "randoms", "all_bits", kWrongValues},
    {"models", "randoms", "low_bits", kWrongValues},
    {"models", "randoms", "short_counter", kWrongValues},
    {"models", "randoms", "of_fraction", kWrongValues},
    {"models", "randoms", "seed_added", kWrongValues},
    {"models", "randoms", "ok_four", {}, {.x = {.per = 4}}},
    {"models", "randoms", "ok_masked"},
    {"models", "divisors", "signed", kWrongValues},
    {"models", "divisors", "few_steps", kWrongValues},
    {"models", "divisors", "odd_part", kWrongValues},
    {"models", "divisors", "ok_binary"},
};

// What is near to what the first of them showed, written after that was mended.
const Case kNearby[] = {
    {"nearby", "runs", "up_to_sixty_four", kWrongValues},
    {"nearby", "runs", "first_is_same", kWrongValues},
    {"nearby", "runs", "ok_staged"},
    {"nearby", "collected", "magnitudes", kWrongValues},
    {"nearby", "collected", "rounded", kWrongValues},
    {"nearby", "collected", "above_zero_too", kWrongValues},
    {"nearby", "collected", "ok_by_wave"},
    {"nearby", "paired", "apart", kWrongValues},
    {"nearby", "paired", "short_places", kWrongValues},
    {"nearby", "paired", "ok_by_wave"},
    {"nearby", "labelled", "first_is_none", kWrongValues},
    {"nearby", "labelled", "small_products_left_out", kWrongValues},
    {"nearby", "labelled", "ok_one_comparison"},
    {"nearby", "ratios", "in_32_bits", kWrongValues},
    {"nearby", "ratios", "shifted", kWrongValues},
    {"nearby", "ratios", "divided_first", kWrongValues},
    {"nearby", "ratios", "ok_shifted"},
    {"nearby", "bucketed", "same_ends", kWrongValues},
    {"nearby", "bucketed", "same_pairs", kWrongValues},
    {"nearby", "bucketed", "ok_run_lengths"},
    {"nearby", "filtered", "zero_inputs_left_out", kWrongValues},
    {"nearby", "filtered", "symmetric", kWrongValues},
    {"nearby", "filtered", "ok_from_behind"},
    {"nearby", "softened", "above_eight", kWrongValues},
    {"nearby", "softened", "below_minus_eight", kWrongValues},
    {"nearby", "softened", "plain_logarithm", kWrongValues},
    {"nearby", "softened", "ok_above_thirty"},
    {"nearby", "means", "empty_is_zero", kWrongValues},
    {"nearby", "means", "one_turn", kWrongValues, {.x = {.items = 64}}},
    {"nearby", "means", "ok_wave", {}, {.x = {.items = 64}}},
    {"nearby", "hits", "first_wave_alone", kWrongValues, {.x = {.items = 64}}},
    {"nearby", "hits", "not_below", kWrongValues},
    {"nearby", "hits", "ok_wave", {}, {.x = {.items = 64}}},
};

// Nothing is wrong with it: within a division of 64 bits the compiler asks once more whether 32 are enough.
const Case kUndecidedStill[] = {{"doubles", "gaps", "ok_short", {"unverified-code"}}};

class FourthCheats : public testing::TestWithParam<const char*> {};

TEST_P(FourthCheats, EachIsRefusedForItsReasonAndHonestOnesPass) {
  expect_answers(RPL_CHEATS, GetParam(), kFourthCases, fourth_baselines());
}

TEST_P(FourthCheats, AndSoAreThoseNearby) {
  expect_answers(RPL_CHEATS, GetParam(), kNearby, fourth_baselines());
}

TEST_P(FourthCheats, WhatStaysOpenIsKnown) {
  expect_answers(RPL_CHEATS, GetParam(), kUndecidedStill, fourth_baselines());
}

INSTANTIATE_TEST_SUITE_P(OnBoth, FourthCheats, testing::Values("gfx90a", "gfx942"));

}  // namespace
}  // namespace rpl
