// SPDX-License-Identifier: MIT
#include "shell/commands/optimize/model_session.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/optimize/rounds/model_prompt.h"
#include "shell/core/command/settings.h"
#include "shell/core/inputs/hardware.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/session/face.h"
#include "shell/core/session/folders.h"
#include "shell/core/session/history_file.h"
#include "shell/core/session/session_log.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

constexpr double kHottest = 2;

std::string given_text(const Settings& settings, std::string_view name) {
  const std::string& text = settings.text(name);
  return text == "none" ? std::string() : text;
}

llm::ClientConfig config_of(const Settings& settings) {
  llm::ClientConfig out;
  out.endpoint = given_text(settings, "llm endpoint");
  out.dialect = *llm::dialect_named(settings.text("llm dialect"));
  out.key = {.environment = given_text(settings, "llm key-env"),
             .file = given_text(settings, "llm key-file"),
             .command = given_text(settings, "llm key-command")};
  out.key_header = given_text(settings, "llm key-header");
  out.allow_http = settings.on("llm allow-http");
  out.limits.total = std::chrono::seconds(settings.integer("llm timeout"));
  out.cassette = given_text(settings, "llm cassette");
  out.mode = out.cassette.empty() ? llm::CassetteMode::off
                                  : *llm::cassette_mode_named(settings.text("llm cassette-mode"));
  return out;
}

HistoryFile consents() { return HistoryFile(state_folder() + "/llm_consent"); }

bool agreed_before(const std::string& origin) {
  const auto lines = consents().load();
  return lines && std::find(lines->begin(), lines->end(), origin) != lines->end();
}

/// Source leaves this program for the first time only after a yes, which is remembered for that server.
Result<bool> consent_to(const Settings& settings, Face& face, const llm::ClientConfig& config) {
  if (settings.on("llm consent")) return true;
  if (config.endpoint.empty() || config.mode == llm::CassetteMode::replay) return false;
  const std::string origin = TRY(llm::check_endpoint(config.endpoint, config.allow_http)).origin;
  if (agreed_before(origin)) return true;
  const bool yes =
      face.confirm(fmt::format("Send the kernel's source, launch and profile to {}?", origin));
  if (yes) TRY(consents().append(origin));
  return yes;
}

/// As `set llm temperature` takes it. The comparison refuses what is not a number, too.
Status check_temperature(double temperature) {
  if (temperature >= 0 && temperature <= kHottest) return {};
  return fail(Errc::usage,
              fmt::format("--temperature {} is not between 0 and {}", temperature, kHottest),
              "0 gives the likeliest reply; more varies it");
}

void add_fact(const arch::Gpu& gpu, std::string_view key, std::string name, std::string unit,
              std::vector<llm::PromptFact>& out) {
  const auto number = gpu.number(key);
  if (number)
    out.push_back(
        {std::move(name), fmt::format("{:.0f}{}{}", *number, unit.empty() ? "" : " ", unit)});
}

}  // namespace

ModelSession::ModelSession(const Inputs& inputs, ModelLog log, ModelChoice choice)
    : inputs_(inputs),
      log_(std::move(log)),
      choice_(std::move(choice)),
      transport_(llm::make_transport()) {}

Result<std::unique_ptr<ModelSession>> ModelSession::open(const Optimizer& optimizer,
                                                         const ModelChoice& choice) {
  const Settings& settings = optimizer.settings;
  if (choice.temperature) TRY(check_temperature(*choice.temperature));
  Session* session = TRY(optimizer.log.needed());
  std::unique_ptr<ModelSession> out(
      new ModelSession(optimizer, TRY(ModelLog::read(*session)), choice));
  if (out->choice_.model.empty()) out->choice_.model = given_text(settings, "llm model");
  if (!out->choice_.temperature) out->choice_.temperature = settings.number("llm temperature");
  llm::ClientConfig config = config_of(settings);
  config.consent = TRY(consent_to(settings, optimizer.face, config));
  const llm::Budget budget{.most_requests = settings.integer("llm max-requests"),
                           .most_tokens = settings.integer("llm token-budget"),
                           .requests = out->log_.requests(),
                           .tokens = out->log_.tokens()};
  ModelSession* self = out.get();
  out->client_ = TRY(llm::Client::make(std::move(config), budget,
                                       {.transport = out->transport_.get(),
                                        .clock = llm::real_clock(),
                                        .on_attempt = [self](const llm::Attempt& attempt) {
                                          return self->log_.attempted(attempt, self->destination(),
                                                                      self->optimization_);
                                        }}));
  return out;
}

