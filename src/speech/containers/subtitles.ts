// Subtitles, a sentence each: SubRip and WebVTT.

export interface Cue {
  readonly text: string;
  /** Seconds. */
  readonly start: number;
  readonly end: number;
}

/** Characters on a line. */
const WIDTH = 42;

export function subtitles(format: 'srt' | 'vtt', cues: readonly Cue[]): string {
  const point = format === 'srt' ? ',' : '.';
  const lines = cues.map(({ text, start, end }, i) => {
    const shown =
      format === 'vtt' ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') : text;
    const number = format === 'srt' ? `${i + 1}\n` : '';
    return `${number}${clock(start, point)} --> ${clock(end, point)}\n${wrapped(shown)}\n`;
  });
  return `${format === 'vtt' ? 'WEBVTT\n\n' : ''}${lines.join('\n')}`;
}

function clock(seconds: number, point: string): string {
  const all = Math.round(seconds * 1000);
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const rest = String(all % 1000).padStart(3, '0');
  return `${two(all / 3_600_000)}:${two((all / 60_000) % 60)}:${two((all / 1000) % 60)}${point}${rest}`;
}

function wrapped(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
}
