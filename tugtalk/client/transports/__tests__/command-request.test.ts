import { expect, test } from "bun:test";
import { HOST_ROUTES, type HostCommand } from "../../host-routes.ts";
import { commandRequest } from "../command-request.ts";

/** The names of the table. */
const NAMES = Object.keys(HOST_ROUTES) as HostCommand[];

test.each(NAMES)("the request of the command %s has its method and a path without gaps", (name) => {
  const fields = { id: "s/1", message_id: "m", task_id: "t", extra: "é&" };
  const { method, path, body } = commandRequest(name, fields);
  expect(method).toBe(HOST_ROUTES[name].method);
  expect(path).not.toContain(":");
  const isInPath = HOST_ROUTES[name].path.includes(":id");
  expect(path.includes("/s%2F1")).toBe(isInPath);
  const rest =
    body === undefined
      ? Object.fromEntries(new URLSearchParams(path.split("?")[1]))
      : JSON.parse(body);
  expect(rest.extra).toBe("é&");
  expect("id" in rest).toBe(!isInPath);
});

test("a field of the body keeps its JSON type, and one that is undefined is left out", () => {
  const { path, body } = commandRequest("model", { id: "s", model: null, other: undefined });
  expect({ path, body }).toEqual({ path: "/api/sessions/s/model", body: '{"model":null}' });
});

test("a command without fields has no query, or an empty object as its body", () => {
  expect(commandRequest("sessions", {})).toEqual({ method: "GET", path: "/api/sessions" });
  expect(commandRequest("create", {}).body).toBe("{}");
});
