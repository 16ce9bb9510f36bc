/** What has to be asked before a session is created: whether the folder is trusted, the conversation free. */
import { Dialog } from "../elements/dialog.tsx";
import type { NewSessionRun, StartQuestion } from "./new-session-run.ts";
import { TrustQuestion } from "./trust-question.tsx";

type StartQuestionProps = {
  readonly run: NewSessionRun;
  readonly question: StartQuestion;
  readonly onClose: () => void;
};

export function StartQuestionView({ run, question, onClose }: StartQuestionProps) {
  const isTrust = question.kind === "trust";
  return (
    <Dialog title={isTrust ? "Trust this folder?" : "Already in use"} onClose={onClose}>
      {isTrust ? <TrustQuestion {...question} /> : <InUse question={question} />}
      <footer class="dialog-actions">
        <p class="problem grow" role="alert">
          {run.failure.value}
        </p>
        <button
          type="button"
          onClick={() => {
            run.question.value = undefined;
          }}
        >
          Back
        </button>
        {(isTrust || question.session === undefined) && (
          <button
            type="button"
            class="primary"
            disabled={run.isBusy.value}
            onClick={() => void run.agree()}
          >
            {isTrust ? "Trust this folder" : "Continue anyway"}
          </button>
        )}
      </footer>
    </Dialog>
  );
}

type InUseProps = { readonly question: Extract<StartQuestion, { kind: "in-use" }> };

function InUse({ question: { session } }: InUseProps) {
  return (
    <div class="dialog-body">
      <p>
        {session === undefined
          ? "Something wrote to this conversation in the last minute: it may be open in another Claude."
          : "A session of this host has this conversation open: go on there, or end it first."}{" "}
        Two that write one conversation would damage it.
      </p>
      {session !== undefined && <a href={`#/s/${session}`}>Go to that session</a>}
    </div>
  );
}
