/** What the command line imports from this folder, as one lazy chunk of the build. */
export { CLIENTS, clientEntry as entryOf, withServer } from './clients.ts';
export { createOutputs } from './resources.ts';
export { createServer, listedTools as listed } from './server.ts';
export { Spending } from './spending.ts';
export { serveOnStdio } from './stdio.ts';
export { toolsOf } from './tools.ts';
