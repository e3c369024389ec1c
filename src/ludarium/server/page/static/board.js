// A board that can be clicked, dragged and reached by keys: sites of an SVG picture, and the moves that are made on them.

const SVG = "http://www.w3.org/2000/svg";

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

export class Board {
  constructor(root, onMove) {
    this.root = root;
    this.onMove = onMove;
    this.picture = make("div", { class: "picture" });
    this.choices = make("div", { class: "choices", role: "group", "aria-label": "which move?" });
    this.buttons = make("div", { class: "buttons", role: "group", "aria-label": "moves" });
    root.replaceChildren(this.picture, this.choices, this.buttons);
    this.picture.addEventListener("pointerdown", (event) => this.pressed(event));
    this.picture.addEventListener("pointerup", (event) => this.released(event));
    this.picture.addEventListener("keydown", (event) => this.key(event));
    this.moves = [];
    this.chosen = [];
  }

  // Show a picture and the moves that can be made on it: [{move, notation, steps: [[site, ...], ...]}].
  show({ svg, moves = [], last = [], marks = [] }) {
    if (svg !== this.svg) {
      this.picture.innerHTML = svg;
      this.svg = svg;
    }
    this.moves = moves;
    this.last = new Set(last);
    this.marks = marks;
    this.chosen = [];
    this.paint();
    this.draw(marks);
    this.list();
  }

  sites() {
    return [...this.picture.querySelectorAll("[data-site]")];
  }

  candidates(clicks = this.chosen) {
    return this.moves.filter(
      (each) => each.steps.length >= clicks.length && clicks.every((site, k) => each.steps[k].includes(site)),
    );
  }

  paint() {
    const next = new Set();
    const alone = new Set(); // sites that a move names; of a whole column none is marked
    for (const each of this.candidates()) {
      const step = each.steps[this.chosen.length] || [];
      for (const site of step) next.add(site);
      if (step.length === 1) alone.add(step[0]);
    }
    for (const site of this.sites()) {
      const name = site.dataset.site;
      const can = next.has(name);
      site.classList.toggle("can", can);
      site.classList.toggle("any", can && !alone.has(name));
      site.classList.toggle("to", can && this.chosen.length > 0);
      site.classList.toggle("chosen", this.chosen.includes(name));
      site.classList.toggle("last", this.last.has(name));
      if (can) {
        site.setAttribute("tabindex", "0");
        site.setAttribute("role", "button");
        site.setAttribute("aria-label", name);
      } else {
        site.removeAttribute("tabindex");
      }
    }
  }

  // Moves that have no place on the board are buttons.
  list() {
    const placed = this.moves.filter((each) => each.steps.length);
    const others = this.moves.filter((each) => !each.steps.length);
    this.buttons.replaceChildren(...others.map((each) => this.button(each)));
    this.choices.replaceChildren();
    this.root.classList.toggle("playable", placed.length > 0);
  }

  button(each) {
    return make("button", { class: "move", type: "button", onclick: () => this.play(each) }, each.notation);
  }

  click(name) {
    let clicks = [...this.chosen, name];
    if (!this.candidates(clicks).length) clicks = [name];
    const found = this.candidates(clicks).filter((each) => each.steps.length >= clicks.length);
    this.choices.replaceChildren();
    if (!found.length) {
      this.chosen = [];
      this.paint();
      return;
    }
    this.chosen = clicks;
    const whole = found.filter((each) => each.steps.length === clicks.length);
    if (whole.length === 1 && found.length === 1) return this.play(whole[0]);
    if (whole.length) this.choices.replaceChildren(...whole.map((each) => this.button(each)));
    this.paint();
    if (whole.length) this.choices.querySelector("button").focus();
  }

  play(each) {
    this.moves = [];
    this.paint();
    this.list();
    this.onMove(each);
  }

  cancel() {
    this.chosen = [];
    this.choices.replaceChildren();
    this.paint();
  }

  pressed(event) {
    const site = event.target.closest("[data-site]");
    if (!site) return this.cancel();
    this.from = site.dataset.site;
    if (event.target.hasPointerCapture && event.target.hasPointerCapture(event.pointerId))
      event.target.releasePointerCapture(event.pointerId);
    this.click(this.from);
  }

  released(event) {
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const site = under && under.closest("[data-site]");
    const from = this.from;
    this.from = null;
    if (site && from && site.dataset.site !== from && this.chosen.length) this.click(site.dataset.site);
  }

  key(event) {
    const site = event.target.closest && event.target.closest("[data-site]");
    if (event.key === "Escape") this.cancel();
    else if (site && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      const name = site.dataset.site;
      this.click(name);
      const next = this.picture.querySelector(".site.to");
      if (next) next.focus();
    } else if (site && event.key.startsWith("Arrow")) {
      event.preventDefault();
      this.walk(site, event.key);
    }
  }

  walk(site, key) {
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    const at = (each) => [Number(each.dataset.x), Number(each.dataset.y)];
    const [x, y] = at(site);
    let best = null;
    let least = Infinity;
    for (const each of this.picture.querySelectorAll(".site.can")) {
      const [u, v] = at(each);
      const along = (u - x) * dx + (v - y) * dy;
      const aside = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
      if (along > 1 && along + 2 * aside < least) [best, least] = [each, along + 2 * aside];
    }
    if (best) best.focus();
  }

