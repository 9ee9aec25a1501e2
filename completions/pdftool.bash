# bash completion for pdftool. Made by npm run derive from the program; changes belong there.

# The command that a word leads to from $1, in $path.
__pdftool_enter() {
  case "$1 $2" in
    ' info' | ' pdf-info') path='info' ;;
    ' merge') path='merge' ;;
    ' split') path='split' ;;
    ' rotate') path='rotate' ;;
    ' pages') path='pages' ;;
    ' encrypt' | ' protect') path='encrypt' ;;
    ' decrypt') path='decrypt' ;;
    ' meta') path='meta' ;;
    ' bookmarks') path='bookmarks' ;;
    ' labels') path='labels' ;;
    ' attach') path='attach' ;;
    ' compress') path='compress' ;;
    ' merge-compress') path='merge-compress' ;;
    ' images-to-pdf') path='images-to-pdf' ;;
    ' images-to-pdf-compress') path='images-to-pdf-compress' ;;
    ' to-images' | ' pdf-to-images') path='to-images' ;;
    ' images') path='images' ;;
    ' ocr' | ' ocr-pdf') path='ocr' ;;
    ' stamp') path='stamp' ;;
    ' number') path='number' ;;
    ' overlay') path='overlay' ;;
    ' nup' | ' n-up') path='nup' ;;
    ' crop') path='crop' ;;
    ' resize') path='resize' ;;
    ' blank') path='blank' ;;
    ' compare' | ' diff') path='compare' ;;
    ' verify') path='verify' ;;
    ' sign') path='sign' ;;
    ' timestamp') path='timestamp' ;;
    ' optimize') path='optimize' ;;
    ' archive') path='archive' ;;
    ' check') path='check' ;;
    ' invoice') path='invoice' ;;
    ' form') path='form' ;;
    ' extract-text' | ' text') path='extract-text' ;;
    ' to-json' | ' pdf-to-json') path='to-json' ;;
    ' markdown' | ' pdf-structured-markdown') path='markdown' ;;
    ' tables') path='tables' ;;
    ' voice-preview') path='voice-preview' ;;
    ' audiobook' | ' pdf-to-audiobook' | ' pdf-to-speech' | ' generate-audiobook') path='audiobook' ;;
    ' narrate' | ' presentation-narration') path='narrate' ;;
    ' translate-and-speak') path='translate-and-speak' ;;
    ' account') path='account' ;;
    ' openapi') path='openapi' ;;
    ' run') path='run' ;;
    ' jobs') path='jobs' ;;
    ' workflow') path='workflow' ;;
    ' redact') path='redact' ;;
    ' auth') path='auth' ;;
    ' config') path='config' ;;
    ' doctor') path='doctor' ;;
    ' api') path='api' ;;
    ' voices') path='voices' ;;
    ' completion') path='completion' ;;
    ' mcp') path='mcp' ;;
    ' serve') path='serve' ;;
    ' work') path='work' ;;
    ' help') path='help' ;;
    'pages take') path='pages take' ;;
    'pages drop') path='pages drop' ;;
    'pages reverse') path='pages reverse' ;;
    'pages order') path='pages order' ;;
    'pages explain') path='pages explain' ;;
    'meta show') path='meta show' ;;
    'meta set') path='meta set' ;;
    'meta clear') path='meta clear' ;;
    'bookmarks show') path='bookmarks show' ;;
    'bookmarks set') path='bookmarks set' ;;
    'bookmarks clear') path='bookmarks clear' ;;
    'labels show') path='labels show' ;;
    'labels set') path='labels set' ;;
    'labels clear') path='labels clear' ;;
    'attach list') path='attach list' ;;
    'attach add') path='attach add' ;;
    'attach extract') path='attach extract' ;;
    'attach remove') path='attach remove' ;;
    'ocr languages') path='ocr languages' ;;
    'ocr languages list') path='ocr languages list' ;;
    'ocr languages add') path='ocr languages add' ;;
    'invoice attach') path='invoice attach' ;;
    'invoice show') path='invoice show' ;;
    'form show') path='form show' ;;
    'form fill') path='form fill' ;;
    'form flatten') path='form flatten' ;;
    'jobs list') path='jobs list' ;;
    'jobs status') path='jobs status' ;;
    'jobs watch') path='jobs watch' ;;
    'jobs wait') path='jobs wait' ;;
    'jobs download') path='jobs download' ;;
    'jobs cancel') path='jobs cancel' ;;
    'jobs forget') path='jobs forget' ;;
    'workflow submit') path='workflow submit' ;;
    'workflow compress') path='workflow compress' ;;
    'workflow folder') path='workflow folder' ;;
    'workflow source-pack') path='workflow source-pack' ;;
    'workflow resume') path='workflow resume' ;;
    'redact inspect') path='redact inspect' ;;
    'redact review') path='redact review' ;;
    'redact apply') path='redact apply' ;;
    'redact check') path='redact check' ;;
    'auth login') path='auth login' ;;
    'auth logout') path='auth logout' ;;
    'auth status') path='auth status' ;;
    'config get') path='config get' ;;
    'config set') path='config set' ;;
    'config unset') path='config unset' ;;
    'config list') path='config list' ;;
    'config path') path='config path' ;;
    'mcp tools') path='mcp tools' ;;
    'mcp install') path='mcp install' ;;
    'serve keys') path='serve keys' ;;
    'serve credits') path='serve credits' ;;
    'serve migrate') path='serve migrate' ;;
    'serve move') path='serve move' ;;
    'serve keys create') path='serve keys create' ;;
    'serve keys list') path='serve keys list' ;;
    'serve keys revoke') path='serve keys revoke' ;;
    'serve credits grant') path='serve credits grant' ;;
    *) return 1 ;;
  esac
}

