/** Answers one message of a client of the tools for agents. */
export type AnswerMessage = (
  message: unknown,
  headers: Readonly<Record<string, string>>,
) => Promise<{ status: number; type: string | undefined; text: string }>;

// Tools of SERVICE.md without an endpoint of their own (those with one are in its row); `undefined` where SERVICE.md
// does not show the endpoint, so that nothing can be computed.
/** Named by SERVICE.md; `undefined` where the endpoint behind them is not shown, so that nothing can be computed. */
export const TOOLS_WITHOUT_ROW = {
  estimate_speech_cost: 'prices an audio job from the text layer, before anything is sent',
  first_run_checklist: 'says what is set up on this machine and what is not',
} as const;
