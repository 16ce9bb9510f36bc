/** The metrics of a host, as `GET /metrics` has them. */
import type { SessionInfo } from "../client/host-api.ts";
import type { CommitFigures } from "./journal/commit-figures.ts";
import { type Metric, metricText, type Sample } from "./server/prometheus.ts";
import type { SharedFigures } from "./shared/shared-figures.ts";
import type { OpenStreams } from "./stream/open-streams.ts";

export type MetricSources = {
  readonly version: string;
  readonly isReady: () => boolean;
  readonly sessions: () => readonly Pick<SessionInfo, "state">[];
  readonly commits: CommitFigures;
  readonly streams: OpenStreams;
  /** Set for a host that shares a database. */
  readonly shared: (() => SharedFigures) | undefined;
};

/** The metrics by name, in the order of the text. */
export const METRICS = {
  tugtalk_info: { type: "gauge", help: "1, with the version and where the journal is." },
  tugtalk_ready: { type: "gauge", help: "1 where GET /api/ready is answered with 200." },
  tugtalk_sessions: { type: "gauge", help: "Sessions by state, whichever host holds them." },
  tugtalk_streams: { type: "gauge", help: "Open streams of clients by kind." },
  tugtalk_entries_total: { type: "counter", help: "Entries that this host has committed." },
  tugtalk_commit_seconds: { type: "histogram", help: "How long commits of this host took." },
  tugtalk_held_sessions: { type: "gauge", help: "Sessions that this host holds." },
  tugtalk_database_up: { type: "gauge", help: "1 where the database answers." },
  tugtalk_lease_seconds: { type: "gauge", help: "How long the lease of this host is valid." },
  tugtalk_leases_lost_total: { type: "counter", help: "Leases that were over unrenewed." },
  tugtalk_takeovers_total: { type: "counter", help: "Sessions taken from hosts that were lost." },
  tugtalk_bells_total: { type: "counter", help: "Bells that this host has rung and heard." },
  process_cpu_seconds_total: { type: "counter", help: "Processor time of the host's process." },
  process_resident_memory_bytes: { type: "gauge", help: "Memory of the host's process." },
  process_start_time_seconds: { type: "gauge", help: "When it was started, since 1970." },
} as const satisfies Readonly<Record<string, Metric>>;

type MetricName = keyof typeof METRICS;

export function hostMetrics(sources: MetricSources): string {
  const samples: Readonly<Partial<Record<MetricName, readonly Sample[]>>> = {
    ...ownSamples(sources),
    ...(sources.shared !== undefined && sharedSamples(sources.shared())),
    ...processSamples(),
  };
  return Object.entries(METRICS)
    .map(([name, metric]) => {
      const found = samples[name as MetricName]; // The keys of a table are its names.
      return found === undefined ? "" : metricText(name, metric, found);
    })
    .join("");
}

function ownSamples(sources: MetricSources) {
  const { version, commits, streams, shared } = sources;
  const database = shared === undefined ? "sqlite" : "postgres";
  return {
    tugtalk_info: [{ labels: { version, database }, value: 1 }],
    tugtalk_ready: [{ value: Number(sources.isReady()) }],
    tugtalk_sessions: sessionSamples(sources.sessions()),
    tugtalk_streams: [...streams.counts()].map(([kind, value]) => ({ labels: { kind }, value })),
    tugtalk_entries_total: [{ value: commits.entries }],
    tugtalk_commit_seconds: commitSamples(commits),
  };
}

function sessionSamples(sessions: readonly Pick<SessionInfo, "state">[]): readonly Sample[] {
  const counts = new Map<string, number>();
  for (const { state } of sessions) counts.set(state, (counts.get(state) ?? 0) + 1);
  return [...counts].map(([state, value]) => ({ labels: { state }, value }));
}

function commitSamples(commits: CommitFigures): readonly Sample[] {
  const { count, seconds } = commits;
  const buckets = [...commits.upTo(), ["+Inf", count] as const];
  return [
    ...buckets.map(([le, value]) => ({ suffix: "_bucket", labels: { le: String(le) }, value })),
    { suffix: "_sum", value: seconds },
    { suffix: "_count", value: count },
  ];
}

function sharedSamples(figures: SharedFigures) {
  const { held, isReached, leaseSeconds, leasesLost, takeovers, bells } = figures;
  return {
    tugtalk_held_sessions: [{ value: held }],
    tugtalk_database_up: [{ value: Number(isReached) }],
    tugtalk_lease_seconds: [{ value: leaseSeconds }],
    tugtalk_leases_lost_total: [{ value: leasesLost }],
    tugtalk_takeovers_total: [{ value: takeovers }],
    tugtalk_bells_total: [
      { labels: { direction: "rung" }, value: bells.rung },
      { labels: { direction: "heard" }, value: bells.heard },
    ],
  };
}

function processSamples() {
  const { user, system } = process.cpuUsage();
  return {
    process_cpu_seconds_total: [{ value: (user + system) / 1e6 }],
    process_resident_memory_bytes: [{ value: process.memoryUsage.rss() }],
    process_start_time_seconds: [{ value: performance.timeOrigin / 1_000 }],
  };
}
