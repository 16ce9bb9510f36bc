/**
 * `acpx`, a command-line client of ACP that nobody here wrote, on a Node that is new enough for it. Each of
 * its commands starts the agent, unless the agent of an earlier command still keeps the session.
 */
import { join } from "node:path";
import { type EndedCommand, runCommand } from "../drivers/ended-command.ts";
import { installPackage } from "../drivers/installed-package.ts";
import { installNode } from "./installed-node.ts";
import type { RealPlace } from "./real-session.ts";

const VERSION = "0.19.1";

/** The output of a command, line by line. */
export type AcpxOutput = EndedCommand & { readonly lines: readonly Record<string, unknown>[] };

export type Acpx = (...words: readonly string[]) => Promise<AcpxOutput>;

/** Installs it once. Runs its commands in the project of a place, with this agent. */
export async function openAcpx(
  { home, api }: Pick<RealPlace, "home" | "api">,
  agent: readonly string[],
): Promise<Acpx> {
  const [bin, client] = await Promise.all([installNode(), installPackage("acpx", VERSION)]);
  const command = [join(bin, "node"), join(client.path, "dist", "cli.js")];
  const options = ["--format=json", `--agent=${agent.join(" ")}`, `--cwd=${home.project}`];
  const where = { env: home.environment(api.url), cwd: home.project };
  return async (...words) => {
    const ended = await runCommand([...command, ...options, ...words], where);
    const lines = ended.out.split("\n").filter((line) => line !== "");
    return { ...ended, lines: lines.map((line) => JSON.parse(line)) };
  };
}
