#!/usr/bin/env bash
# Tries a single executable in a chroot that holds it, the C library, /dev/null and, where it is installed, tesseract:
# scripts/try-single-file.sh EXECUTABLE. Needs root, or user namespaces (unshare).
set -euo pipefail
program=$(realpath "$1")
[[ $EUID == 0 ]] || exec unshare --map-root-user "$0" "$program"
cd "$(dirname "$0")/.."
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

# A file, and the libraries that it is linked with.
put() {
  install -D "$1" "$root$2"
  ldd "$1" | grep -o '/[^ ]*' | while read -r library; do install -D "$library" "$root$library"; done
}
put "$program" /pdftool
mkdir -p "$root"/{dev,tmp,root,work}
chmod 1777 "$root/tmp"
mknod -m 666 "$root/dev/null" c 1 3 2>/dev/null || : >"$root/dev/null"
cp test/fixtures/lorem-ipsum.pdf "$root/work/a.pdf"
cp test/fixtures/guide.pdf "$root/work/guide.pdf"

run() {
  echo "\$ pdftool $*"
  env -i HOME=/root PATH=/usr/bin "$(command -v chroot || echo /usr/sbin/chroot)" "$root" /pdftool "$@" </dev/null
}
run --version
run merge /work/a.pdf /work/guide.pdf -o /work/merged.pdf
run compress /work/merged.pdf --lossless -o /work/small.pdf
run markdown /work/guide.pdf -o /work/guide.md
run to-images /work/a.pdf --pages 1 --dpi 100 -o /work/page.png
qpdf --check "$root/work/merged.pdf" >/dev/null && qpdf --check "$root/work/small.pdf" >/dev/null
test "$(qpdf --show-npages "$root/work/small.pdf")" = 90
grep -q '^#' "$root/work/guide.md"

# A scan, which is a page without text.
python3 - "$root/work" <<'END'
import subprocess, sys
folder = sys.argv[1]
subprocess.run(['pdftoppm', '-r', '150', '-f', '1', '-l', '1', '-jpeg', f'{folder}/a.pdf', f'{folder}/scan'], check=True)
END
mv "$root"/work/scan-*.jpg "$root/work/scan.jpg"
run images-to-pdf /work/scan.jpg -o /work/scan.pdf
code=0
run ocr /work/scan.pdf -o /work/none.pdf || code=$?
test "$code" = 24 # and it says how tesseract is to be had
if command -v tesseract >/dev/null; then
  put "$(command -v tesseract)" /usr/bin/tesseract
  data=$(tesseract --list-langs | sed -n '1s/.*"\(.*\)".*/\1/p')
  mkdir -p "$root$data"
  cp -rL "$data/." "$root$data"
  run ocr /work/scan.pdf -o /work/read.pdf
  pdftotext "$root/work/read.pdf" - | grep -qi lorem
fi
run doctor
echo "ok: $(du -h "$program" | cut -f1)"
