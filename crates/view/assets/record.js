"use strict";
// The page of a recording. Texts of the app are only ever put in as text.

const el = (id) => document.getElementById(id);
const screen = el("screen");
// A pointer that moves less than this many CSS pixels has not moved; one that stays this many ms means a long tap.
const SLOP = 10;
const LONG = 500;

let state = { version: 0, picture: 0, screen: [1, 1], steps: [], widgets: [], busy: true, ended: null };
let pressed = null;

function say(text, bad) {
  el("message").textContent = text;
  el("message").classList.toggle("bad", Boolean(bad));
}

async function send(input) {
  if (state.ended || (state.busy && input.do !== "done")) return;
  state.busy = true;
  lock();
  try {
    const answer = await fetch("input", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ picture: state.picture, input }),
    });
    if (!answer.ok) {
      const said = await answer.json();
      state.busy = false;
      lock();
      say(said.why, true);
    }
  } catch {
    lost();
  }
}

function lost() {
  state.ended = state.ended || { crashed: false, words: "", next: [] };
  lock();
  if (!state.ended.words) say("retap does not answer any more. What was recorded is on disk; look at its terminal.", true);
}

// What a touch at a pixel of the screen is, as the choice says.
function touch(at, held) {
  const kind = held >= LONG ? "long_tap" : document.querySelector("input[name=touch]:checked").value;
  return kind === "long_tap" ? { do: kind, at, hold: Math.min(Math.max(held, 1000), 10000) } : { do: kind, at };
}

function place(event) {
  const box = screen.getBoundingClientRect();
  const along = (value, start, length, pixels) =>
    Math.min(pixels - 1, Math.max(0, Math.floor(((value - start) / length) * pixels)));
  const border = screen.clientLeft;
  return [
    along(event.clientX, box.left + border, screen.clientWidth, state.screen[0]),
    along(event.clientY, box.top + border, screen.clientHeight, state.screen[1]),
  ];
}

screen.addEventListener("pointerdown", (event) => {
  if (event.button !== 0 || state.busy || state.ended) return;
  event.preventDefault();
  screen.setPointerCapture(event.pointerId);
  pressed = { at: place(event), x: event.clientX, y: event.clientY, since: event.timeStamp };
});

screen.addEventListener("pointerup", (event) => {
  if (!pressed) return;
  const { at, x, y, since } = pressed;
  pressed = null;
  const held = Math.round(event.timeStamp - since);
  if (Math.hypot(event.clientX - x, event.clientY - y) < SLOP) {
    send(touch(at, held));
  } else {
    send({ do: "swipe", at, to: place(event), over: Math.min(Math.max(held, 50), 10000) });
  }
});

screen.addEventListener("pointercancel", () => { pressed = null; });
screen.addEventListener("contextmenu", (event) => event.preventDefault());

el("typing").addEventListener("submit", (event) => {
  event.preventDefault();
  send({ do: "text", text: el("text").value });
});

for (const button of document.querySelectorAll("[data-key]")) {
  button.addEventListener("click", () => send({ do: "key", key: button.dataset.key }));
}

for (const button of document.querySelectorAll("[data-swipe]")) {
  button.addEventListener("click", () => {
    const [width, height] = state.screen;
    const part = (x, y) => [Math.floor(width * x), Math.floor(height * y)];
    const ways = {
      up: [part(0.5, 0.75), part(0.5, 0.25)],
      down: [part(0.5, 0.25), part(0.5, 0.75)],
      left: [part(0.8, 0.5), part(0.2, 0.5)],
      right: [part(0.2, 0.5), part(0.8, 0.5)],
    };
    const [at, to] = ways[button.dataset.swipe];
    send({ do: "swipe", at, to, over: 300 });
  });
}

el("rotate").addEventListener("click", () => send({ do: "rotate", landscape: !state.landscape }));
el("wait").addEventListener("click", () => send({ do: "wait", time: 1000 }));
el("done").addEventListener("click", () => send({ do: "done" }));

// Nothing can be done while the device is at work, or when the recording is over.
function lock() {
  const closed = state.busy || Boolean(state.ended);
  screen.classList.toggle("busy", closed);
  // Buttons stay reachable while the device is at work, so that nobody loses the focus; only the end disables them.
  for (const control of document.querySelectorAll("button, input")) control.disabled = Boolean(state.ended);
  document.body.setAttribute("aria-busy", String(state.busy && !state.ended));
}

function list(parent, items, make) {
  parent.replaceChildren(...items.map(make));
}

function draw(before) {
  el("device").textContent = state.device;
  if (state.picture !== before.picture) {
    screen.src = `screen/${state.picture}`;
    list(el("widgets"), state.widgets, (widget) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = widget.name;
      button.addEventListener("click", () => send(touch(widget.at, 0)));
      const item = document.createElement("li");
      item.append(button);
      return item;
    });
  }
  el("text-label").textContent = state.field ? `Text for ${state.field}` : "Text (tap a field first)";
  if (state.steps.join("\n") !== before.steps.join("\n")) {
    list(el("steps"), state.steps, (words) => {
      const item = document.createElement("li");
      item.textContent = words;
      return item;
    });
    el("count").textContent = String(state.steps.length);
    // Only the list moves, never the page under somebody's hand.
    el("steps").scrollTop = el("steps").scrollHeight;
    if (state.steps.length > before.steps.length) el("text").value = "";
  }
  if (state.ended) end();
  else if (state.refusal) say(state.refusal, true);
  else if (state.busy) say("The device is at work ...");
  else say(`In ${state.activity}. What you do here is recorded.`);
  lock();
}

function end() {
  const { crashed, words, next } = state.ended;
  say("The recording is over. This page can be closed.");
  el("end").hidden = false;
  el("end").classList.toggle("crashed", crashed);
  el("end-words").textContent = words;
  const rows = next.flatMap(([command, why]) => {
    const term = document.createElement("dt");
    term.textContent = why;
    const code = document.createElement("code");
    code.textContent = command;
    const detail = document.createElement("dd");
    detail.append(code);
    return [term, detail];
  });
  el("end-next").replaceChildren(...rows);
  el("end").focus();
  el("end").scrollIntoView({ block: "nearest" });
}

async function watch() {
  let failures = 0;
  while (!state.ended) {
    try {
      const answer = await fetch(`state?after=${state.version}`);
      if (!answer.ok) throw new Error(String(answer.status));
      const before = state;
      state = await answer.json();
      failures = 0;
      draw(before);
    } catch {
      failures += 1;
      if (failures > 3) return lost();
      await new Promise((resume) => setTimeout(resume, 300));
    }
  }
}

watch();
