// SPDX-License-Identifier: MIT
// Wrong candidates that look right on what was captured, each refused for the reason that it is wrong by, and honest ones, which pass. A code object
// holds the baselines and the candidates of one source of kernels/; a candidate has its baseline's name and what it does.
#include "tests/cheats/corpus.h"

namespace rpl {
namespace {

using namespace test;

constexpr std::uint32_t kCount = 1000;

/// The baselines of rewritten.hip.
void add_rewritten(std::map<std::string, KernelRun>& out) {
  const auto zero = [](auto) { return 0; };
  const auto same = [](auto i) { return i; };
  constexpr std::uint32_t kMany = 4096;
  const auto many = number(kMany), rows = number(64), side = number(64);
  out["layernorm"] = launched(64, 64,
                              {random_floats(8192, 1), random_floats(128, 2), random_floats(128, 3),
                               floats(8192), rows, number(128)});
  out["hist"] = launched(
      kMany, 256, {integers(kMany, same, Element::u32), integers(64, zero, Element::u32), many});
  out["matmul"] =
      launched_square(64, {random_floats(kMany, 1), random_floats(kMany, 2), floats(kMany), side});
  out["softmax"] = launched(64, 64, {random_floats(64 * 65, 1), floats(64 * 65), rows, number(65)});
  out["chunk"] = launched(256, 64, {random_floats(kMany, 1), floats(kMany), many, number(16)});
  out["scanblock"] = launched(
      1024, 256,
      {integers(1024, [](auto i) { return i * 31 % 101; }), integers(1024, zero), number(1024)});
  out["mandel"] = launched_square(
      32, {integers(1024, zero), number(32), number(32), real_number(0.08F), number(40)});
  out["gemv"] = launched(
      256, 64,
      {random_floats(32768, 1), random_floats(128, 2), floats(256), number(256), number(128)});
  std::vector<std::uint8_t> bytes(kMany);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 37);
  out["lut"] = launched(kMany, 256,
                        {holding(Element::u8, bytes), random_floats(256, 2), floats(kMany), many});
  out["maxpool"] = launched_square(32, {random_floats(kMany, 1), floats(1024), side, side});
  out["summed_rows"] =
      launched(256, 64, {random_floats(16384, 1), floats(256), number(256), number(64)});
  out["scaled_root"] = launched(kMany, 256, {random_floats(kMany, 1), floats(kMany), many});
  out["attention"] = launched(128, 128,
                              {random_floats(kMany, 1), random_floats(kMany, 2),
                               random_floats(kMany, 3), floats(kMany), number(128)});
}

/// The baselines of further.hip.
void add_further(std::map<std::string, KernelRun>& out) {
  constexpr std::uint32_t kMany = 4096, kSide = 64;
  const auto many = number(kMany), side = number(kSide);
  out["copied_square"] = launched_square(
      kSide, {random_floats(kMany, 1), floats(kMany), side, side, side, real_number(2)});
  std::vector<std::uint8_t> bytes(kMany), zeros(kMany);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 37);
  out["adjusted"] = launched(
      kMany, 256,
      {holding(Element::u8, bytes), holding(Element::u8, zeros), many, number(3), number(10)});
  out["counted"] = launched(
      1024, 256,
      {random_floats(kMany, 3), integers(1, [](auto) { return 0; }), many, real_number(0.5F)});
  out["spread"] =
      launched(512, 64,
               {random_floats(kMany, 4), integers(kMany, [](auto i) { return i * 37 % 1000; }),
                random_floats(1000, 5), floats(512), number(512), number(8)});
  out["least"] =
      launched(1024, 256, {random_floats(kMany, 6), integers(4, [](auto) { return 0; })});
  out["curved"] = launched(kMany, 256, {random_floats(kMany, 7), floats(kMany), many});
}

