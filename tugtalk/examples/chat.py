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

COMMAND = sys.argv[1:] or ["npx", "tugtalk", "simulate"]
FINAL = ("completed", "cancelled", "rejected", "failed")  # The last receipt of a message is one of these.

# In a session of its own the bridge does not get Ctrl-C from the terminal: the host decides what it means.
try:
    bridge = subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", start_new_session=True
    )
except OSError as error:
    sys.exit(f"cannot start the bridge: {error}")
is_streaming = False  # Whether the text that is being printed goes on.


def send(**message):
    """Writes one message: a JSON object on a line of its own."""
    try:
        bridge.stdin.write(json.dumps(message) + "\n")
        bridge.stdin.flush()
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
    elif kind == "user_text" and message["kind"] == "command_output":  # Of a command such as /context.
        print(message["text"])
    elif kind == "tool_use" and message["status"] == "complete":
        print("*", message["tool_name"], json.dumps(message["input"])[:100])
    elif kind == "tool_result":
        print("  failed:" if message["is_error"] else "  done:", message["output"][:100])
    elif kind == "control_request_forward":
        answer(message)
    elif kind == "elicitation_request":  # A form of an MCP server, which this host cannot show.
        send(type="elicitation_answer", request_id=message["request_id"], action="decline")
    elif kind == "turn_complete" and message["result"] != "success":
        print(f"[the turn ended: {message['result']}, {message['subtype']}]")
    elif kind == "turn_cancelled":
        print(f"[the turn was lost: {message['reason']}]")
    elif kind == "error":
        print(f"[{message['code']}: {message['message']}]", file=sys.stderr)


def show_text(message):
    """A text comes in pieces (partial) and then as a whole (complete), or only as a whole."""
    global is_streaming
    was_streaming, is_streaming = is_streaming, message["status"] == "partial"
    if is_streaming or not was_streaming:
        print(message.get("text", ""), end="", flush=True)
    if not is_streaming:
        print()


def answer(prompt):
    """Answers a permission prompt or a question. Claude waits until it has an answer."""
    reply = {"type": "tool_approval", "request_id": prompt["request_id"], "decision": "deny"}
    try:
        if prompt["is_question"]:
            answers = {each["question"]: choose(each) for each in prompt["input"]["questions"]}
            reply = {"type": "question_answer", "request_id": prompt["request_id"], "answers": answers}
        else:
            reply.update(decide(prompt))
    except EOFError:  # Nobody is there to answer.
        pass
    send(**reply)


def decide(prompt):
    """What the user says about a tool. "Always" accepts the rules that Claude suggests."""
    rules = prompt.get("permission_suggestions", [])
    print(f"May {prompt['tool_name']} run? Input: {json.dumps(prompt['input'])}")
    print(f"y: yes; a: yes, and from here on {json.dumps(rules)}; other: no, for that reason")
    text = input("? ")
    if text == "a":
        return {"decision": "allow", "updatedPermissions": rules}
    return {"decision": "allow"} if text == "y" else {"message": text or "No."}


def choose(question):
    """The answer to one question: a label or other text, and a list of them where several may be chosen."""
    labels = {str(number): each["label"] for number, each in enumerate(question["options"], 1)}
    print(question["question"], *(f"  {number}. {label}" for number, label in labels.items()), sep="\n")
    if not question.get("multiSelect"):
        text = input("? ")
        return labels.get(text, text)
    words = [word.strip() for word in input("? ").split(",")]
    return [labels.get(word, word) for word in words]


signal.signal(signal.SIGINT, lambda *_: send(type="interrupt"))
sys.stdout.reconfigure(errors="replace")  # A piece of a text may end between the two halves of an emoji.

send(type="protocol_init", version=2)
is_open = follow(lambda m: m["type"] == "session_state" and m["state"] == "idle")
try:
    while is_open:
        send(type="user_message", text=input("> "))
        is_open = follow(lambda m: m["type"] == "message_status" and m["status"] in FINAL)
except EOFError:
    pass
bridge.stdin.close()  # The bridge ends Claude and then itself; nothing needs to be killed.
follow(lambda m: False)
sys.exit(bridge.wait())
