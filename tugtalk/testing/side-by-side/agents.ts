/** The two agents that are compared, as processes with the same Claude, API and home. */
import { join } from "node:path";
import { AcpClient } from "../drivers/acp-client.ts";
import { UNDER_TEST } from "../drivers/bridge-process.ts";
import { installPackage } from "../drivers/installed-package.ts";
import { installNode } from "../real/installed-node.ts";
import type { StartAgent } from "./scenario.ts";

export const THEIRS = {
  name: "@agentclientprotocol/claude-agent-acp",
  version: "0.101.0",
} as const;

/** The table reports a frame that does not come within this time as a wait that has ended. */
const WAIT_MS = 30_000;

export type Agents = { readonly ours: StartAgent; readonly theirs: StartAgent };

/** Installs the other agent once, without the Claude that it would bring. */
export async function openAgents(claude: string): Promise<Agents> {
  const [{ path }, bin] = await Promise.all([
    installPackage(THEIRS.name, THEIRS.version, ["--omit=optional"]),
    installNode(),
  ]);
  const started =
    (command: readonly string[], env: Readonly<Record<string, string>>): StartAgent =>
    ({ home, api }, more) =>
      // Claude refuses some modes to root, unless the environment names a sandbox.
      new AcpClient({
        command,
        env: { ...home.environment(api.url), IS_SANDBOX: "1", ...env, ...more },
        cwd: home.project,
        stderr: "ignore",
        // The table reports frames that do not fit the protocol.
        isChecked: false,
        waitMs: WAIT_MS,
      });
  return {
    ours: started([...UNDER_TEST, "acp", `--claude=${claude}`], {}),
    theirs: started([join(bin, "node"), join(path, "dist", "index.js")], {
      CLAUDE_CODE_EXECUTABLE: claude,
    }),
  };
}
