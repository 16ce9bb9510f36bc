/** The cost of all sessions, by day. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { CostDay, DailyCosts as Costs } from "../../client/host-api.ts";
import { formatDollars } from "../elements/format-amount.ts";
import { useApp } from "../store/app.ts";
import { formatRoute } from "../store/route.ts";
import { titleText } from "../store/title-text.ts";
import { errorText } from "../store/toasts.ts";
import { dayLabel, dayName, sumOfLatest } from "./cost-days.ts";
import { Fact, Panel } from "./panel.tsx";

/** The days that are shown at first, and all days that the host gives. */
const MONTH = 30;
const YEAR = 366;

export function DailyCosts() {
  const { host } = useApp();
  const count = useSignal(MONTH);
  const costs = useSignal<Costs | undefined>(undefined);
  const failure = useSignal<string | undefined>(undefined);
  const wanted = count.value;
  useEffect(() => {
    const time_zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    host.transport.command("costs", { days: wanted, time_zone }).then(
      (answer) => {
        costs.value = answer;
      },
      (error: unknown) => {
        failure.value = errorText(error);
      },
    );
  }, [wanted]);
  return (
    <Panel title="Costs by day">
      {failure.value !== undefined && <p class="problem">{failure.value}</p>}
      {costs.value === undefined ? (
        <p class="muted">{failure.value === undefined && "Reading…"}</p>
      ) : (
        <Days days={costs.value.days} />
      )}
      {wanted === MONTH && (
        <button
          type="button"
          class="quiet small"
          onClick={() => {
            count.value = YEAR;
          }}
        >
          Show a year
        </button>
      )}
    </Panel>
  );
}

function Days({ days }: { readonly days: readonly CostDay[] }) {
  const today = dayName(Date.now());
  const dearest = Math.max(...days.map(({ cost_usd }) => cost_usd));
  const sums = [
    ["Today", 1],
    ["7 days", 7],
    ["30 days", MONTH],
  ] as const;
  if (days.length === 0) return <p class="muted">Nothing was spent in these days.</p>;
  return (
    <>
      <dl class="facts numeric">
        {sums.map(([name, count]) => (
          <Fact
            key={name}
            name={name}
            value={sumOfLatest(days, count, today)}
            format={formatDollars}
          />
        ))}
      </dl>
      <ul class="list">
        {days.map((day) => (
          <Day key={day.day} costs={day} label={dayLabel(day.day, today)} dearest={dearest} />
        ))}
      </ul>
    </>
  );
}

type DayProps = {
  readonly costs: CostDay;
  readonly label: string;
  /** The cost of the dearest day, for the length of the bar. */
  readonly dearest: number;
};

function Day({ costs: { day, cost_usd, sessions }, label, dearest }: DayProps) {
  return (
    <li>
      <details>
        <summary class="cost-day numeric">
          <span>{label}</span>
          <span class="gauge" title={day}>
            <span class="gauge-level" style={{ width: `${(100 * cost_usd) / dearest}%` }} />
          </span>
          <span>{formatDollars(cost_usd)}</span>
        </summary>
        <ul class="cost-sessions numeric">
          {sessions.map(({ id, cost_usd: cost }) => (
            <li key={id ?? ""}>
              <Session id={id} />
              <span>{formatDollars(cost)}</span>
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}

function Session({ id }: { readonly id: string | undefined }) {
  const { host } = useApp();
  if (id === undefined) return <span class="muted">Deleted sessions</span>;
  const found = host.board.value.sessions.find((session) => session.id === id);
  return (
    <a class="truncate" dir="auto" href={formatRoute({ name: "session", id })}>
      {titleText(found?.title ?? "")}
    </a>
  );
}
