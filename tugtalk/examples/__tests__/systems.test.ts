/** The page about systems has the versions of the package. */
import { expect, test } from "bun:test";
import packageJson from "../../../package.json" with { type: "json" };
import { document } from "../../__tests__/support/markdown.ts";
import { MEASURED_VERSIONS } from "../../simulator/measured-versions.ts";

test("the versions of Node, Bun and Claude Code are those of the package", () => {
  const rows = document("tugtalk/examples/systems.md").split("\n");
  const versionsIn = (part: string) =>
    rows.find((row) => row.startsWith(`| ${part} `))?.match(/\d+(\.\d+)+/g);
  expect(`>=${versionsIn("Node")?.[0]}`).toBe(packageJson.engines.node);
  const bun = packageJson.dependencies.bun;
  expect(versionsIn("Bun")).toEqual([bun, bun]);
  expect(versionsIn("Claude Code")).toEqual([MEASURED_VERSIONS[0], ...MEASURED_VERSIONS]);
});
