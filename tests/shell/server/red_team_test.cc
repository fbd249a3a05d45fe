// SPDX-License-Identifier: MIT
// An agent that must not reach further than it was given, over both protocols, in every way that came to mind. Each attempt would leave a mark or tell a secret.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "engine/base/sha256.h"
#include "engine/document/json.h"
#include "tests/shell/server/client.h"
#include "tests/support/generate.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::Lt;
using ::testing::Not;
using testing_support::InterpreterClient;
using testing_support::TempDir;

constexpr const char* kSecret = "TOPSECRET-4711";

std::string as_json(std::string_view text) { return to_json(Value(text)); }

/// A project with a recording and a source, and beside it what is not the agent's.
class RedTeam : public testing::Test {
 protected:
  RedTeam() {
    fs::create_directories(project());
    test::GenerateOptions options;
    options.path = folder_ / "project/small.db";
    options.workload.dispatches = 20;
    EXPECT_TRUE(test::generate_rocpd(options).has_value());
    folder_.write("project/k.hip", "__global__ void k(float* x) { x[0] = 1; }\n");
    folder_.write("project/self.rpl", "source self.rpl\n!touch MARK\n");
    folder_.write("project/helper.lua",
                  fmt::format("io.open('MARK', 'w'):close() return '{}'", kSecret));
    folder_.write("victim/secret", fmt::format("{}\n", kSecret));
    folder_.write("victim/key.h", fmt::format("#error {}\n", kSecret));
    fs::create_symlink(folder_ / "victim/key.h", folder_ / "project/beside.h");
    folder_.write("project/beside.hip", "#include \"beside.h\"\n__global__ void k(float* x) {}\n");
    folder_.write("project/beyond.hip", "#include \"out/key.h\"\n__global__ void k(float* x) {}\n");
    folder_.write("victim/space.lua", "os.execute('touch MARK')");
    fs::create_symlink(folder_ / "victim/secret", folder_ / "project/link.hip");
    fs::create_directory_symlink(folder_ / "victim", folder_ / "project/out");
    folder_.write("project/include.hip", "#include \"/proc/self/cwd/../victim/secret\"\n");
    folder_.write("project/embed.hip", "const char c[] = {\n#embed \"../victim/secret\"\n};\n");
    folder_.write("project/incbin.hip",
                  fmt::format("asm(\".incbin \\\"{}/victim/secret\\\"\");\n", folder_.path()));
    folder_.write("project/next.hip", "#include_next \"../victim/secret\"\n");
    folder_.write("project/proc.hip", "#include \"/proc/self/environ\"\n#include \"link.hip\"\n");
    fs::copy(fs::path(RPL_EXAMPLES_DIR) / "captures/softmax", folder_ / "project/kept",
             fs::copy_options::recursive);
    // A program that would tell that it ran.
    const std::string program = folder_.write("project/prog", "#!/bin/sh\ntouch MARK\n");
    fs::permissions(program, fs::perms::owner_all);
    before_ = contents();
  }

  [[nodiscard]] std::string project() const { return folder_ / "project"; }

