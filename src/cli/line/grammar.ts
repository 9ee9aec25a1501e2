import { type Command, Option } from 'commander';
import type { RunOwn } from './call.ts';
import { type Options, textOf } from './flags.ts';

/** A command that is no operation: its names, options and help, and the file that runs it. */
export interface OwnCommand {
  readonly name: string;
  readonly summary: string;
  /** The heading in help; `Set-up:` by default. */
  readonly group?: string;
  /** The row whose command it is a subcommand of. */
  readonly under?: string;
  /** Called by programs; not shown by help. */
  readonly hidden?: true;
  /** Topics of `--help TOPIC`; their texts are in shape.ts. */
  readonly topics?: readonly string[];
  /** It finishes work in progress when stopped, which may take a while. */
  readonly drains?: true;
  /** Declares its arguments and options. `leaf` names each command that does something. */
  build(command: Command, leaf: (command: Command, subcommand?: string) => void): void;
  load(): Promise<RunOwn>;
}

/** For an option that may be repeated. */
export function several(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** The options of every command that begins or follows jobs. */
export function addJobOptions(command: Command, begins: boolean): Command {
  if (begins) {
    command.option('--detach', 'Print the job id and return; follow it with pdftool jobs watch');
    command.addOption(new Option('--wait', 'Wait for the end, in plain lines').conflicts('detach'));
  }
  command.option('--no-download', 'Leave the result with the service');
  command.option('--notify', 'Ring the bell, and show a notice, when a job ends');
  return command.option('--on-done <command>', 'Run this in the shell when a job ends');
}

export interface FollowOptions {
  /** Ask for the status at once; else after a moment. */
  readonly soon: boolean;
  readonly deliver: boolean;
  readonly draw: boolean;
  readonly notify: boolean;
  readonly onDone: string | undefined;
}

export function readFollowOptions(options: Options, more: { soon: boolean; draw?: boolean }): FollowOptions {
  return {
    soon: more.soon,
    draw: more.draw ?? true,
    deliver: options.download !== false,
    notify: options.notify === true,
    onDone: textOf(options, 'onDone'),
  };
}

/** The options of every command that submits a workflow job. */
export function addWorkflowOptions(command: Command): Command {
  command.option('--option <name=value>', 'An option of the workflow; may be repeated', several);
  command.option('--idempotency-key <key>', 'Name this request yourself; the same key finds the same job');
  return addJobOptions(command, true);
}
