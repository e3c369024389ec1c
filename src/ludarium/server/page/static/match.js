// The page of a match: the board, who plays, what was played, and what agents thought; all by the interface for programs.

import { Board, ask, make, socket, thoughtTable, whenThere } from "/static/board.js";

const root = await whenThere("match");
const ident = root.dataset.match;
const keys = new URLSearchParams(location.search).getAll("key");
const query = keys.map((key) => `key=${encodeURIComponent(key)}`).join("&");

const status = make("div", { class: "status", role: "status", "aria-live": "polite" });
const notice = make("div", { class: "notice", role: "alert", hidden: true });
const boardPlace = make("div", { class: "board" });
const seats = make("div", { class: "seats" });
const controls = make("div", { class: "controls" });
const history = make("ol", { class: "history" });
const thoughts = make("div", { class: "thoughts" });
const typed = make("input", { class: "typed", placeholder: "or type a move", "aria-label": "type a move", list: "legal", autocomplete: "off" });
const legal = make("datalist", { id: "legal" });
const typing = make("form", { class: "typing", onsubmit: submitTyped }, typed, legal, make("button", { type: "submit", class: "move" }, "Move"));
const cover = make("button", { class: "cover", type: "button", hidden: true, onclick: uncover });
const left = make("section", { class: "left" }, status, notice, make("div", { class: "under" }, boardPlace, cover), typing);
const right = make("section", { class: "right" }, seats, controls, make("h3", {}, "Moves"), history, thoughts);
root.replaceChildren(left, right);

const board = new Board(boardPlace, (each) => send(each.move));
let data = null;
let shownTo = null;
let opened = null;
let retry = 500;
let marks = [];
let back = null; // the ply that is looked back at

connect();

function connect() {
  const line = socket(`/matches/${ident}/watch?${query}`);
  line.onmessage = (event) => {
    const told = JSON.parse(event.data);
    if (told.detail) return say(told.detail);
    retry = 500;
    if (data && told.ply !== data.ply) marks = [];
    data = told;
    render();
  };
  line.onclose = (event) => {
    if (event.code === 4404 || (data && data.closed)) return;
    status.textContent = "The connection is lost; trying again …";
    setTimeout(connect, retry);
    retry = Math.min(retry * 2, 8000);
  };
}

function say(text) {
  notice.textContent = text;
  notice.hidden = !text;
}

function mine() {
  return Object.entries(data.moves).flatMap(([role, moves]) => moves.map((each) => ({ ...each, role })));
}

function keyOf(role) {
  const yours = data.seats.filter((seat) => seat.yours).map((seat) => seat.role);
  return keys[yours.indexOf(role)] ?? keys[0];
}

function render() {
  const several = data.seats.filter((seat) => seat.yours).length > 1;
  const secret = data.hidden && !data.over && several && data.eyes !== shownTo;
  if (!several || !data.hidden || data.over) shownTo = data.eyes;
  cover.hidden = !secret;
  cover.textContent = secret ? `It is ${data.eyes}'s turn. Hand over, then press here to look.` : "";
  boardPlace.classList.toggle("covered", secret);
  const moves = secret ? [] : mine();
  if (!secret && back === null) board.show({ svg: data.svg, moves, last: data.last, marks });
  legal.replaceChildren(...moves.slice(0, 400).map((each) => make("option", { value: each.notation })));
  typing.hidden = !moves.length;
  if (back === null) status.textContent = sentence();
  status.classList.toggle("yours", moves.length > 0);
  if (data.message) say(data.message);
  renderSeats();
  renderControls();
  if (secret) {
    history.replaceChildren();
    thoughts.replaceChildren();
  } else {
    renderHistory();
  }
}

function sentence() {
  if (data.over) return `The match is over: ${data.result}.`;
  if (data.closed) return "The match was ended.";
  const yours = data.to_choose.filter((role) => data.seats.some((seat) => seat.role === role && seat.yours));
  if (yours.length) return data.seats.filter((seat) => seat.yours).length > 1 ? `${yours.join(" and ")} to move.` : `Your move, ${yours[0]}.`;
  if (data.paused && data.thinking.length === 0) return `Paused at ply ${data.ply + 1}: ${data.to_choose.join(" and ")} to move.`;
  if (data.thinking.length) return `${data.thinking.join(" and ")} thinking …`;
  return `Waiting for ${data.to_choose.join(" and ")}.`;
}

