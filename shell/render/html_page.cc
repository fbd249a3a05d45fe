// SPDX-License-Identifier: MIT
#include "shell/render/html_page.h"

#include <fmt/format.h>

#include "engine/base/sha256.h"

namespace rpl {
namespace {

constexpr OwnText kStyle(R"css(
:root { color-scheme: light; --ink: #1c2126; --soft: #5b6570; --line: #d9dee3; --bar-ink: #cfe0f3; --heat: #f3c08a; --paper: #fff; --link: #17548f; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 0 1rem 3rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
h1 { font-size: 1.5rem; margin: 1.2rem 0 .2rem; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 1.6rem 0 .3rem; padding-top: .6rem; border-top: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.2rem 0 .2rem; overflow-wrap: anywhere; }
a { color: var(--link); }
nav { display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin: .8rem 0; padding-top: .4rem; border-top: 1px solid var(--line); font-size: .9rem; }
nav a { padding: .2rem 0; }
nav a[aria-current] { color: var(--ink); font-weight: 600; text-decoration: none; }
p { margin: .4rem 0; }
.soft, figcaption { color: var(--soft); font-size: .85rem; overflow-wrap: anywhere; }
.lead { font-size: 1.05rem; }
.comment { border-left: 3px solid var(--line); padding-left: .8rem; }
.things li { margin: .5rem 0; }
.worth { white-space: nowrap; border: 1px solid var(--line); border-radius: .6rem; padding: 0 .5rem; font-size: .85rem; }
code, pre, td.code { font: .85rem/1.4 ui-monospace, monospace; }
code { overflow-wrap: anywhere; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: 12rem 1fr; gap: .15rem 1rem; margin: .5rem 0; }
dt { color: var(--soft); }
dd { margin: 0; white-space: pre-line; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; margin: .5rem 0; }
table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .5rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
td { background: linear-gradient(90deg, var(--bar-ink) var(--bar, 0%), transparent 0); }
td.heat { background: linear-gradient(90deg, var(--heat) var(--bar, 0%), transparent 0); min-width: 6rem; }
td.long { min-width: 10rem; overflow-wrap: anywhere; }
td.id { white-space: nowrap; } td.kernel { overflow-wrap: break-word; }
th { color: var(--soft); font-weight: 600; vertical-align: bottom; }
th[tabindex] { cursor: pointer; }
th[aria-sort=ascending]::after { content: " ▲"; } th[aria-sort=descending]::after { content: " ▼"; }
tr:target td, tr.marked td { background-color: #fff3c4; }
.n { text-align: right; white-space: nowrap; }
th.n { white-space: normal; }
td.code { white-space: pre-wrap; overflow-wrap: anywhere; }
table.source td { padding: 0 .5rem; border: 0; } table.source { width: 100%; } table.source td.code { width: 80%; }
figure { margin: .8rem 0; }
figure svg { display: block; width: 100%; height: auto; }
figure canvas { display: block; width: 100%; touch-action: pan-y; cursor: crosshair; }
figure .tools { display: flex; flex-wrap: wrap; gap: .4rem; align-items: center; margin: .2rem 0; font-size: .85rem; }
button { font: inherit; padding: .1rem .6rem; border: 1px solid var(--line); border-radius: .3rem; background: #f5f7f9; color: var(--ink); cursor: pointer; }
.diff ins { background: #d9efe0; text-decoration: none; } .diff del { background: #f6ded6; text-decoration: none; }
[hidden] { display: none; }
@media (max-width: 56rem) { body { font-size: 15px; } th, td { padding: .2rem .3rem; } table { font-size: .78rem; } td.long { min-width: 7rem; } }
@media (max-width: 40rem) { dl { grid-template-columns: 7.5rem 1fr; gap: .15rem .6rem; } figure svg { min-width: 34rem; } figure { overflow-x: auto; } }
@media print { @page { margin: 12mm; } body { max-width: none; padding: 0; font-size: 10pt; } table { font-size: 7.5pt; } .scroll { overflow: visible; } nav, figure .tools { display: none !important; } figure canvas { display: none !important; } figure svg { display: block !important; }
  th, td { padding: .1rem .25rem; } td.long { min-width: 5rem; } h2, h3 { break-after: avoid; } tr, figure, li { break-inside: avoid; } a { color: inherit; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
)css");

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr unsigned kDigitBits = 6, kByteBits = 8;
  std::string out;
  unsigned held = 0, bits = 0;
  for (const char byte : bytes) {
    held = held << kByteBits | static_cast<unsigned char>(byte);
    for (bits += kByteBits; bits >= kDigitBits; bits -= kDigitBits)
      out += kDigits[held >> (bits - kDigitBits) & 63U];
    held &= (1U << bits) - 1;
  }
  if (bits > 0) out += kDigits[held << (kDigitBits - bits) & 63U];
  while (out.size() % 4 != 0) out += '=';
  return out;
}

std::string bytes_of_hex(std::string_view hex) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    out += static_cast<char>(digit(hex[i]) * 16 + digit(hex[i + 1]));
  return out;
}

constexpr OwnText kHead(
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");

}  // namespace

OwnText page_style() { return kStyle; }

std::string policy_hash(std::string_view text) {
  return "'sha256-" + base64(bytes_of_hex(sha256_hex(text))) + "'";
}

XmlText html_page(std::string_view title, const XmlText& body) {
  static const std::string policy =
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
      "script-src " +
      policy_hash(page_script().text());
  return encoded<XmlText>(
      "{}<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n<title>{}</title>\n"
      "<style>{}</style>\n</head>\n<body>\n<main>\n{}</main>\n<script>{}</script>\n</body>\n</"
      "html>\n",
      kHead, policy, title, kStyle, body, page_script());
}

XmlText served_page(std::string_view title, std::string_view live, const XmlText& body) {
  return encoded<XmlText>(
      "{}<title>{}</title>\n<link rel=\"stylesheet\" href=\"/page.css\">\n<script src=\"/page.js\" "
      "defer></script>\n</head>\n<body data-live=\"{}\">\n{}</body>\n</html>\n",
      kHead, title, live, body);
}

}  // namespace rpl
