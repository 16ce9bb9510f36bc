/** The settings of a session: changed in the Claude that runs, or kept for its next start. */
import { acceptedResponse } from "./bridge-refusal.ts";
import type { SessionBridge } from "./session-bridge.ts";
import { eventSession, sessionChanged } from "./session-events.ts";
import type { SessionLog } from "./session-log.ts";
import { checkedMode } from "./session-start.ts";

type Parts = { readonly log: SessionLog; readonly bridge: SessionBridge };
type Response = Readonly<Record<string, unknown>>;

/** Claude's response; empty where none runs. Rejects with an `ApiError`. */
export async function changeMode({ log, bridge }: Parts, mode: string): Promise<Response> {
  const permissionMode = checkedMode(mode);
  if (bridge.running !== undefined)
    return acceptedResponse(
      await bridge.request({ type: "permission_mode", mode: permissionMode }),
    );
  const changed = sessionChanged(eventSession(log.row.id), { permission_mode: permissionMode });
  log.append([changed], { session: { permissionMode } });
  return {};
}

/** Null: no limit. Claude has it from its next start on. */
export function changeLimit({ log }: Pick<Parts, "log">, limitUsd: number | null): void {
  const changed = sessionChanged(eventSession(log.row.id), { limit_usd: limitUsd });
  log.append([changed], limitUsd === null ? { unset: ["limitUsd"] } : { session: { limitUsd } });
}

/** Null: Claude's default. Claude's response; empty where none runs. Rejects with an `ApiError`. */
export async function changeModel({ log, bridge }: Parts, model: string | null): Promise<Response> {
  if (bridge.running !== undefined)
    return acceptedResponse(await bridge.request({ type: "model_change", model }));
  // The same message as a running bridge would send: the data of `session-changed` know no default.
  const changed = { type: "model_changed", data: { model, source: "host" } };
  log.append([changed], model === null ? { unset: ["model"] } : { session: { model } });
  return {};
}
