#!/usr/bin/env bun
/** The stand-in for the `claude` executable, as an executable of its own. `--help` explains its use. */
import { runStandIn } from "./stand-in.ts";

await runStandIn(process.argv.slice(2), process.env);
