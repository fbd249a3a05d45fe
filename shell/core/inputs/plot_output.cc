// SPDX-License-Identifier: MIT
#include "shell/core/inputs/plot_output.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/output_file.h"
#include "engine/base/units.h"
#include "shell/core/inputs/loaded.h"

namespace rpl {

Canvas picture_canvas(const Context& context, const PlotOutputArgs& args) {
  constexpr std::int64_t kNarrowest = 40, kWidest = 1000;
  Canvas canvas = canvas_of(context);
  if (args.width > 0)
    canvas.width = static_cast<std::size_t>(std::clamp(args.width, kNarrowest, kWidest));
  return canvas;
}

Status write_picture(Document& out, const std::string& path, const std::string& svg) {
  auto file = TRY(OutputFile::create(path));
  TRY(file.write(svg));
  TRY(file.commit());
  out.set("path", path);
  out.text = fmt::format("wrote {}, {}", path, format_bytes(file.bytes()));
  return {};
}

std::vector<Column> picture_fields(Label points) {
  return {{"path", Type::string, Unit::none, "the file that was written, or null"},
          {"points", Type::integer, Unit::count, points}};
}

std::vector<Bound> plot_output_options() {
  using Args = PlotOutputArgs;
  return {option("output", &Args::output, "write an SVG file instead: -o FILE")
              .named("FILE")
              .or_letter('o')
              .completes(Complete::file),
          option("width", &Args::width, "columns, or pixels of the SVG file; 0 chooses")
              .named("WIDTH")};
}

}  // namespace rpl
