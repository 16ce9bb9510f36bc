/** One session: header, transcript, and what a person does at its foot. */
import { Composer } from "../composer/composer.tsx";
import { lazy } from "../elements/lazy.tsx";
import { FolderProvider, useFolderOf } from "../store/folder.ts";
import type { SessionStore } from "../store/session-store.ts";
import { Transcript } from "../transcript/transcript.tsx";
import { SessionHeader } from "./session-header.tsx";

const Absent = lazy(async () => (await import("./absent.tsx")).Absent);
const SessionFoot = lazy(async () => (await import("./session-parts.ts")).PARTS.SessionFoot);

export function SessionView({ session }: { readonly session: SessionStore }) {
  const phase = session.phase.value;
  const folder = useFolderOf(session.id);
  if (phase === "gone") return <Absent />;
  return (
    <FolderProvider value={folder}>
      <main class="session" aria-busy={phase === "loading"}>
        <SessionHeader session={session} />
        <Transcript session={session} />
        <div class="session-foot">
          <SessionFoot session={session} />
          <Composer session={session} />
        </div>
      </main>
    </FolderProvider>
  );
}
