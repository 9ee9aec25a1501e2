// Short ways to write a line, written in full before it is parsed: `rotate a.pdf left`, `booklet a.pdf`.

const ANGLES: Readonly<Record<string, string>> = { left: '-90', right: '90' };
const ANGLE = /^([+-]?(90|180|270)|left|right)$/;

/** `command`: the word that names the command. */
export function inFull(argv: readonly string[], command: string | undefined): readonly string[] {
  if (command === 'booklet') {
    return inFull(
      argv.map((word) => (word === command ? 'nup' : word)).toSpliced(argv.indexOf(command) + 1, 0, '--booklet'),
      'nup',
    );
  }
  if (command === 'nup') {
    const isShort = argv.includes('--booklet') && !argv.some((word) => word.startsWith('--per-sheet'));
    return isShort ? argv.toSpliced(argv.indexOf('--booklet'), 0, '--per-sheet=2') : argv;
  }
  return command === 'rotate' ? withAngle(argv) : argv;
}

function withAngle(argv: readonly string[]): readonly string[] {
  const flag = argv.findIndex((word) => word.startsWith('--angle'));
  if (flag >= 0) {
    const [name = '', value = argv[flag + 1] ?? ''] = (argv[flag] ?? '').split('=');
    const angle = ANGLES[value];
    const taken = argv[flag] === name ? 2 : 1;
    return angle === undefined || name !== '--angle' ? argv : argv.toSpliced(flag, taken, `--angle=${angle}`);
  }
  if (argv.includes('--')) return argv;
  // Behind the command and a file; a word behind an option may be its value.
  const at = argv.findIndex(
    (word, i) => i > argv.indexOf('rotate') + 1 && ANGLE.test(word) && !/^-/.test(argv[i - 1] ?? ''),
  );
  const word = argv[at];
  return word === undefined ? argv : argv.with(at, `--angle=${ANGLES[word] ?? word}`);
}
