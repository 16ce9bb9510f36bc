/**
 * The self-test: the bridge with the CLI in hand, against the stand-in Messages API, in a throw-away
 * home. One check after the other; the first that fails ends the test.
 */
import { join } from "node:path";
import type { IsolatedHome } from "../simulator/isolated-home.ts";
import { type MessagesApi, startMessagesApi } from "../simulator/messages-api.ts";
import type { Patience } from "./patience.ts";
import { type Emitted, type ProbeBridge, startProbeBridge } from "./probe-bridge.ts";
import type { ProbeCheck } from "./report.ts";

/** What is tested. */
export type ProbeStart = {
  /** The words that start tugtalk. */
  readonly tugtalk: readonly string[];
  readonly claude: string;
  readonly home: IsolatedHome;
  /** Entries over those of the home. */
  readonly env: Readonly<Record<string, string>>;
};

type Bench = {
  readonly api: MessagesApi;
  readonly home: IsolatedHome;
  readonly open: () => ProbeBridge;
  bridge: ProbeBridge;
  sessionId: string;
};

type Check = { readonly name: string; readonly run: (bench: Bench) => Promise<void> };

const WORDS = "The self-test of tugtalk says hello.";
const FILE = "tugtalk-probe.txt";

const CHECKS: readonly Check[] = [
  { name: "start", run: checkStart },
  { name: "text", run: checkText },
  { name: "permission", run: checkPermission },
  { name: "interrupt", run: checkInterrupt },
  { name: "end", run: checkEnd },
  { name: "resume", run: checkResume },
];

/** Runs all checks and ends all that it started. */
export async function runProbe(start: ProbeStart, patience: Patience): Promise<ProbeCheck[]> {
  const { home, claude, tugtalk: command } = start;
  const api = startMessagesApi();
  const bridges: ProbeBridge[] = [];
  const open = () => {
    const env = { ...home.environment(api.url), ...start.env };
    const bridge = startProbeBridge({ command, claude, cwd: home.project, env }, patience);
    bridges.push(bridge);
    return bridge;
  };
  try {
    return await runChecks({ api, home, open, bridge: open(), sessionId: "" });
  } finally {
    for (const bridge of bridges) await bridge.kill();
    await api.stop();
  }
}

async function runChecks(bench: Bench): Promise<ProbeCheck[]> {
  const results: ProbeCheck[] = [];
  let failed: string | undefined;
  for (const { name, run } of CHECKS) {
    const startedAt = performance.now();
    const reason =
      failed === undefined ? await reasonOf(run(bench)) : `not tried: ${failed} failed`;
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

// ------------------------------------------------------------------------------------------ checks

async function checkStart(bench: Bench): Promise<void> {
  bench.bridge.send({ type: "protocol_init", version: 2 });
  const init = await bench.bridge.next("session_init", ofType("session_init"));
  bench.sessionId = String(init["session_id"]);
}

async function checkText(bench: Bench): Promise<void> {
  bench.api.script(WORDS);
  say(bench, "hello");
  const block = await bench.bridge.next(
    "answer",
    ({ type, status }) => type === "assistant_text" && status === "complete",
  );
  expectSame("the answer", block["text"], WORDS);
  await endOfTurn(bench, "success");
}

/** Claude asks, the answer is yes, and the tool has done its work. */
async function checkPermission(bench: Bench): Promise<void> {
  const file = join(bench.home.project, FILE);
  const input = { file_path: file, content: "written by the self-test\n" };
  bench.api.script({ content: [{ type: "tool_use", name: "Write", input }] }, "Written.");
  say(bench, "write a file");
  const prompt = await bench.bridge.next("prompt", ofType("control_request_forward"));
  expectSame("the tool of the prompt", prompt["tool_name"], "Write");
  const request_id = String(prompt["request_id"]);
  bench.bridge.send({ type: "tool_approval", request_id, decision: "allow" });
  const result = await bench.bridge.next("tool_result", ofType("tool_result"));
  expectSame("tool_result.is_error", result["is_error"], false);
  await endOfTurn(bench, "success");
  expectSame("that the file exists", await Bun.file(file).exists(), true);
}

/** The answer stops after its first words, and is interrupted there. */
async function checkInterrupt(bench: Bench): Promise<void> {
  const { promise: until, resolve: release } = Promise.withResolvers<void>();
  bench.api.script({
    content: [{ type: "text", text: "One. Two.", pieces: ["One. ", "Two."] }],
    holds: [{ at: { afterDeltas: 1 }, until }],
  });
  try {
    say(bench, "count");
    await bench.bridge.next("first words", ({ type, text }) => {
      return type === "assistant_text" && text === "One. ";
    });
    bench.bridge.send({ type: "interrupt" });
    await endOfTurn(bench, "cancelled");
  } finally {
    release();
  }
}

async function checkEnd({ bridge }: Bench): Promise<void> {
  expectSame("the exit code of the bridge", await bridge.end(), 0);
  expectSame("the processes that are left", bridge.left().length, 0);
}

/** Another process takes the conversation up, and the model is told what was said in it. */
async function checkResume(bench: Bench): Promise<void> {
  const { api, sessionId: session_id } = bench;
  const asked = api.requests.length;
  bench.bridge = bench.open();
  const session = { mode: "resume", session_id } as const;
  bench.bridge.send({ type: "protocol_init", version: 2, session });
  const init = await bench.bridge.next("session_init", ofType("session_init"));
  expectSame("the session id", init["session_id"], session_id);
  api.script("Resumed.");
  say(bench, "go on");
  await endOfTurn(bench, "success");
  const request = api.requests.slice(asked).find(({ kind }) => kind === "main");
  const isTold = JSON.stringify(request?.body.messages ?? []).includes(WORDS);
  expectSame("that the model is told the earlier words", isTold, true);
  await checkEnd(bench);
}

// ------------------------------------------------------------------------------------------- words

function say({ bridge }: Bench, text: string): void {
  bridge.send({ type: "user_message", text });
}

async function endOfTurn({ bridge }: Bench, result: string): Promise<void> {
  const end = await bridge.next("end of the turn", ({ type }) => {
    return type === "turn_complete" || type === "turn_cancelled";
  });
  const words = end["is_error"] === true ? ` (${String(end["text"] ?? end["errors"])})` : "";
  expectSame(`the end of the turn${words}`, end["result"], result);
}

function ofType(wanted: string): (message: Emitted) => boolean {
  return ({ type }) => type === wanted;
}

function expectSame(what: string, found: unknown, expected: unknown): void {
  if (found === expected) return;
  throw new Error(`${what} is ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`);
}
