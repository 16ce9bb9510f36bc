/** Notices in words, filled from captured conversations. */
import { expect, test } from "bun:test";
import type { NoticeData } from "../../../src/messages/entry-models.ts";
import type { Notice } from "../../../src/messages/transcript-models.ts";
import { reduceCapture } from "../../../testing/captures/reduced-capture.ts";
import type { Emitted } from "../../../testing/drivers/test-session.ts";
import { viewNotice } from "../notice-view.ts";

type Until = (message: Pick<Emitted, "type">) => boolean;

/** The notices of a capture, or of its start. */
async function noticesOf(capture: string, isLast?: Until) {
  const { entries, openEntries } = await reduceCapture(capture, isLast);
  return [...entries, ...openEntries].flatMap(({ items }) =>
    items.flatMap((item) => (item.kind === "notice" ? [viewNotice(item.notice)] : [])),
  );
}

test("a retry of a model call says why and when", async () => {
  const view = await noticesOf("2.1.330/api_529_once", ({ type }) => type === "api_retry");
  expect(view).toEqual([
    {
      kind: "retry",
      severity: "warning",
      text: "The API failed (overloaded, status 529); retry 1 of 10 follows in 0.5 s",
    },
  ]);
});

test("a compaction says what it has saved", async () => {
  const view = await noticesOf("2.1.330/auto_compact");
  expect(view).toEqual([
    {
      kind: "compaction",
      severity: "info",
      text: "The conversation so far was summarised because the context was full: 995,445 tokens became 2,633",
    },
  ]);
});

test("a fallback names both models", async () => {
  const view = await noticesOf("2.1.330/fallback_model_529");
  expect(view).toEqual([
    {
      kind: "model_fallback",
      severity: "warning",
      text: "The model claude-sonnet-5-5 answers in place of claude-opus-5-5",
      detail: "Switched to Sonnet 5.5 due to high demand for Opus 5.5",
    },
  ]);
});

test("a call that Claude refused by itself names the tool", async () => {
  const view = (await noticesOf("2.1.330/dontask_allowed")).map(({ detail, ...notice }) => ({
    ...notice,
    detail: detail?.slice(0, 60),
  }));
  expect(view).toEqual([
    {
      kind: "permission_denied",
      severity: "warning",
      text: "Bash was refused",
      detail: "Permission to use Bash has been denied because Claude Code i",
    },
  ]);
});

test("the end of a process says whether Claude is started again", async () => {
  const view = await noticesOf("2.1.330/life_sigkill_tool");
  expect(view).toEqual([
    {
      kind: "exit",
      severity: "error",
      text: "Claude ended by itself (SIGKILL); the next message starts it again",
    },
  ]);
});

test("the end of a background task says how it ended", async () => {
  const view = await noticesOf("2.1.330/bg_bash_short");
  expect(view).toEqual([
    {
      kind: "task",
      severity: "info",
      text: 'Background task completed: Background command "Background job" completed (exit code 0)',
    },
  ]);
});

test("a cleared conversation is a notice", async () => {
  const view = await noticesOf("2.1.330/slash_clear");
  expect(view).toEqual([
    { kind: "session", severity: "info", text: "The conversation was cleared" },
  ]);
});

/** Made up: no recording has these. */
const MADE_UP: readonly (readonly [notice: Notice, view: NoticeData])[] = [
  [
    {
      kind: "rate_limit",
      status: "allowed_warning",
      limit: "five_hour",
      utilization: 0.9,
      resetsAt: 1_770_000_000,
    },
    {
      kind: "rate_limit",
      severity: "warning",
      text: "90 % of the five hour limit is used",
      until: 1_770_000_000_000,
    },
  ],
  [
    { kind: "rate_limit", status: "rejected" },
    { kind: "rate_limit", severity: "error", text: "The rate limit is reached" },
  ],
  [
    { kind: "rate_limit", status: "allowed" },
    { kind: "rate_limit", severity: "info", text: "Within the rate limit" },
  ],
  [
    { kind: "rate_limit", status: "allowed_warning", limit: "seven_day" },
    { kind: "rate_limit", severity: "warning", text: "The seven day limit is near" },
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
    {
      kind: "retry",
      severity: "warning",
      text: "The API failed (unknown); retry 2 of 10 follows in 1.2 s",
    },
  ],
  [
    { kind: "compaction", trigger: "manual" },
    { kind: "compaction", severity: "info", text: "The conversation so far was summarised" },
  ],
  [
    { kind: "compaction", error: "API Error: 400 no" },
    {
      kind: "compaction",
      severity: "warning",
      text: "The conversation was not summarised",
      detail: "API Error: 400 no",
    },
  ],
  [
    { kind: "model_fallback", from: "opus", reason: "refused" },
    {
      kind: "model_fallback",
      severity: "error",
      text: "The model opus refused to answer",
      detail: "refused",
    },
  ],
  [
    { kind: "task", taskId: "t", status: "failed", summary: "No.\nReally." },
    {
      kind: "task",
      severity: "error",
      text: "Background task failed: No.",
      detail: "No.\nReally.",
    },
  ],
  [
    { kind: "exit", exitCode: 3, signal: null, willRestart: false, stderrTail: "oh\n" },
    {
      kind: "exit",
      severity: "error",
      text: "Claude ended by itself (exit code 3); it is not started again",
      detail: "oh",
    },
  ],
  [
    { kind: "message", messageId: "m", status: "failed", text: "hello" },
    {
      kind: "message",
      severity: "warning",
      text: "A message was not answered: Claude ended before it answered",
      detail: "hello",
    },
  ],
  [
    {
      kind: "error",
      code: "resume_failed",
      message: "No such session",
      recoverable: false,
      reason: "no_such_session",
    },
    {
      kind: "error",
      severity: "error",
      text: "No such session",
      detail: "resume_failed: no_such_session",
    },
  ],
  [
    { kind: "text", level: "warning", text: "Careful" },
    { kind: "text", severity: "warning", text: "Careful" },
  ],
];

test.each([...MADE_UP])("the notice %j has its words", (notice, view) => {
  expect(viewNotice(notice)).toEqual(view);
});

test("an answer that came too late is said so, without the id of its prompt", () => {
  const message = "request 1b2c3d4e-0000-4000-8000-000000000001 is already settled";
  expect(viewNotice({ kind: "error", code: "stale_request", message, recoverable: true })).toEqual({
    kind: "error",
    severity: "info",
    text: "An answer came after its prompt was closed",
    detail: `stale_request: ${message}`,
  });
});
