// SPDX-License-Identifier: MIT
#include "tests/shell/server/random_requests.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "engine/document/json.h"
#include "shell/commands/all.h"
#include "shell/core/command/registry.h"
#include "shell/core/session/context.h"
#include "tests/support/example_lines.h"
#include "tests/support/generate.h"

namespace rpl::testing_support {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSource = "source.hip";

/// Values of JSON that fit nowhere, nearly fit, or name something that is there.
const std::vector<std::string>& json_values() {
  static const std::vector<std::string> all{"1",
                                            "0",
                                            "-1",
                                            "9223372036854775807",
                                            "-9223372036854775808",
                                            "18446744073709551616",
                                            "1e300",
                                            "1e999",
                                            "-1e-300",
                                            "0.5",
                                            "true",
                                            "false",
                                            "null",
                                            "[]",
                                            "[1, \"x\"]",
                                            R"({"a": [1]})",
                                            R"("")",
                                            R"("\u0000")",
                                            R"("\ud800")",
                                            "\"\xff\xfe\"",
                                            R"("\ufffd")",
                                            R"("日本語")",
                                            R"("-")",
                                            R"("--")",
                                            R"("'")",
                                            R"("\"")",
                                            R"("/(/")",
                                            R"("/a/")",
                                            R"("@1")",
                                            R"("@0")",
                                            R"("@99")",
                                            R"("$1")",
                                            R"("$")",
                                            R"("$$9")",
                                            R"("$kernel")",
                                            R"("nan")",
                                            R"("inf")",
                                            R"("1e999")",
                                            R"("0x7fffffffffffffff")",
                                            R"("-0")",
                                            R"("10us")",
                                            R"("-5ms")",
                                            R"("small.db")",
                                            R"("nosuch.db")",
                                            R"("..")",
                                            R"("examples")",
                                            R"("examples/att/rowsum")",
                                            R"("examples/captures/softmax")",
                                            R"("examples/hip/objects/vector_add.gfx942.co")",
                                            R"("source.hip")",
                                            R"("k")",
                                            R"("k8")",
                                            R"("d1")",
                                            R"("d50")",
                                            R"("d51")",
                                            R"("q0")",
                                            R"("s0")",
                                            R"("a0")",
                                            R"("t1")",
                                            R"("c1")",
                                            R"("o1")",
                                            R"("p1")",
                                            R"("att1")",
                                            R"("v0")",
                                            R"("s[0:3]")",
                                            R"("pc")",
                                            R"("1,2,3")",
                                            R"("256,1,1")",
                                            R"("f32:iota:100")",
                                            R"("%s%n%d")",
                                            R"("{}")",
                                            R"("{0}")",
                                            "\"" + std::string(5000, 'x') + "\""};
  return all;
}

/// The same for words of a line.
const std::vector<std::string>& words() {
  static const std::vector<std::string> all{"1",
                                            "-1",
                                            "9223372036854775808",
                                            "1e999",
                                            "nan",
                                            "''",
                                            "\"",
                                            "@1",
                                            "@99",
                                            "/(/",
                                            "$1",
                                            "$$",
                                            "$nosuch",
                                            "small.db",
                                            "nosuch",
                                            "..",
                                            "d1",
                                            "k8",
                                            "t9",
                                            "c1",
                                            "--",
                                            "-",
                                            "--nope",
                                            "--json",
                                            "--limit",
                                            "/j",
                                            "/0",
                                            "/zz",
                                            "x=1",
                                            "{1,2}",
                                            "\xff\xfe",
                                            "\x01",
                                            "\x7f",
                                            "日本語",
                                            "256,1,1",
                                            "10us",
                                            std::string(3000, 'y')};
  return all;
}

std::string as_json(std::string_view text) { return json_string(text).string(); }

std::string of_line(std::size_t number, std::string_view line, std::size_t limit) {
  return fmt::format(R"({{"id": {}, "limit": {}, "line": {}}})", number, limit, as_json(line));
}

/// An example with the paths that prepare() makes.
std::string here(std::string line) {
  for (std::size_t at = line.find("SOURCE"); at != std::string::npos; at = line.find("SOURCE"))
    line.replace(at, std::string_view("SOURCE").size(), kSource);
  line = with_paths(std::move(line), "small.db", "examples");
  const std::string samples = "examples/../tests/engine/optimize/measure/noise/";
  if (const std::size_t at = line.find(samples); at != std::string::npos)
    line.replace(at, samples.size(), "noise/");
  return line;
}

}  // namespace

const std::map<std::string, std::string, std::less<>>& RandomRequests::left_out() {
  static const std::map<std::string, std::string, std::less<>> all{
      {"quit", "ends the interpreter"},
      {"shell", "runs any program"},
      {"repeat", "runs until it is stopped"},
      {"background", "starts another rpl for each line"},
  };
  return all;
}

const std::map<std::string, std::string, std::less<>>& RandomRequests::only_refused() {
  static const std::string slow = "compiles, runs and measures for seconds";
  static const std::map<std::string, std::string, std::less<>> all{
      {"autotune", slow},
      {"bench", slow},
      {"bench aa", slow},
      {"bench ab", slow},
      {"bench rates", slow},
      {"build", slow},
      {"continue", slow},
      {"finish", slow},
      {"iterate", slow},
      {"llm-optimize", slow},
      {"next", slow},
      {"optimize", slow},
      {"profile", slow},
      {"propose edit", slow},
      {"propose import", slow},
      {"propose llm", slow},
      {"propose rule", slow},
      {"run", slow},
      {"step", slow},
      {"tune resume", slow},
      {"tune evaluate", slow},
      {"verify", slow},
      {"capture rm", "takes away what others look at"},
      {"tutorial", "its steps compile and measure"},
  };
  return all;
}

