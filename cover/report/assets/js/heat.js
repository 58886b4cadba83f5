// Heat maps: a cell tells which bins it stands for; a cross of more than two
// axes can be seen on any two of them, split by a third.
const levels = 5;
const words = { h: "hole", c: "covered", n: "never", b: "breach", i: "info" };
const maxCells = 16384;
const maxSplit = 64;

// short is that of the Go code.
function short(n) {
  let unit = "";
  for (const u of ["k", "M", "G", "T", "P", "E"]) {
    if (n < 999.5) break;
    [n, unit] = [n / 1000, u];
  }
  return (unit && n < 9.95 ? n.toFixed(1) : n.toFixed(0)) + unit;
}

// A HeatMap is the heat map of one item.
class HeatMap {
  constructor(root) {
    this.root = root;
    this.item = root.closest(".item");
    this.cube = JSON.parse($("script", root).textContent);
    this.size = this.cube.axes.length;
    this.view = { down: 0, across: 1, split: -1 };
    this.place = $(".scroll", root);
    this.detail = make("div", { className: "detail" });
    this.detail.setAttribute("aria-live", "polite");
    root.append(this.detail);
    this.kept = null;
    this.index();
    this.mark();
    if (this.size > 2) this.choice();
    this.listen();
    this.tell(null);
  }

  at(bin, axis) {
    return this.cube.at[bin * this.size + axis];
  }

  // index sorts the bins into the cells of the view.
  index() {
    this.cells = new Map();
    const { down, across, split } = this.view;
    for (let bin = 0; bin < this.cube.rows.length; bin++) {
      const key = `${split < 0 ? 0 : this.at(bin, split)},${this.at(bin, down)},${this.at(bin, across)}`;
      if (!this.cells.has(key)) this.cells.set(key, []);
      this.cells.get(key).push(bin);
    }
  }

  // mark makes one cell reachable with the tab key.
  mark() {
    if (!this.place) return;
    this.place.removeAttribute("tabindex"); // its cell takes the focus
    const first = $("tbody td[class]", this.place);
    if (first) first.tabIndex = 0;
  }

  // choice adds the menus for the axes.
  choice() {
    const names = this.cube.axes.map((a) => a.name);
    const menu = (label, key, options) => {
      const select = make("select", {}, ...options.map(([value, text]) => make("option", { value, textContent: text })));
      select.value = this.view[key];
      select.dataset.axis = key;
      select.addEventListener("change", () => this.choose(key, Number(select.value)));
      return make("label", {}, label, select);
    };
    const axes = names.map((n, k) => [k, n]);
    this.menus = make("div", { className: "choice" },
      menu("down", "down", axes), menu("across", "across", axes),
      menu("split by", "split", [[-1, "nothing"], ...axes]),
      make("span", { className: "folded" }));
    this.root.prepend(this.menus);
    this.say();
  }

  // choose sets an axis; one that had it gets the one that is given up.
  choose(key, axis) {
    const before = this.view[key];
    for (const other of ["down", "across", "split"]) {
      if (other !== key && this.view[other] === axis && axis >= 0) this.view[other] = before;
    }
    this.view[key] = axis;
    if (this.view.down < 0 || this.view.across < 0) this.settle();
    for (const select of $$("select", this.menus)) select.value = this.view[select.dataset.axis];
    this.index();
    this.draw();
    this.say();
  }

  // settle gives an axis to a direction that has lost its own.
  settle() {
    const free = this.cube.axes.findIndex((_, k) => !Object.values(this.view).includes(k));
    for (const key of ["down", "across"]) if (this.view[key] < 0) this.view[key] = free;
  }

  // folded is the axes that the view does not show.
  folded() {
    return this.cube.axes.filter((_, k) => !Object.values(this.view).includes(k)).map((a) => a.name);
  }

  say() {
    const rest = this.folded();
    $(".folded", this.menus).textContent = rest.length
      ? `folded: ${rest.join(", ")}; covered of goals` : "hits, stronger for more";
  }

  draw() {
    const { down, across, split } = this.view;
    const [rows, columns] = [this.cube.axes[down].bins, this.cube.axes[across].bins];
    const parts = split < 0 ? [null] : this.cube.axes[split].bins;
    const box = make("div", { className: "multiples" });
    const fit = Math.max(1, Math.floor(maxCells / (rows.length * columns.length)));
    parts.slice(0, Math.min(maxSplit, fit)).forEach((name, k) => box.append(this.table(k, name, rows, columns)));
    if (rows.length * columns.length > maxCells) box.replaceChildren("Too many cells for a map: choose other axes.");
    else if (parts.length > box.children.length) box.append(`and ${parts.length - box.children.length} more`);
    if (!this.place) $(".pair", this.root).append((this.place = make("div", { className: "scroll" })));
    this.place.replaceChildren(box);
    this.kept = null;
    this.mark();
    this.tell(null);
  }

