/** Of a document that Ghostscript shows with less likeness its size says nothing. */
const SHOWN = 0.9;

/** The name of a bar, how figures of documents come together, the figure (undefined: not of this one), the bar. */
const BARS = [
  ['size to gs /ebook', mean, ({ sizes, alike }) => (alike.gs >= SHOWN ? sizes.ours / sizes.gs : undefined), 0.85],
  ['size to qpdf', mean, ({ sizes }) => sizes.ours / sizes.qpdf, 0.75],
  ['size without loss to qpdf', mean, ({ sizes }) => sizes.exact / sizes.qpdf, 0.88],
  ['size without loss to qpdf, TeX', mean, ({ sizes, tex }) => (tex ? sizes.exact / sizes.qpdf : undefined), 0.75],
  ['wall time to gs /ebook', mean, ({ times }) => times && times.ours.ms / times.gs.ms, 0.6],
  ['CPU time to gs /ebook', mean, ({ times }) => times && times.ours.cpu / times.gs.cpu, 0.8],
  ['what the worst page lacks in SSIM', Math.max, ({ alike }) => 1 - alike.ours, 0.03],
  ['documents whose text differs', sum, ({ same }) => Number(!same.text), 0],
  ['without loss, other pixels', sum, ({ same }) => Number(!same.pixels), 0],
  ['documents that became larger', sum, ({ sizes }) => Number(Math.max(sizes.ours, sizes.exact) > sizes.input), 0],
];

/** A line for each bar, all of which are upper bounds; geometric means of documents. */
export function held(documents) {
  return BARS.map(([name, together, figure, bar]) => {
    const figures = documents.map(figure).filter((each) => each !== undefined);
    return line(name, figures.length === 0 ? undefined : together(...figures), bar, `${figures.length} documents`);
  });
}

export function line(name, value, bar, of) {
  if (value === undefined) return { passed: true, text: `${name.padEnd(34)} not measured` };
  const passed = value <= bar;
  const said = Number.isInteger(bar) ? value.toFixed(0) : value.toFixed(bar < 0.1 ? 4 : 3);
  return {
    passed,
    text: `${name.padEnd(34)} ${said.padStart(7)}  bar ${String(bar).padEnd(5)} ${passed ? 'held' : 'OVER'}  ${of}`,
  };
}

function mean(...ratios) {
  return Math.exp(ratios.reduce((all, ratio) => all + Math.log(ratio), 0) / ratios.length);
}

function sum(...numbers) {
  return numbers.reduce((all, each) => all + each, 0);
}
