import { useEffect, useRef, useState } from 'preact/hooks';
import { OWN_LIMITS } from '../contract/limits.ts';
import type { Document } from './documents.ts';
import type { ServiceClient } from './service.ts';
import { unzip } from './zip.ts';

/** Pages drawn per request. */
const BATCH = OWN_LIMITS.thumbnails;
/** Pixels: twice the CSS width, for high-resolution screens. */
const WIDTH = 200;

interface Props {
  readonly document: Document;
  readonly service: ServiceClient;
  /** `isRange`: all pages from the last marked one. */
  readonly onMark: (page: number, isRange: boolean) => void;
  /** Moves a page to a position in the order. */
  readonly onMove: (page: number, to: number) => void;
}

/** Thumbnails of a document, drawn when they scroll into view. */
export function Thumbnails({ document, service, onMark, onMove }: Props) {
  const { pageCount = 0, order } = document;
  const pages = order ?? Array.from({ length: pageCount }, (_, index) => index + 1);
  const [pictures, setPictures] = useState<ReadonlyMap<number, string>>(new Map());
  const asked = useRef(new Set<number>());
  const addresses = useRef<string[]>([]);
  useEffect(() => () => addresses.current.forEach(URL.revokeObjectURL), []);

  const draw = async (batch: number) => {
    if (asked.current.has(batch)) return;
    asked.current.add(batch);
    const first = batch * BATCH + 1;
    const drawn = await drawPages(service, document, first, Math.min(first + BATCH - 1, pageCount));
    addresses.current.push(...drawn.map(([, address]) => address));
    setPictures((old) => new Map([...old, ...drawn]));
  };

  return (
    <ol class="pages" aria-label={`Pages of ${document.name}`}>
      {pages.map((page, index) => (
        <Thumbnail
          key={page}
          page={page}
          picture={pictures.get(page)}
          isMarked={document.marked.has(page)}
          onSeen={() => draw(Math.floor((page - 1) / BATCH))}
          onMark={(isRange) => onMark(page, isRange)}
          onMove={(by) => onMove(page, by > 0 ? index + 2 : index - 1)}
          onDrop={(dragged) => onMove(dragged, index)}
        />
      ))}
    </ol>
  );
}

interface ThumbnailProps {
  readonly page: number;
  readonly picture: string | undefined;
  readonly isMarked: boolean;
  readonly onSeen: () => void;
  readonly onMark: (isRange: boolean) => void;
  /** By one position, to the left or to the right. */
  readonly onMove: (by: -1 | 1) => void;
  readonly onDrop: (dragged: number) => void;
}

function Thumbnail({ page, picture, isMarked, onSeen, onMark, onMove, onDrop }: ThumbnailProps) {
  const place = useRef<HTMLLIElement>(null);
  useEffect(() => {
    const watcher = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      watcher.disconnect();
      onSeen();
    });
    if (place.current !== null) watcher.observe(place.current);
    return () => watcher.disconnect();
  }, [page]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return;
    event.preventDefault();
    onMove(event.key === 'ArrowLeft' ? -1 : 1);
  };
  const drop = (event: DragEvent) => {
    const dragged = Number(event.dataTransfer?.getData('application/x-pdftool-page'));
    if (!Number.isInteger(dragged) || dragged < 1) return;
    event.preventDefault();
    event.stopPropagation();
    onDrop(dragged);
  };
  return (
    <li ref={place}>
      <button
        type="button"
        class="page"
        aria-pressed={isMarked}
        aria-label={`Page ${page}`}
        draggable
        onClick={(event) => onMark(event.shiftKey)}
        onKeyDown={onKeyDown}
        onDragStart={(event) => event.dataTransfer?.setData('application/x-pdftool-page', String(page))}
        onDragOver={(event) => event.preventDefault()}
        onDrop={drop}
      >
        {picture === undefined ? <span class="paper" /> : <img src={picture} alt="" />}
        <span>{page}</span>
      </button>
    </li>
  );
}

/** Thumbnail URLs by page number; empty where drawing fails, since the rest of the page still works. */
async function drawPages(service: ServiceClient, document: Document, first: number, last: number) {
  const pages = Array.from({ length: last - first + 1 }, (_, index) => first + index).join(',');
  const values = { pages, width: String(WIDTH), format: 'webp' };
  try {
    const file = ['file', document.blob, document.name] as const;
    const { blob } = await service.run({ path: '/page/thumbnails' }, values, [file]);
    const pictures = await unzip(blob);
    return pictures.map(({ name, content }, index): [number, string] => {
      const page = Number(/(\d+)\.\w+$/.exec(name)?.[1] ?? first + index);
      return [page, URL.createObjectURL(new Blob([content], { type: 'image/webp' }))];
    });
  } catch {
    return [];
  }
}