  /// Every file but those of the session, with its hash.
  [[nodiscard]] std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> out;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) {
      const std::string path = entry.path().string();
      const bool kept = path.find("/.rpl") != std::string::npos ||
                        path.find("/state/") != std::string::npos ||
                        path.find("/.cache") != std::string::npos;
      if (kept || !entry.is_regular_file()) continue;
      std::ifstream file(path, std::ios::binary);
      out[path] = sha256_hex(std::string(std::istreambuf_iterator<char>(file), {}));
    }
    return out;
  }

  [[nodiscard]] std::vector<std::string> lines() const {
    const std::string rpl = RPL_PROGRAM;
    const std::string victim = folder_ / "victim";
    std::vector<std::string> out{
        "!touch MARK",
        "shell touch MARK",
        "shell",
        "info trace small.db | touch MARK",
        "lua os.execute('touch MARK')",
        "lua pcall(os.execute, 'touch MARK')",
        "lua coroutine.wrap(function() os.execute('touch MARK') end)()",
        "lua io.popen('touch MARK'):close()",
        "lua io.open('MARK', 'w'):close()",
        "lua io.output('MARK') io.write('x')",
        "lua os.rename('k.hip', 'MARK')",
        "lua os.remove('k.hip')",
        "lua local f = os.tmpname() print(f)",
        "lua for l in io.lines('../victim/secret') do print(l) end",
        "lua io.input('../victim/secret') print(io.read('a'))",
        "lua print(require 'helper')",
        "lua package.path = './?.lua' print(require 'helper')",
        "lua package.searchers[2] = nil print(require 'helper')",
        "lua dofile('helper.lua')",
        "lua print(loadfile('helper.lua')())",
        "lua print(package.searchpath('secret', '../victim/?'))",
        "lua print(load(string.dump(function() return os.execute('touch MARK') end), 'x', 'b')())",
        "lua rpl.exec('!touch MARK')",
        "lua rpl.exec('info trace small.db | touch MARK')",
        "lua rpl.eval('shell touch MARK')",
        "lua rpl.cmd.shell{'touch MARK'}",
        "lua rpl.on('before_command', function() os.execute('touch MARK') end)",
        "lua rpl.command{path='mark', summary='Mark.', run=function() os.execute('touch MARK') "
        "end} rpl.exec('mark')",
        "lua setmetatable({}, {__gc = function() os.execute('touch MARK') end}) collectgarbage()",
        "lua rpl.cmd.approve{'p1'}",
        "lua rpl.param.set('mcp approve', true)",
        "lua rpl.param.set('llm key-command', 'touch MARK')",
        "lua print(rpl.env.RED_TEAM_KEY)",
        "lua print(os.getenv('RED_TEAM_KEY'))",
        "print os.execute('touch MARK')",
        "output os.execute('touch MARK')",
        "printf '%s', os.execute('touch MARK')",
        "set $x = os.execute('touch MARK')",
        "display os.execute('touch MARK')",
        "set mcp approve on",
        "set llm key-command touch MARK",
        "set llm consent on",
        "set llm endpoint http://localhost:1/v1",
        "set llm key-file ../victim/secret",
        "set llm allow-http on",
        "set build compiler ./prog",
        "set optimize check-cmd touch MARK",
        "set slurm program ./prog",
        "approve p1 --accept-modelled",
        "revert p1",
        "session undo",
        "trust helper.lua",
        "trust session --yes",
        "record start MARK",
        "session export k.hip",
        "export csv kernels -o k.hip --trace small.db",
        "export csv kernels -o MARK --trace small.db",
        "export csv kernels -o .rpl/init.rpl --trace small.db",
        "export csv kernels -o out/MARK --trace small.db",
        "export markdown kernels -o k.hip --trace small.db",
        "export chrome -o MARK --trace small.db",
        "export dot -o MARK --trace small.db",
        "export svg -o MARK --trace small.db",
        "report md -o k.hip --trace small.db",
        "report html -o MARK --trace small.db",
        "plot roofline -o k.hip --trace small.db",
        "space define A=1,2 -o k.hip",
        "counters plan -o MARK SQ_WAVES",
        "build k.hip -o k.hip",
        "build k.hip -o MARK",
        "build k.hip --flag=-fplugin=./prog",
        "profile ./prog",
        "profile -- ./prog",
        "profile -- ./prog &",
        "background shell touch MARK",
        "background info trace small.db | touch MARK",
        "capture run k -- ./prog",
        "optimize k.hip ./prog",
        "optimize k.hip --build-cmd 'touch MARK' ./prog",
        "llm-optimize k.hip ./prog",
        "iterate --check-cmd 'touch MARK' --all",
        "verify --check-cmd 'touch MARK'",
        "space define A=1,2",
        "autotune --cmd-template './prog {A}'",
        "autotune --check-cmd 'touch MARK' --source k.hip",
        "tune evaluate ../victim",
        "source ../victim/secret",
        "source out/secret",
        "space load out/space.lua",
        "prompt link.hip",
        "prompt out/secret",
        "guard check link.hip --edited link.hip",
        "build link.hip",
        "propose edit ../victim/secret",
        "tune import ../victim/secret",
        "bench import out/secret",
        "tutorial start",
        "maint docs MARKS",
        "define hook-summary\n!touch MARK\nend",
        fmt::format("shell env -u RPL_APPROVAL {} -nx approve p1 --accept-modelled", rpl),
        fmt::format("lua os.execute([[env -u RPL_APPROVAL {} -batch -ex '!touch MARK']])", rpl),
        fmt::format("kernel run {}/secret k", victim),
        // Compilers, and what is passed on to them.
        "regress k.hip --compiler ./prog --compiler ./prog",
        "regress k.hip --compiler ./prog --flags-a -O1 --flags-b -O2",
        "regress k.hip --flags-a=-fplugin=./prog --flags-b=-O1",
        "regress k.hip --flags-a=-O0 --flags-b=-O3 --report out/MARKS",
        "regress --all ../victim --flags-a=-O0 --flags-b=-O3",
        "build k.hip --flag=-B.",
        "build k.hip --flag=@prog",
        "build k.hip --flag=-specs=prog",
        "build k.hip --flag=--config=prog",
        "build k.hip --flag=-Xclang --flag=-load --flag=-Xclang --flag=./prog",
        "build k.hip --flag=-include --flag=../victim/secret",
        "build k.hip --flag=-fno-integrated-as",
        "build k.hip --flag=-fstack-usage",
        "build k.hip -I ../victim",
        "regress include.hip --flags-a=-O0 --flags-b=-O3",
        "regress embed.hip --flags-a=-O0 --flags-b=-O3",
        "regress incbin.hip --flags-a=-O0 --flags-b=-O3",
        "regress next.hip --flags-a=-O0 --flags-b=-O3",
        "regress proc.hip --flags-a=-O0 --flags-b=-O3",
        "regress beside.hip --flags-a=-O0 --flags-b=-O3",
        "regress beyond.hip --flags-a=-O0 --flags-b=-O3",
        "optimize beside.hip --capture kept --kernel k",
        "optimize beyond.hip --capture kept --kernel k",
        // Paths that lead out by another way.
        "prompt /proc/self/cwd/../victim/secret",
        "prompt k.hip/../../victim/secret",
        fmt::format("prompt //{}/secret", victim),
        fmt::format("prompt /proc/self/root{}/secret", victim),
        "open /proc/self/environ",
        "source /proc/self/fd/0",
        "open ../victim",
        "open out",
        "complete open ../victim/sec",
        "complete open out/sec",
        "capture list ../victim",
        "att list ../victim",
        "att open ../victim",
        "capture rm kept",
        "capture unpack small.db -o out/MARK",
        "autotune --variants ../victim --capture kept",
        "autotune --variants out --capture kept",
        "replay kept --hsaco out/secret",
        // Databases.
        "sql \"attach '../victim/cookies.db' as x\" --trace small.db",
        "sql \"select readfile('../victim/secret')\" --trace small.db",
        "sql \"select writefile('MARK', 'x')\" --trace small.db",
        "sql \"select load_extension('./prog')\" --trace small.db",
        "sql \"vacuum into 'MARK'\" --trace small.db",
        "sql \"pragma temp_store_directory='../victim'\" --trace small.db",
        // Other faces and later commands.
        "serve",
        "serve --port 0",
        "serve &",
        "background serve",
        "export perfetto -o MARK --trace small.db",
        "export sqlite -o MARK --trace small.db",
        "export profile -o MARKS --trace small.db",
        "export evidence p1 -o MARK",
        "plot cycles -o MARK",
        "save breakpoints MARK",
        "maint docs MARKS",
        "maint capabilities MARK",
        "target slurm",
        "set slurm extra --wrap='touch MARK'",
        "set arch file ../victim/secret",
        "set counters file ../victim/secret",
        "set llm cassette MARK",
        "pipe info trace small.db | touch MARK",
        "info trace small.db > MARK",
        "lua io.stdout:write(io.open('../victim/secret'):read('a'))",
        "lua package.preload.evil = function() os.execute('touch MARK') end require 'evil'",
        "lua package.loadlib('./prog', '*')",
        "lua debug.getregistry()",
        "lua for k, v in pairs(rpl.env) do print(k, v) end",
        "alias mark=shell touch MARK",
        "run",
        "start",
        "capture live 1",
        "edit k.hip",
        "make MARK",
        // Ranks, clusters, folders that are compared, sources that are listed.
        "ranks reduce ../victim/secret",
        "ranks reduce out/secret",
        "ranks reduce --task ../victim",
        "ranks reduce --task .rpl/ranks/0 --batch 1",
        "ranks ../victim",
        "ranks steps out",
        "ranks small.db --target slurm",
        "ranks steps small.db --target slurm --of-task 1",
        "profile --target slurm -- ./prog",
        "profile --target slurm --ranks 2 -- ./prog",
        "target slurm --extra --wrap='touch MARK'",
        "autotune --target slurm --cmd-template './prog {A}'",
        "bench aa --capture kept --target slurm",
        "replay kept --target slurm",
        "compare ../victim small.db",
        "compare small.db out",
        "compare small.db ../victim/secret",
        "capture diff kept ../victim",
        "object diff ../victim/secret out/secret",
        "regress ../victim/secret out/secret --kernel k",
        "list ../victim/secret:1",
        "list link.hip:1 --columns executed,stall",
        "list out/secret:1 --columns executed",
        "break ../victim/secret:1",
        "info source ../victim/secret",
        "guard check k.hip --kernel k --response ../victim/secret",
        "propose import out/secret",
        "contract edit ../victim/secret",
        "plot occupancy --object ../victim/secret -o MARK",
        "occupancy --object out/secret",
        // What is not what it seems.
        std::string("prompt k.hip\0../victim/secret", 29),
        std::string("export csv kernels -o .rpl/init.rpl\0.csv --trace small.db", 57),
        "export csv kernels -o /proc/self/fd/1 --trace small.db",
        "export csv kernels -o /dev/stdout --trace small.db",
        "export csv kernels -o /dev/fd/5 --force --trace small.db",
        "source self.rpl",
        "lua rpl.exec(string.rep('with rows 1 -- ', 20000) .. '!touch MARK')",
        "lua getmetatable(io.stdout).__gc = function() os.execute('touch MARK') end",
        "lua getmetatable('').__index.rep = function() os.execute('touch MARK') end "
        "print(('x'):rep(3))",
        "lua error(setmetatable({}, {__tostring = function() os.execute('touch MARK') return 'x' "
        "end}))",
        "lua for _, v in pairs(package.loaded) do if type(v) == 'table' and rawget(v, 'execute') "
        "then "
        "v.execute('touch MARK') end end",
        "lua print(os.setlocale('C'))",
        "lua print(pcall(rpl.open, 'file:../victim/secret?mode=ro'))",
        "lua for k, v in pairs(rpl) do if type(v) == 'function' then pcall(v, '../victim/secret') "
        "end end",
        "sql \"select hex(fts3_tokenizer('simple'))\" --trace small.db",
        "sql \"select 1; attach '../victim/x.db' as q; select 2\" --trace small.db",
        "sql \"pragma writable_schema=1\" --trace small.db",
        "open 'file:../victim/secret?mode=rw'",
        "kernel run kept/kernel.hsaco --grid 4294967295 --workgroup 64 --arg @../victim/secret",
        "timeline --trace small.db --width 100000000",
        "info kernels --trace /proc/self/task/../cwd/../victim/secret",
        // Two profiles beside a source, limits of compilers, names that are read.
        "list k.hip:1 --against ../victim/secret",
        "list k.hip:1 --against out/secret",
        "list link.hip:1 --against small.db --trace small.db",
        "set build confined-seconds 100000",
        "demangle \"$(touch MARK)\"",
        "report md --source ../victim/secret --trace small.db",
        "document mark\n!touch MARK\nend",
        "tutorial check",
        "tui enable",
        "with pager off -- shell touch MARK",
        "repeat shell touch MARK --count 1",
        "save breakpoints k.hip",
    };
    return out;
  }

  /// What runs lines and expressions while a kernel is stopped.
  [[nodiscard]] static std::vector<std::string> lines_when_stopped() {
    return {
        "thread apply all shell touch MARK",
        "taas shell touch MARK",
        "frame apply all shell touch MARK",
        "faas !touch MARK",
        "break softmax if os.execute('touch MARK')",
        "tbreak softmax if io.open('MARK', 'w')",
        "condition 1 os.execute('touch MARK')",
        "watch $v0 if os.execute('touch MARK')",
        "display os.execute('touch MARK')",
        "call os.execute('touch MARK')",
        "ptype os.execute('touch MARK')",
        "whatis os.execute('touch MARK')",
        "x/4xw os.execute('touch MARK')",
        "print $v0 = os.execute('touch MARK')",
        "set var $v0 = os.execute('touch MARK')",
        "set $pc = os.execute('touch MARK')",
        "print io.open('../victim/secret'):read('a')",
        "list ../victim/secret:1",
        "list out/secret:1",
        "info line ../victim/secret:1",
        "info scope ../victim/secret:1",
        "until ../victim/secret:1",
        "advance out/secret:1",
        "save breakpoints MARK",
        "save breakpoints k.hip",
        "search SECRET",
        "disassemble /s ../victim/secret",
        "commands 1\n!touch MARK\nend",
        "commands 1\nlua os.execute('touch MARK')\nend",
        "run",
        "continue",
        "kill",
    };
  }

  void expect_untouched(std::string_view attempt) {
    EXPECT_EQ(contents(), before_) << attempt;
    EXPECT_FALSE(fs::exists(folder_ / "project/MARK")) << attempt;
    EXPECT_FALSE(fs::exists(folder_ / "project/.rpl/init.rpl")) << attempt;
  }

  TempDir folder_;
  std::map<std::string, std::string> before_;
};

