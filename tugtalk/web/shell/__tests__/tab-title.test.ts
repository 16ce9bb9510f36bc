/** The title of the tab, for the sessions. */
import { expect, test } from "bun:test";
import type { SessionInfo } from "../../../client/host-api.ts";
import type { SessionPrompt } from "../../../client/stores/session-prompt.ts";
import { sampleSession } from "../../store/__tests__/support/session-sample.ts";
import { formatTitle, hasEnded, tabOf } from "../tab-title.ts";

const PROMPT: SessionPrompt = {
  kind: "dialog",
  sessionId: "two",
  requestId: "ask",
  createdAt: 1,
  dialogKind: "any",
  payload: {},
};

type Case = {
  readonly sessions: readonly Partial<SessionInfo>[];
  readonly pending?: readonly SessionPrompt[];
  readonly shown?: string;
  readonly isDone?: boolean;
};

function titleOf({ sessions, pending = [], shown, isDone = false }: Case): string {
  const all = sessions.map((session) =>
    sampleSession({ id: "one", title: "Greeting", ...session }),
  );
  return formatTitle(tabOf({ sessions: all, pending }, shown, isDone));
}

const ASKED = { state: "running", pending: 1 } as const;

test.each<[string, Case, string]>([
  ["an idle session has no mark", { sessions: [{}], shown: "one" }, "Greeting"],
  [
    "a session that works has a dot",
    { sessions: [{ state: "running" }], shown: "one" },
    "● Greeting",
  ],
  [
    "a session that waits for a person has the count of such sessions",
    { sessions: [ASKED], pending: [PROMPT, { ...PROMPT, requestId: "other" }], shown: "one" },
    "(1) Greeting",
  ],
  [
    "a session that is idle counts the others that wait",
    { sessions: [{}, { id: "two", pending: 1 }], pending: [PROMPT], shown: "one" },
    "(1) Greeting",
  ],
  [
    "a session that has ended its work since somebody looked has a check mark",
    { sessions: [{}], shown: "one", isDone: true },
    "✓ Greeting",
  ],
  ["all sessions has no mark if none works", { sessions: [{}] }, "Sessions"],
  ["all sessions has a dot if one works", { sessions: [{}, { state: "running" }] }, "● Sessions"],
  [
    "all sessions has the count of those that wait, and no dot beside it",
    { sessions: [{ pending: 1 }, { id: "two", state: "running" }] },
    "(1) Sessions",
  ],
  [
    "a session without a title is called untitled, as its card is",
    { sessions: [{ title: "" }], shown: "one" },
    "Untitled",
  ],
])("the tab of %s", (_name, tab, title) => {
  expect(titleOf(tab)).toBe(`${title} · tugtalk`);
});

test.each([
  ["a turn that ends", "working", "quiet", true],
  ["a turn that ends with the answer to its prompt", "waiting", "quiet", true],
  ["a prompt that is answered", "waiting", "working", false],
  ["a turn that begins", "quiet", "working", false],
  ["a page that was loaded while nothing went on", undefined, "quiet", false],
] as const)("whether what went on is over: %s", (_case, before, state, isOver) => {
  expect(hasEnded(before, state)).toBe(isOver);
});
