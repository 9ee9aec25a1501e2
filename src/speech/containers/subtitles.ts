// Subtitles: SubRip and WebVTT.

export interface Cue {
  readonly text: string;
  /** Seconds. */
  readonly start: number;
  readonly end: number;
}

/** Characters on a line, lines of a subtitle, and the seconds that it is shown at most. */
const [WIDTH, LINES, LONGEST] = [42, 2, 7];

export function subtitles(format: 'srt' | 'vtt', cues: readonly Cue[]): string {
  const point = format === 'srt' ? ',' : '.';
  const lines = cues.flatMap(partsOf).map(({ text, start, end }, i) => {
    const shown =
      format === 'vtt' ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') : text;
    const number = format === 'srt' ? `${i + 1}\n` : '';
    return `${number}${clock(start, point)} --> ${clock(end, point)}\n${shown}\n`;
  });
  return `${format === 'vtt' ? 'WEBVTT\n\n' : ''}${lines.join('\n')}`;
}

function clock(seconds: number, point: string): string {
  const all = Math.round(seconds * 1000);
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const rest = String(all % 1000).padStart(3, '0');
  return `${two(all / 3_600_000)}:${two((all / 60_000) % 60)}:${two((all / 1000) % 60)}${point}${rest}`;
}

/** A long sentence in several subtitles, each shown for its share of the characters. */
function partsOf({ text, start, end }: Cue): Cue[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  const all = lines.join('').length || 1;
  const parts: Cue[] = [];
  let from = start;
  for (let i = 0; i < lines.length; i += LINES) {
    const shown = lines.slice(i, i + LINES);
    const to = from + ((end - start) * shown.join('').length) / all;
    parts.push({ text: shown.join('\n'), start: from, end: Math.min(to, from + LONGEST) });
    from = to;
  }
  return parts;
}
