#!/usr/bin/env bash
# What action.yml does. key: what the installed program follows from. run: installs it from the lock file where the cache has
# none, runs the lines of PDFTOOL_RUN, and writes what they made into the summary of the job.
set -euo pipefail
home=$(cd "$(dirname "$0")/.." && pwd)

if [[ $1 == key ]]; then
  cd "$home"
  find bin src scripts package-lock.json -type f | LC_ALL=C sort | xargs cat | git hash-object --stdin
  exit
fi

if [[ ! -e $home/dist/main.js || ! -d $home/node_modules ]]; then
  (cd "$home" && npm ci --ignore-scripts --no-audit --no-fund && npm run --silent build && npm prune --omit=dev --ignore-scripts --no-audit --no-fund)
fi
commands=${RUNNER_TEMP:?}/pdftool-commands
mkdir -p "$commands"
printf '#!/bin/sh\nexec node "%s/bin/pdftool.js" "$@"\n' "$home" >"$commands/pdftool"
chmod +x "$commands/pdftool"
echo "$commands" >>"${GITHUB_PATH:?}"
[[ -n ${PDFTOOL_RUN:-} ]] || exit 0

# Size and time of every file, one a line: a change of either is something that was made.
files() {
  find . \( -name .git -o -name node_modules \) -prune -o -type f -print | LC_ALL=C sort | while IFS= read -r file; do
    printf '%s\t%s\t%s\n' "$file" "$(wc -c <"$file" | tr -d ' ')" "$(date -r "$file" +%s%N)"
  done
}
before=$(mktemp)
files >"$before"
code=0
PATH="$commands:$PATH" bash -euo pipefail -c "$PDFTOOL_RUN" || code=$?
{
  echo '### pdftool'
  echo
  ((code == 0)) || printf 'It ended with exit code %s: `pdftool help exit-codes` says what that means.\n\n' "$code"
  files | awk -F '\t' -v OFS='' '
    function kb(bytes) { return sprintf("%.1f KB", bytes / 1024) }
    NR == FNR { size[$1] = $2; seen[$1] = $0; next }
    seen[$1] == $0 { next }
    !head++ { print "| file | size | before |"; print "|---|---:|---:|" }
    { name = substr($1, 3); gsub(/[|`]/, "\\\\&", name); print "| ", name, " | ", kb($2), " | ", ($1 in size ? kb(size[$1]) : ""), " |" }
    END { if (!head) print "No file was made." }' "$before" -
} >>"${GITHUB_STEP_SUMMARY:?}"
rm -f "$before"
exit "$code"
