/** `tugtalk acp`: the agent as a process, on the pipes that the client has opened. */
import { refuseArguments } from "../src/base/flags.ts";
import { removeLeftFolders, SecretFiles } from "../src/base/private-folders.ts";
import { Bridge } from "../src/edge/bridge.ts";
import { type BridgeSettings, openBridgePorts } from "../src/edge/bridge-ports.ts";
import { endOnSignal } from "../src/edge/end-signals.ts";
import { nextTurn, openFairFlush } from "../src/edge/fair-turns.ts";
import { openHostLines, readHost } from "../src/edge/host-lines.ts";
import { openLog } from "../src/edge/log.ts";
import { defaultStateFolder } from "../src/history/state-folder.ts";
import { openHostWriter } from "../src/ipc.ts";
import { type AcpArguments, parseAcpArguments, USAGE } from "./acp-arguments.ts";
import { Agent, type AgentPorts } from "./agent.ts";
import { ClientEnd } from "./client-end.ts";
import { readClientLine } from "./json-rpc.ts";
import { KeptSessions } from "./kept-sessions.ts";
import { late } from "./late.ts";

/** Runs the agent. Sets the exit code. */
export async function runAcp(args: readonly string[]): Promise<void> {
  const parsed = parseAcpArguments(args, process.env);
  if ("run" in parsed) await serve(parsed.run);
  else if ("login" in parsed)
    process.exitCode = await (await import("./login.ts")).logIn(parsed.login);
  else if ("print" in parsed) console.log(parsed.print);
  else refuseArguments(parsed.problem, USAGE);
}

/** The agent removes files of dead processes, and old files of kept sessions, this long after its start. */
const REMOVE_LEFT_AFTER_MS = 100;
const PRUNE_AFTER_MS = 10_000;

async function serve({ logLevel, isHolding, ...settings }: AcpArguments): Promise<void> {
  setTimeout(removeLeftFolders, REMOVE_LEFT_AFTER_MS).unref();
  const input = openHostLines(Bun.stdin.stream().getReader(), settings.maxLineBytes);
  const end = () => {
    agent.close();
    void input.cancel();
  };
  const writer = openHostWriter(Bun.stdout.writer(), end);
  const log = openLog(logLevel);
  const store = new KeptSessions(settings.stateDir ?? defaultStateFolder(process.env));
  const agent = new Agent({
    client: new ClientEnd(writer),
    openBridge: bridgesWith(settings, log),
    checkFolder: async (path) => (await import("./session-folder.ts")).checkFolder(path),
    flush: openFairFlush(writer, nextTurn),
    drained: writer.drained,
    newId: () => crypto.randomUUID(),
    command: () => ownCommand().OWN_COMMAND,
    logOut: async () => (await import("./login.ts")).logOut(settings),
    store,
    past: openPast(store),
    onFault: (message) => log("warn", message),
    hold: { isHolding, after },
  });
  const prune = () =>
    store
      .prune()
      .catch((cause) => log("warn", `cannot remove what was kept of sessions: ${cause}`));
  setTimeout(prune, PRUNE_AFTER_MS).unref();
  const fault = (thrown: unknown) => {
    process.exitCode = 1;
    agent.fault(thrown);
    void input.cancel();
  };
  endOnSignal({ close: end, fault });
  const room = () => undefined;
  await readHost(input, writer, { receive: (line) => agent.receive(readClientLine(line)), room });
  await agent.end();
  await writer.flush();
}

const ownCommand = late(
  () => require("../spawn/own-command.ts") as typeof import("../spawn/own-command.ts"),
);

function openPast(store: KeptSessions): AgentPorts["past"] {
  return late(() => {
    const { PastSessions } = require("./past-sessions.ts") as typeof import("./past-sessions.ts");
    return new PastSessions(store);
  });
}

/** Opens the bridge of a session in its folder. */
function bridgesWith(
  settings: Omit<BridgeSettings, "dir">,
  log: ReturnType<typeof openLog>,
): AgentPorts["openBridge"] {
  return (dir, host) => {
    const files = new SecretFiles();
    const ports = openBridgePorts({ dir, ...settings }, { files, log });
    const bridge = new Bridge({ ...ports, onFatal: () => {} }, host);
    return { bridge, release: () => files.remove() };
  };
}

const after: AgentPorts["hold"]["after"] = (ms, run) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};
