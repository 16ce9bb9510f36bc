/**
 * The one list of what Claude prints and a host is told nothing of, each with the reason. A line is
 * of one of these kinds or leads to a message (guarantee 5). PROTOCOL.md has the same table.
 */

/**
 * Kind, and why it means nothing to a host. What follows a kind in brackets is the case in which it
 * means nothing; in all others it leads to a message.
 */
export const IGNORED_KINDS: Readonly<Record<string, string>> = {
  keep_alive: "says only that Claude is there",
  transcript_mirror: "a copy of the transcript, which nobody asked for",
  "stream_event/message_start": "the blocks that follow name their message",
  "stream_event/message_delta": "the result has the final usage, `turn_complete` the stop reason",
  "stream_event/message_stop": "the blocks of the message have ended by themselves",
  "stream_event/ping": "says only that the API is there",
  "stream_event/content_block_start (no tool call)": "the first delta names the block",
  "stream_event/content_block_stop": "the whole block ends it",
  "stream_event/content_block_delta/signature_delta": "a signature is for the API only",
  "stream_event/content_block_delta/citations_delta": "the whole block has the text",
  "stream_event/content_block_delta (without text)": "adds nothing",
  "stream_event/content_block_delta/input_json_delta (tool_input_deltas off)":
    "the whole input comes with the `tool_use`",
  "stream_event (of no message that is open)": "its block has ended, or was never begun",
  "system/status/requesting": "the turn is running, which `session_state` says",
  "system/status/null": "`session_state` says what is done instead",
  "user/isReplay":
    "the echo of a message of the host's, of a prompt command, or of `Set model to …`",
  "user (no block)": "says nothing",
  "assistant (no block)": "says nothing",
  "result (before Claude was ready)": "its words are in the `error` of the failed start",
  "control_response (echo)": "an answer of ours, repeated",
  "control_response (late or repeated)": "the request was settled before",
  "control_response (to a request of tugtalk's own)": "the host did not ask",
  "control_request for a person (repeated)": "the prompt was forwarded, and is open or settled",
  "control_request for a person (while Claude is being ended)":
    "its stdin is closed, so no answer could reach it",
  "control_cancel_request (no open prompt)": "nothing is open that it could close",
};
