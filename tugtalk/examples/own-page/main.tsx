/** A page of your own for one session of `tugtalk host`. */
import { memo, useState, useSyncExternalStore } from "react";
import { createRoot } from "react-dom/client";
import * as tugtalk from "tugtalk/client";

const host = tugtalk.openHostClient(tugtalk.openWebSocketTransport({ url: location.origin }));
location.hash ||= (await host.command("create")).id; // A reload goes on with the same session.
const session = host.session(location.hash.slice(1));

function Page() {
  const { phase, state } = useSyncExternalStore(session.subscribe, session.get);
  const connection = useSyncExternalStore(host.connection.subscribe, host.connection.get);
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  const send = () =>
    session.command("message", { message: text }).then(
      () => setText(""),
      (error: tugtalk.CommandError) => setProblem(error.message),
    );
  if (phase === "gone") return <p>There is no such session.</p>;
  return (
    <main>
      {[...state.entries, ...state.openEntries].map((entry) => (
        <Entry key={entry.key} entry={entry} />
      ))}
      {state.prompts.map((prompt) => (
        <Prompt key={prompt.requestId} prompt={prompt} />
      ))}
      <form action={send}>
        <input
          aria-label="Message"
          required
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {connection === "connected" ? problem : "The connection is lost, or not there yet."}
      </form>
    </main>
  );
}

// An entry that is the same object as before looks the same.
const Entry = memo(({ entry }: { entry: tugtalk.TranscriptEntry }) =>
  tugtalk.viewEntry(entry).nodes.map((node) => {
    const text = node.kind === "tool" ? `* ${node.tool?.label} ${node.summary ?? ""}` : "";
    const notice = node.kind === "notice" ? node.notice?.text : undefined;
    return <p key={node.key}>{notice ?? ("text" in node ? node.text : text)}</p>;
  }),
);

function Prompt({ prompt }: { prompt: tugtalk.OpenPrompt }) {
  const request_id = prompt.requestId;
  const decide = (decision: "allow" | "deny") =>
    void session.command("approve", { request_id, decision });
  const answer = (form: FormData) =>
    void session.command("answer", { request_id, answers: Object.fromEntries(form) });
  if (prompt.kind === "permission")
    return (
      <p>
        May {prompt.toolName} run?{" "}
        <button type="button" onClick={() => decide("allow")}>
          Allow
        </button>
        <button type="button" onClick={() => decide("deny")}>
          Deny
        </button>
      </p>
    );
  if (prompt.kind !== "question") return <p>The page of the host can answer this.</p>;
  return (
    <form action={answer}>
      {tugtalk.viewQuestions(prompt.questions).map(({ question, options }) => (
        <label key={question}>
          {question} {options.map(({ label }) => label).join(" / ")} <input name={question} />
        </label>
      ))}
      <button type="submit">Answer</button>
    </form>
  );
}

createRoot(document.body).render(<Page />);
