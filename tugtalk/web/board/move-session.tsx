/** The dialog that lets a session go on at another place, or in another folder. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { SessionInfo } from "../../client/host-api.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import { Dialog } from "../elements/dialog.tsx";
import { type App, useApp } from "../store/app.ts";
import { PlaceField, PlaceFolder, SIMULATOR } from "./place-and-folder.tsx";
import { usePlaces } from "./places.ts";
import { StartQuestionView } from "./start-question.tsx";
import { StartRun } from "./start-run.ts";

export function MoveSession({ session }: { readonly session: SessionInfo }) {
  const app = useApp();
  const run = useMemo(() => new StartRun(), []);
  const place = useSignal(session.place);
  const dir = useSignal(session.dir);
  const places = useGoals(place);
  const question = run.question.value;
  if (question !== undefined) return <StartQuestionView run={run} question={question} />;
  const isComplete = dir.value.trim() !== "";
  return (
    <Dialog title="Move session">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          // By Enter, also where the button is disabled.
          if (!isComplete) return;
          const to = { place: place.value, dir: dir.value.trim() };
          void run.start((agreed) => move(app, { id: session.id, ...to, ...agreed }));
        }}
      >
        <div class="dialog-body">
          <p>
            Claude ends where it is, and goes on there with the turns that have ended. The files of
            the project stay where they are.
          </p>
          {places.length > 1 && <PlaceField place={place} dir={dir} places={places} />}
          <PlaceFolder place={place} dir={dir} />
        </div>
        <footer class="dialog-actions">
          <p class="problem grow" role="alert">
            {run.failure.value}
          </p>
          <button
            type="submit"
            class="primary"
            disabled={!isComplete}
            aria-disabled={run.isBusy.value}
          >
            {run.isBusy.value ? "Moving…" : "Move"}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

/** The places of this host that the session can go to. */
function useGoals(place: Signal<string>): readonly string[] {
  const told = usePlaces().value;
  const goals = told?.places.filter((name) => name !== SIMULATOR) ?? [];
  useEffect(() => {
    const [first] = goals;
    if (first !== undefined && !goals.includes(place.value)) place.value = first;
  }, [told]);
  return goals;
}

type MoveFields = { readonly id: string; readonly place: string; readonly dir: string };

/** Leaves the dialog alone that may have been opened meanwhile. */
async function move({ host, dialog, close, toasts }: App, fields: MoveFields): Promise<void> {
  const { dir } = await host.transport.command("move", fields);
  if (dialog.value === "move") close();
  toasts.show({ severity: "info", text: `The session goes on in ${showHidden(dir)}.` });
}
