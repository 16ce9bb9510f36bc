/** The hosts of this machine that have ended for certain. */
import { expect, test } from "bun:test";
import { ownProcesses } from "../../../src/base/processes.ts";
import { endedHosts, type LivingHost } from "../takeover.ts";

const own = { id: "own", machine: "box" };

const ended: LivingHost = {
  id: "other",
  machine: "box",
  pid: Bun.spawnSync(["true"]).pid,
  processes: ownProcesses() ?? null,
  places: [],
};

test("a host of this machine whose process is gone has ended", () => {
  expect(endedHosts([ended], own)).toEqual([ended]);
});

const LIVING: Readonly<Record<string, Partial<LivingHost>>> = {
  "whose process runs": { pid: process.pid },
  "of another machine": { machine: "far" },
  "of another container or user, whose processes are not seen here,": { processes: "elsewhere" },
  "of which it is not known whose processes it sees,": { processes: null },
  "that is this one": { id: own.id },
};

for (const [name, fields] of Object.entries(LIVING))
  test(`a host ${name} may live`, () => {
    expect(endedHosts([{ ...ended, ...fields }], own)).toEqual([]);
  });
