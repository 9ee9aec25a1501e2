export function ours(program, file, out, ...options) {
  return [process.execPath, program, 'compress', file, '-o', out, '--local', '-f', '--no-progress', '-q', ...options];
}

export function gs(file, out) {
  return ['gs', '-q', '-dBATCH', '-dNOPAUSE', '-sDEVICE=pdfwrite', '-dPDFSETTINGS=/ebook', `-sOutputFile=${out}`, file];
}

export function qpdf(file, out) {
  return ['qpdf', '--object-streams=generate', '--recompress-flate', '--compression-level=9', file, out];
}
