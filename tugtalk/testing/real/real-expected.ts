/**
 * The differences between the measured versions of `claude` that a host sees. Everything else is the
 * same for all versions.
 */

import type { MeasuredVersion } from "../../simulator/measured-versions.ts";
import type { Fields } from "../../src/base/json.ts";

/** The behaviour of one version. */
export type Expected = {
  /** Fields of the `turn_complete` of a turn that was interrupted in its text, and at a prompt. */
  readonly interruptedText: Fields;
  readonly interruptedPrompt: Fields;
  /** The text of a turn that the API refused. */
  readonly refusal: string;
  /** How the text begins with which the model gets the answers to questions. */
  readonly answersAre: string;
  /** The full name of the model `haiku`. */
  readonly haiku: string;
  /** The name of the tool that runs a subagent. */
  readonly subagentTool: string;
  /** The notifications of a foreground subagent, in order. */
  readonly subagentNotifications: readonly string[];
  /** The end of background work starts a turn: the `origin` of that turn. Absent: it never does. */
  readonly wakeOrigin?: Fields;
  /** The notifications of a background command, in order, without `background_tasks`. */
  readonly backgroundNotifications: readonly string[];
  /** Whether `background_tasks` is emitted at each change. */
  readonly emitsBackgroundTasks: boolean;
  /** The fields of `compact_boundary` that are numbers of tokens. */
  readonly compactionTokens: readonly string[];
  /** Fields of the `turn_complete` of a turn with too many model calls. */
  readonly tooManyTurns: Fields;
  /** The text of a turn with a structured output. */
  readonly structuredText: string;
  /** The notifications of a retry, after an API error and after a cut stream. */
  readonly retries: { readonly overloaded: readonly Fields[]; readonly cut: readonly Fields[] };
  /** Whether the answer after a cut stream is streamed, too. */
  readonly streamsAgain: boolean;
};

const OVERLOADED = { attempt: 1, error_status: 529, error: "overloaded" };

/** The common behaviour of the newer versions. */
const NEWER = {
  interruptedText: { terminal_reason: "aborted_streaming", is_error: true },
  interruptedPrompt: { terminal_reason: "aborted_tools", is_error: true },
  refusal: "API Error: 400 not today",
  answersAre: "Your questions have been answered:",
  subagentTool: "Agent",
  subagentNotifications: ["task_started", "task_progress", "task_updated", "task_notification"],
  backgroundNotifications: ["task_started", "task_updated", "task_notification"],
  compactionTokens: ["pre_tokens", "post_tokens", "cumulative_dropped_tokens"],
  tooManyTurns: {
    is_error: true,
    terminal_reason: "max_turns",
    errors: ["Reached maximum number of turns (2)"],
  },
  structuredText: '{"bird":"heron"}',
};

export const EXPECTED: Readonly<Record<MeasuredVersion, Expected>> = {
  "2.1.38": {
    interruptedText: { is_error: false },
    interruptedPrompt: { is_error: false },
    refusal:
      'API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"not today"}}',
    answersAre: "User has answered your questions:",
    haiku: "claude-haiku-4-5-20251001",
    subagentTool: "Task",
    subagentNotifications: [],
    backgroundNotifications: [],
    emitsBackgroundTasks: false,
    compactionTokens: ["pre_tokens"],
    tooManyTurns: { is_error: false },
    structuredText: "A heron.",
    retries: { overloaded: [], cut: [] },
    streamsAgain: false,
  },
  "2.1.197": {
    ...NEWER,
    haiku: "claude-haiku-4-5-20251001",
    wakeOrigin: { kind: "task-notification" },
    emitsBackgroundTasks: false,
    retries: { overloaded: [OVERLOADED], cut: [] },
    streamsAgain: false,
  },
  "2.1.330": {
    ...NEWER,
    haiku: "claude-haiku-5-5",
    wakeOrigin: { kind: "task-notification", producer: "session-task" },
    emitsBackgroundTasks: true,
    retries: { overloaded: [OVERLOADED], cut: [{ attempt: 1, error_status: null }] },
    streamsAgain: true,
  },
};
