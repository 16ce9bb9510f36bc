/**
 * A search in 10,000 turns of 200 sessions. The figures are a person's wait for the first hits, the cost of
 * the index in a commit and on disk, and the work for deleted sessions.
 */
import { mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionRow } from "../host/journal/journal.ts";
import type { TimedText } from "../host/journal/session-texts.ts";
import { openJournal } from "../host/journal/sqlite-journal.ts";
import { startHost, type TestHost } from "../testing/drivers/host-process.ts";
import {
  emitted,
  exactly,
  type Finding,
  fastEnough,
  median,
  percentile,
  report,
  sized,
} from "./findings.ts";

const SESSIONS = sized(200, 20);
const TURNS = 50;
const ATTEMPTS = sized(20, 3);
const LIMIT_MS = 100;

/** The same numbers below 1 in each run. */
function randomNumbers(): () => number {
  let state = 7;
  return () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

const random = randomNumbers();

/** Some words are in every second text, most in a few texts. */
function word(): string {
  return `w${Math.floor(20_000 * random() ** 4).toString(36)}`;
}

function words(count: number): string {
  return Array.from({ length: count }, word).join(" ");
}

/** The texts of a turn: a question, a call with its result, and an answer. */
function textsOf(turn: number): readonly TimedText[] {
  const entry = `t${turn}`;
  const text = (kind: TimedText["kind"], number: number, said: string): TimedText => ({
    ...{ entry, item: `${entry}-${number}`, kind, at: 1_700_000_000_000 + turn * 1_000 + number },
    text: said,
  });
  const name = `findPart${turn % 97}`;
  return [
    text("user", 0, `${words(30)} 세션에서 결과를 검색하고`),
    text("tool", 1, `Bash\ngrep -rn ${name} src/host/file-${turn % 499}.ts`),
    text("result", 1, words(200)),
    text("text", 2, `${words(100)}${turn === 4_321 % (SESSIONS * TURNS) ? " quixotic zebra" : ""}`),
  ];
}

function rowOf(id: string): SessionRow {
  const summary = { state: "exited", pending: 0, queued: 0, costUsd: 0 } as const;
  return { id, place: "local", dir: "/", title: id, createdAt: 1, updatedAt: 2, summary };
}

/**
 * Makes one commit for each text, as a real session does: its entry, and perhaps its words. Gives the times
 * in ms.
 */
async function fill(path: string, isIndexed: boolean): Promise<readonly number[]> {
  const journal = openJournal(path);
  const times: number[] = [];
  for (let session = 0; session < SESSIONS; session += 1)
    await journal.create(rowOf(`s${session}`));
  for (let turn = 0; turn < SESSIONS * TURNS; turn += 1) {
    for (const text of textsOf(turn)) {
      const entries = [{ type: "text", data: JSON.stringify(text) }];
      const start = performance.now();
      await journal.commit(`s${turn % SESSIONS}`, { entries, ...(isIndexed && { texts: [text] }) });
      times.push(performance.now() - start);
    }
  }
  journal.sweep();
  journal.close();
  return times;
}

/** The queries, and whether the texts have their words. */
const QUERIES: readonly (readonly [query: string, isThere: boolean])[] = [
  ["quixotic", true],
  ["w1", true],
  ["w1 w2 w3", true],
  ["w", false],
  ["fi", true],
  ["part7", true],
  ["src/host/file-12", true],
  ['"findPart7 src"', true],
  ["검색", true],
  ["zebra w0 w1 nothing", false],
];

/** The times over HTTP, in ms. Throws if a query does not find its words. */
async function searchTimes(
  host: TestHost,
  query: string,
  isThere: boolean,
): Promise<readonly number[]> {
  const times: number[] = [];
  while (times.length < ATTEMPTS) {
    const start = performance.now();
    const { body } = await host.run("search", { q: query });
    times.push(performance.now() - start);
    const found = body["hits"];
    if (!Array.isArray(found) || found.length > 0 !== isThere)
      throw new Error(`${query}: ${JSON.stringify(body).slice(0, 500)}`);
  }
  return times;
}

async function searchFindings(host: TestHost): Promise<readonly Finding[]> {
  const all: (readonly [string, readonly number[]])[] = [];
  for (const [query, isThere] of QUERIES)
    all.push([query, await searchTimes(host, query, isThere)]);
  return all.map(([query, times]) =>
    fastEnough(
      `first hits of ${query}, the slowest of ${ATTEMPTS}`,
      Math.max(...times),
      LIMIT_MS,
      "ms",
    ),
  );
}

/** How long a deleted session keeps the sweep busy, and how long a search waits meanwhile. */
async function deletionFindings(path: string): Promise<readonly Finding[]> {
  const journal = openJournal(path);
  await journal.delete("s7");
  const start = performance.now();
  journal.sweep();
  const ms = performance.now() - start;
  const { hits } = await journal.search({ text: "검색", limit: 100 });
  journal.close();
  return [
    emitted("a deleted session is out of all files after, in one go", `${ms.toFixed(0)} ms`),
    exactly("hits of it then", hits.filter(({ session }) => session === "s7").length, 0),
  ];
}

function costs(name: string, times: readonly number[]): Finding {
  const all = times.reduce((total, ms) => total + ms, 0) / times.length;
  const figures = [median(times), all, percentile(times, 0.99)].map((ms) =>
    (ms * 1_000).toFixed(0),
  );
  return emitted(`a commit ${name} index, µs: median, mean, 99 %`, figures.join(", "));
}

function megabytes(path: string): string {
  return `${(statSync(path).size / 1e6).toFixed(1)} MB`;
}

const plain = join(mkdtempSync(join(tmpdir(), "host-search-")), "journal.sqlite");
const without = await fill(plain, false);
const host = await startHost();
await host.kill();
const indexed = join(host.dataDir, "journal.sqlite");
const withIndex = await fill(indexed, true);
await host.start();
const found = await searchFindings(host).finally(() => host.kill());
report(`a search in ${SESSIONS * TURNS} turns of ${SESSIONS} sessions`, [
  ...found,
  costs("without", without),
  costs("with", withIndex),
  emitted("on disk without index", megabytes(plain)),
  emitted("on disk with texts and index", megabytes(indexed)),
  ...(await deletionFindings(indexed)),
]);
