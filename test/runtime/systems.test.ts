// What holds on Windows and macOS, tried by functions that are told the system: nothing here runs on them.
import { sep, win32 } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isDeviceName } from '../../src/contract/media.ts';
import { nameFiles } from '../../src/local/split-files.ts';
import { fileNamesOf } from '../../src/pdf/edit/document/attachments.ts';
import { isFolderName, refuseDeviceName, withoutSlash } from '../../src/runtime/files/target.ts';
import { commandLine } from '../../src/runtime/processes/programs.ts';

describe('names of files', () => {
  const devices = ['con', 'NUL.pdf', 'aux.tar.gz', 'com1.pdf', 'LPT¹', 'prn .pdf', 'conin$', 'CONOUT$.txt'];
  it.each(devices)('%s is a device of Windows', (name) => {
    expect(isDeviceName(name)).toBe(true);
    expect(() => refuseDeviceName(`C:\\out\\${name}`, 'win32')).toThrow(/device/);
    expect(() => refuseDeviceName(`//server/share/${name}`, 'win32')).toThrow(/device/);
    expect(() => refuseDeviceName(name, sep === '/' ? 'linux' : 'darwin')).not.toThrow();
  });

  it.each(['console.pdf', 'com10.pdf', 'nullable', 'a.con', 'lpt.pdf'])('%s is a file', (name) => {
    expect(isDeviceName(name)).toBe(false);
  });

  it('that a document gives become files everywhere', () => {
    const span = [1, 1] as const;
    const titles = ['Con', 'A', 'a', 'b\\c:d', 'NUL.x'];
    const segments = titles.map((title) => ({ span, title }));
    expect(nameFiles(segments, 9, 'x.pdf', '{title}')).toEqual([
      '_Con.pdf',
      'A.pdf',
      'a-2.pdf',
      'b_c_d.pdf',
      '_NUL.x.pdf',
    ]);
    const named = ['aux.txt', 'Data.csv', 'data.CSV', 'c:\\x\\nul'].map((name) => ({ name }));
    expect(fileNamesOf(named)).toEqual(['_aux.txt', 'Data.csv', 'data-2.CSV', '_nul']);
  });

  it('of folders may end in the separator of the system', () => {
    expect(['out/', 'out\\', 'out'].map((name) => isFolderName(name, '/'))).toEqual([true, false, false]);
    expect(['out/', 'out\\', 'out'].map((name) => isFolderName(name, '\\'))).toEqual([true, true, false]);
    const roots = ['out\\', 'C:\\', 'C:\\a\\\\', '\\\\server\\share\\', 'out//'];
    expect(roots.map((name) => withoutSlash(name, win32.sep))).toEqual([
      ...['out', 'C:\\', 'C:\\a', '\\\\server\\share', 'out'],
    ]);
    expect(['/', 'out//', 'a\\'].map((name) => withoutSlash(name, '/'))).toEqual(['/', 'out', 'a\\']);
  });
});

describe('programs', () => {
  it('that are batch files are started by the shell of Windows, each word quoted', () => {
    const path = 'C:\\Program Files\\nodejs\\npm.cmd';
    expect(commandLine(path, ['install', 'C:\\a b\\', 'x&y'], { comspec: 'C:\\cmd.exe' })).toEqual([
      'C:\\cmd.exe',
      ['/d', '/s', '/c', `""${path}" "install" "C:\\a b\\\\" "x&y""`],
      true,
    ]);
    expect(() => commandLine(path, ['%PATH%'], {})).toThrow(/batch file/);
    expect(() => commandLine(path, ['a" & calc "'], {})).toThrow(/batch file/);
    expect(commandLine('/usr/bin/npm', ['%a"'], {})).toEqual(['/usr/bin/npm', ['%a"'], false]);
  });
});