# What the value of option $2 of command $1 may be, in $what; fails where it takes none.
__pdftool_value() {
  what=none
  case "$2" in
    '-o' | '--output') what='files' && return 0 ;;
    '--max-credits') what='none' && return 0 ;;
    '--timeout') what='none' && return 0 ;;
    '--ca-cert') what='files pem crt' && return 0 ;;
    '--profile') what='asked profiles' && return 0 ;;
  esac
  case "$1 $2" in
    'info --pages') what='none' && return 0 ;;
    'info --sort') what='words given natural' && return 0 ;;
    'info --password-file') what='files' && return 0 ;;
    'info --password-for') what='files' && return 0 ;;
    'info --out-dir') what='folders' && return 0 ;;
    'info -j' | 'info --jobs') what='none' && return 0 ;;
    'merge --pages') what='none' && return 0 ;;
    'merge --title') what='none' && return 0 ;;
    'merge --author') what='none' && return 0 ;;
    'merge --subject') what='none' && return 0 ;;
    'merge --keywords') what='none' && return 0 ;;
    'merge --sort') what='words given natural' && return 0 ;;
    'merge --password-file') what='files' && return 0 ;;
    'merge --password-for') what='files' && return 0 ;;
    'split --at-pages') what='none' && return 0 ;;
    'split --ranges') what='none' && return 0 ;;
    'split --every') what='none' && return 0 ;;
    'split --by-bookmark') what='none' && return 0 ;;
    'split --max-size') what='none' && return 0 ;;
    'split --name') what='none' && return 0 ;;
    'split --sort') what='words given natural' && return 0 ;;
    'split --password-file') what='files' && return 0 ;;
    'split --password-for') what='files' && return 0 ;;
    'split --out-dir') what='folders' && return 0 ;;
    'split -j' | 'split --jobs') what='none' && return 0 ;;
    'rotate --pages') what='none' && return 0 ;;
    'rotate --angle') what='words 90 180 270 -90 -180 -270' && return 0 ;;
    'rotate --sort') what='words given natural' && return 0 ;;
    'rotate --password-file') what='files' && return 0 ;;
    'rotate --password-for') what='files' && return 0 ;;
    'rotate --out-dir') what='folders' && return 0 ;;
    'rotate -j' | 'rotate --jobs') what='none' && return 0 ;;
    'pages take --pages') what='none' && return 0 ;;
    'pages take --sort') what='words given natural' && return 0 ;;
    'pages take --password-file') what='files' && return 0 ;;
    'pages take --password-for') what='files' && return 0 ;;
    'pages take --out-dir') what='folders' && return 0 ;;
    'pages take -j' | 'pages take --jobs') what='none' && return 0 ;;
    'pages drop --pages') what='none' && return 0 ;;
    'pages drop --sort') what='words given natural' && return 0 ;;
    'pages drop --password-file') what='files' && return 0 ;;
    'pages drop --password-for') what='files' && return 0 ;;
    'pages drop --out-dir') what='folders' && return 0 ;;
    'pages drop -j' | 'pages drop --jobs') what='none' && return 0 ;;
    'pages reverse --pages') what='none' && return 0 ;;
    'pages reverse --sort') what='words given natural' && return 0 ;;
    'pages reverse --password-file') what='files' && return 0 ;;
    'pages reverse --password-for') what='files' && return 0 ;;
    'pages reverse --out-dir') what='folders' && return 0 ;;
    'pages reverse -j' | 'pages reverse --jobs') what='none' && return 0 ;;
    'pages order --pages') what='none' && return 0 ;;
    'pages order --sort') what='words given natural' && return 0 ;;
    'pages order --password-file') what='files' && return 0 ;;
    'pages order --password-for') what='files' && return 0 ;;
    'pages order --out-dir') what='folders' && return 0 ;;
    'pages order -j' | 'pages order --jobs') what='none' && return 0 ;;
    'pages explain --password-file') what='files' && return 0 ;;
    'encrypt --user-password-file') what='files' && return 0 ;;
    'encrypt --owner-password-file') what='files' && return 0 ;;
    'encrypt --allow') what='none' && return 0 ;;
    'encrypt --deny') what='none' && return 0 ;;
    'encrypt --sort') what='words given natural' && return 0 ;;
    'encrypt --password-file') what='files' && return 0 ;;
    'encrypt --password-for') what='files' && return 0 ;;
    'encrypt --out-dir') what='folders' && return 0 ;;
    'encrypt -j' | 'encrypt --jobs') what='none' && return 0 ;;
    'decrypt --sort') what='words given natural' && return 0 ;;
    'decrypt --password-file') what='files' && return 0 ;;
    'decrypt --password-for') what='files' && return 0 ;;
    'decrypt --out-dir') what='folders' && return 0 ;;
    'decrypt -j' | 'decrypt --jobs') what='none' && return 0 ;;
    'meta show --sort') what='words given natural' && return 0 ;;
    'meta show --password-file') what='files' && return 0 ;;
    'meta show --password-for') what='files' && return 0 ;;
    'meta show --out-dir') what='folders' && return 0 ;;
    'meta show -j' | 'meta show --jobs') what='none' && return 0 ;;
    'meta set --title') what='none' && return 0 ;;
    'meta set --author') what='none' && return 0 ;;
    'meta set --subject') what='none' && return 0 ;;
    'meta set --keywords') what='none' && return 0 ;;
    'meta set --creator') what='none' && return 0 ;;
    'meta set --producer') what='none' && return 0 ;;
    'meta set --created') what='none' && return 0 ;;
    'meta set --modified') what='none' && return 0 ;;
    'meta set --sort') what='words given natural' && return 0 ;;
    'meta set --password-file') what='files' && return 0 ;;
    'meta set --password-for') what='files' && return 0 ;;
    'meta set --out-dir') what='folders' && return 0 ;;
    'meta set -j' | 'meta set --jobs') what='none' && return 0 ;;
    'meta clear --fields') what='none' && return 0 ;;
    'meta clear --sort') what='words given natural' && return 0 ;;
    'meta clear --password-file') what='files' && return 0 ;;
    'meta clear --password-for') what='files' && return 0 ;;
    'meta clear --out-dir') what='folders' && return 0 ;;
    'meta clear -j' | 'meta clear --jobs') what='none' && return 0 ;;
    'bookmarks show --sort') what='words given natural' && return 0 ;;
    'bookmarks show --password-file') what='files' && return 0 ;;
    'bookmarks show --password-for') what='files' && return 0 ;;
    'bookmarks show --out-dir') what='folders' && return 0 ;;
    'bookmarks show -j' | 'bookmarks show --jobs') what='none' && return 0 ;;
    'bookmarks set --bookmarks') what='none' && return 0 ;;
    'bookmarks set --sort') what='words given natural' && return 0 ;;
    'bookmarks set --password-file') what='files' && return 0 ;;
    'bookmarks set --password-for') what='files' && return 0 ;;
    'bookmarks set --out-dir') what='folders' && return 0 ;;
    'bookmarks set -j' | 'bookmarks set --jobs') what='none' && return 0 ;;
    'bookmarks clear --sort') what='words given natural' && return 0 ;;
    'bookmarks clear --password-file') what='files' && return 0 ;;
    'bookmarks clear --password-for') what='files' && return 0 ;;
    'bookmarks clear --out-dir') what='folders' && return 0 ;;
    'bookmarks clear -j' | 'bookmarks clear --jobs') what='none' && return 0 ;;
    'labels show --sort') what='words given natural' && return 0 ;;
    'labels show --password-file') what='files' && return 0 ;;
    'labels show --password-for') what='files' && return 0 ;;
    'labels show --out-dir') what='folders' && return 0 ;;
    'labels show -j' | 'labels show --jobs') what='none' && return 0 ;;
    'labels set --labels') what='none' && return 0 ;;
    'labels set --sort') what='words given natural' && return 0 ;;
    'labels set --password-file') what='files' && return 0 ;;
    'labels set --password-for') what='files' && return 0 ;;
    'labels set --out-dir') what='folders' && return 0 ;;
    'labels set -j' | 'labels set --jobs') what='none' && return 0 ;;
    'labels clear --sort') what='words given natural' && return 0 ;;
    'labels clear --password-file') what='files' && return 0 ;;
    'labels clear --password-for') what='files' && return 0 ;;
    'labels clear --out-dir') what='folders' && return 0 ;;
    'labels clear -j' | 'labels clear --jobs') what='none' && return 0 ;;
    'attach list --sort') what='words given natural' && return 0 ;;
    'attach list --password-file') what='files' && return 0 ;;
    'attach list --password-for') what='files' && return 0 ;;
    'attach list --out-dir') what='folders' && return 0 ;;
    'attach list -j' | 'attach list --jobs') what='none' && return 0 ;;
    'attach add --description') what='none' && return 0 ;;
    'attach add --relationship') what='words source data alternative supplement unspecified' && return 0 ;;
    'attach add --sort') what='words given natural' && return 0 ;;
    'attach add --password-file') what='files' && return 0 ;;
    'attach add --password-for') what='files' && return 0 ;;
    'attach extract --name') what='none' && return 0 ;;
    'attach extract --sort') what='words given natural' && return 0 ;;
    'attach extract --password-file') what='files' && return 0 ;;
    'attach extract --password-for') what='files' && return 0 ;;
    'attach extract --out-dir') what='folders' && return 0 ;;
    'attach extract -j' | 'attach extract --jobs') what='none' && return 0 ;;
    'attach remove --name') what='none' && return 0 ;;
    'attach remove --sort') what='words given natural' && return 0 ;;
    'attach remove --password-file') what='files' && return 0 ;;
    'attach remove --password-for') what='files' && return 0 ;;
    'attach remove --out-dir') what='folders' && return 0 ;;
    'attach remove -j' | 'attach remove --jobs') what='none' && return 0 ;;
    'compress --target') what='none' && return 0 ;;
    'compress --pages') what='none' && return 0 ;;
    'compress --quality') what='none' && return 0 ;;
    'compress --dpi') what='none' && return 0 ;;
    'compress --sort') what='words given natural' && return 0 ;;
    'compress --password-file') what='files' && return 0 ;;
    'compress --password-for') what='files' && return 0 ;;
    'compress --out-dir') what='folders' && return 0 ;;
    'compress -j' | 'compress --jobs') what='none' && return 0 ;;
    'merge-compress --target') what='none' && return 0 ;;
    'merge-compress --quality') what='none' && return 0 ;;
    'merge-compress --dpi') what='none' && return 0 ;;
    'merge-compress --sort') what='words given natural' && return 0 ;;
    'merge-compress --password-file') what='files' && return 0 ;;
    'merge-compress --password-for') what='files' && return 0 ;;
    'images-to-pdf --page-size') what='words fit A4 Letter' && return 0 ;;
    'images-to-pdf --margin') what='none' && return 0 ;;
    'images-to-pdf --dpi') what='none' && return 0 ;;
    'images-to-pdf --sort') what='words given natural' && return 0 ;;
    'images-to-pdf-compress --target') what='none' && return 0 ;;
    'images-to-pdf-compress --page-size') what='words fit A4 Letter' && return 0 ;;
    'images-to-pdf-compress --margin') what='none' && return 0 ;;
    'images-to-pdf-compress --quality') what='none' && return 0 ;;
    'images-to-pdf-compress --dpi') what='none' && return 0 ;;
    'images-to-pdf-compress --sort') what='words given natural' && return 0 ;;
    'to-images --pages') what='none' && return 0 ;;
    'to-images --format') what='words png jpeg webp' && return 0 ;;
    'to-images --dpi') what='none' && return 0 ;;
    'to-images --width') what='none' && return 0 ;;
    'to-images --height') what='none' && return 0 ;;
    'to-images --quality') what='none' && return 0 ;;
    'to-images --sort') what='words given natural' && return 0 ;;
    'to-images --password-file') what='files' && return 0 ;;
    'to-images --password-for') what='files' && return 0 ;;
    'to-images --out-dir') what='folders' && return 0 ;;
    'to-images -j' | 'to-images --jobs') what='none' && return 0 ;;
    'images --pages') what='none' && return 0 ;;
    'images --sort') what='words given natural' && return 0 ;;
    'images --password-file') what='files' && return 0 ;;
    'images --password-for') what='files' && return 0 ;;
    'images --out-dir') what='folders' && return 0 ;;
    'images -j' | 'images --jobs') what='none' && return 0 ;;
    'ocr --language') what='none' && return 0 ;;
    'ocr --pages') what='none' && return 0 ;;
    'ocr --rotate-pages') what='words auto off' && return 0 ;;
    'ocr --deskew') what='words text page' && return 0 ;;
    'ocr --to') what='words pdfa-2b pdfa-2u pdfa-3b' && return 0 ;;
    'ocr --text') what='none' && return 0 ;;
    'ocr --sort') what='words given natural' && return 0 ;;
    'ocr --password-file') what='files' && return 0 ;;
    'ocr --password-for') what='files' && return 0 ;;
    'ocr --out-dir') what='folders' && return 0 ;;
    'ocr -j' | 'ocr --jobs') what='none' && return 0 ;;
    'stamp --text') what='none' && return 0 ;;
    'stamp --image') what='files png jpg jpeg' && return 0 ;;
    'stamp --pdf') what='files pdf' && return 0 ;;
    'stamp --pages') what='none' && return 0 ;;
    'stamp --position') what='words center top bottom left right top-left top-right bottom-left bottom-right' && return 0 ;;
    'stamp --margin') what='none' && return 0 ;;
    'stamp --rotation') what='none' && return 0 ;;
    'stamp --opacity') what='none' && return 0 ;;
    'stamp --scale') what='none' && return 0 ;;
    'stamp --font') what='words Helvetica Helvetica-Bold Helvetica-Oblique Helvetica-BoldOblique Times-Roman Times-Bold Times-Italic Times-BoldItalic Courier Courier-Bold Courier-Oblique Courier-BoldOblique Symbol ZapfDingbats' && return 0 ;;
    'stamp --font-file') what='files ttf otf' && return 0 ;;
    'stamp --size') what='none' && return 0 ;;
    'stamp --color') what='none' && return 0 ;;
    'stamp --sort') what='words given natural' && return 0 ;;
    'stamp --password-file') what='files' && return 0 ;;
    'stamp --password-for') what='files' && return 0 ;;
    'stamp --out-dir') what='folders' && return 0 ;;
    'stamp -j' | 'stamp --jobs') what='none' && return 0 ;;
    'number --pages') what='none' && return 0 ;;
    'number --start') what='none' && return 0 ;;
    'number --format') what='none' && return 0 ;;
    'number --position') what='words center top bottom left right top-left top-right bottom-left bottom-right' && return 0 ;;
    'number --margin') what='none' && return 0 ;;
    'number --font') what='words Helvetica Helvetica-Bold Helvetica-Oblique Helvetica-BoldOblique Times-Roman Times-Bold Times-Italic Times-BoldItalic Courier Courier-Bold Courier-Oblique Courier-BoldOblique Symbol ZapfDingbats' && return 0 ;;
    'number --font-file') what='files ttf otf' && return 0 ;;
    'number --size') what='none' && return 0 ;;
    'number --color') what='none' && return 0 ;;
    'number --sort') what='words given natural' && return 0 ;;
    'number --password-file') what='files' && return 0 ;;
    'number --password-for') what='files' && return 0 ;;
    'number --out-dir') what='folders' && return 0 ;;
    'number -j' | 'number --jobs') what='none' && return 0 ;;
    'overlay --pdf') what='files pdf' && return 0 ;;
    'overlay --pages') what='none' && return 0 ;;
    'overlay --repeat') what='words none last all' && return 0 ;;
    'overlay --opacity') what='none' && return 0 ;;
    'overlay --sort') what='words given natural' && return 0 ;;
    'overlay --password-file') what='files' && return 0 ;;
    'overlay --password-for') what='files' && return 0 ;;
    'overlay --out-dir') what='folders' && return 0 ;;
    'overlay -j' | 'overlay --jobs') what='none' && return 0 ;;
    'nup --per-sheet') what='none' && return 0 ;;
    'nup --pages') what='none' && return 0 ;;
    'nup --paper') what='words A3 A4 A5 Letter Legal Tabloid' && return 0 ;;
    'nup --margin') what='none' && return 0 ;;
    'nup --gap') what='none' && return 0 ;;
    'nup --sort') what='words given natural' && return 0 ;;
    'nup --password-file') what='files' && return 0 ;;
    'nup --password-for') what='files' && return 0 ;;
    'nup --out-dir') what='folders' && return 0 ;;
    'nup -j' | 'nup --jobs') what='none' && return 0 ;;
    'crop --pages') what='none' && return 0 ;;
    'crop --margin') what='none' && return 0 ;;
    'crop --left') what='none' && return 0 ;;
    'crop --right') what='none' && return 0 ;;
    'crop --top') what='none' && return 0 ;;
    'crop --bottom') what='none' && return 0 ;;
    'crop --sort') what='words given natural' && return 0 ;;
    'crop --password-file') what='files' && return 0 ;;
    'crop --password-for') what='files' && return 0 ;;
    'crop --out-dir') what='folders' && return 0 ;;
    'crop -j' | 'crop --jobs') what='none' && return 0 ;;
    'resize --pages') what='none' && return 0 ;;
    'resize --paper') what='words A3 A4 A5 Letter Legal Tabloid' && return 0 ;;
    'resize --width') what='none' && return 0 ;;
    'resize --height') what='none' && return 0 ;;
    'resize --margin') what='none' && return 0 ;;
    'resize --scale') what='none' && return 0 ;;
    'resize --sort') what='words given natural' && return 0 ;;
    'resize --password-file') what='files' && return 0 ;;
    'resize --password-for') what='files' && return 0 ;;
    'resize --out-dir') what='folders' && return 0 ;;
    'resize -j' | 'resize --jobs') what='none' && return 0 ;;
    'blank --after') what='none' && return 0 ;;
    'blank --count') what='none' && return 0 ;;
    'blank --paper') what='words A3 A4 A5 Letter Legal Tabloid' && return 0 ;;
    'blank --sort') what='words given natural' && return 0 ;;
    'blank --password-file') what='files' && return 0 ;;
    'blank --password-for') what='files' && return 0 ;;
    'blank --out-dir') what='folders' && return 0 ;;
    'blank -j' | 'blank --jobs') what='none' && return 0 ;;
    'compare --dpi') what='none' && return 0 ;;
    'compare --tolerance') what='none' && return 0 ;;
    'compare --html') what='none' && return 0 ;;
    'compare --sort') what='words given natural' && return 0 ;;
    'compare --password-file') what='files' && return 0 ;;
    'compare --password-for') what='files' && return 0 ;;
    'verify --trust') what='files pem crt cer' && return 0 ;;
    'verify --sort') what='words given natural' && return 0 ;;
    'verify --password-file') what='files' && return 0 ;;
    'verify --password-for') what='files' && return 0 ;;
    'verify --out-dir') what='folders' && return 0 ;;
    'verify -j' | 'verify --jobs') what='none' && return 0 ;;
    'sign --key') what='files p12 pfx pem crt cer' && return 0 ;;
    'sign --key-password-file') what='files' && return 0 ;;
    'sign --cert') what='files pem crt cer' && return 0 ;;
    'sign --command') what='none' && return 0 ;;
    'sign --digest') what='words sha256 sha384 sha512' && return 0 ;;
    'sign --field') what='none' && return 0 ;;
    'sign --reason') what='none' && return 0 ;;
    'sign --location') what='none' && return 0 ;;
    'sign --contact') what='none' && return 0 ;;
    'sign --page') what='none' && return 0 ;;
    'sign --position') what='words bottom-right bottom-left top-right top-left bottom top center' && return 0 ;;
    'sign --image') what='files png jpg jpeg' && return 0 ;;
    'sign --certify') what='words no-changes form-filling annotations' && return 0 ;;
    'sign --timestamp') what='none' && return 0 ;;
    'sign --revocation') what='files' && return 0 ;;
    'sign --sort') what='words given natural' && return 0 ;;
    'sign --password-file') what='files' && return 0 ;;
    'sign --password-for') what='files' && return 0 ;;
    'sign --out-dir') what='folders' && return 0 ;;
    'sign -j' | 'sign --jobs') what='none' && return 0 ;;
    'timestamp --timestamp') what='none' && return 0 ;;
    'timestamp --field') what='none' && return 0 ;;
    'timestamp --revocation') what='files' && return 0 ;;
    'timestamp --sort') what='words given natural' && return 0 ;;
    'timestamp --password-file') what='files' && return 0 ;;
    'timestamp --password-for') what='files' && return 0 ;;
    'timestamp --out-dir') what='folders' && return 0 ;;
    'timestamp -j' | 'timestamp --jobs') what='none' && return 0 ;;
    'optimize --sort') what='words given natural' && return 0 ;;
    'optimize --password-file') what='files' && return 0 ;;
    'optimize --password-for') what='files' && return 0 ;;
    'optimize --out-dir') what='folders' && return 0 ;;
    'optimize -j' | 'optimize --jobs') what='none' && return 0 ;;
    'archive --to') what='words pdfa-2b pdfa-2u pdfa-3b' && return 0 ;;
    'archive --sort') what='words given natural' && return 0 ;;
    'archive --password-file') what='files' && return 0 ;;
    'archive --password-for') what='files' && return 0 ;;
    'archive --out-dir') what='folders' && return 0 ;;
    'archive -j' | 'archive --jobs') what='none' && return 0 ;;
    'check --for') what='words pdfa-1a pdfa-1b pdfa-2a pdfa-2b pdfa-2u pdfa-3a pdfa-3b pdfa-3u pdfa-4 pdfa-4e pdfa-4f pdfua-1 pdfua-2' && return 0 ;;
    'check --sort') what='words given natural' && return 0 ;;
    'check --password-file') what='files' && return 0 ;;
    'check --password-for') what='files' && return 0 ;;
    'check --out-dir') what='folders' && return 0 ;;
    'check -j' | 'check --jobs') what='none' && return 0 ;;
    'invoice attach --level') what='words minimum basic-wl basic en16931 extended xrechnung' && return 0 ;;
    'invoice attach --sort') what='words given natural' && return 0 ;;
    'invoice attach --password-file') what='files' && return 0 ;;
    'invoice attach --password-for') what='files' && return 0 ;;
    'invoice show --sort') what='words given natural' && return 0 ;;
    'invoice show --password-file') what='files' && return 0 ;;
    'invoice show --password-for') what='files' && return 0 ;;
    'invoice show --out-dir') what='folders' && return 0 ;;
    'invoice show -j' | 'invoice show --jobs') what='none' && return 0 ;;
    'form show --sort') what='words given natural' && return 0 ;;
    'form show --password-file') what='files' && return 0 ;;
    'form show --password-for') what='files' && return 0 ;;
    'form show --out-dir') what='folders' && return 0 ;;
    'form show -j' | 'form show --jobs') what='none' && return 0 ;;
    'form fill --data') what='files json csv tsv fdf' && return 0 ;;
    'form fill --values') what='none' && return 0 ;;
    'form fill --name') what='none' && return 0 ;;
    'form fill --font-file') what='files ttf otf' && return 0 ;;
    'form fill --sort') what='words given natural' && return 0 ;;
    'form fill --password-file') what='files' && return 0 ;;
    'form fill --password-for') what='files' && return 0 ;;
    'form fill --out-dir') what='folders' && return 0 ;;
    'form fill -j' | 'form fill --jobs') what='none' && return 0 ;;
    'form flatten --sort') what='words given natural' && return 0 ;;
    'form flatten --password-file') what='files' && return 0 ;;
    'form flatten --password-for') what='files' && return 0 ;;
    'form flatten --out-dir') what='folders' && return 0 ;;
    'form flatten -j' | 'form flatten --jobs') what='none' && return 0 ;;
    'extract-text --pages') what='none' && return 0 ;;
    'extract-text --sort') what='words given natural' && return 0 ;;
    'extract-text --password-file') what='files' && return 0 ;;
    'extract-text --password-for') what='files' && return 0 ;;
    'extract-text --out-dir') what='folders' && return 0 ;;
    'extract-text -j' | 'extract-text --jobs') what='none' && return 0 ;;
    'to-json --pages') what='none' && return 0 ;;
    'to-json --sort') what='words given natural' && return 0 ;;
    'to-json --password-file') what='files' && return 0 ;;
    'to-json --password-for') what='files' && return 0 ;;
    'to-json --out-dir') what='folders' && return 0 ;;
    'to-json -j' | 'to-json --jobs') what='none' && return 0 ;;
    'markdown --mode') what='words developer academic rag' && return 0 ;;
    'markdown --output-format') what='words json markdown jsonl source-pack' && return 0 ;;
    'markdown --pages') what='none' && return 0 ;;
    'markdown --sort') what='words given natural' && return 0 ;;
    'markdown --password-file') what='files' && return 0 ;;
    'markdown --password-for') what='files' && return 0 ;;
    'markdown --out-dir') what='folders' && return 0 ;;
    'markdown -j' | 'markdown --jobs') what='none' && return 0 ;;
    'tables --format') what='words csv csv-files xlsx json markdown' && return 0 ;;
    'tables --pages') what='none' && return 0 ;;
    'tables --sort') what='words given natural' && return 0 ;;
    'tables --password-file') what='files' && return 0 ;;
    'tables --password-for') what='files' && return 0 ;;
    'tables --out-dir') what='folders' && return 0 ;;
    'tables -j' | 'tables --jobs') what='none' && return 0 ;;
    'voice-preview --output-format') what='words mp3 wav' && return 0 ;;
    'voice-preview --voice-style') what='words audiobook professional educational presenter' && return 0 ;;
    'voice-preview --voice-id') what='none' && return 0 ;;
    'voice-preview --language') what='words en' && return 0 ;;
    'voice-preview --speed') what='none' && return 0 ;;
    'audiobook --output-format') what='words mp3 m4b mp4' && return 0 ;;
    'audiobook --voice-style') what='words audiobook professional educational presenter' && return 0 ;;
    'audiobook --voice-id') what='none' && return 0 ;;
    'audiobook --language') what='words en' && return 0 ;;
    'audiobook --speed') what='none' && return 0 ;;
    'audiobook --page-range') what='none' && return 0 ;;
    'audiobook --pronunciation-fixes') what='none' && return 0 ;;
    'audiobook --asides') what='words word skip read' && return 0 ;;
    'audiobook --subtitles') what='words srt vtt' && return 0 ;;
    'audiobook --sort') what='words given natural' && return 0 ;;
    'audiobook --password-file') what='files' && return 0 ;;
    'audiobook --password-for') what='files' && return 0 ;;
    'audiobook --out-dir') what='folders' && return 0 ;;
    'audiobook -j' | 'audiobook --jobs') what='none' && return 0 ;;
    'audiobook --on-done') what='none' && return 0 ;;
    'narrate --output-format') what='words mp4' && return 0 ;;
    'narrate --voice-style') what='words audiobook professional educational presenter' && return 0 ;;
    'narrate --speed') what='none' && return 0 ;;
    'narrate --page-range') what='none' && return 0 ;;
    'narrate --voice-id') what='none' && return 0 ;;
    'narrate --language') what='words en' && return 0 ;;
    'narrate --pronunciation-fixes') what='none' && return 0 ;;
    'narrate --blank-seconds') what='none' && return 0 ;;
    'narrate --asides') what='words word skip read' && return 0 ;;
    'narrate --subtitles') what='words srt vtt' && return 0 ;;
    'narrate --sort') what='words given natural' && return 0 ;;
    'narrate --password-file') what='files' && return 0 ;;
    'narrate --password-for') what='files' && return 0 ;;
    'narrate --out-dir') what='folders' && return 0 ;;
    'narrate -j' | 'narrate --jobs') what='none' && return 0 ;;
    'narrate --on-done') what='none' && return 0 ;;
    'translate-and-speak --target-language') what='words hi es fr' && return 0 ;;
    'translate-and-speak --source-language') what='none' && return 0 ;;
    'translate-and-speak --output-format') what='none' && return 0 ;;
    'translate-and-speak --voice-style') what='words audiobook professional educational presenter' && return 0 ;;
    'translate-and-speak --speed') what='none' && return 0 ;;
    'translate-and-speak --page-range') what='none' && return 0 ;;
    'translate-and-speak --segmentation-mode') what='words chapters pages' && return 0 ;;
    'translate-and-speak --translation-glossary') what='none' && return 0 ;;
    'translate-and-speak --sort') what='words given natural' && return 0 ;;
    'translate-and-speak --password-file') what='files' && return 0 ;;
    'translate-and-speak --password-for') what='files' && return 0 ;;
    'translate-and-speak --out-dir') what='folders' && return 0 ;;
    'translate-and-speak -j' | 'translate-and-speak --jobs') what='none' && return 0 ;;
    'translate-and-speak --on-done') what='none' && return 0 ;;
    'run --on-done') what='none' && return 0 ;;
    'jobs watch --on-done') what='none' && return 0 ;;
    'jobs wait --on-done') what='none' && return 0 ;;
    'workflow submit --option') what='none' && return 0 ;;
    'workflow submit --idempotency-key') what='none' && return 0 ;;
    'workflow submit --on-done') what='none' && return 0 ;;
    'workflow compress --option') what='none' && return 0 ;;
    'workflow compress --idempotency-key') what='none' && return 0 ;;
    'workflow compress --on-done') what='none' && return 0 ;;
    'workflow folder --option') what='none' && return 0 ;;
    'workflow folder --idempotency-key') what='none' && return 0 ;;
    'workflow folder --on-done') what='none' && return 0 ;;
    'workflow source-pack --mode') what='none' && return 0 ;;
    'workflow source-pack --option') what='none' && return 0 ;;
    'workflow source-pack --idempotency-key') what='none' && return 0 ;;
    'workflow source-pack --on-done') what='none' && return 0 ;;
    'workflow resume --on-done') what='none' && return 0 ;;
    'redact --find') what='none' && return 0 ;;
    'redact --regex') what='none' && return 0 ;;
    'redact --kinds') what='words email phone card iban ssn' && return 0 ;;
    'redact --label') what='none' && return 0 ;;
    'redact --fill') what='none' && return 0 ;;
    'redact --password-file') what='files' && return 0 ;;
    'redact inspect --find') what='none' && return 0 ;;
    'redact inspect --regex') what='none' && return 0 ;;
    'redact inspect --kinds') what='words email phone card iban ssn' && return 0 ;;
    'redact inspect --password-file') what='files' && return 0 ;;
    'redact inspect --option') what='none' && return 0 ;;
    'redact inspect --idempotency-key') what='none' && return 0 ;;
    'redact inspect --on-done') what='none' && return 0 ;;
    'redact review --regions') what='files' && return 0 ;;
    'redact review --html') what='files' && return 0 ;;
    'redact review --password-file') what='files' && return 0 ;;
    'redact apply --regions') what='files' && return 0 ;;
    'redact apply --label') what='none' && return 0 ;;
    'redact apply --fill') what='none' && return 0 ;;
    'redact apply --password-file') what='files' && return 0 ;;
    'redact apply --option') what='none' && return 0 ;;
    'redact apply --idempotency-key') what='none' && return 0 ;;
    'redact apply --on-done') what='none' && return 0 ;;
    'redact check --regions') what='files' && return 0 ;;
    'redact check --find') what='none' && return 0 ;;
    'redact check --label') what='none' && return 0 ;;
    'redact check --password-file') what='files' && return 0 ;;
    'auth login --base-url') what='none' && return 0 ;;
    'doctor --install') what='words speech' && return 0 ;;
    'api -F') what='none' && return 0 ;;
    'api --field') what='none' && return 0 ;;
    'api --input') what='files' && return 0 ;;
    'voices --language') what='none' && return 0 ;;
    'mcp --root') what='folders' && return 0 ;;
    'mcp --out-dir') what='folders' && return 0 ;;
    'mcp --prefix') what='none' && return 0 ;;
    'mcp tools --root') what='folders' && return 0 ;;
    'mcp tools --out-dir') what='folders' && return 0 ;;
    'mcp tools --prefix') what='none' && return 0 ;;
    'mcp install --client') what='words claude-desktop claude-code cursor vscode codex gemini windsurf' && return 0 ;;
    'mcp install --root') what='folders' && return 0 ;;
    'mcp install --out-dir') what='folders' && return 0 ;;
    'mcp install --prefix') what='none' && return 0 ;;
    'serve --host') what='none' && return 0 ;;
    'serve --port') what='none' && return 0 ;;
    'serve --admin-port') what='none' && return 0 ;;
    'serve --key-file') what='files' && return 0 ;;
    'serve --page-key-file') what='files' && return 0 ;;
    'serve --admin-key-file') what='files' && return 0 ;;
    'serve --storage') what='none' && return 0 ;;
    'serve --data') what='folders' && return 0 ;;
    'serve --database') what='none' && return 0 ;;
    'serve keys create --data') what='folders' && return 0 ;;
    'serve keys create --database') what='none' && return 0 ;;
    'serve keys create --label') what='none' && return 0 ;;
    'serve keys create --account') what='none' && return 0 ;;
    'serve keys list --data') what='folders' && return 0 ;;
    'serve keys list --database') what='none' && return 0 ;;
    'serve keys revoke --data') what='folders' && return 0 ;;
    'serve keys revoke --database') what='none' && return 0 ;;
    'serve credits grant --data') what='folders' && return 0 ;;
    'serve credits grant --database') what='none' && return 0 ;;
    'serve migrate --database') what='none' && return 0 ;;
    'serve move --from') what='folders' && return 0 ;;
    'serve move --to') what='none' && return 0 ;;
    'work --database') what='none' && return 0 ;;
    'work --storage') what='none' && return 0 ;;
    'work --data') what='folders' && return 0 ;;
    'work --admin-port') what='none' && return 0 ;;
  esac
  return 1
}

