// Search: rows, failures and files are leaves; a branch without a leaf that
// matches is hidden, and so is its line in the tree.
const field = $("#search");
const found = $("#found");
const only = $("#only");
let leaves = null;
let folds = null; // what was folded before the search unfolded it

// states are the words of is:STATE and the classes that they mean.
const states = { hole: "hole", covered: "covered", never: "never", hit: "breach", info: "info" };

// index reads the leaves and the branches above them, once.
function index() {
  if (leaves) return;
  const titles = new Map(); // texts of the summaries above
  const title = (branch) => {
    if (!branch) return "";
    let text = titles.get(branch);
    if (text === undefined) {
      const above = branch.parentElement.closest("details, section");
      const own = $(":scope > summary, :scope > h2, :scope > h3", branch);
      text = title(above) + " " + (own ? $$(".name, .kind, code", own).map((e) => e.textContent).join(" ") : "");
      titles.set(branch, text.toLowerCase());
    }
    return text;
  };
  leaves = [];
  for (const e of $$(".bins > tbody > tr, .gaps > tbody > tr, .funcs > tbody > tr, .failure, .file")) {
    const branch = e.parentElement.closest("details, section");
    const own = (e.matches("tr") ? e.cells[0] : e.matches(".file") ? $("summary", e) : e).textContent;
    leaves.push({ e, branch, text: title(branch) + " " + own.toLowerCase(), bin: e.matches(".bins tr") });
  }
}

// parse takes a query apart: words, and the state that is asked for.
function parse(query) {
  const words = [];
  let state = null;
  for (const word of query.toLowerCase().split(/\s+/)) {
    if (word.startsWith("is:") && word.slice(3) in states) state = states[word.slice(3)];
    else if (word) words.push(word);
  }
  return { words, state };
}

const matches = (leaf, words, state) =>
  words.every((word) => leaf.text.includes(word)) && (!state || leaf.e.classList.contains(state));

function search() {
  const { words, state } = parse(field.value);
  const wanted = state ?? (only.getAttribute("aria-pressed") === "true" ? "hole" : null);
  if (!words.length && !wanted) return clear();
  index();
  const alive = new Set();
  let bins = 0;
  for (const leaf of leaves) {
    const match = matches(leaf, words, wanted);
    if (leaf.e.hidden === match) leaf.e.hidden = !match;
    if (!match) continue;
    if (leaf.bin) bins++;
    for (let b = leaf.branch; b && !alive.has(b); b = b.parentElement.closest("details, section")) alive.add(b);
  }
  show(alive);
  unfoldFew(words.length > 0);
  found.textContent = bins === 1 ? "1 bin" : bins.toLocaleString("en") + " bins";
}

// show hides the branches that have no leaf that matches.
function show(alive) {
  for (const b of $$("main details, main section")) {
    if (!b.matches(".failure, .file")) b.hidden = !alive.has(b);
  }
  for (const li of $$("[data-for]")) li.hidden = document.getElementById(li.dataset.for).hidden;
  for (const li of $$(".tree li:has(ul)")) li.hidden = !$("[data-for]:not([hidden])", li);
}

// unfoldFew opens the items that match, if they are few.
function unfoldFew(wordy) {
  const few = 12;
  folds ??= new Map($$("main details").map((d) => [d, d.open]));
  const items = $$(".item:not([hidden])");
  for (const d of items) d.open = wordy && items.length <= few ? true : folds.get(d);
  for (const d of $$("main :is(.cluster, .group):not([hidden])")) d.open = wordy ? true : folds.get(d);
}

function clear() {
  found.textContent = "";
  if (!folds) return;
  for (const leaf of leaves) leaf.e.hidden = false;
  for (const e of $$("main details[hidden], main section[hidden], nav [hidden]")) e.hidden = false;
  for (const [d, open] of folds) d.open = open;
  folds = null;
}

let pending = 0;
field.addEventListener("input", () => {
  cancelAnimationFrame(pending);
  pending = requestAnimationFrame(search);
});
field.addEventListener("focus", () => (window.requestIdleCallback ?? setTimeout)(index));

function toggleOnly() {
  only.setAttribute("aria-pressed", only.getAttribute("aria-pressed") !== "true");
  search();
}
only.addEventListener("click", toggleOnly);
