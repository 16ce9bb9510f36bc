/** The two agents that are compared, as processes with the same Claude, API and home. */
import { join } from "node:path";
import { UNDER_TEST } from "../drivers/bridge-process.ts";
import { installPackage } from "../drivers/installed-package.ts";
import { installNode } from "../real/installed-node.ts";
import { Client } from "./client.ts";
import type { StartAgent } from "./scenario.ts";

export const THEIRS = {
  name: "@agentclientprotocol/claude-agent-acp",
  version: "0.101.0",
} as const;

export type Agents = { readonly ours: StartAgent; readonly theirs: StartAgent };

/** Installs theirs once, without the Claude that it would bring. */
export async function openAgents(claude: string): Promise<Agents> {
  const [{ path }, bin] = await Promise.all([
    installPackage(THEIRS.name, THEIRS.version, ["--omit=optional"]),
    installNode(),
  ]);
  const started =
    (command: readonly string[], env: Readonly<Record<string, string>>): StartAgent =>
    ({ home, api }, more) =>
      // Claude refuses some modes to root, unless it is told of a sandbox.
      new Client(
        command,
        { ...home.environment(api.url), IS_SANDBOX: "1", ...env, ...more },
        home.project,
      );
  return {
    ours: started([...UNDER_TEST, "acp", `--claude=${claude}`], {}),
    theirs: started([join(bin, "node"), join(path, "dist", "index.js")], {
      CLAUDE_CODE_EXECUTABLE: claude,
    }),
  };
}
