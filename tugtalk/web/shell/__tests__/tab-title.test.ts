/** What the tab says of the sessions. */
import { expect, test } from "bun:test";
import type { PendingPrompt, SessionInfo } from "../../../client/host-api.ts";
import { formatTitle, hasEnded, tabOf } from "../tab-title.ts";

const IDLE: SessionInfo = {
  id: "one",
  place: "local",
  dir: "/project",
  title: "Greeting",
  state: "idle",
  pending: 0,
  queued: 0,
  cost_usd: 0,
  created_at: 1,
  updated_at: 1,
};

const PROMPT: PendingPrompt = {
  type: "approval",
  sessionId: "two",
  stageId: "two",
  requestId: "ask",
  createdAt: 1,
  toolName: "Write",
  input: {},
  suggestions: [],
};

type Case = {
  readonly sessions: readonly Partial<SessionInfo>[];
  readonly pending?: readonly PendingPrompt[];
  readonly shown?: string;
  readonly isDone?: boolean;
};

function titleOf({ sessions, pending = [], shown, isDone = false }: Case): string {
  const all = sessions.map((session) => ({ ...IDLE, ...session }));
  return formatTitle(tabOf({ sessions: all, pending }, shown, isDone));
}

test("the tab of an idle session has its title and no mark", () => {
  expect(titleOf({ sessions: [{}], shown: "one" })).toBe("Greeting · tugtalk");
});

test("the tab of a session that works has a dot", () => {
  expect(titleOf({ sessions: [{ state: "running" }], shown: "one" })).toBe("● Greeting · tugtalk");
});

test("the tab of a session that waits for a person has a question mark and the count of prompts", () => {
  const sessions = [{ state: "running", pending: 1 }] as const;
  expect(titleOf({ sessions, pending: [PROMPT], shown: "one" })).toBe("? (1) Greeting · tugtalk");
});

test("the tab of a session counts the prompts of the others too, and has its own mark", () => {
  const sessions = [{}, { id: "two", pending: 1 }];
  expect(titleOf({ sessions, pending: [PROMPT], shown: "one" })).toBe("(1) Greeting · tugtalk");
});

test("the tab of a session that has ended its work since somebody looked has a check mark", () => {
  expect(titleOf({ sessions: [{}], shown: "one", isDone: true })).toBe("✓ Greeting · tugtalk");
});

test("the tab of all sessions has the most urgent mark of them", () => {
  expect(titleOf({ sessions: [{}] })).toBe("Sessions · tugtalk");
  expect(titleOf({ sessions: [{}, { state: "running" }] })).toBe("● Sessions · tugtalk");
  const sessions = [{ pending: 1 }, { id: "two", state: "running" }] as const;
  expect(titleOf({ sessions })).toBe("? Sessions · tugtalk");
});

test("the tab of a session without a title is called untitled, as its card is", () => {
  expect(titleOf({ sessions: [{ title: "" }], shown: "one" })).toBe("Untitled · tugtalk");
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
