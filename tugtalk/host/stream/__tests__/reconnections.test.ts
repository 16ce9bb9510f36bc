/**
 * Clients of a real host whose connection is killed while a turn streams. The long ring does it a hundred
 * times.
 */
import { afterAll } from "bun:test";
import { endHosts } from "../../../testing/drivers/host-process.ts";
import { testReconnections } from "./support/reconnections.ts";

testReconnections(8);

afterAll(endHosts);
