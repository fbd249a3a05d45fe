// SPDX-License-Identifier: MIT
#include "shell/core/session/jobs.h"
#include "engine/process/background.h"
#include "shell/core/inputs/job_line.h"
#include "shell/core/session/context.h"
#include "shell/core/session/face.h"
#include "tests/shell/commands/fixture.h"

#include <thread>

namespace rpl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(WithoutAmpersand, TakesTheLastWordAlone) {
  EXPECT_EQ(without_ampersand("critpath &"), "critpath");
  EXPECT_EQ(without_ampersand("  critpath --top 3   &  "), "critpath --top 3");
  EXPECT_EQ(without_ampersand("info kernels | head -1 &"), "info kernels | head -1");
  EXPECT_EQ(without_ampersand("critpath"), std::nullopt);
  EXPECT_EQ(without_ampersand("critpath '&'"), std::nullopt);
  EXPECT_EQ(without_ampersand("info kernels /a&/"), std::nullopt);
  EXPECT_EQ(without_ampersand("a & b"), std::nullopt);
  EXPECT_EQ(without_ampersand("&"), std::nullopt);
  EXPECT_EQ(without_ampersand("'open quote &"), std::nullopt);
  EXPECT_EQ(without_ampersand(""), std::nullopt);
}

std::unique_ptr<Background> child(const std::string& text) {
  Spawn spawn;
  spawn.argv = {"/bin/sh", "-c", text};
  return std::make_unique<Background>(std::move(*Background::start(spawn)));
}

void wait_for(Job& job) {
  while (job.state() == Job::State::running)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

TEST(Job, TellsMessagesFromRemarks) {
  const std::string said = job_message::progress("counting", 1, 4) + "a note\n" +
                           job_message::opened({"a.db"}) + job_message::opened({"b.db", "c d.db"}) +
                           job_message::progress("counting", 3, 4) +
                           job_message::progress("waiting", 7, 0);
  Jobs jobs;
  Job& job = jobs.add("line", child("cat >&2 <<'END'\n" + said + "END\nprintf result; exit 5"));
  wait_for(job);
  EXPECT_EQ(job.remarks(), "a note\n");
  EXPECT_EQ(job.output(), "result");
  EXPECT_EQ(job.progress(), "waiting 7");
  EXPECT_THAT(job.opened(), ElementsAre(ElementsAre("a.db"), ElementsAre("b.db", "c d.db")));
  EXPECT_EQ(job.state(), Job::State::failed);
  EXPECT_EQ(job.exit_status(), 5);
}

TEST(Jobs, AreToldOnceWhenTheyEnd) {
  Jobs jobs;
  EXPECT_FALSE(jobs.expects_news());
  Job& first = jobs.add("first", child("exit 0"));
  Job& second = jobs.add("second", child("sleep 100"));
  wait_for(first);
  EXPECT_TRUE(jobs.expects_news());
  EXPECT_THAT(jobs.news(),
              testing::AllOf(HasSubstr("j1 done after "), HasSubstr(": first   job show j1\n"),
                             testing::Not(HasSubstr("j2"))));
  EXPECT_EQ(jobs.news(), "");
  EXPECT_EQ(jobs.running(), 1U);
  second.stop();
  EXPECT_EQ(second.state(), Job::State::stopped);
  EXPECT_THAT(jobs.news(), HasSubstr("j2 stopped after "));
  EXPECT_FALSE(jobs.expects_news());
  EXPECT_EQ(*jobs.find(""), &second);
  EXPECT_EQ(*jobs.find("j1"), &first);
  EXPECT_THAT(jobs.find("j3").error().message, HasSubstr("there are j1 to j2"));
}

using LineOfJob = testing_support::ShellTest;

TEST_F(LineOfJob, NamesFilesAndValuesInsteadOfIds) {
  const std::string object = RPL_EXAMPLES_DIR "/hip/objects/vector_add.gfx942.co";
  ASSERT_EQ(run("open " + object), 0) << err;
  EXPECT_EQ(*line_of_job(context, "disassemble o1"), "disassemble " + object);
  ASSERT_EQ(run("object list"), 0) << err;
  const auto with_value =
      line_of_job(context, "profile --att $1.rows[1].id -- ./app $1.rows[1].id");
  ASSERT_TRUE(with_value.has_value()) << with_value.error().message;
  EXPECT_EQ(*with_value, "profile --att o1 -- ./app $1.rows[1].id");
  EXPECT_EQ(*line_of_job(context, "profile --runs 2 -- ./app o1 $object"),
            "profile --runs 2 -- ./app o1 $object");
  EXPECT_EQ(*line_of_job(context, "disassemble 'o1'  | head"), "disassemble 'o1'  | head");
  EXPECT_FALSE(line_of_job(context, "set width 80").has_value());
  EXPECT_FALSE(line_of_job(context, "step").has_value());
  EXPECT_FALSE(line_of_job(context, "").has_value());
}

TEST_F(LineOfJob, StartsAShellWithWhatIsOpenAndSet) {
  const std::string object = RPL_EXAMPLES_DIR "/hip/objects/vector_add.gfx942.co";
  ASSERT_EQ(run("open " + object), 0) << err;
  ASSERT_EQ(run("set emu gpu MI250X"), 0) << err;
  EXPECT_EQ(arguments_of_job(context, "roofline").error().code, Errc::unsupported);
  context.jobs().program = {"/bin/rpl", "-nx"};
  context.face().terminal().width = 90;
  EXPECT_THAT(*arguments_of_job(context, "roofline"),
              ElementsAre("/bin/rpl", "-nx", "-q", "-batch", "--no-color", "--width", "90", object,
                          "-ex", "set emu gpu MI250X", "-ex", "roofline"));
}

}  // namespace
}  // namespace rpl
