// SPDX-License-Identifier: MIT
#include "engine/intercept/tool.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <limits>
#include <string_view>

#include "engine/base/files.h"
#include "engine/base/numbers.h"
#include "engine/base/text.h"

namespace rpl::intercept {

Result<std::unique_ptr<Tool>> Tool::make(const hsa::Tables& tables, Settings settings) {
  Trigger trigger = TRY(Trigger::of(settings.wish));
  auto out = std::unique_ptr<Tool>(new Tool(tables, std::move(settings), std::move(trigger)));
  if (const char* missing = missing_of(out->calls_))
    return rpl::fail(Errc::unsupported, fmt::format("the HSA runtime has no {}", missing));
  return out;
}

Tool::Tool(const hsa::Tables& tables, Settings settings, Trigger trigger)
    : settings_(std::move(settings)),
      trigger_(std::move(trigger)),
      calls_(calls_of(tables)),
      versions_(tables.versions()),
      releases_(tables.releases()),
      paced_(!tables.has_vmem()) {
  for (const auto& [name, version] : tables.each()) {
    table_versions_.push_back({.name = std::string(name),
                               .major = version.major,
                               .minor = version.minor,
                               .step = version.step});
  }
}

SeenDispatch Tool::seen(const TrackedQueue& queue, const hsa::DispatchPacket& packet) {
  const auto found = code_.of(packet.kernel_object);
  return {
      .kernel = found ? found->kernel->name : fmt::format("kernel at 0x{:x}", packet.kernel_object),
      .kernel_object = packet.kernel_object,
      .grid = {packet.grid[0], packet.grid[1], packet.grid[2]},
      .workgroup = {packet.workgroup[0], packet.workgroup[1], packet.workgroup[2]},
      .queue = queue.queue->id};
}

Tool::Chosen Tool::chosen_among(const TrackedQueue& queue, std::span<const Packet> packets) {
  Chosen out;
  for (std::size_t i = 0; i < packets.size(); ++i) {
    if (hsa::type_of(packets[i].header()) != hsa::PacketType::dispatch) continue;
    SeenDispatch dispatch = seen(queue, packets[i].as<hsa::DispatchPacket>());
    const Trigger::Turn turn = trigger_.see(dispatch);
    if (turn > out.turn) out = {i, turn, std::move(dispatch)};
  }
  return out;
}

void Tool::pass(TrackedQueue& queue, std::span<const Packet> packets, Writer writer) {
  const auto stop = stop_.load();
  if (stop == nullptr) return queue.pace.forward(calls_, packets, writer);
  const std::vector<Packet> later = stop->passed(queue, packets);
  queue.pace.forward(calls_, later, writer);
}

void Tool::handle(TrackedQueue& queue, std::span<const Packet> packets, Writer writer) {
  using Turn = Trigger::Turn;
  Chosen chosen = chosen_among(queue, packets);
  if (chosen.turn == Turn::to_hold)
    chosen.turn = trigger_.wait_until_let_go(chosen.dispatch) ? Turn::to_capture : Turn::none;
  if (chosen.turn == Turn::to_capture && !capturing_.exchange(true)) {
    capture(queue, packets, chosen.index, writer);
    capturing_ = false;
    return write_report();
  }
  if (chosen.turn == Turn::to_capture)
    trigger_.failed("another dispatch was being captured when its turn came");
  if (chosen.turn != Turn::to_time || stop_.load() != nullptr) return pass(queue, packets, writer);
  const auto took =
      timed(surroundings(),
            {.queue = &queue, .packets = packets, .chosen = chosen.index, .writer = writer},
            settings_.patience);
  if (took) trigger_.took(chosen.dispatch, *took);
}

Surroundings Tool::surroundings() {
  return {
      calls_, queues_, copies_, hold_, signals_, threads_, [this](std::shared_ptr<QueueStop> stop) {
        stop_ = std::move(stop);
      }};
}

void Tool::capture(TrackedQueue& queue, std::span<const Packet> packets, std::size_t chosen,
                   Writer writer) {
  const auto dispatch = packets[chosen].as<hsa::DispatchPacket>();
  const CaptureWish wish = trigger_.wish();
  const auto unharmed = [&](const Error& error) {
    writer(packets.data(), packets.size());
    trigger_.failed(error.message);
  };
  auto code = code_.of(dispatch.kernel_object);
  if (!code) return unharmed(code.error());
  const RangeIndex ranges(memory_.all());
  Snapshot snapshot(calls_, wish, *code, dispatch, ranges);
  if (const auto opened = snapshot.open(); !opened) return unharmed(opened.error());
  const Moment moment{.queue = &queue, .packets = packets, .chosen = chosen, .writer = writer};
  const Images images{.before = [&] { return snapshot.before(); },
                      .after = [&] { return snapshot.after(); }};
  rpl::Status outcome = freeze(surroundings(), moment, ++captures_, settings_.patience, images);
  const CaptureFacts facts = facts_of(queue, packets[chosen], *code->kernel);
  if (outcome)
    outcome = snapshot.commit(
        facts, fmt::format("dispatch {} of those that {} names", wish.dispatch, wish.kernel));
  trigger_.captured(code->kernel->name, facts.agent ? facts.agent->name : std::string(),
                    outcome ? wish.folder : std::string(), snapshot.memory_bytes(), ranges.bytes());
  if (outcome) return;
  snapshot.fail(outcome.error().message);
  trigger_.failed(outcome.error().message);
}

CaptureFacts Tool::facts_of(const TrackedQueue& queue, const Packet& packet,
                            const isa::Kernel& kernel) const {
  CaptureFacts out;
  out.packet = packet.bytes;
  out.queue = CapturedQueue{.id = queue.queue->id,
                            .size = queue.queue->size,
                            .priority = static_cast<std::int32_t>(queue.priority)};
  char name[hsa::kAgentNameBytes] = {};
  if (calls_.agent_get_info(queue.agent, hsa::AgentInfo::name, name) == Status::success) {
    CapturedAgent agent;
    agent.name.assign(name, ::strnlen(name, sizeof(name)));
    hsa::Isa isa{};
    std::uint32_t length = 0;
    if (calls_.agent_get_info(queue.agent, hsa::AgentInfo::isa, &isa) == Status::success &&
        calls_.isa_get_info(isa, hsa::IsaInfo::name_length, &length) == Status::success &&
        length < 4096) {
      agent.isa.resize(length);
      if (calls_.isa_get_info(isa, hsa::IsaInfo::name, agent.isa.data()) != Status::success)
        agent.isa.clear();
      if (const std::size_t end = agent.isa.find('\0'); end != std::string::npos)
        agent.isa.resize(end);
    }
    out.agent = std::move(agent);
  }
  out.runtime = CapturedRuntime{
      .name = "HSA runtime of " + releases_, .tables = table_versions_, .rocm_version = {}};
  out.demangled = demangled(kernel.name);
  out.time = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  out.dispatch_index = trigger_.dispatches() - 1;
  return out;
}

Result<Pace> Tool::pace_for(std::uint32_t& ring) {
  constexpr std::uint32_t kLeastRing = 8;  // a capture hands on four packets at once
  ring = std::max(ring, paced_ ? Pace::kLeastRing : kLeastRing);
  if (!paced_) return Pace();
  const Signal first = TRY(signals_.make(0));
  return Pace(first, TRY(signals_.make(0)), ring);
}

Report Tool::report() const {
  Report out = trigger_.report();
  out.pid = pid_;
  out.runtime = fmt::format("{} ({})", releases_, versions_);
  // Of a capture that was made, it is what there was then.
  if (out.folder.empty()) out.tracked_bytes = RangeIndex(memory_.all()).bytes();
  return out;
}

rpl::Status Tool::listen() {
  if (settings_.control.empty()) return {};
  const auto answering = [this](std::string_view request) {
    return answer(trigger_, [this] { return report(); }, request);
  };
  server_ = TRY(LiveServer::start(fmt::format("{}/{}", settings_.control, pid_), answering));
  return {};
}

void Tool::write_report() {
  if (settings_.reports.empty()) return;
  const Report now = report();
  // Nobody to tell if this fails: the launcher says that the process left no report.
  (void)write_file(fmt::format("{}/{}.json", settings_.reports, now.pid), report_json(now));
}

namespace {

using Lookup = std::function<const char*(const char*)>;

std::string text_of(const Lookup& variable, const char* name) {
  const char* value = variable(name);
  return value == nullptr ? std::string() : value;
}

Result<std::uint64_t> number_of(const Lookup& variable, const char* name, std::uint64_t otherwise) {
  const std::string text = text_of(variable, name);
  if (text.empty()) return otherwise;
  if (const auto number = whole_number<std::uint64_t>(text)) return *number;
  return fail(Errc::usage, fmt::format("{}={}: not a whole number", name, text),
              fmt::format("{}=0, or a larger number without a sign", name));
}

}  // namespace

Result<Settings> settings_from(const Lookup& variable) {
  Settings out;
  out.wish.kernel = text_of(variable, "RPL_CAPTURE_KERNEL");
  out.wish.dispatch = TRY(number_of(variable, "RPL_CAPTURE_DISPATCH", 1));
  out.wish.folder = text_of(variable, "RPL_CAPTURE_FOLDER");
  const std::string scope = text_of(variable, "RPL_CAPTURE_SCOPE");
  if (!scope.empty() && scope != "all" && scope != "reachable")
    return fail(Errc::usage, fmt::format("RPL_CAPTURE_SCOPE={}: neither all nor reachable", scope),
                "RPL_CAPTURE_SCOPE=reachable");
  out.wish.all_memory = scope == "all";
  out.wish.most_bytes = TRY(number_of(variable, "RPL_CAPTURE_LIMIT", 0));
  const std::string grid = text_of(variable, "RPL_CAPTURE_GRID");
  if (!grid.empty()) out.wish.grid = parse_grid(grid);
  if (!grid.empty() && !out.wish.grid)
    return fail(Errc::usage,
                fmt::format("RPL_CAPTURE_GRID={}: not one to three numbers of work-items", grid),
                "RPL_CAPTURE_GRID=4096, or 64,64,1");
  out.wish.longer_us = TRY(number_of(variable, "RPL_CAPTURE_LONGER_US", 0));
  constexpr std::uint64_t kMost = std::numeric_limits<std::int32_t>::max();
  const auto drain = TRY(number_of(variable, "RPL_CAPTURE_DRAIN_MS",
                                   static_cast<std::uint64_t>(out.patience.drain.count())));
  const auto dispatch = TRY(number_of(variable, "RPL_CAPTURE_DISPATCH_MS",
                                      static_cast<std::uint64_t>(out.patience.dispatch.count())));
  out.patience = {std::chrono::milliseconds(std::min(drain, kMost)),
                  std::chrono::milliseconds(std::min(dispatch, kMost))};
  out.reports = text_of(variable, "RPL_CAPTURE_REPORTS");
  out.control = text_of(variable, "RPL_CAPTURE_CONTROL");
  if (out.wish.dispatch == 0)
    return fail(Errc::usage, "RPL_CAPTURE_DISPATCH counts from 1",
                "RPL_CAPTURE_DISPATCH=1 takes the first one");
  if (!out.wish.kernel.empty() && out.wish.folder.empty())
    return fail(Errc::usage, "RPL_CAPTURE_FOLDER is not set",
                "RPL_CAPTURE_FOLDER=/path/of/a/new/folder; 'capture run' sets all of them");
  return out;
}

}  // namespace rpl::intercept
