import type { InputOf, ResultOf } from '../../contract/operation.ts';
import type { metaShow } from '../../contract/operations/metadata.ts';
import type { Context } from '../../contract/ports.ts';
import { otherInfo, readInfo } from '../../pdf/document/information.ts';
import { type Source, withSources } from '../../pdf/read/source.ts';
import { catalogOf } from '../../pdf/structure/input.ts';
import { METADATA_KEYS, type MetadataKey, readXmp, valuesInXmp } from '../../pdf/structure/metadata.ts';

export function run({ file: input }: InputOf<typeof metaShow>, ctx: Context): Promise<ResultOf<typeof metaShow>> {
  return withSources([input], ctx, async (sources) => {
    const [{ file }] = sources as [Source];
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
}

/** A date may be written to the second or to the day, and a zone as Z or as +00:00. */
function agree(key: MetadataKey, info: string | undefined, xmp: string | undefined): boolean {
  const isDate = key === 'created' || key === 'modified';
  if (info === undefined || xmp === undefined || !isDate) return (info ?? '') === (xmp ?? '');
  const [a, b] = [Date.parse(info), Date.parse(xmp)];
  return Math.abs(a - b) < 1000 || info.startsWith(xmp) || xmp.startsWith(info);
}
