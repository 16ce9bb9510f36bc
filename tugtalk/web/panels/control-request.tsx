/** Asks Claude for something that a panel shows. The answer comes into the session's state. */
import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Icon } from "../elements/icon.tsx";
import type { SessionStore } from "../store/session-store.ts";
import { errorText } from "../store/toasts.ts";

type ControlRequest = {
  readonly isBusy: ReadonlySignal<boolean>;
  /** Why the last one failed. */
  readonly error: ReadonlySignal<string | undefined>;
  readonly send: () => Promise<void>;
};

/** The states in which a request would start Claude, which no panel does. */
const WITHOUT_CLAUDE: ReadonlySet<string> = new Set(["exited", "failed", "disconnected"]);

/** Sends the request when the panel opens, and again by `send`. */
export function useControlRequest(session: SessionStore, subtype: string): ControlRequest {
  const isBusy = useSignal(false);
  const error = useSignal<string | undefined>(undefined);
  const send = async () => {
    isBusy.value = true;
    try {
      await session.command("control", { subtype });
      error.value = undefined;
    } catch (failure) {
      error.value = errorText(failure);
    }
    isBusy.value = false;
  };
  useEffect(() => {
    if (!WITHOUT_CLAUDE.has(session.status.peek())) void send();
  }, [session, subtype]);
  return { isBusy, error, send };
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
