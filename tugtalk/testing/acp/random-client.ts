/** The actions of an ACP client and its Claudes, as plain data, so that a counterexample can be read and shrunk. */
import * as fc from "fast-check";
import type { Fields } from "../observer/observed.ts";
import type { AcpHarness } from "./acp-harness.ts";
import { anyAnswer, lastAnswer } from "./random-answers.ts";

const CWD = "/work/project";

const TEXTS = ["hello", "go on", "hello", "go on", "hello", "/clear", "hello"] as const;

/** The actions of the client; `pick` chooses the session and all else. */
const ACTIONS = {
  begin: (harness) => void harness.request("session/new", { cwd: CWD, mcpServers: [] }),
  prompt: (harness, pick) => {
    const prompt = [{ type: "text", text: of(pick, TEXTS) }];
    inSession(harness, pick, "session/prompt", { prompt });
  },
  cancel: (harness, pick) => {
    const params = { sessionId: sessionOf(harness, pick) };
    harness.send({ method: "session/cancel", params });
  },
  "cancel request": (harness, pick) => {
    const requestId = of(pick, newest(harness, "session/prompt"));
    harness.send({ method: "$/cancel_request", params: { requestId } });
  },
  answer: (harness, pick) => answer(harness, harness.openRequests.at(-1), pick),
  "answer again": (harness, pick) => answer(harness, harness.requests.at(-1 - (pick % 3)), pick),
  "set mode": (harness, pick) =>
    inSession(harness, pick, "session/set_mode", { modeId: of(pick, ["plan", "default", "no"]) }),
  load: (harness, pick) => {
    inSession(harness, pick, "session/load", { cwd: CWD, mcpServers: [] });
    if (pick % 4 === 0) harness.client.stopReading();
  },
  resume: (harness, pick) => inSession(harness, pick, "session/resume", { cwd: CWD }),
  fork: (harness, pick) => inSession(harness, pick, "session/fork", { cwd: CWD, mcpServers: [] }),
  close: (harness, pick) => inSession(harness, pick, "session/close", {}),
  delete: (harness, pick) => inSession(harness, pick, "session/delete", {}),
  "stop reading": (harness) => harness.client.stopReading(),
  "read on": (harness) => harness.client.resumeReading(),
  wait: (harness, pick) => harness.clock.advance(of(pick, waitsOf(harness)) ?? 1),
} as const satisfies Record<string, (harness: AcpHarness, pick: number) => void>;

/** Times in ms. The agent does not wait longer than a minute for a Claude that answers no interrupt. */
function waitsOf({ isInterrupting }: AcpHarness): readonly number[] {
  const waits = [1, 500, 5_000];
  return isInterrupting ? waits : [...waits, 61_000];
}

type Action = keyof typeof ACTIONS;

export type Step = {
  readonly does: Action | "work" | "delegate" | "kill";
  readonly session: number;
  readonly pick: number;
};

const pick = fc.nat({ max: 1000 });
const move = fc.oneof(
  { weight: 3, arbitrary: fc.nat({ max: 3 }) },
  { weight: 2, arbitrary: fc.nat({ max: 1000 }) },
);
const doing = (...names: readonly Step["does"][]) => fc.constantFrom(...names);
const step = (does: fc.Arbitrary<Step["does"]>, by = pick): fc.Arbitrary<Step> =>
  fc.record({ does, session: fc.nat({ max: 5 }), pick: by });

export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 60, arbitrary: step(doing("work"), move) },
  { weight: 4, arbitrary: step(doing("delegate")) },
  { weight: 16, arbitrary: step(doing("prompt")) },
  { weight: 12, arbitrary: step(doing("answer")) },
  { weight: 12, arbitrary: step(doing("cancel", "cancel request", "answer again", "load")) },
  {
    weight: 6,
    arbitrary: step(doing("begin", "fork", "set mode", "stop reading", "read on", "wait")),
  },
  { weight: 3, arbitrary: step(doing("close", "delete", "resume", "kill")) },
);

/** Executes one step and waits until all work is done. */
export async function execute(
  harness: AcpHarness,
  { does, session, pick: by }: Step,
): Promise<void> {
  const process = harness.alive[session % Math.max(1, harness.alive.length)];
  if (does === "load" || does === "answer" || does === "answer again") {
    // Waiting frames belong to the view that the past replaces, and may withdraw a request that is to be answered.
    harness.client.resumeReading();
    await harness.settle();
  }
  if (does === "work" || does === "delegate") {
    if (process !== undefined) await harness.print(process, process.model[does](by));
  } else if (does === "kill") {
    if (process !== undefined) harness.exit(process);
  } else ACTIONS[does](harness, by);
  await harness.settle();
}

function answer(
  harness: AcpHarness,
  asked: AcpHarness["requests"][number] | undefined,
  pick: number,
) {
  if (asked !== undefined) harness.send({ id: asked.id, ...anyAnswer(asked.frame, pick) });
}

function inSession(harness: AcpHarness, pick: number, method: string, params: Fields): void {
  harness.request(method, { sessionId: sessionOf(harness, pick), ...params });
}

/** The id of a session that was begun, if there is one. */
function sessionOf({ sessions }: AcpHarness, pick: number): string {
  return sessions[Math.floor(pick / 7) % Math.max(1, sessions.length)] ?? "none";
}

function newest({ client }: AcpHarness, method: string): readonly unknown[] {
  const sent = client.passages.filter(({ frame }) => frame["method"] === method);
  return sent.slice(-3).map(({ frame }) => frame["id"]);
}

const of = <Item>(pick: number, items: readonly Item[]): Item | undefined =>
  items[pick % Math.max(1, items.length)];

/** A Claude whose first move is to wait may have an agent to finish. */
async function workOn(harness: AcpHarness, process: AcpHarness["processes"][number]) {
  const lines = process.model.work(0);
  const isIdle = lines.length === 0 && harness.unanswered.length > 0;
  await harness.print(process, isIdle ? process.model.work(1) : lines);
}

/** More moves than a life of that length can need. */
const MAX_MOVES = 500;

/** The client reads and answers all, and Claude works, until each request has its answer. */
export async function finishAll(harness: AcpHarness): Promise<void> {
  harness.client.resumeReading();
  for (let move = 0; move < MAX_MOVES; move += 1) {
    await harness.settle();
    for (const { id, frame } of harness.awaited) harness.send({ id, ...lastAnswer(frame) });
    await harness.settle();
    for (const process of harness.alive) await workOn(harness, process);
    if (move > 30 && harness.unanswered.length === 0) return;
    harness.clock.advance(500);
  }
  for (const id of harness.unanswered) harness.faults.push(`${id} has no answer, and all is done`);
}

/** Loads each session once more. */
export async function loadAll(harness: AcpHarness): Promise<void> {
  for (const sessionId of new Set(harness.sessions))
    harness.request("session/load", { sessionId, cwd: CWD, mcpServers: [] });
  await finishAll(harness);
}
