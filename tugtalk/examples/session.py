#!/usr/bin/env python3
"""A client of the reference host in Python, with the standard library only. `tugtalk host` must run.

    python3 session.py                          lists the sessions
    python3 session.py "A message"              begins a session with this message
    python3 session.py "A message" <session>    goes on with a session

It prints the answer while it streams and asks about prompts. A lost connection loses nothing. TUGTALK_HOST
names another address, TUGTALK_TOKEN_FILE the file with its token; the host prints both.
"""
import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid

HOST = os.environ.get("TUGTALK_HOST", "http://127.0.0.1:7717")
STATE = os.environ.get("XDG_STATE_HOME", os.path.expanduser("~/.local/state"))
try:
    with open(os.environ.get("TUGTALK_TOKEN_FILE", f"{STATE}/tugtalk/host/token")) as token_file:
        TOKEN = token_file.read().strip()
except OSError as error:
    sys.exit(f"no token: {error}; start tugtalk host, or name the file that it prints in TUGTALK_TOKEN_FILE")
LOST = (OSError, http.client.HTTPException)
PROMPTS = ("control_request_forward", "elicitation_request", "dialog_request")


def request(method, path, body=None, **headers):
    """Opens the answer to a request. Raises HTTPError for a refusal, and one of LOST without an answer."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json", **headers}
    # A stream has a ping every 15 seconds: without a byte for much longer the connection is lost.
    return urllib.request.urlopen(urllib.request.Request(HOST + path, data, headers, method=method), timeout=40)


def call(method, path, body=None):
    with request(method, path, body) as answer:
        return json.load(answer)


def entries(session, cursor):
    """Yields the type and data of each journal entry after the cursor, once and in order."""
    while True:
        try:
            with request("GET", f"/api/sessions/{session}/events", **{"Last-Event-ID": cursor}) as stream:
                event = {}
                for line in stream:
                    name, _, value = line.decode().rstrip("\n").partition(": ")
                    if name:
                        event[name] = value
                        continue
                    if "event" in event:  # A ping has no fields.
                        cursor = event.get("id", cursor)
                        yield event["event"], json.loads(event["data"])
                    event = {}
        except urllib.error.HTTPError:
            raise  # The host does not have the session any more.
        except LOST:
            pass
        time.sleep(0.2)  # Then on from the last entry: the host knows it by its cursor.


def send(session, message):
    """The id under which the host has the message. With the same client_msg_id it takes it once only."""
    body = {"message": message, "client_msg_id": str(uuid.uuid4())}
    while True:
        try:
            return call("POST", f"/api/sessions/{session}/message", body)["message_id"]
        except urllib.error.HTTPError:
            raise
        except LOST:
            time.sleep(0.2)


def answer(session, kind, prompt):
    """Answers a prompt. Another client may be quicker; then the host says who."""
    body = {"request_id": prompt["request_id"]}
    if kind == "control_request_forward" and not prompt["is_question"]:
        print(f"\nMay {prompt['tool_name']} run? Input: {json.dumps(prompt['input'])}")
        text = ask("y: yes; other: no, for that reason")
        path, fields = "approve", {"decision": "allow"} if text == "y" else {"decision": "deny", "message": text or "No."}
    elif kind == "control_request_forward":
        answers = {each["question"]: ask(question_text(each)) for each in prompt["input"]["questions"]}
        path, fields = "answer", {"answers": answers}
    elif kind == "elicitation_request":  # A form of an MCP server, which this client cannot show.
        path, fields = "elicitation", {"action": "decline"}
    else:
        return
    try:
        call("POST", f"/api/sessions/{session}/{path}", {**body, **fields})
    except urllib.error.HTTPError as refusal:
        print(f"[{words(refusal)}]")


def ask(text):
    print(text)
    try:
        return input("? ")
    except EOFError:  # Nobody is there to answer.
        return ""


def question_text(question):
    return "\n  ".join([question["question"], *(each["label"] for each in question.get("options", []))])


def words(refusal):
    """The text of the host about a refusal, for people."""
    return json.load(refusal)["error"]


def talk(session, message):
    """Sends a message, shows the entries up to its last receipt, and returns that receipt."""
    cursor = call("GET", f"/api/sessions/{session}/snapshot")["cursor"]
    message_id = send(session, message)
    was_streaming = False  # A text comes in pieces and then as a whole, or only as a whole.
    for kind, data in entries(session, f"{cursor['epoch']}.{cursor['seq']}"):
        if kind == "assistant_text" and "parent_tool_use_id" not in data:  # With one, a subagent speaks.
            is_streaming = data["is_partial"]
            text = data.get("text", "") if is_streaming or not was_streaming else ""
            print(text, end="" if is_streaming else "\n", flush=True)
            was_streaming = is_streaming
        elif kind == "tool_result":
            print("* failed:" if data["is_error"] else "* done:", data["output"][:100])
        elif kind in PROMPTS:
            answer(session, kind, data)
        elif kind == "resume" and data["result"] == "gap":  # The host does not keep the cursor any more, and gives its state instead.
            print("[a part of the answer was missed]")
        elif kind == "message_status" and data["message_id"] == message_id:
            if data["status"] in ("completed", "cancelled", "rejected", "failed"):
                return data["status"]


try:
    if len(sys.argv) == 1:
        for each in call("GET", "/api/sessions")["sessions"]:
            print(each["id"], each["state"], each["title"] or "(no title)", sep="  ")
    else:
        session_id = sys.argv[2] if len(sys.argv) > 2 else call("POST", "/api/sessions", {})["id"]
        print(session_id)
        status = talk(session_id, sys.argv[1])
        sys.exit(0 if status == "completed" else f"[the message: {status}]")
except urllib.error.HTTPError as refusal:
    sys.exit(words(refusal))
except LOST as error:
    sys.exit(f"no host at {HOST}: {error}")
