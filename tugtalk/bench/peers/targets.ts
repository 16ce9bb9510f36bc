/** The targets of the bridge beside the better peers, and whether it reaches them. */
import { type Compared, compare, type Sample, short } from "./comparison.ts";
import { BASE, sharedName } from "./contenders.ts";

/** A multiple of another contender's figure in the same round, or a fixed figure. */
type Bound = { readonly times: number; readonly of: string } | { readonly atMost: number };

export type Target = {
  readonly scenario: string;
  readonly contender: string;
  readonly measure: string;
  readonly must: Bound;
  readonly stretch?: Bound;
};

const [BINARY, SDK] = ["binary", "SDK on Bun"];
const SHARED = sharedName(BINARY);
/** The edge for ACP, beside the bridge under it. */
const ACP = `acp ${BINARY}`;

type Row = readonly [scenario: string, measure: string, must: Bound, stretch?: Bound];

function times(factor: number, of: string): Bound {
  return { times: factor, of };
}

function atMost(limit: number): Bound {
  return { atMost: limit };
}

function targetsOf(contender: string, rows: readonly Row[]): Target[] {
  return rows.map(([scenario, measure, must, stretch]) => ({
    ...{ scenario, contender, measure, must },
    ...(stretch !== undefined && { stretch }),
  }));
}

const TARGETS: readonly Target[] = [
  ...targetsOf(BINARY, [
    ["start", "first text ms", times(2, BASE), times(1.5, BASE)],
    ["start", "CPU ms", times(2, BASE), times(1.5, BASE)],
    ["bulk", "CPU µs/delta", times(0.6, BASE), times(0.45, BASE)],
    ["paced", "CPU µs/delta", times(1.2, BASE), times(0.95, BASE)],
    ["paced", "p50 µs", times(1, BASE), times(0.95, BASE)],
    ["prompts", "p50 µs", times(1.3, SDK), times(1, SDK)],
    ["prompts", "CPU µs/prompt", times(1.5, SDK), times(1, SDK)],
    ["late-prompts", "p50 µs", times(1, SDK), times(0.7, SDK)],
    ["late-prompts", "CPU µs/prompt", times(1, SDK), times(0.7, SDK)],
    ...["tool-calls", "hook-calls"].flatMap((calls): Row[] => [
      [calls, "first p50 µs", times(1, SDK)],
      [calls, "first CPU µs/call", times(1, SDK)],
      [calls, "p50 µs", times(1, SDK)],
      [calls, "CPU µs/call", times(1, SDK)],
    ]),
    ["memory", "idle RSS MB", atMost(38), atMost(34)],
    ["memory", "RSS MB", atMost(85), atMost(80)],
    ["sessions", "PSS MB", atMost(160)],
    ["long-line", "5 MB ms", times(1, SDK), times(0.75, BASE)],
    ["long-line", "50 MB ms", times(1, SDK), times(0.15, BASE)],
  ]),
  ...targetsOf(SHARED, [
    ["sessions", "PSS MB", atMost(60), atMost(45)],
    ["sessions", "CPU µs/delta", atMost(90), atMost(60)],
    ["sessions", "p99 ms", atMost(5), atMost(1.3)],
  ]),
  ...targetsOf(ACP, [
    ["start", "first text ms", times(1.15, BINARY)],
    ["bulk", "CPU µs/delta", times(1.1, BINARY)],
    ["paced", "CPU µs/delta", times(1.1, BINARY)],
    ["prompts", "p50 µs", times(1.3, BINARY)],
    ["silent", "peak MB", times(1.2, BINARY)],
    ["opened", "more ms", atMost(50)],
  ]),
  ...targetsOf(sharedName(ACP), [["sessions", "PSS MB", atMost(60)]]),
];

/** The targets of the measured scenarios and contenders. */
export function targetsIn(samples: readonly Sample[]): Target[] {
  return TARGETS.filter((target) =>
    samples.some(
      ({ scenario, contender }) => scenario === target.scenario && contender === target.contender,
    ),
  );
}

/** The table of the targets, with a line for each. */
export function formatTargets(samples: readonly Sample[], targets = TARGETS): string {
  const lines = targets.map((target) => {
    const own = samples.filter(({ scenario }) => scenario === target.scenario);
    const bounds = [target.must, target.stretch].map((bound) => verdict(own, target, bound));
    return [target.scenario, target.contender, target.measure, figure(own, target), ...bounds];
  });
  const head = ["scenario", "contender", "measure", "median", "must", "stretch"];
  return [head, head.map(() => "---"), ...lines]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

function find(rows: readonly Compared[], { contender, measure }: Target): Compared | undefined {
  return rows.find((row) => row.contender === contender && row.measure === measure);
}

function figure(own: readonly Sample[], target: Target): string {
  const found = find(compare(own), target);
  return found === undefined ? "not measured" : short(found.median);
}

function verdict(own: readonly Sample[], target: Target, bound: Bound | undefined): string {
  if (bound === undefined) return "";
  if ("atMost" in bound) {
    const reached = find(compare(own), target)?.median;
    return `≤ ${bound.atMost}: ${held(reached, bound.atMost)}`;
  }
  const reached = find(compare(own, bound.of), target)?.ratio;
  const is = reached === undefined ? "" : ` (${reached.toFixed(2)} ×)`;
  return `≤ ${bound.times} × ${bound.of}: ${held(reached, bound.times)}${is}`;
}

function held(reached: number | undefined, limit: number): string {
  if (reached === undefined) return "not measured";
  return reached <= limit ? "✓ held" : "✗ missed";
}
