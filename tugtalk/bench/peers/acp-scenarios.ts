/** The requests of ACP clients: a session, and a session with a long past. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Fields } from "../../src/base/json.ts";
import { answered, said, transcriptFolder } from "../../testing/drivers/past-sessions.ts";
import { peakMegabytes, residentMegabytes } from "../../testing/drivers/silent-host.ts";
import { median, sized } from "../findings.ts";
import { startCpuMeter } from "../process-costs.ts";
import { JSONRPC } from "./acp-dialect.ts";
import type { Contender } from "./contenders.ts";
import { at, CLAUDE_DIALECT } from "./dialects.ts";
import { PeerProcess, type Workspace } from "./peer-process.ts";
import type { Scenario } from "./scenario.ts";

const STARTS = sized(10, 3);
const TURNS = sized(1000, 20);

/** Only the contender's own start is between a client and Claude. */
const opened: Scenario = {
  name: "opened",
  what: `from session/new to its answer, beside a Claude that is started and asked to initialize, median of ${STARTS}`,
  needsAcp: true,
  measure: async (contender, { folder, planned: claude }) => {
    const pairs: { readonly own: number; readonly session: number }[] = [];
    while (pairs.length < STARTS) {
      const own = await claudeMs({ folder, claude });
      pairs.push({ own, session: await sessionMs(contender, { folder, claude }) });
    }
    return {
      "session ms": median(pairs.map(({ session }) => session)),
      "Claude ms": median(pairs.map(({ own }) => own)),
      "more ms": median(pairs.map(({ own, session }) => session - own)),
    };
  },
};

async function claudeMs(workspace: Workspace): Promise<number> {
  const command = (claude: string) => [claude];
  const startedAt = performance.now();
  return await withProcess(
    { name: "Claude", dialect: CLAUDE_DIALECT, command },
    workspace,
    async (claude) => {
      const request = { subtype: "initialize" };
      const answer = lineOf(claude, ({ type }) => type === "control_response");
      claude.send({ type: "control_request", request_id: "initialize", request });
      await answer;
      return performance.now() - startedAt;
    },
  );
}

async function sessionMs(contender: Contender, workspace: Workspace): Promise<number> {
  return await withProcess(contender, workspace, async (agent) => {
    await ask(agent, 0, "initialize", { protocolVersion: 1, clientCapabilities: {} });
    const startedAt = performance.now();
    await ask(agent, 1, "session/new", { cwd: workspace.folder, mcpServers: [] });
    return performance.now() - startedAt;
  });
}

/** Throws if the agent does not replay the whole past. */
const load: Scenario = {
  name: "load",
  what: `session/load of ${TURNS} turns`,
  needsAcp: true,
  measure: async (contender, { folder, planned: claude }) => {
    const sessionId = writePast(folder);
    return await withProcess(contender, { folder, claude }, async (agent) => {
      await ask(agent, 0, "initialize", { protocolVersion: 1, clientCapabilities: {} });
      const [before, spentMs, startedAt] = [
        residentMegabytes(agent.pid),
        startCpuMeter(agent.pid),
        performance.now(),
      ];
      const told = await ask(agent, 1, "session/load", { sessionId, cwd: folder, mcpServers: [] });
      const ms = performance.now() - startedAt;
      if (told !== TURNS) throw new Error(`${told} of ${TURNS} prompts were told`);
      const peak = peakMegabytes(agent.pid);
      return { ms, "CPU ms": spentMs(), "RSS MB before": before, "peak MB": peak };
    });
  },
};

async function withProcess<T>(
  contender: Contender,
  workspace: Workspace,
  use: (process: PeerProcess) => Promise<T>,
): Promise<T> {
  const process = new PeerProcess(contender, workspace);
  try {
    return await Promise.race([use(process), process.ended]);
  } finally {
    await process.end();
  }
}

function lineOf(process: PeerProcess, fits: (line: Fields) => boolean): Promise<Fields> {
  const { promise, resolve } = Promise.withResolvers<Fields>();
  process.onLine = (bytes) => {
    const line: Fields = JSON.parse(new TextDecoder().decode(bytes));
    if (fits(line)) resolve(line);
  };
  return promise;
}

/** The number of past prompts that the agent has sent before the answer. */
async function ask(
  agent: PeerProcess,
  id: number,
  method: string,
  params: Fields,
): Promise<number> {
  let told = 0;
  const answer = lineOf(agent, (line) => {
    const update = at(line, "params", "update", "sessionUpdate");
    if (update === "user_message_chunk") told += 1;
    return line["id"] === id && line["method"] === undefined;
  });
  agent.send({ ...JSONRPC, id, method, params });
  const { error } = await answer;
  if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
  return told;
}

const ANSWER = "What the model says. ".repeat(50);

/** Writes a conversation of this folder. Gives its id. */
function writePast(folder: string): string {
  const sessionId = crypto.randomUUID();
  const common = { sessionId, cwd: folder, version: "2.1.330", isSidechain: false };
  const timestamp = "2026-01-01T00:00:00.000Z";
  let last: string | null = null;
  const lines: Fields[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const prompt: string = crypto.randomUUID();
    const answer: string = crypto.randomUUID();
    lines.push(said(prompt, last, `prompt ${turn}`), answered(answer, prompt, ANSWER, `m${turn}`));
    last = answer;
  }
  const text = lines.map((line) => `${JSON.stringify({ ...common, timestamp, ...line })}\n`);
  const transcripts = transcriptFolder(join(folder, ".claude"), folder);
  mkdirSync(transcripts, { recursive: true });
  writeFileSync(join(transcripts, `${sessionId}.jsonl`), text.join(""));
  return sessionId;
}

export const ACP_SCENARIOS: readonly Scenario[] = [opened, load];
