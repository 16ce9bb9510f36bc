/** A bridge with channels, and a host that notes when each piece of text arrives and checks little else. */
import { join } from "node:path";
import { z } from "zod";
import { LineSplitter } from "../src/base/lines.ts";
import { clockMs, markedTime } from "./time-mark.ts";

const Message = z.looseObject({ type: z.string(), channel: z.string().optional() });
type Message = z.infer<typeof Message>;

export type ChannelProcess = {
  readonly send: (message: object) => void;
  /** The first message of the channel that fits, of those to come. */
  readonly until: (channel: string, fits: (message: Message) => boolean) => Promise<Message>;
  /** How long each piece of text of the channel took, in ms. */
  readonly delays: (channel: string) => readonly number[];
  /** Closes stdin; resolves with the exit code. */
  readonly end: () => Promise<number>;
};

const CLI = join(import.meta.dir, "..", "cli.ts");

export function startChannelProcess(args: readonly string[]): ChannelProcess {
  const child = Bun.spawn([process.execPath, CLI, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  const delays = new Map<string, number[]>();
  const waits = new Set<(message: Message) => void>();
  const take = (message: Message) => {
    const { channel = "", status, text } = message;
    if (status === "partial" && channel.startsWith("chat")) {
      const taken = delays.get(channel) ?? [];
      delays.set(channel, taken);
      taken.push(clockMs() - (markedTime(String(text)) ?? Number.NaN));
    }
    for (const wait of waits) wait(message);
  };
  void readAll(child.stdout, take);
  return {
    send: (message) => {
      child.stdin.write(`${JSON.stringify(message)}\n`);
      void child.stdin.flush();
    },
    until: (channel, fits) =>
      new Promise((resolve) => {
        const wait = (message: Message) => {
          if (message.channel !== channel || !fits(message)) return;
          waits.delete(wait);
          resolve(message);
        };
        waits.add(wait);
      }),
    delays: (channel) => delays.get(channel) ?? [],
    end: async () => {
      child.stdin.end();
      return await child.exited;
    },
  };
}

async function readAll(output: ReadableStream<Uint8Array>, take: (message: Message) => void) {
  const splitter = new LineSplitter();
  const decoder = new TextDecoder();
  for await (const chunk of output)
    for (const line of splitter.feed(chunk))
      if (!("overlongBytes" in line)) take(JSON.parse(decoder.decode(line)));
}