/// A dispatch of each baseline.
std::map<std::string, KernelRun> baselines() {
  const auto n = number(kCount);
  const auto same = [](std::int32_t i) { return i; };
  std::map<std::string, KernelRun> out;
  out["scaled"] = launched(kCount, 256,
                           {random_floats(kCount, 1), random_floats(kCount, 2), floats(kCount), n,
                            real_number(1), real_number(0)});
  out["affine"] = launched(kCount, 256,
                           {random_floats(kCount, 3), floats(kCount, Fill::Kind::one),
                            floats(kCount), floats(kCount), n});
  out["accumulated"] = launched(kCount, 256, {random_floats(kCount, 4), floats(kCount), n});
  out["magnitude"] =
      launched(kCount, 256, {integers(kCount, same), integers(kCount, [](auto) { return 0; }), n});
  out["gathered"] =
      launched(kCount, 256, {random_floats(kCount, 5), integers(kCount, same), floats(kCount), n});
  out["chosen"] = launched(kCount, 256,
                           {integers(kCount, [](auto) { return 1; }), random_floats(kCount, 6),
                            random_floats(kCount, 7), floats(kCount), n});
  out["walked"] = launched(kCount, 256,
                           {integers(kCount, [](auto i) { return (i + 1) % 1000; }),
                            integers(kCount, [](auto) { return 0; }), n, number(8)});
  out["rows"] =
      launched(kCount, 256,
               {integers(kCount + 1, [](auto i) { return 4 * i; }),
                integers(4 * kCount, [](auto i) { return i * 37 % 1000; }),
                random_floats(4 * kCount, 8), random_floats(kCount, 9), floats(kCount), n});
  out["above"] = launched(
      kCount, 256,
      {random_floats(kCount, 10), integers(kCount, [](auto) { return 7; }), n, real_number(0)});
  const auto rows = number(100), columns = number(64);
  out["summed"] = launched(100, 64, {random_floats(6400, 11), floats(100), rows, columns});
  out["best"] = launched(
      100, 64, {random_floats(6400, 12), integers(100, [](auto) { return -1; }), rows, columns});
  out["shares"] = launched(100, 64, {random_floats(6400, 13), floats(6400), rows, columns});
  const auto small = [](std::int32_t i) { return i * 31 % 17; };
  const auto zero = [](auto) { return 0; };
  out["tile"] = launched(kCount, 256, {integers(kCount, small), integers(4, zero), n});
  out["total"] = launched(kCount, 256, {integers(kCount, small), integers(1, zero), n});
  out["bins"] = launched(kCount, 256,
                         {integers(
                              kCount, [](auto i) { return i * 7 % 16; }, Element::u32),
                          integers(64, zero, Element::u32), n});
  out["smooth"] = launched(kCount, 256, {random_floats(kCount, 14), floats(kCount), n});
  out["prefix"] =
      launched(kCount, 256, {integers(kCount, [](auto) { return 1; }), integers(kCount, zero), n});
  out["copied"] = launched(kCount, 256, {random_floats(kCount, 15), floats(kCount), n});
  out["added"] = launched(100, 64, {random_floats(6400, 16), floats(100), rows, columns});
  out["grouped"] = launched(2048, 256, {integers(2048, small), integers(8, zero)});
  add_rewritten(out);
  add_further(out);
  return out;
}

const std::set<std::string> kWrong = {"wrong-values"};
const std::set<std::string> kRace = {"race", "wrong-values", "depends-on-order"};

