#!/usr/bin/env python3
"""A client of `tugtalk host` that is made of its OpenAPI document: each operation is a method of it.

Needs Python 3.8 and nothing else. Finds the host as `session.py` does, sends a message, allows each tool
that Claude asks for, and prints what was said.
"""
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request


class HostError(Exception):
    """A refusal, with the status and the code."""

    def __init__(self, status, body):
        super().__init__(body["error"])
        self.status, self.code, self.body = status, body["code"], body


class Host:
    """`host.message(id=…, message="Hello")` is the operation `message`; its answer is JSON or a text."""

    def __init__(self, url, token):
        self.url, self.token = url, token
        self.document = self._send("GET", "/api/openapi.json")
        self.operations = {}
        for path, item in self.document["paths"].items():
            for method in set(item) - {"parameters"}:
                places = self._places(item.get("parameters", []) + item[method].get("parameters", []))
                self.operations[item[method]["operationId"]] = (method.upper(), path, places)

    def __getattr__(self, name):
        if name not in self.operations:
            raise AttributeError(f"the host has no operation {name}")
        return lambda **fields: self._call(*self.operations[name], fields)

    def _places(self, parameters):
        """Where each parameter belongs: in the path, the query or a header. All other fields are those of the body."""
        shared = self.document["components"]["parameters"]
        found = [shared[one["$ref"].split("/")[-1]] if "$ref" in one else one for one in parameters]
        return {one["name"]: one["in"] for one in found}

    def _call(self, method, path, places, fields):
        given = {"path": {}, "query": {}, "header": {}, "body": {}}
        for name, value in fields.items():
            given[places.get(name, "body")][name] = value
        for name, value in given["path"].items():
            path = path.replace("{%s}" % name, urllib.parse.quote(value, safe=""))
        as_text = lambda one: str(one).lower() if isinstance(one, bool) else one
        words = {name: as_text(one) for name, one in given["query"].items()}
        query = "?" + urllib.parse.urlencode(words) if words else ""
        return self._send(method, path + query, given["body"] or None, given["header"])

    def _send(self, method, path, body=None, headers=None):
        headers = {"authorization": f"Bearer {self.token}", **(headers or {})}
        if body is not None:
            headers["content-type"] = "application/json"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request) as answer:
                text, kind = answer.read().decode(), answer.headers["content-type"] or ""
        except urllib.error.HTTPError as refusal:
            raise HostError(refusal.code, json.load(refusal)) from None
        return json.loads(text) if kind.startswith("application/json") else text


def talk(host, text):
    """One turn of a new session, which is deleted at the end."""
    session = host.create()["id"]
    host.message(id=session, message=text)
    while host.session(id=session)["state"] not in ("idle", "exited", "failed"):
        for prompt in host.pending(id=session)["pending"]:
            if prompt["type"] == "approval":
                print(f"allowed: {prompt['toolName']}")
                host.approve(id=session, request_id=prompt["requestId"], decision="allow")
        time.sleep(0.1)
    state = host.snapshot(id=session)["state"]
    for entry in state["entries"] + state["openEntries"]:
        for item in entry["items"]:
            if item["kind"] in ("user", "text"):
                print(f"{item['kind']}: {item['text']}")
            elif item["kind"] == "tool":
                print(f"tool: {item['name']} {item['status']}")
    host.delete(id=session, keep=False)


def main():
    url = os.environ.get("TUGTALK_HOST", "http://127.0.0.1:7717")
    state = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    path = os.environ.get("TUGTALK_TOKEN_FILE", os.path.join(state, "tugtalk", "host", "token"))
    with open(path, encoding="utf-8") as file:
        host = Host(url, file.read().strip())
    talk(host, " ".join(sys.argv[1:]) or "Write a note")


if __name__ == "__main__":
    main()
