import { expect, test } from "bun:test";
import { parseMetrics } from "../../testing/drivers/metrics.ts";
import { hostMetrics, METRICS, type MetricSources } from "../host-metrics.ts";
import { CommitFigures } from "../journal/commit-figures.ts";
import { metricText } from "../server/prometheus.ts";
import { OpenStreams } from "../stream/open-streams.ts";

const SHARED = {
  held: 2,
  isReached: false,
  leaseSeconds: 1.5,
  leasesLost: 3,
  takeovers: 4,
  bells: { rung: 5, heard: 6 },
};

function sources(changed: Partial<MetricSources> = {}): MetricSources {
  return {
    version: "1.2.3",
    isReady: () => true,
    sessions: () => [],
    commits: new CommitFigures(),
    streams: new OpenStreams(),
    shared: () => SHARED,
    ...changed,
  };
}

test("each metric has its type and its meaning, in one line each", () => {
  const text = hostMetrics(sources());
  for (const [name, { type, help }] of Object.entries(METRICS))
    expect(text).toContain(`# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`);
  parseMetrics(text);
});

test("sessions are counted by state, and streams by kind until they end", () => {
  const streams = new OpenStreams();
  const end = streams.add("events");
  streams.add("events");
  streams.add("websocket");
  end();
  end();
  const states = ["idle", "idle", "running"] as const;
  const list = () => states.map((state) => ({ state }));
  const metrics = parseMetrics(hostMetrics(sources({ streams, sessions: list })));
  expect(metrics.get('tugtalk_sessions{state="idle"}')).toBe(2);
  expect(metrics.get('tugtalk_sessions{state="running"}')).toBe(1);
  expect(metrics.get('tugtalk_streams{kind="events"}')).toBe(1);
  expect(metrics.get('tugtalk_streams{kind="websocket"}')).toBe(1);
});

test("the times of commits are a histogram of growing counts", () => {
  const commits = new CommitFigures();
  commits.add(performance.now(), 3);
  commits.add(performance.now() - 300, 0);
  commits.add(performance.now() - 60_000, 1);
  const metrics = parseMetrics(hostMetrics(sources({ commits })));
  const upTo = (le: string) => metrics.get(`tugtalk_commit_seconds_bucket{le="${le}"}`);
  expect([upTo("0.25"), upTo("0.5"), upTo("10"), upTo("+Inf")]).toEqual([1, 2, 2, 3]);
  expect(metrics.get("tugtalk_commit_seconds_count")).toBe(3);
  expect(metrics.get("tugtalk_commit_seconds_sum")).toBeGreaterThanOrEqual(60.3);
  expect(metrics.get("tugtalk_entries_total")).toBe(4);
});

test("the metrics of hosts with a shared database are left out without one", () => {
  const shared = parseMetrics(hostMetrics(sources()));
  expect(shared.get("tugtalk_held_sessions")).toBe(2);
  expect(shared.get("tugtalk_database_up")).toBe(0);
  expect(shared.get("tugtalk_lease_seconds")).toBe(1.5);
  expect(shared.get("tugtalk_leases_lost_total")).toBe(3);
  expect(shared.get("tugtalk_takeovers_total")).toBe(4);
  expect(shared.get('tugtalk_bells_total{direction="rung"}')).toBe(5);
  expect(shared.get('tugtalk_bells_total{direction="heard"}')).toBe(6);
  const alone = parseMetrics(hostMetrics(sources({ shared: undefined, isReady: () => false })));
  expect([...alone.keys()].filter((name) => /lease|held|takeover|bell|_up/.test(name))).toEqual([]);
  expect(alone.get("tugtalk_ready")).toBe(0);
  expect(alone.get('tugtalk_info{version="1.2.3",database="sqlite"}')).toBe(1);
});

test("signs that end a label are escaped", () => {
  const samples = [{ value: 1, labels: { name: 'a"b\\c\nd' } }];
  const text = metricText("x", { type: "gauge", help: "Help." }, samples);
  expect(text).toBe('# HELP x Help.\n# TYPE x gauge\nx{name="a\\"b\\\\c\\nd"} 1\n');
});