  // Draw what somebody thinks of moves: [{steps, share, value}], discs where a move goes, arrows where it comes from.
  draw(marks) {
    this.picture.querySelectorAll(".thought").forEach((each) => each.remove());
    const image = this.picture.querySelector("svg");
    if (!image || !marks.length) return;
    const most = Math.max(...marks.map((each) => each.share || 0), 1e-9);
    const named = Object.fromEntries(this.sites().map((each) => [each.dataset.site, each]));
    const layer = document.createElementNS(SVG, "g");
    layer.setAttribute("class", "thought");
    const taken = new Set();
    for (const mark of marks) {
      const path = mark.steps.map((step) => highest(step.map((name) => named[name]).filter(Boolean))).filter(Boolean);
      if (!path.length) continue;
      const to = path[path.length - 1];
      const weight = (mark.share || 0) / most;
      if (path.length > 1) layer.append(arrow(path[0], to, weight));
      if (taken.has(to)) continue;
      taken.add(to);
      layer.append(...disc(to, weight, mark));
    }
    image.append(layer);
  }
}

// A move that is made anywhere in a column is marked at its top.
function highest(sites) {
  return sites.reduce((best, each) => (!best || Number(each.dataset.y) < Number(best.dataset.y) ? each : best), null);
}

function shape(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

function arrow(from, to, weight) {
  const [x, y, u, v] = [from.dataset.x, from.dataset.y, to.dataset.x, to.dataset.y];
  const look = { "stroke-width": 1.5 + 6 * weight, "stroke-opacity": 0.25 + 0.6 * weight, "stroke-linecap": "round" };
  return shape("line", { x1: x, y1: y, x2: u, y2: v, class: "thought-line", ...look });
}

function disc(site, weight, mark) {
  const [x, y, r] = [Number(site.dataset.x), Number(site.dataset.y), Number(site.dataset.r)];
  const radius = r * (0.45 + 0.4 * weight);
  const ring = shape("circle", { cx: x, cy: y, r: radius, class: "thought-disc", "fill-opacity": 0.35 + 0.6 * weight });
  const words = shape("text", { x, y: y + r * 0.16, class: "thought-text", "font-size": Math.max(8, r * 0.46) });
  words.textContent = mark.value != null ? Math.round(100 * mark.value) : mark.share ? `${Math.round(100 * mark.share)}%` : "";
  return [ring, words];
}

// The table of a decision: moves with visits, shares and values, and what else is known.
export function thoughtTable(thought, most = 12) {
  const head = make("tr", {}, ...["move", "visits", "share", "value"].map((name) => make("th", {}, name)));
  const rows = thought.moves.slice(0, most).map((each) => {
    const share = each.share == null ? "" : `${(100 * each.share).toFixed(1)}%`;
    const bar = make("span", { class: "bar", style: `width:${Math.round(100 * (each.share ?? each.value ?? 0))}%` });
    const value = each.value == null ? "–" : each.value.toFixed(3);
    const cells = [each.notation, each.visits ? each.visits.toLocaleString("en") : "", make("div", { class: "share" }, bar, make("span", {}, share)), value];
    return make("tr", each.move === thought.move ? { class: "best" } : {}, ...cells.map((cell) => make("td", {}, cell)));
  });
  const more = thought.moves.length > most ? make("div", { class: "faint" }, `… ${thought.moves.length - most} more`) : null;
  return make("div", { class: "thought-table" }, make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows)), more, facts(thought));
}

function facts(thought) {
  const list = make("dl", { class: "facts" });
  const add = (name, text) => text && list.append(make("dt", {}, name), make("dd", {}, text));
  const several = new Set(thought.line.map((each) => each.role)).size > 1;
  add("expects", thought.line.map((each) => (several ? `${each.role} ${each.notation}` : each.notation)).join(", "));
  add("depth", thought.depth ? `${thought.depth} plies` : "");
  add("proven", thought.proven == null ? "" : `worth ${thought.proven} to ${thought.role}`);
  const rate = thought.rate ? `, ${thought.rate.toLocaleString("en")} a second` : "";
  add("work", `${thought.iterations.toLocaleString("en")} iterations${rate}`);
  add("votes", thought.votes.map((each) => `${each.agent}: ${each.notation}`).join(", "));
  add("seat", thought.seat);
  add("note", thought.note);
  return list;
}

// Wait until the page has an element.
export function whenThere(id) {
  return new Promise((resolve) => {
    const look = () => {
      const found = document.getElementById(id);
      if (found) resolve(found);
      else requestAnimationFrame(look);
    };
    look();
  });
}

export async function ask(method, path, body) {
  const answer = await fetch(`/api/v1${path}`, {
    method,
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  let data = text;
  try {
    data = JSON.parse(text);
  } catch {
    // a text it is
  }
  if (!answer.ok) {
    const told = data && data.detail;
    throw new Error(typeof told === "string" ? told : Array.isArray(told) ? told[0].msg : text || answer.statusText);
  }
  return data;
}

export function socket(path) {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return new WebSocket(`${scheme}://${location.host}/api/v1${path}`);
}
