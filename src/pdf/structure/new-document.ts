import type { Draft, Part, Temp } from '../../contract/base/ports.ts';
import { Assembly, objectsOf, withoutPages, writerOptions } from '../file/copy/assemble.ts';
import { Copier } from '../file/copy/copier.ts';
import { Pruner } from '../file/copy/unused-resources.ts';
import type { Pace } from '../file/read/pace.ts';
import { checked } from '../file/write/check.ts';
import { markDamage } from '../syntax/damage.ts';
import { DocumentStructure, type StructureOptions } from './document-structure.ts';
import { type Input, pickedCount, picking, readOnce } from './input.ts';
import type { PageRun } from './labels.ts';

interface DocumentOptions extends StructureOptions {
  /** The order of the pages, as indexes of added pages, where it differs from that in which they are added. */
  readonly order?: readonly number[] | undefined;
}

/** A document made of pages of others, with all that belongs to them: `add` every input in order, then `finish`. */
export class NewDocument {
  readonly pages: number;
  private readonly inputs: readonly Input[];
  private readonly pace: Pace;
  private readonly options: DocumentOptions;
  private readonly assembly: Assembly;
  private readonly structure: DocumentStructure;

  constructor(draft: Draft, inputs: readonly Input[], pace: Pace, options: DocumentOptions = {}) {
    const whole = inputs.filter(({ picked }) => picked === undefined);
    this.inputs = inputs;
    this.pace = pace;
    this.options = options;
    this.pages = inputs.reduce((sum, input) => sum + pickedCount(input), 0);
    this.assembly = new Assembly(draft, {
      ...writerOptions(inputs, options.parts !== true && inputs.some(hasManyObjects)),
      ...(whole.length === 0 ? {} : { expected: objectsOf(whole) }),
    });
    this.structure = new DocumentStructure(inputs, this.assembly.writer, options);
  }

  get objects(): number {
    return this.assembly.writer.count;
  }

  get warnings(): readonly string[] {
    return this.structure.warnings;
  }

  add(input: Input): Promise<void> {
    const { file, tree, picked } = input;
    const { assembly, structure, pace } = this;
    return markDamage(file, async () => {
      // References must not bring along pages that are left out.
      const map = picked === undefined ? undefined : readOnce(input, withoutPages);
      const copier = new Copier(file, assembly.writer, map, this.options.parts);
      const pages = picked?.places.flatMap((place) => tree.pages[place] ?? []);
      const placed = { copier, pages: assembly.reserve(input, copier, pages) };
      structure.place(input, placed);
      if (pages === undefined) await assembly.graft(input, copier, placed.pages, pace);
      else {
        const isMost = pages.length * 2 > tree.pages.length;
        const pruner = isMost && this.options.parts !== true ? undefined : readOnce(input, prunerOf);
        await assembly.pick(pages, copier, placed.pages, pace, pruner, (_, at) => structure.pageEntries(input, at));
      }
      await structure.copy(input, placed, pace);
      copier.restore();
    });
  }

  /** Writes what belongs to the whole document and ends the file. Inputs are not read any more. `id`: in hexadecimal. */
  async finish(id: string): Promise<void> {
    const { order } = this.options;
    const { assembly, structure } = this;
    if (order !== undefined) assembly.arrange(order);
    const entries = await structure.write(order === undefined ? this.runs() : this.arrangedRuns(order));
    await assembly.finish(id, structure.infoNumber, entries);
  }

  private *runs(): Generator<PageRun> {
    for (const input of this.inputs) {
      if (input.picked === undefined) yield { input, place: 0, count: pickedCount(input) };
      else yield* runsOf(input, input.picked.places);
    }
  }

  private *arrangedRuns(order: readonly number[]): Generator<PageRun> {
    const all = this.inputs.flatMap((input) => {
      const places = input.picked?.places ?? input.tree.pages.map((_, place) => place);
      return places.map((place) => ({ input, place, count: 1 }));
    });
    for (const at of order) {
      const run = all[at];
      if (run !== undefined) yield run;
    }
  }
}

/** The pages as runs of consecutive pages. */
function* runsOf(input: Input, places: readonly number[]): Generator<PageRun> {
  let from = 0;
  for (let i = 1; i <= places.length; i++) {
    const [before = 0, place] = [places[i - 1], places[i]];
    if (place === before + 1) continue;
    yield { input, place: places[from] ?? 0, count: i - from };
    from = i;
  }
}

/** Bookmarks and names are small objects, which may outnumber all others. */
function hasManyObjects({ catalog }: Input): boolean {
  return catalog.has('Outlines') || catalog.has('Names') || catalog.has('Dests');
}

function prunerOf({ file, tree }: Input): Pruner {
  return new Pruner(file, tree.pages);
}

export class NewParts {
  objects = 0;
  readonly parts: Part[] = [];
  readonly warnings = new Set<string>();
  private readonly whole: Input;
  private readonly temp: Temp;
  private readonly pace: Pace;

  constructor(whole: Input, temp: Temp, pace: Pace) {
    this.whole = whole;
    this.temp = temp;
    this.pace = pace;
    whole.file.windows.holdMore();
  }

  /** A part with the pages at these indexes. `id`: in hexadecimal. */
  async add(name: string, places: readonly number[], id: string): Promise<void> {
    const draft = this.temp.create(name);
    const picked = picking(this.whole, places);
    const document = new NewDocument(draft, [picked], this.pace, { parts: true });
    await document.add(picked);
    await document.finish(id);
    this.objects += document.objects;
    for (const warning of document.warnings) this.warnings.add(warning);
    this.parts.push({ name, body: await checked(draft.finish(), places.length), pages: places.length });
    if (this.pace.isOver()) await this.pace.yield();
  }
}
