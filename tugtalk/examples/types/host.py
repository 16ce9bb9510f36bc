"""A host with the types that types.mjs makes: sends two messages, prints what Claude says, allows its
tools, and chooses the first answer to each question.

    python3 host.py                 talks to the simulator, which needs no account
    python3 host.py npx tugtalk     talks to Claude, in the current folder
"""

import json
import subprocess
import sys

from tugtalk import (
    AskUserQuestionInput,
    AssistantText,
    AssistantTextStatus,
    ControlRequestForward,
    ErrorMessage,
    OutboundMessage,
    ProtocolInit,
    QuestionAnswer,
    Shutdown,
    ToolApproval,
    ToolApprovalDecision,
    Unknown,
    UserMessageInput,
    from_json,
    to_json,
)

command = sys.argv[1:] or ["npx", "tugtalk", "simulate"]
bridge = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")


def send(message):
    bridge.stdin.write(json.dumps(to_json(message)) + "\n")
    bridge.stdin.flush()


def answer(prompt):
    if not prompt.is_question:
        print("*", prompt.tool_name)
        return ToolApproval(prompt.request_id, ToolApprovalDecision.ALLOW)
    questions = from_json(AskUserQuestionInput, prompt.input).questions
    return QuestionAnswer(prompt.request_id, {one.question: one.options[0].label for one in questions if one.options})


send(ProtocolInit(version=2))
send(UserMessageInput("Hello"))
send(UserMessageInput("Show me the tools"))
send(Shutdown(drain=True))  # To end after the answers.
for line in bridge.stdout:
    message = from_json(OutboundMessage, json.loads(line))
    if isinstance(message, AssistantText) and message.status == AssistantTextStatus.COMPLETE:
        print(message.text or "")
    elif isinstance(message, ControlRequestForward):  # Claude waits until it is answered.
        send(answer(message))
    elif isinstance(message, ErrorMessage):
        print(message.code.value, message.message, file=sys.stderr)
    elif isinstance(message, Unknown):  # Of a kind that these types do not know.
        print("left out:", message.raw, file=sys.stderr)
sys.exit(bridge.wait())
