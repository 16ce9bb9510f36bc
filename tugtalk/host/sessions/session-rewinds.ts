/** The commands that rewind a session to before a message. They start Claude if it does not run. */

import type { RewindPreview, RewoundFiles } from "../../client/rewind-models.ts";
import { ApiError } from "../api/api-error.ts";
import type { HostSession, Rewind } from "../api/host-session.ts";
import type { BridgeConnection } from "./bridge-connection.ts";
import { previewFiles } from "./bridge-effects.ts";
import { findTarget, type RewindTarget } from "./rewind-target.ts";
import type { SessionRunner } from "./session-runner.ts";

/** How many older turns are read at a time. */
const PAGE_TURNS = 200;

export type RewindPorts = {
  readonly session: Pick<HostSession, "turns">;
  readonly runner: Pick<SessionRunner, "ask" | "state">;
  readonly bridge: Pick<BridgeConnection, "request" | "ready">;
};

/** Previews a rewind without changing anything. Rejects with an `ApiError`. */
export async function previewRewind(ports: RewindPorts, messageId: string): Promise<RewindPreview> {
  const { refusal } = await targetOf(ports, messageId);
  await startClaude(ports);
  return {
    files: await previewFiles(messageId, ports.bridge),
    conversation: refusal === undefined ? { ok: true } : { ok: false, error: refusal.message },
  };
}

/**
 * Gives the files that were put back; the command makes the copy of a conversation. Rejects with an
 * `ApiError`, which has them too if the rewind failed after that.
 */
export async function rewindSession(
  ports: RewindPorts,
  messageId: string,
  { files, conversation }: Rewind,
): Promise<RewoundFiles | undefined> {
  const target = await targetOf(ports, messageId);
  if (!files && conversation === "fork") return undefined;
  if (conversation !== undefined && target.refusal !== undefined) throw target.refusal;
  await startClaude(ports);
  const isForgotten = conversation === "here";
  const command = { kind: "rewind", messageId, target, files, isForgotten } as const;
  return ports.runner.ask((reply) => ({ ...command, reply }));
}

async function targetOf(
  { runner, session }: RewindPorts,
  messageId: string,
): Promise<RewindTarget> {
  const { reduced, row } = await runner.state();
  // The rewind needs Claude, which an archived session cannot start.
  if (row.archivedAt !== undefined)
    throw new ApiError(409, "archived", "the session is archived: bring it back first");
  return findTarget(reduced, messageId, (before) => session.turns(before, PAGE_TURNS));
}

async function startClaude({ runner, bridge }: RewindPorts): Promise<void> {
  await runner.ask<void>((reply) => ({ kind: "start", reply }));
  await bridge.ready();
}
