/**
 * Performs the effects of a session's steps on its bridge. The bridge's answer is the input of a later step.
 */

import { z } from "zod";
import type { RewindPreview } from "../../client/rewind-models.ts";

import { ApiError } from "../api/api-error.ts";
import type { BridgeConnection } from "./bridge-connection.ts";
import { acceptedResponse, bridgeRefusal, refusalOf } from "./bridge-refusal.ts";
import type { BridgeInput, InterruptCommand } from "./session-input.ts";
import type { BridgeEffect, Effect } from "./step-draft.ts";

type Tell = (input: BridgeInput) => void;

export type EffectPorts = {
  readonly bridge: BridgeConnection;
  readonly tell: Tell;
  /** Gives the bridge the conversation. Rejects with an `ApiError`. */
  readonly restore: () => Promise<void>;
};

export function perform(effect: BridgeEffect, { bridge, tell, restore }: EffectPorts): void {
  switch (effect.kind) {
    case "send":
      bridge.send(effect.message);
      break;
    case "start":
      bridge.start();
      break;
    case "restore":
      void restored(restore, tell);
      break;
    case "init":
      bridge.init();
      break;
    case "close":
      bridge.close();
      break;
    case "answer":
      void answer(effect, bridge, tell);
      break;
    case "interrupt":
      void interrupt(effect.command, bridge, tell);
      break;
    case "rewind_files":
      void rewindFiles(effect.messageId, bridge, tell);
      break;
  }
}

async function restored(restore: () => Promise<void>, tell: Tell): Promise<void> {
  try {
    await restore();
    tell({ kind: "restored" });
  } catch (error) {
    tell({ kind: "init_refused", error: refusalOf(error) });
  }
}

type AnswerEffect = Extract<Effect, { kind: "answer" }>;

/** Sends an answer. A message about the prompt confirms it. */
async function answer(
  { requestId, message }: AnswerEffect,
  bridge: BridgeConnection,
  tell: Tell,
): Promise<void> {
  try {
    await bridge.request(message);
  } catch (error) {
    tell({ kind: "answer_refused", requestId, error: asError(error) });
  }
}

async function interrupt(
  command: InterruptCommand,
  bridge: BridgeConnection,
  tell: Tell,
): Promise<void> {
  tell({ kind: "interrupted", command, result: await cancelledBy(command, bridge) });
}

/** Puts files back. Claude names the files only in a dry run, so that comes first. */
async function rewindFiles(messageId: string, bridge: BridgeConnection, tell: Tell): Promise<void> {
  try {
    const files = await previewFiles(messageId, bridge);
    if (!files.ok) throw new ApiError(409, "refused", files.error);
    const { ok: _ok, ...result } = files;
    if (result.paths.length > 0)
      acceptedResponse(
        await bridge.request({
          type: "control",
          subtype: "rewind_files",
          user_message_id: messageId,
        }),
      );
    tell({ kind: "files_rewound", result });
  } catch (error) {
    tell({ kind: "files_rewound", result: bridgeRefusal(error) });
  }
}

const Preview = z.looseObject({
  canRewind: z.boolean(),
  error: z.string().optional(),
  filesChanged: z.array(z.string()).default([]),
  insertions: z.number().default(0),
  deletions: z.number().default(0),
});

/** The files that a rewind would put back. Rejects with an `ApiError`. */
export async function previewFiles(
  messageId: string,
  bridge: Pick<BridgeConnection, "request">,
): Promise<RewindPreview["files"]> {
  const request = { subtype: "rewind_files", user_message_id: messageId, dry_run: true } as const;
  const { data } = Preview.safeParse(
    acceptedResponse(await bridge.request({ type: "control", ...request })),
  );
  if (data?.canRewind !== true)
    return { ok: false, error: data?.error ?? "Claude does not say which files" };
  const { filesChanged: paths, insertions, deletions } = data;
  return { ok: true, paths, insertions, deletions };
}

/** The ids of messages that Claude has given back. */
async function cancelledBy(
  { includeBackground }: InterruptCommand,
  bridge: BridgeConnection,
): Promise<readonly string[] | Error> {
  if (!bridge.isRunning) return [];
  try {
    const result = await bridge.request({
      type: "interrupt",
      cancel_queued: true,
      include_background: includeBackground,
    });
    acceptedResponse(result);
    return result.cancelled ?? [];
  } catch (error) {
    return asError(error);
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
