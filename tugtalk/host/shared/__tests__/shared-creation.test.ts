/** A creation that is repeated at a second host, while the first attempt fails at another host. */
import { expect, test } from "bun:test";
import { failureOf } from "../../../testing/drivers/failure.ts";
import { ApiError } from "../../api/api-error.ts";
import type { HostSession } from "../../api/host-session.ts";
import { sessionRow } from "../../journal/__tests__/support/samples.ts";
import type { SessionRow } from "../../journal/journal.ts";
import { SharedCreation } from "../shared-creation.ts";

const WANTED = { dir: "/work", place: "local", request_id: "r" };
const IN_USE = new ApiError(409, "in_use", "end it first", { session: "first" });
const REFUSED = new ApiError(400, "no_such_dir", "no such folder");
const TAKEN = Object.assign(new Error("duplicate key"), { code: "23505" });

/** `refusals`: the answers to the first creations here. `known`: the sessions that a refresh finds. */
function openCreation(refusals: readonly Error[], known: readonly string[]) {
  const left = [...refusals];
  const written: SessionRow[] = [];
  const knows = new Set(["first"]);
  const steps: string[] = [];
  const creation = new SharedCreation({
    journal: { sessionOfRequest: async () => written[0] },
    own: {
      create: async () => {
        const refusal = left.shift();
        if (refusal !== undefined) throw refusal;
        return { id: "second" } as HostSession;
      },
    },
    directory: { knows: (id) => knows.has(id) },
    machine: "here",
    get: (id) => ({ id }) as HostSession,
    refresh: async () => {
      steps.push("rows are read");
      knows.clear();
      for (const id of known) knows.add(id);
    },
    onChange: () => steps.push("other hosts are told"),
  });
  return { creation, written, steps };
}

test.each([["in_use", IN_USE] as const, ["the id of the request", TAKEN] as const])(
  "a creation that was refused for a session which is gone is made after all: %s",
  async (_, refusal) => {
    const { creation } = openCreation([refusal], []);
    expect((await creation.create(WANTED)).id).toBe("second");
  },
);

test("a creation that is refused for a session which is there stays refused", async () => {
  const { creation } = openCreation([IN_USE], ["first"]);
  expect(await failureOf(creation.create(WANTED))).toBe(IN_USE);
});

test("a creation is looked for once more, and refused where the next session is in the way", async () => {
  const { creation } = openCreation([IN_USE, IN_USE], []);
  expect(await failureOf(creation.create(WANTED))).toBe(IN_USE);
});

test("a session of the same request that goes while it is looked for is created anew", async () => {
  const { creation, written } = openCreation([IN_USE], []);
  written.push(sessionRow("first"));
  expect((await creation.create(WANTED)).id).toBe("second");
});

test("a creation that is refused is answered after its session is gone from the list here, and the other hosts are notified", async () => {
  const { creation, steps } = openCreation([REFUSED], []);
  expect(await failureOf(creation.create(WANTED).catch(onRefusal))).toBe(REFUSED);
  expect(steps).toEqual(["rows are read", "other hosts are told", "the refusal is answered"]);

  function onRefusal(error: unknown): never {
    steps.push("the refusal is answered");
    throw error;
  }
});
