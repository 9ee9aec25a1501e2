import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { describeProgram } from '../../src/cli/shape.ts';
import { CLIENTS } from '../../src/mcp/clients.ts';
import { CLEAN, folder, PROGRAM, pdftool } from '../e2e/pdftool.ts';

/** Each client, where it looks, and where in its file servers stand. */
const FILES: readonly (readonly [string, string, string])[] = [
  ['claude-desktop', '.config/Claude/claude_desktop_config.json', 'mcpServers'],
  ['claude-code', '.mcp.json', 'mcpServers'],
  ['cursor', '.cursor/mcp.json', 'mcpServers'],
  ['vscode', '.vscode/mcp.json', 'servers'],
  ['gemini', '.gemini/settings.json', 'mcpServers'],
  ['windsurf', '.codeium/windsurf/mcp_config.json', 'mcpServers'],
];

function install(home: string, ...args: readonly string[]) {
  return pdftool(['mcp', 'install', ...args], { cwd: home, env: { ...CLEAN, HOME: home } });
}

describe.skipIf(process.platform !== 'linux')('mcp install', () => {
  it('knows the clients that help and completions offer', () => {
    const { commands } = describeProgram(['mcp']);
    const options = commands
      .find(({ name }) => name === 'mcp')
      ?.commands.find(({ name }) => name === 'install')?.options;
    const client = options?.find(({ long }) => long === '--client');
    expect(client?.completes).toEqual({ kind: 'words', words: Object.keys(CLIENTS) });
  });

  it.each(FILES)('makes the file of %s, and finds it done the next time', async (client, path, key) => {
    using home = folder();
    const first = await install(
      home.path,
      '--client',
      client,
      '--yes',
      '--root',
      home.path,
      '--max-credits',
      '5',
      '--json',
    );
    expect(first.exitCode, first.stderr).toBe(0);
    expect(JSON.parse(first.stdout)).toMatchObject({ ok: true, client, file: home.at(path), changed: true });
    const made = JSON.parse(readFileSync(home.at(path), 'utf8'));
    const { command, args } = made[key].pdftool;
    expect(['pdftool', process.execPath]).toContain(command);
    expect(args.slice(-5)).toEqual(['mcp', '--root', home.path, '--max-credits', '5']);
    const second = await install(
      home.path,
      '--client',
      client,
      '--yes',
      '--root',
      home.path,
      '--max-credits',
      '5',
      '--json',
    );
    expect(JSON.parse(second.stdout)).toMatchObject({ changed: false });
  });

  it('keeps all that is there, how it is indented, its mode, and that it is a link', async () => {
    using home = folder();
    mkdirSync(home.at('.cursor'));
    const before = {
      theme: 'dark',
      mcpServers: {
        other: { command: 'x', env: { A: '1' } },
        pdftool: { command: 'old', args: [], env: { PDFTOOL_PROFILE: 'work' } },
      },
    };
    writeFileSync(home.at('dotfiles.json'), JSON.stringify(before, undefined, '\t'), { mode: 0o600 });
    symlinkSync('../dotfiles.json', home.at('.cursor/mcp.json'));
    expect((await install(home.path, '--client', 'cursor', '--yes')).exitCode).toBe(0);
    const text = readFileSync(home.at('dotfiles.json'), 'utf8');
    const after = JSON.parse(text);
    expect(after).toMatchObject({ theme: 'dark', mcpServers: { other: before.mcpServers.other } });
    expect(after.mcpServers.pdftool).toMatchObject({ command: process.execPath, env: { PDFTOOL_PROFILE: 'work' } });
    expect(text).toContain('\n\t"theme"');
    expect(statSync(home.at('dotfiles.json')).mode & 0o777).toBe(0o600);
  });

  it('adds a table to the file of Codex, and none to one that has it', async () => {
    using home = folder();
    mkdirSync(home.at('.codex'));
    writeFileSync(home.at('.codex/config.toml'), 'model = "x"\n\n[mcp_servers.other]\ncommand = "y"\n');
    expect((await install(home.path, '--client', 'codex', '--yes')).exitCode).toBe(0);
    const text = readFileSync(home.at('.codex/config.toml'), 'utf8');
    expect(text).toBe(
      `model = "x"\n\n[mcp_servers.other]\ncommand = "y"\n\n[mcp_servers.pdftool]\ncommand = ${JSON.stringify(process.execPath)}\nargs = [${JSON.stringify(PROGRAM)}, "mcp", "--root", ${JSON.stringify(home.path)}]\n`,
    );
    const other = await install(home.path, '--client', 'codex', '--yes', '--prefix', 'x_');
    expect(other.exitCode).toBe(6);
    expect(readFileSync(home.at('.codex/config.toml'), 'utf8')).toBe(text);
  });

  it.each([
    ['comments', '{\n  // mine\n  "mcpServers": {}\n}\n'],
    ['another form', '{"mcpServers": []}'],
    ['half a file', '{"mcpServers": {'],
  ])('leaves a file with %s alone, and says how to go on', async (_, text) => {
    using home = folder();
    mkdirSync(home.at('.cursor'));
    writeFileSync(home.at('.cursor/mcp.json'), text);
    const { exitCode, stderr } = await install(home.path, '--client', 'cursor', '--yes');
    expect(exitCode).toBe(6);
    expect(stderr).toContain('--print');
    expect(readFileSync(home.at('.cursor/mcp.json'), 'utf8')).toBe(text);
  });

  it('writes nothing where nobody can be asked, and nothing with --print', async () => {
    using home = folder();
    const { exitCode, stderr } = await install(home.path, '--client', 'cursor');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--yes');
    const printed = await install(home.path, '--client', 'cursor', '--print');
    expect(JSON.parse(printed.stdout).mcpServers.pdftool.args).toContain('mcp');
    expect(home.list()).toEqual([]);
  });

  it('never writes a key', async () => {
    using home = folder();
    const env = { ...CLEAN, HOME: home.path, PDFTOOL_API_KEY: 'sk_test_0123456789abcdefWXYZ' };
    await pdftool(['mcp', 'install', '--client', 'cursor', '--yes'], { cwd: home.path, env });
    expect(readFileSync(home.at('.cursor/mcp.json'), 'utf8')).not.toContain('sk_test');
  });

  it.each([[[]], [['--client', 'notepad']]])('with %j names the clients', async (args) => {
    using home = folder();
    const { exitCode, stderr } = await install(home.path, ...args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('claude-desktop');
  });
});

describe('mcp tools', () => {
  it('lists what a client will see', async () => {
    using here = folder();
    const { stdout } = await pdftool(['mcp', 'tools', '--json', '--prefix', 'x_'], { cwd: here.path });
    const { tools, engine } = JSON.parse(stdout);
    expect(engine).toBe('local');
    expect(tools.length).toBeGreaterThanOrEqual(31);
    expect(tools[0]).toMatchObject({
      name: 'x_pdf_info',
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
    });
    const plain = await pdftool(['mcp', 'tools'], { cwd: here.path });
    expect(plain.stdout).toContain('pdftool_merge_pdfs: Merge PDFs');
    expect(here.list()).toEqual([]);
  });
});
