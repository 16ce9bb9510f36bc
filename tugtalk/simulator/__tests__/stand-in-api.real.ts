/**
 * The real CLI against the stand-in API, without the bridge: tests what the other real tests build on. Needs the npm registry once.
 */
import { afterEach, beforeAll, expect, test } from "bun:test";
import { exists } from "node:fs/promises";
import { join } from "node:path";
import { claudeCommand } from "../cli-cache.ts";
import { createIsolatedHome, type IsolatedHome } from "../isolated-home.ts";
import { type MessagesApi, startMessagesApi } from "../messages-api.ts";
import type { ScriptEntry } from "../reply-script.ts";

const VERSION = "2.1.330";
const TEST_TIMEOUT_MS = 30_000;
const INSTALL_TIMEOUT_MS = 300_000;

const FLAGS = [
  "--output-format=stream-json",
  "--input-format=stream-json",
  "--verbose",
  "--include-partial-messages",
  "--replay-user-messages",
  "--permission-prompt-tool=stdio",
];

type Json = Record<string, unknown>;
type Fits = (message: Json) => boolean;
type Waiter = { fits: Fits; resolve(message: Json): void; reject(error: Error): void };

let command: string[];
const cleanups: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  command = await claudeCommand(VERSION);
}, INSTALL_TIMEOUT_MS);

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
}, TEST_TIMEOUT_MS);

/** A real CLI with its own home and API, both gone after the test. */
async function startClaude(...script: ScriptEntry[]) {
  const home = await createIsolatedHome();
  cleanups.push(() => home.remove());
  const api = startMessagesApi({ script });
  cleanups.push(() => api.stop());
  const claude = openClaude(home, api);
  cleanups.push(() => claude.kill());
  claude.send({ type: "control_request", request_id: "r1", request: { subtype: "initialize" } });
  return { ...claude, home, api };
}

function openClaude(home: IsolatedHome, api: MessagesApi) {
  const child = Bun.spawn([...command, ...FLAGS], {
    cwd: home.project,
    env: home.environment(api.url),
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const messages: Json[] = [];
  const waiters = new Set<Waiter>();
  void readMessages(child.stdout, messages, waiters);
  return {
    messages,
    exited: child.exited,
    send(message: Json) {
      child.stdin.write(`${JSON.stringify(message)}\n`);
      child.stdin.flush();
    },
    say(text: string) {
      this.send({ type: "user", message: { role: "user", content: [{ type: "text", text }] } });
    },
    waitFor(fits: Fits): Promise<Json> {
      const arrived = messages.find(fits);
      if (arrived !== undefined) return Promise.resolve(arrived);
      return new Promise((resolve, reject) => waiters.add({ fits, resolve, reject }));
    },
    endInput: () => child.stdin.end(),
    kill() {
      child.kill("SIGKILL");
      return child.exited;
    },
  };
}

async function readMessages(
  stdout: ReadableStream<Uint8Array>,
  messages: Json[],
  waiters: Set<Waiter>,
): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of stdout) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const message = JSON.parse(line) as Json;
      messages.push(message);
      for (const waiter of waiters) {
        if (waiter.fits(message) && waiters.delete(waiter)) waiter.resolve(message);
      }
    }
  }
  for (const { reject } of waiters) reject(new Error("claude exited before the message came"));
}

function isType(type: string): Fits {
  return (message) => message["type"] === type;
}

/** The streamed pieces of one kind, joined. */
function streamed(messages: Json[], key: "text" | "thinking"): string {
  const events = messages.filter(isType("stream_event")).map(({ event }) => event as Json);
  return events.map(({ delta }) => (delta as Json | undefined)?.[key] ?? "").join("");
}

test(
  "text arrives after thinking, through chunks that cut characters",
  async () => {
    const claude = await startClaude({
      content: [
        { type: "thinking", thinking: "Überlegen…" },
        { type: "text", text: "Grüße 👋 漢字" },
      ],
      pieceChars: 2,
      wireBytes: 3,
    });
    const answer = await claude.waitFor(isType("control_response"));
    expect(answer).toMatchObject({ response: { subtype: "success", request_id: "r1" } });

    claude.say("hello");
    const result = await claude.waitFor(isType("result"));
    expect(result).toMatchObject({ subtype: "success", is_error: false, result: "Grüße 👋 漢字" });
    expect(streamed(claude.messages, "thinking")).toBe("Überlegen…");
    expect(streamed(claude.messages, "text")).toBe("Grüße 👋 漢字");

    claude.endInput();
    expect(await claude.exited).toBe(0);
    expect(claude.api.requests.map(({ answer }) => answer)).not.toContain("unscripted");
  },
  TEST_TIMEOUT_MS,
);

test(
  "a Write asks first, and after the allow the file is in the isolated project",
  async () => {
    const claude = await startClaude(
      () => ({ content: [{ type: "tool_use", name: "Write", input }] }),
      "Written.",
    );
    const input = { file_path: join(claude.home.project, "a.txt"), content: "from the stand-in\n" };
    claude.say("write it");

    const prompt = await claude.waitFor(isType("control_request"));
    expect(prompt).toMatchObject({
      request: { subtype: "can_use_tool", tool_name: "Write", tool_use_id: "toolu_01Mock0001" },
    });
    expect(await exists(input.file_path)).toBe(false);

    const { request_id } = prompt;
    const response = { behavior: "allow", updatedInput: input };
    claude.send({
      type: "control_response",
      response: { subtype: "success", request_id, response },
    });
    const result = await claude.waitFor(isType("result"));
    expect(result).toMatchObject({ is_error: false, result: "Written." });
    expect(await Bun.file(input.file_path).text()).toBe(input.content);
  },
  TEST_TIMEOUT_MS,
);

test(
  "an HTTP 400 ends the turn as an error, and end of input then exits with 1",
  async () => {
    // 2.1.330 repeats a refused request with fewer betas, so each of them must be refused.
    const refusal = { status: 400, message: "bad thing" };
    const claude = await startClaude({ reply: refusal, always: true });
    claude.say("hello");

    const result = await claude.waitFor(isType("result"));
    expect(result).toMatchObject({ subtype: "success", is_error: true, api_error_status: 400 });
    expect(result["result"]).toBe("API Error: 400 bad thing");

    claude.endInput();
    expect(await claude.exited).toBe(1);
  },
  TEST_TIMEOUT_MS,
);

test(
  "an interrupt ends a held stream, and the API sees it given up",
  async () => {
    const never = new Promise(() => {});
    const holds = [{ at: { afterDeltas: 1 }, until: never }];
    const claude = await startClaude({ content: [{ type: "text", text: "partial" }], holds });
    claude.say("hello");
    await claude.waitFor(() => streamed(claude.messages, "text") === "partial");

    const request = { subtype: "interrupt" };
    claude.send({ type: "control_request", request_id: "r2", request });
    const result = await claude.waitFor(isType("result"));
    expect(result).toMatchObject({ subtype: "error_during_execution", is_error: true });
    const asked = await claude.api.waitForRequest(({ kind }) => kind === "main");
    expect(asked.signal.aborted).toBe(true);
  },
  TEST_TIMEOUT_MS,
);
