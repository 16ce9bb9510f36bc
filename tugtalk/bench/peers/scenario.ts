/** One thing that is measured of each contender. */
import type { Contender } from "./contenders.ts";
import { type Peer, withPeer } from "./peer.ts";
import type { TurnReport } from "./turn-plan.ts";

/** Values by name, with the unit in the name. */
export type Measures = Readonly<Record<string, number>>;

/** The executables that stand for Claude, and whether a run is the quick one. */
export type Setting = {
  readonly folder: string;
  readonly planned: string;
  readonly quick: string;
  readonly isQuick: boolean;
};

export type Scenario = {
  readonly name: string;
  /** What is done, for the title of the table. */
  readonly what: (isQuick: boolean) => string;
  /** Contenders whose sessions share a process take part too. */
  readonly hasManySessions?: true;
  /** Measures one contender once. */
  readonly measure: (contender: Contender, setting: Setting) => Promise<Measures>;
};

/** Runs `use` on a contender that has answered a first message. */
export async function withWarmPeer<T>(
  contender: Contender,
  { folder, planned }: Setting,
  use: (peer: Peer) => Promise<T>,
): Promise<T> {
  return await withPeer(contender, { folder, claude: planned }, async (peer) => {
    await greet(peer);
    return await use(peer);
  });
}

/** A short turn. */
export async function greet(peer: Peer): Promise<TurnReport> {
  return await peer.turn([{ kind: "said", pieces: ["Hello."] }], () => {});
}
