/** The requests that are let in: each way in, with each fault that a request may have. */
import { expect } from "bun:test";
import type { Headers, Visit } from "./visit.ts";

const BODY = JSON.stringify({ title: "A title" });

/** Each way in: its request, and the status of a correct one. */
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

type Answers = Readonly<Record<Way, number | "good">>;

/** A fault, the headers and the query that make it, and the answer of each way in: a status, or `good`. */
export type GuardRow = {
  readonly fault: string;
  readonly headers: (visit: Visit) => Headers;
  readonly query?: (visit: Visit) => string;
  readonly answers: Answers;
};

type Faults = Readonly<Record<string, GuardRow["headers"]>>;

const NONE: Faults = {
  "nothing, with the token": (visit) => visit.byToken(),
  "nothing, with the cookie": (visit) => visit.byCookie(),
  "nothing, by the name localhost": (visit) => ({
    ...visit.byToken(),
    Host: `LOCALHOST:${visit.host.port}`,
  }),
  "forwarded headers that call our Host foreign, with the cookie": (visit) => ({
    ...visit.byCookie(),
    ...forwarded("evil.example"),
  }),
};

const FORBIDDEN: Faults = {
  "a foreign Origin, with the token": fromOrigin("token", () => "https://evil.example"),
  "a foreign Origin, with the cookie": fromOrigin("cookie", () => "http://evil.example"),
  "the Origin of another port of this machine": fromOrigin("cookie", () => "http://127.0.0.1:1"),
  "the Origin null": fromOrigin("cookie", () => "null"),
  "the Origin of another of our names": fromOrigin("token", localhostOf),
  "our Origin with the other scheme": fromOrigin("cookie", ({ origin }) => otherScheme(origin)),
  "a foreign Host": (visit) => ({ ...visit.byToken(), Host: `evil.example:${visit.host.port}` }),
  "our Host without our port": (visit) => ({ ...visit.byToken(), Host: "127.0.0.1" }),
  "a foreign Host that forwarded headers call ours": (visit) => ({
    ...visit.byToken(),
    ...forwarded(new URL(visit.origin).host),
    Host: "evil.example",
  }),
  "another port of this machine as the site": (visit) => ({
    Cookie: visit.cookie,
    "Sec-Fetch-Site": "same-site",
  }),
  "another site": (visit) => ({ ...visit.byCookie(), "Sec-Fetch-Site": "cross-site" }),
};

const UNAUTHORIZED: Faults = {
  "no token": () => ({}),
  "a wrong token": () => ({ Authorization: `Bearer ${"x".repeat(43)}` }),
  "a wrong token beside the cookie": (visit) => ({
    ...visit.byCookie(),
    Authorization: "Bearer x",
  }),
  "a wrong cookie": (visit) => ({ ...visit.byCookie(), Cookie: `${visit.cookie}x` }),
  "the cookie of another port": (visit) => ({
    ...visit.byCookie(),
    Cookie: visit.cookie.replace(/tugtalk_\d+/, "tugtalk_1"),
  }),
  "the cookie by another of our names": (visit) => ({
    Host: `localhost:${visit.host.port}`,
    Origin: localhostOf(visit),
    Cookie: visit.cookie,
  }),
  "forwarded headers that come from loopback, without a token": () => forwarded("127.0.0.1"),
};

const IN_THE_ADDRESS: Readonly<Record<string, (visit: Visit) => string>> = {
  "the token in the address": (visit) => `?token=${visit.host.token}`,
  "a used code": (visit) => `?code=${visit.usedCode}`,
  "a code that nobody has used, where no code is taken": (visit) => `?code=${visit.freshCode()}`,
};

export const GUARD_ROWS: readonly GuardRow[] = [
  ...rowsOf(NONE, "good"),
  ...rowsOf(FORBIDDEN, 403),
  ...rowsOf(UNAUTHORIZED, 401),
  ...Object.entries(IN_THE_ADDRESS).map(([fault, query]) => {
    return { fault, headers: () => ({}), query, answers: all(401) };
  }),
  {
    fault: "no Origin, with the cookie",
    headers: (visit) => ({ Cookie: visit.cookie }),
    answers: { HTTP: 403, SSE: "good", WebSocket: 403 },
  },
  {
    fault: "a text/plain body",
    headers: (visit) => ({ ...visit.byToken(), "Content-Type": "text/plain" }),
    answers: { HTTP: 415, SSE: "good", WebSocket: "good" },
  },
];

function rowsOf(faults: Faults, answer: number | "good"): readonly GuardRow[] {
  return Object.entries(faults).map(([fault, headers]) => {
    return { fault, headers, answers: all(answer) };
  });
}

function all(answer: number | "good"): Answers {
  return { HTTP: answer, SSE: answer, WebSocket: answer };
}

function fromOrigin(signedInBy: "token" | "cookie", originOf: (visit: Visit) => string) {
  return (visit: Visit): Headers => ({
    ...(signedInBy === "token" ? visit.byToken() : visit.byCookie()),
    Origin: originOf(visit),
  });
}

function localhostOf({ host }: Visit): string {
  return `http://localhost:${host.port}`;
}

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
    // Every answer of the host has the host's policy.
    else expect({ name, isOurs: answer.headers.has(POLICY) }).toEqual({ name, isOurs: false });
  }
}

const POLICY = "content-security-policy";
