import { addJobOptions, type OwnCommand } from '../../line/grammar.ts';

export const jobs: OwnCommand = {
  name: 'jobs',
  group: 'Jobs:',
  summary: 'List, watch and fetch jobs started on this machine',
  build(command, leaf) {
    const list = command.command('list').summary('List jobs, the oldest first');
    list.option('--refresh', 'Ask the service about unfinished jobs');
    leaf(list.option('--calls', 'List paid calls instead of jobs'), 'list');
    leaf(command.command('status').argument('<id>').summary('Show the state of a job'), 'status');
    const watch = command
      .command('watch')
      .argument('[id...]')
      .summary('Watch jobs to their end; all unfinished by default');
    leaf(addJobOptions(watch, false), 'watch');
    const wait = command
      .command('wait')
      .argument('[id...]')
      .summary('The same in plain lines; --timeout ends it with exit code 8');
    leaf(addJobOptions(wait, false), 'wait');
    leaf(command.command('download').argument('<id>').summary('Fetch the result of a finished job'), 'download');
    const cancel = command.command('cancel').argument('<id...>');
    leaf(cancel.summary('Cancel jobs on the service; their reserved credits are returned'), 'cancel');
    const forget = command.command('forget').argument('[id...]').summary('Remove jobs from the list');
    leaf(forget.option('--ended', 'All ended jobs, and paid calls that were answered'), 'forget');
  },
  load: async () => (await import('./run.ts')).run,
};
