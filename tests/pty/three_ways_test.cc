// SPDX-License-Identifier: MIT
// One job done three ways on copies of one program: a person types it, a script does it, an agent asks for it. Worst kernel, cause, accepted change, verdict,
// gain and the approved source must be the same.
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "engine/base/files.h"
#include "engine/document/json.h"
#include "engine/process/run.h"
#include "tests/pty/fixture.h"

namespace rpl {
namespace {

using testing_support::PromptTest;
using testing_support::Pty;

/// What one way led to.
struct Outcome {
  std::string worst, label, accepted, title, verdict, state, source;
  double path_share = 0, ratio = 0;
};

std::string text_at(const Value& document, std::string_view key) {
  const Value* found = document.find(key);
  const auto* text = found ? found->as<std::string>() : nullptr;
  return text ? *text : "";
}

double number_at(const Value& document, std::string_view key) {
  const Value* found = document.find(key);
  const auto* number = found ? found->as<double>() : nullptr;
  return number ? *number : 0;
}

/// What a person reads as a number; -1 for another text.
double number_of(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  return end == text.c_str() ? -1 : number;
}

class ThreeWaysTest : public PromptTest {
 protected:
  /// A folder with the program's source, named after the way.
  std::string copy_for(const std::string& way) {
    const std::string made = folder / way;
    std::filesystem::create_directory(made);
    std::filesystem::copy_file(RPL_EXAMPLES "/tutorial/norms.hip", made + "/norms.hip");
    return made;
  }
  static Outcome read(const std::string& json, const std::string& where) {
    const auto document = parse_json(json);
    EXPECT_TRUE(document.has_value()) << json;
    if (!document) return {};
    return {text_at(*document, "worst"),
            text_at(*document, "label"),
            text_at(*document, "accepted"),
            text_at(*document, "title"),
            text_at(*document, "verdict"),
            text_at(*document, "state"),
            read_text_file(where + "/norms.hip").value_or(""),
            number_at(*document, "path_share"),
            number_at(*document, "ratio")};
  }
  /// Runs a program to its end, which must be a good one, and gives what it printed.
  static std::string printed(const Spawn& spawn) {
    const auto exit = run(spawn);
    EXPECT_TRUE(exit && exit->ok()) << (exit ? exit->err.text : exit.error().message);
    return exit ? exit->out.text : "";
  }

  Outcome by_script() {
    const std::string where = copy_for("script");
    return read(printed({.argv = {RPL_PROGRAM, "--json", "-nx", "--allow", "approve", "-batch",
                                  "-x", "fix_worst.lua", "--", "norms.hip", "norms", "--approve"},
                         .env = environment,
                         .cwd = where}),
                where);
  }

  Outcome by_agent(const std::string& sdk) {
    const std::string where = copy_for("agent");
    std::vector<std::string> env = environment;
    env.insert(env.end(),
               {"RPL=" RPL_PROGRAM, "MCP_SDK=" + sdk, "SOURCE=norms.hip", "PROGRAM=norms"});
    return read(
        printed({.argv = {"node", RPL_MCP_TOOLS "/worst_kernel.mjs"}, .env = env, .cwd = where}),
        where);
  }

  /// Types a line; gives what stands between it and the next prompt: readline switches bracketed paste off when it hands a line over, and on when it asks again.
  static std::string say(Pty& pty, const std::string& line) {
    const std::size_t raw = pty.raw().size(), plain = pty.screen().plain().size();
    pty.send(line + "\r");
    EXPECT_TRUE(pty.wait_until([&](const testing_support::Screen&) {
      const std::size_t taken = pty.raw().find("\033[?2004l", raw);
      return taken != std::string::npos &&
             pty.raw().find("\033[?2004h", taken) != std::string::npos;
    })) << line
        << "\n"
        << pty.screen().text();
    std::string shown = pty.screen().plain().substr(plain);
    shown.erase(0, shown.find('\n') + 1);
    shown.erase(std::min(shown.rfind('\n'), shown.size()));
    return shown;
  }

