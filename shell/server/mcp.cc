// SPDX-License-Identifier: MIT
#include "shell/server/serve.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/document/json.h"
#include "shell/core/command/settings.h"
#include "shell/core/session/context.h"
#include "shell/core/session/values.h"
#include "shell/core/session/version.h"
#include "shell/server/call.h"
#include "shell/server/mcp_host.h"
#include "shell/server/mcp_reply.h"
#include "shell/server/mcp_resources.h"
#include "shell/server/protocol/json_rpc.h"
#include "shell/server/protocol/request.h"
#include "shell/server/tools/arguments.h"
#include "shell/server/tools/core.h"

namespace rpl {
namespace {

// Newest first. What we use of them is the same in all.
constexpr std::array<std::string_view, 4> kRevisions{"2025-11-25", "2025-06-18", "2025-03-26",
                                                     "2024-11-05"};

constexpr const char* kInstructions =
    "rocm-perf-lab finds out what limits programs on AMD GPUs, proposes changes of kernels and "
    "proves them. `open` a recording, then `critical_path`, `diagnose`, `whatif`; `propose` makes "
    "a "
    "kernel faster with proof, from a source and a capture that `run` makes. `command` runs any "
    "other line. What is opened stays current. Numbers are in the unit of their name, shares 0 to "
    "1, unknown is null; provenance is measured, modelled, recorded or estimated: never present a "
    "modelled time as a measured one. Replies are cut to about 8 KB and say how to have the rest. "
    "Writing a change into the user's source (approve, revert, session undo) is a person's "
    "decision and refused unless a person has allowed it.";

constexpr const char* kAllToolsInstructions =
    "rocm-perf-lab finds out what limits programs on AMD GPUs, proposes changes of kernels and "
    "proves them. Begin with `open` (a recording), `info_capabilities` or "
    "`profile`; then `summary`, `critpath`, `classify`, `roofline`, `explain`. `help` with a "
    "command tells what it computes and what its numbers mean. What is opened stays "
    "current for later calls. Numbers carry their unit in their name and a provenance: measured, "
    "modelled, recorded, estimated; never present a modelled time as a measured one. "
    "Writing a change into the user's source (approve, revert, session_undo) is a person's "
    "decision and refused unless a person has allowed it.";

Value at(const Value& value, std::string_view key) {
  const Value* found = value.find(key);
  return found == nullptr ? Value() : *found;
}

class Mcp {
 public:
  Mcp(Context& context, Runner& runner, Streams& streams, const McpForm& form)
      : context_(context), streams_(streams), form_(form), host_(context, runner) {}

  int run() {
    return serve(
        context_, streams_, queue_, kLongestRequest,
        [this](std::string_view line, bool too_long) { hear(line, too_long); },
        AfterCancel::silent);
  }

 private:
  // In the reader's thread, which may not look at the shell.
  void hear(std::string_view line, bool too_long) {
    if (too_long)
      return streams_.reply(
          rpc::failure("null", rpc::Code::invalid_request,
                       fmt::format("a message is longer than {} MiB", kLongestRequest >> 20U)));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
    rpc::Message message = rpc::read(line);
    switch (message.kind) {
      case rpc::Message::Kind::invalid:
        return streams_.reply(rpc::failure(message.id, message.code, message.reason));
      case rpc::Message::Kind::response:
        return;
      case rpc::Message::Kind::notification:
        return notified(message);
      case rpc::Message::Kind::request:
        return requested(std::move(message), line.size());
    }
  }

  void notified(const rpc::Message& message) {
    if (message.method == "notifications/cancelled")
      queue_.cancel(to_json(at(message.params, "requestId")));
  }

  void requested(rpc::Message message, std::size_t bytes) {
    if (message.method == "ping") return streams_.reply(rpc::response(message.id, OwnText("{}")));
    if (message.method == "initialize")
      return streams_.reply(rpc::response(message.id, initialized(message.params)));
    if (message.method == "tools/list") {
      return wait(message.id, bytes,
                  [this, id = message.id] { return rpc::response(id, listed_tools()); });
    }
    if (message.method == "tools/call") {
      return wait(message.id, bytes, [this, id = message.id, params = std::move(message.params)] {
        return call(id, params);
      });
    }
    if (message.method.starts_with("resources/")) {
      return wait(message.id, bytes, [this, message] { return resources(message); });
    }
    no_method(message);
  }

  void no_method(const rpc::Message& message) {
    streams_.reply(rpc::failure(
        message.id, rpc::Code::no_method,
        fmt::format("no method '{}'; tools/list, tools/call, resources/list, resources/read and "
                    "ping are there",
                    message.method)));
  }

  [[nodiscard]] JsonText listed_tools() const {
    if (form_.all_tools) return tool_list(context_.registry());
    return json_text(Value(Record{{"tools", Value(core_tool_list(!form_.text_only))}}));
  }

