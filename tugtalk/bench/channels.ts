/**
 * Twenty channels of one process: one floods, one has a Claude that is killed every second, one has a prompt
 * that stays open, and seventeen chat. How long a piece of text of the seventeen takes from Claude to the
 * host, in rounds with and without the three others in turn. `--rounds=<n>` says how many pairs.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { endOnWrongArguments, parseRounds } from "./bench-arguments.ts";
import { type ChannelProcess, startChannelProcess } from "./channel-process.ts";
import { emitted, exactly, median, percentile, report } from "./findings.ts";
import { writePlannedClaude } from "./peers/quick-claude.ts";
import type { TurnPart, TurnPlan } from "./peers/turn-plan.ts";

const CHATTING = Array.from({ length: 17 }, (_, at) => `chat ${at}`);
const PACED = { kind: "paced", deltas: 200, perSecond: 50 } as const;
/** More than a round has time for. */
const FLOOD: TurnPart = { kind: "flood", messages: 100_000, deltas: 1_000, chars: 80 };
const PROMPT: TurnPart = { kind: "prompts", count: 1, atOnce: 1 };
const CRASH_EVERY_MS = 1_000;

const folder = mkdtempSync(join(tmpdir(), "tugtalk-channels-"));
const claude = writePlannedClaude(folder);

function sayPlan(bridge: ChannelProcess, channel: string, part: TurnPart): void {
  const plan: TurnPlan = { parts: [part], report: join(folder, `${channel}.json`) };
  bridge.send({ channel, type: "user_message", text: JSON.stringify(plan) });
}

async function open(bridge: ChannelProcess, ...names: readonly string[]): Promise<void> {
  for (const channel of names) bridge.send({ channel, type: "protocol_init", version: 2 });
  await Promise.all(names.map((name) => bridge.until(name, ({ state }) => state === "idle")));
}

/** Opens the three; returns what ends the crashes. */
async function trouble(bridge: ChannelProcess): Promise<() => void> {
  await open(bridge, "flood", "prompt");
  sayPlan(bridge, "prompt", PROMPT);
  await bridge.until("prompt", ({ type }) => type === "control_request_forward");
  sayPlan(bridge, "flood", FLOOD);
  await bridge.until("flood", ({ status }) => status === "partial");
  let crashed = 0;
  const crash = async () => {
    // A bridge starts its Claude three times a minute, so each crash has a channel of its own.
    const channel = `crash ${crashed++}`;
    bridge.send({ channel, type: "protocol_init", version: 2 });
    const { pid } = await bridge.until(channel, ({ type }) => type === "process_started");
    process.kill(Number(pid), "SIGKILL");
    await bridge.until(channel, ({ type }) => type === "process_exit");
    bridge.send({ channel, type: "shutdown" });
  };
  const timer = setInterval(() => void crash(), CRASH_EVERY_MS);
  return () => clearInterval(timer);
}

/** How long the pieces took, in ms, and how many there were. */
async function chat(isTroubled: boolean) {
  const bridge = startChannelProcess(["--multiplex", `--claude=${claude}`, "--log-level=silent"]);
  await open(bridge, ...CHATTING);
  const calm = isTroubled ? await trouble(bridge) : () => {};
  for (const channel of CHATTING) sayPlan(bridge, channel, PACED);
  const isOver = ({ type }: { readonly type: string }) => type === "turn_complete";
  await Promise.all(CHATTING.map((channel) => bridge.until(channel, isOver)));
  calm();
  const taken = CHATTING.flatMap((channel) => bridge.delays(channel));
  const exitCode = await bridge.end();
  return {
    p99: percentile(taken, 0.99),
    p50: percentile(taken, 0.5),
    pieces: taken.length,
    exitCode,
  };
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { rounds: { type: "string", default: "10" } } });
  const count = parseRounds(values.rounds);
  const rounds: { readonly alone: Chat; readonly troubled: Chat }[] = [];
  for (let round = 0; round < count; round += 1)
    rounds.push({ alone: await chat(false), troubled: await chat(true) });
  const chats = rounds.flatMap(({ alone, troubled }) => [alone, troubled]);
  const ms = (of: (round: (typeof rounds)[number]) => number) => median(rounds.map(of)).toFixed(2);
  report(`channels: ${CHATTING.length} chat, medians of ${rounds.length} paired rounds`, [
    emitted(
      "p50 alone, ms",
      ms(({ alone }) => alone.p50),
    ),
    emitted(
      "p50 beside the three, ms",
      ms(({ troubled }) => troubled.p50),
    ),
    emitted(
      "p99 alone, ms",
      ms(({ alone }) => alone.p99),
    ),
    emitted(
      "p99 beside the three, ms",
      ms(({ troubled }) => troubled.p99),
    ),
    emitted(
      "p99 beside to alone",
      ms(({ alone, troubled }) => troubled.p99 / alone.p99),
    ),
    exactly(
      "pieces that arrived, at least",
      Math.min(...chats.map(({ pieces }) => pieces)),
      CHATTING.length * PACED.deltas,
    ),
    exactly(
      "exit codes",
      chats.reduce((sum, { exitCode }) => sum + exitCode, 0),
      0,
    ),
  ]);
}

type Chat = Awaited<ReturnType<typeof chat>>;

await endOnWrongArguments("channels", main);
