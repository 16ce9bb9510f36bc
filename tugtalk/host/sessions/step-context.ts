/** The facts that a step needs beside the state of its session and its input. */
import type { Uptime } from "../../src/base/uptime.ts";
import type { ApiError } from "../api/api-error.ts";
import type { SessionRow } from "../journal/journal.ts";
import { type KnownJournal, readKnown, withSteps } from "./known-replies.ts";
import type { SessionInput, StepContext } from "./session-input.ts";
import type { SessionState } from "./session-state.ts";
import type { StepDraft } from "./step-draft.ts";

export type ContextPorts = {
  readonly journal: KnownJournal;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly uptime: () => Uptime | undefined;
  /** The reason why no Claude may be started for this session now. */
  readonly inUse: (row: SessionRow) => ApiError | undefined;
};

/** Reads the context of a step. `drafts`: the earlier steps that are not written yet. */
export async function readContext(
  { journal, now, uptime, inUse }: ContextPorts,
  { row }: SessionState,
  drafts: readonly StepDraft[],
  input: SessionInput,
): Promise<StepContext> {
  const known = await readKnown(withSteps(journal, drafts), row.id, input);
  const needsClaude = input.kind === "message" || input.kind === "send_queued";
  return {
    at: now(),
    ...(row.bridge?.lingerMs !== undefined && { upAt: uptime() }),
    ...known,
    ...(needsClaude && { inUse: inUse(row) }),
  };
}
