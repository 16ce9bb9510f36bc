/** Performs what the steps of a session ask of its bridge. What the bridge answers is the input of another step. */
import type { BridgeConnection } from "./bridge-connection.ts";
import { acceptedResponse } from "./bridge-refusal.ts";
import type { BridgeInput, InterruptCommand } from "./session-input.ts";
import type { BridgeEffect, Effect } from "./step-draft.ts";

type Tell = (input: BridgeInput) => void;

export function perform(effect: BridgeEffect, bridge: BridgeConnection, tell: Tell): void {
  switch (effect.kind) {
    case "send":
      bridge.send(effect.message);
      break;
    case "start":
      bridge.start();
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
  }
}

type AnswerEffect = Extract<Effect, { kind: "answer" }>;

/** That the answer was taken is told by a message about the prompt. */
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
