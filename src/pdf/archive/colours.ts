// Fixes device colours (ISO 19005-2, 6.2.3, 6.2.4): an output intent covers its device; others get a profile.
import { profileFacts } from '../images/colour-profile.ts';
import { Dict, dictOf, Name, PdfString, Ref, type Value } from '../syntax/values.ts';
import type { ObjectChanges } from './changes.ts';
import { broken, type Conversion, refuse } from './job.ts';
import { srgbProfile } from './profiles.ts';

const MOST_PROFILE = 32 << 20;
/** The kind of output intent that covers a device space. */
const DEVICES: Readonly<Record<string, string>> = { DeviceRGB: 'RGB', DeviceCMYK: 'CMYK' };
const DEVICE_COLOURS = 'colours of a device that no output intent covers';
/** The index of an inner colour space in the array of one. */
const INNER: Readonly<Record<string, number>> = { Separation: 2, DeviceN: 2, Indexed: 1, Pattern: 1 };

/** Gives the document an output intent: its own where PDF/A accepts it, else one for print or sRGB. */
export function fixIntents(job: Conversion, catalog: Dict): boolean {
  const { changes } = job;
  const given = changes.list(catalog.get('OutputIntents'));
  const intents = given.map((item) => changes.dict(item));
  const archival = intents.find(
    (candidate) => changes.name(candidate, 'S') === 'GTS_PDFA1' && coloursOf(changes, candidate) !== undefined,
  );
  const chosen = archival ?? intents.find((candidate) => coloursOf(changes, candidate) !== undefined);
  job.intent = coloursOf(changes, chosen) ?? (job.isCheck ? 'none' : 'RGB');
  const profile = chosen?.get('DestOutputProfile') ?? changes.add(new Dict([['N', 3]]), srgbProfile());
  // All output intents of a file must share one profile (6.2.3).
  const kept = given.filter((_, i) => {
    const other = intents[i]?.get('DestOutputProfile');
    return intents[i] === archival || (other instanceof Ref && profile instanceof Ref && other.num === profile.num);
  });
  if (archival !== undefined && kept.length === given.length) return false;
  broken(job, '6.2.3', 'an output intent that PDF/A does not take', given.length > 0);
  const name = new PdfString(Buffer.from(chosen === undefined ? 'sRGB' : 'Custom'));
  const kind = { Type: new Name('OutputIntent'), S: new Name('GTS_PDFA1') };
  const fresh = dictOf({ ...kind, OutputConditionIdentifier: name, Info: name, DestOutputProfile: profile });
  catalog.set('OutputIntents', archival === undefined ? [...kept, changes.add(fresh)] : kept);
  return true;
}

/** The colours of an output intent with an acceptable profile; undefined for another. */
function coloursOf(changes: ObjectChanges, intent: Dict | undefined): string | undefined {
  const facts = factsOf(changes, intent?.get('DestOutputProfile'));
  const isFit = facts !== undefined && /^(?:prtr|mntr)$/.test(facts.kind) && facts.version < 5;
  return isFit && /^(?:RGB|CMYK|GRAY)$/.test(facts.space) ? facts.space : undefined;
}

function factsOf(changes: ObjectChanges, profile: Value | undefined) {
  if (!(profile instanceof Ref) || changes.dict(profile)?.has('Length') !== true) return undefined;
  return profileFacts(changes.file.streamBytes(profile.num, MOST_PROFILE)?.bytes ?? new Uint8Array());
}

/** The replacement of a device space; undefined where it is covered, or is none. */
function profiled(job: Conversion, value: Value | undefined): Ref | undefined {
  const device = value instanceof Name ? value.value : '';
  const covered = DEVICES[device];
  if (covered === undefined || covered === job.intent) return undefined;
  const known = job.profiles.get(device);
  if (known !== undefined) return known;
  const stream = new Dict([['N', device === 'DeviceCMYK' ? 4 : 3]]);
  const profile = job.changes.add(stream, device === 'DeviceCMYK' ? job.cmykProfile : srgbProfile());
  const made = job.changes.add([new Name('ICCBased'), profile]);
  job.profiles.set(device, made);
  return made;
}

