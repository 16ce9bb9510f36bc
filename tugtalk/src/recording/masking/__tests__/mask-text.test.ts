/** Masking of texts. Every secret is made up. */
import { describe, expect, test } from "bun:test";
import { MAX_READABLE, TextMask } from "../mask-text.ts";

const NOBODY = { env: {}, home: "/root" };

/** Secrets that are found by their shape, each in a text without a hint. */
const SHAPED = [
  "sk-ant-api03-Zm9vYmFyYmF6-cXV4_AA",
  "sk-proj-0123456789abcdefghij",
  "ghp_0123456789abcdefghijABCDEFGHIJ012345",
  "github_pat_11ABCDEFG0123456789_abcdefghij",
  "glpat-0123456789abcdefghij",
  "npm_0123456789abcdefghijABCDEFGHIJ012345",
  "hf_abcdefghijklmnopqrstuvwxyz01",
  "xoxb-123456789012-abcdefABCDEF",
  "xapp-1-A0123-456-abcdef",
  "AKIAIOSFODNN7EXAMPLE",
  "AIzaSyA-0123456789abcdefghijABCDEFGHIJ0",
  "ya29.a0AfH6SNB_0123-456",
  "GOCSPX-0123456789abcdef",
  "sk_live_0123456789abcdef",
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
];

test.each(SHAPED)("%s is masked at its full length, and the text around it is not", (secret) => {
  for (const [before, after] of [
    ["", ""],
    ["a: ", " and more"],
    ['{"x":"', '"}'],
    ["line\n", "\nline"],
    ['{"content":"a\\n', '\\r\\n"}'],
  ] as const) {
    const masked = new TextMask(NOBODY).mask(before + secret + after);
    expect(masked).toBe(before + "█".repeat(secret.length) + after);
  }
});

/** A text, and the part that must be masked. */
const FOUND_BY_CONTEXT: readonly (readonly [text: string, secret: string])[] = [
  ["Authorization: Bearer abcd.efgh-1234", "abcd.efgh-1234"],
  ["curl -H 'authorization: token abcdefgh' x", "abcdefgh"],
  ["Authorization: Basic dXNlcjpwYXNzd29yZA==", "dXNlcjpwYXNzd29yZA=="],
  ["x-api-key: plain-words-key", "plain-words-key"],
  ["Cookie: session=abcdefgh", "session=abcdefgh"],
  ["password=hunter22", "hunter22"],
  ['"api_key": "abc123def456"', "abc123def456"],
  ['{\\"client_secret\\": \\"abc123def456\\"}', "abc123def456"],
  ["export GITHUB_TOKEN=abc123def", "abc123def"],
  ["postgres://user:pa55@localhost/db", "pa55"],
  ["-----BEGIN RSA PRIVATE KEY-----\nMIIEabc\n-----END RSA PRIVATE KEY-----", "MIIEabc"],
  ["-----BEGIN PRIVATE KEY-----\nMIIEabc", "MIIEabc"],
  [
    "-----BEGIN PGP PRIVATE KEY BLOCK-----\nlQOYabc\n-----END PGP PRIVATE KEY BLOCK-----",
    "lQOYabc",
  ],
  ["SECRET_KEY=django-insecure-qwerty", "insecure-qwerty"],
  ["SECRET_KEY_BASE=deadbeefdeadbeef", "deadbeef"],
  ["ENCRYPTION_KEY: feedfacefeedface", "feedface"],
  ["DB_PASS=Hunter2Hunter3", "Hunter2"],
  ["PGPASSWORD=correcthorsebattery", "correcthorse"],
  ["Server=x;Uid=a;Pwd=Hunter2Hunter3;", "Hunter2"],
  ["redis://:S3cretRedis99@cache:6379", "S3cretRedis99"],
  ["Cookie: theme=dark; sessionid=zzz123def456; a=b", "zzz123def456"],
  ["Set-Cookie: sid=s%3Aabc123def456.zzz; Path=/", "abc123def456"],
  ["STRIPE whsec_abcdefghijklmnop123456", "abcdefghijklmnop"],
  ["SG.abcdefghijklmnop.qrstuvwxyz0123456789", "qrstuvwxyz"],
  ["AccountName=a;AccountKey=abcd1234efgh5678==;", "abcd1234"],
  ["https://host/c?sv=2020&sig=Zm9vYmFyYmF6cXV4MTIz%3D", "Zm9vYmFy"],
  ["https://s3/x?X-Amz-Signature=abcdef0123456789abcdef", "abcdef0123456789"],
  ["//registry/:_auth=dXNlcjpwYXNzd29yZA==", "dXNlcjpw"],
  ['{"auths":{"r":{"auth":"dXNlcjpwYXNzd29yZDEyMw=="}}}', "dXNlcjpw"],
  ["curl -s -u alice:Hunter2Hunter2 https://x", "Hunter2"],
  ["tool --password correcthorse -v", "correcthorse"],
  ['"password": "two words"', "words"],
];

