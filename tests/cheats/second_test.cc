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

const std::set<std::string> kRefused = {
    "wrong-values",    "race",   "depends-on-order", "extra-write",  "memory-fault", "unwritten",
    "unverified-code", "biased", "changed-input",    "uninitialised"};

const Case kCases[] = {
    {"numbers", "cmul", "ok_two", {}, {.per = 2}},
    {"numbers", "cmul", "ok_vectors", {}, {.per = 2}},
    {"numbers", "cmul", "ok_fused"},
    {"numbers", "cmul", "pairs_alone", kRefused, {.per = 2}},
    {"numbers", "cmul", "conjugate_when_real", kRefused},
    {"numbers", "blend", "in_half", kRefused},
    {"numbers", "blend", "difference", kRefused},
    {"numbers", "blend", "toward_zero", kRefused},
    {"numbers", "blend", "ok_pairs", {}, {.per = 2}},
    {"numbers", "narrowed", "cut", kRefused},
    {"numbers", "narrowed", "ties_up", kRefused},
    {"numbers", "narrowed", "nan_overflows", kRefused},
    {"numbers", "narrowed", "ok_selected"},
    {"numbers", "narrowed", "ok_strided", {}, {.per = 4}},
    {"numbers", "sigmoid", "rational", kRefused},
    {"numbers", "sigmoid", "flat_ends", kRefused},
    {"numbers", "sigmoid", "one_minus", kRefused},
    {"numbers", "sigmoid", "ok_of_magnitude"},
    {"numbers", "halved", "flushed", kRefused},
    {"numbers", "halved", "exponent_less_one", kRefused},
    {"numbers", "halved", "restores_input", kRefused},
    {"numbers", "halved", "ok_four", {}, {.per = 4}},
    {"numbers", "exchanged", "by_minimum", kRefused},
    {"numbers", "exchanged", "as_integers", kRefused},
    {"numbers", "exchanged", "both_sides", kRefused},
    {"numbers", "exchanged", "ok_selected"},
    {"numbers", "exchanged", "ok_half_of_items", {}, {.per = 2}},
    {"bits", "middle", "overflows", kRefused},
    {"bits", "middle", "floor", kRefused},
    {"bits", "middle", "ok_bits"},
    {"bits", "split", "by_float", kRefused},
    {"bits", "split", "by_shift", kRefused},
    {"bits", "split", "below_a_limit", kRefused},
    {"bits", "split", "ok_one_division"},
    {"bits", "split", "ok_shift_or_divide"},
    {"bits", "mirrored", "ok_instruction"},
    {"bits", "mirrored", "ok_steps"},
    {"bits", "mirrored", "one_in_65536", kRefused},
    {"bits", "zeros", "borrows", kRefused},
    {"bits", "zeros", "ok_masked"},
    {"bits", "turned", "once_around", kRefused},
    {"bits", "turned", "ok_remainder_first"},
    {"bits", "gray", "ok_dwords"},
    {"bits", "gray", "floats", kRefused},
    {"bits", "gray", "signed_bytes", kRefused},
    {"bits", "dots", "short_sum", kRefused},
    {"bits", "dots", "unsigned", kRefused},
    {"bits", "dots", "fours_alone", kRefused},
    {"bits", "dots", "ok_dot4"},
    {"bits", "dots", "saturated", kRefused},
    {"bits", "found", "after_equals", kRefused},
    {"bits", "found", "any_equal", kRefused},
    {"bits", "found", "by_difference", kRefused},
    {"bits", "found", "ok_no_branch"},
    {"bits", "scattered", "in_order", kRefused},
    {"bits", "scattered", "short_index", kRefused},
    {"bits", "scattered", "masked_places", kRefused},
    {"bits", "scattered", "one_more", kRefused},
    {"bits", "scattered", "ok_strided", {}, {.per = 2}},
    {"rows", "spreads", "one_pass", kRefused},
    {"rows", "spreads", "sample", kRefused},
    {"rows", "spreads", "ok_kept"},
    {"rows", "spreads", "ok_wave", {}, {.items = 64}},
    {"rows", "totals", "ok_compensated"},
    {"rows", "totals", "ok_double"},
    {"rows", "totals", "ok_halving"},
    {"rows", "totals", "ok_ahead"},
    {"rows", "totals", "no_small", kRefused},
    {"rows", "totals", "half_sums", kRefused},
    {"rows", "totals", "equal_ends", kRefused},
    {"rows", "totals", "most", kRefused},
    {"rows", "entropies", "no_maximum", kRefused},
    {"rows", "entropies", "maximum_of_few", kRefused},
    {"rows", "entropies", "ok_wave", {}, {.items = 64}},
    {"rows", "halfdot", "half_sum", kRefused},
    {"rows", "halfdot", "half_products", kRefused},
    {"rows", "halfdot", "ok_dot2"},
    {"rows", "halfdot", "ok_four_sums"},
    {"rows", "lengths", "no_epsilon", kRefused},
    {"rows", "lengths", "epsilon_known", kRefused},
    {"rows", "lengths", "ok_wave"},
    {"rows", "lengths", "ok_lds"},
    {"rows", "lengths", "fast_root", kRefused},
    {"tiles", "smoothed", "ok_tile"},
    {"tiles", "smoothed", "ok_helper_table"},
    {"tiles", "smoothed", "no_barrier", kRefused},
    {"tiles", "smoothed", "no_corners", kRefused},
    {"tiles", "smoothed", "zero_outside", kRefused},
    {"tiles", "smoothed", "symmetric", kRefused},
    {"tiles", "smoothed", "square", kRefused},
    {"tiles", "highest", "last_wave_free", kRefused},
    {"tiles", "highest", "two_waves_free", kRefused},
    {"tiles", "highest", "any_place", kRefused},
    {"tiles", "highest", "barrier_of_some", kRefused},
    {"tiles", "highest", "from_minus_one", kRefused},
    {"tiles", "highest", "ok_shuffled"},
    {"tiles", "highest", "ok_key"},
    {"tiles", "digits", "bytes", kRefused},
    {"tiles", "digits", "half_cleared", kRefused},
    {"tiles", "digits", "cleared_late", kRefused},
    {"tiles", "digits", "plain_counts", kRefused},
    {"tiles", "digits", "ok_ballots"},
    {"tiles", "digits", "ok_by_wave"},
    {"tiles", "partials", "ok_shuffled"},
    {"tiles", "partials", "ok_dpp"},
    {"tiles", "partials", "unguarded", kRefused},
    {"tiles", "partials", "sixteen_bits", kRefused},
    {"tiles", "partials", "row_of_sixteen", kRefused},
    {"grids", "amount", "ok_by_workgroup"},
    {"grids", "amount", "ok_by_wave"},
    {"grids", "amount", "workgroup_scope", kRefused},
    {"grids", "amount", "load_and_store", kRefused},
    {"grids", "amount", "small_sums", kRefused},
    {"grids", "amount", "set_not_added", kRefused},
    {"grids", "handed", "through_memory", kRefused},
    {"grids", "handed", "flag_without_fence", kRefused},
    {"grids", "handed", "ok_two", {}, {.per = 2}},
    {"grids", "any", "plain", kRefused},
    {"grids", "any", "looks_first", kRefused},
    {"grids", "any", "ok_ballot"},
    {"grids", "weighed", "ok_lds", {}, {.per = 4}},
    {"grids", "weighed", "ok_pairs", {}, {.per = 2}},
    {"grids", "weighed", "eight_kinds", kRefused},
    {"grids", "weighed", "fixed_point", kRefused},
    {"grids", "tuned", "known", kRefused},
    {"grids", "tuned", "first_alone", kRefused},
    {"grids", "tuned", "once", kRefused},
    {"grids", "tuned", "ok_fused"},
    {"grids", "tuned", "ok_estrin"},
    {"grids", "crossed", "ok_two_buffers"},
    {"grids", "crossed", "one_buffer", kRefused},
    {"grids", "crossed", "whole_tiles", kRefused},
    {"grids", "crossed", "ok_prefetch"},
    {"grids", "crossed", "ok_mfma"},
    {"grids", "crossed", "in_half", kRefused},
    {"grids", "shifted", "ok_two_apart", {}, {.per = 2}},
    {"grids", "shifted", "two_of_known", kRefused, {.per = 2}},
    {"grids", "shifted", "overlapping", kRefused, {.per = 2}},
    {"grids", "shifted", "ok_vectors", {}, {.per = 4}},
    {"grids", "shifted", "ok_assembly"},
    {"grids", "shifted", "ok_assembly", kRefused, {.per = 2}},
};

class SecondCheats : public testing::TestWithParam<const char*> {};

TEST_P(SecondCheats, EachIsRefusedForItsReasonAndHonestOnesPass) {
  expect_answers(RPL_CHEATS, GetParam(), kCases, baselines());
}

INSTANTIATE_TEST_SUITE_P(OnBoth, SecondCheats, testing::Values("gfx90a", "gfx942"));

}  // namespace
}  // namespace rpl
