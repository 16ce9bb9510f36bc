/** What is taken out of a recording, and what stays. Every secret here is made up. */
import { describe, expect, test } from "bun:test";
import { Masks } from "../masks.ts";

const NOBODY = { env: {}, names: [] };

/** Secrets that are known by their shape, each in a text that says nothing of it. */
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

test.each(SHAPED)("%s is masked, at its full length and nothing else", (secret) => {
  for (const [before, after] of [
    ["", ""],
    ["a: ", " and more"],
    ['{"x":"', '"}'],
    ["line\n", "\nline"],
  ] as const) {
    const masked = new Masks(NOBODY).maskText(before + secret + after);
    expect(masked.startsWith(before) && masked.endsWith(after)).toBe(true);
    const mask = masked.slice(before.length, masked.length - after.length);
    expect(mask).toBe("[secret-1".padEnd(secret.length - 1, "*").concat("]"));
  }
});

test.each(SHAPED)("%s is masked where JSON as text has it in a line of its own", (secret) => {
  const masked = new Masks(NOBODY).maskText(`{"content":"a\\n${secret}\\r\\n"}`);
  expect(masked).toMatch(/^\{"content":"a\\n\[secret-1\**\]\\r\\n"\}$/);
});

/** A text, and what of it must go. */
const TOLD_BY_PLACE: readonly (readonly [text: string, secret: string])[] = [
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

test.each([...TOLD_BY_PLACE])(
  "in %j the secret is found by what stands before it",
  (text, secret) => {
    const masked = new Masks(NOBODY).maskText(text);
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
])("%j says nothing secret and stays", (text) => {
  expect(new Masks(NOBODY).maskText(text)).toBe(text);
});

describe("entries of the environment", () => {
  const env = {
    ANTHROPIC_API_KEY: "dummy-key-of-mine",
    MY_SECRET: 'odd "one"\\ with\nlines',
    DB_PASSWORD: "Kitten-7",
    MAX_THINKING_TOKENS: "31999",
    LANG: "en_GB.UTF-8",
  };
  const masks = new Masks({ env, names: [] });

  test("those whose name says so are masked wherever they stand", () => {
    expect(masks.maskText("a dummy-key-of-mine b Kitten-7")).toBe("a [secret-1*******] b [3*****]");
  });

  test.each(["default", "acceptEdits", "user_message", "production", "cancelled", "S3cret!"])(
    "%s is hidden in its place only: elsewhere it is a word",
    (word) => {
      const masks = new Masks({ env: { SOME_KEY: word }, names: [] });
      const said = masks.maskValue({ options: { env: { MODE: word } }, permission_mode: word });
      expect(JSON.stringify(said.options)).not.toContain(word);
      expect(said.permission_mode).toBe(word);
      expect(masks.maskText(`say ${word} again`)).toBe(`say ${word} again`);
    },
  );

  test("they are found as JSON writes them, also inside JSON, and in an address", () => {
    const { MY_SECRET } = env;
    const once = JSON.stringify({ a: MY_SECRET });
    for (const text of [
      MY_SECRET,
      once,
      JSON.stringify({ b: once }),
      encodeURIComponent(MY_SECRET),
    ])
      expect(masks.maskText(text)).toMatch(/\[secret-2\**\]/);
  });

  test("numbers and other entries stay", () => {
    expect(masks.maskText("31999 en_GB.UTF-8")).toBe("31999 en_GB.UTF-8");
  });

  test("bytes that are no text lose them too", () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("dummy-key-of-mine")]);
    expect(Buffer.from(masks.maskBytes(bytes)).toString("latin1")).toBe("ÿþ[secret-1*******]");
  });
});

