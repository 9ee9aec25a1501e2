// The page for people without a terminal: its files, what it asks first, and pictures of pages.
import { choice, file, pages, requiredInteger } from '../../contract/field.ts';
import { OWN_LIMITS } from '../../contract/limits.ts';
import { PDF } from '../../contract/media.ts';
import type { ServiceOperation } from '../../contract/operation.ts';
import type { Route } from '../http/app.ts';
import { jsonAnswer } from '../http/exchange.ts';
import type { Service } from '../service/service.ts';
import { operate } from './operate.ts';
import { assertOwnPage } from './tools.ts';

/** The page, as `pdftool serve` offers it. */
export interface Page {
  /** A file of the page; undefined where it is not there. */
  readonly read: (name: string) => Promise<string | undefined>;
  /** The key that it works with, so that nobody types one. */
  readonly key: string | undefined;
}

const FILES: Readonly<Record<string, readonly [name: string, type: string]>> = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/page/page.js': ['page.js', 'text/javascript; charset=utf-8'],
  '/page/page.css': ['page.css', 'text/css; charset=utf-8'],
};

/** Everything comes from this server; pictures, sound and downloads are made in the page (`blob:`). No other site frames it. */
const HEADERS = {
  'Content-Security-Policy':
    "default-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
} as const;

/** Pixels. Small enough that nobody takes it for the operation, which costs a credit. */
const WIDEST = 240;
/** Pages of one request. */
const MOST_PAGES = 24;

/** `hasAdmin`: there is an account area for the operator. */
export function pageRoutes(service: Service, page: Page, hasAdmin: boolean): Route[] {
  const toImages = service.rows.find(({ name }) => name === 'to-images');
  return [
    ...Object.entries(FILES).map(
      ([path, [name, type]]): Route => ({
        method: 'GET',
        path,
        async handle() {
          const text = (await page.read(name)) ?? '';
          return { status: 200, headers: { 'Content-Type': type, ...HEADERS }, body: { text } };
        },
      }),
    ),
    {
      method: 'GET',
      path: '/page/about',
      async handle({ incoming }) {
        // The key must not be read by pages of other sites.
        assertOwnPage(incoming, service);
        return jsonAnswer(200, { ok: true, version: service.version, key: page.key, admin: hasAdmin });
      },
    },
    ...(toImages === undefined ? [] : [thumbnailRoute(service, toImages)]),
  ];
}

/** Pages as small pictures in a ZIP archive, for nothing: the page could not be used without them. */
function thumbnailRoute(service: Service, toImages: ServiceOperation): Route {
  const op: ServiceOperation = {
    ...toImages,
    path: '/page/thumbnails',
    cost: { credits: 0 },
    // Only some pages are drawn, so that a document may have any number.
    limits: { outputBytes: OWN_LIMITS.toImagesZip },
    input: {
      file: file('The PDF', { types: [PDF] }),
      pages: { ...pages('Pages to draw', { most: MOST_PAGES }), required: true },
      width: requiredInteger('Pixels', { min: 16, max: WIDEST }),
      format: choice('Kind of picture', { values: ['webp'], default: 'webp' }),
    },
  };
  return { method: 'POST', path: op.path, op, handle: (exchange) => operate(op, exchange, service) };
}