# The options of command $1, and its next words after $2 arguments, in $flags and $what.
__pdftool_place() {
  flags='-V --version -o --output -f --force --local --remote --json -q --quiet -v --verbose --debug --plan --max-credits --timeout --ca-cert --profile --no-progress --no-color -h --help'
  what=none
  case "$1" in
    '') case "$2" in 0) what='words info merge split rotate pages encrypt decrypt meta bookmarks labels attach compress merge-compress images-to-pdf images-to-pdf-compress to-images images ocr stamp number overlay nup crop resize blank compare verify sign timestamp optimize archive check invoice form extract-text to-json markdown tables voice-preview audiobook narrate translate-and-speak account openapi run jobs workflow redact auth config doctor api voices completion mcp serve work help' ;; esac ;;
    'info') flags="--pages --recursive --sort --password-file --password-for --salvage --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'merge') flags="--pages --interleave --bookmarks --title --author --subject --keywords --recursive --sort --password-file --password-for --salvage --keep-conformance $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'split') flags="--at-pages --ranges --every --by-bookmark --max-size --blank --name --recursive --sort --password-file --password-for --salvage --keep-conformance --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'rotate') flags="--pages --angle --incremental --recursive --sort --password-file --password-for --salvage --keep-conformance --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'pages') case "$2" in 0) what='words take drop reverse order explain' ;; esac ;;
    'pages take') flags="--pages --recursive --sort --password-file --password-for --salvage --keep-conformance --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'pages drop') flags="--pages --recursive --sort --password-file --password-for --salvage --keep-conformance --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'pages reverse') flags="--pages --recursive --sort --password-file --password-for --salvage --keep-conformance --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'pages order') flags="--pages --recursive --sort --password-file --password-for --salvage --keep-conformance --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'pages explain') flags="--password-file $flags"; case "$2" in 0) what='none' ;; 1) what='files' ;; esac ;;
    'encrypt') flags="--user-password-file --owner-password-file --allow --deny --recursive --sort --password-file --password-for --salvage --keep-conformance --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'decrypt') flags="--recursive --sort --password-file --password-for --salvage --keep-conformance --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'meta') case "$2" in 0) what='words show set clear' ;; esac ;;
    'meta show') flags="--recursive --sort --password-file --password-for --salvage --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'meta set') flags="--title --author --subject --keywords --creator --producer --created --modified --incremental --recursive --sort --password-file --password-for --salvage --keep-conformance --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'meta clear') flags="--fields --recursive --sort --password-file --password-for --salvage --keep-conformance --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'bookmarks') case "$2" in 0) what='words show set clear' ;; esac ;;
    'bookmarks show') flags="--recursive --sort --password-file --password-for --salvage --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'bookmarks set') flags="--bookmarks --incremental --recursive --sort --password-file --password-for --salvage --keep-conformance --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'bookmarks clear') flags="--recursive --sort --password-file --password-for --salvage --keep-conformance --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'labels') case "$2" in 0) what='words show set clear' ;; esac ;;
    'labels show') flags="--recursive --sort --password-file --password-for --salvage --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'labels set') flags="--labels --incremental --recursive --sort --password-file --password-for --salvage --keep-conformance --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'labels clear') flags="--recursive --sort --password-file --password-for --salvage --keep-conformance --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'attach') case "$2" in 0) what='words list add extract remove' ;; esac ;;
    'attach list') flags="--recursive --sort --password-file --password-for --salvage --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'attach add') flags="--description --relationship --replace --incremental --recursive --sort --password-file --password-for --salvage --keep-conformance $flags"; case "$2" in *) what='files' ;; esac ;;
    'attach extract') flags="--name --recursive --sort --password-file --password-for --salvage --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'attach remove') flags="--name --all --recursive --sort --password-file --password-for --salvage --keep-conformance --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'compress') flags="--target --pages --lossless --quality --dpi --grayscale --bilevel --no-mrc --fast --allow-unreadable --recursive --sort --password-file --password-for --salvage --keep-conformance --out-dir -j --jobs --skip-existing --require-target $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'merge-compress') flags="--target --lossless --quality --dpi --grayscale --bilevel --no-mrc --fast --allow-unreadable --recursive --sort --password-file --password-for --salvage --keep-conformance --require-target $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'images-to-pdf') flags="--page-size --margin --dpi --recursive --sort $flags"; case "$2" in *) what='files png jpg jpeg' ;; esac ;;
    'images-to-pdf-compress') flags="--target --page-size --margin --lossless --quality --dpi --grayscale --bilevel --no-mrc --fast --allow-unreadable --recursive --sort --require-target $flags"; case "$2" in *) what='files png jpg jpeg' ;; esac ;;
    'to-images') flags="--pages --format --dpi --width --height --grayscale --quality --transparent --recursive --sort --password-file --password-for --salvage --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'images') flags="--pages --list --recursive --sort --password-file --password-for --salvage --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'ocr') flags="--language --pages --all --redo --rotate-pages --deskew --optimize --to --text --recursive --sort --password-file --password-for --salvage --keep-conformance --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='words languages' ;; esac ;;
    'ocr languages') case "$2" in 0) what='words list add' ;; esac ;;
    'ocr languages list') : ;;
    'ocr languages add') case "$2" in *) what='none' ;; esac ;;
    'stamp') flags="--text --image --pdf --pages --position --margin --rotation --opacity --under --scale --font --font-file --size --color --incremental --recursive --sort --password-file --password-for --salvage --keep-conformance --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'number') flags="--pages --start --format --position --margin --font --font-file --size --color --recursive --sort --password-file --password-for --salvage --keep-conformance --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'overlay') flags="--pdf --pages --repeat --opacity --under --recursive --sort --password-file --password-for --salvage --keep-conformance --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'nup') flags="--per-sheet --pages --paper --margin --gap --border --booklet --recursive --sort --password-file --password-for --salvage --keep-conformance --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'crop') flags="--pages --margin --left --right --top --bottom --auto --recursive --sort --password-file --password-for --salvage --keep-conformance --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'resize') flags="--pages --paper --width --height --margin --scale --upright --recursive --sort --password-file --password-for --salvage --keep-conformance --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'blank') flags="--after --first --count --paper --recursive --sort --password-file --password-for --salvage --keep-conformance --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'compare') flags="--text --dpi --tolerance --html --recursive --sort --password-file --password-for --salvage $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'verify') flags="--trust --online --recursive --sort --password-file --password-for --salvage --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'sign') flags="--key --key-password-file --cert --command --digest --pss --field --reason --location --contact --visible --page --position --image --certify --timestamp --revocation --online --recursive --sort --password-file --password-for --salvage --keep-conformance --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'timestamp') flags="--timestamp --field --revocation --online --recursive --sort --password-file --password-for --salvage --keep-conformance --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'optimize') flags="--linearize --recursive --sort --password-file --password-for --salvage --keep-conformance --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'archive') flags="--to --substitute-fonts --recursive --sort --password-file --password-for --salvage --keep-conformance --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'check') flags="--for --recursive --sort --password-file --password-for --salvage --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'invoice') case "$2" in 0) what='words attach show' ;; esac ;;
    'invoice attach') flags="--level --replace --substitute-fonts --recursive --sort --password-file --password-for --salvage --keep-conformance $flags"; case "$2" in *) what='files pdf xml' ;; esac ;;
    'invoice show') flags="--xml --recursive --sort --password-file --password-for --salvage --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'form') case "$2" in 0) what='words show fill flatten' ;; esac ;;
    'form show') flags="--recursive --sort --password-file --password-for --salvage --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'form fill') flags="--data --values --each --name --flatten --font-file --incremental --recursive --sort --password-file --password-for --salvage --keep-conformance --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'form flatten') flags="--recursive --sort --password-file --password-for --salvage --keep-conformance --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'extract-text') flags="--pages --ocr --allow-empty --recursive --sort --password-file --password-for --salvage --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'to-json') flags="--pages --ocr --recursive --sort --password-file --password-for --salvage --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'markdown') flags="--mode --output-format --pages --no-anchors --ocr --allow-empty --recursive --sort --password-file --password-for --salvage --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'tables') flags="--format --pages --ocr --recursive --sort --password-file --password-for --salvage --out-dir -j --jobs --skip-existing $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'voice-preview') flags="--output-format --voice-style --voice-id --language --speed $flags"; case "$2" in *) what='none' ;; esac ;;
    'audiobook') flags="--output-format --voice-style --voice-id --language --speed --page-range --normalize-pauses --no-normalize-pauses --preserve-chapters --no-preserve-chapters --pronunciation-fixes --asides --subtitles --ocr --recursive --sort --password-file --password-for --salvage --out-dir -j --jobs --skip-existing --detach --wait --no-download --notify --on-done --again -y --yes $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'narrate') flags="--output-format --voice-style --speed --page-range --voice-id --language --pronunciation-fixes --blank-seconds --asides --subtitles --ocr --recursive --sort --password-file --password-for --salvage --out-dir -j --jobs --skip-existing --detach --wait --no-download --notify --on-done --again -y --yes $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'translate-and-speak') flags="--target-language --source-language --output-format --voice-style --speed --page-range --segmentation-mode --translation-glossary --recursive --sort --password-file --password-for --out-dir -j --jobs --skip-existing --detach --wait --no-download --notify --on-done --again -y --yes $flags"; case "$2" in *) what='files pdf' ;; esac ;;
    'account') : ;;
    'openapi') : ;;
    'run') flags="--as-job --detach --wait --no-download --notify --on-done $flags"; case "$2" in 0) what='files json' ;; *) what='files' ;; esac ;;
    'jobs') case "$2" in 0) what='words list status watch wait download cancel forget' ;; esac ;;
    'jobs list') flags="--refresh --calls $flags" ;;
    'jobs status') case "$2" in 0) what='asked jobs' ;; esac ;;
    'jobs watch') flags="--no-download --notify --on-done $flags"; case "$2" in *) what='asked jobs' ;; esac ;;
    'jobs wait') flags="--no-download --notify --on-done $flags"; case "$2" in *) what='asked jobs' ;; esac ;;
    'jobs download') case "$2" in 0) what='asked jobs' ;; esac ;;
    'jobs cancel') case "$2" in *) what='asked jobs' ;; esac ;;
    'jobs forget') flags="--ended $flags"; case "$2" in *) what='asked jobs' ;; esac ;;
    'workflow') case "$2" in 0) what='words submit compress folder source-pack resume' ;; esac ;;
    'workflow submit') flags="--option --idempotency-key --detach --wait --no-download --notify --on-done $flags"; case "$2" in 0) what='none' ;; 1) what='files' ;; esac ;;
    'workflow compress') flags="--option --idempotency-key --detach --wait --no-download --notify --on-done $flags"; case "$2" in 0) what='files' ;; esac ;;
    'workflow folder') flags="--option --idempotency-key --detach --wait --no-download --notify --on-done $flags"; case "$2" in 0) what='folders' ;; esac ;;
    'workflow source-pack') flags="--mode --option --idempotency-key --detach --wait --no-download --notify --on-done $flags"; case "$2" in 0) what='files' ;; esac ;;
    'workflow resume') flags="--detach --wait --no-download --notify --on-done $flags"; case "$2" in *) what='asked jobs' ;; esac ;;
    'redact') flags="--find --regex --kinds --ocr --yes --label --fill --strict --raster --clean --password-file $flags"; case "$2" in 0) what='words inspect review apply check' ;; esac ;;
    'redact inspect') flags="--find --regex --kinds --ocr --password-file --option --idempotency-key --detach --wait --no-download --notify --on-done $flags"; case "$2" in 0) what='files' ;; esac ;;
    'redact review') flags="--regions --html --password-file $flags"; case "$2" in 0) what='files' ;; esac ;;
    'redact apply') flags="--regions --reviewed --label --fill --strict --raster --clean --password-file --option --idempotency-key --detach --wait --no-download --notify --on-done $flags"; case "$2" in 0) what='files' ;; esac ;;
    'redact check') flags="--regions --find --label --password-file $flags"; case "$2" in 0) what='files' ;; esac ;;
    'auth') case "$2" in 0) what='words login logout status' ;; esac ;;
    'auth login') flags="--with-token --no-verify --base-url $flags" ;;
    'auth logout') : ;;
    'auth status') flags="--offline $flags" ;;
    'config') case "$2" in 0) what='words get set unset list path' ;; esac ;;
    'config get') case "$2" in 0) what='asked settings' ;; esac ;;
    'config set') case "$2" in 0) what='asked settings' ;; 1) what='none' ;; esac ;;
    'config unset') case "$2" in 0) what='asked settings' ;; esac ;;
    'config list') : ;;
    'config path') : ;;
    'doctor') flags="--online --install $flags" ;;
    'api') flags="-F --field --input $flags"; case "$2" in 0) what='none' ;; 1) what='none' ;; esac ;;
    'voices') flags="--language $flags" ;;
    'completion') case "$2" in 0) what='words bash zsh fish powershell' ;; esac ;;
    'mcp') flags="--root --out-dir --prefix --allow-overwrite $flags"; case "$2" in 0) what='words tools install' ;; esac ;;
    'mcp tools') flags="--root --out-dir --prefix --allow-overwrite $flags" ;;
    'mcp install') flags="--client --print -y --yes --root --out-dir --prefix --allow-overwrite $flags" ;;
    'serve') flags="--host --port --admin-port --key-file --no-workers --no-page --page-key-file --admin-key-file --allow-public-page --storage --data --database $flags"; case "$2" in 0) what='words keys credits migrate move' ;; esac ;;
    'serve keys') case "$2" in 0) what='words create list revoke' ;; esac ;;
    'serve keys create') flags="--data --database --label --account --test $flags" ;;
    'serve keys list') flags="--data --database $flags" ;;
    'serve keys revoke') flags="--data --database $flags"; case "$2" in 0) what='none' ;; esac ;;
    'serve credits') case "$2" in 0) what='words grant' ;; esac ;;
    'serve credits grant') flags="--data --database $flags"; case "$2" in 0) what='none' ;; 1) what='none' ;; esac ;;
    'serve migrate') flags="--database $flags" ;;
    'serve move') flags="--from --to $flags" ;;
    'work') flags="--database --storage --data --admin-port $flags" ;;
    'help') case "$2" in *) what='words info merge split rotate pages encrypt decrypt meta bookmarks labels attach compress merge-compress images-to-pdf images-to-pdf-compress to-images images ocr stamp number overlay nup crop resize blank compare verify sign timestamp optimize archive check invoice form extract-text to-json markdown tables voice-preview audiobook narrate translate-and-speak account openapi run jobs workflow redact auth config doctor api voices completion mcp serve work help engines money exit-codes environment' ;; esac ;;
  esac
}

