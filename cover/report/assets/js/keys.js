// Keys. An entry is what folds: a set of holes, an item, a file, a failure.
const help = $("#help");
$("#keys").addEventListener("click", () => help.showModal());

const shown = (e) => !e.closest("[hidden]") && e.checkVisibility();

// step focuses the next entry, or with -1 the previous one, from where the
// focus is or else from what is on the screen.
function step(direction) {
  const entries = $$("main .entry > summary");
  const here = document.activeElement?.closest("main .entry")?.querySelector("summary");
  let k = here ? entries.indexOf(here) : entries.findIndex((e) => e.getBoundingClientRect().top > 50) - (direction > 0 ? 1 : 0);
  for (k += direction; k >= 0 && k < entries.length; k += direction) {
    if (shown(entries[k])) return focusEntry(entries[k]);
  }
}

function focusEntry(summary) {
  summary.focus({ preventScroll: true });
  summary.scrollIntoView({ block: "nearest" });
  $$(".tree [aria-current]").forEach((e) => e.removeAttribute("aria-current"));
  const line = $(`.tree a[href="#${CSS.escape(summary.parentElement.id)}"]`);
  line?.setAttribute("aria-current", "true");
  line?.scrollIntoView({ block: "nearest" });
}

// stepSection goes to the next section, or with -1 to the previous one.
function stepSection(direction) {
  const sections = $$("main > section").filter(shown);
  const near = (s) => s.getBoundingClientRect().top;
  const next = direction > 0 ? sections.find((s) => near(s) > 60) : sections.findLast((s) => near(s) < 40);
  next?.scrollIntoView();
  document.activeElement?.blur();
}

// commandHere is the command of the cell, row or entry that is in use.
function commandHere() {
  const place = document.activeElement?.closest(".map, .failure") ?? $("tr:target");
  return $(".detail .cmd code, .cmd code", place ?? document.createElement("p"))?.textContent;
}

const actions = {
  "/": () => (field.focus(), field.select()),
  j: () => step(1),
  k: () => step(-1),
  n: () => stepSection(1),
  p: () => stepSection(-1),
  u: toggleOnly,
  t: nextTheme,
  "?": () => help.showModal(),
  c: () => {
    const command = commandHere();
    if (command) copyText(command);
  },
};

// fromEntry handles the arrows where an entry has the focus.
function fromEntry(event) {
  const summary = event.target.closest?.(".entry > summary");
  if (!summary) return false;
  switch (event.key) {
    case "ArrowDown": step(1); return true;
    case "ArrowUp": step(-1); return true;
    case "ArrowRight": summary.parentElement.open = true; return true;
    case "ArrowLeft": summary.parentElement.open = false; return true;
  }
  return false;
}

field.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    event.preventDefault();
    if (field.value) {
      field.value = "";
      search();
    } else field.blur();
  } else if (event.key === "Enter" || event.key === "ArrowDown") {
    event.preventDefault();
    field.blur();
    search();
    const first = $$("main .entry > summary").find(shown);
    if (first) focusEntry(first);
  }
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || help.open) return;
  if (event.target.closest?.("input, select, textarea")) return;
  if (fromEntry(event)) return event.preventDefault();
  if (event.key === "Escape" && (field.value || only.getAttribute("aria-pressed") === "true")) {
    field.value = "";
    only.setAttribute("aria-pressed", "false");
    return search();
  }
  const action = actions[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});