function renderSeats() {
  seats.replaceChildren(
    ...data.seats.map((seat, role) => {
      const turn = data.movers.includes(seat.role);
      const worth = data.utilities ? make("span", { class: "worth" }, data.utilities[role].toFixed(2).replace(/\.?0+$/, "")) : null;
      const who = seat.yours ? `${seat.who} (you)` : seat.who;
      return make("div", { class: `seat${turn ? " turn" : ""}` }, make("b", {}, seat.role), make("span", {}, who), worth);
    }),
  );
}

function renderControls() {
  const people = data.seats.some((seat) => seat.human);
  const steer = !people || keys.length > 0;
  const agents = data.seats.some((seat) => !seat.human);
  const button = (name, action, more = {}) => make("button", { type: "button", onclick: () => act(action), ...more }, name);
  const list = [];
  if (keys.length) {
    list.push(button("Undo", () => ask("POST", `/matches/${ident}/undo`, { key: keyOf(data.eyes) }), { disabled: !data.ply }));
    list.push(button("Hint", showHint, { disabled: !Object.keys(data.moves).length }));
  }
  if (agents && steer && !data.over) {
    const key = keys[0] ?? "";
    if (data.paused) list.push(button("Go on", () => ask("POST", `/matches/${ident}/pace`, { key, paused: false })));
    else list.push(button("Pause", () => ask("POST", `/matches/${ident}/pace`, { key, paused: true })));
    list.push(button("Step", () => ask("POST", `/matches/${ident}/step`, { key })));
    list.push(speed(key));
  }
  if (data.seen && data.ply) {
    list.push(button("‹", () => lookBack((back ?? data.ply) - 1), { "aria-label": "one ply back", title: "look one ply back" }));
    list.push(button("›", () => lookBack((back ?? data.ply) + 1), { "aria-label": "one ply on", disabled: back === null }));
  }
  if (data.hidden && !data.over && (keys.length || !people)) list.push(button("Belief", showBelief));
  if (!data.hidden || data.over) list.push(make("a", { class: "button", href: thinkAddress(), target: "_self" }, "Think"));
  list.push(saving());
  list.push(button("Share", share));
  controls.replaceChildren(...list);
}

async function lookBack(ply) {
  back = Math.max(0, ply);
  if (back >= data.ply) {
    back = null;
    return render();
  }
  const told = await ask("GET", `/matches/${ident}/positions/${back}`);
  board.show({ svg: told.svg, last: told.last });
  renderControls();
  status.textContent = `Looking back: after ${back} of ${data.ply} plies.`;
}

function speed(key) {
  const paces = [["full speed", 0], ["0.3 s a move", 0.3], ["1 s a move", 1], ["3 s a move", 3]];
  const change = (event) => act(() => ask("POST", `/matches/${ident}/pace`, { key, pause_seconds: Number(event.target.value) }));
  const options = paces.map(([name, value]) => make("option", { value, selected: value === data.pause_seconds }, name));
  return make("select", { "aria-label": "speed", onchange: change }, ...options);
}

function saving() {
  const change = (event) => {
    if (event.target.value) location.assign(`/api/v1/matches/${ident}/record?form=${event.target.value}`);
    event.target.value = "";
  };
  const forms = [["Save as …", ""], ["our record (JSON)", "json"], ["text", "text"], ["GGP server (JSON)", "ggp"]];
  if (data.own_form) forms.push([data.own_form, "trial"]);
  return make("select", { "aria-label": "save", onchange: change }, ...forms.map(([name, value]) => make("option", { value }, name)));
}

function thinkAddress() {
  const moves = data.history.map((ply) => ply.moves.map((each) => each.notation).join(" + ")).join("; ");
  const seed = data.seed == null ? "" : `&seed=${data.seed}`;
  return `/think?game=${encodeURIComponent(data.game)}&moves=${encodeURIComponent(moves)}${seed}`;
}

function renderHistory() {
  const bottom = history.scrollTop + history.clientHeight >= history.scrollHeight - 30;
  history.replaceChildren(
    ...data.history.map((ply) => {
      const text = ply.moves.map((each) => `${each.role} ${each.notation}`).join(" + ");
      const values = Object.values(ply.values).map((value) => value.toFixed(2)).join(", ");
      const inside = [text, values ? make("span", { class: "faint" }, ` ${values}`) : ""];
      if (!ply.thoughts) return make("li", {}, ...inside);
      const attributes = { type: "button", class: `ply${opened === ply.ply ? " open" : ""}`, title: "what was thought", onclick: () => open(ply.ply) };
      return make("li", {}, make("button", attributes, ...inside));
    }),
  );
  if (bottom) history.scrollTop = history.scrollHeight;
}

