/** One measurement of each contender. */
import type { Contender } from "./contenders.ts";
import { type Peer, withPeers } from "./peer.ts";
import type { TurnReport } from "./turn-plan.ts";

/** Values by name, with the unit in the name. */
export type Measures = Readonly<Record<string, number>>;

/** The executables that stand for Claude. */
export type Setting = {
  readonly folder: string;
  readonly planned: string;
  readonly quick: string;
};

export type Scenario = {
  readonly name: string;
  /** The work, for the title of the table. */
  readonly what: string;
  /** Contenders whose sessions share a process take part too. */
  readonly hasManySessions?: true;
  /** The host has a tool and a hook. */
  readonly asksProgram?: true;
  /** Only contenders with known files take part. */
  readonly needsFiles?: true;
  /** Only contenders that speak ACP take part. */
  readonly needsAcp?: true;
  /** Measures one contender once. */
  readonly measure: (contender: Contender, setting: Setting) => Promise<Measures>;
};

/** Runs `use` on a contender that has answered a first message. */
export async function withWarmPeer<T>(
  contender: Contender,
  { folder, planned }: Setting,
  use: (peer: Peer) => Promise<T>,
): Promise<T> {
  return await withPeers(contender, { folder, claude: planned }, 1, async ([peer]) => {
    await greet(peer);
    return await use(peer);
  });
}

/** A short turn. */
export async function greet(peer: Peer): Promise<TurnReport> {
  return await peer.turn([{ kind: "said", pieces: ["Hello."] }], () => {});
}
