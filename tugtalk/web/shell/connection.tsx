/** Says that the host cannot be reached, once that has lasted for a moment, and what a person can do. */
import { useSignal, useSignalEffect } from "@preact/signals";
import { Icon } from "../elements/icon.tsx";
import { useWindowListener } from "../elements/use-window-listener.ts";
import { useApp } from "../store/app.ts";

const GRACE_MS = 1_500;
/** How often it is tried to find out why. */
const PROBE_MS = 5_000;

type Problem = "unreachable" | "offline" | "signed-out";

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
  return (
    <div role="status">
      {problem.value !== undefined && (
        <p class="strip strip-warn connection">
          <Icon name="warning" />
          <span>
            <ProblemText problem={problem.value} />
          </span>
        </p>
      )}
    </div>
  );
}

/** A WebSocket does not tell why it was refused. */
async function findProblem(): Promise<Problem> {
  try {
    const { status } = await fetch("/api/health");
    return status === 401 ? "signed-out" : "unreachable";
  } catch {
    return navigator.onLine ? "unreachable" : "offline";
  }
}

function ProblemText({ problem }: { readonly problem: Problem }) {
  switch (problem) {
    case "unreachable":
      return <>The host cannot be reached. Connecting again…</>;
    case "offline":
      return <>You are offline, and the host cannot be reached. Connecting again…</>;
    case "signed-out":
      return (
        <>
          This browser is not signed in any more. Run <code>tugtalk host url</code> and open the
          link that it prints.
        </>
      );
  }
}
