// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "engine/base/encode.h"

/// Whole pages of HTML.
namespace rpl {

/// A page in one file that loads nothing: its style and its script are in it, and a content policy (CSP) lets no other script run than the one of that hash.
/// Everything can be read without the script. `title` is text.
XmlText html_page(std::string_view title, const XmlText& body);

/// A page of a server that has the style as /page.css and the script as /page.js; the policy is in its headers. `live`: where the script asks whether something
/// changed ("" for a page that stays as it is).
XmlText served_page(std::string_view title, std::string_view live, const XmlText& body);

/// What both kinds of pages look like, and what zooms their pictures, sorts their tables and follows what changes.
OwnText page_style();
OwnText page_script();

/// "'sha256-…'" of a text, as content policies name scripts.
std::string policy_hash(std::string_view text);

}  // namespace rpl
