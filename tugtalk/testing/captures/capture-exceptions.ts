/**
 * The captures whose conversation was cut short, each with the exact violations that `capture-check.ts`
 * finds. Keys are `<version>/<scenario>`, or only the scenario where all versions agree.
 */

type Outcome = {
  readonly why: string;
  readonly found: readonly string[];
  readonly captures: readonly string[];
};

const OUTCOMES: readonly Outcome[] = [
  {
    why: "Claude did not start: its result is part of the failure, and no turn was open",
    found: ["1 results, 0 completed turns"],
    captures: ["resume_invalid__1", "2.1.197/image_no_source"],
  },
  {
    why: "Claude echoes a line of history without an id, which tugtalk never writes",
    found: ['block not emitted: {"value":"I said"}', "unknown: assistant/undefined"],
    captures: ["2.1.197/stdin_assistant_in", "2.1.330/stdin_assistant_in"],
  },
  {
    why: "the stream was cut, and Claude started the response again",
    found: ["abandoned: assistant_text"],
    captures: ["api_stream_cut"],
  },
  {
    why: "the stream was cut in the input of a tool, and Claude started the response again",
    found: ["abandoned: tool_use"],
    captures: ["api_stream_cut_tool"],
  },
  {
    why: "2.1.38 drops the text that streams when it is interrupted",
    found: ["abandoned: assistant_text"],
    captures: ["2.1.38/interrupt_streaming"],
  },
  {
    why: "no version keeps the thinking that streams when it is interrupted",
    found: ["abandoned: thinking_text"],
    captures: ["interrupt_thinking"],
  },
  {
    why: "no version keeps the tool input that streams when it is interrupted",
    found: ["abandoned: tool_use"],
    captures: ["interrupt_tool_input"],
  },
  {
    why: "the process was killed in a stream",
    found: ["abandoned: assistant_text", "turn cancelled: exited"],
    captures: ["life_sigterm_stream"],
  },
  {
    why: "the process was killed or rejected a bad line while a tool ran or a prompt was open",
    found: ["turn cancelled: exited"],
    captures: ["life_sigkill_tool"],
  },
  {
    why: "an empty text gets no snapshot",
    found: ["emitted without a snapshot: an empty text"],
    captures: ["api_empty_text"],
  },
];

const EXPECTED = new Map(
  OUTCOMES.flatMap(({ found, captures }) => captures.map((capture) => [capture, found] as const)),
);

/** The expected violations of a capture; none for nearly all of them. */
export function expectedFaults(capture: string): readonly string[] {
  const [, scenario = ""] = capture.split("/");
  return EXPECTED.get(capture) ?? EXPECTED.get(scenario) ?? [];
}
