/** Answers one message of a client of the tools for agents. */
export type AnswerMessage = (
  message: unknown,
  headers: Readonly<Record<string, string>>,
) => Promise<{ status: number; type: string | undefined; text: string }>;

/** Named by SERVICE.md without an endpoint of their own: those with one are in its row. */
export const TOOLS_WITHOUT_ROW = {
  estimate_speech_cost: 'prices an audio job from the text layer, before anything is sent',
  first_run_checklist: 'says what is set up on this machine and what is not',
} as const;
