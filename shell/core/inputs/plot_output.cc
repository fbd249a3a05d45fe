// SPDX-License-Identifier: MIT
#include "shell/core/inputs/plot_output.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/numbers.h"
#include "engine/base/output_file.h"
#include "engine/document/bound.h"

namespace rpl {
namespace {

constexpr auto kPath =
    bound_to<Picture>(column<&Picture::path>("path", "the file that was written, or null"));
constexpr auto kPoints = bound_to<Picture>(column<&Picture::points>("points", "in the picture"));

}  // namespace

Canvas picture_canvas(Canvas canvas, const PlotOutputArgs& args) {
  constexpr std::int64_t kNarrowest = 40, kWidest = 1000;
  if (args.width > 0)
    canvas.width = static_cast<std::size_t>(std::clamp(args.width, kNarrowest, kWidest));
  return canvas;
}

void put_points(Document& out, std::size_t points) { out.put(kPoints, Picture{points, {}}); }

Status put_picture(Document& out, const PlotOutputArgs& args, std::string text,
                   const XmlText& svg) {
  Picture picture;
  out.text = std::move(text);
  if (!args.output.empty()) {
    auto file = TRY(OutputFile::create(args.output, OutputFile::Place::named));
    TRY(file.write(svg));
    TRY(file.commit());
    picture.path = args.output;
    out.text = fmt::format("wrote {}, {}", args.output, format_bytes(file.bytes()));
  }
  out.put(kPath, picture);
  return {};
}

std::vector<Column> picture_fields(Label points) {
  std::vector<Column> fields = described(Columns<Picture>(kPath));
  fields.push_back(described(Columns<Picture>(kPoints)).front());
  fields.back().description = points;
  return fields;
}

std::vector<Bound> plot_output_options() {
  using Args = PlotOutputArgs;
  return {option("output", &Args::output, "write an SVG file instead: -o FILE")
              .named("FILE")
              .or_letter('o')
              .needs({Capability::write})
              .writes_file()
              .completes(Complete::file),
          option("width", &Args::width, "columns, or pixels of the SVG file; 0 chooses")
              .named("WIDTH")};
}

}  // namespace rpl
