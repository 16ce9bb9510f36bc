/** Prompts that overlap, turns that are cancelled, and turns that end badly. */
import { fieldsOf } from "../../../src/base/json.ts";
import { areStill, peakMegabytes } from "../../drivers/silent-host.ts";
import { childrenOf, leftAfter } from "../../drivers/processes.ts";
import { callTool, holdReply, startGate } from "../../real/real-replies.ts";
import { commandAt } from "../gated-command.ts";
import type { Claim, Scenario, Stage } from "../scenario.ts";
import { countOf, endsIn, firstCall, tells, textOf } from "../told.ts";

const ends = (...expected: readonly unknown[]): Claim => [
  `the answers are ${expected.join(", ")}`,
  ({ frames }) => endsIn(frames).join() === expected.join(),
];

/** 15 MB of text in pieces. */
const UNREAD = ["begun ", ...Array<string>(7500).fill("unread ".padEnd(2000, "x"))];

/** The words of the model's own that a turn of the second prompt has. */
const ONE_EACH = ["First.", "Second.", "Third."];

export const TURNS: readonly Scenario[] = [
  {
    name: "three prompts at once",
    api: () => ONE_EACH,
    play: (stage) => Promise.all(["one", "two", "three"].map((text) => stage.prompt(text))),
    claims: [
      ends("end_turn", "end_turn", "end_turn"),
      ["each has a turn of its own", ({ frames }) => textOf(frames, "agent_message") === ONE_EACH.join("")],
    ],
  },
  {
    name: "cancel while a text streams",
    api: () => [holdReply("begun", " and ended").reply],
    play: async (stage) => {
      const answer = stage.prompt("tell");
      await stage.heard("begun");
      stage.cancel();
      await answer;
    },
    claims: [ends("cancelled")],
  },
  {
    name: "cancel while a permission is asked",
    api: () => [callTool("Bash", { command: "mkdir one" })],
    answering: () => undefined,
    play: async (stage) => {
      const answer = stage.prompt("make it");
      await stage.heard("session/request_permission");
      stage.cancel();
      await answer;
    },
    claims: [
      ends("cancelled"),
      ["the request is withdrawn", ({ frames }) => tells(frames, "$/cancel_request")],
      ["the call has ended", ({ frames }) => firstCall(frames).statuses.at(-1) === "failed"],
    ],
  },
  {
    name: "cancel while a command runs",
    play: async (stage) => {
      const { gate, answer } = await waitAtGate(stage);
      using _ = gate;
      stage.cancel();
      await answer;
    },
    claims: [
      ends("cancelled"),
      ["the call has ended", ({ frames }) => firstCall(frames).statuses.at(-1) === "failed"],
    ],
  },
  {
    name: "cancel with two prompts that wait",
    api: () => [holdReply("begun", " and ended").reply],
    play: async (stage) => {
      const first = stage.prompt("one");
      await stage.heard("begun");
      const others = ["two", "three"].map((text) => stage.prompt(text));
      stage.cancel();
      await Promise.all([first, ...others]);
    },
    claims: [ends("cancelled", "cancelled", "cancelled")],
  },
  apiError("400", { status: 400, message: "It is too long." }, "It is too long.", -32603),
  apiError("401", { status: 401, message: "invalid x-api-key" }, "Invalid API key", -32000),
  apiError("429", { status: 429, message: "Slow down." }, "Slow down.", -32603),
  {
    name: "API 529, then a text",
    capabilities: { session: { notices: {} } },
    api: () => [{ status: 529, message: "Overloaded" }, "After all."],
    play: (stage) => stage.prompt("hello"),
    claims: [
      ["the text is told", ({ frames }) => textOf(frames, "agent_message").includes("After all.")],
      ["it is told that it is tried again", ({ frames }) => countOf(frames, "notice") > 0],
      ends("end_turn"),
    ],
  },
  {
    name: "Claude killed while a command runs",
    play: async (stage) => {
      const { gate, answer } = await waitAtGate(stage, "Hello again.");
      using _ = gate;
      process.kill(claudeOf(stage), "SIGKILL");
      await answer;
      await stage.prompt("go on");
    },
    claims: [
      ends(-32603, "end_turn"),
      ["the call has failed", ({ frames }) => firstCall(frames).statuses.at(-1) === "failed"],
      ["the session goes on", ({ frames }) => tells(frames, "Hello again.")],
    ],
  },
  {
    name: "the agent killed while a text streams",
    play: async (stage) => {
      const { reply, release } = holdReply("begun", " and ended");
      stage.place.api.script(reply);
      stage.prompt("tell").catch(() => {});
      await stage.heard("begun");
      const claude = claudeOf(stage);
      process.kill(stage.client.pid, "SIGKILL");
      release();
      if ((await leftAfter([claude], 10_000)).length > 0) throw new Error("Claude is left");
    },
    // A process that is left is a failure of the play.
    claims: [],
  },
  {
    name: "a line of 34 MB",
    play: async (stage) => {
      const text = "x".repeat(34_000_000);
      const answer = stage.client.ask("session/none", { text });
      await answer;
      await stage.prompt("/context");
    },
    claims: [
      ["it is read", ({ frames }) => endsIn(frames)[0] === -32601],
      ["the session goes on", ({ frames }) => endsIn(frames)[1] === "end_turn"],
    ],
  },
  {
    name: "a client that does not read 15 MB",
    play: async (stage) => {
      const { promise: until, resolve: release } = Promise.withResolvers<void>();
      const content = [{ type: "text", text: UNREAD.join(""), pieces: UNREAD }] as const;
      stage.place.api.script({ content, holds: [{ at: { afterDeltas: 1 }, until }] });
      const answer = stage.prompt("tell");
      await stage.heard("begun");
      stage.client.stopReading();
      release();
      await areStill(stage.client.pid, claudeOf(stage));
      stage.note(`its memory has stayed below ${Math.ceil(peakMegabytes(stage.client.pid) / 50) * 50} MB`);
      stage.client.resumeReading();
      await answer;
    },
    claims: [
      ["nothing is lost", ({ frames }) => textOf(frames, "agent_message") === UNREAD.join("")],
      ["little waits for it", ({ notes }) => notes.some((note) => / (?:50|100) MB$/.test(note))],
    ],
  },
  {
    name: "bad input",
    play: async (stage) => {
      const { client } = stage;
      client.sendRaw('{"id":"kept","method":"session/list"}\n');
      await client.next(({ error }) => error !== undefined);
      await stage.client.ask("session/close", { sessionId: "../../etc" });
      await stage.client.ask("initialize", { protocolVersion: 99, clientCapabilities: {} });
    },
    claims: [
      ["without jsonrpc the id is kept", ({ frames }) => frames[0]?.["id"] === "kept"],
      ["a close of a path is -32002", ({ frames }) => fieldsOf(frames[1]?.["error"])["code"] === -32002],
      ["a second initialize is -32600", ({ frames }) => fieldsOf(frames[2]?.["error"])["code"] === -32600],
    ],
  },
];

function apiError(
  name: string,
  reply: { readonly status: number; readonly message: string },
  text: string,
  code: number,
): Scenario {
  return {
    name: `API ${name}`,
    env: { CLAUDE_CODE_MAX_RETRIES: "1" },
    api: () => [{ reply, always: true }],
    play: (stage) => stage.prompt("hello"),
    claims: [
      ends(code),
      [
        "its text is told once",
        ({ frames }) => JSON.stringify(frames).split(text).length === 2,
      ],
    ],
  };
}

/** A prompt whose command waits at a gate. */
async function waitAtGate(stage: Stage, ...replies: readonly string[]) {
  const gate = startGate();
  stage.place.api.script(callTool("Bash", { command: commandAt(stage, gate) }), ...replies);
  const answer = stage.prompt("wait");
  await gate.reached;
  return { gate, answer };
}

/** The process of Claude: the child of the agent whose command is the real CLI. */
function claudeOf({ client }: Stage): number {
  const [claude] = childrenOf(client.pid);
  if (claude === undefined) throw new Error("no Claude runs");
  return claude;
}