const Case kCases[] = {
    // Scalars, lengths and launches as captured.
    {"elementwise", "scaled", "alpha_is_one", kWrong},
    {"elementwise", "scaled", "beta_is_zero", kWrong},
    {"elementwise", "scaled", "fixed_length", {"extra-write", "wrong-values"}},
    {"elementwise", "scaled", "length_by_four", {"extra-write", "memory-fault", "wrong-values"}},
    {"elementwise", "scaled", "skips_last", {"unwritten"}},
    {"elementwise", "scaled", "past_the_end", {"memory-fault"}},
    {"loops", "summed", "64", {"wrong-values", "memory-fault"}},
    {"loops", "summed", "by_four", kWrong},
    {"integers", "walked", "eight_steps", kWrong},
    {"integers", "above", "fixed", kWrong},
    {"groups", "smooth", "wraps", kWrong},
    // Signs, sizes, NaN.
    {"elementwise", "scaled", "positive", kWrong},
    {"elementwise", "scaled", "no_nan", kWrong},
    {"elementwise", "scaled", "clamped", kWrong},
    {"elementwise", "scaled", "no_infinity", kWrong},
    {"elementwise", "scaled", "biased", kWrong},
    {"elementwise", "scaled", "jittered", {"wrong-values"}},
    {"elementwise", "scaled", "biased_little", kWrong},
    {"loops", "summed", "until_zero", kWrong},
    {"loops", "summed", "halves", kWrong},
    {"loops", "summed", "skips_nan", kWrong},
    {"loops", "best", "last_of_equals", kWrong},
    {"loops", "best", "above_zero", kWrong},
    {"loops", "best", "above_minus_hundred", kWrong},
    {"loops", "best", "of_magnitudes", kWrong},
    {"loops", "shares", "small_numbers", kWrong},
    {"loops", "shares", "of_positive", {"wrong-values", "unverified-code"}},
    {"loops", "shares", "first_is_most", kWrong},
    {"integers", "above", "or_equal", kWrong},
    {"integers", "above", "not_below", kWrong},
    // Inputs that decide nothing in the captured dispatch.
    {"elementwise", "scaled", "magic", {"unverified-code", "race", "wrong-values"}},
    {"elementwise", "scaled", "magic_choice", {"unverified-code", "wrong-values"}},
    {"loops", "summed", "rarely_else", {"unverified-code"}},
    {"loops", "summed", "short_rows", {"unverified-code", "wrong-values"}},
    {"loops", "summed", "few_rows", {"unverified-code"}},
    {"rewritten", "summed_rows", "forgets_long_rows", {"unverified-code", "wrong-values"}},
    {"rewritten", "scaled_root", "first_groups", {"unverified-code", "unwritten"}},
    {"rewritten", "scaled_root", "small_grids", {"unverified-code", "wrong-values"}},
    {"rewritten", "scaled_root", "biased", kWrong},
    // Bounds that no captured input comes near.
    {"elementwise", "scaled", "wrong_above", kWrong},
    {"elementwise", "scaled", "wrong_far_below", kWrong},
    {"elementwise", "scaled", "wrong_alpha", {"wrong-values", "unverified-code"}},
    {"loops", "summed", "small_totals", kWrong},
    {"loops", "summed", "not_of_five", kWrong},
    {"integers", "magnitude", "of_small", kWrong},
    // What lay in memory before.
    {"elementwise", "scaled", "knows_poison", {"unwritten", "wrong-values"}},
    {"elementwise", "scaled", "keeps_numbers", {"unwritten", "wrong-values"}},
    {"elementwise", "accumulated", "stores", kWrong},
    {"elementwise", "accumulated", "twice", kWrong},
    {"groups", "total", "from_zero", kWrong},
    // Constants.
    {"elementwise", "affine", "ones", kWrong},
    {"elementwise", "affine", "zeros", kWrong},
    {"elementwise", "affine", "copy", kWrong},
    {"elementwise", "affine", "first_weight", kWrong},
    // Integers.
    {"integers", "magnitude", "positive", kWrong},
    {"integers", "magnitude", "short", kWrong},
    {"integers", "magnitude", "iota", kWrong},
    {"integers", "magnitude", "neighbour", kWrong},
    {"integers", "gathered", "identity", kWrong},
    {"integers", "gathered", "from_first", {"memory-fault", "wrong-values"}},
    {"integers", "gathered", "by_wave", {"memory-fault", "wrong-values"}},
    {"integers", "chosen", "all", kWrong},
    {"integers", "chosen", "only_one", kWrong},
    {"integers", "chosen", "blended", kWrong},
    {"integers", "walked", "in_order", kWrong},
    {"integers", "walked", "first_link", kWrong},
    {"integers", "rows", "of_four", kWrong},
    {"integers", "rows", "four_from_start", {"memory-fault", "wrong-values"}},
    {"integers", "rows", "never_empty", {"memory-fault", "wrong-values"}},
    {"groups", "bins", "below_16", kWrong},
    {"groups", "prefix", "of_waves", kWrong},
    // Barriers, LDS.
    {"groups", "tile", "no_first_barrier", kRace},
    {"groups", "tile", "one_barrier", kRace},
    {"groups", "tile", "tail_unwritten", kWrong},
    {"groups", "tile", "counts_in_lds", kRace},
    {"groups", "tile", "lds_starts_as_zero", kWrong},
    {"groups", "tile", "last_group_full", kWrong},
    {"groups", "tile", "lost_updates", kRace},
    {"groups", "bins", "no_barrier", kRace},
    {"groups", "bins", "no_second_barrier", kRace},
    {"groups", "bins", "unwritten_lds", kWrong},
    {"groups", "smooth", "no_barrier", kRace},
    {"groups", "smooth", "no_halo", kWrong},
    {"groups", "prefix", "one_barrier", kRace},
    // Workgroups in order.
    {"groups", "total", "lost_updates", kRace},
    {"groups", "total", "first_group_begins", kRace},
    {"groups", "total", "one_group", {"wrong-values", "memory-fault"}},
    {"groups", "bins", "plain", kRace},
    {"groups", "bins", "merged_plainly", kRace},
    {"groups", "smooth", "in_place", kRace},
    {"groups", "smooth", "from_group_before", kRace},
    {"groups",
     "copied",
     "after_clearing",
     {"race", "wrong-values", "depends-on-order", "unwritten"}},
    {"groups", "copied", "by_first_group", kRace},
    // Inputs of a kind of their own.
    {"further", "copied_square", "swapped", {"unwritten", "wrong-values"}},
    {"further", "copied_square", "by_width", {"unwritten", "wrong-values", "race"}},
    {"further", "copied_square", "twice", kWrong},
    {"further", "adjusted", "not_negative", kWrong},
    {"further", "adjusted", "kept_at_end", kWrong},
    {"further", "adjusted", "shifted", kWrong},
    {"further", "counted", "or_equal", kWrong},
    {"further", "counted", "not_below", kWrong},
    {"further", "spread", "all_present", {"memory-fault", "wrong-values"}},
    {"further", "spread", "ends_there", kWrong},
    {"further", "spread", "clamped", kWrong},
    {"further", "least", "any_of_equal", kWrong},
    {"further", "least", "below_1e30", kWrong},
    {"further", "curved", "a_little_more", {"biased"}},
    {"further", "curved", "a_little_less", {"biased"}},
    // Launched otherwise.
    {"launched", "added", "same", {"unwritten"}, {.x = {.per = 2}}},
    {"launched", "added", "half_wave", kWrong, {.x = {.items = 64}}},
    {"launched", "added", "one_turn", {"wrong-values", "memory-fault"}, {.x = {.items = 64}}},
    {"launched",
     "added",
     "unguarded",
     {"extra-write", "wrong-values", "memory-fault"},
     {.x = {.items = 64}}},
    {"launched", "added", "wave", {"unwritten"}, {.x = {.workgroup = 256, .items = 16}}},
    {"launched", "added", "whole_fours", {"unwritten"}, {.x = {.per = 4}}},
    {"launched", "grouped", "same", kRace, {.x = {.workgroup = 128, .per = 2}}},
    {"launched", "grouped", "same", {"memory-fault"}, {.x = {.workgroup = 512, .items = 2}}},
    {"launched",
     "grouped",
     "pairs",
     {"race", "wrong-values", "memory-fault"},
     {.x = {.workgroup = 64, .per = 4}}},
    {"launched",
     "grouped",
     "dynamic",
     {"memory-fault", "wrong-values"},
     {.x = {.workgroup = 128, .per = 2}}},
    {"launched", "added", "same", {}, {.x = {.workgroup = 256}}},
    {"launched", "added", "wave", {}, {.x = {.items = 64}}},
    {"launched", "added", "wave", {}, {.x = {.workgroup = 256, .items = 64}}},
    {"launched", "added", "four", {}, {.x = {.per = 4}}},
    {"launched", "grouped", "pairs", {}, {.x = {.workgroup = 128, .per = 2}}},
    {"launched", "grouped", "wave", {}, {.x = {.workgroup = 64, .per = 4}}},
    {"launched",
     "grouped",
     "dynamic",
     {},
     {.x = {.workgroup = 128, .per = 2}, .dynamic_lds_bytes = 512}},
    // Honest.
    {"elementwise", "scaled", "ok_fma"},
    {"elementwise", "scaled", "ok_strided"},
    {"elementwise", "scaled", "ok_barrier"},
    {"elementwise", "scaled", "ok_groups_of_four"},
    {"elementwise", "affine", "ok_fma"},
    {"elementwise", "accumulated", "ok_strided"},
    {"integers", "magnitude", "ok_bits"},
    {"integers", "gathered", "ok_early"},
    {"integers", "chosen", "ok_both"},
    {"integers", "walked", "ok_two_at_once"},
    {"integers", "rows", "ok_two_sums"},
    {"integers", "above", "ok_arithmetic"},
    {"loops", "summed", "ok_four_sums"},
    {"loops", "summed", "ok_fast_way"},
    {"loops", "summed", "ok_by_sixteen"},
    {"loops", "summed", "ok_unrolled"},
    {"loops", "summed", "ok_backwards"},
    {"loops", "best", "ok_kept"},
    {"loops", "shares", "ok_kept"},
    {"groups", "tile", "ok_waves"},
    {"groups", "tile", "ok_atomic"},
    {"groups", "tile", "ok_interleaved"},
    {"groups", "total", "ok_privatised"},
    {"groups", "total", "ok_by_wave"},
    {"groups", "bins", "ok_privatised"},
    {"groups", "smooth", "ok_tile"},
    {"groups", "smooth", "ok_shuffled"},
    {"groups", "prefix", "ok_two_buffers"},
    {"groups", "copied", "ok_reversed"},
    {"rewritten", "layernorm", "ok_welford"},
    {"rewritten", "hist", "ok_lds"},
    {"rewritten", "matmul", "ok_tile"},
    {"rewritten", "matmul", "ok_four_sums"},
    {"rewritten", "softmax", "ok_online"},
    {"rewritten", "softmax", "ok_reciprocal"},
    {"rewritten", "chunk", "ok_grid"},
    {"rewritten", "chunk", "ok_vectors"},
    {"rewritten", "scanblock", "ok_waves"},
    {"rewritten", "mandel", "ok_squares"},
    {"rewritten", "gemv", "ok_tile"},
    {"rewritten", "lut", "ok_lds"},
    {"rewritten", "maxpool", "ok_kept"},
    {"rewritten", "attention", "ok_queries"},
    {"rewritten", "attention", "ok_rows"},
    {"further", "copied_square", "ok_moved"},
    {"further", "adjusted", "ok_min_max"},
    {"further", "counted", "ok_other_side"},
    {"further", "spread", "ok_selected"},
    {"further", "least", "ok_tree"},
    {"further", "curved", "ok_again"},
};

