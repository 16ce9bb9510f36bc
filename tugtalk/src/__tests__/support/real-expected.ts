/**
 * In what the measured versions of `claude` differ before a host's eyes: the one table that the list
 * of real behaviours is checked with. What is not here is the same for all of them.
 */

/** What a version does in its own way. */
export type Expected = {
  /** Fields of the `turn_complete` of a turn that was interrupted in its text, and at a prompt. */
  readonly interruptedText: Readonly<Record<string, unknown>>;
  readonly interruptedPrompt: Readonly<Record<string, unknown>>;
  /** The words of a turn that the API refused. */
  readonly refusal: string;
  /** How the answers to the questions of the list are told to the model. */
  readonly answersToModel: string;
  /** The full name of the model `haiku`. */
  readonly haiku: string;
  /** The answer to `stop_task` with an id that no task has. */
  readonly bogusTask: Readonly<Record<string, unknown>>;
  /** What `/cost` prints. */
  readonly cost: RegExp;
};

export const EXPECTED = {
  "2.1.330": {
    interruptedText: { terminal_reason: "aborted_streaming", is_error: true },
    interruptedPrompt: { terminal_reason: "aborted_tools", is_error: true },
    refusal: "API Error: 400 not today",
    answersToModel:
      'Your questions have been answered: "Which store?"="Postgres", "Which colours?"="Red,Blue".',
    haiku: "claude-haiku-5-5",
    bogusTask: { ok: true },
    cost: /Estimated cost:/,
  },
} satisfies Record<string, Expected>;
