// SPDX-License-Identifier: MIT
// What an audit of evidence finds. Altering the files of a bundle is played by the transcript of evidence; here evidence is sealed that was wrong from the beginning.
#include "engine/optimize/evidence/bundle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/optimize/loop/physical_floor.h"
#include "engine/optimize/measure/decision.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Samples of five processes in which the candidate takes so long, behind a warm-up block in which it took longer.
DecisionInput input_with(double candidate_ns) {
  DecisionInput out;
  const MeasuredBlock warm_up{.a_ns = {1000}, .b_ns = {candidate_ns + 1e6}},
      block{.a_ns = {1000}, .b_ns = {candidate_ns}};
  out.samples.processes.assign(5, {warm_up, block, block});
  return out;
}

Value decided(const DecisionInput& input) {
  Record out = to_record(*decide(input));
  out.emplace_back("input", to_value(input));
  return Value(std::move(out));
}

class AuditOf : public testing::Test {
 protected:
  AuditOf() {
    base_.kernel = "softmax";
    base_.folder = folder_ / "o1";
    proposal_.number = 1;
    proposal_.folder = folder_ / "p1";
    for (const std::string& folder : {base_.folder, proposal_.folder})
      EXPECT_TRUE(make_folder(folder));
    const std::string code =
        read_text_file(std::string(RPL_EXAMPLES) + "/objects/softmax.gfx942.co").value();
    for (const std::string& path : {base_.base_object(), proposal_.candidate_object()})
      EXPECT_TRUE(write_file(path, code));
    for (const std::string& path :
         {base_.base_source(), proposal_.candidate_source(), proposal_.patch()})
      EXPECT_TRUE(write_file(path, ""));
    proposal_.evidence = {{"measure", Value(Record{{"time_source", "measured"}})},
                          {"decide", decided(input_with(800))}};
  }

  /// What does not fit. The code objects are one and the same here, which is always found.
  std::vector<std::string> wrong() {
    const EvidenceFiles files = evidence_of(proposal_, base_, "test").value();
    report_ = audit(files);
    std::vector<std::string> out;
    for (const AuditFinding& finding : report_.findings) {
      if (!finding.intact && finding.what != "code")
        out.push_back(finding.what + ": " + finding.message);
    }
    EXPECT_FALSE(report_.intact);
    return out;
  }
  void set_floor(double ns) {
    put(proposal_.evidence, "measure",
        Value(Record{{"time_source", "measured"},
                     {"floor", to_record(PhysicalFloor{.ns = ns,
                                                       .amount = ns,
                                                       .rate = 1,
                                                       .what = "bytes from memory",
                                                       .of = "MI300X"})}}));
  }

  testing_support::TempDir folder_;
  Optimization base_;
  Proposal proposal_;
  AuditReport report_;
};

TEST_F(AuditOf, RecomputesEveryStageThatDecidedOnSamples) {
  proposal_.evidence.emplace_back("again", decided(input_with(820)));
  proposal_.evidence.emplace_back("confirm", decided(input_with(950)));
  EXPECT_THAT(wrong(), ElementsAre());
  std::vector<std::string> found;
  for (const AuditFinding& finding : report_.findings) {
    if (finding.message.find(" again, ratio ") != std::string::npos)
      found.push_back(finding.what + ": " + finding.message);
  }
  EXPECT_THAT(found, ElementsAre("verdict: improved again, ratio 1.2500",
                                 "again: improved again, ratio 1.2195",
                                 "confirm: improved again, ratio 1.0526"));
  EXPECT_EQ(report_.recomputed->verdict, Verdict::improved);
  EXPECT_NEAR(report_.recomputed->ratio, 1.25, 1e-12);
}

TEST_F(AuditOf, SaysWhichStageSaysSomethingElse) {
  Value again = decided(input_with(820));
  put(*again.as<Record>(), "ratio", Value(1.9));
  proposal_.evidence.emplace_back("again", again);
  EXPECT_THAT(wrong(), ElementsAre("again: ratio: recorded 1.900000, recomputed 1.219512"));
}

TEST_F(AuditOf, MissesSamplesThatAStageDecidedOn) {
  Value again = decided(input_with(820));
  std::erase_if(*again.as<Record>(), [](const auto& field) { return field.first == "input"; });
  proposal_.evidence.emplace_back("again", again);
  EXPECT_THAT(wrong(), ElementsAre("again: cannot be computed: its samples are missing"));
  // A modelled confirmation has no samples.
  proposal_.evidence.back() = {"confirm", Value(Record{{"confirmed", true}, {"ratio", 1.1}})};
  EXPECT_THAT(wrong(), ElementsAre());
}

TEST_F(AuditOf, HoldsTheTimeAgainstWhatTheMachineCan) {
  set_floor(799);
  EXPECT_THAT(wrong(), ElementsAre());
  // Warm-up blocks do not count: with them the median would be above.
  set_floor(801);
  EXPECT_THAT(wrong(), ElementsAre(HasSubstr("floor: 800.0 ns are faster than the machine can: ")));
}

}  // namespace
}  // namespace rpl
