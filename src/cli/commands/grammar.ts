import { type Command, Option } from 'commander';
import type { Options } from '../flags.ts';
import type { RunOwn } from './call.ts';

/** A command that is no operation: its names, options and help, and the file that runs it. */
export interface OwnCommand {
  readonly name: string;
  readonly summary: string;
  /** Where help shows it; among what sets the program up by default. */
  readonly group?: string;
  /** The row whose command it is a part of. */
  readonly under?: string;
  /** Called by programs, and shown to nobody. */
  readonly hidden?: true;
  /** Texts that `--help TOPIC` tells of it, by name; see shape.ts. */
  readonly topics?: readonly string[];
  /** It lets what is under way come to its end when it is stopped, which may take a while. */
  readonly drains?: true;
  /** Declares its arguments and options. `leaf` names each command that does something. */
  build(command: Command, leaf: (command: Command, subcommand?: string) => void): void;
  /** Nothing of what it does is loaded before. */
  load(): Promise<RunOwn>;
}

/** For an option that may be repeated. */
export function several(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** What every command that begins or follows jobs takes. */
export function addJobOptions(command: Command, begins: boolean): Command {
  if (begins) {
    command.addOption(new Option('--detach', 'Print the job id and return; pdftool jobs watch goes on'));
    command.addOption(new Option('--wait', 'Wait for the end, in plain lines').conflicts('detach'));
  }
  command.addOption(new Option('--no-download', 'Leave the result with the service'));
  command.addOption(new Option('--notify', 'Ring the bell, and show a notice, when a job ends'));
  return command.addOption(new Option('--on-done <command>', 'Run this in the shell when a job ends'));
}

/** What is asked of jobs beside their end. */
export interface FollowOptions {
  /** Ask at once; a job that was just begun is given a moment. */
  readonly soon: boolean;
  /** Results are fetched too. */
  readonly deliver: boolean;
  readonly draw: boolean;
  readonly notify: boolean;
  readonly onDone: string | undefined;
}

/** Reads what `addJobOptions` declares. */
export function readFollowOptions(options: Options, more: { soon: boolean; draw?: boolean }): FollowOptions {
  return {
    soon: more.soon,
    draw: more.draw ?? true,
    deliver: options.download !== false,
    notify: options.notify === true,
    onDone: typeof options.onDone === 'string' ? options.onDone : undefined,
  };
}

/** What every command that submits a workflow job takes. */
export function addWorkflowOptions(command: Command): Command {
  command.addOption(
    new Option('--option <name=value>', 'An option of the workflow; may be repeated').argParser(several),
  );
  command.addOption(
    new Option('--idempotency-key <key>', 'Name this request yourself; the same key finds the same job'),
  );
  return addJobOptions(command, true);
}
