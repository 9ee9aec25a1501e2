// What a release has besides the package: node scripts/release-files.mjs TARBALL OWNER/REPOSITORY FOLDER writes a formula for
// Homebrew, a manifest for Scoop, both for the tarball of that release, and an SBOM of what is installed.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const [tarball, repository, folder] = process.argv.slice(2);
if (folder === undefined || !/^[\w.-]+\/[\w.-]+$/.test(repository)) {
  process.stderr.write('usage: node scripts/release-files.mjs TARBALL OWNER/REPOSITORY FOLDER\n');
  process.exit(2);
}
const { version, description, license } = JSON.parse(readFileSync('package.json', 'utf8'));
const sha256 = createHash('sha256').update(readFileSync(tarball)).digest('hex');
const homepage = `https://github.com/${repository}`;
const name = basename(tarball);
const url = `${homepage}/releases/download/v${version}/${name}`;
const [summary] = description.split(':');

const formula = `class Pdftool < Formula
  desc "${summary.replace(/^The /, '').replace(/^./, (letter) => letter.toUpperCase())}"
  homepage "${homepage}"
  url "${url}"
  sha256 "${sha256}"
  license "${license}"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
    man1.install_symlink libexec.glob("lib/node_modules/pdftool/man/*.1")
    generate_completions_from_executable(bin/"pdftool", "completion")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/pdftool --version")
    assert_match "Usage: pdftool merge", shell_output("#{bin}/pdftool merge --help")
  end
end
`;

const manifest = {
  version,
  description: summary,
  homepage,
  license,
  depends: 'nodejs-lts',
  url: `${url}#/pdftool.tgz_`,
  hash: sha256,
  // A name that Scoop does not unpack: npm does.
  installer: {
    script: [
      'Rename-Item "$dir\\pdftool.tgz_" pdftool.tgz',
      'npm install --prefix "$dir" --no-audit --no-fund "$dir\\pdftool.tgz"',
    ],
  },
  bin: 'node_modules\\.bin\\pdftool.cmd',
  checkver: { github: homepage },
};

mkdirSync(folder, { recursive: true });
const write = (file, text) => writeFileSync(join(folder, file), text);
write('pdftool.rb', formula);
write('pdftool.json', `${JSON.stringify(manifest, undefined, 2)}\n`);
const sbom = ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'];
write(
  'pdftool.cdx.json',
  execFileSync('npm', sbom, { encoding: 'utf8', maxBuffer: 2 ** 26, shell: process.platform === 'win32' }),
);
process.stdout.write(`${sha256}  ${name}\n`);
