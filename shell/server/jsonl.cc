// SPDX-License-Identifier: MIT
#include "shell/server/serve.h"

#include <fmt/format.h>

#include "shell/core/inputs/profile_shapes.h"
#include "shell/core/session/context.h"
#include "shell/server/call.h"
#include "shell/server/protocol/request.h"

namespace rpl {
namespace {

/// Hears requests in the reader's thread and answers them in its own.
class JsonLines {
 public:
  JsonLines(Context& context, Runner& runner, Streams& streams)
      : context_(context), runner_(runner), streams_(streams) {}

  int run() {
    return serve(
        context_, streams_, queue_, kLongestRequest,
        [this](std::string_view line, bool too_long) { hear(line, too_long); },
        AfterCancel::replied);
  }

 private:
  void hear(std::string_view line, bool too_long) {
    if (too_long) {
      const Error error{Errc::limit,
                        fmt::format("a request is longer than {} MiB", kLongestRequest >> 20U),
                        "put long texts into files and name those"};
      return wait_to_say("null", error);
    }
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
    ParsedRequest read = read_request(line);
    if (!read.request) return wait_to_say(read.id, read.request.error());
    if (read.request->kind == Request::Kind::cancel) return cancel(read.id, read.request->cancels);
    wait(read.id, std::move(*read.request), line.size());
  }

  void cancel(const std::string& id, const std::string& cancels) {
    static constexpr const char* kStates[] = {"nothing", "waiting", "running"};
    queue_.cancel(cancels, [&](WorkQueue::Cancelled met) {
      Document out;
      out.schema = "rpl.cancel/1";
      out.put(kCancelFields, CancelReply{kStates[static_cast<int>(met)]});
      streams_.reply(result_reply(id, *document_line(out, {})));
    });
  }

  /// Replies come in the order of what they reply to.
  void wait_to_say(const std::string& id, const Error& error) {
    Work work;
    work.run = [reply = error_reply(id, error)] { return reply; };
    work.cancelled = [this, reply = error_reply(id, error)] { streams_.reply(reply); };
    work.bytes = error.message.size();
    queue_.push(std::move(work));
  }

  void wait(const std::string& id, Request request, std::size_t bytes) {
    Work work;
    work.id = id;
    work.bytes = bytes;
    work.run = [this, id, request = std::move(request)] { return answer(id, request); };
    work.cancelled = [this, id] {
      streams_.reply(
          error_reply(id, {Errc::interrupted, "it was cancelled before it ran, or rpl ended", ""}));
    };
    if (queue_.push(std::move(work))) return;
    streams_.reply(error_reply(
        id, {Errc::usage, fmt::format("another request with the id {} is not answered yet", id),
             "give each request an id of its own"}));
  }

  JsonText answer(const std::string& id, const Request& request) {
    Runner::Progress progress;
    if (request.progress) {
      progress = [&](std::string_view what, std::uint64_t done, std::uint64_t total) {
        streams_.reply(progress_reply(id, what, done, total));
      };
    }
    const auto understand = [&](Console& console) -> Result<Invocation> {
      if (request.kind == Request::Kind::command)
        return invocation_of(context_.registry(), request.text, request.arguments);
      return console.understood(request.text);
    };
    const Runner::Outcome outcome =
        runner_.run(understand, request.kind == Request::Kind::line ? request.text : "", progress);
    return outcome_reply(id, outcome, request.limit);
  }

  Context& context_;
  Runner& runner_;
  Streams& streams_;
  WorkQueue queue_;
};

}  // namespace

int run_jsonl(Context& context, Runner& runner, Streams& streams) {
  return JsonLines(context, runner, streams).run();
}

}  // namespace rpl
