/** The end of the transcript: what Claude does. */
import { useComputed } from "@preact/signals";
import type { SessionStore } from "../store/session-store.ts";
import { statusText, writtenTokens } from "./status-text.ts";

type FootProps = { readonly session: SessionStore };

export function Foot({ session }: FootProps) {
  if (session.phase.value === "loading") return null;
  return <Status session={session} />;
}

function Status({ session }: FootProps) {
  const status = session.status.value;
  const text = statusText(status);
  if (text === undefined) return null;
  return (
    <p class={`row hint status status-${status}`}>
      {text}
      {status === "running" && <Written session={session} />}
    </p>
  );
}

function Written({ session }: FootProps) {
  const tokens = useComputed(() => writtenTokens(session.openEntries.value));
  return (
    <>
      {tokens.value > 0 && (
        <span class="written">about {tokens.value.toLocaleString("en-US")} tokens</span>
      )}
      <span class="cursor" aria-hidden="true" />
    </>
  );
}
