// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/base/encode.h"
#include "shell/core/command/define.h"
#include "shell/core/terminal/terminal.h"

/// What all picture commands (`plot …`) share: in the terminal as text, with -o into a file as SVG.
namespace rpl {

/// Options of picture commands, which derive their arguments from it.
struct PlotOutputArgs {
  std::string output;      ///< "": show it
  std::int64_t width = 0;  ///< columns, or pixels of the file; 0: chosen
};

/// The options -o and --width.
std::vector<Bound> plot_output_options();

/// The same behind a command's own.
template <class Args>
std::vector<Bound> with_plot_output(std::vector<Bound> own) {
  return joined(std::move(own), inherited<Args, PlotOutputArgs>(plot_output_options()));
}

/// `canvas`, or as wide as --width asks for (at least 40 columns).
Canvas picture_canvas(Canvas canvas, const PlotOutputArgs& args);

/// What picture commands say of a picture.
struct Picture {
  std::size_t points = 0;
  std::optional<std::string> path;  ///< the file that was written
};

/// The fields of picture commands: path and points.
std::vector<Column> picture_fields(Label points);

/// Field `points`.
void put_points(Document& out, std::size_t points);
/// The picture's text and field `path`; with an SVG file's text, which is written, "wrote FILE, 3.2 KiB". Fails as writing does.
Status put_picture(Document& out, const PlotOutputArgs& args, std::string text, const XmlText& svg);

/// The picture as the document's text, or `svg()` written into the file; field `path` says which. Fails as writing does.
template <class Svg>
Status show_or_write(Document& out, const PlotOutputArgs& args, std::string text, Svg&& svg) {
  return put_picture(out, args, std::move(text), args.output.empty() ? XmlText() : svg());
}

/// The same with field `points` before it.
template <class Svg>
Status show_or_write(Document& out, const PlotOutputArgs& args, std::size_t points,
                     std::string text, Svg&& svg) {
  put_points(out, points);
  return show_or_write(out, args, std::move(text), std::forward<Svg>(svg));
}

}  // namespace rpl
