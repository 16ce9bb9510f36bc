/**
 * The list of a host with many sessions, in a file of its own or in a database: the times of its start and
 * its answer.
 */
import { join } from "node:path";
import { SQL } from "bun";
import type { SessionRow } from "../host/journal/journal.ts";
import { openJournal } from "../host/journal/sqlite-journal.ts";
import type { TestHost } from "../testing/drivers/host-process.ts";
import { emitted, exactly, type Finding, median, sized } from "./findings.ts";

const BOARD_SESSIONS = sized(10_000, 200);
const ATTEMPTS = sized(20, 3);

/** The board of two hosts, one with a file and one with the database of this URL. */
export async function boardOf(
  ofFile: TestHost,
  ofDatabase: TestHost,
  url: string,
): Promise<readonly Finding[]> {
  await fillFile(join(ofFile.dataDir, "journal.sqlite"));
  await fillDatabase(url);
  const findings = await boardFindings("SQLite", ofFile);
  return [...findings, ...(await boardFindings("PostgreSQL", ofDatabase))];
}

function boardRow(number: number): SessionRow {
  const summary = { state: "exited", pending: 0, queued: 0, costUsd: 0 } as const;
  const times = { createdAt: number, updatedAt: number };
  return {
    id: `s${number}`,
    place: "local",
    dir: "/",
    title: `Session ${number}`,
    ...times,
    summary,
  };
}

const ROWS = Array.from({ length: BOARD_SESSIONS }, (_, number) => boardRow(number));

async function fillFile(path: string): Promise<void> {
  const journal = openJournal(path);
  for (const row of ROWS) await journal.create(row);
  journal.close();
}

/** Writes sessions that no host holds. */
async function fillDatabase(url: string): Promise<void> {
  const sql = new SQL(url, { max: 1 });
  const texts = (values: readonly string[]) => sql.array([...values], "TEXT");
  await sql.unsafe(
    `INSERT INTO tugtalk.sessions (id, row, epoch)
     SELECT id, row, 1 FROM unnest($1::text[], $2::text[]) AS one(id, row)`,
    [texts(ROWS.map(({ id }) => id)), texts(ROWS.map((row) => JSON.stringify(row)))],
  );
  await sql.close();
}

/** The times of a start with all these sessions, and of their list, in ms. */
async function boardFindings(name: string, host: TestHost): Promise<readonly Finding[]> {
  const before = performance.now();
  await host.start();
  const startMs = performance.now() - before;
  const times: number[] = [];
  let listed = 0;
  while (times.length < ATTEMPTS) {
    const start = performance.now();
    const { body } = await host.run("sessions");
    times.push(performance.now() - start);
    listed = Array.isArray(body["sessions"]) ? body["sessions"].length : 0;
  }
  const board = `board of ${BOARD_SESSIONS} sessions, ${name}`;
  return [
    emitted(`${board}: start of the host, ms`, startMs.toFixed(0)),
    emitted(`${board}: its list, ms at 50 %`, median(times).toFixed(1)),
    exactly(`${board}: sessions in it`, listed, BOARD_SESSIONS),
  ];
}