__pdftool_is() {
  case "$1:$2" in
    cer:*.[cC][eE][rR]) return 0 ;;
    crt:*.[cC][rR][tT]) return 0 ;;
    csv:*.[cC][sS][vV]) return 0 ;;
    fdf:*.[fF][dD][fF]) return 0 ;;
    jpeg:*.[jJ][pP][eE][gG]) return 0 ;;
    jpg:*.[jJ][pP][gG]) return 0 ;;
    json:*.[jJ][sS][oO][nN]) return 0 ;;
    otf:*.[oO][tT][fF]) return 0 ;;
    p12:*.[pP]12) return 0 ;;
    pdf:*.[pP][dD][fF]) return 0 ;;
    pem:*.[pP][eE][mM]) return 0 ;;
    pfx:*.[pP][fF][xX]) return 0 ;;
    png:*.[pP][nN][gG]) return 0 ;;
    tsv:*.[tT][sS][vV]) return 0 ;;
    ttf:*.[tT][tT][fF]) return 0 ;;
    xml:*.[xX][mM][lL]) return 0 ;;
  esac
  return 1
}

__pdftool_files() {
  local name extension
  while IFS= read -r name; do
    if [[ $# -eq 0 || -d $name ]]; then
      COMPREPLY+=("$name")
      continue
    fi
    for extension in "$@"; do
      if __pdftool_is "$extension" "$name"; then
        COMPREPLY+=("$name")
        break
      fi
    done
  done < <(compgen -f -- "$cur")
}

__pdftool_words() {
  local word
  for word in "$@"; do
    [[ $word == "$cur"* ]] && COMPREPLY+=("$word")
  done
}

# $what is one of our own lines: it may be split at its spaces.
__pdftool_offer() {
  local list word
  IFS=' ' read -r -a list <<<"$what"
  case "${list[0]}" in
    files) __pdftool_files "${list[@]:1}" ;;
    folders)
      while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -d -- "$cur")
      ;;
    words) __pdftool_words "${list[@]:1}" ;;
    asked)
      while IFS= read -r word; do __pdftool_words "$word"; done < <(pdftool __complete "${list[1]}" 2>/dev/null)
      ;;
  esac
}

_pdftool() {
  local cur word path='' what=none flags='' value='' arguments=0 ended='' i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ $word == '=' ]]; then
      continue
    elif [[ -n $value ]]; then
      value=''
    elif [[ -z $ended && $word == -- ]]; then
      ended=1
    elif [[ -z $ended && $word == -?* ]]; then
      __pdftool_value "$path" "$word" && value=$word
    elif [[ -n $ended ]] || ! __pdftool_enter "$path" "$word"; then
      arguments=$((arguments + 1))
    fi
  done
  cur=${COMP_WORDS[COMP_CWORD]}
  [[ $cur == '=' ]] && cur=''
  # A quote that was opened, and backslashes before spaces, are the shell's.
  cur=${cur#[\"\']}
  cur=${cur//\\/}
  if [[ -n $value ]]; then
    __pdftool_value "$path" "$value"
    __pdftool_offer
    return
  fi
  __pdftool_place "$path" "$arguments"
  if [[ -z $ended && $cur == -* ]]; then
    what="words $flags"
  fi
  __pdftool_offer
}

complete -o filenames -F _pdftool pdftool
