/**
 * The kinds of line that lead to no message, each with the reason. Brackets name the case in which this
 * holds. Every other line leads to a message (guarantee 5). The reference of the wire has the same table.
 */
export const IGNORED_KINDS: Readonly<Record<string, string>> = {
  keep_alive: "carries no information",
  transcript_mirror: "a copy of the transcript; tugtalk never enables it",
  "stream_event/message_start": "the following blocks name their message",
  "stream_event/message_delta":
    "`cost_update` has the final usage, `message_complete` the stop reason",
  "stream_event/message_stop": "its blocks have ended already, and `message_complete` ends it",
  "stream_event/ping": "carries no information",
  "stream_event/content_block_start (no tool call)": "the first delta names the block",
  "stream_event/content_block_stop": "the complete block ends it",
  "stream_event/content_block_delta/signature_delta": "signatures are for the API only",
  "stream_event/content_block_delta/citations_delta": "the complete block has the text",
  "stream_event/content_block_delta (without text)": "carries no content",
  "stream_event/content_block_delta/input_json_delta (tool_input_deltas off)":
    "the complete input comes with the `tool_use`",
  "stream_event (of no message that is open)": "its block has ended, or never started",
  "system/status/requesting": "`session_state` has the state",
  "system/status/null": "`session_state` has the state",
  "user/isReplay":
    "the echo of a host message, of a prompt command, or of `Set model to …`; output that a compaction keeps",
  "user (no block)": "has no content",
  "assistant (no block)": "has no content",
  "assistant (output that a compaction keeps)": "was printed before, with the same uuid",
  "result (before Claude was ready)": "its text is in the `error` of the failed start",
  "control_response (echo)": "the echo of a response of tugtalk",
  "control_response (late or repeated)": "the request is settled already",
  "control_response (to a request of tugtalk's own)": "the host did not send the request",
  "control_request for a person (repeated)": "the prompt was forwarded before",
  "control_request for a person (while Claude is being ended)":
    "its stdin is closed, so no answer can reach it",
  "control_request/mcp_message (no call for the host)":
    "tugtalk answers it, as the server of the host's tools",
  "control_request/hook_callback (no hook of the host)": "tugtalk has Claude go on",
  "control_cancel_request (no open prompt)": "there is no open prompt to close",
};
