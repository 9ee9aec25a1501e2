// doctor must work with a damaged configuration, and reporting a problem is no failure.

import { Failure } from '../../../contract/base/failure.ts';
import { spelled } from '../../../contract/base/wording.ts';
import { asCommandLine } from '../../../contract/spelling.ts';
import { describeMachine, type Finding, modeOf } from '../../../runtime/processes/machine.ts';
import { addPackages } from '../../../runtime/processes/npm.ts';
import { openConfig } from '../../../runtime/settings/config.ts';
import { keysPath } from '../../../runtime/settings/keys.ts';
import { readProxies } from '../../../runtime/settings/network.ts';
import { readSettings, type Settings } from '../../../runtime/settings/settings.ts';
import { readAccount } from '../../engines/read-account.ts';
import type { OwnCall } from '../../line/call.ts';
import type { Flags } from '../../line/flags.ts';

type Remote = typeof import('../../../remote/entry.ts');

export async function run(call: OwnCall): Promise<number> {
  if (call.options.install !== undefined) await installSpeech(call);
  const findings = [...(await checkup(call.flags)), ...(await voices(call)), await words(call)];
  if (call.options.online === true) findings.push(await service(settingsFor(call.flags), call));
  const ok = findings.every(({ state }) => state !== 'wrong');
  if (call.flags.json) call.streams.json({ ok, checks: findings });
  else {
    const width = Math.max(...findings.map(({ what }) => what.length));
    const signs = { ok: 'ok     ', missing: '-      ', wrong: 'WRONG  ' };
    call.streams.out(
      findings.map(({ what, state, found }) => `${signs[state]}${what.padEnd(width)}  ${found}\n`).join(''),
    );
  }
  return 0;
}

async function installSpeech({ signal, messages }: OwnCall): Promise<void> {
  const { SPEECH_PACKAGES } = await import('../../../speech/audio/packages.ts');
  await addPackages({
    packages: Object.entries(SPEECH_PACKAGES).map(([name, version]) => `${name}@${version}`),
    hint: 'Or fetch them where there is a network, and name their folder in PDFTOOL_PACKAGES_DIR.',
    signal,
    note: (line) => messages.note(line),
  });
}

/** Findings that need no request. */
export async function checkup(flags: Flags): Promise<Finding[]> {
  const remote = await import('../../../remote/entry.ts');
  const settings = settingsFor(flags);
  const stored = attempt(() => openConfig().list());
  return [
    ...describeMachine(),
    file('configuration', openConfig().path, stored),
    file('stored keys', keysPath(), settings),
    { what: 'local engine', state: 'ok', found: 'built in; it needs no other program' },
    key(settings, remote),
    baseUrl(settings, remote),
    proxies(),
  ];
}

function settingsFor(flags: Flags): Settings | Failure {
  return attempt(() => readSettings({ ...flags, local: false, remote: true }));
}

function attempt<T>(read: () => T): T | Failure {
  try {
    return read();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

function file(what: string, path: string, content: unknown): Finding {
  if (content instanceof Failure && content.message.includes(path))
    return { what, state: 'wrong', found: content.message };
  const mode = modeOf(path);
  if (mode === undefined) return { what, state: 'missing', found: `${path} is not there` };
  if ((mode & 0o077) === 0) return { what, state: 'ok', found: `${path}, mode ${mode.toString(8)}` };
  return { what, state: 'wrong', found: `${path} can be read by others (mode ${mode.toString(8)}): chmod 600 ${path}` };
}

function key(settings: Settings | Failure, { isWellFormed, kindOf, maskKey }: Remote): Finding {
  const what = 'API key';
  if (settings instanceof Failure) return { what, state: 'wrong', found: settings.message };
  const { apiKey, keySource = '' } = settings;
  if (apiKey === undefined) return { what, state: 'missing', found: 'none; set one with pdftool auth login' };
  if (!isWellFormed(apiKey)) return { what, state: 'wrong', found: `the key of ${keySource} is malformed` };
  return { what, state: 'ok', found: `${maskKey(apiKey)} (${kindOf(apiKey)}), from ${keySource}` };
}

function baseUrl(settings: Settings | Failure, { parseBaseUrl }: Remote): Finding {
  const what = 'base URL';
  if (settings instanceof Failure) return { what, state: 'missing', found: 'not known: the settings cannot be read' };
  if (settings.baseUrl === undefined) {
    return { what, state: 'missing', found: 'none; set one with pdftool config set base_url https://…' };
  }
  const url = attempt(() => parseBaseUrl(settings.baseUrl));
  return url instanceof Failure ? { what, state: 'wrong', found: url.message } : { what, state: 'ok', found: url.href };
}

async function voices({ signal }: OwnCall): Promise<Finding[]> {
  const [{ speechMeans }, { speechEngines }] = await Promise.all([
    import('../../children/means.ts'),
    import('../../../speech/voices/catalogue.ts'),
  ]);
  const findings: Finding[] = [];
  for (const engine of speechEngines({ ...(await speechMeans(false)), signal })) {
    const detected = await engine.detect();
    const what = `voices: ${engine.id}`;
    if ('version' in detected) findings.push({ what, state: 'ok', found: detected.version });
    else findings.push({ what, state: 'missing', found: `${detected.why}; to have it: ${engine.install}` });
  }
  return findings;
}

/** The recogniser of `ocr`. */
async function words({ signal }: OwnCall): Promise<Finding> {
  const what = 'words in pictures';
  const [{ findRecogniser, systemTesseract }, { otherPrograms }] = await Promise.all([
    import('../../../ocr/recogniser.ts'),
    import('../../children/means.ts'),
  ]);
  const machine = await otherPrograms();
  try {
    const { name } = await findRecogniser('eng', { ...machine, signal });
    const system = await systemTesseract(machine.programs, signal);
    const languages = system === undefined ? '' : `, with ${system.languages.join(', ')}`;
    return { what, state: 'ok', found: `${name}${languages}` };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { what, state: 'missing', found: `${error.message}. ${spelled(error.hint ?? '', asCommandLine)}` };
  }
}

function proxies(): Finding {
  const { http, https, no } = readProxies();
  // The address of a proxy is not shown: it may hold a password.
  const set = [http && 'HTTP_PROXY', https && 'HTTPS_PROXY', no && 'NO_PROXY'].filter((name) => name);
  return { what: 'proxy', state: 'ok', found: set.length === 0 ? 'none' : `set by ${set.join(', ')}` };
}

async function service(settings: Settings | Failure, call: OwnCall): Promise<Finding> {
  const what = 'service';
  if (settings instanceof Failure) return { what, state: 'wrong', found: 'not asked: the settings cannot be read' };
  try {
    const { credits_remaining } = await readAccount(settings, call);
    return { what, state: 'ok', found: `answers; ${String(credits_remaining)} credits left` };
  } catch (error) {
    if (!(error instanceof Failure) || call.signal.aborted) throw error;
    return { what, state: 'wrong', found: error.message };
  }
}
