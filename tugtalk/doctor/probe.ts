/**
 * The self-test: the bridge with one CLI, a scripted Messages API and a temporary home. The checks run in
 * order; the first that fails ends the test.
 */
import { join } from "node:path";
import type { IsolatedHome } from "../simulator/isolated-home.ts";
import { type MessagesApi, startMessagesApi } from "../simulator/messages-api.ts";
import type { OutboundMessage } from "../src/types.ts";
import { type AcpOutcome, promptOverAcp } from "./probe-acp.ts";
import { type ProbeBridge, startProbeBridge } from "./probe-bridge.ts";
import type { ProbeCheck } from "./report.ts";
import type { StepTimeout } from "./step-timeout.ts";

export type ProbeStart = {
  /** The command line of tugtalk. */
  readonly tugtalk: readonly string[];
  readonly claude: string;
  readonly home: IsolatedHome;
  /** Entries that replace entries of the home. */
  readonly env: Readonly<Record<string, string>>;
};

type Fixture = {
  readonly api: MessagesApi;
  readonly home: IsolatedHome;
  readonly open: () => Promise<ProbeBridge>;
  readonly promptOverAcp: (text: string) => Promise<AcpOutcome>;
  bridge: ProbeBridge;
  sessionId: string;
};

type Check = { readonly name: string; readonly run: (fixture: Fixture) => Promise<void> };

const ANSWER = "The self-test of tugtalk says hello.";
const FILE = "tugtalk-probe.txt";

const CHECKS: readonly Check[] = [
  { name: "start", run: checkStart },
  { name: "text", run: checkText },
  { name: "permission", run: checkPermission },
  { name: "interrupt", run: checkInterrupt },
  { name: "end", run: checkEnd },
  { name: "resume", run: checkResume },
  { name: "acp", run: checkAcp },
];

/** Runs all checks and ends every process that it started. */
export async function runProbe(start: ProbeStart, timeout: StepTimeout): Promise<ProbeCheck[]> {
  const { home, claude, tugtalk: command } = start;
  const api = startMessagesApi();
  const bridges: ProbeBridge[] = [];
  const open = async () => {
    const env = { ...home.environment(api.url), ...start.env };
    const bridge = await startProbeBridge({ command, claude, dir: home.project, env }, timeout);
    bridges.push(bridge);
    return bridge;
  };
  try {
    const acp = {
      command: [...command, "acp", `--claude=${claude}`, "--log-level=error"],
      dir: home.project,
      env: { ...home.environment(api.url), ...start.env },
    };
    const overAcp = (text: string) => promptOverAcp(acp, text, timeout);
    const fixture = { api, home, open, promptOverAcp: overAcp, sessionId: "" };
    return await runChecks({ ...fixture, bridge: await open() });
  } finally {
    for (const bridge of bridges) await bridge.kill();
    await api.stop();
  }
}

async function runChecks(fixture: Fixture): Promise<ProbeCheck[]> {
  const results: ProbeCheck[] = [];
  let failed: string | undefined;
  for (const { name, run } of CHECKS) {
    const startedAt = performance.now();
    const reason =
      failed === undefined ? await reasonOf(run(fixture)) : `not tried: ${failed} failed`;
    if (reason !== undefined) failed ??= name;
    const ms = Math.round(performance.now() - startedAt);
    results.push({ name, ok: reason === undefined, ...(reason !== undefined && { reason }), ms });
  }
  return results;
}