TEST_F(RedTeam, NoLineOverJsonLinesGetsFurther) {
  ::setenv("RED_TEAM_KEY", kSecret, 1);
  const std::vector<std::string> all = lines();
  ASSERT_GE(all.size(), 200U);
  for (const std::string& line : all) {
    // Each in a session of its own: a listener that one leaves behind would refuse the next.
    InterpreterClient rpl({"--interpreter", "jsonl"}, project());
    rpl.send(fmt::format(R"({{"id": 1, "line": {}}})", as_json(line)));
    const std::string reply = to_json(rpl.reply());
    ASSERT_THAT(reply, HasSubstr("rpl.reply/1")) << line;
    EXPECT_THAT(reply, Not(HasSubstr(kSecret))) << line;
    rpl.send(R"({"id": 2, "line": "print 1 + 1"})");
    rpl.end();
    EXPECT_THAT(rpl.wait(), AllOf(Ge(0), Lt(128))) << "still runs, or ended by a signal: " << line;
    expect_untouched(line);
  }
}

TEST_F(RedTeam, NoLineGetsFurtherWhereAKernelIsStopped) {
  InterpreterClient rpl({"--interpreter", "jsonl"}, project());
  int id = 0;
  const auto asks = [&](std::string_view line) {
    rpl.send(fmt::format(R"({{"id": {}, "line": {}}})", ++id, as_json(line)));
    return to_json(rpl.reply());
  };
  for (const std::string& line : lines_when_stopped()) {
    // Whatever ended it before.
    EXPECT_THAT(asks("replay kept --target emu --stop"), HasSubstr("\"exit_code\": 0")) << line;
    asks("break softmax");
    const std::string reply = asks(line);
    ASSERT_THAT(reply, HasSubstr("rpl.reply/1")) << line;
    EXPECT_THAT(reply, Not(HasSubstr(kSecret))) << line;
    EXPECT_THAT(asks("stepi 3"), Not(HasSubstr(kSecret))) << line;
    expect_untouched(line);
  }
}

