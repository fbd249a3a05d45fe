// SPDX-License-Identifier: MIT
#include "shell/core/inputs/loop_context.h"
#include "shell/core/inputs/emulated_run.h"

#include <fmt/format.h>

#include <cstdlib>

#include "engine/base/interrupt.h"
#include "engine/replay/hsa/local.h"
#include "engine/source/build/build.h"
#include "shell/core/inputs/hardware.h"

namespace rpl {
namespace {

constexpr std::string_view kHowToBegin =
    "'step --source FILE.hip --capture DIR' begins; 'kernel run OBJECT KERNEL … --capture DIR' "
    "makes a capture";

/// The GPU that the cycle model takes: with the user's values only where `set emu gpu` names one.
Result<arch::Gpu> emulated_hardware(const Context& context, const std::string& name) {
  if (context.settings.text("emu gpu").empty())
    return arch::resolve(arch::Catalogue::builtin(), name, arch::Overrides{});
  return hardware_named(context, name, {});
}

}  // namespace

Result<Compiler> compiler_of(const Settings& settings) {
  Compiler out = TRY(find_compiler(settings.text("build compiler"),
                                   TRY(read_hip_headers(settings.text("build headers")))));
  if (settings.on("build cache")) out.cache = build_cache_folder();
  return out;
}

bool measures_locally(const Context& context) {
  const std::string& set = context.settings.text("target");
  const char* wished = std::getenv("RPL_TARGET");
  return set == "local" ||
         (set == "auto" && wished != nullptr && std::string_view(wished) == "local");
}

RuleChoice rule_choice(const Context& context) {
  RuleChoice out;
  out.scope =
      context.settings.text("optimize scope") == "extended" ? RuleScope::extended : RuleScope::v1;
  out.assume_captured = context.settings.on("optimize assume-captured");
  out.user_rules = context.user_rules;
  return out;
}

Result<std::unique_ptr<LoopContext>> LoopContext::open(Context& context, Need need) {
  auto opened =
      need == Need::begins ? context.keeper.needed(context) : context.keeper.existing(context);
  if (!opened && opened.error().code == Errc::not_found) {
    return fail(Errc::not_found, "no kernel is being optimized", std::string(kHowToBegin));
  }
  Session* session = TRY(std::move(opened));
  ProposalStore store = TRY(ProposalStore::read(*session));
  auto replayer = TRY(make_replayer("emu", TRY(emulated_gpu(context))));
  std::unique_ptr<SeriesReplayer> clock;
  if (measures_locally(context)) clock = make_local_series(TRY(local_options(context)));
  return std::unique_ptr<LoopContext>(
      new LoopContext(context, std::move(store), std::move(replayer), std::move(clock)));
}

LoopContext::LoopContext(Context& context, ProposalStore store, std::unique_ptr<Replayer> replayer,
                         std::unique_ptr<SeriesReplayer> clock)
    : context_(context),
      store_(std::move(store)),
      replayer_(std::move(replayer)),
      clock_(std::move(clock)),
      loop_(
          store_,
          {.compiler = [this] { return compiler(); },
           .replayer = replayer_.get(),
           .rule = {.min_improvement = context.settings.number("optimize min-improvement")},
           .measuring = {.replayer = clock_.get()},
           .rules = rule_choice(context),
           .gate = resource_gate(context.settings.text("optimize resource-gate"))
                       .value_or(ResourceGate::warn),
           .check = check(),
           .hardware =
               [&context](const std::string& name) { return emulated_hardware(context, name); }}) {}

LoopContext::~LoopContext() {
  if (!store_.current()) return;
  const std::string next = OptimizationLoop::next_stage_of(store_);
  const auto open = store_.next_open();
  const std::string what =
      open ? open->id() : fmt::format("o{}", store_.optimizations().back().number);
  context_.stepping = next.empty() ? "" : what + ":" + next;
}

Status LoopContext::tell(const StepReport& report) const {
  context_.monitor.report(report.stage, 0, 0);
  if (!report.proposal) return {};
  return context_.events.emit("proposal_tested",
                              Value(Record{{"proposal", report.proposal->id()},
                                           {"stage", report.stage},
                                           {"passed", report.outcome.passed},
                                           {"state", to_string(report.proposal->state)},
                                           {"found", report.outcome.found}}));
}

UserCheck LoopContext::check() const {
  return [&context = context_](const CheckSubject& subject) -> Result<UserVerdict> {
    UserVerdict out;
    if (const std::string command = context.settings.text("optimize check-cmd"); !command.empty()) {
      out.asked.push_back(command);
      out.against = TRY(run_check_command(command, subject));
      if (out.against) return out;
    }
    if (!context.events.heard("verify")) return out;
    out.asked.emplace_back("listeners of verify");
    const Status said = context.events.emit("verify", to_value(subject));
    if (!said && said.error().code == Errc::interrupted) return Failure(said.error());
    if (!said)
      out.against = Reason{.rule = "verify-event", .message = said.error().message, .line = 0};
    return out;
  };
}

Result<StepReport> LoopContext::told(StepReport report) const {
  TRY(tell(report));
  return report;
}

Status LoopContext::ask_before(const Proposal& proposal) const {
  if (next_stage(proposal.state) != "measure") return {};
  return context_.events.emit(
      "before_bench", Value(Record{{"proposal", proposal.id()}, {"title", proposal.title}}));
}

Result<StepReport> LoopContext::step() {
  const bool proposals = OptimizationLoop::next_stage_of(store_) != "select" &&
                         OptimizationLoop::next_stage_of(store_) != "propose";
  if (const auto open = store_.next_open(); open && proposals) TRY(ask_before(*open));
  return told(TRY(loop_.step()));
}

Result<StepReport> LoopContext::step(Proposal proposal) {
  TRY(ask_before(proposal));
  return told(TRY(loop_.step(std::move(proposal))));
}

Result<StepReport> LoopContext::measure_again() { return told(TRY(loop_.measure_again())); }

Result<std::vector<StepReport>> LoopContext::steps(Proposal proposal, std::string_view last) {
  std::vector<StepReport> done;
  while (proposal.open()) {
    TRY(interrupt::check());
    done.push_back(TRY(step(proposal)));
    proposal = *done.back().proposal;
    if (done.back().stage == last) break;
  }
  if (!done.empty()) return done;
  return fail(Errc::usage,
              fmt::format("{} is {} already", proposal.id(), to_string(proposal.state)),
              "'info proposal " + proposal.id() + "' shows what was found");
}

Result<Compiler> LoopContext::compiler() {
  if (!compiler_) compiler_ = TRY(compiler_of(context_.settings));
  return *compiler_;
}

Result<Proposal> LoopContext::proposal(const std::string& reference) {
  if (!reference.empty()) return store_.proposal(reference);
  if (auto open = store_.next_open()) return std::move(*open);
  if (!store_.proposals().empty()) return store_.proposals().back();
  return store_.proposal("p1");
}

Result<std::optional<ProposalStore>> kept_proposals(Context& context) {
  auto session = context.keeper.existing(context);
  if (!session && session.error().code == Errc::not_found) return std::nullopt;
  Session* existing = TRY(std::move(session));
  return std::optional(TRY(ProposalStore::read(*existing)));
}

}  // namespace rpl
