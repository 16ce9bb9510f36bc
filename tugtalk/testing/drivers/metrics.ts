/** The figures of a host for balancers and Prometheus, as they read them. */
import type { TestHost } from "./host-process.ts";

/** By name with labels, as in the text. */
export type Metrics = ReadonlyMap<string, number>;

const SAMPLE = /^([a-z_]+(?:\{[a-z]+="[^"\\\n]*"(?:,[a-z]+="[^"\\\n]*")*\})?) (\S+)$/;

export async function metricsOf(host: TestHost): Promise<Metrics> {
  const { status, body } = await host.request("GET", "/metrics");
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return parseMetrics(String(body["text"]));
}

/** Throws at a line that Prometheus would not take, or a sample of a metric that the text does not announce. */
export function parseMetrics(text: string): Metrics {
  const metrics = new Map<string, number>();
  const types = new Map<string, string>();
  if (!text.endsWith("\n")) throw new Error("the text has no end of its last line");
  for (const line of text.slice(0, -1).split("\n")) {
    const [, announced, type = ""] =
      /^# TYPE ([a-z_]+) (gauge|counter|histogram)$/.exec(line) ?? [];
    if (announced !== undefined) types.set(announced, type);
    if (announced !== undefined || /^# HELP [a-z_]+ \S/.test(line)) continue;
    const [, name = "", value = ""] = SAMPLE.exec(line) ?? [];
    const [base = ""] = name.split("{");
    const isPart = types.get(base.replace(/_(bucket|sum|count)$/, "")) === "histogram";
    if (!isPart && !types.has(base)) throw new Error(`no sample of a metric: ${line}`);
    if (value === "" || Number.isNaN(Number(value)) || metrics.has(name))
      throw new Error(`no sample: ${line}`);
    metrics.set(name, Number(value));
  }
  return metrics;
}

/** Without a token, and by a name that the host does not know. */
export async function readyStatus(host: TestHost): Promise<number> {
  const response = await fetch(`${host.url}/api/ready`, { headers: { host: "balancer.example" } });
  const text = await response.text();
  if (text !== "") throw new Error(`more than a status: ${text}`);
  return response.status;
}

/** Resolves when the host answers so. */
export async function untilReadyIs(host: TestHost, status: number): Promise<void> {
  while ((await readyStatus(host)) !== status);
}

/** Resolves when a metric has a value that fits. */
export async function untilMetric(
  host: TestHost,
  name: string,
  fits: (value: number | undefined) => boolean,
): Promise<void> {
  while (!fits((await metricsOf(host)).get(name)));
}
