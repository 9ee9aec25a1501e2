import type { ByteSource, BytesResult, Context } from '../../contract/ports.ts';
import { changeCatalog } from '../../pdf/copy/catalog.ts';
import { readInfo } from '../../pdf/document/information.ts';
import type { Source } from '../../pdf/read/source.ts';
import { catalogOf } from '../../pdf/structure/input.ts';
import { type Metadata, newXmp, type Pending, pendingXmp, placeInfo, placeXmp } from '../../pdf/structure/metadata.ts';
import type { Writer } from '../../pdf/write/writer.ts';
import { editDocument } from './edit.ts';

/** Puts new values into the information dictionary and the XMP packet; a document without a packet gets one. */
export function editMetadata(file: ByteSource, values: Metadata, ctx: Context): Promise<BytesResult> {
  let info: Pending | undefined;
  const edit = {
    info: (copier: Parameters<typeof placeInfo>[0]) => {
      const placed = placeInfo(copier, values);
      info = placed.pending;
      return placed.num;
    },
    async prepare(copier: Parameters<typeof placeInfo>[0], source: Source) {
      if (info !== undefined) await write(copier.writer, info);
      const edited = placeXmp(copier, catalogOf(source.file).get('Metadata'), values);
      // Where values were taken away alone, there is nothing that a new packet would be for.
      const isSet = Object.values(values).some((value) => typeof value === 'string');
      const isNew = edited.text === '' && isSet;
      const placed = isNew ? pendingXmp(copier, newXmp({ ...readInfo(source.file), ...values })) : edited;
      if (placed.pending !== undefined) await write(copier.writer, placed.pending);
      const text = placed.text === '' ? undefined : placed.text.replace('/Metadata ', '');
      changeCatalog(copier, new Map([['Metadata', text]]));
    },
  };
  return editDocument(file, ['meta set', values], edit, ctx);
}

async function write(writer: Writer, { num, dict, bytes }: Pending): Promise<void> {
  if (bytes === undefined) {
    await writer.object(num, dict);
    return;
  }
  writer.begin(num, true);
  writer.text(`${dict}stream\n`);
  writer.bytes(bytes);
  writer.text('\nendstream');
  await writer.end();
}
