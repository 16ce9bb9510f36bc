/** Who is let in: each way in, with each fault that a request may have. */
import { expect } from "bun:test";
import type { Headers, Visit } from "./visit.ts";

const BODY = JSON.stringify({ title: "A title" });

/** Each way in: its request, and the status where nothing is wrong with it. */
const WAYS = {
  HTTP: {
    good: 200,
    send: (visit: Visit, headers: Headers, query: string) => {
      const length = { "Content-Type": "application/json", "Content-Length": `${BODY.length}` };
      const first = `PATCH /api/sessions/${visit.session.id}${query}`;
      return visit.send(first, { ...length, ...headers }, BODY);
    },
  },
  SSE: {
    good: 200,
    send: (visit: Visit, headers: Headers, query: string) =>
      visit.get(`/api/sessions/${visit.session.id}/events${query}`, headers),
  },
  WebSocket: {
    good: 101,
    send: (visit: Visit, headers: Headers, query: string) =>
      visit.get(`/ws${query}`, {
        Connection: "Upgrade",
        Upgrade: "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        ...headers,
      }),
  },
} as const;

type Way = keyof typeof WAYS;

/** A fault, the headers that make it, and what each way in answers: a status, or `good`. */
export type GuardRow = {
  readonly fault: string;
  readonly headers: (visit: Visit) => Headers;
  readonly query?: (visit: Visit) => string;
  readonly answers: Readonly<Record<Way, number | "good">>;
};

function all(answer: number | "good"): GuardRow["answers"] {
  return { HTTP: answer, SSE: answer, WebSocket: answer };
}

export const GUARD_ROWS: readonly GuardRow[] = [
  { fault: "nothing, with the token", headers: (visit) => visit.byToken(), answers: all("good") },
  { fault: "nothing, with the cookie", headers: (visit) => visit.byCookie(), answers: all("good") },
  {
    fault: "nothing, by the name localhost",
    headers: (visit) => ({ ...visit.byToken(), Host: `LOCALHOST:${visit.host.port}` }),
    answers: all("good"),
  },
  {
    fault: "a foreign Origin, with the token",
    headers: (visit) => ({ ...visit.byToken(), Origin: "https://evil.example" }),
    answers: all(403),
  },
  {
    fault: "a foreign Origin, with the cookie",
    headers: (visit) => ({ ...visit.byCookie(), Origin: "http://evil.example" }),
    answers: all(403),
  },
  {
    fault: "the Origin of another port of this machine",
    headers: (visit) => ({ ...visit.byCookie(), Origin: "http://127.0.0.1:1" }),
    answers: all(403),
  },
  {
    fault: "the Origin null",
    headers: (visit) => ({ ...visit.byCookie(), Origin: "null" }),
    answers: all(403),
  },
  {
    fault: "no Origin, with the cookie",
    headers: (visit) => ({ Cookie: visit.cookie }),
    answers: { HTTP: 403, SSE: "good", WebSocket: 403 },
  },
  {
    fault: "a foreign Host",
    headers: (visit) => ({ ...visit.byToken(), Host: `evil.example:${visit.host.port}` }),
    answers: all(403),
  },
  {
    fault: "our Host without our port",
    headers: (visit) => ({ ...visit.byToken(), Host: "127.0.0.1" }),
    answers: all(403),
  },
  {
    fault: "another port of this machine as the site",
    headers: (visit) => ({ Cookie: visit.cookie, "Sec-Fetch-Site": "same-site" }),
    answers: all(403),
  },
  {
    fault: "another site",
    headers: (visit) => ({ ...visit.byCookie(), "Sec-Fetch-Site": "cross-site" }),
    answers: all(403),
  },
  { fault: "no token", headers: () => ({}), answers: all(401) },
  {
    fault: "a wrong token",
    headers: () => ({ Authorization: `Bearer ${"x".repeat(43)}` }),
    answers: all(401),
  },
  {
    fault: "a wrong token beside the cookie",
    headers: (visit) => ({ ...visit.byCookie(), Authorization: "Bearer x" }),
    answers: all(401),
  },
  {
    fault: "a wrong cookie",
    headers: (visit) => ({ ...visit.byCookie(), Cookie: `${visit.cookie}x` }),
    answers: all(401),
  },
  {
    fault: "the cookie of another port",
    headers: (visit) => ({
      ...visit.byCookie(),
      Cookie: visit.cookie.replace(/tugtalk_\d+/, "tugtalk_1"),
    }),
    answers: all(401),
  },
  {
    fault: "the token in the address",
    headers: () => ({}),
    query: (visit) => `?token=${visit.host.token}`,
    answers: all(401),
  },
  {
    fault: "a used code",
    headers: () => ({}),
    query: (visit) => `?code=${visit.usedCode}`,
    answers: all(401),
  },
  {
    fault: "a code that nobody has used, where no code is taken",
    headers: () => ({}),
    query: (visit) => `?code=${visit.freshCode()}`,
    answers: all(401),
  },
  {
    fault: "a text/plain body",
    headers: (visit) => ({ ...visit.byToken(), "Content-Type": "text/plain" }),
    answers: { HTTP: 415, SSE: "good", WebSocket: "good" },
  },
  {
    fault: "the Origin of another of our names",
    headers: (visit) => ({ ...visit.byToken(), Origin: `http://localhost:${visit.host.port}` }),
    answers: all(403),
  },
  {
    fault: "our Origin with the other scheme",
    headers: (visit) => ({ ...visit.byCookie(), Origin: otherScheme(visit.origin) }),
    answers: all(403),
  },
  {
    fault: "the cookie by another of our names",
    headers: (visit) => ({
      Host: `localhost:${visit.host.port}`,
      Origin: `http://localhost:${visit.host.port}`,
      Cookie: visit.cookie,
    }),
    answers: all(401),
  },
  {
    fault: "a foreign Host that forwarded headers call ours",
    headers: (visit) => ({
      ...visit.byToken(),
      ...forwarded(new URL(visit.origin).host),
      Host: "evil.example",
    }),
    answers: all(403),
  },
  {
    fault: "forwarded headers that call our Host foreign, with the cookie",
    headers: (visit) => ({ ...visit.byCookie(), ...forwarded("evil.example") }),
    answers: all("good"),
  },
  {
    fault: "forwarded headers that come from loopback, without a token",
    headers: () => forwarded("127.0.0.1"),
    answers: all(401),
  },
];

function otherScheme(origin: string): string {
  return origin.startsWith("https:")
    ? origin.replace("https:", "http:")
    : origin.replace("http:", "https:");
}

function forwarded(host: string): Headers {
  return {
    "X-Forwarded-Host": host,
    "X-Forwarded-Proto": "https",
    "X-Forwarded-For": "127.0.0.1",
    "X-Real-IP": "127.0.0.1",
    Forwarded: `for=127.0.0.1;host="${host}";proto=https`,
  };
}

/** Sends the request of a row in each way. */
export async function checkGuardRow(visit: Visit, row: GuardRow): Promise<void> {
  const { query = () => "", answers } = row;
  const headers = row.headers(visit);
  const comesThrough = visit.entrance.passesEveryName || !("Host" in headers);
  for (const [name, { good, send }] of Object.entries(WAYS)) {
    const answer = await send(visit, headers, query(visit));
    const designed = answers[name as Way];
    const status = designed === "good" ? good : designed;
    if (comesThrough) expect({ name, status: answer.status }).toEqual({ name, status });
    // Every answer of the host has its policy.
    else expect({ name, isOurs: answer.headers.has(POLICY) }).toEqual({ name, isOurs: false });
  }
}

const POLICY = "content-security-policy";
