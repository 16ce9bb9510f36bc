/** Bridges on a place: starts them through its command, and waits for an answer before any other message. */
import { type LinePass, startTugtalk } from "../../spawn/running-tugtalk.ts";
import { EndedError } from "../../spawn/spawn-errors.ts";
import { ApiError } from "../api/api-error.ts";
import type { Bridge, Place } from "./bridge.ts";
import { ConnectionRecord } from "./connection-record.ts";
import type { LineGate } from "./line-gate.ts";
import { bridgeEndMs, PlaceConnection, type PlaceLink } from "./place-connection.ts";
import { SharedBridges, type StartedBridge } from "./shared-bridges.ts";

/** The limit for a place's answer. */
const CONNECT_LIMIT_MS = 60_000;

type Started = StartedBridge<ConnectionRecord>;

export class PlaceBridges {
  readonly #place: Place;
  readonly #shared: SharedBridges<ConnectionRecord>;
  readonly #isIsolated: boolean;
  readonly #pass: LinePass;

  constructor(
    place: Place,
    { isIsolated, gate }: { readonly isIsolated: boolean; readonly gate: LineGate },
  ) {
    this.#place = place;
    this.#pass = gate.passFor(bridgeEndMs(place.idleExitSeconds));
    this.#isIsolated = isIsolated;
    this.#shared = new SharedBridges(() => this.#spawn("--multiplex"));
  }

  /** Resolves once the bridge there has answered. By then it has got no message that starts Claude. */
  async start(signal?: AbortSignal): Promise<Bridge> {
    const limit = AbortSignal.timeout(CONNECT_LIMIT_MS);
    const until = signal === undefined ? limit : AbortSignal.any([signal, limit]);
    let record: ConnectionRecord | undefined;
    try {
      const placeLink = await this.#link();
      ({ record } = placeLink);
      const connection = new PlaceConnection(placeLink, this.#place);
      await connection.open(until);
      return connection;
    } catch (error) {
      const ended = error instanceof EndedError ? record : undefined;
      const reason = ended === undefined ? messageOf(error) : await lastWords(ended);
      const message = `cannot reach ${this.#place.name}: ${reason}`;
      throw new ApiError(503, "place_unreachable", message);
    }
  }

  /** A connection of its own, or a channel of a shared one. */
  async #link(): Promise<PlaceLink> {
    if (this.#isIsolated) {
      const { child: link, log: record } = await this.#spawn();
      const kill = () => link.kill("SIGKILL");
      return { link, record, giveUp: kill, kill };
    }
    const { channel: link, log: record } = await this.#shared.open();
    return { link, record, giveUp: () => link.giveUp(), kill: () => link.kill() };
  }

  async #spawn(...flags: readonly string[]): Promise<Started> {
    const { name, command: prefix, idleExitSeconds } = this.#place;
    const log = new ConnectionRecord(name);
    // Constant arguments only, since ssh passes them to a shell.
    const command = [...prefix, "tugtalk", `--idle-exit=${idleExitSeconds}`, ...flags];
    const options = { stderr: (line: string) => log.add(line) };
    return { child: await startTugtalk(command, options, this.#pass), log };
  }
}

/** How long the last lines of a command may take to arrive after its end. */
const WORDS_WITHIN_MS = 200;
const CHECK_MS = 10;

async function lastWords(record: ConnectionRecord): Promise<string> {
  if (record.loss !== undefined) return record.loss;
  for (let waited = 0; record.beginning === "" && waited < WORDS_WITHIN_MS; waited += CHECK_MS)
    await Bun.sleep(CHECK_MS);
  return record.beginning || "the connection was closed";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