/** Fixes colour spaces that are entries of a dictionary; left out, those of pictures, shadings and groups. */
export function fixColourKeys(job: Conversion, dict: Dict, keys: Iterable<string> = ['ColorSpace', 'CS']): boolean {
  let changed = false;
  for (const key of keys) {
    const instead = profiled(job, dict.get(key));
    if (instead === undefined) continue;
    dict.set(key, instead);
    changed = broken(job, '6.2.4.3', DEVICE_COLOURS);
  }
  return changed;
}

/** Fixes colour spaces in resources: named ones, and defaults for operators that set device colours. */
export function fixResources(job: Conversion, resources: Dict): boolean {
  const { changes, devices } = job;
  const spaces = new Dict(changes.dict(resources.get('ColorSpace')) ?? []);
  let changed = fixColourKeys(job, spaces, spaces.keys());
  if (spaces.has('DefaultRGB') || spaces.has('DefaultCMYK')) job.hasDefaults = true;
  for (const device of devices.keys()) {
    const key = device.replace('Device', 'Default');
    const instead = spaces.has(key) ? undefined : profiled(job, new Name(device));
    if (instead === undefined) continue;
    spaces.set(key, instead);
    changed = true;
  }
  if (changed) resources.set('ColorSpace', spaces);
  return changed;
}

/** Notes device colours that operators set and no output intent covers. */
export function noteDevices(job: Conversion): void {
  for (const [device, page] of job.devices) {
    job.page = page;
    broken(job, '6.2.4.3', DEVICE_COLOURS, DEVICES[device] !== job.intent);
  }
  if (!job.hasDefaults) return;
  for (const [key, { what }] of job.findings) if (what === DEVICE_COLOURS) job.findings.delete(key);
}

export function fixColourSpace(job: Conversion, space: Value[]): boolean {
  const kind = space[0] instanceof Name ? space[0].value : '';
  if (kind === 'ICCBased') return fixProfile(job, space);
  const at = INNER[kind];
  if (at === undefined) return false;
  if (kind === 'DeviceN') refuseUnknownColorants(job, space);
  const instead = profiled(job, space[at]);
  if (instead !== undefined) space[at] = instead;
  return broken(job, '6.2.4.3', DEVICE_COLOURS, instead !== undefined);
}

/** A profile that PDF/A does not accept is replaced by one for as many components. */
function fixProfile(job: Conversion, space: Value[]): boolean {
  const { changes } = job;
  const [, profile] = space;
  const components = changes.number(changes.dict(profile), 'N');
  if (!(profile instanceof Ref) || profile.num >= changes.file.xref.size) return false;
  const facts = factsOf(changes, profile);
  const wanted = { RGB: 3, Lab: 3, GRAY: 1, CMYK: 4 }[facts?.space ?? ''];
  const isFit = facts !== undefined && /^(?:prtr|mntr|scnr|spac)$/.test(facts.kind) && facts.version < 5;
  if (isFit && wanted === components) return false;
  broken(job, '6.2.4.2', 'a colour profile that PDF/A does not take');
  if (components === 1) {
    space.splice(0, 2, new Name('CalGray'), new Dict([['WhitePoint', [0.9505, 1, 1.089]]]));
    return true;
  }
  const bytes = components === 4 ? job.cmykProfile : srgbProfile();
  space[1] = changes.add(new Dict([['N', components ?? 3]]), bytes);
  return true;
}

/** Each spot colour of a DeviceN space must be in its attributes (6.2.4.4). */
function refuseUnknownColorants(job: Conversion, space: readonly Value[]): void {
  const { changes } = job;
  const attributes = changes.dict(space[4]);
  const known = changes.dict(attributes?.get('Colorants'));
  const process = changes.list(changes.dict(attributes?.get('Process'))?.get('Components'));
  const ofProcess = process.flatMap((colorant) => (colorant instanceof Name ? colorant.value : []));
  const plain = new Set([...ofProcess, 'None', 'All', 'Cyan', 'Magenta', 'Yellow', 'Black']);
  for (const item of changes.list(space[1])) {
    if (!(item instanceof Name) || plain.has(item.value) || known?.has(item.value) === true) continue;
    refuse(job, '6.2.4.4', `the spot colour ${item.value} of a DeviceN colour space is not described`);
  }
}
