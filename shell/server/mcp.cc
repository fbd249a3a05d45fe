// SPDX-License-Identifier: MIT
#include "shell/server/serve.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "engine/base/encode.h"
#include "engine/document/json.h"
#include "shell/core/command/settings.h"
#include "shell/core/session/context.h"
#include "shell/core/session/values.h"
#include "shell/core/session/version.h"
#include "shell/render/render.h"
#include "shell/server/call.h"
#include "shell/server/protocol/json_rpc.h"
#include "shell/server/protocol/request.h"

namespace rpl {
namespace {

// Newest first. What we use of them is the same in all.
constexpr std::array<std::string_view, 4> kRevisions{"2025-11-25", "2025-06-18", "2025-03-26",
                                                     "2024-11-05"};

constexpr const char* kInstructions =
    "rocm-perf-lab finds out what limits programs on AMD GPUs, proposes changes of kernels and "
    "proves them. Begin with `open` (a recording), `info_capabilities` or "
    "`profile`; then `summary`, `critpath`, `classify`, `roofline`, `explain`. `help` with a "
    "command tells what it computes and what its numbers mean. What is opened stays "
    "current for later calls. Numbers carry their unit in their name and a provenance: measured, "
    "modelled, recorded, estimated; never present a modelled time as a measured one. "
    "Writing a change into the user's source (approve, revert, session_undo) is a person's "
    "decision and refused unless a person has allowed it.";

constexpr std::size_t kTextColumns = 120;

Value at(const Value& value, std::string_view key) {
  const Value* found = value.find(key);
  return found == nullptr ? Value() : *found;
}

/// What a model reads of an outcome; the document itself is beside it.
std::string text_for_model(const Runner::Outcome& outcome, std::uint64_t limit) {
  constexpr std::size_t kIndent = 2;
  std::string text = terminal_text(outcome.printed.text);
  if (outcome.printed.left_out_bytes > 0)
    text += fmt::format("({} bytes more were printed)\n", outcome.printed.left_out_bytes);
  for (const std::string& note : outcome.notes)
    text += fmt::format("note: {}\n", terminal_block(note, kIndent));
  if (!outcome.answer) {
    const Error& error = outcome.answer.error();
    return text + fmt::format("error: {}{}{}\n", terminal_block(error.message, kIndent),
                              error.hint.empty() ? "" : "; ", terminal_block(error.hint, kIndent));
  }
  const Document& document = *outcome.answer->document;
  const auto add = [&text](std::string_view part) -> Status {
    text += part;
    return {};
  };
  Terminal terminal;
  terminal.width = kTextColumns;
  if (const auto rendered =
          render(document, Form{.format = Format::text, .limit = limit}, terminal, add);
      !rendered) {
    text += fmt::format("error: {}\n", terminal_block(rendered.error().message, kIndent));
  }
  for (const std::string& note : document.notes)
    text += fmt::format("note: {}\n", terminal_block(note, kIndent));
  if (!document.next.empty()) text += fmt::format("next: {}\n", fmt::join(document.next, "   "));
  return text;
}

class Mcp {
 public:
  Mcp(Context& context, Runner& runner, Streams& streams)
      : context_(context), runner_(runner), streams_(streams) {}

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
    if (message.method == "ping") return streams_.reply(rpc::response(message.id, "{}"));
    if (message.method == "initialize")
      return streams_.reply(rpc::response(message.id, initialized(message.params)));
    if (message.method == "tools/list") {
      return wait(message.id, bytes, [this, id = message.id] {
        return rpc::response(id, tool_list(context_.registry()));
      });
    }
    if (message.method == "tools/call") {
      return wait(message.id, bytes, [this, id = message.id, params = std::move(message.params)] {
        return call(id, params);
      });
    }
    streams_.reply(rpc::failure(
        message.id, rpc::Code::no_method,
        fmt::format("no method '{}'; tools/list, tools/call and ping are there", message.method)));
  }

  void wait(const std::string& id, std::size_t bytes, std::function<std::string()> run) {
    Work work{.id = id, .bytes = bytes, .run = std::move(run), .cancelled = [] {}};
    if (!queue_.push(std::move(work)))
      streams_.reply(rpc::failure(id, rpc::Code::invalid_request,
                                  "another request with this id is not answered yet"));
  }

  static std::string initialized(const Value& params) {
    const std::string wanted = as_text(at(params, "protocolVersion"));
    const bool known = std::ranges::find(kRevisions, wanted) != kRevisions.end();
    return to_json(Value(Record{
        {"protocolVersion", Value(known ? wanted : std::string(kRevisions.front()))},
        {"capabilities", Value(Record{{"tools", Value(Record{{"listChanged", Value(false)}})}})},
        {"serverInfo", Value(Record{{"name", Value("rpl")},
                                    {"title", Value("rocm-perf-lab")},
                                    {"version", Value(version())}})},
        {"instructions", Value(kInstructions)}}));
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

  std::string call(const std::string& id, const Value& params) {
    const std::string name = as_text(at(params, "name"));
    const Command* command = tool_named(context_.registry(), name);
    if (command == nullptr)
      return rpc::failure(id, rpc::Code::invalid_params,
                          fmt::format("no tool '{}'; tools/list names them", name));
    const Value given = at(params, "arguments");
    if (!given.is_null() && given.as<Record>() == nullptr)
      return rpc::failure(id, rpc::Code::invalid_params, "arguments are an object");
    const Record arguments = given.is_null() ? Record{} : *given.as<Record>();
    const auto understand = [&](Console&) {
      return invocation_of(context_.registry(), command->path, arguments);
    };
    return rpc::response(id, outcome_json(runner_.run(understand, "", progress_to(params)),
                                          Value(arguments).find("limit") != nullptr));
  }

  std::string outcome_json(Runner::Outcome outcome, bool is_limited) const {
    // A model's window is small: without a limit of its own a table is cut, and the cut is said in both forms.
    const auto usual = static_cast<std::uint64_t>(context_.settings().integer("mcp rows"));
    const std::uint64_t limit = !is_limited      ? usual
                                : outcome.answer ? outcome.answer->limit.value_or(0)
                                                 : 0;
    Result<std::string> structured = std::string();
    if (outcome.answer) {
      structured = document_line(*outcome.answer->document, limit);
      if (!structured) {
        outcome.answer = Failure(structured.error());
        outcome.exit_code = exit_status(structured.error().code);
      }
    } else {
      structured = Failure(outcome.answer.error());
    }
    const Record content{{"type", Value("text")}, {"text", Value(text_for_model(outcome, limit))}};
    return JsonStream(kJsonLine)
        .member("content", Value(List{Value(content)}))
        .member_text("structuredContent", structured ? *structured : error_line(structured.error()))
        .member("isError", Value(!structured))
        .member("_meta", Value(Record{{"rocm-perf-lab/exit_code", Value(outcome.exit_code)}}))
        .text();
  }

  Context& context_;
  Runner& runner_;
  Streams& streams_;
  WorkQueue queue_;
};

}  // namespace

int run_mcp(Context& context, Runner& runner, Streams& streams) {
  return Mcp(context, runner, streams).run();
}

}  // namespace rpl
