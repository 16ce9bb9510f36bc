#!/usr/bin/env python3
"""A chat in the terminal: a host of tugtalk in Python, with the standard library only.

    python3 chat.py                 talks to the simulator, which needs no account
    python3 chat.py npx tugtalk     talks to Claude, in the current folder

Each line that you type is a message, or the answer to a prompt. Ctrl-C interrupts Claude, Ctrl-D ends.
"""
import json
import signal
import subprocess
import sys

command = sys.argv[1:] or ["npx", "tugtalk", "simulate"]
pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "encoding": "utf-8"}
try:  # In a session of its own the bridge does not get Ctrl-C from the terminal.
    bridge = subprocess.Popen(command, **pipes, start_new_session=True)
except OSError as error:
    sys.exit(f"cannot start the bridge: {error}")
is_streaming = False  # Whether the text that is being printed goes on.


def send(**message):
    """Writes one message: a JSON object on a line of its own."""
    try:
        print(json.dumps(message), file=bridge.stdin, flush=True)
    except (OSError, ValueError):
        pass  # The bridge has ended. Its last messages, which are still to be read, say why.


def follow(is_last):
    """Shows messages up to the first one that `is_last` accepts; false if the bridge ends before that."""
    for line in bridge.stdout:
        message = json.loads(line)
        show(message)
        if is_last(message):
            return True
    return False


def show(message):
    """Handles one message of the bridge. A host ignores the types and fields that it does not know."""
    kind = message["type"]
    if kind == "assistant_text" and "parent_tool_use_id" not in message:  # With one, a subagent speaks.
        show_text(message)
    elif kind == "user_text" and message["kind"] == "command_output":  # Of a command, for example /context.
        print(message["text"])
    elif kind == "tool_use" and message["status"] == "complete":
        print("*", message["tool_name"], json.dumps(message["input"])[:100])
    elif kind == "tool_result":
        print("  failed:" if message["is_error"] else "  done:", message["output"][:100])
    elif kind == "control_request_forward":
        send(request_id=message["request_id"], **answer(message))
    elif kind == "elicitation_request":  # A form of an MCP server, which this host cannot show.
        send(type="elicitation_answer", request_id=message["request_id"], action="decline")
    elif kind == "turn_complete" and message["result"] != "success":
        print(f"[the turn ended: {message['result']}, {message['subtype']}]")
    elif kind == "turn_cancelled":
        print(f"[the turn was lost: {message['reason']}]")
    elif kind == "error":
        print(f"[{message['code']}: {message['message']}]", file=sys.stderr)


def show_text(message):
    """A text comes in pieces and then as a whole, or only as a whole."""
    global is_streaming
    was_streaming, is_streaming = is_streaming, message["is_partial"]
    text = message.get("text", "") if is_streaming or not was_streaming else ""
    print(text, end="" if is_streaming else "\n", flush=True)


def answer(prompt):
    """The answer to a permission prompt or to questions. Claude waits until it has one."""
    try:
        if prompt["is_question"]:
            answers = {each["question"]: choose(each) for each in prompt["input"]["questions"]}
            return {"type": "question_answer", "answers": answers}
        rules = prompt.get("permission_suggestions") or []  # Sent back, they mean "always".
        print(f"May {prompt['tool_name']} run? Input: {json.dumps(prompt['input'])}")
        print(f"y: yes; a: yes, and from here on {json.dumps(rules)}; other: no, for that reason")
        text = input("? ")
    except EOFError:  # Nobody is there to answer.
        return {"type": "tool_approval", "decision": "deny"}
    if text == "a":
        return {"type": "tool_approval", "decision": "allow", "updatedPermissions": rules}
    decision = {"decision": "allow"} if text == "y" else {"decision": "deny", "message": text or "No."}
    return {"type": "tool_approval", **decision}


def choose(question):
    """A label or other text, or a list of them where several may be chosen, with commas between them."""
    labels = {str(number): each["label"] for number, each in enumerate(question["options"], 1)}
    print(question["question"], *(f"  {number}. {label}" for number, label in labels.items()), sep="\n")
    text = input("? ")
    chosen = [labels.get(word.strip(), word.strip()) for word in text.split(",")]
    return chosen if question.get("multiSelect") else labels.get(text, text)


signal.signal(signal.SIGINT, lambda *_: send(type="interrupt"))
sys.stdout.reconfigure(errors="replace")  # A piece of a text may end between the two halves of an emoji.
send(type="protocol_init", version=2)
is_open = follow(lambda m: m["type"] == "session_state" and m["state"] == "idle")
try:
    while is_open:  # The last receipt of a message has one of these.
        send(type="user_message", text=input("> "))
        ends = ("completed", "cancelled", "rejected", "failed")
        is_open = follow(lambda m: m["type"] == "message_status" and m["status"] in ends)
except EOFError:
    pass
bridge.stdin.close()  # The bridge ends Claude and then itself; nothing needs to be killed.
follow(lambda m: False)
sys.exit(bridge.wait())
