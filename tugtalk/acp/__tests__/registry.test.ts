/** The entry for the registry of agents. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv";
import packageJson from "../../../package.json" with { type: "json" };
import entry from "../registry/agent.json" with { type: "json" };
import schema from "./fixtures/registry-schema.json" with { type: "json" };

test("the entry fits the registry's schema, and starts this version", () => {
  const isEntry = new Ajv().compile(schema);
  expect([isEntry(entry), isEntry.errors]).toEqual([true, null]);
  const { version, name, license } = packageJson;
  expect(entry).toMatchObject({ id: name, version, license });
  expect(entry.distribution.npx).toEqual({ package: `${name}@${version}`, args: ["acp"] });
});

test("the icon has 16 by 16 points, and no colour but the current one", () => {
  const icon = readFileSync(join(import.meta.dir, "..", "registry", "icon.svg"), "utf8");
  expect(icon).toContain('width="16" height="16" viewBox="0 0 16 16"');
  const colours = [...icon.matchAll(/\b(?:fill|stroke)="([^"]*)"/g)].map(([, colour]) => colour);
  expect(new Set(colours)).toEqual(new Set(["none", "currentColor"]));
});
