import { execFileSync, spawnSync } from 'node:child_process';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Entries = { [key: string]: Json };

export interface Seen {
  readonly pages: number;
  /** Bookmarks as depth, title and page (from 1, null where there is none), in order. */
  readonly outlines: readonly (readonly [depth: number, title: string, page: number | null])[];
  /** Named destinations as page, view and name, by poppler. */
  readonly destinations: readonly (readonly [page: number, view: string, name: string])[];
  readonly fields: readonly { readonly name: string; readonly type: string; readonly value: string }[];
  /** The label of each page. */
  readonly labels: readonly string[];
  /** Names of the files, and keys under which they are found. */
  readonly attachments: readonly { readonly key: string; readonly name: string }[];
  readonly layers: readonly { readonly name: string; readonly hidden: boolean }[];
  /** Links by page: the page and view each leads to; null where it leads to no page. */
  readonly links: readonly (readonly [page: number, target: string | null])[];
}

export function check(file: string): { status: number; text: string } {
  const { status, stdout, stderr } = spawnSync('qpdf', ['--check', file], { encoding: 'utf8' });
  return { status: status ?? -1, text: stdout + stderr };
}

/** The tags with the text they hold, as poppler shows them. */
export function tags(file: string): string {
  return execFileSync('pdfinfo', ['-struct-text', file], { encoding: 'utf8', maxBuffer: 1 << 28 });
}

/** The first page as pixels. */
export function firstPage(file: string, page = 1): string {
  const range = ['-f', String(page), '-l', String(page), '-r', '40', '-gray'];
  return execFileSync('pdftoppm', [...range, file], { encoding: 'latin1', maxBuffer: 1 << 28 });
}

function jsonOf(file: string, keys: readonly string[]): Entries {
  // qpdf exits with 3 where it warns; what it found is printed all the same.
  const { stdout } = spawnSync('qpdf', ['--json=2', ...keys.map((key) => `--json-key=${key}`), file], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return entries(JSON.parse(stdout));
}

/** The names of all destinations, also of those that lead nowhere. */
export function namesIn(file: string): string[] {
  return [...new Document(jsonOf(file, ['qpdf'])).names().keys()].map((name) => name.replace(/^[ub]:/, ''));
}

export function look(file: string): Seen {
  const json = jsonOf(file, ['qpdf', 'outlines', 'pagelabels', 'attachments', 'acroform', 'pages']);
  const document = new Document(json);
  const pages = list(json.pages);
  return {
    pages: pages.length,
    outlines: outlinesOf(list(json.outlines)),
    destinations: destinationsOf(file),
    fields: list(entries(json.acroform).fields).map((field) => {
      const { fullname, fieldtype, value } = entries(field);
      return {
        name: String(fullname),
        type: String(fieldtype),
        value: JSON.stringify(value).replace(/\d+ 0 R/g, 'reference'),
      };
    }),
    labels: labelsOf(list(json.pagelabels), pages.length),
    attachments: Object.entries(entries(json.attachments)).map(([key, value]) => {
      return { key, name: String(entries(value).preferredname) };
    }),
    layers: document.layers(),
    links: document.links(pages),
  };
}

function outlinesOf(items: readonly Json[], depth = 0): [number, string, number | null][] {
  return items.flatMap((item) => {
    const { title, destpageposfrom1, kids } = entries(item);
    const page = typeof destpageposfrom1 === 'number' ? destpageposfrom1 : null;
    return [[depth, String(title), page] as [number, string, number | null], ...outlinesOf(list(kids), depth + 1)];
  });
}

function destinationsOf(file: string): [number, string, string][] {
  const lines = execFileSync('pdfinfo', ['-dests', file], { encoding: 'latin1', maxBuffer: 1 << 28 }).split('\n');
  return lines.flatMap((line) => {
    const [, page, view, name] = /^\s*(\d+) (\[.*?\]) "(.*)"$/.exec(line) ?? [];
    return page === undefined ? [] : [[Number(page), view!, name!] as [number, string, string]];
  });
}

function labelsOf(ranges: readonly Json[], pages: number): string[] {
  const starts = ranges.map((range) => ({ index: Number(entries(range).index), label: entries(entries(range).label) }));
  return Array.from({ length: starts.length === 0 ? 0 : pages }, (_, page) => {
    const range = starts.findLast(({ index }) => index <= page);
    if (range === undefined) return '';
    const { label, index } = range;
    const number = Number(label['/St'] ?? 1) + page - index;
    return `${label['/P'] ?? ''}|${label['/S'] ?? ''}|${label['/S'] === undefined ? '' : number}`;
  });
}

/** Objects by number, as qpdf shows them. */
class Document {
  private readonly objects: Entries;

  constructor(json: Entries) {
    this.objects = entries(list(json.qpdf)[1]);
  }

  private get catalog(): Entries {
    return entries(this.get(entries(entries(this.objects.trailer).value)['/Root']));
  }

  /** The value itself, references followed. */
  get(value: Json | undefined): Json {
    let found = value ?? null;
    for (let hops = 0; hops < 10 && typeof found === 'string' && /^\d+ \d+ R$/.test(found); hops++) {
      const object = entries(this.objects[`obj:${found}`]);
      found = object.value ?? entries(object.stream).dict ?? null;
    }
    return found;
  }

  layers(): { name: string; hidden: boolean }[] {
    const properties = entries(this.get(this.catalog['/OCProperties']));
    const config = entries(this.get(properties['/D']));
    const off = list(this.get(config['/OFF']));
    const on = list(this.get(config['/ON']));
    const base = config['/BaseState'] === '/OFF';
    return list(this.get(properties['/OCGs'])).map((group) => ({
      name: String(this.get(entries(this.get(group))['/Name'])).replace(/^[ub]:/, ''),
      hidden: off.includes(group) || (base && !on.includes(group)),
    }));
  }

  links(pages: readonly Json[]): [number, string | null][] {
    const places = new Map(pages.map((page, i) => [String(entries(page).object), i + 1]));
    const names = this.names();
    return pages.flatMap((page, i) => {
      const annotations = list(this.get(entries(this.get(entries(page).object))['/Annots']));
      return annotations.flatMap((item): [number, string | null][] => {
        const annotation = entries(this.get(item));
        if (annotation['/Subtype'] !== '/Link') return [];
        const action = entries(this.get(annotation['/A']));
        const raw = annotation['/Dest'] ?? (action['/S'] === '/GoTo' ? action['/D'] : undefined);
        if (raw === undefined) return [];
        let target = this.get(raw);
        if (typeof target === 'string') target = this.get(names.get(target) ?? null);
        if (target !== null && typeof target === 'object' && !Array.isArray(target)) target = this.get(target['/D']);
        const [to, ...view] = list(target);
        const place = places.get(String(to));
        return [[i + 1, place === undefined ? null : `${place} ${JSON.stringify(view)}`]];
      });
    });
  }

  /** Destinations by name, in the tree and in the old dictionary. */
  names(): Map<string, Json> {
    const found = new Map<string, Json>(Object.entries(entries(this.get(this.catalog['/Dests']))));
    const todo: Json[] = [entries(this.get(this.catalog['/Names']))['/Dests'] ?? null];
    for (let item = todo.pop(); item !== undefined; item = todo.pop()) {
      const node = entries(this.get(item));
      const names = list(this.get(node['/Names']));
      for (let i = 0; i + 1 < names.length; i += 2) found.set(String(names[i]), names[i + 1]!);
      todo.push(...list(this.get(node['/Kids'])));
    }
    return found;
  }
}

function entries(value: Json | undefined): Entries {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
