/** Says that the host or its database has not been reached for a moment, and what a person can do. */
import { useSignal, useSignalEffect } from "@preact/signals";
import { Icon } from "../elements/icon.tsx";
import { useWindowListener } from "../elements/use-window-listener.ts";
import { useApp } from "../store/app.ts";
import { whoAnswers } from "../store/host-proof.ts";

const GRACE_MS = 1_500;
/** How often it is tried to find out why. */
const PROBE_MS = 5_000;

type Problem = "unreachable" | "offline" | "signed-out" | "database-away" | "database-lost";

const DATABASE_PROBLEMS = { away: "database-away", lost: "database-lost" } as const;

export function Connection() {
  const app = useApp();
  const problem = useSignal<Problem | undefined>(undefined);
  useSignalEffect(() => {
    problem.value = undefined;
    if (app.host.status.value === "connected") return;
    const find = async () => {
      const found = await findProblem();
      if (app.host.status.peek() !== "connected") problem.value = found;
    };
    const timer = setTimeout(() => void find(), GRACE_MS);
    const interval = setInterval(() => void find(), PROBE_MS);
    return () => {
      clearTimeout(timer);
      clearInterval(interval);
    };
  });
  useWindowListener("offline", () => {
    void findProblem().then((found) => {
      if (found === "offline") problem.value = found;
    });
  });
  useWindowListener("online", () => {
    if (app.host.status.peek() === "connected") problem.value = undefined;
  });
  const { database } = app.host.board.value;
  const shown = problem.value ?? (database && DATABASE_PROBLEMS[database]);
  return (
    <div role="status">
      {shown !== undefined && (
        <p class="strip strip-warn connection">
          <Icon name="warning" />
          <span>
            <ProblemText problem={shown} />
          </span>
        </p>
      )}
    </div>
  );
}

/** A WebSocket does not tell why it was refused. The cookie is sent to nobody but the host. */
async function findProblem(): Promise<Problem> {
  switch (await whoAnswers()) {
    case "host":
      return (await isSignedOut()) ? "signed-out" : "unreachable";
    case "other":
      return "signed-out";
    case "nobody":
      return navigator.onLine ? "unreachable" : "offline";
  }
}

async function isSignedOut(): Promise<boolean> {
  try {
    return (await fetch("/api/health")).status === 401;
  } catch {
    return false;
  }
}

function ProblemText({ problem }: { readonly problem: Problem }) {
  switch (problem) {
    case "unreachable":
      return <>The host cannot be reached. Connecting again…</>;
    case "database-away":
      return (
        <>
          The database of the host cannot be reached. What Claude says waits, and nothing can be
          sent until it is back.
        </>
      );
    case "database-lost":
      return (
        <>
          The database of the host cannot be reached, and Claude was ended. Sessions can go on when
          it is back.
        </>
      );
    case "offline":
      return <>You are offline, and the host cannot be reached. Connecting again…</>;
    case "signed-out":
      return (
        <>
          This browser is not signed in any more. Run <code>tugtalk host url</code>, open the link
          that it prints, and reload this page.
        </>
      );
  }
}
