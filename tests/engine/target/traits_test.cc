// SPDX-License-Identifier: MIT
// Which target a command takes, whoever asks for it and whatever machine it runs on, and the sentence with which the others are refused.
#include "engine/target/traits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace rpl {
namespace {

/// What the machine comes to where nobody asks, by what it has: nothing, a GPU, rocprofv3, both.
constexpr std::array<MachineHas, 4> kMachines = {{{.amd_gpu = false, .recorder = false},
                                                  {.amd_gpu = true, .recorder = false},
                                                  {.amd_gpu = false, .recorder = true},
                                                  {.amd_gpu = true, .recorder = true}}};

struct Expected {
  Ability need;
  /// By target: "" where it is taken, else the sentence.
  std::array<const char*, 4> refused;
  /// By machine, and why.
  std::array<std::pair<TargetKind, const char*>, 4> by_default;
};

constexpr auto kEmu = TargetKind::emu, kLocal = TargetKind::local;
constexpr const char *kNone = "no AMD GPU is here", *kGpu = "an AMD GPU is here",
                     *kBare = "an AMD GPU is here, but no rocprofv3",
                     *kBoth = "an AMD GPU and rocprofv3 are here",
                     *kOnly = "nothing else can do it", *kAbout = "it is about a GPU";
constexpr const char *kCaptures = "captures are made where the program runs: on emu or local",
                     *kDispatches = "recordings and jobs of a cluster run no captured dispatches",
                     *kProposals = "proposals are measured on emu or local",
                     *kAlone = "a kernel without its program runs on the emulated device alone",
                     *kOneAtATime = "a GPU captures and replays one dispatch at a time",
                     *kStops = "the debugger stops kernels on the emulated device";

using Places = std::array<std::pair<TargetKind, const char*>, 4>;
constexpr Places kRecording = {{{kEmu, kNone}, {kEmu, kBare}, {kEmu, kNone}, {kLocal, kBoth}}},
                 kOnAGpu = {{{kEmu, kNone}, {kLocal, kGpu}, {kEmu, kNone}, {kLocal, kGpu}}},
                 kOnlyEmulated = {{{kEmu, kOnly}, {kEmu, kOnly}, {kEmu, kOnly}, {kEmu, kOnly}}},
                 kOnlyLocal = {
                     {{kLocal, kAbout}, {kLocal, kAbout}, {kLocal, kAbout}, {kLocal, kAbout}}};

// emu, local, recorded, slurm
const std::vector<Expected> kTable = {
    {Ability::profile, {"", "", "", ""}, kRecording},
    {Ability::tune, {"", "", "", ""}, kRecording},
    {Ability::optimize, {"", "", kProposals, kProposals}, kRecording},
    {Ability::capture, {"", "", kCaptures, kCaptures}, kOnAGpu},
    {Ability::replay, {"", "", kDispatches, kDispatches}, kOnAGpu},
    {Ability::bench, {"", "", kDispatches, kDispatches}, kOnAGpu},
    {Ability::reserve_check, {"", "", kDispatches, kDispatches}, kOnlyLocal},
    {Ability::run_kernel, {"", kAlone, kAlone, kAlone}, kOnlyEmulated},
    {Ability::several_dispatches, {"", kOneAtATime, kDispatches, kDispatches}, kOnlyEmulated},
    {Ability::debugger, {"", kStops, kStops, kStops}, kOnlyEmulated},
};

/// What a name asks for: a kind, or nothing.
std::optional<TargetKind> asked_by(const std::string& name) {
  return name.empty() || name == "auto" ? std::nullopt : target_kind(name);
}

/// The first of the three who says anything.
std::pair<std::optional<TargetKind>, std::string> first_asked(const TargetWish& wish) {
  if (const auto kind = asked_by(wish.option)) return {kind, "--target"};
  if (const auto kind = asked_by(wish.setting)) return {kind, "set target"};
  if (const auto kind = asked_by(wish.environment)) return {kind, "RPL_TARGET"};
  return {std::nullopt, ""};
}

void check(const Expected& row, const TargetWish& wish, std::size_t machine) {
  const auto found = choose_target(wish, row.need, [&] { return kMachines[machine]; });
  const auto [kind, who] = first_asked(wish);
  const std::string refused = kind ? row.refused[static_cast<std::size_t>(*kind)] : "";
  if (!refused.empty()) {
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().message, refused);
    EXPECT_EQ(found.error().code, Errc::usage);
    EXPECT_FALSE(found.error().hint.empty());
    return;
  }
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->kind, kind.value_or(row.by_default[machine].first));
  EXPECT_EQ(found->because, kind ? who : row.by_default[machine].second);
  EXPECT_EQ(found->asked, kind.has_value());
}

