/** Notices in words, filled from captured conversations. */
import { expect, test } from "bun:test";
import { reduceCapture } from "../../../testing/captures/reduced-capture.ts";
import type { NoticeData } from "../../entry-models.ts";
import type { Notice } from "../../transcript-models.ts";
import { viewNotice } from "../notice-view.ts";

type Severity = NoticeData["severity"];

/** The notices of a capture, up to the first of this kind. */
async function noticesOf(capture: string, kind: Notice["kind"]) {
  const isRetry = ({ type }: { readonly type: string }) => type === "api_retry";
  const { entries, openEntries } = await reduceCapture(
    capture,
    kind === "retry" ? isRetry : undefined,
  );
  return [...entries, ...openEntries].flatMap(({ items }) =>
    items.flatMap((item) => (item.kind === "notice" ? [viewNotice(item.notice)] : [])),
  );
}

/** The notices of a capture: the kind, how grave it is, and its words. */
type Captured = readonly [capture: string, ...words: [Notice["kind"], Severity, string, string?]];

const CAPTURED: Readonly<Record<string, Captured>> = {
  "a retry of a model call says why and when": [
    "api_529_once",
    "retry",
    "warning",
    "The API failed (overloaded, status 529); retry 1 of 10 follows in 0.5 s",
  ],
  "a compaction says what it has saved": [
    "auto_compact",
    "compaction",
    "info",
    "The conversation so far was summarised because the context was full: 995,445 tokens became 2,633",
  ],
  "a fallback names both models": [
    "fallback_model_529",
    "model_fallback",
    "warning",
    "The model claude-sonnet-5-5 answers in place of claude-opus-5-5",
    "Switched to Sonnet 5.5 due to high demand for Opus 5.5",
  ],
  "a call that Claude refused by itself names the tool": [
    "dontask_allowed",
    "permission_denied",
    "warning",
    "Bash was refused",
    "Permission to use Bash has been denied because Claude Code i",
  ],
  "the end of a process says whether Claude is started again": [
    "life_sigkill_tool",
    "exit",
    "error",
    "Claude ended by itself (SIGKILL); the next message starts it again",
  ],
  "the end of a background task says how it ended": [
    "bg_bash_short",
    "task",
    "info",
    'Background command "Background job" completed (exit code 0)',
  ],
  "a cleared conversation is a notice": [
    "slash_clear",
    "session",
    "info",
    "The conversation was cleared",
  ],
};

test.each(Object.entries(CAPTURED))("%s", async (_sentence, [capture, ...words]) => {
  const [kind, severity, text, detail] = words;
  const views = await noticesOf(`2.1.330/${capture}`, kind);
  expect(views.map((view) => ({ ...view, detail: view.detail?.slice(0, 60) }))).toEqual([
    { kind, severity, text, detail },
  ]);
});

type MadeUp = readonly [
  notice: Notice,
  severity: Severity,
  text: string,
  more?: Partial<NoticeData>,
];

const LATE = "request 1b2c3d4e-0000-4000-8000-000000000001 is already settled";

/** No recording has these. */
const MADE_UP: readonly MadeUp[] = [
  [
    {
      kind: "rate_limit",
      status: "allowed_warning",
      limit: "five_hour",
      utilization: 0.9,
      resetsAt: 1_770_000_000,
    },
    "warning",
    "90 % of the five hour limit is used",
    { until: 1_770_000_000_000 },
  ],
  [{ kind: "rate_limit", status: "rejected" }, "error", "The rate limit is reached"],
  [{ kind: "rate_limit", status: "allowed" }, "info", "Within the rate limit"],
  [
    { kind: "rate_limit", status: "allowed_warning", limit: "seven_day" },
    "warning",
    "The seven day limit is near",
  ],
  [
    {
      kind: "retry",
      attempt: 2,
      maxRetries: 10,
      delayMs: 1234,
      errorStatus: null,
      error: "unknown",
    },
    "warning",
    "The API failed (unknown); retry 2 of 10 follows in 1.2 s",
  ],
  [
    {
      kind: "rewind",
      messageId: "m",
      text: "Do it\nnow",
      files: { paths: ["/work/a.txt"], insertions: 1, deletions: 2 },
      isForgotten: true,
    },
    "info",
    "Back to before “Do it”: 1 file was put back, and Claude no longer knows what followed",
    { detail: "/work/a.txt" },
  ],
  [
    { kind: "rewind", messageId: "m", text: "Do it", isForgotten: true },
    "info",
    "Back to before “Do it”: Claude no longer knows what followed",
  ],
  [
    {
      kind: "rewind",
      messageId: "m",
      text: "Do it",
      files: { paths: [], insertions: 0, deletions: 0 },
      isForgotten: false,
    },
    "info",
    "Back to before “Do it”: no files were put back",
  ],
  [{ kind: "compaction", trigger: "manual" }, "info", "The conversation so far was summarised"],
  [
    { kind: "compaction", error: "API Error: 400 no" },
    "warning",
    "The conversation was not summarised",
    { detail: "API Error: 400 no" },
  ],
  [
    { kind: "model_fallback", from: "opus", reason: "refused" },
    "error",
    "The model opus refused to answer",
    { detail: "refused" },
  ],
  [
    { kind: "task", taskId: "t", status: "failed", summary: "No.\nReally." },
    "error",
    "Background task failed",
    { report: "No.\nReally." },
  ],
  [
    { kind: "task", taskId: "t", title: "Read it", status: "completed", summary: "## It\n**Ada**" },
    "info",
    "Background task completed: Read it",
    { report: "## It\n**Ada**" },
  ],
  [
    {
      kind: "task",
      taskId: "t",
      title: "Read it",
      status: "completed",
      summary: 'Agent "X" is ours.',
    },
    "info",
    "Background task completed: Read it",
    { report: 'Agent "X" is ours.' },
  ],
  [
    {
      kind: "task",
      taskId: "t",
      title: "Read it",
      status: "stopped",
      summary: 'Agent "Read it" ended',
    },
    "warning",
    'Agent "Read it" ended',
  ],
  [
    { kind: "task", taskId: "t", title: "Read it", status: "stopped", summary: "Read it" },
    "warning",
    "Background task stopped: Read it",
  ],
  [
    { kind: "exit", exitCode: 3, signal: null, willRestart: false, stderrTail: "oh\n" },
    "error",
    "Claude ended by itself (exit code 3); it is not started again",
    { detail: "oh" },
  ],
  [
    { kind: "message", messageId: "m", status: "failed", text: "hello" },
    "warning",
    "A message was not answered: Claude ended before it answered",
    { detail: "hello" },
  ],
  [
    {
      kind: "error",
      code: "resume_failed",
      message: "No such session",
      recoverable: false,
      reason: "no_such_session",
    },
    "error",
    "No such session",
    { detail: "resume_failed: no_such_session" },
  ],
  [{ kind: "text", level: "warning", text: "Careful" }, "warning", "Careful"],
  [
    { kind: "error", code: "stale_request", message: LATE, recoverable: true },
    "info",
    "An answer came after its prompt was closed",
    { detail: `stale_request: ${LATE}` },
  ],
];

test.each(MADE_UP)("the notice %j has its words", (...row) => {
  const [notice, severity, text, more] = row;
  expect(viewNotice(notice)).toEqual({ kind: notice.kind, severity, text, ...more });
});
