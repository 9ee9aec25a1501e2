// The most memory this process held, in KiB, written to descriptor 3 as it ends. Loaded into the
// program under test with `node --require`, because a parent process cannot ask for it.
'use strict';

process.on('exit', () => {
  require('node:fs').writeSync(3, String(process.resourceUsage().maxRSS));
});
