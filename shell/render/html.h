// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "engine/document/document.h"
#include "shell/render/forms.h"

/// Results as pieces of an HTML page. What comes from files is escaped: a kernel's name may hold any bytes.
namespace rpl {

/// The fields of a result as a list of names and values; "" when it has none.
std::string html_fields(const Document& document);

/// A table; shares have a bar behind them, shortened kernel names carry the whole name as their title. "" without columns.
std::string html_table(const Grid& grid);

/// A whole page in one file: no script, and nothing is loaded from anywhere. `title` is text, `body` HTML.
std::string html_page(std::string_view title, std::string_view body);

}  // namespace rpl
