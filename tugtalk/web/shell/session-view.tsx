/** One session: header, transcript, and the composer or prompts at its foot. */
import { useMemo } from "preact/hooks";
import { Composer } from "../composer/composer.tsx";
import { lazy } from "../elements/lazy.tsx";
import { FolderProvider, useFolderOf } from "../store/folder.ts";
import type { SessionStore } from "../store/session-store.ts";
import { FollowedEnd } from "../transcript/followed-end.ts";
import { Transcript } from "../transcript/transcript.tsx";
import { SessionFoot } from "./session-foot.tsx";
import { SessionHeader } from "./session-header.tsx";

const Absent = lazy(async () => (await import("./absent.tsx")).Absent);

export function SessionView({ session }: { readonly session: SessionStore }) {
  const phase = session.phase.value;
  const folder = useFolderOf(session.id);
  const end = useMemo(() => new FollowedEnd(), [session]);
  if (phase === "gone") return <Absent sessionId={session.id} />;
  return (
    <FolderProvider value={folder}>
      <main class="session" aria-busy={phase === "loading"}>
        <SessionHeader session={session} />
        <Transcript session={session} end={end} />
        <div class="session-foot">
          <SessionFoot session={session} end={end} />
          <Composer session={session} />
        </div>
      </main>
    </FolderProvider>
  );
}
