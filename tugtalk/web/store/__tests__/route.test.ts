/** The session or board that an address names. */
import { expect, test } from "bun:test";
import { formatRoute, parseRoute, type Route } from "../route.ts";

test("each route is read from the address that leads to it", () => {
  const routes: readonly Route[] = [{ name: "board" }, { name: "session", id: "1b2c-3d" }];
  for (const route of routes) expect(parseRoute(formatRoute(route))).toEqual(route);
});

test("an address that names no session leads to all sessions", () => {
  for (const hash of ["", "#", "#/s/", "#/s/a/b", "#/s/a?b", "#/s/<b>", "#s/a", "/s/a"])
    expect(parseRoute(hash)).toEqual({ name: "board" });
});