  JsonText resources(const rpc::Message& message) {
    if (message.method == "resources/list")
      return rpc::response(message.id, resource_list(context_, host_.kept()));
    if (message.method == "resources/templates/list")
      return rpc::response(message.id, resource_templates());
    if (message.method != "resources/read")
      return rpc::failure(message.id, rpc::Code::no_method,
                          fmt::format("no method '{}'", message.method));
    host_.progress = {};
    const auto read = read_resource(context_, host_, as_text(at(message.params, "uri")));
    if (read) return rpc::response(message.id, *read);
    const Error& error = read.error();
    return rpc::failure(message.id, rpc::Code::no_resource,
                        error.hint.empty() ? error.message : error.message + "; " + error.hint);
  }

  void wait(const std::string& id, std::size_t bytes, std::function<JsonText()> run) {
    Work work{.id = id, .bytes = bytes, .run = std::move(run), .cancelled = [] {}};
    if (!queue_.push(std::move(work)))
      streams_.reply(rpc::failure(id, rpc::Code::invalid_request,
                                  "another request with this id is not answered yet"));
  }

  [[nodiscard]] JsonText initialized(const Value& params) const {
    const std::string wanted = as_text(at(params, "protocolVersion"));
    const bool known = std::ranges::find(kRevisions, wanted) != kRevisions.end();
    return json_text(Value(Record{
        {"protocolVersion", Value(known ? wanted : std::string(kRevisions.front()))},
        {"capabilities", Value(Record{{"tools", Value(Record{{"listChanged", Value(false)}})},
                                      {"resources", Value(Record{})}})},
        {"serverInfo", Value(Record{{"name", Value("rpl")},
                                    {"title", Value("rocm-perf-lab")},
                                    {"version", Value(version())}})},
        {"instructions", Value(form_.all_tools ? kAllToolsInstructions : kInstructions)}}));
  }

  Runner::Progress progress_to(const Value& params) {
    const Value token = at(at(params, "_meta"), "progressToken");
    if (token.is_null()) return {};
    // The protocol wants a number that only grows, and work starts over with each part: reports are counted, the message says how far it is.
    return [this, token, count = 0](std::string_view what, std::uint64_t done,
                                    std::uint64_t total) mutable {
      const std::string message = total == 0 ? fmt::format("{} {}", what, done)
                                             : fmt::format("{} {} of {}", what, done, total);
      streams_.reply(rpc::notification(
          "notifications/progress",
          {{"progressToken", token}, {"progress", Value(++count)}, {"message", Value(message)}}));
    };
  }

  JsonText call(const std::string& id, const Value& params) {
    const std::string name = as_text(at(params, "name"));
    const CoreTool* core = form_.all_tools ? nullptr : core_tool(name);
    // What is not listed can be called all the same: an agent may know it from elsewhere.
    const Command* command = core == nullptr ? tool_named(context_.registry(), name) : nullptr;
    if (core == nullptr && command == nullptr)
      return rpc::failure(id, rpc::Code::invalid_params,
                          fmt::format("no tool '{}'; tools/list names them", name));
    const Value given = at(params, "arguments");
    if (!given.is_null() && given.as<Record>() == nullptr)
      return rpc::failure(id, rpc::Code::invalid_params, "arguments are an object");
    const Record arguments = given.is_null() ? Record{} : *given.as<Record>();
    host_.progress = progress_to(params);
    return rpc::response(
        id, core == nullptr ? call_command(*command, arguments) : call_core(*core, arguments));
  }

  /// How much this reply may hold: settings may change while the server runs.
  [[nodiscard]] McpForm form_now() const {
    McpForm out = form_;
    out.bytes = static_cast<std::size_t>(context_.settings().integer("mcp bytes"));
    out.rows = static_cast<std::uint64_t>(context_.settings().integer("mcp rows"));
    return out;
  }

  JsonText call_core(const CoreTool& tool, const Record& arguments) {
    McpForm form = form_now();
    if (const auto checked = check_keys(tool.name, tool.keys, arguments); !checked)
      return tool_error(checked.error(), form);
    if (const Value* bytes = find_argument(arguments, "max_bytes"); bytes != nullptr)
      form.bytes = static_cast<std::size_t>(std::max(0.0, bytes->number().value_or(0)));
    const auto parts = tool.run(host_, arguments);
    if (!parts) return tool_error(parts.error(), form);
    const bool together =
        tool.schemas.size() == 1 && tool.schemas.front() == std::string_view(kPartsSchema);
    return tool_result(*parts, together, form, host_.kept());
  }

  JsonText call_command(const Command& command, const Record& arguments) {
    const McpForm form = form_now();
    if (const auto checked = check_keys(tool_name(command), tool_keys(command), arguments);
        !checked)
      return tool_error(checked.error(), form);
    return tool_result({host_.run(command.path, arguments)}, false, form, host_.kept());
  }

  Context& context_;
  Streams& streams_;
  McpForm form_;
  McpHost host_;
  WorkQueue queue_;
};

}  // namespace

int run_mcp(Context& context, Runner& runner, Streams& streams, const McpForm& form) {
  return Mcp(context, runner, streams, form).run();
}

}  // namespace rpl