async function reasonOf(check: Promise<void>): Promise<string | undefined> {
  try {
    await check;
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function checkStart(fixture: Fixture): Promise<void> {
  fixture.bridge.send({ type: "protocol_init", version: 2 });
  const init = await fixture.bridge.next("session_init", isInit);
  fixture.sessionId = init.session_id;
}

async function checkText(fixture: Fixture): Promise<void> {
  fixture.api.script(ANSWER);
  say(fixture, "hello");
  const end = await endOfTurn(fixture, "success");
  expectSame("the answer", end.text, ANSWER);
}

/** A tool call prompts, is allowed, and writes its file. */
async function checkPermission(fixture: Fixture): Promise<void> {
  const file = join(fixture.home.project, FILE);
  const input = { file_path: file, content: "written by the self-test\n" };
  fixture.api.script({ content: [{ type: "tool_use", name: "Write", input }] }, "Written.");
  say(fixture, "write a file");
  const prompt = await fixture.bridge.next(
    "prompt",
    (message) => message.type === "control_request_forward",
  );
  const { tool_name, request_id } = prompt;
  expectSame("the tool of the prompt", tool_name, "Write");
  fixture.bridge.send({ type: "tool_approval", request_id, decision: "allow" });
  const result = await fixture.bridge.next(
    "tool_result",
    (message) => message.type === "tool_result",
  );
  expectSame("tool_result.is_error", result.is_error, false);
  await endOfTurn(fixture, "success");
  expectSame("that the file exists", await Bun.file(file).exists(), true);
}

/** The answer is interrupted after its first delta. */
async function checkInterrupt(fixture: Fixture): Promise<void> {
  const { promise: until, resolve: release } = Promise.withResolvers<void>();
  fixture.api.script({
    content: [{ type: "text", text: "One. Two.", pieces: ["One. ", "Two."] }],
    holds: [{ at: { afterDeltas: 1 }, until }],
  });
  try {
    say(fixture, "count");
    await fixture.bridge.next("first text", (message) => message.type === "assistant_text");
    fixture.bridge.send({ type: "interrupt" });
    await endOfTurn(fixture, "cancelled");
  } finally {
    release();
  }
}

async function checkEnd({ bridge }: Fixture): Promise<void> {
  expectSame("the exit code of the bridge", await bridge.end(), 0);
  expectSame("the processes that are left", bridge.left().length, 0);
}

/** Another process resumes the conversation, and the model gets the earlier answer. */
async function checkResume(fixture: Fixture): Promise<void> {
  const { api, sessionId: session_id } = fixture;
  const asked = api.requests.length;
  fixture.bridge = await fixture.open();
  const session = { mode: "resume", session_id } as const;
  fixture.bridge.send({ type: "protocol_init", version: 2, session });
  const init = await fixture.bridge.next("session_init", isInit);
  expectSame("the session id", init.session_id, session_id);
  api.script("Resumed.");
  say(fixture, "go on");
  await endOfTurn(fixture, "success");
  const request = api.requests.slice(asked).find(({ kind }) => kind === "main");
  const hasAnswer = JSON.stringify(request?.body.messages ?? []).includes(ANSWER);
  expectSame("that the model gets the earlier answer", hasAnswer, true);
  await checkEnd(fixture);
}

/** The same over the other edge, for editors. */
async function checkAcp({ api, promptOverAcp: overAcp }: Fixture): Promise<void> {
  api.script(ANSWER);
  const { text, stopReason, exitCode } = await overAcp("hello");
  expectSame("the text", text, ANSWER);
  expectSame("the stop reason", stopReason, "end_turn");
  expectSame("the exit code of the agent", exitCode, 0);
}

function say({ bridge }: Fixture, text: string): void {
  bridge.send({ type: "user_message", text });
}

async function endOfTurn({ bridge }: Fixture, result: string) {
  const end = await bridge.next("end of the turn", isTurnEnd);
  if (end.type === "turn_cancelled") throw new Error(`the turn was cancelled: ${end.reason}`);
  const error = end.is_error ? ` (${end.text ?? end.errors})` : "";
  expectSame(`the end of the turn${error}`, end.result, result);
  return end;
}

const isInit = (message: OutboundMessage) => message.type === "session_init";

const isTurnEnd = (message: OutboundMessage) =>
  message.type === "turn_complete" || message.type === "turn_cancelled";

function expectSame(what: string, found: unknown, expected: unknown): void {
  if (found === expected) return;
  throw new Error(`${what} is ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`);
}
