import type { AnyOperation } from '../contract/operation.ts';
import type { ProgramShape } from './shape.ts';

/** `llms.txt`: this program on one page for language models (llmstxt.org). `more`: tools without a row, with their use. */
export function llmsText(
  { commands }: ProgramShape,
  rows: readonly AnyOperation[],
  more: Readonly<Record<string, string | undefined>>,
): string {
  const tools = rows.flatMap((op) =>
    Object.entries(op.tools).map(
      ([name, { when }]) => `- \`pdftool_${name}\`: ${op.summary}.${when === undefined ? '' : ` ${when}`}`,
    ),
  );
  const others = Object.entries(more).flatMap(([name, does]) =>
    does === undefined ? [] : [`- \`pdftool_${name}\`: ${does.charAt(0).toUpperCase()}${does.slice(1)}.`],
  );
  return `# pdftool

> The command-line tool for PDFs: merge, split, rotate, compress, read, draw; on this machine, or on a Document Processing
> Service with the same commands. Tools for agents over the Model Context Protocol.

- On this machine it sends nothing, costs nothing and needs no key.
- Results are new files. Existing files are replaced only on request.
- A charged call of the service is never sent twice. If its answer is lost, look at the account before you repeat it.
- \`--json\` prints one JSON value; exit codes say what went wrong (\`pdftool help exit-codes\`).
- Pages are written as 1-3,7 and 7- (to the end), z (the last), r2 (the last but one), x5 (not 5), odd, :even.

## Docs

- [README](README.md): what it does and how it is installed
- [Changes](CHANGELOG.md): what is new
- [Contributing](.github/CONTRIBUTING.md): how it is built
- \`pdftool COMMAND --help\`, \`man pdftool\`: every command and option
- \`pdftool openapi\`: the HTTP interface of the service (OpenAPI 3.1)

## Tools for agents

\`pdftool mcp\` serves them over standard input and output; \`pdftool mcp install --client NAME\` configures a client. They use
files only in the folders that \`--root\` names. On the service a charged call needs \`--max-credits\` or the person's yes.

${[...tools, ...others].join('\n')}

## Commands

${commands.map(({ name, summary }) => `- \`pdftool ${name}\`: ${summary}`).join('\n')}
`;
}
