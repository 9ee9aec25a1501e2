/** How the caption of a table, figure or source begins. */
export const CAPTION =
  /^(fig(ure|\.)?|table|tab\.|chart|diagram|exhibit|map|source|note|photo|image|graph|plate|equation)s?\b[\s:.]*(\(?\d|[A-Z]?[.:]|[ivx]+\b)/i;
