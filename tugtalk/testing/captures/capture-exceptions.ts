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
    captures: [
      "resume_invalid__1",
      "resume_novalue__1",
      "resume_session_at__2",
      "no_persistence__2",
      "2.1.38/resume_kill_streaming__2",
      "2.1.330/fail_bad_user_config",
      // The first message ended the process before a turn began.
      "2.1.197/image_no_source",
    ],
  },
  {
    why: "a line that tugtalk never writes ended the process with a result",
    found: ["2 results, 1 completed turns"],
    captures: ["2.1.38/stdin_user_number_content", "2.1.197/stdin_user_number_content"],
  },
  {
    why: "Claude echoes a line of history without an id, which tugtalk never writes",
    found: ['block not emitted: {"value":"I said"}', "unknown: assistant/undefined"],
    captures: ["2.1.197/stdin_assistant_in", "2.1.330/stdin_assistant_in"],
  },
  {
    why: "the host wrote a result of a tool that was never called",
    found: ["tool result without a name: toolu_none"],
    captures: ["2.1.38/stdin_user_tool_result"],
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
    captures: [
      "2.1.38/interrupt_after_text_block",
      "2.1.38/interrupt_cancel_queued",
      "2.1.38/interrupt_streaming",
      "2.1.38/interrupt_streaming_eof",
      "2.1.38/interrupt_then_message_same_write",
      "2.1.38/interrupt_twice",
      "2.1.38/interrupt_with_queue",
      "2.1.38/message_then_interrupt_same_write",
      "2.1.38/resume_after_interrupt__1",
    ],
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
    captures: [
      "life_sighup_stream",
      "life_sigkill_stream",
      "life_sigquit_stream",
      "life_sigterm_stream",
      "resume_kill_streaming__1",
      "2.1.38/life_sigint_stream",
      "2.1.38/life_sigint_twice",
    ],
  },
  {
    why: "the process was killed or rejected a bad line while a tool ran or a prompt was open",
    found: ["turn cancelled: exited"],
    captures: [
      "life_sighup_tool",
      "life_sigkill_tool",
      "life_sigquit_tool",
      "life_sigterm_permission",
      "resume_after_kill__1",
      "2.1.197/ctl_model_number",
      "2.1.38/perm_bad_envelope",
      "2.1.197/perm_bad_envelope",
      "2.1.38/stdin_bad_json_plain",
    ],
  },
  {
    why: "the recorder left out the lines that hold the whole text and the result",
    found: ["emitted without a snapshot: a text", "turn cancelled: exited"],
    captures: ["perf_5000_deltas", "perf_5000_deltas_1ms", "perf_20000_deltas"],
  },
  {
    why: "the recorder left out the delta, the text and the results of two turns",
    found: [
      "emitted without a snapshot: an empty text",
      "emitted without a snapshot: an empty text",
      "turn cancelled: exited",
    ],
    captures: ["perf_one_big_delta_1mb"],
  },
  {
    why: "the recorder left out the text and the result",
    found: ["turn cancelled: exited"],
    captures: ["perf_5000_deltas_no_partial"],
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
