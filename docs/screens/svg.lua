-- What a terminal shows as an SVG: reads `tmux capture-pane -e -p` (text with colours) and writes a picture that follows the reader's light or dark.
--   rpl -nx -q -batch -x docs/screens/svg.lua -- TEXT COLUMNS TITLE > PICTURE
local columns, title = tonumber(rpl.args[2]), rpl.args[3]
local cell_width, line_height, margin = 8.4, 18, 14

local names = {[0] = "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"}

-- Classes of a style: bold, dim, underlined, reversed, and the sixteen colours by name.
local function classes(style)
  local found = {}
  for _, name in ipairs{"bold", "dim", "underlined"} do
    if style[name] then found[#found + 1] = name end
  end
  if style.front then found[#found + 1] = style.front end
  return table.concat(found, " ")
end

local function apply(style, codes)
  local at = 1
  while at <= #codes do
    local code = codes[at]
    if code == 0 then
      for key in pairs(style) do style[key] = nil end
    elseif code == 1 then style.bold = true
    elseif code == 2 then style.dim = true
    -- A picture has no cells to fill: what is reversed is underlined.
    elseif code == 4 or code == 7 then style.underlined = true
    elseif code == 22 then style.bold, style.dim = nil, nil
    elseif code == 24 or code == 27 then style.underlined = nil
    elseif code >= 30 and code <= 37 then style.front = names[code - 30]
    elseif code == 39 then style.front = nil
    elseif code >= 90 and code <= 97 then style.front = "bright-" .. names[code - 90]
    elseif code ~= 49 then
      error{code = "unsupported", message = ("the picture of '%s' has the attribute %d, which docs/screens/svg.lua does not draw"):format(title, code)}
    end
    at = at + 1
  end
end

local function escaped(text) return (text:gsub("&", "&amp;"):gsub("<", "&lt;"):gsub(">", "&gt;")) end

-- One line as pieces {column, cells, text, class}: a change of style or two blanks end a piece, so that each begins where it stands in the terminal.
local function pieces_of(line, style)
  local pieces, piece, column, blanks = {}, nil, 0, 0
  local function close() piece = nil end
  local at = 1
  while at <= #line do
    local codes, next_at = line:match("^\27%[([%d;]*)m()", at)
    if codes then
      local list = {}
      for code in (codes == "" and "0" or codes):gmatch("%d+") do list[#list + 1] = tonumber(code) end
      apply(style, list)
      close()
      at = next_at
    else
      local character = line:match("^[\0-\127\194-\253][\128-\191]*", at)
      if character == " " then
        blanks = blanks + 1
        if blanks == 2 then close() end
        if piece and not line:match("^ *$", at) then
          piece.text, piece.cells = piece.text .. " ", piece.cells + 1
        end
      else
        if not piece then
          piece = {column = column, cells = 0, text = "", class = classes(style)}
          pieces[#pieces + 1] = piece
        end
        piece.text, piece.cells, blanks = piece.text .. character, piece.cells + 1, 0
      end
      column = column + 1
      at = at + #character
    end
  end
  return pieces
end

local function number(value) return (("%.1f"):format(value):gsub("%.0$", "")) end

local lines, style = {}, {}
for line in io.lines(rpl.args[1]) do lines[#lines + 1] = pieces_of(line, style) end
while #lines > 0 and #lines[#lines] == 0 do lines[#lines] = nil end

local width, height = columns * cell_width + 2 * margin, #lines * line_height + 2 * margin
local out = {
  ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" width="%s" height="%s" role="img" aria-label="%s">'):format(
    number(width), number(height), number(width), number(height), escaped(title)),
  "<title>" .. escaped(title) .. "</title>",
  [[<style>
  :root { color-scheme: light dark; --back: #fbfbfc; --edge: #d5dae1; --text: #1d2127; --dim: #626c79; --red: #b42318; --green: #1a7f37; --yellow: #8a5a00; --blue: #0b57b0; --magenta: #8a3ffc; --cyan: #0b6e79; }
  @media (prefers-color-scheme: dark) { :root { --back: #14171b; --edge: #313842; --text: #dfe3e8; --dim: #98a2b0; --red: #ff8a80; --green: #7ee2a0; --yellow: #f2cc60; --blue: #82b6ff; --magenta: #d2a8ff; --cyan: #76e3ea; } }
  rect { fill: var(--back); stroke: var(--edge); }
  text { font: 14px "DejaVu Sans Mono", ui-monospace, Menlo, Consolas, monospace; fill: var(--text); white-space: pre; }
  .bold { font-weight: 700; } .underlined { text-decoration: underline; }
  .red, .bright-red { fill: var(--red); } .green, .bright-green { fill: var(--green); } .yellow, .bright-yellow { fill: var(--yellow); }
  .blue, .bright-blue { fill: var(--blue); } .magenta, .bright-magenta { fill: var(--magenta); } .cyan, .bright-cyan { fill: var(--cyan); }
  .dim, .bright-black { fill: var(--dim); }
</style>]],
  ('<rect x="0.5" y="0.5" width="%s" height="%s" rx="6"/>'):format(number(width - 1), number(height - 1))}
for row, pieces in ipairs(lines) do
  for _, piece in ipairs(pieces) do
    out[#out + 1] = ('<text x="%s" y="%s" textLength="%s" lengthAdjust="spacingAndGlyphs"%s>%s</text>'):format(
      number(margin + piece.column * cell_width), number(margin + (row - 1) * line_height + 13.5), number(piece.cells * cell_width),
      piece.class ~= "" and (' class="%s"'):format(piece.class) or "", escaped(piece.text))
  end
end
out[#out + 1] = "</svg>"
io.write(table.concat(out, "\n"), "\n")
