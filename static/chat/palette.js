// The list of commands: opens on `!` at the start of the box or by its button; arrows choose, Enter and Tab take.

import { put, text } from "./composer.js";
import { page } from "./parts.js";

const list = document.getElementById("palette");
const box = document.getElementById("message");
let found = [];
let at = 0;

/** Commands whose name begins with what was typed; all of them for a lone `!`. */
export const matching = (commands, typed) => commands.filter((one) => one.name.startsWith(typed));

function option(command, index) {
  const item = Object.assign(document.createElement("li"), { id: `command-${index}`, role: "option" });
  const usage = Object.assign(document.createElement("span"), { className: "mono", textContent: command.usage });
  const help = Object.assign(document.createElement("small"), { textContent: command.help });
  item.setAttribute("aria-selected", String(index === at));
  item.append(usage, help);
  item.addEventListener("mousedown", (event) => {
    event.preventDefault();
    at = index;
    take();
  });
  return item;
}

function show() {
  list.replaceChildren(...found.map(option));
  list.hidden = !found.length;
  if (list.hidden) box.removeAttribute("aria-activedescendant");
  else box.setAttribute("aria-activedescendant", `command-${at}`);
  list.children[at]?.scrollIntoView({ block: "nearest" });
}

/** Whether it was open. */
export function close() {
  const open = !list.hidden;
  found = [];
  show();
  return open;
}

function follow() {
  const typed = box.value;
  found = /^!\S*$/.test(typed) ? matching(page.commands, typed) : [];
  at = 0;
  show();
}

function take() {
  const command = found[at];
  close();
  put(command.usage.includes(" ") ? `${command.name} ` : command.name);
}

function onKey(event) {
  if (list.hidden) return;
  const complete = found.length === 1 && found[0].name === box.value;
  if (event.key === "ArrowDown") at = (at + 1) % found.length;
  else if (event.key === "ArrowUp") at = (at + found.length - 1) % found.length;
  else if (event.key === "Escape") return stop(event, close);
  else if (event.key === "Tab" && !event.shiftKey) return stop(event, take);
  else if (event.key === "Enter" && !event.shiftKey) return complete ? close() : stop(event, take);
  else return;
  stop(event, show);
}

function stop(event, act) {
  event.preventDefault();
  event.stopPropagation();
  act();
}

export function start() {
  box.addEventListener("input", follow);
  box.addEventListener("keydown", onKey);
  box.addEventListener("blur", close);
  document.querySelector("[data-palette]").addEventListener("click", () => {
    if (!text().startsWith("!")) put(`!${text()}`);
    else box.focus();
    follow();
  });
}
