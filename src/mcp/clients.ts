/** The configuration files of MCP clients: where each is, and the entry for this server. */
import { Failure } from '../contract/base/failure.ts';
import { isRecord } from '../contract/base/present.ts';
import { say, setting } from '../contract/base/wording.ts';

export interface Start {
  readonly command: string;
  readonly args: readonly string[];
}

/** Folders that depend on the person and the system. */
interface Places {
  readonly platform: string;
  readonly home: string;
  readonly here: string;
  /** APPDATA of Windows. */
  readonly roaming: string | undefined;
}

export interface Client {
  readonly title: string;
  file(places: Places): readonly string[];
  /** The key of the table of servers. */
  readonly key: string;
  readonly format: 'json' | 'toml';
  /** Entries name the transport, stdio. */
  readonly typed?: true;
  /** The file belongs to a project that is used on other machines: the command is looked up on PATH. */
  readonly shared?: true;
}

const SERVERS = 'mcpServers';

export const CLIENTS: Readonly<Record<string, Client>> = {
  'claude-desktop': {
    title: 'Claude Desktop',
    file({ platform, home, roaming }) {
      const name = ['Claude', 'claude_desktop_config.json'];
      if (platform === 'darwin') return [home, 'Library', 'Application Support', ...name];
      return platform === 'win32' ? [roaming ?? home, ...name] : [home, '.config', ...name];
    },
    key: SERVERS,
    format: 'json',
  },
  'claude-code': {
    title: 'Claude Code, for the project in this folder',
    file: ({ here }) => [here, '.mcp.json'],
    key: SERVERS,
    format: 'json',
    typed: true,
    shared: true,
  },
  cursor: { title: 'Cursor', file: ({ home }) => [home, '.cursor', 'mcp.json'], key: SERVERS, format: 'json' },
  vscode: {
    title: 'VS Code, for the folder that is open',
    file: ({ here }) => [here, '.vscode', 'mcp.json'],
    key: 'servers',
    format: 'json',
    typed: true,
    shared: true,
  },
  codex: { title: 'Codex', file: ({ home }) => [home, '.codex', 'config.toml'], key: 'mcp_servers', format: 'toml' },
  gemini: { title: 'Gemini CLI', file: ({ home }) => [home, '.gemini', 'settings.json'], key: SERVERS, format: 'json' },
  windsurf: {
    title: 'Windsurf',
    file: ({ home }) => [home, '.codeium', 'windsurf', 'mcp_config.json'],
    key: SERVERS,
    format: 'json',
  },
};

const NAME = 'pdftool';

/** A new file with this entry alone. */
export function clientEntry(client: Client, start: Start): string {
  if (client.format === 'toml') return tomlEntry(client, start);
  return `${JSON.stringify({ [client.key]: { [NAME]: jsonEntry(client, start) } }, undefined, 2)}\n`;
}

/**
 * The text of the file with this server added; undefined where it has it already. Everything else is kept. `file`: for
 * messages. Throws where the text cannot be parsed: then nothing is changed.
 */
export function withServer(client: Client, text: string | undefined, start: Start, file: string): string | undefined {
  return client.format === 'toml' ? withToml(client, text, start, file) : withJson(client, text, start, file);
}

function jsonEntry({ typed }: Client, { command, args }: Start): object {
  return { ...(typed === true ? { type: 'stdio' } : {}), command, args };
}

function withJson(client: Client, text: string | undefined, start: Start, file: string): string | undefined {
  const empty = text === undefined || text.trim() === '';
  const config: unknown = empty ? {} : parseJson(text, file);
  const servers = isRecord(config) ? (config[client.key] ?? {}) : undefined;
  if (!isRecord(config) || !isRecord(servers)) throw notUnderstood(file);
  const entry = jsonEntry(client, start);
  // What a person added to the entry, such as environment variables, is kept.
  const before = servers[NAME];
  const after = isRecord(before) ? { ...before, ...entry } : entry;
  if (JSON.stringify(before) === JSON.stringify(after)) return undefined;
  const indent = /^[\t ]+(?=")/m.exec(text ?? '')?.[0] ?? 2;
  const whole = { ...config, [client.key]: { ...servers, [NAME]: after } };
  return `${JSON.stringify(whole, undefined, indent)}\n`;
}

function withToml(client: Client, text = '', start: Start, file: string): string | undefined {
  const head = `[${client.key}.${NAME}]`;
  if (text.includes(tomlEntry(client, start).trim())) return undefined;
  // An entry of another form or content belongs to the person, and two tables of one name are an error in TOML.
  if (new RegExp(`^\\s*\\[\\s*${client.key}\\s*\\.\\s*"?${NAME}"?\\s*[.\\]]`, 'm').test(text)) {
    throw new Failure('conflict', `${file} has ${head} already, with other content; it was left as it is`, {
      hint: say`See what it would be with ${setting('print')}, and change it by hand.`,
    });
  }
  const space = text === '' || text.endsWith('\n\n') ? '' : text.endsWith('\n') ? '\n' : '\n\n';
  return `${text}${space}${tomlEntry(client, start)}`;
}

function tomlEntry({ key }: Client, { command, args }: Start): string {
  // JSON strings are valid TOML strings.
  return `[${key}.${NAME}]\ncommand = ${JSON.stringify(command)}\nargs = [${args.map((arg) => JSON.stringify(arg)).join(', ')}]\n`;
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw notUnderstood(file, cause);
  }
}

function notUnderstood(file: string, cause?: unknown): Failure {
  return new Failure('refused', `${file} is no plain JSON object with servers in it; it was left as it is`, {
    hint: say`It may have comments. Add by hand what ${setting('print')} shows.`,
    cause,
  });
}
