// Any position, and agents side by side whose thoughts grow while they think.

import { Board, ask, make, socket, thoughtTable, whenThere } from "/static/board.js";

const root = await whenThere("think");
const given = new URLSearchParams(location.search);
const names = JSON.parse(root.dataset.games);
const agentNames = JSON.parse(root.dataset.agents);

const game = make("input", { list: "games", value: given.get("game") || "connect-four", "aria-label": "game", class: "wide" });
const moves = make("textarea", { rows: 2, "aria-label": "moves", placeholder: "moves so far, such as: d d c" }, given.get("moves") || "");
const seed = make("input", { type: "number", min: 0, value: given.get("seed") || "0", "aria-label": "seed of the chance", class: "short" });
const seconds = make("input", { type: "number", min: 0.1, max: 120, step: 0.1, value: given.get("seconds") || "3", "aria-label": "seconds", class: "short" });
const notice = make("div", { class: "notice", role: "alert", hidden: true });
const agents = make("div", { class: "agents" });
const boardPlace = make("div", { class: "board" });
const status = make("div", { class: "status", role: "status" });
const columns = make("div", { class: "minds" });
const add = (name) => agents.append(make("span", { class: "agent" }, make("input", { list: "agent-names", value: name, "aria-label": "agent", onchange: address }), make("button", { type: "button", "aria-label": "remove this agent", onclick: (event) => event.target.parentNode.remove() }, "×")));
(given.getAll("agent").length ? given.getAll("agent") : ["uct", "alphabeta"]).forEach(add);
const list = (id, values) => make("datalist", { id }, ...values.map((value) => make("option", { value })));
const form = make(
  "form",
  { class: "setup", onsubmit: (event) => (event.preventDefault(), think()) },
  make("label", {}, "Game ", game),
  make("label", {}, "Moves ", moves),
  make("div", { class: "row" }, make("label", {}, "Seconds ", seconds), make("label", {}, "Seed ", seed)),
  make("div", {}, "Agents ", agents, make("button", { type: "button", onclick: () => add("flat") }, "+ agent")),
  make("div", { class: "row" }, make("button", { type: "submit", class: "main" }, "Think"), make("button", { type: "button", onclick: () => stop() }, "Stop"), make("button", { type: "button", onclick: back }, "Take back")),
);
root.replaceChildren(
  make("section", { class: "left" }, status, notice, boardPlace),
  make("section", { class: "right" }, form, list("games", names), list("agent-names", agentNames)),
  columns,
);
const board = new Board(boardPlace, (each) => {
  const joined = moves.value.trim();
  moves.value = joined ? `${joined}; ${each.notation}` : each.notation;
  show();
});
let at = null;
let lines = [];
let shown = null;

game.addEventListener("change", () => ((moves.value = ""), show()));
moves.addEventListener("change", show);
await show();
if (given.get("go")) think();

function say(text) {
  notice.textContent = text;
  notice.hidden = !text;
}

function address() {
  const query = new URLSearchParams({ game: game.value, moves: moves.value, seconds: seconds.value, seed: seed.value });
  for (const each of agents.querySelectorAll("input")) query.append("agent", each.value);
  window.history.replaceState(null, "", `/think?${query}`);
}

async function show() {
  stop();
  columns.replaceChildren();
  address();
  try {
    say("");
    status.textContent = "Loading …";
    at = await ask("POST", "/position", { game: game.value, moves: moves.value, seed: Number(seed.value) });
    status.textContent = at.over ? `Over: ${at.result}.` : `Ply ${at.ply + 1}: ${at.movers.join(" and ")} to move.`;
    board.show({ svg: at.svg, moves: at.moves, last: at.last });
  } catch (problem) {
    status.textContent = "";
    say(problem.message);
  }
}

async function back() {
  moves.value = moves.value.split(/;|\n/).slice(0, -1).join(";");
  await show();
}

function stop() {
  for (const line of lines) line.close();
  lines = [];
}

function think() {
  stop();
  address();
  say("");
  const asked = [...agents.querySelectorAll("input")].map((each) => each.value.trim()).filter(Boolean);
  columns.replaceChildren();
  shown = null;
  asked.forEach((name, place) => {
    const head = make("h3", {}, make("button", { type: "button", class: "link", title: "draw this on the board", onclick: () => ((shown = place), latest && mark(latest)) }, name));
    const body = make("div", {}, "thinking …");
    columns.append(make("article", { class: "mind" }, head, body));
    let latest = null;
    const line = socket("/think");
    lines.push(line);
    line.onopen = () => line.send(JSON.stringify({ game: game.value, moves: moves.value, seed: Number(seed.value), agent: name, seconds: Number(seconds.value) }));
    line.onmessage = (event) => {
      latest = JSON.parse(event.data);
      if (latest.detail) body.replaceChildren(make("p", { class: "notice" }, latest.detail));
      else {
        body.replaceChildren(make("p", { class: "faint" }, latest.done ? "done" : "thinking …"), thoughtTable(latest, 10));
        if ((shown ?? 0) === place) mark(latest);
      }
      if (latest.detail || latest.done) line.close();
    };
  });
}

function mark(thought) {
  if (!at || !thought.moves) return;
  const steps = Object.fromEntries(at.moves.map((each) => [each.move, each.steps]));
  const marks = thought.moves.slice(0, 10).map((each) => ({ ...each, steps: steps[each.move] ?? [] }));
  board.show({ svg: at.svg, moves: at.moves, last: at.last, marks });
}