  Outcome by_hand() {
    const std::string where = copy_for("hand");
    auto started = Pty::start({.argv = {RPL_PROGRAM, "-q", "-nx"},
                               .env = {"XDG_STATE_HOME=" + where, "INPUTRC=/dev/null"},
                               .cwd = where,
                               .columns = 200,
                               .rows = 50});
    EXPECT_TRUE(started.has_value());
    if (!started) return {};
    Pty& pty = *started;
    EXPECT_TRUE(pty.wait_until([&](const testing_support::Screen&) {
      return pty.raw().find("\033[?2004h") != std::string::npos;
    }));
    say(pty, "build norms.hip -o norms");
    say(pty, "profile --deep-analysis --focus-critical --quiet -- ./norms");
    EXPECT_NE(say(pty, "critpath --top 1").find("row_norms"), std::string::npos);
    Outcome out;
    out.worst = say(pty, "output $.rows[1].kernel");
    out.path_share = number_of(say(pty, "output $.rows[1].share"));
    const std::string classified = say(pty, "classify/q row_norms");
    out.label = classified.substr(
        0, classified.find('\n'));  // notes stand below: a terminal shows both streams
    say(pty, "capture run row_norms -o frozen --quiet -- ./norms");
    say(pty, "iterate --source norms.hip --capture frozen --all");
    say(pty, "info proposals");
    out.accepted = say(pty, "output $.rows{state = 'accepted'}:top(1, 'ratio')[1].id");
    say(pty, "info proposal " + out.accepted);
    out.title = say(pty, "output $.title");
    out.verdict = say(pty, "output $.evidence.decide.verdict");
    out.ratio = number_of(say(pty, "output $.evidence.decide.ratio"));
    // The change is shown, and a person says yes.
    EXPECT_NE(say(pty, "approve/q " + out.accepted + " --accept-modelled").find("+++ "),
              std::string::npos);
    out.state = say(pty, "y");
    out.source = read_text_file(where + "/norms.hip").value_or("");
    pty.send("quit\r");
    EXPECT_EQ(pty.wait_for_exit(), 0);
    return out;
  }

  static void expect_same(const Outcome& a, const Outcome& b) {
    EXPECT_EQ(a.worst, b.worst);
    EXPECT_EQ(a.label, b.label);
    EXPECT_EQ(a.accepted, b.accepted);
    EXPECT_EQ(a.title, b.title);
    EXPECT_EQ(a.verdict, b.verdict);
    EXPECT_EQ(a.state, b.state);
    EXPECT_EQ(a.source, b.source) << "byte by byte";
    // The prompt prints 14 digits.
    EXPECT_NEAR(a.path_share, b.path_share, 1e-12);
    EXPECT_NEAR(a.ratio, b.ratio, 1e-12 * a.ratio);
  }
};

TEST_F(ThreeWaysTest, PromptScriptAndAgentComeToTheSame) {
  if (!std::filesystem::exists("/usr/lib/llvm-19/bin/clang"))
    GTEST_SKIP() << "no clang-19: scripts/setup --full installs it";
  const Outcome script = by_script();
  EXPECT_EQ(script.label, "under-occupied");
  EXPECT_EQ(script.verdict, "improved");
  EXPECT_EQ(script.state, "approved");
  EXPECT_GT(script.ratio, 2.0);
  EXPECT_NE(script.source, read_text_file(RPL_EXAMPLES "/tutorial/norms.hip").value_or(""));
  expect_same(script, by_hand());

  const auto sdk = run({.argv = {RPL_MCP_TOOLS "/mcp_sdk", RPL_MCP_SDK}});
  ASSERT_TRUE(sdk.has_value());
  if (sdk->code == 77) GTEST_SKIP() << "prompt and script agree; the agent was " << sdk->out.text;
  expect_same(script, by_agent(RPL_MCP_SDK));
  std::printf("%s: %s; %s: %s, %.3f times as fast, %s\n", script.worst.c_str(),
              script.label.c_str(), script.accepted.c_str(), script.title.c_str(), script.ratio,
              script.state.c_str());
}

}  // namespace
}  // namespace rpl
