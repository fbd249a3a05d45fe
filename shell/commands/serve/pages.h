// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/plot/timeline.h"
#include "shell/commands/report/report.h"
#include "shell/web/exchange.h"

namespace rpl {

class Jobs;

/// The pages of `serve`. Each is made of the results of commands, which see what the session may do; a path names one of these pages or nothing, and what it
/// holds (a kernel's id) is looked up among what is open before it stands in a line.
class Pages {
 public:
  Pages(const ReportInputs& inputs, Jobs& jobs) : inputs_(inputs), jobs_(jobs) {}

  /// A page that nobody has is one that says so. Fails with interrupted alone.
  Result<web::Response> answer(const web::Request& request);

 private:
  /// What stands between the heading and the end of a page.
  struct Body {
    std::string title;
    XmlText text;
    int status = 200;
  };

  Result<Body> body_of(const web::Request& request);
  Result<Body> overview();
  Result<Body> kernels();
  Result<Body> kernel(const std::string& id);
  Result<Body> timeline();
  Result<Body> optimization();
  Result<Body> proposal(const std::string& id);
  Result<Body> captures();
  Result<Body> thread_trace(const std::string& id);
  static Body not_found();

  Result<web::Response> made(const web::Request& request);
  /// Whether the overview of what is open takes seconds, and a first look at it comes before.
  [[nodiscard]] bool takes_long() const;
  Result<web::Response> first_look();
  Result<web::Response> window(const web::Request& request);
  web::Response live() const;
  /// What pages depend on, as text: what is open, the states of lines in the background, of proposals. Fails with interrupted.
  Result<std::string> state();

  /// The result of a line as a section; a failure as its sentence. Fails with interrupted.
  Result<XmlText> section(std::string_view title, const std::string& line,
                          std::string_view columns = "", std::string_view tells = "");
  [[nodiscard]] bool has_trace() const;
  /// Opens here what lines in the background have opened.
  Status take_news();
  [[nodiscard]] XmlText navigation(std::string_view path) const;

  ReportInputs inputs_;
  Jobs& jobs_;
  std::string version_;                                     ///< of the state that these are of
  std::map<std::string, web::Response, std::less<>> kept_;  ///< by path and query
  std::size_t kept_bytes_ = 0;
  /// The rows of the whole timeline, and its colours.
  struct Rows {
    std::shared_ptr<const Graph> graph;
    Timeline timeline;
    std::vector<std::string_view> colors;
  } rows_;
};

}  // namespace rpl