/// What still works when the last request was answered is held to the same.
TEST_F(RedTeam, WhatOutlivesTheLastRequestIsHeldToo) {
  for (int i = 0; i < 150; ++i) {
    InterpreterClient rpl({"--interpreter", "jsonl"}, project());
    rpl.send(R"({"id": 1, "line": "source -v out/secret"})");
    rpl.end();
    ASSERT_THAT(rpl.wait(), AllOf(Ge(0), Lt(128))) << i;
  }
}

/// The folder that was given may be one that holds what rpl runs and believes at a next start.
TEST_F(RedTeam, AHomeThatWasGivenIsNoWayIntoTheNextStart) {
  fs::create_directories(project() + "/config/rpl/scripts");
  fs::create_directories(project() + "/state/rpl");
  for (const char* name : {"config/rpl/init.rpl", "config/rpl/init.lua", "config/rpl/scripts/x.lua",
                           "state/rpl/trusted", "state/rpl/history"}) {
    for (const char* line : {"record start {}", "space define A=1,2 -o {}",
                             "export csv kernels -o {} --trace small.db"}) {
      InterpreterClient rpl({"--interpreter", "jsonl", "--allow", "write", "."}, project());
      const std::string typed = fmt::format(fmt::runtime(line), name);
      rpl.send(fmt::format(R"({{"id": 1, "line": {}}})", as_json(typed)));
      EXPECT_THAT(to_json(rpl.reply()), HasSubstr("may not write")) << typed;
      EXPECT_FALSE(fs::exists(project() + "/" + name)) << typed;
    }
  }
}

