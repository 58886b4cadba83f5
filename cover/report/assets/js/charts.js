// Charts that can be read off, in place of the polylines.
const growthData = $("#growth-data") && JSON.parse($("#growth-data").textContent);
const plots = new Map();
let overRuns = false;

function clock(seconds) {
  if (seconds < 60) return +seconds.toFixed(1) + "s";
  const pad = (n) => String(Math.floor(n)).padStart(2, "0");
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m${pad(seconds % 60)}s`;
  return `${Math.floor(seconds / 3600)}h${pad((seconds % 3600) / 60)}m`;
}

const abscissa = () => (overRuns ? growthData.runs : growthData.time);

// runsAt is how many runs there were at a time.
function runsAt(seconds) {
  const k = growthData.time.findIndex((t) => t >= seconds);
  return growthData.runs[k < 0 ? growthData.runs.length - 1 : k];
}

// markFailures draws a line where a failure was found.
function markFailures(u) {
  const { ctx, bbox } = u;
  ctx.save();
  ctx.strokeStyle = colour("--bad");
  ctx.setLineDash([3, 3]);
  for (const t of growthData.failed) {
    const x = Math.round(u.valToPos(overRuns ? runsAt(t) : t, "x", true));
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}

function options(figure, names, width) {
  const axis = {
    stroke: () => colour("--quiet"),
    grid: { stroke: () => colour("--line"), width: 1 },
    ticks: { show: false },
    font: "10.5px system-ui, sans-serif",
  };
  return {
    width,
    height: figure.closest(".wide") ? 170 : 118,
    legend: { show: false },
    cursor: { sync: { key: "growth" }, drag: { x: true, y: false }, points: { size: 5 } },
    scales: { x: { time: false }, y: { range: (u, low, high) => [Math.min(0, low), high > low || high > 0 ? high * 1.05 : 1] } },
    axes: [
      { ...axis, size: 20, space: 60, values: (u, ticks) => ticks.map((v) => (overRuns ? short(v) : clock(v))) },
      { ...axis, size: 42, space: 26, values: (u, ticks) => ticks.map((v) => (Math.abs(v) < 1000 ? String(+v.toPrecision(6)) : short(v))) },
    ],
    series: [{}, ...names.map((name, k) => ({ label: name, stroke: () => colour("--s" + (k % 6)), width: 1.5, spanGaps: true, points: { show: false } }))],
    hooks: { draw: [markFailures], setCursor: [(u) => readOff(figure, u)] },
  };
}

// readOff shows the values at the cursor, or the last ones.
function readOff(figure, u) {
  const at = u.cursor.idx ?? u.data[0].length - 1;
  const value = (k) => {
    for (let n = at; n >= 0; n--) if (u.data[k][n] != null) return +u.data[k][n].toPrecision(10);
    return null;
  };
  const bold = $("figcaption b", figure);
  if (bold) bold.textContent = (value(1) ?? 0).toLocaleString("en");
  $$(".legend li", figure).forEach((li, k) => {
    const v = value(k + 1);
    li.textContent = u.data.length > 2 && v != null ? `${u.series[k + 1].label} ${v.toFixed(0)}%` : u.series[k + 1].label;
  });
}

function plot(figure) {
  const set = growthData.charts[Number(figure.dataset.chart)];
  const box = $(".plot", figure);
  const width = Math.max(200, box.clientWidth);
  box.replaceChildren();
  box.classList.add("live");
  const u = new uPlot(options(figure, set.names, width), [abscissa(), ...set.values], box);
  u.over.setAttribute("aria-hidden", "true");
  plots.set(figure, u);
  new ResizeObserver(() => {
    if (box.clientWidth && box.clientWidth !== u.width) u.setSize({ width: box.clientWidth, height: u.height });
  }).observe(box);
}

if (growthData) {
  const seen = new IntersectionObserver((entries) => {
    for (const e of entries) {
      if (!e.isIntersecting) continue;
      seen.unobserve(e.target);
      plot(e.target);
    }
  }, { rootMargin: "300px" });
  $$("[data-chart]").forEach((figure) => seen.observe(figure));
  themed.push(() => plots.forEach((u) => u.redraw()));
  for (const button of $$("[data-x]")) {
    button.addEventListener("click", () => {
      overRuns = button.dataset.x === "runs";
      $$("[data-x]").forEach((b) => b.setAttribute("aria-pressed", b === button));
      plots.forEach((u, figure) => u.setData([abscissa(), ...growthData.charts[Number(figure.dataset.chart)].values]));
    });
  }
}
