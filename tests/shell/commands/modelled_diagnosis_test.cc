// SPDX-License-Identifier: MIT
// What classify says of modelled thread traces: of every example on both architectures, and of kernels whose limit is known.
#include <filesystem>

#include "engine/device/record/write_trace.h"
#include "shell/commands/diagnose/diagnosis_view.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/session/context.h"
#include "shell/core/session/workspace.h"
#include "tests/engine/device/execute/every_example.h"
#include "tests/shell/commands/fixture.h"

namespace rpl {
namespace {

using diagnose::Input;
using diagnose::Label;
using emu::KernelRun;

class Modelled : public testing_support::ShellTest {
 protected:
  /// Runs a kernel with its trace kept, writes that, opens it and diagnoses it.
  DiagnosedKernel diagnosis_of(KernelRun run, const std::string& gpu = {}) {
    run.options.mode = emu::Mode::modelled;
    run.options.keep_trace = true;
    run.options.gpu = gpu;
    const auto trace = calibrate::modelled_trace(emu::run_ok(run).executed);
    const auto written = trace ? att::write_trace(folder / "traced", *trace)
                               : Result<std::string>(Failure(trace.error()));
    EXPECT_TRUE(written.has_value()) << written.error().message;
    const auto opened = written ? thread_trace_named(context, *written)
                                : Result<AttEntry>(Failure(written.error()));
    EXPECT_TRUE(opened.has_value()) << opened.error().message;
    auto all = diagnosed(context, {});
    EXPECT_TRUE(all.has_value()) << all.error().message;
    if (!all || all->kernels.size() != 1) {
      ADD_FAILURE() << "one kernel is open";
      return {};
    }
    EXPECT_EQ(all->notes, std::vector<std::string>()) << "nothing is impossible";
    context.workspace().thread_traces.close((*opened)->id);
    std::filesystem::remove_all(folder / "traced");
    return std::move(all->kernels[0]);
  }
  static std::string text_of(const DiagnosedKernel& kernel) {
    std::string out(to_string(kernel.diagnosis.label));
    for (const diagnose::Score& score : kernel.diagnosis.scores) {
      out += fmt::format("\n{} {}", to_string(score.label), score.points);
      for (const diagnose::Evidence& held : score.evidence) out += "\n    " + evidence_text(held);
    }
    return out;
  }
};

constexpr const char* kGpus[] = {"MI210", "MI250X", "MI300X"};

std::string arch_of(std::string_view gpu) { return gpu.starts_with("MI2") ? "gfx90a" : "gfx942"; }

class EveryExample : public Modelled,
                     public testing::WithParamInterface<std::tuple<emu::Example, const char*>> {};

// Small grids, as they are here, leave most of a device empty; what matters is that no example is without an answer, and that it says what it is.
TEST_P(EveryExample, HasALabelWithModelledEvidence) {
  const std::string gpu = std::get<1>(GetParam());
  const DiagnosedKernel kernel = diagnosis_of(std::get<0>(GetParam()).run(arch_of(gpu)), gpu);
  EXPECT_NE(kernel.diagnosis.label, Label::insufficient) << text_of(kernel);
  EXPECT_TRUE(kernel.headroom.high.has_value()) << "every roof is known";
  for (const Input known : {Input::hbm_share, Input::l2_share, Input::lds_share,
                            Input::compute_share, Input::duration_ns, Input::measured_occupancy,
                            Input::wait_share, Input::counter_wait_share}) {
    const diagnose::Known* fact = kernel.facts.find(known);
    ASSERT_NE(fact, nullptr) << to_string(known);
    EXPECT_EQ(fact->provenance, Provenance::modelled) << to_string(known);
    EXPECT_TRUE(fact->source.starts_with("att")) << fact->source;
  }
  for (const diagnose::Evidence& held : kernel.diagnosis.evidence())
    EXPECT_NE(held.fact.provenance, Provenance::recorded) << evidence_text(held);
  for (const diagnose::Need& need : kernel.diagnosis.needs)
    EXPECT_EQ(need.command, "kernel run … --att DIR") << "a model cannot be recorded";
}

INSTANTIATE_TEST_SUITE_P(Examples, EveryExample,
                         testing::Combine(testing::ValuesIn(emu::kEveryExample),
                                          testing::ValuesIn(kGpus)),
                         [](const auto& tested) {
                           return std::string(std::get<0>(tested.param).name) + "_" +
                                  std::get<1>(tested.param);
                         });

class KnownLimit : public Modelled, public testing::WithParamInterface<const char*> {
 protected:
  static KernelRun test_kernel(const std::string& kernel, emu::Size3 grid, std::uint32_t workgroup,
                               std::vector<emu::Argument> arguments) {
    KernelRun run;
    run.object = isa::test_object("ordering", GetParam());
    run.kernel = kernel;
    run.grid = grid;
    run.workgroup = {workgroup, 1, 1};
    run.arguments = std::move(arguments);
    return run;
  }
  static KernelRun softmax_by_waves(std::uint32_t rows, std::uint32_t columns) {
    return test_kernel(
        "softmax_by_waves", {rows * 64, 1, 1}, 64,
        {emu::floats(std::uint64_t{rows} * columns, emu::Fill::Kind::random, 5),
         emu::floats(std::uint64_t{rows} * columns), emu::number(static_cast<std::int32_t>(rows)),
         emu::number(static_cast<std::int32_t>(columns))});
  }
};

TEST_P(KnownLimit, OfALongCopyIsTheMemory) {
  const DiagnosedKernel kernel = diagnosis_of(emu::vector_add(GetParam(), 1U << 22));
  EXPECT_EQ(kernel.diagnosis.label, Label::memory_bandwidth) << text_of(kernel);
}

TEST_P(KnownLimit, OfChainsOfArithmeticIsTheArithmetic) {
  constexpr std::uint32_t items = 1U << 18;
  const DiagnosedKernel vector = diagnosis_of(
      test_kernel("fma_chain", {items, 1, 1}, 256, {emu::floats(items), emu::number(8)}));
  EXPECT_EQ(vector.diagnosis.label, Label::compute) << text_of(vector);
  const std::uint32_t one_each =
      256 * (GetParam() == std::string("gfx90a") ? 110 : 304);  // a wave for each SIMD
  const DiagnosedKernel matrix = diagnosis_of(
      test_kernel("matrix_chain", {one_each, 1, 1}, 256, {emu::floats(one_each), emu::number(10)}));
  EXPECT_EQ(matrix.diagnosis.label, Label::compute) << text_of(matrix);
}

TEST_P(KnownLimit, OfAFewWorkgroupsIsTheirNumber) {
  const DiagnosedKernel kernel = diagnosis_of(emu::matmul(GetParam(), 64, 64, 256));
  EXPECT_EQ(kernel.diagnosis.label, Label::under_occupied) << text_of(kernel);
}

// One row for each work-item: 8192 rows are 128 waves, so that most wave slots of the device stay empty, and the lanes of a wave read addresses a row
// apart. One row for each wave: 64 times as many waves for the same rows, neighbours read neighbours, and what remains are the latencies of a short launch.
TEST_P(KnownLimit, OfSoftmaxDependsOnTheRowsOfAWave) {
  constexpr std::uint32_t rows = 8192, columns = 128;
  const DiagnosedKernel by_rows = diagnosis_of(emu::softmax(GetParam(), rows, columns));
  const DiagnosedKernel by_waves = diagnosis_of(softmax_by_waves(rows, columns));
  EXPECT_EQ(by_rows.diagnosis.label, Label::under_occupied) << text_of(by_rows);
  EXPECT_EQ(by_waves.diagnosis.label, Label::latency) << text_of(by_waves);
  const auto value = [](const DiagnosedKernel& kernel, Input of) {
    return kernel.facts.value(of).value_or(-1);
  };
  EXPECT_LT(value(by_rows, Input::grid_fill), 0.1);
  EXPECT_GT(value(by_waves, Input::grid_fill), 0.5);
  EXPECT_GT(value(by_waves, Input::hbm_share), 5 * value(by_rows, Input::hbm_share))
      << "the same bytes in less time";
}

INSTANTIATE_TEST_SUITE_P(Architectures, KnownLimit, testing::ValuesIn(isa::kArchitectures),
                         [](const auto& arch) { return std::string(arch.param); });

}  // namespace
}  // namespace rpl