/// What others made is no more taken away than replaced.
TEST_F(RedTeam, WhatItDidNotMakeItDoesNotRemove) {
  InterpreterClient rpl({"--interpreter", "jsonl", "--allow", "write", "."}, project());
  rpl.send(R"({"id": 1, "line": "capture rm kept"})");
  EXPECT_THAT(to_json(rpl.reply()), HasSubstr("it did not make it"));
  expect_untouched("capture rm kept");
}

/// What an object or a recording names as its source may be a link to somewhere else.
TEST_F(RedTeam, NoSourceThatIsNamedByOthersIsShown) {
  const std::string examples = RPL_EXAMPLES_DIR;
  fs::copy(examples + "/hip/objects/normalize.gfx942.co", project() + "/k.co");
  for (const char* name : {"normalize.hip", "project/normalize.hip"}) {
    fs::create_directories(fs::path(project() + "/" + name).parent_path());
    fs::create_symlink(folder_ / "victim/secret", project() + "/" + name);
  }
  before_ = contents();
  InterpreterClient rpl({"--interpreter", "jsonl"}, project());
  int id = 0;
  for (const std::string& line :
       {std::string("kernel run k.co --grid 256 --workgroup 128 --arg f32:iota:1000 --arg "
                    "f32:zero:1000 --arg i32:200 --arg i32:5 --stop"),
        std::string("list"), std::string("list 1,20 --columns executed,stall"),
        std::string("list normalize.hip:1"), std::string("info source"),
        std::string("info sources"), std::string("search TOPSECRET"),
        std::string("reverse-search TOPSECRET"), std::string("set source path ../victim"),
        std::string("list secret:1"), std::string("disassemble k.co"), std::string("step"),
        std::string("frame"), std::string("kernel counts"), std::string("findings"),
        std::string("prompt normalize.hip")}) {
    rpl.send(fmt::format(R"({{"id": {}, "line": {}}})", ++id, as_json(line)));
    const std::string reply = to_json(rpl.reply());
    ASSERT_THAT(reply, HasSubstr("rpl.reply/1")) << line;
    EXPECT_THAT(reply, Not(HasSubstr(kSecret))) << line;
    if (id == 1) {
      EXPECT_THAT(reply, HasSubstr("\"exit_code\": 0"));
    }
  }
  rpl.end();
  expect_untouched("sources");
}

