import { Failure } from '../../contract/base/failure.ts';
import type { ByteSource, BytesResult, Context } from '../../contract/base/ports.ts';
import type { metaClear, metaSet, metaShow } from '../../contract/operations/edit/metadata.ts';
import { otherInfo, readInfo } from '../../pdf/edit/document/information.ts';
import { type Copier, DROPPED } from '../../pdf/file/copy/copier.ts';
import type { LostClaims } from '../../pdf/file/drop-claim.ts';
import type { Source } from '../../pdf/file/open.ts';
import { catalogOf } from '../../pdf/file/read/entries.ts';
import {
  METADATA_KEYS,
  type Metadata,
  type MetadataKey,
  newXmp,
  type Pending,
  pendingXmp,
  placeInfo,
  placeXmp,
  readXmp,
  valuesInXmp,
  writePending,
} from '../../pdf/structure/metadata.ts';
import { isIsoDate } from '../../pdf/syntax/dates.ts';
import type { Handler } from '../frame/handler.ts';
import { withSource } from '../frame/with-source.ts';
import { editDocument } from './edit.ts';

export const showMetadata: Handler<typeof metaShow> = ({ file: input }, ctx) => {
  return withSource(input, ctx, async ({ file }) => {
    const info = readInfo(file);
    const packet = readXmp(file, catalogOf(file).get('Metadata'));
    const xmp = packet === undefined ? {} : valuesInXmp(packet);
    const values = Object.fromEntries(METADATA_KEYS.map((key) => [key, info[key] ?? xmp[key] ?? null]));
    const differ = packet === undefined ? [] : METADATA_KEYS.filter((key) => !agree(key, info[key], xmp[key]));
    const custom = otherInfo(file);
    const record = {
      ok: true,
      ...values,
      ...(Object.keys(custom).length === 0 ? {} : { custom }),
      xmp: packet !== undefined,
      ...(differ.length === 0 ? {} : { differ: Object.fromEntries(differ.map((key) => [key, xmp[key] ?? null])) }),
    };
    return { kind: 'record', record };
  });
};

/** Whether both places say the same. Dates may be written to the second or to the day, and UTC as Z or as +00:00. */
function agree(key: MetadataKey, info: string | undefined, xmp: string | undefined): boolean {
  const isDate = key === 'created' || key === 'modified';
  if (info === undefined || xmp === undefined || !isDate) return (info ?? '') === (xmp ?? '');
  const [a, b] = [Date.parse(info), Date.parse(xmp)];
  return Math.abs(a - b) < 1000 || info.startsWith(xmp) || xmp.startsWith(info);
}

export const setMetadata: Handler<typeof metaSet> = async (input, ctx) => {
  const { file, incremental, ...values } = input;
  for (const key of ['created', 'modified'] as const) {
    const value = values[key];
    if (value === undefined || isIsoDate(value)) continue;
    throw new Failure('usage', `${key}: expected a date, found ${value}`, {
      hint: 'Write it as 2026-11-22 or 2026-11-22T21:40:00+01:00.',
    });
  }
  const given: Metadata = Object.fromEntries(
    METADATA_KEYS.flatMap((key) => (values[key] === undefined ? [] : [[key, values[key]]])),
  );
  return editMetadata(file, given, ctx, incremental);
};

export const clearMetadata: Handler<typeof metaClear> = async ({ file, fields }, ctx) => {
  if (fields !== undefined) {
    const keys = fields.split(/[\s,]+/).map((word) => keyOf(word));
    return editMetadata(file, Object.fromEntries(keys.map((key) => [key, null])), ctx);
  }
  const edit = {
    info: () => DROPPED,
    prepare: (copier: Copier) => copier.planCatalog(new Map([['Metadata', undefined]])),
  };
  return editDocument(file, ['meta clear'], edit, ctx);
};

function keyOf(word: string): MetadataKey {
  const key = METADATA_KEYS.find((known) => known === word.toLowerCase());
  if (key !== undefined) return key;
  throw new Failure('usage', `there is no metadata named '${word}'`, {
    hint: `There are ${METADATA_KEYS.join(', ')}.`,
  });
}

/** Writes new values into the information dictionary and the XMP packet, which is added where it is missing. */
function editMetadata(file: ByteSource, values: Metadata, ctx: Context, incremental?: boolean): Promise<BytesResult> {
  let info: Pending | undefined;
  const edit = {
    incremental,
    loses: (): LostClaims => (values.title === null ? { 'PDF/UA': { why: 'it has no title' } } : {}),
    info: (copier: Parameters<typeof placeInfo>[0]) => {
      const placed = placeInfo(copier, values);
      info = placed.pending;
      return placed.num;
    },
    async prepare(copier: Parameters<typeof placeInfo>[0], source: Source) {
      if (info !== undefined) await writePending(copier.writer, info);
      const edited = placeXmp(copier, catalogOf(source.file).get('Metadata'), values);
      // A new packet is not needed where values were only removed.
      const isSet = Object.values(values).some((value) => typeof value === 'string');
      const isNew = edited.text === '' && isSet;
      const placed = isNew ? pendingXmp(copier, newXmp({ ...readInfo(source.file), ...values })) : edited;
      if (placed.pending !== undefined) await writePending(copier.writer, placed.pending);
      const text = placed.text === '' ? undefined : placed.text.replace('/Metadata ', '');
      copier.planCatalog(new Map([['Metadata', text]]));
    },
  };
  return editDocument(file, ['meta set', values], edit, ctx);
}
