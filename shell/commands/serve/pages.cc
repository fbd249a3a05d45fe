// SPDX-License-Identifier: MIT
#include "shell/commands/serve/pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/numbers.h"
#include "engine/base/sha256.h"
#include "engine/base/text.h"
#include "engine/plot/paint.h"
#include "shell/commands/report/report_parts.h"
#include "shell/commands/report/report_pictures.h"
#include "shell/commands/report/timeline_data.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/session/face.h"
#include "shell/core/session/jobs.h"
#include "shell/core/session/workspace.h"
#include "shell/render/html.h"
#include "shell/render/html_page.h"
#include "shell/render/scale.h"

namespace rpl {
namespace {

/// The key of the overview as a whole, where a first look came before it.
constexpr std::string_view kWholeOverview = "/&whole=1";
constexpr std::string_view kKernelPage = "/kernel/";
constexpr int kNotFound = 404;

struct Entry {
  std::string_view path, title;
};
constexpr std::array kEntries{
    Entry{"/", "Overview"}, Entry{"/kernels", "Kernels"}, Entry{"/timeline", "Timeline"},
    Entry{"/optimization", "Optimization"}, Entry{"/captures", "Captures"}};

XmlText failure_html(const Error& error) {
  XmlText out = encoded<XmlText>("<p class=\"soft\">{}", error.message);
  if (!error.hint.empty()) out.add("; {}", error.hint);
  return out + "</p>\n";
}

/// A unified diff, added and removed lines marked.
XmlText diff_html(std::string_view patch) {
  XmlText out("<pre class=\"diff\">");
  for (const std::string& line : split_lines(patch)) {
    if (line.starts_with('+')) {
      out.add("<ins>{}</ins>\n", line);
    } else if (line.starts_with('-')) {
      out.add("<del>{}</del>\n", line);
    } else {
      out.add("{}\n", line);
    }
  }
  return out + "</pre>\n";
}

/// What each stage of a proposal found, stage by stage.
XmlText evidence_html(const Value& evidence) {
  const auto* stages = evidence.as<Record>();
  if (stages == nullptr) return {};
  XmlText out;
  for (const auto& [stage, found] : *stages) {
    const auto* members = found.as<Record>();
    if (members == nullptr) continue;
    out.add("<section>\n<h2>{}</h2>\n<dl>\n", name_in_words(stage));
    for (const auto& [name, value] : *members) {
      const auto* list = value.as<List>();
      if (!value.is_null() && (list == nullptr || !list->empty()))
        out.add("<dt>{}</dt><dd>{}</dd>\n", name_in_words(name),
                field_text(Column{}, value, ForWhom::reader));
    }
    out += "</dl>\n</section>\n";
  }
  return out;
}

std::optional<std::int64_t> whole(std::string_view text) {
  return whole_number<std::int64_t>(text);
}

}  // namespace

bool Pages::has_trace() const { return inputs_.workspace.current().has_value(); }

Pages::Body Pages::not_found() {
  return {"No such page",
          OwnText("<h1>No such page</h1>\n<p>The lines above lead to those that are "
                  "there.</p>\n"),
          kNotFound};
}

Result<XmlText> Pages::section(std::string_view title, const std::string& line,
                               std::string_view columns, std::string_view tells) {
  const XmlText head = encoded<XmlText>("<section>\n<h2>{}</h2>\n", title);
  auto document = inputs_.face.evaluate_line(line);
  if (!document) {
    if (document.error().code == Errc::interrupted) return std::move(document).failure();
    return head + failure_html(document.error()) + "</section>\n";
  }
  ReportArgs args;
  args.rows = 200;
  const PartOf kind{"", title, "", columns, tells};
  ReportPart part = TRY(part_of(std::move(*document), args, kind, ""));
  part.title = title;
  part.line = line;
  if (part.empty) return XmlText();
  std::set<std::string, std::less<>> kernels;
  if (has_trace()) {
    for (const Kernel& one : TRY(loaded(inputs_)).trace->kernels()) kernels.insert(one.id);
  }
  return part_html(part, kernels, kKernelPage);
}

Result<Pages::Body> Pages::overview() {
  if (!has_trace() && inputs_.workspace.thread_traces.all().empty() &&
      inputs_.workspace.last_run == nullptr) {
    XmlText text(
        "<h1>Nothing is open</h1>\n<p>What a profile records appears here when it is there.</p>\n");
    text +=
        TRY(section("In the background", "info jobs", "id state progress exit_status why command"));
    return Body{"rpl", std::move(text), 200};
  }
  ReportArgs args;
  // The parts have pages of their own.
  const Report report = TRY(make_report(inputs_, args, ReportExtent::lead));
  XmlText text = encoded<XmlText>("<h1>{}</h1>\n", report.title) + lead_html(report, kKernelPage);
  for (const ReportFigure& figure : report.figures) text += figure_html(figure);
  if (has_trace())
    text += TRY(section("Why it takes its time", "findings",
                        "id kernel cause worth_low worth_high where says remedy", "cause"));
  for (const AttEntry& entry : inputs_.workspace.thread_traces.all())
    text += encoded<XmlText>("<p><a href=\"/threads/{}\">thread trace {}</a></p>\n", entry->id,
                             entry->id);
  if (inputs_.workspace.last_run != nullptr) {
    auto list = inputs_.face.evaluate_line("list 1,2000");
    if (list) text += run_source_html(*list);
    if (!list && list.error().code == Errc::interrupted) return std::move(list).failure();
  }
  text +=
      TRY(section("In the background", "info jobs", "id state progress exit_status why command"));
  return Body{report.title, std::move(text), 200};
}

Result<Pages::Body> Pages::kernels() {
  XmlText text("<h1>Kernels</h1>\n");
  text += TRY(section("By time", "info kernels",
                      "id kernel calls total_ns mean_ns min_ns max_ns variation share"));
  text += TRY(section("On the critical path", "critpath",
                      "id kernel calls path_calls path_ns share gain_if_2x", "path_ns"));
  text += TRY(section("What limits each", "classify", "id kernel label sure because", "label"));
  text += TRY(section("What there is to gain", "headroom",
                      "id kernel low high critical_share cause roof_share waits", "high"));
  return Body{"Kernels", std::move(text), 200};
}

Result<Pages::Body> Pages::kernel(const std::string& id) {
  if (!has_trace()) return not_found();
  const Loaded now = TRY(loaded(inputs_));
  const auto all = now.trace->kernels();
  const auto found = std::ranges::find(all, id, &Kernel::id);
  if (found == all.end()) return not_found();
  XmlText text = encoded<XmlText>("<h1>{}</h1>\n<p class=\"soft\">{} · {}</p>\n",
                                  short_kernel(found->name), id, found->name);
  text += TRY(section("Why it takes its time", "findings " + id,
                      "cause worth_low worth_high where says remedy", "cause"));
  text += TRY(section("What limits it", "classify " + id, "label sure because"));
  for (auto* draw :
       {+[](const Inputs& inputs, const std::string& one) {
          return roofline_figure(inputs, {.kernel_page = "/kernel/"}, one);
        },
        +[](const Inputs& inputs, const std::string& one) { return memory_figure(inputs, one); }}) {
    const auto figure = draw(inputs_, id);
    if (!figure && figure.error().code == Errc::interrupted) return Failure(figure.error());
    if (figure && *figure) text += figure_html(**figure);
  }
  for (const AttEntry& entry : inputs_.workspace.thread_traces.all()) {
    if (short_kernel(entry->value->trace->kernel()) == short_kernel(found->name))
      text += source_html(entry, "source-" + entry->id);
  }
  text += TRY(section("In numbers", "info kernel " + id));
  text += TRY(section("Occupancy", "occupancy " + id,
                      "waves_per_cu workgroups_per_cu occupancy grid_cap limiter change vgprs "
                      "sgprs lds_bytes workgroup",
                      "occupancy"));
  return Body{short_kernel(found->name), std::move(text), 200};
}

Result<Pages::Body> Pages::timeline() {
  XmlText text("<h1>Timeline</h1>\n");
  auto figure = has_trace() ? timeline_figure(inputs_, {.kernel_page = std::string(kKernelPage)})
                            : Result<std::optional<ReportFigure>>(std::nullopt);
  if (!figure) return std::move(figure).failure();
  if (*figure) {
    (*figure)->more = "/timeline.json";
    text += figure_html(**figure);
    text += TRY(section("Gaps", "gaps", "at_ns length_ns cause before after kernel", "length_ns"));
    text += TRY(section("Steps", "steps", "", "length_ns"));
  } else {
    text += "<p>Nothing with times is open.</p>\n";
  }
  return Body{"Timeline", std::move(text), 200};
}

Result<web::Response> Pages::window(const web::Request& request) {
  const auto from = whole(request.argument("from")), to = whole(request.argument("to"));
  if (!has_trace() || !from || !to || *from >= *to || *from < 0)
    return web::Response::refusal(kNotFound, "That is no part of the recording.");
  const Loaded now = TRY(loaded(inputs_));
  const auto graph = TRY(graph_of(inputs_, now));
  const auto path = TRY(path_of(inputs_, now));
  // The rows of the whole, so that none moves while one looks closer.
  if (rows_.graph != graph) {
    Timeline timeline = TRY(build_timeline(*graph, nullptr, figure_rows()));
    rows_ = {graph, std::move(timeline), colors_by_time(*graph)};
  }
  TimelineData window;
  window.colors = rows_.colors;
  const auto [first, last] = graph->span_ns();
  window.from_ns = first + std::min(*from, last - first);
  window.to_ns = first + std::min(*to, last - first);
  return web::Response::json(TRY(timeline_data(*graph, path.get(), rows_.timeline, window)));
}

/// How far the optimization is, for who looks on: "20 proposals: 3 accepted, 1 rejected, 16 open. p5 is at work (verified). The best so far is p3, 6.65 times as fast."
static std::string course_of(const Document& proposals) {
  const auto state = column_index(proposals, "state"), ratio = column_index(proposals, "ratio");
  if (!state || !ratio) return {};
  std::size_t all = 0, accepted = 0, rejected = 0;
  std::string at_work, best;
  double most = 0;
  static_cast<void>(proposals.each_row([&](const Row& row) {
    const auto* id = row.front().as<std::string>();
    const auto* is = row[*state].as<std::string>();
    if (id == nullptr || is == nullptr) return true;
    const bool good = *is == "accepted" || *is == "approved", bad = *is == "rejected";
    ++all;
    accepted += good ? 1U : 0U;
    rejected += bad ? 1U : 0U;
    if (!good && !bad && *is != "proposed" && *is != "reverted")
      at_work = fmt::format(" {} is at work ({}).", *id, *is);
    const double times = row[*ratio].number().value_or(0);
    if (good && times > most) best = *id;
    if (good) most = std::max(most, times);
    return true;
  }));
  if (all == 0) return {};
  return fmt::format(
      "{} proposal{}: {} accepted, {} rejected, {} open.{}{}", all, all == 1 ? "" : "s", accepted,
      rejected, all - accepted - rejected, at_work,
      best.empty() ? "" : fmt::format(" The best so far is {}, {:.2f} times as fast.", best, most));
}

Result<Pages::Body> Pages::optimization() {
  XmlText text("<h1>Optimization</h1>\n");
  auto proposals = inputs_.face.evaluate_line("info proposals");
  if (!proposals) {
    if (proposals.error().code == Errc::interrupted) return std::move(proposals).failure();
    return Body{"Optimization", text + failure_html(proposals.error()), 200};
  }
  if (const std::string course = course_of(*proposals); !course.empty())
    text += encoded<XmlText>("<p>{}</p>\n", course);
  ReportArgs args;
  args.rows = 0;
  const ReportPart part = TRY(part_of(std::move(*proposals), args, {}, ""));
  Grid grid = TRY(grid_of(part.document, 0, ForWhom::reader));
  for (auto& row : grid.rows) {
    if (!row.empty()) row.front().link = "/proposal/" + row.front().text;
  }
  if (grid.rows.empty()) text += "<p>There are no proposals in this session.</p>\n";
  if (!grid.rows.empty()) text += html_table(grid);
  text +=
      TRY(section("In the background", "info jobs", "id state progress exit_status why command"));
  return Body{"Optimization", std::move(text), 200};
}

Result<Pages::Body> Pages::proposal(const std::string& id) {
  const bool is_id = id.size() > 1 && id.size() < 12 && id.front() == 'p' &&
                     id.find_first_not_of("0123456789", 1) == std::string::npos;
  if (!is_id) return not_found();
  auto document = inputs_.face.evaluate_line("info proposal " + id);
  if (!document) {
    if (document.error().code == Errc::interrupted) return std::move(document).failure();
    return Body{id, failure_html(document.error()), kNotFound};
  }
  const std::string patch = text_in(*document, "patch");
  std::erase_if(document->fields, [](const Column& field) {
    return field.name == "patch" || field.name == "title" || field.name == "evidence";
  });
  // Lines of the compiler as they were, for whoever repeats them on this machine.
  ReportArgs args;
  args.paths = true;
  const ReportPart part = TRY(part_of(std::move(*document), args, {}, ""));
  XmlText text = encoded<XmlText>("<h1>{}: {}</h1>\n", id, text_in(part.document, "title"));
  if (text_in(part.document, "state") == "accepted")
    text += encoded<XmlText>(
        "<p class=\"soft\">Pages change nothing. <code>approve {}</code> at the prompt asks, and "
        "writes it into the source.</p>\n",
        id);
  text += diff_html(patch) + html_fields(part.document);
  const Value* evidence = part.document.get("evidence");
  if (evidence != nullptr) text += evidence_html(*evidence);
  return Body{id, std::move(text), 200};
}

Result<Pages::Body> Pages::captures() {
  XmlText text("<h1>Captures</h1>\n");
  text += TRY(section("Those that are open, and those in the folder", "capture list", "", ""));
  return Body{"Captures", std::move(text), 200};
}

Result<Pages::Body> Pages::thread_trace(const std::string& id) {
  const AttEntry entry = inputs_.workspace.thread_traces.find(id);
  if (entry == nullptr || entry->id != id) return not_found();
  XmlText text = encoded<XmlText>("<h1>{}</h1>\n", short_kernel(entry->value->trace->kernel()));
  const auto figure = cycles_figure(inputs_, entry);
  if (!figure && figure.error().code == Errc::interrupted) return Failure(figure.error());
  if (figure && *figure) text += figure_html(**figure);
  text += source_html(entry, "source");
  text += TRY(section("What the waits waited for", "att waits " + id,
                      "wait source hits stall stall_pct text latency_cycles"));
  text += TRY(section("Instructions", "att insts " + id,
                      "line source text hits latency latency_pct stall_pct cycles_each samples"));
  text += TRY(section("In numbers", "att summary " + id));
  return Body{id, std::move(text), 200};
}

Status Pages::take_news() {
  for (const auto& job : jobs_.all()) {
    if (job->taken || job->state() == Job::State::running) continue;
    auto shown = inputs_.face.evaluate_line("job show " + job->id());
    if (!shown && shown.error().code == Errc::interrupted) return std::move(shown).failure();
    job->taken = true;
  }
  return {};
}

Result<std::string> Pages::state() {
  std::string out;
  for (const auto& trace : inputs_.workspace.traces()) out += trace->id() + ";";
  for (const AttEntry& entry : inputs_.workspace.thread_traces.all()) out += entry->id + ";";
  for (const auto& job : jobs_.all())
    out += fmt::format("{} {};", job->id(), to_string(job->state()));
  const auto proposals = inputs_.face.evaluate_line("info proposals");
  if (!proposals) {
    if (proposals.error().code == Errc::interrupted) return Failure(proposals.error());
    return out;
  }
  TRY(proposals->each_row([&](const Row& row) {
    for (const Value& cell : row) out += to_json(cell) + ",";
    return true;
  }));
  return out;
}

web::Response Pages::live() const {
  std::string says;
  for (const auto& job : jobs_.all()) {
    if (job->state() != Job::State::running) continue;
    says += fmt::format("{}{}: {}, {} {}", says.empty() ? "" : " · ", job->id(), job->line(),
                        format_ns(job->elapsed_ns()), job->progress());
  }
  return web::Response::json(json_text(Value(Record{
      {"version", Value(version_)}, {"busy", Value(jobs_.running() > 0)}, {"says", Value(says)}})));
}

XmlText Pages::navigation(std::string_view path) const {
  XmlText out("<nav>");
  for (const Entry& entry : kEntries) {
    out.add("<a href=\"{}\"{}>{}</a>\n", entry.path,
            when(entry.path == path, " aria-current=\"page\""), entry.title);
  }
  for (const AttEntry& entry : inputs_.workspace.thread_traces.all())
    out.add("<a href=\"/threads/{}\">{}</a>\n", entry->id, entry->id);
  return out + "</nav>\n<p id=\"live\" class=\"soft\" role=\"status\"></p>\n";
}

Result<Pages::Body> Pages::body_of(const web::Request& request) {
  const std::string& path = request.path;
  const auto below = [&](std::string_view folder) { return path.substr(folder.size()); };
  if (path == "/") return overview();
  if (path == "/kernels") return kernels();
  if (path == "/timeline") return timeline();
  if (path == "/optimization") return optimization();
  if (path == "/captures") return captures();
  if (path.starts_with(kKernelPage)) return kernel(below(kKernelPage));
  if (path.starts_with("/proposal/")) return proposal(below("/proposal/"));
  if (path.starts_with("/threads/")) return thread_trace(below("/threads/"));
  return not_found();
}

bool Pages::takes_long() const {
  constexpr std::size_t kMany = 500'000;
  if (!has_trace()) return false;
  const auto now = loaded(inputs_);
  return now && now->trace->size() > kMany;
}

/// What is known at once; the browser asks for the rest by itself, and shows this until it is there.
Result<web::Response> Pages::first_look() {
  const Loaded now = TRY(loaded(inputs_));
  XmlText text = encoded<XmlText>(
      "<h1>{} dispatches</h1>\n<p>What to do first and the pictures of so many take some seconds, "
      "and "
      "take this page's place when they are there. <a href=\"/kernels\">Kernels</a> and the <a "
      "href=\"/timeline\">timeline</a> are there at once.</p>\n",
      format_count(now.trace->size()));
  text += TRY(section("Kernels by time", "info kernels",
                      "id kernel calls total_ns mean_ns min_ns max_ns variation share"));
  const XmlText page = navigation("/") + "<main>\n" + text + "</main>\n";
  web::Response out = web::Response::page(served_page("rpl", "", page));
  out.headers.emplace_back("Refresh", "0; url=/?whole=1");
  return out;
}

Result<web::Response> Pages::answer(const web::Request& request) {
  if (request.path == "/page.css") return web::Response::own("text/css", page_style());
  if (request.path == "/page.js") return web::Response::own("text/javascript", page_script());
  TRY(take_news());
  if (std::string now = sha256_hex(TRY(state())); now != version_) {
    version_ = std::move(now);
    kept_.clear();
    kept_bytes_ = 0;
  }
  if (request.path == "/live") return live();
  std::string key = request.path;
  for (const auto& [name, value] : request.query) key += fmt::format("&{}={}", name, value);
  if (const auto kept = kept_.find(key); kept != kept_.end()) return kept->second;
  if (key == "/" && takes_long()) {
    const auto whole = kept_.find(std::string(kWholeOverview));
    return whole != kept_.end() ? whole->second : first_look();
  }
  web::Response out = TRY(made(request));
  constexpr std::size_t kMostKept = std::size_t{32} << 20U;
  if (out.status == 200 && kept_bytes_ + out.body.size() <= kMostKept) {
    kept_bytes_ += out.body.size();
    kept_.emplace(std::move(key), out);
  }
  return out;
}

Result<web::Response> Pages::made(const web::Request& request) {
  const auto failed = [](const Error& error) {
    return web::Response::page(served_page("rpl", "", failure_html(error)), 500);
  };
  if (request.path == "/timeline.json") {
    auto data = window(request);
    if (data || data.error().code == Errc::interrupted) return data;
    return failed(data.error());
  }
  auto body = body_of(request);
  if (!body) {
    if (body.error().code == Errc::interrupted) return std::move(body).failure();
    return failed(body.error());
  }
  const XmlText page = navigation(request.path) + "<main>\n" + body->text + "</main>\n";
  return web::Response::page(served_page(body->title, "/live", page), body->status);
}

}  // namespace rpl
