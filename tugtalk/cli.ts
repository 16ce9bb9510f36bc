#!/usr/bin/env bun
/** The installed command: the bridge, or the sub-command that the first word names. */
import { START_MARK } from "./spawn/start-mark.ts";

// A program of Claude may start a tugtalk of its own.
delete process.env[START_MARK];

// Not awaited: the bundle is a CommonJS one, for its bytecode, and those cannot wait at the top.
// Only the named part is loaded: neither the bridge nor a sub-command starts with the other.
if (Bun.argv[2] === "acp")
  void import("./acp/acp.ts").then(({ runAcp }) => runAcp(Bun.argv.slice(3)));
else if (Bun.argv[2] === "doctor")
  void import("./doctor/doctor.ts").then(({ runDoctor }) => runDoctor(Bun.argv.slice(3)));
else if (Bun.argv[2] === "host")
  void Promise.all([import("./host/host.ts"), import("./src/process/claude-command.ts")]).then(
    ([{ runHost }, { findClaude }]) => runHost(Bun.argv.slice(3), { findClaude }),
  );
else if (Bun.argv[2] === "replay")
  void import("./replay/replay.ts").then(({ runReplay }) => runReplay(Bun.argv.slice(3)));
else if (Bun.argv[2] === "schema")
  void import("./schema/schema.ts").then(({ runSchema }) => runSchema(Bun.argv.slice(3)));
else if (Bun.argv[2] === "simulate")
  void import("./simulate.ts").then(({ runSimulate }) => runSimulate(Bun.argv.slice(3)));
// The Claude of `simulate`, started by its bridge and not by people.
else if (Bun.argv[2] === "simulated-claude")
  void import("./simulator/stand-in.ts").then(({ runStandIn }) =>
    runStandIn(Bun.argv.slice(3), process.env),
  );
else void import("./src/main.ts").then(({ runBridge }) => runBridge());
