/** The latest state of a plan's rate limits. Nothing is drawn for an account without a plan. */
import { numberOf, textOf } from "../../client/claude-value.ts";
import { Section, type SessionPanelProps } from "./panel.tsx";

export function Limits({ session }: SessionPanelProps) {
  const { rateLimit } = session.state.value;
  if (rateLimit === undefined) return null;
  const used = numberOf(rateLimit["utilization"]);
  const resetsAt = numberOf(rateLimit["resetsAt"]);
  return (
    <Section title="Limits of the plan">
      <p>
        {sentence(textOf(rateLimit["status"]), textOf(rateLimit["rateLimitType"]), used)}
        {resetsAt !== undefined && ` It starts anew ${timeOf(resetsAt)}.`}
      </p>
      {used !== undefined && (
        <span class="gauge">
          <span class="gauge-level" style={{ width: `${Math.min(100, 100 * used)}%` }} />
        </span>
      )}
    </Section>
  );
}

function sentence(status: string | undefined, type: string | undefined, used?: number): string {
  const limit = `${(type ?? "rate").replaceAll("_", " ")} limit`;
  if (status === "rejected") return `The ${limit} is reached.`;
  return used === undefined
    ? `The ${limit} is not reached.`
    : `${Math.round(100 * used)} % of the ${limit} is used.`;
}

/** Claude gives seconds. */
function timeOf(seconds: number): string {
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
  return format.format(seconds * 1000);
}
