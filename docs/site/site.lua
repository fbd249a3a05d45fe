-- The documentation as a folder of HTML pages: scripts/docs runs this. Markdown is cmark-gfm's work; this adds the frame, the navigation that
-- docs/README.md lists, and the index of the search, and refuses dead links, dead anchors, resources of the network and pages that no list names.
local root, out = rpl.args[1], rpl.args[2]
local here = root .. "/docs/site/"
local problems = {}

local function problem(format, ...) problems[#problems + 1] = format:format(...) end

local function read(path)
  local file = io.open(path, "rb")
  if not file then return nil end
  local text = file:read("a")
  file:close()
  return text
end

local function quoted(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

local function lines_of(command)
  local pipe <close> = assert(io.popen(command))
  local found = {}
  for line in pipe:lines() do found[#found + 1] = line end
  return found
end

local function write(path, text)
  local file = assert(io.open(out .. "/" .. path, "wb"))
  file:write(text)
  file:close()
end

-- "docs/a.md" and "../README.md#b" make "README.md"; nil when that leaves the tree.
local function resolved(from, link)
  local parts = {}
  for part in ((from:match("^(.*/)") or "") .. link):gmatch("[^/]+") do
    if part == ".." then
      if #parts == 0 then return nil end
      parts[#parts] = nil
    elseif part ~= "." then
      parts[#parts + 1] = part
    end
  end
  return table.concat(parts, "/")
end

local function page_of(source) return (source:gsub("README%.md$", "index.md"):gsub("%.md$", ".html")) end
local function way_up(page) return ("../"):rep(select(2, page:gsub("/", ""))) end

local function decoded(html)
  return (html:gsub("<[^>]*>", ""):gsub("&lt;", "<"):gsub("&gt;", ">"):gsub("&quot;", '"'):gsub("&amp;", "&"))
end

local function escaped(text) return (text:gsub("&", "&amp;"):gsub("<", "&lt;"):gsub(">", "&gt;"):gsub('"', "&quot;")) end

-- The anchor that GitHub gives a heading, so that links work there as well.
local function slug_of(text, taken)
  local slug = text:lower():gsub("[^%w%s_\128-\255-]", "")
  for _, sign in ipairs{"–", "—", "…", "·", "“", "”", "×", "≥", "≤", "→"} do slug = slug:gsub(sign, "") end
  slug = slug:gsub("%s", "-")
  local count = taken[slug]
  taken[slug] = (count or -1) + 1
  return count and ("%s-%d"):format(slug, count + 1) or slug
end

-- Headings with ids, the list of them, and the text of each section.
local function with_anchors(html)
  local taken, sections = {}, {}
  html = html:gsub("<h([1-6])>(.-)</h%1>", function(level, inner)
    local heading = decoded(inner)
    local id = slug_of(heading, taken)
    sections[#sections + 1] = {level = tonumber(level), heading = heading, id = id}
    return ('<h%s id="%s">%s<a class="here" href="#%s" aria-label="link to here">#</a></h%s>'):format(level, id, inner, id, level)
  end)
  for i, section in ipairs(sections) do
    local _, from = html:find(('<h%d id="%s">.-</h%d>'):format(section.level, section.id:gsub("%p", "%%%0"), section.level))
    local to = i < #sections and html:find('<h' .. sections[i + 1].level .. ' id="' .. sections[i + 1].id .. '">', from, true)
    section.text = decoded(html:sub(from + 1, (to or 0) - 1):gsub("</t[dh]>", " ")):gsub("%s+", " ")
  end
  return html, sections
end

-- Markdown without the head that tools for agents read (docs/agents/SKILL.md).
local function html_of(source)
  local text = read(root .. "/" .. source):gsub("^%-%-%-\n.-\n%-%-%-\n", "")
  local path = os.tmpname()
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
  local html = table.concat(lines_of("cmark-gfm --extension table --extension strikethrough " .. quoted(path)), "\n")
  os.remove(path)
  return html
end

local pages, order = {}, {}
for _, source in ipairs(lines_of("cd " .. quoted(root) .. " && ls -1 README.md docs/agents/*.md docs/*.md docs/commands/*.md examples/*/README.md")) do
  local html = html_of(source)
  local body, sections = with_anchors(html)
  local anchors = {}
  for _, section in ipairs(sections) do anchors[section.id] = true end
  if #sections == 0 or sections[1].level ~= 1 then problem("%s: a page begins with its title", source) end
  if html:find("<!-- raw HTML omitted -->", 1, true) then problem("%s: raw HTML is left out of pages", source) end
  pages[source] = {source = source, page = page_of(source), title = sections[1] and sections[1].heading or source, body = body, sections = sections, anchors = anchors}
  order[#order + 1] = source
end

-- What docs/README.md lists, in its order: {title, pages} for each of its headings.
local function listed_pages()
  local groups, seen = {}, {}
  for line in (read(root .. "/docs/README.md") .. "\n"):gmatch("(.-)\n") do
    local heading = line:match("^## (.*)")
    if heading then groups[#groups + 1] = {title = heading} end
    local title, link = line:match("^%- %[([^%]]+)%]%(([^)#]+)%)")
    local source = link and resolved("docs/README.md", link)
    if source and pages[source] then
      table.insert(groups[#groups], {title = title, page = pages[source]})
      seen[source] = true
    end
  end
  return groups, seen
end

local groups, listed = listed_pages()
-- These are reached from a page that is listed.
local function found_elsewhere(source) return source == "README.md" or source == "docs/README.md" or source:match("^docs/commands/.") or source:match("^examples/") end
for _, source in ipairs(order) do
  if not listed[source] and not found_elsewhere(source) then problem("%s: docs/README.md does not list it", source) end
end

local copied = {}

-- A file of the tree that a page links to goes along; of a folder, a list of its files.
local function take_along(path)
  if copied[path] then return copied[path] end
  local full = root .. "/" .. path
  local is_folder = #lines_of("test -d " .. quoted(full) .. " && echo yes") > 0
  if not is_folder and read(full) == nil then return nil end
  if not is_folder then
    copied[path] = path
    os.execute(("mkdir -p %s && cp %s %s"):format(quoted(out .. "/" .. (path:match("^(.*)/") or "")), quoted(full), quoted(out .. "/" .. path)))
    return path
  end
  path = path:gsub("/$", "")
  local items = {}
  for _, name in ipairs(lines_of("ls -1p " .. quoted(full))) do
    if not name:find("/$") then
      take_along(path .. "/" .. name)
      items[#items + 1] = ('<li><a href="%s">%s</a></li>'):format(name, name)
    end
  end
  copied[path] = path .. "/index.html"
  pages[path .. "/"] = {source = path .. "/", page = path .. "/index.html", title = path, body = ("<h1>%s</h1>\n<ul>%s</ul>"):format(path, table.concat(items, "\n")), sections = {}, anchors = {}}
  order[#order + 1] = path .. "/"
  return copied[path]
end

local function target_of(page, link)
  if link:find("^https?://") then return link end
  if link:find("^%a[%w+.-]*:") then
    problem("%s: a link of another kind: %s", page.source, link)
    return link
  end
  local path, anchor = link:match("^([^#]*)#?(.*)$")
  local source = path == "" and page.source or resolved(page.source, path)
  local other = source and pages[source]
  if other then
    if anchor ~= "" and not other.anchors[anchor] then problem("%s: no such heading: %s", page.source, link) end
    return way_up(page.page) .. other.page .. (anchor ~= "" and "#" .. anchor or "")
  end
  local along = source and take_along(source)
  if not along then problem("%s: a dead link: %s", page.source, link) end
  return along and way_up(page.page) .. along or link
end

local function navigation(current)
  local html = {}
  for _, group in ipairs(groups) do
    html[#html + 1] = "<h2>" .. escaped(group.title) .. "</h2>\n<ul>"
    for _, entry in ipairs(group) do
      local mark = entry.page == current and ' aria-current="page"' or ""
      html[#html + 1] = ('<li><a href="%s%s"%s>%s</a></li>'):format(way_up(current.page), entry.page.page, mark, escaped(entry.title))
    end
    html[#html + 1] = "</ul>"
  end
  return table.concat(html, "\n") .. "\n"
end

local function section_list(page)
  local html = {}
  for _, section in ipairs(page.sections) do
    if section.level == 2 or section.level == 3 then
      html[#html + 1] = ('<li><a%s href="#%s">%s</a></li>'):format(section.level == 3 and ' class="deeper"' or "", section.id, escaped(section.heading))
    end
  end
  return #html > 0 and "<ul>\n" .. table.concat(html, "\n") .. "\n</ul>\n" or ""
end

-- Links to the pages before and behind this one in the list.
local function around(page)
  local all, at = {}, nil
  for _, group in ipairs(groups) do
    for _, entry in ipairs(group) do
      all[#all + 1] = entry
      if entry.page == page then at = #all end
    end
  end
  local function link(entry, text) return entry and ('<a href="%s%s">%s</a>'):format(way_up(page.page), entry.page.page, text:format(escaped(entry.title))) or "<span></span>" end
  return at and link(all[at - 1], "← %s") .. link(all[at + 1], "%s →") or ""
end

local template = read(here .. "page.html")
local index = {}
-- A folder that is linked to adds its list to the end of `order` while this goes on.
local at = 1
while at <= #order do
  local page = pages[order[at]]
  at = at + 1
  os.execute("mkdir -p " .. quoted(out .. "/" .. (page.page:match("^(.*)/") or "")))
  local body = page.body:gsub('(<a href=")([^"]*)(")', function(open, link, close) return open .. target_of(page, link:gsub("&amp;", "&")):gsub("&", "&amp;") .. close end)
  body = body:gsub('(<img src=")([^"]*)(")', function(open, link, close)
    if link:find("^%a+:") then problem("%s: a picture of the network: %s", page.source, link) end
    return open .. target_of(page, link) .. close
  end)
  body = body:gsub("<table>.-</table>", '<div class="wide">%0</div>')
  local values = {root = way_up(page.page), title = escaped(page.title), nav = navigation(page), nav_open = " open", body = body, sections = section_list(page), around = around(page)}
  write(page.page, (template:gsub("{{(%w+_?%w*)}}", values)))
  for _, section in ipairs(page.sections) do
    index[#index + 1] = rpl.json.encode{page.page, section.id, page.title, section.heading, section.text}
  end
end
write("search-index.js", "window.rplSections = [\n" .. table.concat(index, ",\n") .. "\n];\n")
for _, name in ipairs{"style.css", "search.js"} do write(name, read(here .. name)) end

for _, text in ipairs(problems) do io.stderr:write("error: ", text, "\n") end
if #problems > 0 then rpl.exit(1) end
print(("%d pages, %d sections in the search index: %s/index.html"):format(#order, #index, out))
