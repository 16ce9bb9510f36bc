"""Gives commands to a host by the client of `examples/openapi.py`, one after the other.

A line of stdin is `{command, fields}`, a line of stdout `{status, body}`. A text is `{text}`.
Arguments: the folder of the examples, the address of the host, and its token.
"""
import json
import sys
import urllib.request

sys.path.insert(0, sys.argv[1])
import openapi  # noqa: E402

send = urllib.request.urlopen
latest = {}


def remember_status(request):
    """The client gives the body alone."""
    answer = send(request)
    latest["status"] = answer.status
    return answer


def run(host, command, fields):
    try:
        body = getattr(host, command)(**fields)
    except openapi.HostError as refusal:
        return {"status": refusal.status, "body": refusal.body}
    return {"status": latest["status"], "body": body if isinstance(body, dict) else {"text": body}}


urllib.request.urlopen = remember_status
host = openapi.Host(sys.argv[2], sys.argv[3])
for line in sys.stdin:
    print(json.dumps(run(host, **json.loads(line))), flush=True)