class Cheats : public testing::TestWithParam<const char*> {};

TEST_P(Cheats, EachIsRefusedForItsReasonAndHonestOnesPass) {
  expect_answers(RPL_CHEATS, GetParam(), kCases, baselines());
}

// Of a launch that is long some workgroups are run in other orders.
TEST(LongRuns, AreLookedAtForRacesInPart) {
  constexpr std::uint32_t kMany = 2'000'000, kGroup = 256;
  KernelRun run =
      launched(kMany, kGroup,
               {integers(kMany, [](auto i) { return i % 17; }),
                integers((kMany + kGroup - 1) / kGroup, [](auto) { return 0; }), number(kMany)});
  const Case honest{"groups", "tile", "ok_waves"};
  run.object = code(RPL_CHEATS, honest.source, "gfx942");
  run.kernel = honest.baseline;
  const Capture capture = test::captured(run);
  EmulatedTarget target;
  std::shared_ptr<BaselineStudy> study;
  const auto verdict = [&](const std::string& kernel) {
    auto report = verify({.capture = &capture,
                          .candidate = code(RPL_CHEATS, honest.source, "gfx942"),
                          .kernel = kernel,
                          .more_inputs = 0,
                          .other_arguments = false,
                          .study = &study},
                         target);
    EXPECT_TRUE(report.has_value()) << report.error().message;
    return report.value_or(VerifyReport());
  };
  const VerifyReport passed = verdict("tile_ok_waves");
  EXPECT_TRUE(passed.passed) << passed.findings.front().message;
  EXPECT_THAT(passed.notes, testing::Contains(testing::HasSubstr("some of its workgroups")));
  const VerifyReport racy = verdict("tile_one_barrier");
  ASSERT_FALSE(racy.findings.empty());
  EXPECT_EQ(racy.findings.front().rule, "race") << racy.findings.front().message;
}

// What rounding does in them is found out once something differs, as it does with this seed.
TEST(LongRuns, AreSummedInAnotherOrder) {
  constexpr std::uint32_t kSide = 272;
  const auto square = [](unsigned seed) { return random_floats(kSide * kSide, seed); };
  KernelRun run =
      launched_square(kSide, {square(1), square(2), floats(kSide * kSide), number(kSide)});
  run.object = code(RPL_CHEATS, "rewritten", "gfx942");
  run.kernel = "matmul";
  const Capture capture = test::captured(run);
  EmulatedTarget target;
  const auto report = verify({.capture = &capture,
                              .candidate = code(RPL_CHEATS, "rewritten", "gfx942"),
                              .kernel = "matmul_ok_four_sums",
                              .other_arguments = false,
                              .seed = 2},
                             target);
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_THAT(report->notes, testing::Contains(testing::HasSubstr("some of its workgroups")));
  // Other lengths, with which all of it would run, are not asked for here.
  for (const VerifyFinding& finding : report->findings)
    EXPECT_EQ(finding.rule, "unverified-code") << finding.message;
}

INSTANTIATE_TEST_SUITE_P(OnBoth, Cheats, testing::Values("gfx90a", "gfx942"));

}  // namespace
}  // namespace rpl
