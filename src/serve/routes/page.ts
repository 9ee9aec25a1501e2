// The web page: its files, its start data, and thumbnails.

import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Failure } from '../../contract/base/failure.ts';
import { choice, file, integer, pages, required } from '../../contract/field.ts';
import { LIMITS, OWN_LIMITS } from '../../contract/limits.ts';
import { PDF } from '../../contract/media.ts';
import type { ServiceOperation } from '../../contract/operation.ts';
import { redactReview } from '../../contract/operations/edit/redaction.ts';
import { resultBlob } from '../blobs/blobs.ts';
import type { Route } from '../http/app.ts';
import { jobOfCaller } from '../http/auth.ts';
import { jsonAnswer } from '../http/exchange.ts';
import type { Service } from '../service/service.ts';
import { operate } from './operate.ts';
import { assertOwnPage } from './tools.ts';

/** The web page that `pdftool serve` offers. */
export interface WebPage {
  /** A file of the page; undefined where missing. */
  readonly read: (name: string) => Promise<string | undefined>;
  /** The key that the page uses without asking. */
  readonly key: string | undefined;
}

/** The frame for HTML results: reports and reviews with scripts and styles of their own. */
const VIEW = '/page/view';

const FILES: Readonly<Record<string, readonly [name: string, type: string]>> = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/page/page.js': ['page.js', 'text/javascript; charset=utf-8'],
  '/page/page.css': ['page.css', 'text/css; charset=utf-8'],
  [VIEW]: ['view.html', 'text/html; charset=utf-8'],
};

/** Everything comes from this server; pictures, sound and downloads are made in the page (`blob:`). No framing. */
const HEADERS = {
  'Content-Security-Policy':
    "default-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
} as const;

/** The frame is sandboxed: it can reach neither the page and its key nor any server. */
const VIEW_POLICY =
  "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'";

/** Pixels. Too small to replace the operation, which costs a credit. */
const WIDEST = 240;

/** `hasAdmin`: there is an account area. */
export function pageRoutes(service: Service, page: WebPage, hasAdmin: boolean): Route[] {
  const toImages = service.rows.find(({ name }) => name === 'to-images');
  return [
    ...Object.entries(FILES).map(
      ([path, [name, type]]): Route => ({
        method: 'GET',
        path,
        async handle() {
          const text = (await page.read(name)) ?? '';
          return {
            status: 200,
            headers: {
              'Content-Type': type,
              ...HEADERS,
              ...(path === VIEW ? { 'Content-Security-Policy': VIEW_POLICY } : {}),
            },
            body: { text },
          };
        },
      }),
    ),
    {
      method: 'GET',
      path: '/page/about',
      async handle({ incoming }) {
        // Pages of other sites must not read the key.
        assertOwnPage(incoming, service);
        return jsonAnswer(200, { ok: true, version: service.version, key: page.key, admin: hasAdmin });
      },
    },
    ...(toImages === undefined ? [] : [thumbnailRoute(service, toImages), reviewRoute(service, toImages)]),
  ];
}

/** Free thumbnails in a ZIP archive, without which the page would be useless. */
function thumbnailRoute(service: Service, toImages: ServiceOperation): Route {
  const op: ServiceOperation = {
    ...toImages,
    path: '/page/thumbnails',
    cost: { credits: 0 },
    // Only some pages are drawn, so a document may have any number.
    limits: { outputBytes: OWN_LIMITS.toImagesZip },
    input: {
      file: file('The PDF', { types: [PDF] }),
      pages: { ...pages('Pages to draw', { most: OWN_LIMITS.thumbnails }), required: true },
      width: required(integer('Pixels', { min: 16, max: WIDEST })),
      format: choice('Kind of picture', { values: ['webp'], default: 'webp' }),
    },
  };
  return { method: 'POST', path: op.path, op, handle: (exchange) => operate(op, exchange, service) };
}

/** The review page of an inspection, only for the inspected document, whose job has paid for it. */
function reviewRoute(service: Service, toImages: ServiceOperation): Route {
  const { store, blobs, workflows } = service;
  const { pages: most = LIMITS.workflowRedactionPages, inputBytes = LIMITS.workflowRedactionInput } =
    workflows.redaction ?? {};
  const { file } = redactReview.input;
  const overrides = {
    path: '/page/review',
    cost: { credits: 0 },
    limits: { inputBytes, pages: most },
    input: { file },
  } as const;
  const op: ServiceOperation = { ...toImages, ...redactReview, ...overrides };
  return {
    method: 'POST',
    path: op.path,
    op,
    async handle(exchange) {
      const id = exchange.query.get('job') ?? '';
      const job = await jobOfCaller(exchange, service, () => store.job(id));
      const { workflow, options, result } = job;
      if (workflow !== 'redaction' || options.mode !== 'inspect' || result === undefined) {
        throw new Failure('conflict', 'this job has no regions to review');
      }
      const into = new PassThrough();
      const reading = blobs.read(resultBlob(result.name), into, 0, result.bytes).then(() => into.end());
      const [regions] = await Promise.all([text(into), reading]);
      return operate(op, exchange, service, { options: JSON.parse(regions), format: 'html' });
    },
  };
}
