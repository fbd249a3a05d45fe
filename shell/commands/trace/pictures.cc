// SPDX-License-Identifier: MIT
#include "shell/commands/trace/pictures.h"

#include <fmt/format.h>

#include <filesystem>

#include "engine/base/numbers.h"
#include "engine/base/text.h"
#include "engine/plot/svg.h"
#include "shell/commands/trace/filters.h"

namespace rpl {
namespace {

std::string name_in_picture(std::string_view name) { return elide_middle(short_kernel(name), 40); }

}  // namespace

Result<PictureNotes> draw_timeline(const Inputs& inputs, const Loaded& now,
                                   const TimelinePicture& picture, const SinkOf<XmlText>& write) {
  const auto graph = TRY(graph_of(inputs, now));
  const auto path = TRY(path_of(inputs, now));
  TimelineOptions options;
  std::tie(options.from_ns, options.to_ns) =
      TRY(window_of_args(inputs.workspace, *now.trace, {picture.from, picture.to, picture.around}));
  options.cells = 1;
  options.rows = picture.rows <= 0 ? 1000 : static_cast<std::size_t>(picture.rows);
  options.by = timeline_by(picture.by);
  const Timeline timeline = TRY(build_timeline(*graph, nullptr, options));
  SvgOptions drawing;
  // The file without its folders: pictures are sent to others.
  const std::filesystem::path file(now.open->paths().front());
  drawing.title =
      fmt::format("{}: {} operations, {}", file.filename().string(),
                  format_count(timeline.operations), format_ns(timeline.to_ns - timeline.from_ns));
  const auto colors = colors_by_time(*graph);
  drawing.color = [&colors](std::uint32_t kernel) { return colors[kernel]; };
  drawing.width = std::max<std::int64_t>(picture.width, 300);
  drawing.shorten = name_in_picture;
  TRY(write_svg_timeline(*graph, timeline.rows.empty() ? nullptr : path.get(), timeline, options.by,
                         drawing, write));
  PictureNotes said;
  said.written = fmt::format("{} rows, {} operations", timeline.rows.size(),
                             format_count(timeline.operations));
  if (timeline.hidden_rows > 0) {
    said.notes.push_back(
        fmt::format("{} less busy rows are not drawn: --rows N", timeline.hidden_rows));
  }
  return said;
}

}  // namespace rpl