async function open(ply) {
  opened = opened === ply ? null : ply;
  renderHistory();
  if (opened === null) return thoughts.replaceChildren();
  await act(async () => {
    const told = await ask("GET", `/matches/${ident}/plies/${ply}`);
    const parts = told.flatMap((each) => [make("h3", {}, `Ply ${ply + 1}: ${each.role} chose ${each.notation}`), thoughtTable(each)]);
    thoughts.replaceChildren(...parts);
    thoughts.scrollIntoView({ block: "nearest" });
  });
}

async function showHint() {
  const [role] = Object.keys(data.moves);
  const told = await ask("POST", `/matches/${ident}/hint`, { key: keyOf(role) });
  const steps = Object.fromEntries(data.moves[role].map((each) => [each.move, each.steps]));
  marks = told.moves.slice(0, 6).map((each) => ({ ...each, steps: steps[each.move] ?? [] }));
  board.show({ svg: data.svg, moves: mine(), last: data.last, marks });
  thoughts.replaceChildren(make("h3", {}, `Hint: uct would play ${told.notation}`), thoughtTable(told));
}

async function showBelief() {
  const told = await ask("GET", `/matches/${ident}/belief?${query}`);
  const how = told.exact ? "all states there can be" : "states drawn at random";
  const parts = [make("h3", {}, `What ${told.role} may believe`), make("p", { class: "faint" }, `from ${told.states.toLocaleString("en")} ${how}`)];
  const maps = Object.entries(told.maps);
  if (maps.length) parts.push(...maps.slice(0, 6).map(([content, map]) => heatMap(content, map)));
  else parts.push(likelihoods(told.places));
  thoughts.replaceChildren(...parts);
  thoughts.scrollIntoView({ block: "nearest" });
}

function heatMap(content, map) {
  const table = make("table", { class: "heat" });
  const values = Object.fromEntries(map.cells.map(([x, y, value]) => [`${x},${y}`, value]));
  const most = Math.max(...map.cells.map(([, , value]) => value), 1e-9);
  map.rows.forEach((row, y) => {
    const cells = map.columns.map((column, x) => {
      const value = values[`${x},${y}`];
      const style = value == null ? "" : `--heat:${((0.85 * value) / most).toFixed(3)}`;
      return make("td", { style, title: `${column}${row}: ${value == null ? "known" : `${(100 * value).toFixed(1)}%`}` }, value == null ? "" : String(Math.round(100 * value)));
    });
    table.append(make("tr", {}, make("th", {}, row), ...cells));
  });
  table.append(make("tr", {}, make("th", {}), ...map.columns.map((column) => make("th", {}, column))));
  return make("figure", { class: "belief" }, make("figcaption", {}, `${content}, in per cent`), table);
}

function likelihoods(places) {
  const rows = Object.entries(places).slice(0, 60).map(([place, shares]) => {
    const text = Object.entries(shares).slice(0, 6).map(([content, share]) => `${content} ${(100 * share).toFixed(1)}%`).join(", ");
    return make("tr", {}, make("th", {}, place), make("td", {}, text));
  });
  return make("table", { class: "belief-table" }, ...rows);
}

async function share() {
  const address = `${location.origin}${location.pathname}`;
  const others = data.seats.filter((seat) => seat.human && !seat.yours).length;
  const lines = [make("p", {}, "To watch: "), make("code", {}, address)];
  if (keys.length) lines.push(make("p", {}, "To play in your seat, on another device (keep it to yourself): "), make("code", {}, location.href));
  if (others) lines.push(make("p", { class: "faint" }, "The other people have addresses of their own."));
  thoughts.replaceChildren(make("h3", {}, "Addresses"), ...lines);
  try {
    await navigator.clipboard.writeText(address);
    thoughts.append(make("p", { class: "faint" }, "The address to watch is in the clipboard."));
  } catch {
    // a browser may keep its clipboard to itself
  }
}

function send(text) {
  const found = mine().find((each) => each.move === text || each.notation === text);
  const role = found ? found.role : Object.keys(data.moves)[0];
  return act(() => ask("POST", `/matches/${ident}/moves`, { key: keyOf(role), move: found ? found.move : text, ply: data.ply }));
}

function submitTyped(event) {
  event.preventDefault();
  const text = typed.value.trim();
  typed.value = "";
  if (text) send(text);
}

function uncover() {
  shownTo = data.eyes;
  render();
}

async function act(action) {
  try {
    say("");
    await action();
  } catch (problem) {
    say(problem.message);
    if (data) render();
  }
}
