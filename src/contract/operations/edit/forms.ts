import { file, flag, object, optionalFile, text } from '../../field.ts';
import { CREDITS, OWN_LIMITS } from '../../limits.ts';
import { CSV, FDF, JSON_TYPE, OTF, PDF, TTF, ZIP } from '../../media.ts';
import { operation } from '../../operation.ts';
import { incremental } from '../../shared-entries.ts';

const shared = {
  group: 'edit',
  method: 'POST',
  work: 'read',
  body: 'multipart',
  limits: { inputBytes: OWN_LIMITS.editInput },
  success: 200,
  failures: ['usage', 'unauthenticated', 'out_of_credits', 'too_large', 'unprocessable'],
  local: true,
  extension: true,
} as const;

export const formShow = operation({
  ...shared,
  name: 'form-show',
  summary: 'List the fields of a form with their values',
  description: 'Lists the fields of a form: name, type, value, and possible values. form fill reads its JSON',
  cost: { credits: 0 },
  input: { file: file('The PDF', { types: [PDF] }) },
  outputs: { fields: { kind: 'record', mediaType: JSON_TYPE, record: 'form-fields', text: 'table' } },
  replay: 'free',
  tools: { form_show: { when: 'Use it before form_fill, to learn the names and possible values of fields.' } },
});

export const formFill = operation({
  ...shared,
  name: 'form-fill',
  summary: 'Fill the fields of a form',
  description:
    'Fills fields by name: texts, check boxes (true or false), buttons and choices by their values. It draws the values, so that every viewer shows the same',
  cost: { credits: CREDITS.standard },
  input: {
    file: file('The PDF', { types: [PDF] }),
    data: optionalFile('Values by name: JSON, CSV with the names in its first line, or FDF', {
      types: [JSON_TYPE, CSV, FDF],
    }),
    values: object('Values by name, such as {"Name":"Ada","Agreed":true}'),
    each: flag('One PDF for each line of a CSV, or each object of a JSON list'),
    name: text('Names of those PDFs, such as "{Name}-{n}": {n} counts them, other words are fields', {
      default: '{n}',
      maxLength: 200,
    }),
    flatten: flag('Make the values part of the pages, so that nobody can change them'),
    font_file: optionalFile('Font file for letters that the fonts of the form lack', { types: [TTF, OTF] }),
    incremental,
  },
  needsOneOf: ['data', 'values'],
  exclusive: [
    ['values', 'each'],
    ['flatten', 'incremental'],
  ],
  outputs: {
    pdf: { kind: 'bytes', mediaType: PDF, stem: { suffix: '-filled' } },
    each: { kind: 'parts', mediaType: ZIP, partTypes: [PDF], stem: { suffix: '-filled' } },
  },
  outputBy: 'each',
  replay: 'never',
  tools: { form_fill: { when: 'Use it with values, names as form_show tells them.' } },
});

export const formFlatten = operation({
  ...shared,
  name: 'form-flatten',
  summary: 'Make form fields part of their pages',
  description: 'Draws the values of fields on their pages, and removes the fields',
  cost: { credits: CREDITS.standard },
  input: { file: file('The PDF', { types: [PDF] }) },
  outputs: { pdf: { kind: 'bytes', mediaType: PDF, stem: { suffix: '-flat' } } },
  replay: 'never',
  tools: { form_flatten: { when: 'Use it on a filled form that nobody is to change any more.' } },
});
