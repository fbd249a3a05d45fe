// SPDX-License-Identifier: MIT
#include "shell/server/tools/core.h"

#include <algorithm>

namespace rpl {
namespace {

ToolKey text(std::string name, std::string help, std::vector<std::string> choices = {}) {
  return {.name = std::move(name),
          .type = "string",
          .help = std::move(help),
          .choices = std::move(choices)};
}
ToolKey number(std::string name, std::string help, const char* type = "integer") {
  return {.name = std::move(name), .type = type, .help = std::move(help)};
}
ToolKey many(ToolKey key) {
  key.repeated = true;
  return key;
}
ToolKey needed(ToolKey key) {
  key.required = true;
  return key;
}
ToolKey flag(std::string name, std::string help) {
  return {.name = std::move(name), .type = "boolean", .help = std::move(help)};
}

const ToolKey kTrace = text("trace", "id or path; default: the current one");
const ToolKey kKernel = text("kernel", "id (k1e0d77), name or part of it, /regex/");

std::vector<CoreTool> looking_tools() {
  return {
      {"open",
       "Begin here: open a recording (rocpd, RPD, rocprofv3 CSV or JSON, PyTorch trace), thread "
       "trace, capture folder, code object or profile.json, and get its summary. It stays current.",
       false,
       {kPartsSchema},
       {needed(many(text("path", "files or folders")))},
       open_paths},
      {"status",
       "What is open, which captures and proposals there are, what this machine can run and what "
       "this session may do. Use it when you join a session or something was refused.",
       true,
       {kPartsSchema},
       {},
       status_of_all},
      {"kernels",
       "Kernels by total time; with `kernel` one of them: percentiles, registers, launches. Use it "
       "to find ids.",
       true,
       {"rpl.info.kernels/1", "rpl.info.kernel/1"},
       {kKernel, text("sort", "", {"total", "mean", "calls", "max", "name"}),
        number("limit", "rows, default 10"), kTrace},
       kernels},
      {"critical_path",
       "What the end of the run waited for: kernels on the critical path with share and "
       "gain_if_2x, and the longest gaps of the device. Use it to choose what is worth optimizing.",
       true,
       {kPartsSchema},
       {number("top", "rows of each, default 5"), kTrace},
       critical_path},
      {"diagnose",
       "Why one kernel takes its time: label with evidence, headroom, advice. Default: the kernel "
       "with the largest share of the critical path. What is missing is named with how to record "
       "it.",
       true,
       {kPartsSchema},
       {kKernel, kTrace},
       diagnose_kernel},
      {"metrics",
       "Numbers behind a diagnosis: hardware counters, roofline or occupancy of kernels.",
       true,
       {"rpl.counters.metrics/1", "rpl.roofline/1", "rpl.occupancy/1"},
       {needed(text("view", "", {"counters", "roofline", "occupancy"})), kKernel,
        number("limit", "rows, default 10"), kTrace},
       metrics},
      {"hotspots",
       "Where inside a kernel, from a thread trace: source lines, instructions, what waits waited "
       "for, which stalls were hidden.",
       true,
       {"rpl.att.lines/1", "rpl.att.insts/1", "rpl.att.waits/1", "rpl.att.hidden/1"},
       {text("view", "default lines", {"lines", "instructions", "waits", "hidden"}),
        number("top", "rows, default 10"),
        text("att", "thread trace: id or folder; default: the current one")},
       hotspots},
      {"whatif",
       "What the whole run would gain if kernels were `speedup` times as fast, or gone. Use it "
       "before you optimize: a kernel off the critical path gains nothing.",
       true,
       {"rpl.whatif/1"},
       {many(kKernel), number("speedup", "factor, default 2", "number"),
        flag("remove", "without them"), kTrace},
       what_if},
      {"explain",
       "Formula, inputs and source of a number that another tool gave, before you rely on it.",
       true,
       {"rpl.explain/1"},
       {needed(text("what",
                    "REF.FIELD: k1e0d77.criticality, critpath.ceiling_speedup, "
                    "d12.slack_ns")),
        kTrace},
       explain_number},
      {"query",
       "SQL over the recording's database, read only, for what no other tool answers.",
       true,
       {"rpl.sql/1"},
       {needed(text("sql", "SELECT … FROM kernels …")), number("limit", "rows, default 20"),
        kTrace},
       query},
  };
}

std::vector<CoreTool> working_tools() {
  return {
      {"compare",
       "Two recordings kernel by kernel (where time went, no verdict). With `capture`: two builds "
       "of a kernel measured against each other, which is a verdict.",
       false,
       {"rpl.compare/1", "rpl.compare.profiles/1", "rpl.bench.ab/1"},
       {needed(text("before", "recording, or code object of the baseline")),
        needed(text("after", "recording, or code object")),
        text("capture", "folder or c1, to measure builds"), number("limit", "rows, default 10")},
       compare_two},
      {"run",
       "Build a HIP source, profile a program (opens the recording), freeze a dispatch as a "
       "capture, replay a capture, or run a kernel of an object on the emulated device. build, "
       "profile and capture need --allow run, files --allow write DIR.",
       false,
       {"rpl.build/1", "rpl.profile/1", "rpl.capture.run/1", "rpl.replay/1", "rpl.kernel.run/1"},
       {needed(text("action", "", {"build", "profile", "capture", "replay", "kernel"})),
        many(text("program", "profile, capture: program and arguments")),
        text("source", "build: file"),
        text("kernel", "capture, kernel: which"),
        text("object", "kernel: code object"),
        text("capture", "replay: folder or c1"),
        text("output", "file or folder to write"),
        {.name = "options",
         .type = "object",
         .help = "what else the command takes by name: command {\"help\": \"profile\"}"}},
       run_action},
      {"propose",
       "Make a kernel faster with proof. begin (source, capture; without them: what there is to "
       "begin with), then rules, or edit: your own change; decide proves it: guard, build, verify, "
       "measure. A person approves.",
       false,
       {"rpl.iterate/1", "rpl.propose.rule/1", "rpl.propose.edit/1", "rpl.finish/1",
        "rpl.info.proposal/1", "rpl.info.proposals/1"},
       {needed(text("action", "", {"begin", "rules", "edit", "decide", "show", "list"})),
        text("source", "begin: HIP file"), text("capture", "begin: folder or c1"),
        text("kernel", "begin: which"),
        text("find", "edit: text in the kernel's body, once in the file"),
        text("replace", "edit: what stands there instead"),
        text("file", "edit: an edited copy, in place of find"), text("title", "edit: what it does"),
        text("proposal", "decide, show: p1; default: the open one")},
       propose_action},
      {"debug",
       "Debugger lines on the emulated device as in GDB, run in order until one fails: `break "
       "k.hip:8 if lane == 3`, `kernel run …`, `print $v2`, `continue`, `info registers`, `bt`. "
       "For wrong results, not for time.",
       false,
       {kPartsSchema},
       {needed(many(text("lines", "one command each")))},
       debug_lines},
      {"command",
       "Any rpl command line, for what no other tool does (a line in quotes in a reply or hint "
       "goes "
       "here). `help`: how a command is used, or what there is about a word. `more`: a handle of a "
       "cut reply.",
       false,
       {},
       {text("line", "info dispatches --kernel gemm --limit 5"),
        text("help", "command, topic or word"), text("more", "r3@10"),
        number("max_bytes", "of the reply, default 8192; 0: all")},
       any_command},
  };
}

std::vector<CoreTool> made() {
  std::vector<CoreTool> out = looking_tools();
  std::ranges::move(working_tools(), std::back_inserter(out));
  return out;
}

Value result_schema(const CoreTool& tool) {
  Record schema{{"type", Value("string")}};
  if (!tool.schemas.empty()) {
    List names;
    for (const std::string_view one : tool.schemas) names.emplace_back(one);
    names.emplace_back("rpl.error/1");
    schema = {{"enum", Value(std::move(names))}};
  }
  return Value(Record{{"type", Value("object")},
                      {"properties", Value(Record{{"schema", Value(std::move(schema))}})},
                      {"required", Value(List{Value("schema")})}});
}

}  // namespace

std::span<const CoreTool> core_tools() {
  static const std::vector<CoreTool> tools = made();
  return tools;
}

const CoreTool* core_tool(std::string_view name) {
  const auto tools = core_tools();
  const auto found = std::ranges::find(tools, name, &CoreTool::name);
  return found == tools.end() ? nullptr : &*found;
}

List core_tool_list(bool structured) {
  List out;
  for (const CoreTool& tool : core_tools()) {
    Record one{{"name", Value(tool.name)},
               {"description", Value(tool.description)},
               {"inputSchema", Value(keys_schema(tool.keys))}};
    if (structured) one.emplace_back("outputSchema", result_schema(tool));
    one.emplace_back("annotations", tool.only_reads
                                        ? Value(Record{{"readOnlyHint", Value(true)}})
                                        : Value(Record{{"destructiveHint", Value(false)}}));
    out.emplace_back(std::move(one));
  }
  return out;
}

}  // namespace rpl
