/**
 * The bridge as a child process: messages go in and come out, one JSON object per line.
 * This is all that a host needs to know of pipes; it knows nothing of what the messages mean.
 */
import type { InboundMessage, OutboundMessage } from "../src/types.ts";

/** A running bridge. */
export type Bridge = {
  /** Writes one message. Once the bridge has ended it does nothing. */
  readonly send: (message: InboundMessage) => void;
  /** What the bridge says, in order; ends when the bridge has said its last. Read it once. */
  readonly messages: AsyncIterable<OutboundMessage>;
  /** Closes the bridge's stdin, which makes it end everything in good order. */
  readonly close: () => void;
  /** Ends the bridge by signal. For a person who does not want to wait for `close`. */
  readonly stop: () => void;
  /** Its exit code, once it has ended. */
  readonly exited: Promise<number>;
};

/** Starts a bridge. Its logs go to our stderr. */
export function startBridge(command: readonly string[], env: Record<string, string>): Bridge {
  const child = Bun.spawn([...command], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, ...env },
    // A process group of its own: Ctrl-C in the terminal is for us, and we say what it means.
    detached: true,
  });
  return {
    send: (message) => void writeLine(child.stdin, JSON.stringify(message)),
    messages: readMessages(child.stdout),
    close: () => void endInput(child.stdin),
    stop: () => child.kill(),
    exited: child.exited,
  };
}

async function writeLine(stdin: Bun.FileSink, line: string): Promise<void> {
  try {
    // Both fail where the pipe is broken, each by itself.
    await Promise.all([stdin.write(`${line}\n`), stdin.flush()]);
  } catch {
    // The bridge has ended. `messages` ends too, and `exited` tells the rest.
  }
}

async function endInput(stdin: Bun.FileSink): Promise<void> {
  try {
    await stdin.end();
  } catch {
    // As above: what ended cannot be ended again.
  }
}

async function* readMessages(stdout: ReadableStream<Uint8Array>): AsyncGenerator<OutboundMessage> {
  for await (const line of readLines(stdout)) {
    // The bridge checks all that it says against its own schemas, so it is not checked again.
    if (line !== "") yield JSON.parse(line) as OutboundMessage;
  }
}

/** Lines of a stream. Only what is new is searched, so that a long line costs no more than itself. */
async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let begun = "";
  for await (const chunk of stream) {
    const pieces = decoder.decode(chunk, { stream: true }).split("\n");
    const unfinished = pieces.pop() ?? "";
    for (const piece of pieces) {
      yield begun + piece;
      begun = "";
    }
    begun += unfinished;
  }
  if (begun !== "") yield begun;
}
