// SPDX-License-Identifier: MIT
// The second set: candidates that were written without a look at what verification does, and held against it once before anything was changed for them
// (docs/testing.md). Those whose name begins with ok_ are honest.
#include "tests/cheats/corpus.h"

namespace rpl {
namespace {

using namespace test;

constexpr std::int32_t kCount = 1000;

KernelRun launched_groups(std::uint32_t groups, std::uint32_t workgroup,
                          std::vector<emu::Argument> arguments) {
  return launched(groups * workgroup, workgroup, std::move(arguments));
}

BufferArgument bytes(std::uint64_t count, Element element, std::uint32_t factor) {
  std::vector<std::uint8_t> out(count);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::uint8_t>(i * factor);
  return holding(element, out);
}

BufferArgument zeros(std::uint64_t count, Element element = Element::i32) {
  return {.element = element, .count = count, .fill = {}};
}

BufferArgument random_halves(std::uint64_t count, std::uint64_t seed) {
  return emu::halves(count, seed);
}

void add_numbers(std::map<std::string, KernelRun>& out) {
  const auto n = number(kCount);
  out["cmul"] =
      launched(kCount, 256,
               {random_floats(2 * kCount, 1), random_floats(2 * kCount, 2), floats(2 * kCount), n});
  out["blend"] = launched(kCount, 256,
                          {random_halves(kCount, 1), random_halves(kCount, 2),
                           zeros(kCount, Element::f16), n, real_number(0.25F)});
  out["narrowed"] =
      launched(kCount, 256, {random_floats(kCount, 3), zeros(kCount, Element::bf16), n});
  out["sigmoid"] = launched(kCount, 256, {random_floats(kCount, 4), floats(kCount), n});
  out["halved"] = launched(kCount, 256, {random_floats(kCount, 5), floats(kCount), n});
  out["exchanged"] =
      launched(1024, 256, {random_floats(1024, 6), number(1024), number(128), number(256)});
}

void add_bits(std::map<std::string, KernelRun>& out) {
  const auto n = number(kCount);
  const auto small = [](std::int32_t i) { return i * 37 % 1000; };
  out["middle"] = launched(
      kCount, 256,
      {integers(kCount, small), integers(kCount, [](auto i) { return i; }), zeros(kCount), n});
  out["split"] = launched(kCount, 256,
                          {integers(kCount, small, Element::u32), zeros(kCount, Element::u32),
                           zeros(kCount, Element::u32), n, number(8)});
  out["mirrored"] = launched(
      kCount, 256, {integers(kCount, small, Element::u32), zeros(kCount, Element::u32), n});
  out["zeros"] = launched(
      kCount, 256,
      {integers(kCount, [](auto i) { return 2 + i % 200; }, Element::u32), zeros(kCount), n});
  out["turned"] = launched(kCount, 256, {integers(kCount, small), zeros(kCount), n, number(5)});
  out["gray"] =
      launched(kCount, 256, {bytes(4 * kCount, Element::u8, 7), zeros(kCount, Element::u8), n});
  out["dots"] = launched(64, 64,
                         {bytes(6400, Element::i8, 5), bytes(100, Element::i8, 3), zeros(64),
                          number(64), number(100)});
  out["found"] = launched(kCount, 256,
                          {integers(500, [](auto i) { return 2 * i; }),
                           integers(kCount, [](auto i) { return i * 37 % 500 * 2 + 1; }),
                           zeros(kCount), n, number(500)});
  out["scattered"] =
      launched(kCount, 256,
               {integers(1024, small), integers(1024, [](auto i) { return i; }), zeros(1024), n});
}

void add_rows(std::map<std::string, KernelRun>& out) {
  const auto rows = number(64), columns = number(100);
  const auto by_row = [&] {
    return launched(64, 64, {random_floats(6400, 7), floats(64), rows, columns});
  };
  out["spreads"] = by_row();
  out["totals"] = by_row();
  out["entropies"] = by_row();
  out["halfdot"] =
      launched(64, 64, {random_halves(6400, 8), random_halves(100, 9), floats(64), rows, columns});
  out["lengths"] =
      launched_groups(16, 64, {random_floats(1600, 10), floats(1600), columns, real_number(1e-5F)});
}

void add_tiles(std::map<std::string, KernelRun>& out) {
  const auto n = number(kCount);
  const auto small = [](std::int32_t i) { return i * 31 % 97; };
  KernelRun smoothed = launched_square(48, {random_floats(1600, 11), floats(9, Fill::Kind::one),
                                            floats(1600), number(40), number(40)});
  out["smoothed"] = smoothed;
  out["highest"] = launched(
      kCount, 256, {integers(kCount, [](auto i) { return i * 31 % 1009; }), zeros(4), zeros(4), n});
  out["digits"] = launched(
      kCount, 256, {integers(kCount, small, Element::u32), zeros(64, Element::u32), n, number(0)});
  out["partials"] = launched(kCount, 64, {integers(kCount, small), zeros(kCount), n});
}

void add_grids(std::map<std::string, KernelRun>& out) {
  const auto n = number(kCount);
  const auto small = [](std::int32_t i) { return i * 31 % 97; };
  std::vector<std::uint8_t> kinds(kCount);
  for (std::size_t i = 0; i < kinds.size(); ++i) kinds[i] = static_cast<std::uint8_t>(i * 5 % 8);
  out["amount"] = launched(kCount, 256, {integers(kCount, small), zeros(1), n});
  out["handed"] =
      launched(kCount, 256,
               {integers(kCount, small), zeros(kCount), zeros(kCount), zeros(4, Element::u32), n});
  out["any"] = launched(kCount, 256,
                        {random_floats(kCount, 12), zeros(1, Element::u32), n, real_number(0.5F)});
  out["weighed"] = launched(
      kCount, 256, {random_floats(kCount, 13), holding(Element::u8, kinds), floats(16), n});
  out["tuned"] = launched(kCount, 256, {random_floats(kCount, 14), floats(kCount), n});
  out["crossed"] = launched_square(48, {random_floats(1600, 15), random_floats(1600, 16),
                                        floats(1600), number(40), number(40), number(40)});
  out["shifted"] = launched(kCount, 256, {random_floats(kCount, 17), floats(kCount), n});
}

std::map<std::string, KernelRun> baselines() {
  std::map<std::string, KernelRun> out;
  add_numbers(out);
  add_bits(out);
  add_rows(out);
  add_tiles(out);
  add_grids(out);
  return out;
}

const std::set<std::string> kWrong = {"wrong-values"};
const std::set<std::string> kRace = {"race", "wrong-values", "depends-on-order"};

const Case kCases[] = {
    {"numbers", "cmul", "ok_two", {}, {.x = {.per = 2}}},
    {"numbers", "cmul", "ok_vectors", {}, {.x = {.per = 2}}},
    {"numbers", "cmul", "ok_fused"},
    {"numbers", "cmul", "pairs_alone", {"unwritten"}, {.x = {.per = 2}}},
    {"numbers", "cmul", "conjugate_when_real", kWrong},
    {"numbers", "blend", "in_half", kWrong},
    {"numbers", "blend", "difference", kWrong},
    {"numbers", "blend", "toward_zero", {"biased"}},
    {"numbers", "blend", "ok_pairs", {}, {.x = {.per = 2}}},
    {"numbers", "narrowed", "cut", kWrong},
    {"numbers", "narrowed", "ties_up", kWrong},
    {"numbers", "narrowed", "nan_overflows", kWrong},
    {"numbers", "narrowed", "ok_selected"},
    {"numbers", "narrowed", "ok_strided", {}, {.x = {.per = 4}}},
    {"numbers", "sigmoid", "rational", kWrong},
    {"numbers", "sigmoid", "flat_ends", kWrong},
    {"numbers", "sigmoid", "one_minus", kWrong},
    {"numbers", "sigmoid", "ok_of_magnitude"},
    {"numbers", "halved", "flushed", kWrong},
    {"numbers", "halved", "exponent_less_one", kWrong},
    {"numbers", "halved", "restores_input", {"input-written"}},
    {"numbers", "halved", "ok_four", {}, {.x = {.per = 4}}},
    {"numbers", "exchanged", "by_minimum", kWrong},
    {"numbers", "exchanged", "as_integers", kWrong},
    {"numbers", "exchanged", "both_sides", kRace},
    {"numbers", "exchanged", "ok_selected"},
    {"numbers", "exchanged", "ok_half_of_items", {}, {.x = {.per = 2}}},
    {"bits", "middle", "overflows", kWrong},
    {"bits", "middle", "floor", kWrong},
    {"bits", "middle", "ok_bits"},
    {"bits", "split", "by_float", kWrong},
    {"bits", "split", "by_shift", kWrong},
    {"bits", "split", "below_a_limit", kWrong},
    {"bits", "split", "ok_one_division"},
    {"bits", "split", "ok_shift_or_divide"},
    {"bits", "mirrored", "ok_instruction"},
    {"bits", "mirrored", "ok_steps"},
    {"bits", "mirrored", "one_in_65536", kWrong},
    {"bits", "zeros", "borrows", kWrong},
    {"bits", "zeros", "ok_masked"},
    {"bits", "turned", "once_around", kWrong},
    {"bits", "turned", "ok_remainder_first"},
    {"bits", "gray", "ok_dwords"},
    {"bits", "gray", "floats", kWrong},
    {"bits", "gray", "signed_bytes", kWrong},
    {"bits", "dots", "short_sum", kWrong},
    {"bits", "dots", "unsigned", kWrong},
    {"bits", "dots", "fours_alone", kWrong},
    {"bits", "dots", "ok_dot4"},
    {"bits", "dots", "saturated", kWrong},
    {"bits", "found", "after_equals", kWrong},
    {"bits", "found", "any_equal", kWrong},
    {"bits", "found", "by_difference", kWrong},
    {"bits", "found", "ok_no_branch"},
    {"bits", "scattered", "in_order", {"unwritten"}},
    {"bits", "scattered", "masked_places", {"unverified-code", "race"}},
    {"bits", "scattered", "one_more", {"extra-write"}},
    {"bits", "scattered", "short_index", {"unwritten"}},
    {"bits", "scattered", "ok_strided", {}, {.x = {.per = 2}}},
    {"rows", "spreads", "one_pass", kWrong},
    {"rows", "spreads", "sample", kWrong},
    {"rows", "spreads", "ok_kept"},
    {"rows", "spreads", "ok_wave", {}, {.x = {.items = 64}}},
    {"rows", "totals", "ok_compensated", {}, {}, "1 in -1e30..1e30"},
    {"rows", "totals", "ok_double"},
    {"rows", "totals", "ok_halving"},
    {"rows", "totals", "ok_ahead"},
    {"rows", "totals", "no_small", kWrong},
    {"rows", "totals", "half_sums", kWrong},
    {"rows", "totals", "equal_ends", kWrong},
    {"rows", "totals", "most", kWrong},
    {"rows", "entropies", "no_maximum", kWrong},
    {"rows", "entropies", "maximum_of_few", kWrong},
    {"rows", "entropies", "ok_wave", {}, {.x = {.items = 64}}},
    {"rows", "halfdot", "half_sum", kWrong},
    {"rows", "halfdot", "half_products", kWrong},
    {"rows", "halfdot", "ok_dot2"},
    {"rows", "halfdot", "ok_four_sums"},
    {"rows", "lengths", "no_epsilon", kWrong},
    {"rows", "lengths", "epsilon_known", kWrong},
    {"rows", "lengths", "ok_wave"},
    {"rows", "lengths", "ok_lds"},
    {"rows", "lengths", "fast_root", {"biased"}},
    {"tiles", "smoothed", "ok_tile"},
    {"tiles", "smoothed", "ok_helper_table"},
    {"tiles", "smoothed", "no_barrier", kRace},
    {"tiles", "smoothed", "no_corners", kWrong},
    {"tiles", "smoothed", "zero_outside", kWrong},
    {"tiles", "smoothed", "symmetric", kWrong},
    {"tiles", "smoothed", "square", {"extra-write", "unwritten", "wrong-values"}},
    {"tiles", "highest", "two_waves_free", kRace},
    {"tiles", "highest", "any_place", kWrong},
    {"tiles", "highest", "barrier_of_some", {"divergent-barrier"}},
    {"tiles", "highest", "from_minus_one", kWrong},
    {"tiles", "highest", "ok_shuffled"},
    {"tiles", "highest", "ok_key"},
    {"tiles", "digits", "bytes", kWrong},
    {"tiles", "digits", "half_cleared", kWrong},
    {"tiles", "digits", "cleared_late", kRace},
    {"tiles", "digits", "plain_counts", kRace},
    {"tiles", "digits", "ok_ballots"},
    {"tiles", "digits", "ok_by_wave"},
    {"tiles", "partials", "ok_shuffled"},
    {"tiles", "partials", "ok_dpp"},
    {"tiles", "partials", "unguarded", kWrong},
    {"tiles", "partials", "sixteen_bits", kWrong},
    {"tiles", "partials", "row_of_sixteen", kWrong},
    {"grids", "amount", "ok_by_workgroup"},
    {"grids", "amount", "ok_by_wave"},
    {"grids", "amount", "load_and_store", kRace},
    {"grids", "amount", "small_sums", kWrong},
    {"grids", "amount", "set_not_added", kWrong},
    {"grids", "handed", "through_memory", kRace},
    {"grids", "handed", "flag_without_fence", kRace},
    {"grids", "handed", "ok_two", {}, {.x = {.per = 2}}},
    {"grids", "any", "plain", kRace},
    {"grids", "any", "looks_first", kRace},
    {"grids", "any", "ok_ballot"},
    {"grids", "weighed", "ok_lds", {}, {.x = {.per = 4}}},
    {"grids", "weighed", "ok_pairs", {}, {.x = {.per = 2}}},
    {"grids", "weighed", "eight_kinds", kWrong},
    {"grids", "weighed", "fixed_point", kWrong},
    {"grids", "tuned", "known", kWrong},
    {"grids", "tuned", "first_alone", kWrong},
    {"grids", "tuned", "once", kRace},
    {"grids", "tuned", "ok_fused"},
    {"grids", "tuned", "ok_estrin", {}, {}, "1 in -1e6..1e6\ncoefficients in -1e6..1e6"},
    {"grids", "crossed", "ok_two_buffers"},
    {"grids", "crossed", "one_buffer", kRace},
    {"grids", "crossed", "whole_tiles", kWrong},
    {"grids", "crossed", "ok_prefetch"},
    {"grids", "crossed", "ok_mfma"},
    {"grids", "crossed", "in_half", kWrong},
    {"grids", "shifted", "ok_two_apart", {}, {.x = {.per = 2}}},
    {"grids", "shifted", "two_of_known", kWrong, {.x = {.per = 2}}},
    {"grids", "shifted", "overlapping", kRace, {.x = {.per = 2}}},
    {"grids", "shifted", "ok_vectors", {}, {.x = {.per = 4}}},
    {"grids", "shifted", "ok_assembly"},
    {"grids", "shifted", "ok_assembly", kWrong, {.x = {.per = 2}}},
};

// Their sources are wrong, and their machine code is not: lanes of a wave go in step, so that it is right without the barriers; and the compiler makes the same atomic of the scope
// of a workgroup as of that of the device, which another build shows (tests/golden/unordered.t).
const Case kStillAccepted[] = {
    {"tiles", "highest", "last_wave_free"},
    {"grids", "amount", "workgroup_scope"},
};

class SecondCheats : public testing::TestWithParam<const char*> {};

TEST_P(SecondCheats, EachIsRefusedForItsReasonAndHonestOnesPass) {
  expect_answers(RPL_CHEATS, GetParam(), kCases, baselines());
}

TEST_P(SecondCheats, WhatStaysOpenIsKnown) {
  expect_answers(RPL_CHEATS, GetParam(), kStillAccepted, baselines());
}

INSTANTIATE_TEST_SUITE_P(OnBoth, SecondCheats, testing::Values("gfx90a", "gfx942"));

}  // namespace
}  // namespace rpl
