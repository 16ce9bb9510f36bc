/**
 * The package, installed by Yarn with Plug'n'Play: packages stay in archives, except packages that ask for a
 * folder.
 */
import { expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { installPackage, runNpm } from "../testing/drivers/installed-package.ts";
import { NodeOnlyMachine } from "./support/node-only.ts";

const machine = new NodeOnlyMachine();
const folder = mkdtempSync(join(tmpdir(), "tugtalk-yarn-"));

const INSTALL_LIMIT_MS = 300_000;

test(
  "the program starts where Yarn has it without node_modules",
  async () => {
    const { path } = await installPackage("@yarnpkg/cli-dist", "4.18.1");
    const yarn = (...words: readonly string[]) =>
      machine.run(folder, "node", join(path, "bin/yarn.js"), ...words);
    // The certificate of the registry, if it has its own.
    const { NODE_EXTRA_CA_CERTS } = process.env;
    if (NODE_EXTRA_CA_CERTS !== undefined) Object.assign(machine.env, { NODE_EXTRA_CA_CERTS });
    const registry = (await runNpm(["config", "get", "registry"])).trim();
    const settings = { npmRegistryServer: registry, enableTelemetry: false };
    writeFileSync(join(folder, ".yarnrc.yml"), JSON.stringify(settings));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
    writeFileSync(join(folder, "yarn.lock"), "");
    const added = await yarn("add", `tugtalk@file:${await machine.pack()}`);
    expect(added).toMatchObject({ code: 0 });
    expect(await yarn("run", "tugtalk", "--version")).toEqual({
      stdout: `${packageJson.version}\n`,
      stderr: "",
      code: 0,
    });
  },
  INSTALL_LIMIT_MS,
);
