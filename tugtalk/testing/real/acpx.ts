/**
 * `acpx`, a command-line client of ACP that nobody here wrote, on a Node that is new enough for it. A command
 * of it starts the agent by itself, but where one that keeps the session is still there.
 */
import { join } from "node:path";
import { type EndedCommand, runCommand } from "../drivers/ended-command.ts";
import { installPackage } from "../drivers/installed-package.ts";
import type { RealPlace } from "./real-session.ts";

const [CLIENT, NODE] = ["0.19.1", "22.23.3"];

/** What a command prints, line by line. */
export type AcpxOutput = EndedCommand & { readonly lines: readonly Record<string, unknown>[] };

export type Acpx = (...words: readonly string[]) => Promise<AcpxOutput>;

/** Installs it once. Runs its commands in the project of a place, with this agent. */
export async function openAcpx(
  { home, api }: Pick<RealPlace, "home" | "api">,
  agent: readonly string[],
): Promise<Acpx> {
  const [node, client] = await Promise.all([installNode(), installPackage("acpx", CLIENT)]);
  const command = [node, join(client.path, "dist", "cli.js")];
  const options = ["--format=json", `--agent=${agent.join(" ")}`, `--cwd=${home.project}`];
  const where = { env: home.environment(api.url), cwd: home.project };
  return async (...words) => {
    const ended = await runCommand([...command, ...options, ...words], where);
    const lines = ended.out.split("\n").filter((line) => line !== "");
    return { ...ended, lines: lines.map((line) => JSON.parse(line)) };
  };
}

/** The path of a Node that is new enough. The package `node` has only a script that fetches these. */
export async function installNode(): Promise<string> {
  const name = `${process.platform}-${process.arch}`;
  const prefix = name === "darwin-arm64" ? "node-bin" : "node";
  const { path } = await installPackage(`${prefix}-${name}`, NODE);
  return join(path, "bin", "node");
}
