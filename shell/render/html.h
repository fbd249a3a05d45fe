// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "engine/base/encode.h"
#include "engine/document/document.h"
#include "shell/render/forms.h"

/// Results as pieces of an HTML page. What comes from files is escaped: a kernel's name may hold any bytes.
namespace rpl {

/// The fields of a result as a list of names and values; "" when it has none.
XmlText html_fields(const Document& document);

/// A table; shares have a bar behind them, shortened kernel names carry the whole name as their title. "" without columns.
XmlText html_table(const Grid& grid);

}  // namespace rpl
