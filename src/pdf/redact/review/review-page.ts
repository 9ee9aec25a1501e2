import type { Region } from '../regions.ts';

/** The start of the HTML page for the review; each page of the document follows, then the end. */
export function pageHead(title: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer">
<title>Review: ${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${escaped(title)}</h1>
<p id="count" role="status" aria-live="polite"></p>
<button id="save" type="button">Save regions.json</button>
<button id="add" type="button">Add a box</button>
<button id="undo" type="button">Undo</button>
<details><summary>Keys and mouse</summary>
<p>Mouse: draw on a page to add a box; drag a box to move it, its corner to change its size; double-click takes it away.</p>
<p>Keys: Tab goes from box to box. Space ticks it or not. Arrows move it, with Shift further, with Alt its size.
Delete takes it away. N adds one on the page in view. Ctrl+S saves, Ctrl+Z undoes.</p>
<p>Only ticked boxes are saved. Look at every page: what nobody found is not marked.</p></details>
</header>
<main>
`;
}

export function pageView(
  page: number,
  width: number,
  height: number,
  picture: { type: string; base64: string },
): string {
  const source = `data:${picture.type};base64,${picture.base64}`;
  const size = `aspect-ratio:${width.toFixed(2)}/${height.toFixed(2)};max-width:${Math.round(width * 1.6)}px`;
  return `<section class="page" data-page="${page}" style="${size}" aria-label="Page ${page}"><img src="${source}" alt="Page ${page}" draggable="false"></section>\n`;
}

export function pageEnd(sourceSha256: string, regions: readonly Region[], clean: boolean): string {
  const data = JSON.stringify({ sourceSha256, regions, clean }).replaceAll('<', '\\u003c');
  return `</main>\n<script type="application/json" id="data">${data}</script>\n<script>${SCRIPT}</script>\n</body>\n</html>\n`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

const STYLE = `
body{margin:0;font:15px/1.4 system-ui,sans-serif;background:#ddd;color:#111}
header{position:sticky;top:0;z-index:9;background:#fff;padding:.5rem 1rem;border-bottom:1px solid #888;display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center}
h1{font-size:1rem;margin:0}p{margin:0}details{flex-basis:100%}details p{margin:.3rem 0}
button{font:inherit;padding:.2rem .8rem}
main{padding:1rem}
.page{position:relative;margin:0 auto 1rem;background:#fff;box-shadow:0 1px 4px #0006;cursor:crosshair;touch-action:none;user-select:none}
.page img{display:block;width:100%;height:100%;pointer-events:none}
.box{position:absolute;box-sizing:border-box;border:2px solid #c00;background:#c002;cursor:move;outline-offset:2px}
.box.off{border-style:dashed;border-color:#666;background:none}
.box:focus{outline:3px solid #06c}
.box .number{position:absolute;left:-2px;bottom:100%;font-size:11px;line-height:1.2;background:#c00;color:#fff;padding:0 3px;white-space:nowrap}
.box.off .number{background:#666}
.box .corner{position:absolute;right:-5px;bottom:-5px;width:10px;height:10px;background:#c00;cursor:nwse-resize}
.box.off .corner{background:#666}
`;

/** Runs in the reviewer's browser; the content policy allows no requests. */
const SCRIPT = `
'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const pages = [...document.querySelectorAll('.page')];
let boxes = data.regions.map((region) => ({ ...region, on: true }));
let history = [];
let added = 0;
// In a frame of serve's page, which receives the regions.
const isFramed = parent !== self;
if (isFramed) document.getElementById('save').textContent = 'Remove what is in the ticked boxes';
const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
const LEAST = 0.002;
function keep() {
  history.push(JSON.stringify(boxes));
  if (history.length > 200) history.shift();
}
function fit(box) {
  box.w = clamp(box.w, LEAST, 1);
  box.h = clamp(box.h, LEAST, 1);
  box.x = clamp(box.x, 0, 1 - box.w);
  box.y = clamp(box.y, 0, 1 - box.h);
}
function place(element, box) {
  for (const [side, value] of [['left', box.x], ['top', box.y], ['width', box.w], ['height', box.h]])
    element.style[side] = value * 100 + '%';
}
function draw(focus) {
  for (const old of document.querySelectorAll('.box')) old.remove();
  boxes.forEach((box, index) => {
    const element = document.createElement('div');
    element.className = box.on ? 'box' : 'box off';
    element.tabIndex = 0;
    element.dataset.id = box.id;
    element.setAttribute('role', 'checkbox');
    element.setAttribute('aria-checked', String(box.on));
    element.setAttribute('aria-label', 'Region ' + (index + 1) + ', ' + box.kind + ', page ' + box.page);
    const number = document.createElement('span');
    number.className = 'number';
    number.textContent = (box.on ? '\\u2713 ' : '') + (index + 1) + ' ' + box.kind;
    const corner = document.createElement('span');
    corner.className = 'corner';
    element.append(number, corner);
    place(element, box);
    pages[box.page - 1].append(element);
  });
  const on = boxes.filter((box) => box.on).length;
  document.getElementById('count').textContent = on + ' of ' + boxes.length + ' regions ticked';
  document.getElementById('save').disabled = on < 1 || on > 2000;
  document.getElementById('undo').disabled = history.length === 0;
  if (focus) document.querySelector('.box[data-id="' + CSS.escape(focus) + '"]')?.focus();
}
function change(id, act) {
  const box = boxes.find((each) => each.id === id);
  if (!box) return;
  keep();
  act(box);
  fit(box);
  draw(id);
}
function remove(id) {
  keep();
  const at = boxes.findIndex((each) => each.id === id);
  boxes.splice(at, 1);
  draw(boxes[Math.min(at, boxes.length - 1)]?.id);
}
function add(page, x, y, w, h) {
  keep();
  let id;
  do id = 'm' + ++added; while (boxes.some((box) => box.id === id));
  const box = { page, x, y, w, h, kind: 'manual', id, on: true };
  fit(box);
  boxes.push(box);
  draw(id);
}
function inView() {
  const middle = innerHeight / 2;
  const far = (page) => {
    const { top, bottom } = page.getBoundingClientRect();
    return top <= middle && bottom >= middle ? 0 : Math.min(Math.abs(top - middle), Math.abs(bottom - middle));
  };
  return pages.reduce((best, page) => (far(page) < far(best) ? page : best));
}
function addInView() {
  add(Number(inView().dataset.page), 0.4, 0.45, 0.2, 0.03);
}
function undo() {
  if (history.length === 0) return;
  boxes = JSON.parse(history.pop());
  draw();
}
function save() {
  const regions = boxes.filter((box) => box.on).map(({ on, ...region }) => {
    for (const key of ['x', 'y', 'w', 'h']) region[key] = Math.floor(region[key] * 1e6) / 1e6;
    return region;
  });
  if (regions.length < 1 || regions.length > 2000) return;
  const reviewed = { reviewed: true, sourceSha256: data.sourceSha256, clean: data.clean, regions };
  if (isFramed) return parent.postMessage(reviewed, '*');
  const text = JSON.stringify(reviewed, undefined, 2) + '\\n';
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = 'regions.json';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}
document.getElementById('save').addEventListener('click', save);
document.getElementById('add').addEventListener('click', addInView);
document.getElementById('undo').addEventListener('click', undo);
addEventListener('keydown', (event) => {
  const id = document.activeElement?.dataset?.id;
  if ((event.ctrlKey || event.metaKey) && event.key === 's') save();
  else if ((event.ctrlKey || event.metaKey) && event.key === 'z') undo();
  else if (event.ctrlKey || event.metaKey) return;
  else if (event.key === 'n' || event.key === 'N') addInView();
  else if (id === undefined) return;
  else if (event.key === ' ') change(id, (box) => { box.on = !box.on; });
  else if (event.key === 'Delete' || event.key === 'Backspace') remove(id);
  else if (event.key.startsWith('Arrow')) {
    const step = event.shiftKey ? 0.01 : 0.002;
    const x = event.key === 'ArrowLeft' ? -step : event.key === 'ArrowRight' ? step : 0;
    const y = event.key === 'ArrowUp' ? -step : event.key === 'ArrowDown' ? step : 0;
    change(id, (box) => {
      if (event.altKey) { box.w += x; box.h += y; } else { box.x += x; box.y += y; }
    });
  } else return;
  event.preventDefault();
});
let drag;
addEventListener('pointerdown', (event) => {
  const page = event.target.closest('.page');
  if (!page || event.button !== 0) return;
  const around = page.getBoundingClientRect();
  const element = event.target.closest('.box');
  const at = { x: (event.clientX - around.left) / around.width, y: (event.clientY - around.top) / around.height };
  const box = element && boxes.find((each) => each.id === element.dataset.id);
  drag = { around, at, box, before: JSON.stringify(boxes), from: box && { ...box }, moved: false,
    how: event.target.classList.contains('corner') ? 'size' : box ? 'move' : 'new', page: Number(page.dataset.page) };
  if (element) element.focus(); else document.activeElement?.blur();
  event.preventDefault();
});
addEventListener('pointermove', (event) => {
  if (!drag) return;
  const { around, at } = drag;
  const x = clamp((event.clientX - around.left) / around.width, 0, 1);
  const y = clamp((event.clientY - around.top) / around.height, 0, 1);
  if (!drag.moved && Math.hypot((x - at.x) * around.width, (y - at.y) * around.height) < 4) return;
  drag.moved = true;
  if (drag.how === 'new') drag.rect = { x: Math.min(x, at.x), y: Math.min(y, at.y), w: Math.abs(x - at.x), h: Math.abs(y - at.y) };
  else {
    const { box, from } = drag;
    if (drag.how === 'size') { box.w = Math.min(from.w + x - at.x, 1 - box.x); box.h = Math.min(from.h + y - at.y, 1 - box.y); }
    else { box.x = from.x + x - at.x; box.y = from.y + y - at.y; }
    fit(box);
    place(document.querySelector('.box[data-id="' + CSS.escape(box.id) + '"]'), box);
  }
});
addEventListener('pointerup', () => {
  if (!drag) return;
  const { how, rect, moved, before, box, page } = drag;
  drag = undefined;
  if (!moved) return;
  if (how === 'new') { if (rect) add(page, rect.x, rect.y, rect.w, rect.h); return; }
  history.push(before);
  draw(box.id);
});
addEventListener('dblclick', (event) => {
  const element = event.target.closest('.box');
  if (element) remove(element.dataset.id);
});
draw();
`;
