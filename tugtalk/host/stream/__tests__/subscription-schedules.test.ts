/** In any order of commits, reads, trims and reconnections no entry is missing and none comes twice. */
import { test } from "bun:test";
import * as fc from "fast-check";
import { addSnapshotPart, type SnapshotParts } from "../../../client/snapshot-parts.ts";
import { checkProperty } from "../../../testing/random/property-check.ts";
import type { Frame } from "../../api/frame.ts";
import { type After, subscribe } from "../subscription.ts";
import { FakeOutlet } from "./support/fake-outlet.ts";
import { FakeSession } from "./support/fake-session.ts";
import { nextTurn } from "./support/turns-of-the-loop.ts";

const SIZES = [10, 5_000, 60_000, 200_000];

type Step =
  | { readonly commit: readonly number[] }
  | { readonly read: number }
  | { readonly turns: number }
  | { readonly trim: number }
  /** The last entry is announced again. */
  | { readonly tell: true }
  | { readonly reconnect: true };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      commit: fc.array(fc.constantFrom(...SIZES), { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ read: fc.constantFrom(20, 6_000, 150_000, 1_000_000) }) },
  { weight: 4, arbitrary: fc.record({ turns: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ trim: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 1, arbitrary: fc.constant({ tell: true as const }) },
  { weight: 1, arbitrary: fc.constant({ reconnect: true as const }) },
);

type Schedule = {
  readonly before: number;
  readonly after: "none" | "start" | "end";
  readonly room: number;
  /** A long title makes snapshots come in parts. */
  readonly titleChars: number;
  readonly steps: readonly Step[];
};

const schedules: fc.Arbitrary<Schedule> = fc.record({
  before: fc.integer({ min: 0, max: 6 }),
  after: fc.constantFrom("none", "start", "end"),
  room: fc.constantFrom(1, 5_000, 300_000),
  titleChars: fc.constantFrom(0, 200_000),
  steps: fc.array(step, { maxLength: 30 }),
});

/** A client that reconnects with the last cursor that it has seen. */
class Client {
  readonly session: FakeSession;
  readonly connections: { readonly after: After; readonly outlet: FakeOutlet }[] = [];
  #end = () => {};

  constructor(session: FakeSession) {
    this.session = session;
  }

  connect(after: After, room: number): void {
    this.#end();
    const outlet = new FakeOutlet(room);
    this.connections.push({ after, outlet });
    this.#end = subscribe(this.session, after, outlet);
  }

  get outlet(): FakeOutlet {
    const last = this.connections.at(-1);
    if (last === undefined) throw new Error("never connected");
    return last.outlet;
  }

  /** The place for a reconnection: after the last frame with a cursor. */
  get place(): After {
    return withJoinedParts(this.outlet.frames).reduce<After>(
      (place, frame) => placeAfter(frame) ?? place,
      undefined,
    );
  }
}

function placeAfter({ cursor, type, data }: Frame): After {
  if (cursor !== undefined) return cursor;
  if (type === "snapshot") return JSON.parse(data).cursor;
  const { result, from } = type === "resume" ? JSON.parse(data) : {};
  return result === "ok" ? from : undefined;
}

/** Joins the parts of snapshots, of which only a whole one counts. */
function withJoinedParts(frames: readonly Frame[]): readonly Frame[] {
  let known: SnapshotParts = [];
  return frames.flatMap((frame) => {
    const { parts, snapshot } = addSnapshotPart(known, JSON.parse(frame.data));
    known = parts;
    if (frame.type !== "snapshot_part") return frame;
    return snapshot ? { ...frame, type: "snapshot", data: JSON.stringify(snapshot) } : [];
  });
}

function take(step: Exclude<Step, { turns: number }>, client: Client, room: number): void {
  const { session, outlet } = client;
  if ("commit" in step) session.commit(...step.commit);
  else if ("read" in step) outlet.read(step.read);
  else if ("trim" in step) session.trim(step.trim);
  else if ("tell" in step) session.tell(session.committed.length);
  else client.connect(client.place, room);
}

async function play({ before, after, room, titleChars, steps }: Schedule): Promise<Client> {
  const session = new FakeSession();
  session.title = "x".repeat(titleChars);
  for (let count = 0; count < before; count++) session.commit(30_000);
  const client = new Client(session);
  client.connect({ none: undefined, start: "start" as const, end: session.cursor() }[after], room);
  for (const step of steps) {
    if ("turns" in step) for (let turn = 0; turn < step.turns; turn++) await nextTurn();
    else take(step, client, room);
  }
  client.outlet.read(Number.MAX_SAFE_INTEGER);
  for (let turn = 0; turn < 100; turn++) await nextTurn();
  session.commit(10);
  await nextTurn();
  return client;
}

/** Faults of the frames of one connection. */
function faultsOf(sent: readonly Frame[], session: FakeSession): string[] {
  const frames = withJoinedParts(sent);
  const faults: string[] = [];
  let seq: number | undefined;
  frames.forEach(({ cursor, type, data }, index) => {
    const before = frames[index - 1];
    const isAfterGap = before?.type === "resume" && JSON.parse(before.data).result === "gap";
    if ((type === "snapshot") !== isAfterGap) faults.push(`${type} at ${index}`);
    if (index === 0 && type !== "resume") faults.push(`the first frame is ${type}`);
    if (type === "resume") seq = JSON.parse(data).from.seq;
    if (cursor === undefined) return;
    if (cursor.seq !== (seq ?? Number.NaN) + 1) faults.push(`${cursor.seq} after ${seq}`);
    if (data !== session.committed[cursor.seq - 1]?.data)
      faults.push(`other data at ${cursor.seq}`);
    seq = cursor.seq;
  });
  return faults;
}

test("under any schedule a client has the frames of the journal, none twice and none missing", async () => {
  await checkProperty({
    name: "schedules of a subscription",
    values: schedules,
    runs: 300,
    limitMs: 20_000,
    faultsOf: async (schedule) => {
      const { connections, outlet, session, place } = await play(schedule);
      const faults = connections.flatMap((connection) =>
        faultsOf(connection.outlet.frames, session),
      );
      if (JSON.stringify(place) !== JSON.stringify(session.cursor()))
        faults.push(`ends at ${JSON.stringify(place)}`);
      if (outlet.isCutOff) faults.push("cut off");
      if (session.listeners !== 1) faults.push(`${session.listeners} listeners`);
      return faults;
    },
  });
}, 30_000);