describe("places of secrets in a message", () => {
  test("the environment and the headers of MCP servers are masked, and known from then on", () => {
    const masks = new Masks(NOBODY);
    const servers = {
      one: { command: "run", env: { A: "my-own-value", B: "1" } },
      two: { url: "http://x", headers: { Accept: "text/plain", "X-Own": "Own another-value" } },
    };
    const { one, two } = masks.maskValue({ type: "control", servers }).servers;
    expect(one.command).toBe("run");
    expect(one.env).toEqual({ A: "[secret-1**]", B: "*" });
    expect(JSON.stringify(two)).not.toMatch(/Own another|another-value|text/);
    expect(masks.maskText("my-own-value, another-value, text/plain")).toMatch(
      /^\[secret-1\*\*\], \[secret-\d\**\], text\/plain$/,
    );
  });

  test("JSON in an argument, and in `mcp_config` as text, is looked into", () => {
    const masks = new Masks(NOBODY);
    const config = JSON.stringify({ mcpServers: { a: { env: { A: "no" } } } });
    const hidden = config.replace("no", "**");
    expect(masks.maskValue([`--mcp-config=${config}`])).toEqual([`--mcp-config=${hidden}`]);
    expect(masks.maskValue({ mcp_config: config })).toEqual({ mcp_config: hidden });
  });

  test("a word of a command line is masked after a flag whose name says so", () => {
    const args = ["--token", "abc", "--api-key=x y", "--token-limit", "12", "-p", "--verbose"];
    expect(new Masks(NOBODY).maskValue({ args })).toEqual({
      args: ["--token", "***", "--api-key=***", ...args.slice(3)],
    });
  });

  test.each([
    [
      { password: 84729163123456, pin: 1 },
      { password: 0, pin: 1 },
    ],
    [
      { api_keys: ["Zq9"], tokens: ["a"] },
      { api_keys: ["***"], tokens: ["*"] },
    ],
    [{ passwords: { db: "x", port: 5 } }, { passwords: { db: "*", port: 0 } }],
    [
      { cookies: "a=b", auth: "c" },
      { cookies: "***", auth: "*" },
    ],
    [
      { pass: "d", pwd: "e", db_pass: "f" },
      { pass: "*", pwd: "*", db_pass: "*" },
    ],
  ])("of %j the secrets go, also several and numbers", (said, masked) => {
    expect<unknown>(new Masks(NOBODY).maskValue(said)).toEqual(masked);
  });

  test("numbers of tokens, and words that only look like such names, stay", () => {
    const said = {
      max_thinking_tokens: 31999,
      usage: {
        input_tokens: 12,
        output_tokens: 3,
        token: 1,
        tokens: { used: 5 },
        used_tokens: "9",
      },
      compass: "north",
      author: "me",
    };
    expect(new Masks(NOBODY).maskValue(said)).toBe(said);
  });

  test("a path that stands where a secret might stays a path elsewhere", () => {
    const masks = new Masks(NOBODY);
    expect<unknown>(masks.maskValue({ pwd: "/work/project", cwd: "/work/project" })).toEqual({
      pwd: "[secret-1***]",
      cwd: "/work/project",
    });
  });

  test("a field whose name says so is masked, however short; words of the wire stay", () => {
    const masks = new Masks({ env: { TOKEN: "assistant" }, names: [] });
    const said = {
      type: "assistant",
      input: { password: "abc", accessToken: "x" },
      text: "assistant",
    };
    expect(masks.maskValue(said)).toEqual({
      type: "assistant",
      input: { password: "***", accessToken: "*" },
      text: "assistant",
    });
  });

  test("names of fields are masked like values", () => {
    const masks = new Masks(NOBODY);
    expect(masks.maskValue({ answers: { "Is it AKIAIOSFODNN7EXAMPLE?": "yes" } })).toEqual({
      answers: { "Is it [secret-1**********]?": "yes" },
    } as never);
  });

  test("fields whose names are masked are as many as they were", () => {
    const masks = new Masks({ env: {}, names: ["ann", "bob"] });
    const answers = {
      "Mail ann@example.com?": "yes",
      "Mail bob@example.com?": "no",
      "/home/ann": "one",
      "/home/bob": "other",
    };
    expect(masks.maskValue(answers)).toEqual({
      "Mail [secret-1*****]?": "yes",
      "Mail [secret-2*****]?": "no",
      "/home/***": "one",
      "/home/****2": "other",
    } as never);
    expect(masks.maskText("Mail bob@example.com?")).toBe("Mail [secret-2*****]?");
  });

  test("a message without secrets is the same object", () => {
    const said = { type: "user", list: [{ a: 1 }, null, "x"] };
    expect(new Masks(NOBODY).maskValue(said)).toBe(said);
  });
});

describe("persons", () => {
  const masks = new Masks({ env: {}, names: ["alice", "root", "al"] });

  test("the name goes from paths and texts, and the paths stay alike", () => {
    expect(masks.maskText("/home/alice/x -home-alice-x alice@host")).toBe(
      "/home/*****/x -home-*****-x *****@host",
    );
  });

  test("a part of a word is no name, and a name that many have stays", () => {
    expect(masks.maskText("malice alices root al")).toBe("malice alices root al");
  });

  test("the name goes from JSON as text, also behind the end of a line, and from paths of Windows", () => {
    expect(new Masks({ env: {}, names: ["nina"] }).maskText("a\\nnina \\\\nina C:\\nina")).toBe(
      "a\\n**** \\\\**** C:\\****",
    );
  });

  test("addresses of e-mail are masked", () => {
    expect(masks.maskText("mail bob.b@example.co.uk now")).toBe("mail [secret-1*********] now");
  });
});

test("the same secret has the same mask, another one another", () => {
  const masks = new Masks(NOBODY);
  const [one, other] = ["ghp_0123456789abcdefghij", "ghp_ABCDEFGHIJ0123456789"];
  const text = masks.maskText(`${one} ${other} ${one}`).split(" ");
  expect(text[0]).toBe(text[2] ?? "");
  expect(text[1]).not.toBe(text[0] ?? "");
});

test("what is masked is not masked again", () => {
  const text = `password=hunter22 Authorization: Bearer abcd.efgh-1234 ${SHAPED.join(" ")}`;
  const once = new Masks(NOBODY).maskText(text);
  expect(new Masks(NOBODY).maskText(once)).toBe(once);
});

test("a long text without a space is masked in time that grows with its length only", () => {
  const text = "aB3+".repeat(1_000_000);
  expect(new Masks(NOBODY).maskText(`${text} sk-ant-abcdefgh`)).toBe(`${text} [secret-1*****]`);
});

/** How each shape begins: the text of a person, or of an attacker, may do so any number of times. */
const BEGINNINGS = [
  ...SHAPED.flatMap((secret) => [secret.slice(0, 3), secret.slice(0, 4), secret.slice(0, -1)]),
  ...TOLD_BY_PLACE.map(([text]) => text.slice(0, 12)),
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

test.each(BEGINNINGS)("a text of nothing but %j is masked before anybody waits for it", (start) => {
  const text = start.repeat(Math.ceil(200_000 / start.length));
  expect(
    new Masks({ env: { A_KEY: start.repeat(3) }, names: [start] }).maskText(text),
  ).toHaveLength(text.length);
});

test("many long values that are hidden do not hold up a long text", () => {
  const masks = new Masks(NOBODY);
  const env = Object.fromEntries(
    Array.from({ length: 5000 }, (_, index) => [`V${index}`, `Value-${index}-${"x".repeat(2000)}`]),
  );
  const text = "a line of words that is quite plain ".repeat(3000);
  masks.maskValue({ env });
  expect(masks.maskText(`${text}${env["V1"]}`)).toMatch(/ \[secret-2\*+\]$/);
  expect(masks.maskText(text)).toBe(text);
});
