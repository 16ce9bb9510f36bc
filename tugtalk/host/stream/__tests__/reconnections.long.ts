/** Clients of a real host whose connection is killed a hundred times while a turn streams. */
import { afterAll } from "bun:test";
import { endHosts } from "../../../testing/drivers/host-process.ts";
import { testReconnections } from "./support/reconnections.ts";

testReconnections(100);

afterAll(endHosts);
