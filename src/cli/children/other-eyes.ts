// Both ends of asking other readers about documents in memory: the hidden command that answers, and the code that
// starts it.
import type { Clock, Context, OtherEyes } from '../../contract/base/ports.ts';
import { askingEyes } from '../../contract/questions.ts';
import { readPackageFile } from '../../runtime/folders/package-files.ts';
import { matchWithin } from '../../runtime/processes/bounded-match.ts';
import { openAsker } from '../../runtime/processes/channel.ts';
import { ownWasmCommand } from '../../runtime/processes/child.ts';
import { startAsker } from '../../runtime/processes/other-eyes.ts';
import type { RunOwn } from '../line/call.ts';

/** For a Context: what an operation asks to prove its output. Nothing is loaded before the first question. */
export function proofTools(clock: Clock, signal: AbortSignal): Required<Pick<Context, 'otherEyes' | 'match'>> {
  return {
    otherEyes: (): OtherEyes => {
      const { ask, close } = startAsker([...ownWasmCommand(), '__judge'], clock, signal);
      return askingEyes(ask, close);
    },
    match: matchWithin,
  };
}

export const judgeProcess: RunOwn = async () => {
  const asked = openAsker('__judge', 'Use pdftool redact.');
  const { answerQuestions } = await import('../../local/redaction/answer-questions.ts');
  const answer = answerQuestions(() => readPackageFile('@embedpdf/pdfium/pdfium.wasm'), asked.gone);
  // Sent by askingEyes of the same program.
  await asked.serve((question) => answer(question as Parameters<typeof answer>[0]));
  return 0;
};
