import assert from "node:assert/strict";
import test from "node:test";
import { addressIn, isLoopback, joinAt, shortAddress } from "../../../static/js/live/address.js";

test("an address is read with or without its scheme, and without what follows the port", () => {
  const read = (/** @type {string} */ typed) => addressIn(typed, "http:");
  assert.equal(read(" 192.168.1.20:8000 "), "http://192.168.1.20:8000");
  assert.equal(read("http://192.168.1.20:8000/join"), "http://192.168.1.20:8000");
  assert.equal(read("https://school.example/"), "https://school.example");
  assert.equal(addressIn("desk.local", "https:"), "https://desk.local");
  for (const typed of ["", "two words", "ftp://a", "http://", "http://you@a", "a:99999"])
    assert.equal(read(typed), null, typed);
});

test("what means each device itself is told from what others can open", () => {
  const of = (/** @type {string} */ host) => isLoopback(`http://${host}:8000/join`);
  for (const host of ["localhost", "127.0.0.1", "127.1.2.3", "[::1]", "0.0.0.0", "a.localhost"])
    assert.equal(of(host), true, host);
  for (const host of ["192.168.1.20", "school.example", "localhost.example"])
    assert.equal(of(host), false, host);
});

test("the teacher's address takes the place of the one that the server found", () => {
  assert.equal(shortAddress("https://a.b:1/join"), "a.b:1/join");
  assert.equal(joinAt({ address: "http://a.b:1" }, "127.0.0.1/join"), "a.b:1/join");
  assert.equal(joinAt({ address: null }, "127.0.0.1/join"), "127.0.0.1/join");
  assert.equal(joinAt(null, "127.0.0.1/join"), "127.0.0.1/join");
});