void RandomRequests::prepare(const std::string& folder) {
  const fs::path to(folder);
  fs::copy(RPL_EXAMPLES_DIR, to / "examples", fs::copy_options::recursive);
  fs::copy(RPL_EXAMPLES_DIR "/../tests/engine/optimize/measure/noise", to / "noise",
           fs::copy_options::recursive);
  fs::copy(RPL_EXAMPLES_DIR "/hip/softmax.hip", to / kSource);
  test::GenerateOptions options;
  options.path = (to / "small.db").string();
  options.workload.dispatches = 50;
  if (!test::generate_rocpd(options)) throw std::runtime_error("cannot write " + options.path);
}

RandomRequests::RandomRequests(std::uint64_t seed) : random_(seed) {
  Context context;
  add_all_commands(context.registry());
  for (const auto& [path, command] : context.registry().all()) {
    if (command->hidden || left_out().contains(path)) continue;
    const bool refused = only_refused().contains(path);
    commands_.push_back({path, command->params, refused});
    for (const Param& param : command->params) names_.push_back(param.name);
    for (const std::string example : command->examples) {
      // A program's run takes its time, too, and its output is not ours.
      if (!refused && example.find("PROGRAM") == std::string::npos) lines_.push_back(here(example));
    }
  }
}

std::string RandomRequests::bytes() {
  std::string out(1 + draw(60), ' ');
  for (char& c : out) c = static_cast<char>(draw(256));
  std::ranges::replace(out, '\n', '{');
  // A line without content gets no reply.
  return "x" + out;
}

std::string RandomRequests::mutated(std::string line) {
  static constexpr std::string_view kOdd = " '\"/@$-=0k.,;#\\\t\x01\x7f~*?[]{}()<>%";
  static const std::vector<std::string> pieces{
      "999999999999999999999999999999", "-", "1e400", "日", "\xe2\x80\xae", "\xc3", "$x.rows[1]"};
  for (std::size_t times = 1 + draw(3); times > 0 && !line.empty(); --times) {
    const std::size_t at = draw(line.size());
    switch (draw(5)) {
      case 0:
        line.erase(at, 1 + draw(4));
        break;
      case 1:
        line.insert(at, 1, kOdd[draw(kOdd.size())]);
        break;
      case 2:
        line.insert(at, one(pieces));
        break;
      case 3:
        line.insert(std::min(line.find(' ', at), line.size()), " " + one(words()));
        break;
      default: {
        const std::size_t end = std::min(line.find(' ', at), line.size());
        line.replace(at, end - at, one(words()));
      }
    }
  }
  // A pipe would run what random words name, and so would `!`; `&` starts another rpl, and `q` ends this one.
  for (const char c : {'|', '!', '&'}) std::ranges::replace(line, c, '.');
  return line.find_first_not_of(" \t") != std::string::npos &&
                 line[line.find_first_not_of(" \t")] == 'q'
             ? "x" + line
             : line;
}

std::string RandomRequests::value(const Param& param) {
  if (!param.choices.empty() && draw(3) == 0) return as_json(one(param.choices));
  if (param.type == ParamType::integer && draw(3) == 0)
    return fmt::format("{}", static_cast<std::int64_t>(draw(60)) - 5);
  if (param.type == ParamType::boolean && draw(2) == 0) return draw(2) == 0 ? "true" : "false";
  return one(json_values());
}

std::string RandomRequests::call(std::size_t number) {
  const Asked& asked = one(commands_);
  std::string arguments;
  const auto add = [&arguments](std::string_view name, const std::string& text) {
    arguments += fmt::format("{}{}: {}", arguments.empty() ? "" : ", ", as_json(name), text);
  };
  for (const Param& param : asked.params) {
    if (draw(10) < (param.required ? 9U : 3U)) add(underscored(param.name), value(param));
  }
  if (asked.refused) add("no_such_argument", "1");
  if (draw(8) == 0) add(one(names_), one(json_values()));
  std::string path = asked.path;
  if (draw(2) == 0) std::ranges::replace(path, ' ', '_');
  return fmt::format(R"({{"id": {}, "limit": 50, "command": {}, "arguments": {{{}}}}})", number,
                     as_json(path), arguments);
}

std::string RandomRequests::next(std::size_t number) {
  switch (draw(12)) {
    case 0:
      return bytes();
    case 1:
      return fmt::format(R"({{"id": {}, "cancel": {}, "limit": 1}})", number, draw(100));
    case 2:
      return of_line(number, mutated(one(lines_)), 50).substr(0, 5 + draw(60));
    case 3:
    case 4:
    case 5:
      return call(number);
    case 6:
      return of_line(number, fmt::format("{} --{} {}", one(lines_), one(names_), one(words())), 50);
    case 7:
    case 8:
      return of_line(number, mutated(one(lines_)), draw(3) * 25);
    default:
      return of_line(number, one(lines_), 50);
  }
}

}  // namespace rpl::testing_support