  table(part, name, rows, columns) {
    const { down, across, split } = this.view;
    const axis = (k) => this.cube.axes[k].name;
    const table = make("table", { className: "heat", ariaLabel: `${axis(down)} (down) by ${axis(across)} (across)` });
    if (name !== null) table.append(make("caption", { textContent: `${axis(split)} = ${name}` }));
    table.dataset.part = part;
    const head = table.createTHead().insertRow();
    head.append(make("td"), ...columns.map((c) => make("th", { scope: "col" }, make("span", { textContent: c }))));
    const body = table.createTBody();
    rows.forEach((r, y) => {
      const row = body.insertRow();
      row.append(make("th", { scope: "row", textContent: r }));
      columns.forEach((_, x) => row.append(this.cell(this.cells.get(`${part},${y},${x}`))));
    });
    return table;
  }

  cell(bins) {
    const td = make("td");
    if (!bins) return td;
    const { states, hits } = this.cube;
    const breach = bins.find((b) => states[b] === "b");
    if (!this.folded().length || breach !== undefined) {
      const b = breach ?? bins[0];
      td.className = `${words[states[b]]} l${this.cube.levels[b]}`;
      td.textContent = short(hits[b]);
      return td;
    }
    const met = bins.filter((b) => states[b] === "c").length;
    const goals = met + bins.filter((b) => states[b] === "h").length;
    if (!goals) td.className = words[states[bins[0]]];
    else {
      const state = met === 0 ? "hole l0" : met === goals ? `covered l${levels}` : `part l${1 + Math.floor((met * (levels - 1)) / goals)}`;
      td.className = state;
      td.textContent = `${met}/${goals}`;
    }
    return td;
  }

  // bins is the bins that a cell stands for.
  bins(td) {
    const row = td.parentElement;
    const part = td.closest("table").dataset.part ?? 0;
    return this.cells.get(`${part},${row.sectionRowIndex},${td.cellIndex - 1}`) ?? [];
  }

  listen() {
    const cellOf = (event) => event.target.closest?.(".heat tbody td");
    this.root.addEventListener("mouseover", (event) => {
      const td = cellOf(event);
      if (td && !this.kept) this.tell(this.bins(td));
    });
    this.root.addEventListener("focusin", (event) => {
      const td = cellOf(event);
      if (td && !this.kept) this.tell(this.bins(td));
    });
    this.root.addEventListener("click", (event) => {
      const td = cellOf(event);
      if (td) this.keep(td === this.kept ? null : td);
    });
    this.root.addEventListener("keydown", (event) => this.key(event, cellOf(event)));
    this.item.addEventListener("click", (event) => {
      const arrow = event.target.closest(".arrow");
      if (arrow) this.tell([this.cube.rows.indexOf(Number(arrow.dataset.row))]);
    });
  }

  key(event, td) {
    if (!td || event.ctrlKey || event.altKey || event.metaKey) return;
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    if (event.key in steps) this.move(td, ...steps[event.key]);
    else if (event.key === "Enter") this.keep(td === this.kept ? null : td);
    else if (event.key === "Escape" && this.kept) this.keep(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  move(td, dy, dx) {
    const row = td.closest("tbody").rows[td.parentElement.sectionRowIndex + dy];
    const next = row?.cells[td.cellIndex + dx];
    if (!next || next.matches("th")) return;
    td.removeAttribute("tabindex");
    next.tabIndex = 0;
    next.focus();
  }

  // keep holds on to a cell until it is let go.
  keep(td) {
    this.kept?.classList.remove("kept");
    this.kept = td;
    td?.classList.add("kept");
    this.detail.classList.toggle("kept", Boolean(td));
    this.tell(td ? this.bins(td) : null);
  }

  // tell says what these bins are, how often they were hit, and by what.
  tell(bins) {
    if (!bins) {
      this.detail.replaceChildren(make("p", { className: "none", textContent: "Point at a cell for its bin and the command that hits it." }));
    } else if (!bins.length) {
      this.detail.replaceChildren(make("p", { className: "none", textContent: "No bin: ignored, or not declared." }));
    } else if (bins.length === 1) {
      this.detail.replaceChildren(...this.describe(bins[0]));
    } else {
      const holes = bins.filter((b) => this.cube.states[b] === "h");
      const rest = bins.filter((b) => this.cube.states[b] !== "h");
      const most = 12;
      const lines = [...holes, ...rest].slice(0, most).map((b) => this.describe(b)[0]);
      if (bins.length > most) lines.push(make("p", { className: "none", textContent: `and ${bins.length - most} more` }));
      this.detail.replaceChildren(...lines);
    }
  }

  describe(bin) {
    const row = document.getElementById(`b${this.item.dataset.n}-${this.cube.rows[bin]}`);
    const tuple = this.cube.axes.map((a, k) => `${a.name} = ${a.bins[this.at(bin, k)]}`).join(", ");
    const hits = this.cube.hits[bin];
    const line = make("p", {},
      make("a", { href: "#" + row.id, className: "name", textContent: tuple }),
      ` ${words[this.cube.states[bin]]}, ${hits.toLocaleString("en")} ${hits === 1 ? "hit" : "hits"}`);
    const code = $(".cmd code", row);
    return code ? [line, make("p", { className: "cmd" }, make("code", { textContent: code.textContent }))] : [line];
  }
}

// A map comes to life when its item is looked at.
function liven(item) {
  for (const root of $$("[data-map]:not([data-live])", item)) {
    root.dataset.live = "";
    new HeatMap(root);
  }
}
for (const item of $$(".item:has([data-map])")) {
  if (item.open) liven(item);
  item.addEventListener("toggle", () => item.open && liven(item));
}
