// Owns loading these commands together: one lazy chunk of the build, because each of its own would split what main shares.
export { work } from '../batch-worker.ts';
export { count } from '../other-reader.ts';
export { draw } from '../page-drawer.ts';
export { run as api } from './api.ts';
export { run as auth } from './auth.ts';
export { complete, run as completion } from './completion.ts';
export { run as config } from './config.ts';
export { run as doctor } from './doctor.ts';
export { run as jobs } from './jobs.ts';
export { run as mcp } from './mcp.ts';
export { run as pages } from './pages.ts';
export { run as redact } from './redact.ts';
export { run as serve } from './serve.ts';
export { run as workflow } from './workflow.ts';