TEST(ChooseTarget, TakesTheFirstWhoAskedAndElseWhatTheMachineHas) {
  const std::vector<std::string> names = {"", "emu", "local", "recorded", "slurm"};
  std::size_t combinations = 0;
  for (const Expected& row : kTable)
    for (const std::string& option : names)
      for (const char* setting : {"auto", "emu", "local", "recorded", "slurm"})
        for (const std::string& environment : names)
          for (std::size_t machine = 0; machine < kMachines.size(); ++machine) {
            SCOPED_TRACE(testing::Message()
                         << static_cast<int>(row.need) << " --target " << option << ", set target "
                         << setting << ", RPL_TARGET " << environment << ", machine " << machine);
            check(row, {.option = option, .setting = setting, .environment = environment}, machine);
            ++combinations;
          }
  EXPECT_EQ(combinations, kTable.size() * 5 * 5 * 5 * 4);
}

TEST(ChooseTarget, ANameThatIsNoTargetIsRefusedWithWhereItStands) {
  const auto found =
      choose_target({.option = "", .setting = "auto", .environment = "moon"}, Ability::replay, {});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().message, "RPL_TARGET is 'moon', which is not a target");
  EXPECT_EQ(found.error().hint, "emu, local, recorded or slurm");
}

TEST(ChooseTarget, TheMachineIsLookedAtOnlyWhereNobodyAsked) {
  int looks = 0;
  const auto look = [&] {
    ++looks;
    return MachineHas{};
  };
  ASSERT_TRUE(
      choose_target({.option = "emu", .setting = "", .environment = ""}, Ability::replay, look));
  ASSERT_TRUE(
      choose_target({.option = "", .setting = "emu", .environment = ""}, Ability::replay, look));
  ASSERT_TRUE(
      choose_target({.option = "", .setting = "", .environment = "emu"}, Ability::replay, look));
  EXPECT_EQ(looks, 0);
  ASSERT_TRUE(
      choose_target({.option = "", .setting = "auto", .environment = ""}, Ability::replay, look));
  EXPECT_EQ(looks, 1);
}

TEST(TargetTraits, EveryRefusalOfAnOptionHasANextStep) {
  for (const Ability option : {Ability::debugger, Ability::cold_caches, Ability::emulated_devices,
                               Ability::pc_samples, Ability::all_counters, Ability::more_records,
                               Ability::host_time, Ability::ranks, Ability::geometry}) {
    std::size_t able = 0;
    for (const std::string_view name : target_names()) {
      const Status can = require(*target_kind(name), option);
      able += can ? 1 : 0;
      if (!can) {
        EXPECT_FALSE(can.error().hint.empty()) << can.error().message;
      }
    }
    EXPECT_GE(able, 1U) << static_cast<int>(option);
  }
}

TEST(TargetTraits, TimesOfTheEmulatedDeviceAreModelledAndRepeat) {
  EXPECT_EQ(traits_of(TargetKind::emu).times, Provenance::modelled);
  EXPECT_TRUE(traits_of(TargetKind::emu).deterministic);
  EXPECT_EQ(traits_of(TargetKind::local).times, Provenance::measured);
  EXPECT_FALSE(traits_of(TargetKind::local).deterministic);
}

}  // namespace
}  // namespace rpl
