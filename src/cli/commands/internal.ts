// Commands that pdftool runs itself with, in processes of their own.
import type { OwnCommand } from './grammar.ts';

export const worker: OwnCommand = {
  name: '__worker',
  summary: 'Work on files of a batch, as another pdftool says',
  hidden: true,
  build: (command, leaf) => leaf(command),
  load: async () => (await import('../run/batch-worker.ts')).work,
};

export const read: OwnCommand = {
  name: '__read',
  summary: 'Read a file with another reader, as another pdftool says',
  hidden: true,
  build: (command, leaf) => leaf(command),
  load: async () => (await import('../children/other-reader.ts')).read,
};

export const pdfjs: OwnCommand = {
  name: '__pdfjs',
  summary: 'Read pages with pdf.js, in a thread of another pdftool',
  hidden: true,
  build: (command, leaf) => leaf(command),
  load: async () => (await import('../children/reader-thread.ts')).readPages,
};

export const codec: OwnCommand = {
  name: '__codec',
  summary: 'Decode and encode images, as another pdftool says',
  hidden: true,
  build: (command, leaf) => leaf(command),
  load: async () => (await import('../children/codec.ts')).codec,
};

export const draw: OwnCommand = {
  name: '__draw',
  summary: 'Draw pages of a file, as another pdftool says',
  hidden: true,
  build: (command, leaf) => leaf(command),
  load: async () => (await import('../children/page-drawer.ts')).draw,
};

export const judge: OwnCommand = {
  name: '__judge',
  summary: 'Read documents with other readers, as another pdftool says',
  hidden: true,
  build: (command, leaf) => leaf(command),
  load: async () => (await import('../children/other-eyes.ts')).judge,
};

export const recognise: OwnCommand = {
  name: '__recognise',
  summary: 'Recognise the words of a picture, as another pdftool says',
  hidden: true,
  build: (command, leaf) => leaf(command.argument('<languages>').argument('<dpi>')),
  load: async () => (await import('../children/recognise.ts')).recognise,
};
