/**
 * Twenty channels of one process. One floods, one has a Claude that is killed every second, one has a prompt
 * that stays open, and seventeen chat. The figure is the time of a piece of text of the seventeen from Claude
 * to the host, in rounds with and without the three others in turn. `--rounds=<n>` sets the number of pairs.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { CHANNELS_FLAGS, endOnWrongArguments, parseRounds } from "./bench-arguments.ts";
import { emitted, exactly, median, percentile, report, sum } from "./findings.ts";
import { localContenders, sharedName } from "./peers/contenders.ts";
import { TUGTALK_DIALECT } from "./peers/dialects.ts";
import { Peer } from "./peers/peer.ts";
import { type Link, openChannels, PeerProcess } from "./peers/peer-process.ts";
import { writePlannedClaude } from "./peers/quick-claude.ts";
import { pace } from "./peers/speed-scenarios.ts";
import type { TurnPart, TurnPlan } from "./peers/turn-plan.ts";

const CHATTING = 17;
const DELTAS = 200;
const PER_SECOND = 50;
/** More messages than a round has time for. */
const FLOOD: TurnPart = { kind: "flood", messages: 100_000, deltas: 1_000, chars: 80 };
const PROMPT: TurnPart = { kind: "prompts", count: 1, atOnce: 1 };
const CRASH_EVERY_MS = 1_000;

const folder = mkdtempSync(join(tmpdir(), "tugtalk-channels-"));
const claude = writePlannedClaude(folder);

const Message = z.looseObject({ type: z.string() });
type Message = z.infer<typeof Message>;

function startBridge(): PeerProcess {
  const bridge = localContenders().find(({ name }) => name === sharedName("source"));
  if (bridge === undefined) throw new Error("there is no bridge");
  const command = (path: string) => [...bridge.command(path), "--log-level=silent"];
  return new PeerProcess({ ...bridge, command }, { folder, claude });
}

/** The next message of the channel that fits. */
function until(link: Link, fits: (message: Message) => boolean): Promise<Message> {
  const { promise, resolve } = Promise.withResolvers<Message>();
  const decoder = new TextDecoder();
  link.onLine = (line) => {
    const message = JSON.parse(decoder.decode(line));
    if (fits(message)) resolve(message);
  };
  return promise;
}

/** Starts the session of a channel, and waits until it is idle. */
async function start(link: Link): Promise<Link> {
  const idle = until(link, ({ state }) => state === "idle");
  link.send({ type: "protocol_init", version: 2 });
  await idle;
  return link;
}

function sayPlan(link: Link, part: TurnPart): void {
  const plan: TurnPlan = { parts: [part], report: join(folder, `${part.kind}.json`) };
  link.send({ type: "user_message", text: JSON.stringify(plan) });
}

/** Opens the three troublesome channels. Gives the function that ends the crashes. */
async function trouble(open: (channel: string) => Link): Promise<() => void> {
  const [flood, prompt] = [await start(open("flood")), await start(open("prompt"))];
  const asked = until(prompt, ({ type }) => type === "control_request_forward");
  sayPlan(prompt, PROMPT);
  await asked;
  const flooding = until(flood, ({ status }) => status === "partial");
  sayPlan(flood, FLOOD);
  await flooding;
  let crashes = 0;
  const crash = async () => {
    // A bridge starts its Claude three times a minute, so each crash has a channel of its own.
    const link = open(`crash ${crashes++}`);
    const started = until(link, ({ type }) => type === "process_started");
    link.send({ type: "protocol_init", version: 2 });
    const { pid } = await started;
    const exited = until(link, ({ type }) => type === "process_exit");
    process.kill(Number(pid), "SIGKILL");
    await exited;
    link.send({ type: "shutdown" });
  };
  const timer = setInterval(() => void crash(), CRASH_EVERY_MS);
  return () => clearInterval(timer);
}

/** The times of the pieces, in ms, and their number. */
async function chat(isTroubled: boolean) {
  const bridge = startBridge();
  const open = openChannels(bridge);
  const names = Array.from({ length: CHATTING }, (_, at) => `chat ${at}`);
  const links = await Promise.all(names.map((name) => start(open(name))));
  const calm = isTroubled ? await trouble(open) : () => {};
  const peers = links.map((link) => new Peer(link, { ...TUGTALK_DIALECT, opening: [] }, folder));
  const delays = await Promise.all(peers.map((peer) => pace(peer, DELTAS, PER_SECOND)));
  calm();
  const taken = delays.flat();
  const exitCode = await bridge.end();
  return {
    p99: percentile(taken, 0.99),
    p50: percentile(taken, 0.5),
    pieces: taken.length,
    exitCode,
  };
}

type Chat = Awaited<ReturnType<typeof chat>>;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: CHANNELS_FLAGS });
  const count = parseRounds(values.rounds);
  const alone: Chat[] = [];
  const troubled: Chat[] = [];
  while (alone.length < count) {
    alone.push(await chat(false));
    troubled.push(await chat(true));
  }
  const chats = [...alone, ...troubled];
  const ms = (values: readonly number[]) => median(values).toFixed(2);
  report(`channels: ${CHATTING} chat, medians of ${count} paired rounds`, [
    emitted("p50 alone, ms", ms(alone.map(({ p50 }) => p50))),
    emitted("p50 beside the three, ms", ms(troubled.map(({ p50 }) => p50))),
    emitted("p99 alone, ms", ms(alone.map(({ p99 }) => p99))),
    emitted("p99 beside the three, ms", ms(troubled.map(({ p99 }) => p99))),
    exactly(
      "pieces that arrived, at least",
      Math.min(...chats.map(({ pieces }) => pieces)),
      CHATTING * DELTAS,
    ),
    exactly("exit codes", sum(chats.map(({ exitCode }) => exitCode)), 0),
  ]);
}

await endOnWrongArguments("channels", main);
