// C0 without tab and newline, DEL, C1, and the marks that turn the order of what follows: they move a cursor, hide text or
// talk back to the terminal.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
// In one line also tab, newline and line separators.
const IN_A_LINE = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** Text of several lines: control characters become visible escapes such as \x1b. */
export function printableText(text: string): string {
  return text.replace(CONTROLS, visible);
}

/** Text that must stay on its line, such as a file name in a message. */
export function printableLine(text: string): string {
  return text.replace(IN_A_LINE, visible);
}

/** JSON with these characters as \u escapes. JSON.stringify has escaped those below U+0020. */
export function printableJson(json: string): string {
  return json.replace(CONTROLS, (character) =>
    character < ' ' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function visible(character: string): string {
  const code = character.charCodeAt(0);
  if (character === '\n') return '\\n';
  if (character === '\t') return '\\t';
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
}
