/** The dialog that creates a session. */
import { useEffect, useMemo } from "preact/hooks";
import { Dialog } from "../elements/dialog.tsx";
import { type App, useApp } from "../store/app.ts";
import { goTo } from "../store/route.ts";
import { sendDraft } from "../store/send-message.ts";
import {
  createFields,
  emptyForm,
  firstMessage,
  isComplete,
  type NewSessionForm,
} from "./new-session-fields.ts";
import { NewSessionFieldset } from "./new-session-form.tsx";
import { NewSessionRun } from "./new-session-run.ts";
import { type Places, usePlaces } from "./places.ts";
import { sessionDefaults } from "./session-defaults.ts";
import { StartQuestionView } from "./start-question.tsx";
import type { StartRun } from "./start-run.ts";
import { asFolder } from "./typed-path.ts";

export function NewSession() {
  const app = useApp();
  const run = useMemo(
    () => new NewSessionRun(app.host.transport, (id, message) => openSession(app, id, message)),
    [app],
  );
  const form = useMemo(() => emptyForm(sessionDefaults().peek()), []);
  const places = usePlaces().value;
  useDefaults(form, places);
  const question = run.asked.question.value;
  if (question !== undefined) return <StartQuestionView run={run.asked} question={question} />;
  return (
    <Dialog title="New session" class="new-session">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          // By Enter, also where the button is disabled.
          if (isComplete(form)) void run.create(createFields(form), firstMessage(form));
        }}
      >
        <div class="dialog-body">
          <NewSessionFieldset form={form} places={places} />
        </div>
        <Actions run={run.asked} form={form} />
      </form>
    </Dialog>
  );
}

/** Shows the new session unless the dialog was closed meanwhile, and sends its first message. */
function openSession(app: App, id: string, message: string): void {
  if (app.dialog.value === "new-session") {
    app.close();
    goTo({ name: "session", id });
  }
  app.drafts.giveBack(id, message);
  void sendDraft(app, id);
}

type ActionsProps = { readonly run: StartRun; readonly form: NewSessionForm };

function Actions({ run, form }: ActionsProps) {
  const { isBusy, failure } = run;
  return (
    <footer class="dialog-actions">
      <p class="problem grow" role="alert">
        {failure.value}
      </p>
      <button type="submit" class="primary" disabled={isBusy.value || !isComplete(form)}>
        {isBusy.value ? "Starting Claude…" : form.isPast.value ? "Continue" : "Create"}
      </button>
    </footer>
  );
}

/** The place and the folder that the host would take. */
function useDefaults({ place, dir }: NewSessionForm, places: Places | undefined): void {
  const { host } = useApp();
  useEffect(() => {
    host.transport.command("dirs").then(
      ({ path }) => {
        if (dir.value === "") dir.value = asFolder(path);
      },
      // A person can still type one.
      () => undefined,
    );
  }, []);
  useEffect(() => {
    if (places !== undefined && place.value === "") place.value = places.default;
  }, [places]);
}
