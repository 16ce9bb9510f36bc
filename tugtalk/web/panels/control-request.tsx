/** Asks Claude for something that a panel shows. The answer comes into the session's state. */
import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Fields, objectOf } from "../../client/claude-value.ts";
import { BusyButton } from "../elements/busy-button.tsx";
import { Icon } from "../elements/icon.tsx";
import type { SessionStore } from "../store/session-store.ts";
import { errorText } from "../store/toasts.ts";

type ControlRequest = {
  readonly isBusy: ReadonlySignal<boolean>;
  /** Why the last one failed. */
  readonly error: ReadonlySignal<string | undefined>;
  /** The latest answer. */
  readonly answer: ReadonlySignal<Fields | undefined>;
  readonly send: () => Promise<void>;
};

/** The states in which a request would start Claude, which no panel does. */
const WITHOUT_CLAUDE: ReadonlySet<string> = new Set(["exited", "failed", "disconnected"]);

function asksAtOnce(session: SessionStore): boolean {
  return !WITHOUT_CLAUDE.has(session.status.peek());
}

/** Sends the request when the panel opens, and again by `send`. */
export function useControlRequest(session: SessionStore, subtype: string): ControlRequest {
  // Busy from the first frame: a press before the request is sent would send another one.
  const isBusy = useSignal(asksAtOnce(session));
  const error = useSignal<string | undefined>(undefined);
  const answer = useSignal<Fields | undefined>(undefined);
  const send = async () => {
    isBusy.value = true;
    try {
      const { response } = await session.command("control", { subtype });
      answer.value = objectOf(response);
      error.value = undefined;
    } catch (failure) {
      error.value = refusalText(errorText(failure));
    }
    isBusy.value = false;
  };
  useEffect(() => {
    if (asksAtOnce(session)) void send();
  }, [session, subtype]);
  return { isBusy, error, answer, send };
}

/** The bridge's error for a request that a version of Claude lacks. */
const UNSUPPORTED = /^unsupported: claude (\S+) does not know \S+; (.+) has it$/;

function refusalText(error: string): string {
  const [, version, other] = UNSUPPORTED.exec(error) ?? [];
  return version === undefined ? error : `Claude Code ${version} cannot say this; ${other} can.`;
}

export function RefreshButton({ request }: { readonly request: ControlRequest }) {
  const { isBusy, error, send } = request;
  return (
    <div class="row">
      <BusyButton class="small" isBusy={isBusy.value} onClick={() => void send()}>
        <Icon name="refresh" /> {isBusy.value ? "Asking Claude…" : "Refresh"}
      </BusyButton>
      {error.value !== undefined && (
        <span class="problem" role="alert">
          {error.value}
        </span>
      )}
    </div>
  );
}
