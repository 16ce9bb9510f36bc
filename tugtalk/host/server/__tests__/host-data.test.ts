/** The folders in which the host's data may lie. */
import { expect, test } from "bun:test";
import { dataIn, dataRefusal } from "../host-data.ts";

const HOME = "/home/me";
const STATE = "/home/me/.local/state/tugtalk/host";

const ROWS: readonly [dir: string, data: string, isDefault: boolean, found: string][] = [
  ["/home/me", STATE, true, "accepted"],
  ["/home", STATE, true, "accepted"],
  ["/", STATE, true, "accepted"],
  ["/home/me", STATE, false, "refused"],
  ["/", STATE, false, "refused"],
  ["/home/me/.local", STATE, true, "refused"],
  [STATE, STATE, true, "refused"],
  [`${STATE}/bridges`, STATE, true, "none"],
  ["/home/me/project", STATE, true, "none"],
  ["/home/me/project", "/home/me/project/data", false, "refused"],
  ["/home/me/project", "/home/me/project-data", false, "none"],
  ["/srv", "/srv/state/tugtalk/host", true, "refused"],
  ["/", "/srv/state/tugtalk/host", true, "accepted"],
];

test.each(ROWS)("in %s, data in %s with default %p is %s", (dir, path, isDefault, found) => {
  expect(dataIn(dir, { path, isDefault, home: HOME })).toBe(found as never);
});

test("a refusal names both folders, and what to do", () => {
  const refusal = dataRefusal("/srv", { path: "/srv/data", isDefault: false, home: HOME });
  for (const part of ["/srv/data", "in /srv:", "--data"]) expect(refusal).toContain(part);
});
