// SPDX-License-Identifier: MIT
// The script of pages. It adds: what it makes can be read without it, too.
#include "shell/render/html_page.h"

namespace rpl {
namespace {

constexpr OwnText kScript(R"js(
"use strict";
(() => {
const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const valueOf = new Map([...digits].map((digit, i) => [digit, i]));
const segmentColors = ["#3b3f45", "#8a9099", "#d55e00", "#f3c08a", "#e6e8ea"];
const segmentNames = ["kernel", "copy", "launch", "host", "idle"];

function numbers(text) {
  const out = [];
  let value = 0, scale = 1;
  for (const character of text) {
    const digit = valueOf.get(character);
    value += (digit & 31) * scale;
    if (digit & 32) { scale *= 32; } else { out.push(value); value = 0; scale = 1; }
  }
  return out;
}
function make(tag, text, attributes = {}) {
  const element = document.createElement(tag);
  element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}
function unitOf(ns) {
  const size = Math.abs(ns);
  return size < 1e3 ? [1, "ns"] : size < 1e6 ? [1e3, "us"] : size < 1e9 ? [1e6, "ms"] : [1e9, "s"];
}
function time(ns) {
  const [scale, unit] = unitOf(ns);
  return `${Number((ns / scale).toPrecision(6))} ${unit}`;
}
function readData(data) {
  const rows = data.rows.map(row => {
    const all = numbers(row.ops), blocks = [];
    let start = 0;
    for (let at = 0; at < all.length;) {
      start += all[at++];
      const duration = all[at++], code = all[at++];
      blocks.push({start, end: start + duration, kernel: (code >> 2) - 1, path: code & 1, count: code & 2 ? all[at++] : 1});
    }
    return {...row, blocks};
  });
  const all = numbers(data.path), path = [];
  for (let at = 0, start = 0; at < all.length; at += 3) {
    start += all[at];
    path.push({start, end: start + all[at + 1], kind: all[at + 2]});
  }
  return {...data, rows, path};
}

class Timeline {
  constructor(figure) {
    this.figure = figure;
    this.data = readData(JSON.parse(figure.dataset.timeline));
    this.more = figure.dataset.more;
    this.whole = [this.data.from, this.data.to];
    this.window = [...this.whole];
    this.marked = null;
    this.link = figure.querySelector("svg a")?.getAttribute("href").replace(/k[0-9a-f]+$/, "") ?? "#kernel-";
    const picture = figure.querySelector("svg");
    this.canvas = make("canvas", "", {tabindex: "0", role: "img", "aria-label": "timeline: + and - zoom, arrows pan, 0 shows all"});
    this.said = make("span", "drag to pan, double-click or + and - to zoom, click to follow a kernel", {"aria-live": "polite"});
    const tools = make("div", "", {class: "tools"});
    for (const [text, act] of [["closer", () => this.zoom(0.5)], ["farther", () => this.zoom(2)], ["all", () => this.show(...this.whole)]]) {
      const button = make("button", text, {type: "button"});
      button.addEventListener("click", act);
      tools.append(button);
    }
    tools.append(this.said);
    picture.before(tools, this.canvas);
    const legend = make("div", "", {class: "tools"});
    const other = "#b9bfc6", copy = "#7a828a", all = this.data.rows.flatMap(row => row.blocks);
    const shown = this.data.kernels.filter(kernel => kernel[2] !== other);
    if (shown.length < this.data.kernels.length) shown.push(["", "other kernels", other]);
    if (all.some(block => block.kernel < 0)) shown.push(["", "memory copies", copy]);
    for (const [, name, color] of shown) {
      const one = make("span", ` ${name}`), square = make("span", "■");
      square.style.color = color;
      one.prepend(square);
      legend.append(one);
    }
    const path = make("span", "path:");
    segmentNames.forEach((name, kind) => {
      const square = make("span", " ■");
      square.style.color = segmentColors[kind];
      path.append(square, ` ${name}`);
    });
    legend.append(path);
    this.canvas.after(legend);
    // On paper the style shows it again.
    picture.style.display = "none";
    this.listen();
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }
  listen() {
    let held = null, moved = false;
    this.canvas.addEventListener("pointerdown", event => { held = [event.offsetX, ...this.window]; moved = false; });
    addEventListener("pointerup", () => { held = null; });
    this.canvas.addEventListener("pointermove", event => {
      if (!held) return this.point(event);
      const by = (held[0] - event.offsetX) * (held[2] - held[1]) / this.width;
      if (Math.abs(held[0] - event.offsetX) > 3) moved = true;
      if (moved) this.show(held[1] + by, held[2] + by);
    });
    this.canvas.addEventListener("dblclick", event => this.zoom(0.25, this.at(event.offsetX)));
    this.canvas.addEventListener("click", event => {
      const found = moved ? null : this.find(event);
      if (found && found.kernel >= 0) { this.marked = this.data.kernels[found.kernel][0]; this.draw(); this.point(event, true); }
    });
    this.canvas.addEventListener("wheel", event => {
      if (!event.ctrlKey && !event.shiftKey) return;
      event.preventDefault();
      this.zoom((event.deltaY || event.deltaX) > 0 ? 1.25 : 0.8, this.at(event.offsetX));
    }, {passive: false});
    this.canvas.addEventListener("keydown", event => {
      const step = (this.window[1] - this.window[0]) / 4;
      const act = {"+": () => this.zoom(0.5), "=": () => this.zoom(0.5), "-": () => this.zoom(2), "0": () => this.show(...this.whole),
        ArrowLeft: () => this.show(this.window[0] - step, this.window[1] - step), ArrowRight: () => this.show(this.window[0] + step, this.window[1] + step)}[event.key];
      if (act) { event.preventDefault(); act(); }
    });
  }
  at(x) { return this.window[0] + (x - this.left) * (this.window[1] - this.window[0]) / this.width; }
  x(ns) { return this.left + (ns - this.window[0]) * this.width / (this.window[1] - this.window[0]); }
  zoom(by, around = (this.window[0] + this.window[1]) / 2) {
    this.show(around - (around - this.window[0]) * by, around + (this.window[1] - around) * by);
  }
  show(from, to) {
    const least = 100, span = Math.min(Math.max(to - from, least), this.whole[1] - this.whole[0]);
    from = Math.min(Math.max(from, this.whole[0]), this.whole[1] - span);
    this.window = [from, from + span];
    this.draw();
    if (!this.more) return;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.ask(), 150);
  }
  async ask() {
    const [from, to] = this.window, span = to - from, data = this.data;
    const covered = from >= data.from && to <= data.to;
    if (covered && (data.together_ns === 0 || span * 4 > data.to - data.from)) return;
    const wide = [Math.max(from - span, this.whole[0]), Math.min(to + span, this.whole[1])].map(Math.round);
    const answer = await fetch(`${this.more}?from=${wide[0]}&to=${wide[1]}`);
    if (!answer.ok) return;
    this.data = readData(await answer.json());
    this.draw();
  }
  find(event) {
    const row = this.data.rows[Math.floor(event.offsetY / this.height)];
    if (!row || event.offsetX < this.left) return null;
    const ns = this.at(event.offsetX), slack = (this.window[1] - this.window[0]) / this.width;
    let found = null;
    for (const block of row.blocks) {
      if (block.start > ns + slack) break;
      if (block.end >= ns - slack && (!found || block.start <= ns)) found = block;
    }
    return found;
  }
  point(event, follow = false) {
    const found = this.find(event);
    if (!found) return;
    const kernel = found.kernel < 0 ? null : this.data.kernels[found.kernel];
    const name = kernel ? kernel[1] : "memory copy";
    this.said.textContent = `${found.count > 1 ? `${found.count} operations, the longest ` : ""}${name}: ${time(found.end - found.start)} from ${time(found.start)} on${found.path ? ", on the critical path" : ""}. `;
    if (!kernel || !follow) return;
    const link = this.link + kernel[0], leads = !link.startsWith("#") || document.getElementById(link.slice(1));
    this.said.append(leads ? make("a", kernel[0], {href: link}) : kernel[0]);
  }
  draw() {
    const canvas = this.canvas, width = canvas.clientWidth;
    if (width === 0) return;
    const rows = this.data.rows.length, bar = 16;
    this.height = 22; this.left = 64; this.width = width - this.left - 56;
    const height = (rows + 1) * this.height + 20, dots = devicePixelRatio || 1;
    canvas.style.height = `${height}px`;
    canvas.width = width * dots; canvas.height = height * dots;
    const pen = canvas.getContext("2d");
    pen.scale(dots, dots);
    pen.font = "12px system-ui, sans-serif";
    this.axis(pen, height);
    this.data.rows.forEach((row, i) => {
      const y = i * this.height;
      pen.globalAlpha = 1; pen.fillStyle = "#1c2126"; pen.textAlign = "right";
      pen.fillText(row.id, this.left - 6, y + 12);
      pen.fillStyle = "#5b6570";
      pen.fillText(row.busy, width - 4, y + 12);
      for (const block of row.blocks) this.block(pen, block, y, bar);
    });
    pen.globalAlpha = 1; pen.textAlign = "right"; pen.fillStyle = "#1c2126";
    pen.fillText("path", this.left - 6, rows * this.height + 12);
    for (const part of this.data.path) this.box(pen, part, rows * this.height, bar, segmentColors[part.kind]);
  }
  box(pen, part, y, height, color) {
    const from = Math.max(this.x(part.start), this.left), to = Math.min(this.x(part.end), this.left + this.width);
    if (to < this.left || from > this.left + this.width) return;
    pen.fillStyle = color;
    pen.fillRect(from, y, Math.max(to - from, 0.5), height);
  }
  block(pen, block, y, bar) {
    if (block.end < this.window[0] || block.start > this.window[1]) return;
    const kernel = block.kernel < 0 ? null : this.data.kernels[block.kernel];
    pen.globalAlpha = this.marked && (!kernel || kernel[0] !== this.marked) ? 0.15 : 1;
    this.box(pen, block, y, bar, kernel ? kernel[2] : "#7a828a");
    if (block.path) this.box(pen, block, y + bar - 3, 3, "#1c2126");
  }
  axis(pen, height) {
    const span = this.window[1] - this.window[0], rough = span / Math.max(2, this.width / 110);
    const power = 10 ** Math.floor(Math.log10(rough)), step = [1, 2, 5, 10].map(n => n * power).find(n => n >= rough);
    const [scale, unit] = unitOf(this.window[1]), decimals = Math.max(0, Math.ceil(-Math.log10(step / scale) - 1e-9));
    pen.textAlign = "center"; pen.strokeStyle = "#e6e8ea"; pen.fillStyle = "#5b6570";
    for (let tick = Math.ceil(this.window[0] / step) * step; tick <= this.window[1]; tick += step) {
      const x = this.x(tick);
      pen.beginPath(); pen.moveTo(x, 0); pen.lineTo(x, height - 18); pen.stroke();
      pen.fillText(`${tick === 0 ? 0 : (tick / scale).toFixed(decimals)} ${unit}`, Math.min(Math.max(x, this.left + 20), this.left + this.width - 24), height - 4);
    }
  }
}

function zoomPicture(figure) {
  const picture = figure.querySelector("svg"), box = picture.viewBox.baseVal, whole = [box.x, box.y, box.width, box.height];
  const show = view => picture.setAttribute("viewBox", view.join(" "));
  const zoom = (by, x = 0.5, y = 0.5) => {
    const b = picture.viewBox.baseVal, width = Math.min(b.width * by, whole[2]), height = Math.min(b.height * by, whole[3]);
    const fit = (from, size, least, all) => Math.min(Math.max(from, least), least + all - size);
    show([fit(b.x + (b.width - width) * x, width, whole[0], whole[2]), fit(b.y + (b.height - height) * y, height, whole[1], whole[3]), width, height]);
  };
  const tools = make("div", "", {class: "tools"});
  for (const [text, act] of [["closer", () => zoom(0.5)], ["farther", () => zoom(2)], ["all", () => show(whole)]]) {
    const button = make("button", text, {type: "button"});
    button.addEventListener("click", act);
    tools.append(button);
  }
  picture.before(tools);
  let held = null;
  picture.addEventListener("pointerdown", event => { const b = picture.viewBox.baseVal; held = [event.clientX, event.clientY, b.x, b.y]; });
  addEventListener("pointerup", () => { held = null; });
  picture.addEventListener("pointermove", event => {
    if (!held || picture.viewBox.baseVal.width >= whole[2]) return;
    const b = picture.viewBox.baseVal, scale = b.width / picture.clientWidth;
    show([held[2] + (held[0] - event.clientX) * scale, held[3] + (held[1] - event.clientY) * scale, b.width, b.height]);
  });
  picture.addEventListener("dblclick", event => zoom(0.5, event.offsetX / picture.clientWidth, event.offsetY / picture.clientHeight));
}

function sortable(table) {
  const heads = [...table.querySelectorAll("thead th")], body = table.tBodies[0];
  if (!body || body.rows.length < 3) return;
  heads.forEach((head, at) => {
    head.tabIndex = 0;
    const key = row => {
      const text = row.cells[at].textContent;
      return head.classList.contains("n") ? parseFloat(text.replaceAll(",", "")) : text;
    };
    const sort = () => {
      const falls = head.getAttribute("aria-sort") !== "descending" && head.classList.contains("n");
      const rises = head.getAttribute("aria-sort") !== "ascending" && !falls;
      heads.forEach(other => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", rises ? "ascending" : "descending");
      const sign = rises ? 1 : -1;
      const order = (a, b) => a === b ? 0 : Number.isNaN(a) ? 1 : Number.isNaN(b) ? -1 : sign * (a < b ? -1 : 1);
      body.append(...[...body.rows].sort((a, b) => order(key(a), key(b))));
    };
    head.addEventListener("click", sort);
    head.addEventListener("keydown", event => { if (event.key === "Enter") sort(); });
  });
}

let timeline = null;
function enhance(root) {
  for (const figure of root.querySelectorAll("figure.zoom")) {
    if (figure.dataset.timeline) { timeline = new Timeline(figure); } else if (figure.querySelectorAll("svg").length === 1) { zoomPicture(figure); }
  }
  for (const table of root.querySelectorAll("table:not(.source)")) sortable(table);
  for (const link of root.querySelectorAll("a[data-from]")) link.addEventListener("click", () => {
    const from = Number(link.dataset.from), to = Number(link.dataset.to), rim = (to - from) / 4;
    timeline?.show(from - rim, to + rim);
  });
  for (const row of root.querySelectorAll("tr[id^=kernel-]")) row.addEventListener("click", () => {
    if (timeline) { timeline.marked = timeline.marked === row.id.slice(7) ? null : row.id.slice(7); timeline.draw(); }
  });
}
enhance(document);

async function follow(address) {
  let version = null, wait = 1000;
  for (;;) {
    await new Promise(done => setTimeout(done, wait));
    if (document.hidden) continue;
    const said = document.getElementById("live");
    try {
      const answer = await fetch(address);
      if (!answer.ok) throw new Error(answer.status);
      const state = await answer.json();
      wait = state.busy ? 1000 : 3000;
      if (said) said.textContent = state.says;
      if (version !== null && version !== state.version) {
        const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
        const fresh = page.querySelector("main");
        if (fresh) { document.querySelector("main").replaceWith(fresh); enhance(fresh); }
      }
      version = state.version;
    } catch {
      wait = Math.min(wait * 2, 15000);
      if (said) said.textContent = "rpl does not answer any more";
    }
  }
}
if (document.body.dataset.live) follow(document.body.dataset.live);
})();
)js");

}  // namespace

OwnText page_script() { return kScript; }

}  // namespace rpl
