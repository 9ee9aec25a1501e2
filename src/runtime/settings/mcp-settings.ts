import { homedir } from 'node:os';
import { parse } from 'node:path';
import { Failure } from '../../contract/base/failure.ts';
import { say, setting } from '../../contract/base/wording.ts';

/** The options of `pdftool mcp`. */
export interface McpFlags {
  readonly roots: readonly string[];
  readonly outputs: string | undefined;
  readonly prefix: string | undefined;
  readonly maxCredits: number | undefined;
}

export interface McpSettings {
  /** Folders that may be read and written; none where the current folder is the whole disk and no other was named. */
  readonly roots: readonly string[];
  /** The folder for outputs that the caller does not name. */
  readonly outputs: string | undefined;
  /** The prefix of the names of tools. */
  readonly prefix: string;
  /**
   * Credits that may be spent while the server runs. Only a flag or the environment sets it: the limit for one command
   * in a project file or stored setting does not let an agent spend that much.
   */
  readonly budget: number;
}

const PREFIX = 'pdftool_';

/** `outputs`: the folder that other commands use. */
export function readMcpSettings(flags: McpFlags, outputs: string | undefined): McpSettings {
  const given = (name: string) => (process.env[name] === '' ? undefined : process.env[name]);
  const prefix = flags.prefix ?? given('PDFTOOL_MCP_PREFIX') ?? PREFIX;
  // Names of tools are letters, digits, _ and -, at most 64 of them; the longest of ours has 27.
  if (!/^[A-Za-z0-9_-]{0,32}$/.test(prefix)) {
    throw new Failure('usage', say`${setting('prefix')}: expected up to 32 letters, digits, _ or -, found ${prefix}`);
  }
  const here = process.cwd();
  return {
    // Some clients start servers in the root of the disk, which nobody meant to hand over.
    roots: flags.roots.length > 0 ? flags.roots : parse(here).root === here ? [] : [here],
    outputs: flags.outputs ?? outputs ?? given('SERVICE_MERGE_OUTPUT_DIR'),
    prefix,
    // Checked with the other settings.
    budget: flags.maxCredits ?? Number(given('PDFTOOL_MAX_CREDITS') ?? 0),
  };
}

export function standardInput(): NodeJS.ReadStream {
  return process.stdin;
}

/** The places where clients keep their configuration. */
export function clientPlaces() {
  return { platform: process.platform, home: homedir(), here: process.cwd(), roaming: process.env.APPDATA };
}
