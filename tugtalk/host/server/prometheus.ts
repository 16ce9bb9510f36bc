/** Figures in the text format of Prometheus. Pure. */

export type Metric = { readonly type: "gauge" | "counter" | "histogram"; readonly help: string };

export type Sample = {
  readonly value: number;
  readonly labels?: Readonly<Record<string, string>>;
  /** A suffix of the name, for the parts of a histogram. */
  readonly suffix?: string;
};

export const PROMETHEUS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** The lines of one metric. */
export function metricText(name: string, metric: Metric, samples: readonly Sample[]): string {
  const head = [`# HELP ${name} ${metric.help}`, `# TYPE ${name} ${metric.type}`];
  const lines = samples.map(
    ({ suffix = "", labels = {}, value }) => `${name}${suffix}${labelText(labels)} ${value}`,
  );
  return [...head, ...lines].map((line) => `${line}\n`).join("");
}

function labelText(labels: NonNullable<Sample["labels"]>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
