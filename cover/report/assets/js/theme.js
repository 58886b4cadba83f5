// The theme: as the system has it, or one of two, kept for the next time.
const themes = ["system", "light", "dark"];
const themeButton = $("#theme");
const themed = []; // called when colours change

function remembered() {
  try {
    return localStorage.getItem("ijongo-theme");
  } catch {
    return null; // storage may be forbidden for files
  }
}

function setTheme(name) {
  if (!themes.includes(name)) name = "system";
  if (name === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  themeButton.textContent = "Theme: " + name;
  try {
    localStorage.setItem("ijongo-theme", name);
  } catch {
    // then it lasts as long as the page
  }
  for (const f of themed) f();
}

function nextTheme() {
  const now = document.documentElement.dataset.theme ?? "system";
  setTheme(themes[(themes.indexOf(now) + 1) % themes.length]);
}

themeButton.addEventListener("click", nextTheme);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => themed.forEach((f) => f()));
setTheme(remembered());

// colour is what a variable of the style sheet stands for now.
function colour(variable) {
  const probe = make("span");
  probe.style.color = `var(${variable})`;
  document.body.append(probe);
  const c = getComputedStyle(probe).color;
  probe.remove();
  return c;
}