test.each([...FOUND_BY_CONTEXT])(
  "the secret in %j is found by the text before it",
  (text, secret) => {
    const masked = new TextMask(NOBODY).mask(text);
    expect(masked).not.toContain(secret);
    expect(masked).toHaveLength(text.length);
  },
);

test.each([
  "The token is checked: then the key of the map is read.",
  "const password: string = readPassword();",
  "if (key === other) return map[KEY]; pass: string; auth: AuthProvider, pwd=$PWD sig: Signature",
  '{"sort_key":"name","pass":true,"auth":"none"}',
  '{"max_tokens":4096,"input_tokens":12,"apiKeySource":"none"}',
  "550e8400-e29b-41d4-a716-446655440000",
  "toolu_01ABCDEFabcdef0123456789 msg_01XYZ /usr/bin/env -p npm@10.2.1",
])("%j has no secret and is unchanged", (text) => {
  expect(new TextMask(NOBODY).mask(text)).toBe(text);
});

describe("environment variables", () => {
  const env = {
    ANTHROPIC_API_KEY: "dummy-key-of-mine",
    MY_SECRET: 'odd "one"\\ with\nlines',
    MAX_THINKING_TOKENS: "31999",
    LANG: "en_GB.UTF-8",
  };
  const mask = new TextMask({ env, home: "/root" });

  test("environment variables with the name of a secret are masked in all texts, also in JSON", () => {
    expect(mask.mask("a dummy-key-of-mine b")).toBe(`a ${"█".repeat(17)} b`);
    expect(mask.mask(env.MY_SECRET)).toMatch(/^█+$/);
    expect(mask.mask(JSON.stringify({ a: env.MY_SECRET }))).toMatch(/^\{"a":"█+"\}$/);
  });

  test("environment variables with numbers or other names are not masked", () => {
    expect(mask.mask("31999 en_GB.UTF-8")).toBe("31999 en_GB.UTF-8");
  });
});

test.each([
  "default",
  "acceptEdits",
  "user_message",
  "S3cret!",
  "2.1.330.0",
  "/work/project",
  "http://127.0.0.1:9",
  "application/json",
  "550e8400-e29b-41d4-a716-446655440000",
])("the common value %s is masked in its own field only", (value) => {
  const mask = new TextMask(NOBODY);
  mask.learn(value);
  expect(mask.mask(`say ${value} again`)).toBe(`say ${value} again`);
});

describe("user name", () => {
  const mask = new TextMask({ env: {}, home: "/home/alice" });

  test("the user name is masked in paths and in Claude's folder names", () => {
    expect(mask.mask("/home/alice/x C:\\alice -home-alice-x ~/alice")).toBe(
      "/home/█████/x C:\\█████ -home-█████-x ~/█████",
    );
  });

  test("the user name is not masked as a word or a part of a word", () => {
    expect(mask.mask("alice /alices malice")).toBe("alice /alices malice");
  });
});

test("e-mail addresses are masked", () => {
  expect(new TextMask(NOBODY).mask("mail bob.b@example.co.uk now")).toBe(
    `mail ${"█".repeat(19)} now`,
  );
});

test("masked text is not changed by masking it again", () => {
  const text = `password=hunter22 Authorization: Bearer abcd.efgh-1234 ${SHAPED.join(" ")}`;
  const once = new TextMask(NOBODY).mask(text);
  expect(new TextMask(NOBODY).mask(once)).toBe(once);
});

test("the part of a very long text beyond the limit is masked in full", () => {
  const text = "word ".repeat(MAX_READABLE / 5 + 2);
  const masked = new TextMask(NOBODY).mask(text);
  expect(masked).toHaveLength(text.length);
  expect(masked.slice(0, MAX_READABLE)).toBe(text.slice(0, MAX_READABLE));
  expect(masked.slice(MAX_READABLE)).toMatch(/^█+$/);
});

/** The first characters of each shape, which the text of a user or an attacker may repeat. */
const BEGINNINGS = [
  ...SHAPED.flatMap((secret) => [secret.slice(0, 3), secret.slice(0, 4), secret.slice(0, -1)]),
  ...FOUND_BY_CONTEXT.map(([text]) => text.slice(0, 12)),
  "eyJ-",
  "eyJabcdef.",
  "Bearer ",
  "Basic ",
  "password",
  "password=",
  "://",
  "://a:",
  "-----BEGIN ",
  "-----BEGIN PRIVATE KEY-----",
  "a@",
  "a@b.",
  "a.",
  "a-",
  "--",
  "'",
  " ",
  "curl ",
  "curl -u",
  "curl -u a:",
  "KEY",
  "KEY=",
  "KEY_A",
  "_key=",
  "cookie:a=",
  '"password": "',
  "--password ",
  "SG.a",
  "SG.abcdefghijkl",
  "-----BEGIN PGP ",
];

test.each(BEGINNINGS)("a long text of repetitions of %j is masked within the timeout", (start) => {
  const text = start.repeat(Math.ceil(200_000 / start.length));
  const env = { A_KEY: start.repeat(3) };
  expect(new TextMask({ env, home: `/home/${start}` }).mask(text)).toHaveLength(text.length);
});
