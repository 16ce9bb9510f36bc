import { expect, test } from "bun:test";
import { type SiteNames, sitesOf } from "../sites.ts";

const NAMES: SiteNames = {
  ownName: "own.localhost",
  allowedHosts: ["Box.example"],
  publicUrls: [],
};

test("on port 80 our names count without a port too, as browsers send them, and on no other", () => {
  expect([...sitesOf(NAMES, 80).keys()]).toContain("box.example");
  expect([...sitesOf(NAMES, 8080).keys()]).not.toContain("box.example");
  for (const port of [80, 8080])
    expect([...sitesOf(NAMES, port).keys()]).toEqual(
      expect.arrayContaining([`127.0.0.1:${port}`, `[::1]:${port}`, `box.example:${port}`]),
    );
});

test("browsers sign in by the name of its own and by names that are allowed, not by those of loopback", () => {
  const cookies = Object.fromEntries(
    [...sitesOf(NAMES, 7717)].map(([host, { cookieName }]) => [host, cookieName]),
  );
  expect(cookies).toEqual({
    "127.0.0.1:7717": undefined,
    "localhost:7717": undefined,
    "[::1]:7717": undefined,
    "own.localhost:7717": "tugtalk_7717",
    "box.example:7717": "tugtalk_7717",
  });
});

test("a public address is served by exactly its name and port; the port of https may be left out", () => {
  const publicUrls = [
    { name: "one.example", port: 443 },
    { name: "two.example", port: 8443 },
  ];
  const sites = [...sitesOf({ ...NAMES, publicUrls }, 7717)];
  expect(sites.filter(([host]) => /^(one|two)/.test(host))).toEqual([
    ["one.example:443", { origin: "https://one.example", cookieName: "__Host-tugtalk_443" }],
    ["one.example", { origin: "https://one.example", cookieName: "__Host-tugtalk_443" }],
    ["two.example:8443", { origin: "https://two.example:8443", cookieName: "__Host-tugtalk_8443" }],
  ]);
});
