// SPDX-License-Identifier: MIT
#include "shell/core/inputs/open_loop.h"

#include <fmt/format.h>

#include "engine/base/monitor.h"
#include "engine/document/bound.h"
#include "engine/optimize/application/application_tools.h"
#include "engine/optimize/rules/catalogue.h"
#include "engine/source/build/build.h"
#include "shell/core/command/settings.h"
#include "shell/core/inputs/hardware.h"
#include "shell/core/inputs/targets.h"
#include "shell/core/session/context.h"
#include "shell/core/session/events.h"
#include "shell/core/session/session_log.h"

namespace rpl {
namespace {

constexpr std::string_view kHowToBegin =
    "'step --source FILE.hip --capture DIR' begins; 'kernel run OBJECT KERNEL … --capture DIR' "
    "makes a capture";

/// The GPU that the cycle model takes: with the user's values only where `set emu gpu` names one.
Result<arch::Gpu> emulated_hardware(const Inputs& inputs, const std::string& name) {
  if (inputs.settings.text("emu gpu").empty())
    return arch::resolve(arch::Catalogue::builtin(), name, arch::Overrides{});
  return hardware_named(inputs, name, {});
}

constexpr auto kBeforeBench = bound_to<Proposal>(
    column<&Proposal::id>("proposal", "that is about to be measured").as(Type::id),
    column<&Proposal::title>("title", "what it is"));

constexpr auto kProposalTested = bound_to<StepReport>(
    column<&StepReport::proposal, &Proposal::id>("proposal", "that was tested").as(Type::id),
    column<&StepReport::stage>("stage", "of the loop"),
    column<&StepReport::outcome, &StageOutcome::passed>("passed", "whether it goes on"),
    column<&StepReport::proposal, &Proposal::state>("state", "what it is now"),
    column<&StepReport::outcome, &StageOutcome::found>("found", "what the stage saw"));

/// Tells whoever listens to this shell.
class ShellListener : public StageListener {
 public:
  explicit ShellListener(const Inputs& inputs) : inputs_(inputs) {}

  Status before(Stage stage, const Proposal& proposal) override {
    if (stage != Stage::measure) return {};
    return inputs_.events.emit("before_bench", to_value(kBeforeBench, proposal));
  }

  Status after(const StepReport& report) override {
    inputs_.monitor.report(to_string(report.stage), 0, 0);
    if (!report.proposal) return {};
    return inputs_.events.emit("proposal_tested", to_value(kProposalTested, report));
  }

  Result<UserVerdict> check(const CheckSubject& subject) override {
    UserVerdict out;
    const std::string command = inputs_.settings.text("optimize check-cmd");
    if (!command.empty()) {
      out.asked.push_back(command);
      out.against = TRY(run_check_command(command, subject));
      if (out.against) return out;
    }
    if (!inputs_.events.heard("verify")) return out;
    out.asked.emplace_back("listeners of verify");
    const Status said = inputs_.events.emit("verify", to_value(subject));
    if (!said && said.error().code == Errc::interrupted) return Failure(said.error());
    if (!said)
      out.against = Reason{.rule = "verify-event", .message = said.error().message, .line = 0};
    return out;
  }

 private:
  Inputs inputs_;
};

std::function<Result<Compiler>()> found_once(const Settings& settings) {
  return [&settings, found = std::make_shared<std::optional<Compiler>>()]() -> Result<Compiler> {
    if (!*found) *found = TRY(compiler_of(settings));
    return **found;
  };
}

}  // namespace

Optimizer::Optimizer(const Context& context)
    : Inputs(context),
      settings(context.settings()),
      log(context.log()),
      jobs(context.jobs()),
      face(context.face()),
      user_rules(context.user_rules()) {}

Result<Compiler> compiler_of(const Settings& settings) {
  Compiler out = TRY(find_compiler(settings.text("build compiler"),
                                   TRY(read_hip_headers(settings.text("build headers")))));
  if (settings.on("build cache")) out.cache = build_cache_folder();
  out.confined_seconds = static_cast<std::uint64_t>(settings.integer("build confined-seconds"));
  return out;
}

RuleChoice rule_choice(const Optimizer& optimizer) {
  RuleChoice out;
  out.scope =
      optimizer.settings.text("optimize scope") == "extended" ? RuleScope::extended : RuleScope::v1;
  out.assume_captured = optimizer.settings.on("optimize assume-captured");
  out.user_rules = optimizer.user_rules;
  return out;
}

namespace {

Result<ProposalStore> read_store(const SessionLog& log, Session& session) {
  ProposalStore out = TRY(ProposalStore::read(session));
  const auto& note = log.monitor().note;
  for (const std::string& text : out.notes()) {
    if (note) note(text);
  }
  return out;
}

}  // namespace

Result<std::shared_ptr<ProposalStore>> loop_store(SessionLog& log, LoopNeed need) {
  auto opened = need == LoopNeed::begins ? log.needed() : log.existing_own();
  if (!opened && opened.error().code == Errc::not_found) {
    return fail(Errc::not_found, "no kernel is being optimized", std::string(kHowToBegin));
  }
  Session* session = TRY(std::move(opened));
  log.set_proposals(std::make_shared<ProposalStore>(TRY(read_store(log, *session))));
  return log.proposals();
}

Result<OpenLoop> open_loop(const Optimizer& optimizer, LoopNeed need) {
  const Settings& settings = optimizer.settings;
  auto store = TRY(loop_store(optimizer.log, need));
  auto verifier = TRY(open_target(optimizer, optimizer.jobs, TargetKind::emu));
  std::unique_ptr<Target> clock;
  const TargetChoice target = TRY(target_for(settings, Ability::optimize));
  if (target.kind == TargetKind::local)
    clock = TRY(open_target(optimizer, optimizer.jobs, target.kind));
  auto compiler = found_once(settings);
  auto listener = std::make_unique<ShellListener>(optimizer);
  OptimizationLoop loop(
      *store,
      {.compiler = compiler,
       .verifier = verifier.get(),
       .rule = {.min_improvement = settings.number("optimize min-improvement")},
       .measuring = {.target = clock.get()},
       .rules = rule_choice(optimizer),
       .gate = resource_gate(settings.text("optimize resource-gate")).value_or(ResourceGate::warn),
       .listener = listener.get(),
       .hardware = [inputs = Inputs(optimizer)](
                       const std::string& name) { return emulated_hardware(inputs, name); },
       .seed = static_cast<std::uint64_t>(
           std::max<std::int64_t>(settings.integer("optimize seed"), 0))});
  return OpenLoop{.store = std::move(store),
                  .target = target,
                  .verifier = std::move(verifier),
                  .clock = std::move(clock),
                  .compiler = std::move(compiler),
                  .listener = std::move(listener),
                  .loop = std::move(loop)};
}

Result<ApplicationTools> application_tools(const Optimizer& optimizer, const OpenLoop& open,
                                           const std::string& gpu) {
  return application_tools(
      TRY(open_target(optimizer.settings, optimizer.log, open.target.kind, {.gpu = gpu})),
      open.compiler, optimizer.monitor);
}

Result<std::optional<ProposalStore>> kept_proposals(SessionLog& log) {
  auto session = log.existing();
  if (!session && session.error().code == Errc::not_found) return std::nullopt;
  Session* existing = TRY(std::move(session));
  return std::optional(TRY(read_store(log, *existing)));
}

}  // namespace rpl
