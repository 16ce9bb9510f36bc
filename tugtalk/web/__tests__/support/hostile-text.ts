/**
 * A hostile transcript, made up: texts that would run, load or disguise something if a page drew them as
 * more than text. Any script that runs calls `hostile()`.
 */
import {
  answered,
  asks,
  call,
  HOLD,
  opened,
  permission,
  reply,
  result,
  text,
  thought,
} from "./scene-lines.ts";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="hostile()"><script>hostile()</script></svg>`;

/** Shows as another text than it is. */
const DISGUISED = "rm -rf \u202e/tmp/safe\u2066 \u200b# \u0007harmless\u0000";

const HTML = [
  "<script>hostile()</script>",
  `<img src="https://hostile.example/a.png" onerror="hostile()">`,
  `<img src=x onerror=hostile()>`,
  `<svg onload="hostile()"><script>hostile()</script></svg>`,
  `<iframe src="javascript:hostile()"></iframe>`,
  `<iframe srcdoc="<script>hostile()</script>"></iframe>`,
  `<object data="https://hostile.example/"></object><embed src="https://hostile.example/">`,
  `<link rel="stylesheet" href="https://hostile.example/a.css"><style>@import "https://hostile.example/b.css"; body { display: none }</style>`,
  `<meta http-equiv="refresh" content="0;url=https://hostile.example/">`,
  `<base href="https://hostile.example/">`,
  `<form action="https://hostile.example/"><input autofocus onfocus="hostile()"><button formaction="javascript:hostile()">Allow</button></form>`,
  `<details open ontoggle="hostile()"><summary>x</summary></details>`,
  `<a href="javascript:hostile()" onclick="hostile()">x</a>`,
  `<math><mi xlink:href="javascript:hostile()">x</mi></math><video><source onerror="hostile()"></video>`,
  `</code></pre></div><script>hostile()</script>`,
].join("\n\n");

const LINKS = [
  "[run](javascript:hostile())",
  "[run](JaVaScRiPt&colon;hostile())",
  "[run](java&#x73;cript:hostile())",
  "[run](<java\tscript:hostile()>)",
  "[run](vbscript:hostile())",
  "[run](data:text/html;base64,PHNjcmlwdD5ob3N0aWxlKCk8L3NjcmlwdD4=)",
  "[run](file:///etc/passwd)",
  "[run](//hostile.example/a)",
  "[run](/api/sessions)",
  "[run](blob:https://hostile.example/a)",
  "<javascript:hostile()>",
  "[named][hostile]",
  `[quoted](https://fine.example/" onclick="hostile())`,
  "[fine](https://fine.example/a?b=c&amp;d=e)",
  "<mailto:someone@fine.example>",
  "[hostile]: javascript:hostile()",
].join("\n\n");

const IMAGES = [
  "![far](https://hostile.example/pixel.png)",
  "![near](/api/sessions)",
  "![script](javascript:hostile())",
  `![svg](data:image/svg+xml;base64,${btoa(SVG)})`,
  `![svg](data:image/svg+xml;utf8,${encodeURIComponent(SVG)})`,
  "![html](data:text/html;base64,PHNjcmlwdD5ob3N0aWxlKCk8L3NjcmlwdD4=)",
  `![pixel](data:image/png;base64,${PIXEL})`,
  `[![far](https://hostile.example/b.png)](javascript:hostile())`,
].join("\n\n");

const TERMINAL = [
  "\u001b[31mred\u001b[0m \u001b]0;a title\u0007 \u001b]8;;javascript:hostile()\u0007link\u001b]8;;\u0007",
  "\u001b[2J\u001b[H\u001b[8mhidden\u001b[0m \u001b]52;c;aG9zdGlsZQ==\u0007 \u001bP1$r\u001b\\ \u009b31m",
  "harmless\rhostile \b\b\b \u202etxt.exe",
].join("\n");

const FENCES = [
  "```html onload=hostile()\n<script>hostile()</script>\n```",
  '```"><script>hostile()</script>\n<b>\n```',
  "```js\n</code></pre><script>hostile()</script>\nhostile()\n```",
  `| <script>hostile()</script> | ${"`</td>`"} |\n| --- | --- |\n| <img src=x onerror=hostile()> | ![far](https://hostile.example/c.png) |`,
  `- [ ] <script>hostile()</script>\n- [x] [run](javascript:hostile())`,
].join("\n\n");

const HUGE = [
  "a".repeat(100_000),
  "<b>".repeat(5_000),
  "[".repeat(10_000),
  "> ".repeat(3_000),
  "*a".repeat(6_000),
].join("\n\n");

/** All short hostile texts. */
export const HOSTILE = [HTML, LINKS, IMAGES, TERMINAL, FENCES, DISGUISED].join("\n\n");

export const HOSTILE_TITLE = `<img src=x onerror=hostile()> \u202eeltit`;

const INPUT = {
  command: `${DISGUISED}; ${HOSTILE}`,
  description: HOSTILE,
  file_path: `/tmp/<img src=x onerror=hostile()>\u202e.ts`,
  content: HOSTILE,
  old_string: HOSTILE,
  new_string: `${HOSTILE}\nmore`,
  url: "javascript:hostile()",
  pattern: HOSTILE,
  prompt: HOSTILE,
  todos: [{ content: HOSTILE, status: "pending", activeForm: HOSTILE }],
  [`<script>hostile()</script>`]: HOSTILE,
};

const NAMES = [
  "Bash",
  "Write",
  "Edit",
  "WebFetch",
  "Grep",
  "Read",
  "TodoWrite",
  "mcp__<b>__<script>",
];

const IMAGE = {
  type: "image",
  source: { type: "base64", media_type: "image/svg+xml", data: btoa(SVG) },
};

/** A turn full of it, which ends with a prompt that stays open. */
export const HOSTILE_TURN: readonly object[] = [
  ...opened(
    reply(thought(HOSTILE), text(HOSTILE)),
    reply(text(HUGE)),
    reply(...NAMES.map((name, at) => call(`$toolu_${at}`, name, INPUT))),
    ...NAMES.map((_, at) =>
      result(`$toolu_${at}`, [{ type: "text", text: HOSTILE }, IMAGE], {
        stdout: HOSTILE,
        stderr: TERMINAL,
        content: HOSTILE,
        filePath: INPUT.file_path,
      }),
    ),
    asks(
      "prompt-1",
      permission("$toolu_9", "Bash", INPUT, {
        description: HOSTILE,
        decision_reason: HOSTILE,
        permission_suggestions: [
          {
            type: "addRules",
            destination: "session",
            behavior: "allow",
            rules: [{ toolName: "Bash", ruleContent: DISGUISED }],
          },
        ],
      }),
    ),
  ),
  answered("prompt-1"),
  HOLD,
];
