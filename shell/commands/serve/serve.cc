// SPDX-License-Identifier: MIT
// serve: what is open, as pages for a browser of this machine.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "engine/base/interrupt.h"
#include "engine/base/policy.h"
#include "engine/document/bound.h"
#include "shell/commands/serve/pages.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/run/signals.h"
#include "shell/core/session/context.h"
#include "shell/core/session/face.h"
#include "shell/core/session/jobs.h"
#include "shell/core/session/workspace.h"
#include "shell/web/http_server.h"

namespace rpl {
namespace {

struct ServeArgs {
  std::vector<std::string> paths;
  std::int64_t port = 0;
  double seconds = 0;
};

struct Served {
  std::string url;
  std::uint64_t answered = 0, refused = 0;
};

constexpr auto kServedFields = bound_to<Served>(
    column<&Served::url>("url",
                         "what to open in a browser of this machine; who has it sees the pages"),
    column<&Served::answered>("answered", "requests that were answered"),
    column<&Served::refused>("refused",
                             "requests without the token, from other sites, or of another kind"));

/// Pages only look, and keep in the session what it found: of what the session around them may, no more than every session of another program.
Policy policy_of_pages(const Inputs& inputs) {
  Policy out = policy();
  out.restricted = true;
  out.granted = kKeeps;
  out.starts_as = "rpl serve";
  std::error_code failed;
  if (out.readable.empty()) out.readable.push_back(std::filesystem::current_path(failed).string());
  for (const auto& trace : inputs.workspace.traces()) {
    for (const std::string& path : trace->paths())
      out.readable.push_back(std::filesystem::absolute(path, failed).string());
  }
  for (const AttEntry& entry : inputs.workspace.thread_traces.all())
    out.readable.push_back(std::filesystem::absolute(entry->path, failed).string());
  return out;
}

/// Until Ctrl-C, the end of the time, or a signal that ends the program.
Status answer_all(const ServeArgs& args, Pages& pages, web::HttpServer& server) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kTick{100};
  const auto until = Clock::now() + std::chrono::duration<double>(args.seconds);
  while (!interrupt::pending() && signals::ending() == 0) {
    if (args.seconds > 0 && Clock::now() >= until) return {};
    const auto request = server.next(kTick);
    if (!request) continue;
    auto response = pages.answer(*request);
    const bool stopped = !response && response.error().code == Errc::interrupted;
    constexpr int kUnavailable = 503;
    const bool was_given_up = server.answer(
        *request, response ? std::move(*response)
                           : web::Response::refusal(kUnavailable, "The work was stopped."));
    // A browser that went away stops the work that was for it, a person everything.
    if (was_given_up && signals::ending() == 0) interrupt::clear();
    if (stopped && !was_given_up) break;
  }
  return {};
}

Result<Document> run_serve(const ServeArgs& args, ReportInputs inputs, Jobs& jobs) {
  for (const std::string& path : args.paths) TRY(open_in_passing(inputs, path));
  const std::string token = web::new_token();
  const pthread_t self = pthread_self();
  auto server = TRY(web::HttpServer::start(static_cast<int>(args.port), token, {},
                                           [self] { signals::stop(self); }));
  Served served{fmt::format("http://127.0.0.1:{}/?token={}", server->port(), token)};
  Document begins;
  begins.fields = described(kServedFields);
  begins.fields.resize(1);
  begins.put(kServedFields, served);
  begins.text = fmt::format("serving what is open at {}\nCtrl-C ends it", served.url);
  TRY(inputs.face.show(begins));
  {
    const PolicyScope held(policy_of_pages(inputs));
    Pages pages(inputs, jobs);
    TRY(answer_all(args, pages, *server));
  }
  // Ctrl-C is how it is meant to end; a signal that ends the program is not.
  if (signals::ending() == 0) interrupt::clear();
  served.answered = server->counts().answered;
  served.refused = server->counts().refused;
  Document out;
  out.put(kServedFields, served);
  out.text = fmt::format("{} requests answered, {} refused", served.answered, served.refused);
  return out;
}

}  // namespace

void add_serve_commands(Registry& registry) {
  constexpr double kLongest = 1e7, kLargestPort = 65535;
  add(registry,
      command(
          Command{.path = "serve",
                  .does = {Capability::read, Capability::session, Capability::network},
                  .chapter = Class::exporting,
                  .summary = "Show what is open as pages in a browser of this machine.",
                  .help =
                      "Listens on 127.0.0.1 and prints an address with a token, which the "
                      "browser exchanges for a cookie; nobody without it, no other site and no "
                      "other machine gets an answer. The pages show what commands say: an "
                      "overview, the kernels and each of them, a timeline that asks for what it "
                      "zooms into, the proposals of the optimization with their diffs, captures, "
                      "thread traces with their source. They follow lines in the background "
                      "(`profile … &`) and what other programs put into the session, and change "
                      "nothing. Until Ctrl-C.",
                  .fields = described(kServedFields),
                  .scalar = "url",
                  .examples = {"serve TRACE --for 0.01"}},
          {arg("path", &ServeArgs::paths, "what to open first").completes(Complete::file),
           option("port", &ServeArgs::port, "where to listen; 0: any that is free")
               .in({0, kLargestPort}),
           option("for", &ServeArgs::seconds, "seconds after which it ends; 0: not before Ctrl-C")
               .in({0, kLongest})
               .named("SECONDS")},
          run_serve));
}

}  // namespace rpl