std::string ModelSession::destination() const { return client_->destination(); }

Result<ModelRound> ModelSession::ask(OptimizationLoop& loop, const std::vector<Proposal>& beside) {
  const Optimization current = TRY(loop.store().current());
  optimization_ = current.number;
  ModelQuestion question{
      .parts = TRY(current_prompt(inputs_, current, loop.store(), log_, PromptExtent::kernel)),
      .model = choice_.model,
      .temperature = choice_.temperature,
      .max_tokens = inputs_.settings.integer("llm max-tokens")};
  add_alternatives(beside, question.parts);
  return ask_for_patch(current, question, loop.store(),
                       {.client = &*client_,
                        .log = &log_,
                        .step = [&](Proposal proposal) { return loop.step(std::move(proposal)); },
                        .monitor = inputs_.monitor});
}

Result<std::vector<llm::PromptFact>> open_hot_lines(const Workspace& workspace,
                                                    const std::string& kernel,
                                                    const std::string& source,
                                                    const std::string& file) {
  const auto of_it = [&](const AttEntry& entry) {
    const std::string traced = entry ? entry->value->trace->kernel() : "";
    return !traced.empty() && short_kernel(demangled(traced)) == short_kernel(demangled(kernel));
  };
  AttEntry found;
  for (const AttEntry& entry : workspace.thread_traces.all()) {
    if (of_it(entry)) found = entry;
  }
  if (of_it(workspace.thread_traces.current())) found = workspace.thread_traces.current();
  if (!found) return std::vector<llm::PromptFact>{};
  return hot_lines(*found->value->trace, TRY(read_text_file(source)), file);
}

Result<llm::PromptParts> current_prompt(const Inputs& inputs, const Optimization& current,
                                        const ProposalStore& store, const ModelLog& log,
                                        PromptExtent extent) {
  const Capture capture = TRY(read_capture(current.capture));
  llm::PromptParts parts =
      TRY(prompt_of(current, capture, store, log.refusals(),
                    hardware_facts(inputs, gpu_of(inputs.settings, current)), extent));
  parts.hot_lines =
      TRY(open_hot_lines(inputs.workspace, current.kernel, current.base_source(), current.source));
  return parts;
}

std::string gpu_of(const Settings& settings, const Optimization& optimization) {
  const std::string wanted = given_text(settings, "emu gpu");
  if (!wanted.empty()) return wanted;
  for (const auto& [name, value] : optimization.profile) {
    const auto* model = name == "model" ? value.as<std::string>() : nullptr;
    // "rpl-cycle/0.5 MI300X": the GPU that the times were computed for.
    if (model && model->find(' ') != std::string::npos) return model->substr(model->rfind(' ') + 1);
  }
  return optimization.architecture;
}

std::vector<llm::PromptFact> hardware_facts(const Inputs& inputs, const std::string& name) {
  const auto gpu = hardware_named(inputs, name, {});
  if (!gpu) return {};
  std::vector<llm::PromptFact> out{
      {"GPU", gpu->product.empty() ? gpu->arch : fmt::format("{} ({})", gpu->product, gpu->arch)}};
  add_fact(*gpu, "compute_units", "compute units", "", out);
  add_fact(*gpu, "simds_per_cu", "SIMDs of a compute unit", "", out);
  add_fact(*gpu, "wave_size", "work-items of a wave", "", out);
  add_fact(*gpu, "waves_per_simd", "most waves on a SIMD", "", out);
  add_fact(*gpu, "vgprs.wave64", "vector registers of a SIMD lane, for all its waves", "", out);
  add_fact(*gpu, "lds_bytes", "LDS of a compute unit", "bytes", out);
  add_fact(*gpu, "lds_banks", "LDS banks, each 4 bytes wide", "", out);
  add_fact(*gpu, "clock_mhz", "clock", "MHz", out);
  add_fact(*gpu, "bandwidth.hbm", "memory bandwidth", "GB/s", out);
  return out;
}

}  // namespace rpl
