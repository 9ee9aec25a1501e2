import { OPERATIONS } from '../contract/operations/all.ts';

/** Environment variables and their meaning. A test compares the list with what the code reads. */
export const ENVIRONMENT: readonly (readonly [string, string])[] = [
  ['PDFTOOL_API_KEY', 'API key of the service; SERVICE_API_KEY is read too.'],
  ['PDFTOOL_API_KEY_FILE', 'File whose first line is the key.'],
  ['PDFTOOL_BASE_URL', 'Address of the service. Plain http is accepted only for this machine.'],
  ['PDFTOOL_PROFILE', 'Key and address to use, if several are stored.'],
  ['PDFTOOL_ENGINE', 'auto, local or remote.'],
  ['PDFTOOL_MAX_CREDITS', 'Refuse what would cost more.'],
  [
    'PDFTOOL_OUTPUT_DIR',
    'Folder for outputs that are not named; SERVICE_API_OUTPUT_DIR is read too, by pdftool mcp also SERVICE_MERGE_OUTPUT_DIR.',
  ],
  ['PDFTOOL_MCP_PREFIX', 'Prefix of the names of tools for agents (pdftool_).'],
  ['PDFTOOL_PDF_PASSWORD', 'Password of encrypted PDFs.'],
  ['PDFTOOL_CONFIG_DIR', 'Folder of settings and keys, instead of pdftool under the XDG configuration folder.'],
  ['PDFTOOL_STATE_DIR', 'Folder of the journal of jobs, instead of pdftool under the XDG state folder.'],
  [
    'PDFTOOL_CACHE_DIR',
    'Folder of the cache, such as spoken sentences, instead of pdftool under the XDG cache folder.',
  ],
  ['PDFTOOL_PIPER_MODEL', 'Voice file (.onnx) of piper, if that program is installed.'],
  ['PDFTOOL_OCR_LANGUAGE', 'Languages that --ocr reads, such as eng+deu (eng).'],
  ['PDFTOOL_VERAPDF', 'The program veraPDF, which check uses (verapdf on PATH).'],
  ['PDFTOOL_DIGEST', 'Set by sign for its command: the name of the digest, such as sha256.'],
  [
    'PDFTOOL_PACKAGES_DIR',
    'Folder of what doctor --install and ocr languages add fetch, instead of pdftool under the XDG data folder.',
  ],
  ['PDFTOOL_NO_INPUT', 'Ask nothing, even on a terminal.'],
  ['PDFTOOL_DEBUG', 'The same as --debug.'],
  ['PDFTOOL_SERVE_HOST, PDFTOOL_SERVE_PORT', 'Address and port of pdftool serve.'],
  ['PDFTOOL_SERVE_ADMIN_PORT', 'Port for operators of pdftool serve.'],
  ['PDFTOOL_SERVE_DATABASE', 'Database of pdftool serve and pdftool work: postgres://user@host/name.'],
  ['PDFTOOL_SERVE_DATABASE_FILE', 'File that contains the address of that database, with its password.'],
  ['PDFTOOL_SERVE_STORAGE', 'Bucket of uploads and results: s3://bucket/prefix.'],
  [
    'PDFTOOL_SERVE_STORAGE_KEY_FILE',
    'File that contains the key to it, as ID:SECRET; else AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN.',
  ],
  ['PDFTOOL_SERVE_DATA', 'Folder of pdftool serve for keys, credits, jobs and results.'],
  ['PDFTOOL_SERVE_KEY_FILE', 'New file for the first key of pdftool serve, which is then not shown.'],
  ['PDFTOOL_SERVE_QUEUE and others', 'Settings of a server; pdftool serve --help settings lists all.'],
  ['PDFTOOL_JOB_ID, PDFTOOL_JOB_STATUS', 'Set for the command of --on-done: which job ended, and how.'],
  ['PDFTOOL_JOB_OUTPUT, PDFTOOL_JOB_EXIT', 'Set for it too: the file that was written, and the exit code.'],
  ['NO_COLOR, FORCE_COLOR', 'No colour; colour even if the output is not a terminal.'],
  ['HTTPS_PROXY, HTTP_PROXY, NO_PROXY', 'Proxies for the service.'],
  ['NODE_EXTRA_CA_CERTS', 'Authorities to trust beside the built-in ones.'],
  ...OPERATIONS.flatMap((op) =>
    Object.values(op.input).flatMap((field) =>
      field.kind === 'secret' ? [[field.environment, `${field.summary} (pdftool ${op.name}).`] as const] : [],
    ),
  ),
];
