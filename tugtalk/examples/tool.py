#!/usr/bin/env python3
"""A host of tugtalk that gives Claude a tool, and stands at a hook: python3 tool.py "What time is it?" npx tugtalk"""
import datetime
import json
import subprocess
import sys

text, *command = sys.argv[1:]
bridge = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")


def send(**message):
    print(json.dumps(message), file=bridge.stdin, flush=True)


clock = {"name": "clock", "description": "The time of day.", "input_schema": {"type": "object"}, "permission": "allow"}
guard = {"hook_id": "guard", "event": "PreToolUse", "matcher": "Bash"}
send(type="protocol_init", version=2, options={"host_tools": [clock], "host_hooks": [guard]})
send(type="user_message", text=text)
for line in bridge.stdout:
    message = json.loads(line)
    kind = message["type"]
    if kind == "host_tool_request":
        now = f"{datetime.datetime.now():%H:%M}"
        send(type="host_tool_answer", request_id=message["request_id"], text=now)
    elif kind == "hook_request":
        reason = f"Not here: {message['input']['tool_input']['command']}"
        send(type="hook_answer", request_id=message["request_id"], decision="deny", reason=reason)
    elif kind == "tool_result":
        print(f"* {message.get('tool_name')}: {message['output']}")
    elif kind == "control_request_forward":
        send(type="tool_approval", request_id=message["request_id"], decision="deny")
    elif kind in ("turn_complete", "turn_cancelled", "error"):
        print(message.get("text") or message.get("message"))
        break
bridge.stdin.close()
sys.exit(bridge.wait())
