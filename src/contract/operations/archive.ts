import { choice, file, flag } from '../field.ts';
import { PDF } from '../media.ts';
import { operation } from '../operation.ts';
import { edited } from './edited.ts';

const ARCHIVE_LEVELS = ['pdfa-2b', 'pdfa-2u', 'pdfa-3b'] as const;

export const archive = operation({
  ...edited('-archive'),
  name: 'archive',
  group: 'edit',
  path: '/api/v1/archive-pdf',
  summary: 'Make a PDF/A for archives and courts',
  description:
    'Makes a PDF/A of a PDF: what breaks a rule is put right, or taken out and told. Pages, text, bookmarks, links, fields, tags and layers stay. What cannot be put right is refused, with the reason',
  work: 'copy',
  input: {
    file: file('The PDF', { types: [PDF] }),
    to: choice('Part and level of the standard; 3b may hold files', { values: ARCHIVE_LEVELS, default: 'pdfa-2b' }),
    substitute_fonts: flag('A font that is neither in the file nor has a metric twin is replaced by the nearest one'),
  },
  tools: { archive_pdf: { when: 'Use it where PDF/A is asked for; it says what had to go.' } },
});
