// Lines of help and man pages that can be copied, by command. A test parses each of them.
const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  '': [
    'pdftool merge chapter*.pdf -o book.pdf',
    'pdftool split report.pdf --ranges 1-3,7-',
    'pdftool compress scan.pdf --target 200KB',
    'pdftool markdown manual.pdf > manual.md',
    'pdftool info report.pdf --json',
  ],
  info: ['pdftool info report.pdf', 'pdftool info *.pdf --json'],
  merge: [
    'pdftool merge cover.pdf report.pdf -o all.pdf',
    'pdftool merge page*.pdf --sort natural --bookmarks',
    'pdftool merge @list.txt -o - > all.pdf',
  ],
  split: [
    'pdftool split report.pdf',
    'pdftool split report.pdf --ranges 1-3,7- -o parts',
    'pdftool split report.pdf --at-pages 10,20 -o parts.zip',
  ],
  rotate: [
    'pdftool rotate scan.pdf --angle 90',
    'pdftool rotate scan.pdf --angle 180 --pages even',
    'pdftool rotate *.pdf --angle -90 --out-dir turned -j 4',
  ],
  encrypt: [
    'pdftool encrypt report.pdf --user-password-file password.txt',
    'pdftool encrypt report.pdf --owner-password-file owner.txt --allow print,copy',
  ],
  decrypt: ['pdftool decrypt locked.pdf --password-file password.txt -o open.pdf'],
  compress: [
    'pdftool compress report.pdf',
    'pdftool compress scan.pdf --target 200KB --require-target',
    'pdftool compress *.pdf --out-dir small -j 4 --skip-existing',
  ],
  'merge-compress': ['pdftool merge-compress a.pdf b.pdf --target 1MB -o small.pdf'],
  'images-to-pdf': ['pdftool images-to-pdf page*.jpg --sort natural -o scan.pdf'],
  'images-to-pdf-compress': ['pdftool images-to-pdf-compress *.png --target 500KB -o scan.pdf'],
  'to-images': [
    'pdftool to-images report.pdf',
    'pdftool to-images report.pdf --pages 5-6 --dpi 300 -o pages.zip',
    'pdftool to-images report.pdf --pages 1 --format jpeg --width 400 -o cover.jpg',
  ],
  images: ['pdftool images report.pdf -o pictures', 'pdftool images report.pdf --list'],
  ocr: [
    'pdftool ocr scan.pdf',
    'pdftool ocr scan.pdf --language eng+deu -o searchable.pdf --text words.jsonl',
    'pdftool ocr languages add deu',
  ],
  stamp: [
    'pdftool stamp report.pdf --text Draft --rotation 45 --opacity 0.2 --size 120',
    'pdftool stamp letter.pdf --pdf letterhead.pdf --under --pages 1',
    'pdftool stamp report.pdf --image logo.png --position top-right --scale 0.5',
  ],
  number: [
    'pdftool number report.pdf --format "{page} of {pages}"',
    'pdftool number case.pdf --format "A{page:6}" --start 1201 --position right',
  ],
  'form show': ['pdftool form show application.pdf', 'pdftool form show application.pdf --json > data.json'],
  'form fill': [
    'pdftool form fill application.pdf --data data.json --flatten',
    'pdftool form fill letter.pdf --data people.csv --each --name "{Name}" -o letters',
  ],
  'form flatten': ['pdftool form flatten application.pdf'],
  nup: [
    'pdftool nup slides.pdf --per-sheet 4 --border',
    'pdftool nup program.pdf --per-sheet 2 --booklet --paper Letter',
  ],
  crop: ['pdftool crop article.pdf --auto --margin 10', 'pdftool crop scan.pdf --top 40 --bottom 40'],
  resize: ['pdftool resize report.pdf --paper A4 --margin 20'],
  blank: ['pdftool blank report.pdf --after 1,z', 'pdftool blank report.pdf --first --count 2'],
  optimize: ['pdftool optimize report.pdf --linearize'],
  compare: ['pdftool compare old.pdf new.pdf', 'pdftool compare old.pdf new.pdf --html differences.html'],
  overlay: ['pdftool overlay form.pdf --pdf answers.pdf'],
  'extract-text': ['pdftool extract-text report.pdf | less', 'pdftool extract-text *.pdf --out-dir text'],
  'to-json': ['pdftool to-json report.pdf -o report.json'],
  markdown: [
    'pdftool markdown manual.pdf -o manual.md',
    'pdftool markdown manual.pdf --mode rag --output-format jsonl > chunks.jsonl',
  ],
  'voice-preview': ['pdftool voice-preview "Chapter one." -o sample.mp3'],
  audiobook: ['pdftool audiobook book.pdf', 'pdftool audiobook book.pdf --page-range 1-20 --output-format m4b'],
  narrate: ['pdftool narrate slides.pdf -o slides.mp4'],
  'translate-and-speak': ['pdftool translate-and-speak book.pdf --target-language hi'],
  account: ['pdftool account', 'pdftool account --json'],
  openapi: ['pdftool openapi --remote > openapi.json'],
  'pages explain': ['pdftool pages explain 1-3,r2-', 'pdftool pages explain odd,x3 report.pdf'],
  auth: ['pdftool auth login --base-url https://service.example', 'pdftool auth status'],
  'auth login': ['pdftool auth login --base-url https://service.example', 'pdftool auth login --with-token < key.txt'],
  'auth status': ['pdftool auth status --offline'],
  config: ['pdftool config set engine local', 'pdftool config list'],
  'config set': ['pdftool config set engine local', 'pdftool config set max_credits 5'],
  mcp: [
    'pdftool mcp --root ~/Documents',
    'pdftool mcp install --client claude-desktop --root ~/Documents',
    'pdftool mcp tools',
    'pdftool mcp --max-credits 20',
  ],
  'mcp tools': ['pdftool mcp tools --json'],
  'mcp install': ['pdftool mcp install --client cursor', 'pdftool mcp install --client codex --print'],
  doctor: ['pdftool doctor', 'pdftool doctor --online'],
  api: ['pdftool api GET /api/v1/account', 'pdftool api POST /api/v1/pdf-info -F file=@report.pdf'],
  completion: [
    'source <(pdftool completion bash)',
    'pdftool completion zsh > ~/.zfunc/_pdftool',
    'pdftool completion fish > ~/.config/fish/completions/pdftool.fish',
  ],
  help: ['pdftool help merge', 'pdftool help exit-codes'],
  jobs: ['pdftool jobs list', 'pdftool jobs watch'],
  'jobs watch': ['pdftool jobs watch', 'pdftool jobs watch 1f0c7a52d3-1 --notify'],
  'jobs wait': ['pdftool jobs wait --timeout 10m --json'],
  workflow: [
    'pdftool workflow compress large.pdf',
    'pdftool workflow folder reports --detach',
    'pdftool workflow submit source_pack manual.pdf --option mode=rag',
    'pdftool workflow resume',
  ],
  redact: [
    'pdftool redact inspect letter.pdf --find "Jane Doe" --kinds email,phone',
    'pdftool redact review letter.pdf --regions regions.json --html',
    'pdftool redact apply letter.pdf --regions regions.json',
    'pdftool redact check letter-redacted.pdf --regions regions.json --find "Jane Doe"',
  ],
};

/** Examples of the command at a path; none where there are none. */
export function examplesOf(path: readonly string[]): readonly string[] {
  return EXAMPLES[path.join(' ')] ?? [];
}
