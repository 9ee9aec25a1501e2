// veraPDF as a judge of PDF/A and PDF/UA. It comes in the jar of an npm package, and with some jars of Debian; it is no part
// of the product, whose tests alone run it.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Jars of Debian's libjaxb-java, libistack-commons-java, libtxw2-java, libstax-ex-java and libfastinfoset-java. */
const JARS =
  /^(jaxb-runtime|jaxb-core|istack-commons-runtime|txw2|stax-ex|FastInfoset|jakarta\.activation)([-.\d]*)?\.jar$/;

/** The class path, or why there is none. PDFTOOL_VERAPDF_JARS names other folders for the jars of Debian. */
export function judgeClasses() {
  if (spawnSync('java', ['-version']).status !== 0)
    return { why: 'java is missing (apt install default-jdk-headless)' };
  const jar = packageJar();
  if (jar === undefined) return { why: 'npm install @opendataloader/pdf is missing' };
  const folders = (process.env.PDFTOOL_VERAPDF_JARS ?? '/usr/share/java').split(':').filter(existsSync);
  const jars = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => JARS.test(name))
      .map((name) => join(folder, name)),
  );
  if (!jars.some((name) => /jaxb-runtime/.test(name)))
    return { why: 'apt install libjaxb-java libfastinfoset-java is missing' };
  return { path: [jar, ...jars].join(':') };
}

function packageJar() {
  try {
    const main = createRequire(import.meta.url).resolve('@opendataloader/pdf');
    return join(dirname(main), '../lib/opendataloader-pdf-cli.jar');
  } catch {
    return process.env.PDFTOOL_VERAPDF; // A jar beside the project.
  }
}

/**
 * Judges files. `files`: pairs of a flavour (1b, 2u, 3b, 4, ua1 …) and a path. Resolves to a verdict each, in order:
 * { verdict: 'PASS' | 'FAIL' | 'ERR', rules }.
 */
export async function judge(files, { path } = judgeClasses()) {
  if (files.length === 0) return [];
  const options = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-cp', path];
  const child = spawn('java', [...options, join(import.meta.dirname, 'Judge.java')], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.end(files.map(([flavour, file]) => `${flavour}\t${file}\n`).join(''));
  let text = '';
  for await (const chunk of child.stdout) text += chunk;
  const lines = text.trim().split('\n');
  if (lines.length !== files.length) throw new Error(`veraPDF judged ${lines.length} of ${files.length} files`);
  return lines.map((line) => {
    const [verdict, , rules = ''] = line.split('\t');
    return { verdict, rules };
  });
}
