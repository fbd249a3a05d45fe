// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "shell/core/command/define.h"
#include "shell/core/terminal/canvas.h"

/// What all picture commands (`plot …`) share: in the terminal as text, with -o into a file as SVG.
namespace rpl {

class Context;

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

/// What the terminal offers, or the columns that --width asks for (at least 40).
Canvas picture_canvas(const Context& context, const PlotOutputArgs& args);

/// The picture as the document's text, or `svg()` written into the file; field `path` says which. Fails as writing does.
template <class Svg>
Status show_or_write(Document& out, const PlotOutputArgs& args, std::string text, Svg&& svg);

/// Writes the file and makes "wrote FILE, 3.2 KiB" the document's text.
Status write_picture(Document& out, const std::string& path, const std::string& svg);

/// The fields of picture commands: path and points.
std::vector<Column> picture_fields(Label points);

template <class Svg>
Status show_or_write(Document& out, const PlotOutputArgs& args, std::string text, Svg&& svg) {
  out.set("path", Value());
  out.text = std::move(text);
  return args.output.empty() ? Status() : write_picture(out, args.output, svg());
}

}  // namespace rpl
