#!/usr/bin/env bun
/**
 * The stand-in for a host with many sessions. Its record is in a folder beside its working directory
 * (`recordFolder`): its environment in `environment.json`, its starts in `starts.jsonl`, its stdin in
 * `<pid>.jsonl`.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runStandIn } from "../../simulator/stand-in.ts";
import { isRunning } from "../../src/base/processes.ts";
import {
  claudesIn,
  ENVIRONMENT_FILE,
  inputFile,
  recordFolder,
  STARTS_FILE,
} from "./recorded-claudes.ts";

const folder = recordFolder(process.cwd());
const args = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const settings = join(folder, ENVIRONMENT_FILE);
const changes = existsSync(settings) ? JSON.parse(readFileSync(settings, "utf8")) : {};
const beside = claudesIn(process.cwd()).flatMap(({ pid }) => (isRunning(pid) ? [pid] : []));
const start = { pid: process.pid, beside, args, variables: Object.entries(process.env) };
appendFileSync(join(folder, STARTS_FILE), `${JSON.stringify(start)}\n`);
await runStandIn(args, {
  ...process.env,
  ...changes,
  TUGTALK_SIM_STDIN_LOG: inputFile(folder, process.pid),
});