/// Tools that take arguments of their own, where no line is read.
TEST_F(RedTeam, NoToolGetsFurther) {
  ::setenv("RED_TEAM_KEY", kSecret, 1);
  InterpreterClient rpl({"--interpreter", "mcp"}, project());
  int id = 0;
  const auto call = [&](std::string_view tool, const Record& arguments) {
    rpl.send(fmt::format(
        R"({{"jsonrpc": "2.0", "id": {}, "method": "tools/call", "params": {{"name": {}, "arguments": {}}}}})",
        ++id, as_json(tool), to_json(Value(arguments))));
    const std::string reply = to_json(rpl.reply());
    ASSERT_THAT(reply, HasSubstr("jsonrpc")) << tool;
    EXPECT_THAT(reply, Not(HasSubstr(kSecret))) << tool;
    expect_untouched(fmt::format("{} {}", tool, to_json(Value(arguments))));
  };
  // What a line may not, code may not either. A listener would refuse what comes behind it.
  for (const std::string& line : lines()) {
    if (line.find("rpl.on(") != std::string::npos) continue;
    call("lua", {{"code", Value(fmt::format("rpl.exec({})", as_json(line)))}});
    call("command", {{"line", Value(line)}});
  }
  for (const char* action : {"profile", "capture", "replay", "build", "kernel", "optimize"})
    call("run", {{"action", Value(action)},
                 {"program", Value("./prog")},
                 {"source", Value("../victim/secret")},
                 {"output", Value("MARK")}});
  call("query", {{"sql", Value("attach '../victim/x.db' as x")}, {"trace", Value("small.db")}});
  call("open", {{"path", Value(List{Value("../victim")})}});
  call("regress", {{"kernels", Value(List{Value("k.hip")})},
                   {"compiler", Value(List{Value("./prog"), Value("./prog")})}});
  call("export_markdown",
       {{"what", Value("kernels")}, {"output", Value("k.hip")}, {"trace", Value("small.db")}});
  call("report_md", {{"output", Value("k.hip")}, {"trace", Value("small.db")}});
  call("session_export", {{"file", Value("k.hip")}});
  call("plot_roofline", {{"output", Value("k.hip")}, {"trace", Value("small.db")}});
  call("space_define", {{"parameters", Value(List{Value("A=1,2")})}, {"output", Value("k.hip")}});
  call("build", {{"source", Value("k.hip")}, {"output", Value("k.hip")}});
  call("iterate", {{"check_cmd", Value("touch MARK")}, {"all", Value(true)}});
  call("llm_optimize", {{"source", Value("k.hip")}, {"auto_approve", Value(true)}});
  call("prompt", {{"source", Value("../victim/secret")}});
  call("source", {{"file", Value("helper.lua")}});
  call("profile", {{"program", Value(List{Value("./prog")})}});
  call("set", {{"assignment", Value("llm key-command touch MARK")}});
}

