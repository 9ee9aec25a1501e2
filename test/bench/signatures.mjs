// Verdicts on the signed files of pyHanko's and esig/dss's tests, beside what these tests state, and beside pdfsig.
//   node test/bench/signatures.mjs PYHANKO DSS      (folders with the files of the two repositories; built program)
// A file counts as intact where every signature and timestamp in it is, whoever is trusted. What is stated: all files of
// these tests but those below are intact, by `status.intact`, `modification_level` and `docmdp_ok` in pyHanko's tests, and by
// `isBLevelTechnicallyValid`, `getPdfUndefinedChanges` and `getPdfPageDifferenceConcernedPages` in those of DSS.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { verify } from '../../dist/library.mjs';

/** Files of which a test states that a signature does not hold, that it was changed, or that it cannot be read. */
const NOT_INTACT = {
  pyHanko: `extensions-indirect-not-all-paths form-update-override-appearance-stream-sneaky
    form-update-override-appearance-stream-ap-indirect-sneaky form-update-no-override-appearance-stream-ap-indirect-sneaky
    form-update-ap-indirect-sneaky-trailer pdf-sig-with-econtent base one-byterange signature-gap-too-big tail-uncovered
    weird-byterange`,
  DSS: `annotation-and-visible-change hide replace pdf-signed-out-of-byteRange Signature-P-HU_NET-2 pdf-signed-added-page
    pdf-signed-corrupted siwa wrong-digest-algo pdf-removed-pages pades-5-signatures-and-1-document-timestamp DSS-2821
    PAdES-BpB-att-SHA256-SHA3_224withRSA PAdES-BpB-att-SHA256-SHA3_256withRSA hello_signed_INCSAVE_signed_EDITED pdf-eof
    pades-enveloping-empty-bytes-cms pades-enveloping-cms pades-bes-no-certificates BadEncodedCMS malformed-pades
    pdf-byterange-overlap pades-lta-copied-doctst pades-t-duplicated-doctst pdf-spoofing-attack
    pades-spoofing-replaced-reason pades-unsupported-signature-algorithm modified_after_signature pdf-with-empty-sig
    pdf-with-two-empty-sigs pades-signed-annot-added pades_infinite_loop pades_opposite_infinite_loop
    retrieved-modified_after_signature`,
};
/** Files of which no test states anything about later changes, or whose encryption no reader here knows. */
const UNSTATED = /pubkey|^test-with-vri$|^CZ$|embedded-encrypted/;
const PASSWORDS = { pyHanko: ['usersecret', 'ownersecret'], DSS: [' '] };

const folders = { pyHanko: process.argv[2], DSS: process.argv[3] };
if (folders.DSS === undefined) {
  process.stderr.write('usage: signatures.mjs PYHANKO DSS\n');
  process.exitCode = 2;
} else {
  for (const [source, folder] of Object.entries(folders)) table(source, folder);
}

async function table(source, folder) {
  const stated = new Set(NOT_INTACT[source].split(/\s+/));
  const count = { files: 0, agree: 0, falseIntact: 0, falseAlarm: 0, pdfsigAgree: 0, pdfsigFalseIntact: 0 };
  for (const name of readdirSync(folder, { recursive: true }).sort()) {
    const stem = basename(name, '.pdf');
    if (!name.endsWith('.pdf') || UNSTATED.test(stem)) continue;
    const path = join(folder, name);
    const seen = await ours(path, PASSWORDS[source]);
    const isStated = stated.has(stem);
    if (seen === 'unsigned' || (seen === 'unread' && !isStated)) continue;
    const other = byPdfsig(path);
    count.files++;
    if ((seen === 'intact') !== isStated) count.agree++;
    else if (isStated) count.falseIntact++;
    else count.falseAlarm++;
    if ((other === 'intact') !== isStated) count.pdfsigAgree++;
    else if (isStated) count.pdfsigFalseIntact++;
    if ((seen === 'intact') === isStated) process.stdout.write(`  ${source} ${name}: ${seen}, pdfsig ${other}\n`);
  }
  const share = (part) => `${((100 * part) / count.files).toFixed(1)} %`;
  process.stdout.write(
    `${source}: ${count.files} files; agreement ${share(count.agree)}, false intact ${count.falseIntact}, ` +
      `false alarms ${count.falseAlarm}; pdfsig ${share(count.pdfsigAgree)}, false intact ${count.pdfsigFalseIntact}\n`,
  );
}

async function ours(path, passwords) {
  try {
    const { signatures } = await verify(path, { password: (_, attempt) => passwords[attempt - 1] });
    if (signatures.length === 0) return 'unsigned';
    return signatures.every(({ verdict }) => verdict === 'valid' || verdict === 'untrusted') ? 'intact' : 'not intact';
  } catch {
    return 'unread';
  }
}

function byPdfsig(path) {
  const { stdout } = spawnSync('pdfsig', ['-nocert', path], { encoding: 'utf8' });
  const said = [...stdout.matchAll(/Signature Validation: (.*)/g)].map(([, words]) => words);
  if (said.length === 0) return 'unread';
  // pdfsig 22.12 does not check timestamps of documents.
  return said.every((words) => /is Valid|not yet been verified/.test(words)) ? 'intact' : 'not intact';
}
