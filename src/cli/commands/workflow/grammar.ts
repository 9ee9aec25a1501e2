import { addJobOptions, addWorkflowOptions, type OwnCommand } from '../../line/grammar.ts';

export const workflow: OwnCommand = {
  name: 'workflow',
  group: 'Jobs:',
  summary: 'Run large jobs on the service: up to 1 GiB, resumed where they stopped',
  build(command, leaf) {
    const submit = command.command('submit').argument('<workflow>').argument('<file>');
    submit.summary("Run any workflow by the service's name for it");
    leaf(addWorkflowOptions(submit), 'submit');
    const compress = command.command('compress').argument('<file>').summary('Make a PDF of up to 1 GiB smaller');
    leaf(addWorkflowOptions(compress), 'compress');
    const folder = command.command('folder').argument('<folder>');
    leaf(addWorkflowOptions(folder.summary('Process a ZIP of up to 100 files, or the PDFs of a folder')), 'folder');
    const pack = command.command('source-pack').argument('<file>').summary('Make a verified source pack of a text PDF');
    leaf(addWorkflowOptions(pack.option('--mode <mode>', 'How text is written (rag)')), 'source-pack');
    const resume = command
      .command('resume')
      .argument('[id...]')
      .summary('Resume jobs that were not submitted completely');
    leaf(addJobOptions(resume, true), 'resume');
  },
  load: async () => (await import('./run.ts')).run,
};