TEST_F(RedTeam, NoResourceIsAFileFromElsewhere) {
  InterpreterClient rpl({"--interpreter", "mcp"}, project());
  const std::string victim = folder_ / "victim/secret";
  int id = 0;
  for (const std::string& uri :
       {"file://" + victim, std::string("file://../victim/secret"),
        std::string("rpl://source/../victim/secret"), "rpl://source/" + victim,
        "rpl://source//proc/self/root" + victim, std::string("rpl://source/link.hip"),
        std::string("rpl://source/out/secret"), std::string("rpl://source/%2e%2e/victim/secret"),
        std::string("rpl://source/..%2fvictim%2fsecret"), std::string("rpl://report/../victim"),
        std::string("rpl://result/../../victim/secret")}) {
    rpl.send(fmt::format(
        R"({{"jsonrpc": "2.0", "id": {}, "method": "resources/read", "params": {{"uri": {}}}}})",
        ++id, as_json(uri)));
    const std::string reply = to_json(rpl.reply());
    EXPECT_THAT(reply, HasSubstr("\"error\"")) << uri;
    EXPECT_THAT(reply, Not(HasSubstr(kSecret))) << uri;
  }
  expect_untouched("resources/read");
}

/// The same lines where somebody starts a restricted session for them.
TEST_F(RedTeam, NoLineOfARestrictedSessionGetsFurther) {
  std::vector<std::string> arguments{"--restricted", "-nx"};
  for (const std::string& line : lines()) {
    // An argument ends at a NUL.
    if (line.find("rpl.on(") == std::string::npos && !line.starts_with("define ") &&
        line.find('\0') == std::string::npos)
      arguments.insert(arguments.end(), {"-ex", line});
  }
  InterpreterClient rpl(arguments, project());
  ASSERT_TRUE(rpl.started());
  rpl.end();
  while (const auto said = rpl.line()) EXPECT_THAT(*said, Not(HasSubstr(kSecret)));
  EXPECT_THAT(rpl.wait(), AllOf(Ge(0), Lt(128)));
  expect_untouched("a restricted session");
}

/// What cannot be started is not waited for: this once took 240 s and passed.
TEST_F(RedTeam, AnAttemptThatCannotBeStartedIsSaid) {
  InterpreterClient rpl({"--restricted", "-ex", std::string("prompt k.hip\0x", 14)}, project());
  EXPECT_FALSE(rpl.started());
  EXPECT_TRUE(rpl.ended());
  EXPECT_FALSE(rpl.line());
  EXPECT_EQ(rpl.wait(), -1);
}

/// An option that was given opens that door and no other.
TEST_F(RedTeam, AFolderThatWasGivenIsNoOtherFolder) {
  fs::create_directories(folder_ / "project/given");
  InterpreterClient rpl({"--interpreter", "jsonl", "--allow", "write", "given"}, project());
  const auto asks = [&](std::string_view line) {
    rpl.send(fmt::format(R"({{"id": 1, "line": {}}})", as_json(line)));
    return to_json(rpl.reply());
  };
  EXPECT_THAT(asks("export csv kernels -o given/k.csv --trace small.db"),
              HasSubstr("\"exit_code\": 0"));
  EXPECT_TRUE(fs::exists(folder_ / "project/given/k.csv"));
  EXPECT_THAT(asks("export csv kernels -o k.hip --trace small.db"), HasSubstr("--allow write DIR"));
  EXPECT_THAT(asks("!touch MARK"), HasSubstr("--interpreter jsonl --allow run"));
  fs::remove(folder_ / "project/given/k.csv");
  expect_untouched("given");
}

}  // namespace
}  // namespace rpl
