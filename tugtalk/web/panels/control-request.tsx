/** Asks Claude for something that a panel shows. The answer comes into the session's state. */
import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Fields } from "../../client/claude-value.ts";
import { Icon } from "../elements/icon.tsx";
import type { SessionStore } from "../store/session-store.ts";

export type ControlRequest = {
  readonly isBusy: ReadonlySignal<boolean>;
  /** Why the last one failed. */
  readonly error: ReadonlySignal<string | undefined>;
  readonly send: (fields?: Fields) => Promise<void>;
};

/** Sends the request when the panel opens, and again by `send`. */
export function useControlRequest(session: SessionStore, subtype: string): ControlRequest {
  const request = useControl(session, subtype);
  useEffect(() => {
    if (hasClaude(session)) void request.send();
  }, [session, subtype]);
  return request;
}

/** As above, but it is sent by `send` only. */
function useControl(session: SessionStore, subtype: string): ControlRequest {
  const isBusy = useSignal(false);
  const error = useSignal<string | undefined>(undefined);
  const send = async (fields: Fields = {}) => {
    isBusy.value = true;
    try {
      await session.command("control", { subtype, ...fields });
      error.value = undefined;
    } catch (failure) {
      error.value = failure instanceof Error ? failure.message : String(failure);
    }
    isBusy.value = false;
  };
  return { isBusy, error, send };
}

const WITHOUT_CLAUDE: ReadonlySet<string> = new Set(["exited", "failed", "disconnected"]);

/** No panel starts Claude. */
function hasClaude({ status }: SessionStore): boolean {
  return !WITHOUT_CLAUDE.has(status.peek());
}

export function RefreshButton({ request }: { readonly request: ControlRequest }) {
  const { isBusy, error, send } = request;
  return (
    <div class="row">
      <button type="button" class="small" disabled={isBusy.value} onClick={() => void send()}>
        <Icon name="refresh" /> {isBusy.value ? "Asking Claude…" : "Refresh"}
      </button>
      {error.value !== undefined && (
        <span class="problem" role="alert">
          {error.value}
        </span>
      )}
    </div>
  );
}
