// A document as LaTeX, with what texlive-latex-base has: Computer Modern is its only face whose outlines are there.
import { randomOf } from './words.mjs';

const ESCAPES = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '°': '$^\\circ$',
  '€': 'EUR',
  '£': '\\pounds{}',
  '±': '$\\pm$',
  '–': '--',
};

function escaped(text) {
  return text.replace(/[\\~^°€£±–]|[&%$#_{}]/g, (sign) => ESCAPES[sign] ?? `\\${sign}`);
}

export function latexOf(document, seed) {
  const random = randomOf(seed * 32_452_843 + 13);
  const { columns, running } = document;
  const font = random.pick(['', '', '\\renewcommand{\\familydefault}{\\sfdefault}']);
  const numbers = document.look?.numbered ?? false;
  const text = document.blocks.map((block) => blockLatex(block, numbers)).join('\n\n');
  return `\\documentclass[${random.pick(['10pt', '11pt', '12pt'])},a4paper]{article}
\\usepackage[utf8]{inputenc}\\usepackage{array,multicol,longtable}
\\usepackage[margin=${random.int(22, 32)}mm]{geometry}
${font}
\\hyphenpenalty=10000\\exhyphenpenalty=10000\\emergencystretch=3em\\setlength{\\columnseprule}{${document.columnRule ? '0.4pt' : '0pt'}}
\\setlength{\\parindent}{${random.pick(['0pt', '15pt'])}}\\setlength{\\parskip}{${random.pick(['0pt', '5pt'])}}
\\pagestyle{${running === undefined ? 'empty' : 'myheadings'}}\\markright{${escaped(running ?? '')}}
\\begin{document}
${columns > 1 ? `\\begin{multicols}{${columns}}\n${text}\n\\end{multicols}` : text}
\\end{document}
`;
}

function blockLatex(block, numbers) {
  const text = escaped(block.text ?? '');
  switch (block.kind) {
    case 'heading':
      return `\\${['section', 'subsection', 'subsubsection'][block.level - 1]}${numbers ? '' : '*'}{${text}}`;
    case 'run-in':
      return `\\paragraph{${escaped(block.title)}} ${text}`;
    case 'paragraph':
      return text;
    case 'caption':
      return `\\begin{center}${text}\\end{center}`;
    case 'list':
      return listLatex(block);
    case 'code':
      return `\\begin{verbatim}\n${block.lines.join('\n')}\n\\end{verbatim}`;
    case 'notes':
      return `\\vfill\\noindent\\rule{5cm}{0.4pt}\n\n{\\footnotesize ${block.notes.map((note, i) => `\\noindent $^{${i + 1}}$ ${escaped(note)}\\par`).join('\n')}}`;
    case 'contents':
      return block.entries.map((entry) => entryLatex(entry, block.leader)).join('\n\n');
    case 'table':
      return tableLatex(block);
  }
  throw new Error(`no LaTeX of a ${block.kind}`);
}

function listLatex({ items, ordered }) {
  const name = ordered ? 'enumerate' : 'itemize';
  // Lists in lists count 1, 2, 3 too, as the truth says.
  const plain = ordered
    ? '\\renewcommand{\\theenumi}{\\arabic{enumi}}\\renewcommand{\\labelenumii}{\\arabic{enumii}.}\\renewcommand{\\labelenumiii}{\\arabic{enumiii}.}'
    : '';
  return `\\begin{${name}}${plain}\n${items.map((item) => `\\item ${escaped(item.text)}${item.inner === undefined ? '' : `\n${listLatex(item.inner)}`}`).join('\n')}\n\\end{${name}}`;
}

function entryLatex({ depth, number, text, page }, leader) {
  return `\\noindent\\hspace*{${depth * 1.5}em}${[number, escaped(text)].filter(Boolean).join('\\quad ')}${leader === 'dots' ? '\\dotfill' : '\\hfill'} ${page}`;
}

function tableLatex({ look, columns, heads, rows, aligns, kinds }) {
  const { rules } = look;
  const upright = ['grid', 'box', 'columns'].includes(rules) ? '|' : '';
  const ends = rules === 'columns' ? '' : upright;
  const wide = kinds.filter((kind) => kind === 'sentence').length;
  const specs = kinds.map((kind, i) =>
    kind === 'sentence' ? `p{${(0.5 / wide).toFixed(2)}\\linewidth}` : aligns[i].charAt(0),
  );
  const lines = rows.map((row, r) => {
    const cells = row.map(({ text, colspan = 1 }, i) => {
      const shown = r < heads && look.bold && text !== '' ? `\\textbf{${escaped(text)}}` : escaped(text);
      return colspan === 1
        ? shown
        : `\\multicolumn{${colspan}}{${i === 0 ? ends : ''}${r < heads ? 'c' : 'l'}${upright}}{${shown}}`;
    });
    const last = r === rows.length - 1;
    const thin = rules === 'grid' || rules === 'rows' || ((rules === 'booktabs' || rules === 'box') && r === heads - 1);
    const thick = last && (rules === 'booktabs' || rules === 'box');
    return `${cells.join(' & ')} \\\\${thick ? thickRule(rules) : thin ? ' \\hline' : ''}`;
  });
  const top =
    rules === 'booktabs' || rules === 'box' ? thickRule(rules) : rules === 'grid' || rules === 'rows' ? '\\hline' : '';
  const size = columns > 4 ? '\\scriptsize' : columns > 3 ? '\\footnotesize' : '\\small';
  return `\\begin{center}${size}\\setlength{\\tabcolsep}{${Math.min(look.padX, 8)}pt}\\renewcommand{\\arraystretch}{${(1 + look.padY / 10).toFixed(2)}}
\\begin{tabular}{${ends}${specs.join(upright)}${ends}}
${top}
${lines.join('\n')}
\\end{tabular}\\end{center}`;
}

function thickRule(rules) {
  return rules === 'booktabs' ? '\\noalign{\\hrule height 0.8pt}' : '\\hline';
}
