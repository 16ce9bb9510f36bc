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
  /** The text with which the model gets the answers to the questions. */
  readonly answersToModel: string;
  /** The full name of the model `haiku`. */
  readonly haiku: string;
  /** The answer to `stop_task` with an id that no task has. */
  readonly bogusTask: { readonly ok: boolean; readonly error?: RegExp };
  /** What `/cost` prints. */
  readonly cost: RegExp;
  /** The name of the tool that runs a subagent. */
  readonly subagentTool: string;
  /** Whether a subagent runs in the background unless the call says otherwise. */
  readonly isSubagentInBackground: boolean;
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
  /** What `/clear` does. Absent: there is no such command. */
  readonly clear?: {
    /** The text of the turn. */
    readonly output: readonly string[];
    readonly resets: number;
    /** The cost starts at 0 again. */
    readonly restartsCost: boolean;
  };
  /** Fields of the `turn_complete` of a turn with too many model calls. */
  readonly tooManyTurns: Fields;
  /** The text of a turn with a structured output. */
  readonly structuredText: string;
  /** The notifications of a retry, after an API error and after a cut stream. */
  readonly retries: { readonly overloaded: readonly Fields[]; readonly cut: readonly Fields[] };
  /** Whether the answer after a cut stream is streamed, too. */
  readonly streamsAgain: boolean;
  /** How many turns two messages get that were steered into a text. */
  readonly steeredTurns: 1 | 2;
};

const OVERLOADED = { attempt: 1, error_status: 529, error: "overloaded" };
const TASK_NOTIFICATIONS = ["task_started", "task_updated", "task_notification"];
const SUBAGENT_NEWS = ["task_started", "task_progress", "task_updated", "task_notification"];
const COMPACTION_TOKENS = ["pre_tokens", "post_tokens", "cumulative_dropped_tokens"];
const TOO_MANY_TURNS = {
  is_error: true,
  terminal_reason: "max_turns",
  errors: ["Reached maximum number of turns (2)"],
};

export const EXPECTED: Readonly<Record<MeasuredVersion, Expected>> = {
  "2.1.38": {
    interruptedText: { is_error: false },
    interruptedPrompt: { is_error: false },
    refusal:
      'API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"not today"}}',
    answersToModel:
      'User has answered your questions: "Which store?"="Postgres", "Which colours?"="Red,Blue".',
    haiku: "claude-haiku-4-5-20251001",
    bogusTask: { ok: false, error: /^unsupported.*2\.1\.197/ },
    cost: /Total cost:/,
    subagentTool: "Task",
    isSubagentInBackground: false,
    subagentNotifications: [],
    backgroundNotifications: [],
    emitsBackgroundTasks: false,
    compactionTokens: ["pre_tokens"],
    tooManyTurns: { is_error: false },
    structuredText: "A heron.",
    retries: { overloaded: [], cut: [] },
    streamsAgain: false,
    steeredTurns: 2,
  },
  "2.1.197": {
    interruptedText: { terminal_reason: "aborted_streaming", is_error: true },
    interruptedPrompt: { terminal_reason: "aborted_tools", is_error: true },
    refusal: "API Error: 400 not today",
    answersToModel:
      'Your questions have been answered: "Which store?"="Postgres", "Which colours?"="Red,Blue".',
    haiku: "claude-haiku-4-5-20251001",
    bogusTask: { ok: true },
    cost: /Total cost:/,
    subagentTool: "Agent",
    isSubagentInBackground: false,
    subagentNotifications: SUBAGENT_NEWS,
    wakeOrigin: { kind: "task-notification" },
    backgroundNotifications: TASK_NOTIFICATIONS,
    emitsBackgroundTasks: false,
    compactionTokens: COMPACTION_TOKENS,
    clear: { output: ["(no content)"], resets: 0, restartsCost: false },
    tooManyTurns: TOO_MANY_TURNS,
    structuredText: '{"bird":"heron"}',
    retries: { overloaded: [OVERLOADED], cut: [] },
    streamsAgain: false,
    steeredTurns: 1,
  },
  "2.1.330": {
    interruptedText: { terminal_reason: "aborted_streaming", is_error: true },
    interruptedPrompt: { terminal_reason: "aborted_tools", is_error: true },
    refusal: "API Error: 400 not today",
    answersToModel:
      'Your questions have been answered: "Which store?"="Postgres", "Which colours?"="Red,Blue".',
    haiku: "claude-haiku-5-5",
    bogusTask: { ok: true },
    cost: /Estimated cost:/,
    subagentTool: "Agent",
    isSubagentInBackground: true,
    subagentNotifications: SUBAGENT_NEWS,
    wakeOrigin: { kind: "task-notification", producer: "session-task" },
    backgroundNotifications: TASK_NOTIFICATIONS,
    emitsBackgroundTasks: true,
    compactionTokens: COMPACTION_TOKENS,
    clear: { output: [], resets: 1, restartsCost: true },
    tooManyTurns: TOO_MANY_TURNS,
    structuredText: '{"bird":"heron"}',
    retries: {
      overloaded: [OVERLOADED],
      cut: [{ attempt: 1, error_status: null }],
    },
    streamsAgain: true,
    steeredTurns: 1,
  },
};
