// The document is the report; what follows only makes it easier to use.
const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

// make builds an element; text is never taken for markup.
function make(tag, properties = {}, ...children) {
  const e = Object.assign(document.createElement(tag), properties);
  e.append(...children);
  return e;
}

// unfold opens what an element is folded away in.
function unfold(e) {
  for (let d = e.closest("details"); d; d = d.parentElement.closest("details")) d.open = true;
}

// arrive unfolds what the address points at.
function arrive() {
  const target = document.getElementById(location.hash.slice(1));
  if (!target) return;
  unfold(target);
  target.scrollIntoView({ block: target.matches("tr, i") ? "center" : "start" });
}
addEventListener("hashchange", arrive);
arrive();

// copyText puts text into the clipboard, also where the page is a file.
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = make("textarea", { value: text });
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

// One button moves to the command that the pointer is at.
const copier = make("button", { type: "button", textContent: "Copy", tabIndex: -1 });
copier.addEventListener("click", async (event) => {
  event.stopPropagation();
  const code = copier.parentElement.querySelector("code");
  await copyText(code.textContent);
  copier.textContent = "Copied";
});
document.addEventListener("mouseover", (event) => {
  const place = event.target.closest("tr, p.cmd, .detail p")?.querySelector("code")?.parentElement;
  if (!place || !place.matches(".cmd") || place.contains(copier)) return;
  copier.textContent = "Copy";
  place.append(copier);
});

document.documentElement.classList.add("script");
