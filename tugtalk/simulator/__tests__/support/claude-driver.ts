/**
 * Starts the stand-in as tugtalk starts the real one, and uses its pipes: writes lines, collects lines, and
 * waits for the lines that a test needs. Kills only the process that it started.
 */
import { join } from "node:path";
import { type Fields, isJsonObject } from "../../../src/base/json.ts";
import { fieldOf, textOf } from "../../json-value.ts";

const CLAUDE = join(import.meta.dir, "..", "..", "claude.ts");

/** The flags of the golden set. */
export const GOLDEN_FLAGS: readonly string[] = [
  "--output-format",
  "stream-json",
  "--input-format=stream-json",
  "--verbose",
  "--include-partial-messages",
  "--replay-user-messages",
  "--permission-prompt-tool",
  "stdio",
];

/** The options of a start; each has a default. */
export type DriverOptions = {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
};

/** A running stand-in. */
export type ClaudeDriver = {
  readonly pid: number;
  /** Every line of stdout so far, as printed. */
  readonly texts: readonly string[];
  /** Every line of stdout so far, parsed. */
  lines(): readonly Fields[];
  send(...lines: readonly unknown[]): void;
  close(): void;
  kill(signal: NodeJS.Signals): void;
  /** The first line from the `from`th on that `isWanted`; rejects if the process ends before. */
  waitFor(isWanted: (line: Fields) => boolean, from?: number): Promise<Fields>;
  /** Exit code and stderr, once all output is read. */
  ended(): Promise<{ readonly code: number; readonly stderr: string }>;
};

/** A user message in tugtalk's form. */
export function userLine(text: string, uuid?: string): Fields {
  return {
    type: "user",
    session_id: "",
    message: { role: "user", content: [{ type: "text", text }] },
    parent_tool_use_id: null,
    ...(uuid === undefined ? {} : { uuid }),
  };
}

/** A control request of the host. */
export function controlLine(request_id: string, request: Fields): Fields {
  return { type: "control_request", request_id, request };
}

/** The host's success answer to a prompt. */
export function answerLine(request_id: unknown, response: unknown): Fields {
  return { type: "control_response", response: { subtype: "success", request_id, response } };
}

/** True for the result that ends a turn. */
export function isResult(line: Fields): boolean {
  return line["type"] === "result";
}

/** True for a request that the host has to answer. */
export function isPrompt(line: Fields): boolean {
  return textOf(line, "request", "subtype") === "can_use_tool";
}

/** `type`, with the field that distinguishes lines of that type, for comparing the order of lines. */
export function kindOfLine(line: Fields): string {
  const detail =
    textOf(line, "subtype") ?? textOf(line, "event", "type") ?? textOf(line, "state") ?? "";
  return `${line["type"]} ${line["isReplay"] === true ? "replay" : detail}`.trim();
}

/** The text of the first tool_result or text block of a line. */
export function textIn(line: Fields | undefined): string | undefined {
  const content = fieldOf(line, "message", "content");
  const [block] = Array.isArray(content) ? content : [];
  return textOf(block, "content") ?? textOf(block, "text");
}

const running = new Set<Bun.Subprocess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Starts one process. It is killed if the test forgets to end it. */
export function startClaude(options: DriverOptions = {}): ClaudeDriver {
  const child = Bun.spawn([process.execPath, CLAUDE, ...(options.args ?? GOLDEN_FLAGS)], {
    env: {
      ...process.env,
      TUGTALK_SIM_SPEED: "max",
      ...options.env,
    },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  running.add(child);
  void child.exited.then(() => running.delete(child));
  const collected = collectLines(child.stdout);
  const stderr = new Response(child.stderr).text();
  return {
    pid: child.pid,
    texts: collected.texts,
    lines: () => collected.texts.map(parseLine),
    send(...lines) {
      const texts = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
      child.stdin.write(`${texts.join("\n")}\n`);
      child.stdin.flush();
    },
    close: () => void child.stdin.end(),
    kill: (signal) => child.kill(signal),
    waitFor: collected.waitFor,
    async ended() {
      await collected.done;
      return { code: await child.exited, stderr: await stderr };
    },
  };
}

function collectLines(stdout: ReadableStream<Uint8Array>) {
  const texts: string[] = [];
  let notification = Promise.withResolvers<void>();
  let isOver = false;
  const done = readAll(stdout, (text) => {
    texts.push(text);
    notification.resolve();
  }).then(() => {
    isOver = true;
    notification.resolve();
  });
  const waitFor = async (isWanted: (line: Fields) => boolean, from = 0) => {
    for (let index = from; ; index++) {
      while (index >= texts.length) {
        if (isOver) throw new Error(`stdout ended after ${texts.length} lines without that line`);
        notification = Promise.withResolvers();
        await notification.promise;
      }
      const line = parseLine(texts[index] ?? "");
      if (isWanted(line)) return line;
    }
  };
  return { texts, done, waitFor };
}

async function readAll(stdout: ReadableStream<Uint8Array>, take: (text: string) => void) {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stdout) {
    const pieces = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = pieces.pop() ?? "";
    for (const piece of pieces) take(piece);
  }
  if (rest !== "") take(rest);
}

function parseLine(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : { type: "?", text };
  } catch {
    // Some tests script bad lines, and read them in `texts`.
    return { type: "?", text };
  }
}
