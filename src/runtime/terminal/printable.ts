// C0 without tab and newline, DEL, C1: what moves a cursor, hides text or talks back to the terminal.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
// In one line also tab and newline, line separators, and the marks that turn the order of what follows.
const IN_A_LINE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Text of several lines: control characters become visible escapes such as \x1b. */
export function printableText(text: string): string {
  return text.replace(CONTROLS, visible);
}

/** Text that must stay on its line, such as a file name in a message. */
export function printableLine(text: string): string {
  return text.replace(IN_A_LINE, visible);
}

function visible(character: string): string {
  const code = character.charCodeAt(0);
  if (character === '\n') return '\\n';
  if (character === '\t') return '\\t';
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
}
