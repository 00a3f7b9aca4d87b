import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { REPOSITORY } from "./dependencies.mjs";

/** Longest time that filling and starting may take, in milliseconds. */
const START_MS = 300_000;
const ASK_EVERY_MS = 500;

/**
 * A TCP port that nothing listens on, from below those that the system gives to outgoing
 * connections: the installation listens only once it is filled.
 */
export async function freePort() {
  return new Promise((resolve) => {
    const port = randomInt(20_000, 32_768);
    const server = createServer();
    server.once("error", () => resolve(freePort()));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(port)));
  });
}

/**
 * Fill an installation of its own as the browser tests do, and serve it.
 *
 * @returns Its address, and a function that ends and removes it.
 */
export async function startInstallation() {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "liuying-bench-"));
  const program = join(REPOSITORY, ".venv", "bin", "python");
  const filler = join(REPOSITORY, "e2e", "fixtures", "serve.py");
  const server = spawn(program, [filler, folder, String(port)], { stdio: ["ignore", "ignore", "inherit"] });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  const stop = async () => {
    server.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    await answers(url, server);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}

async function answers(url, server) {
  const until = Date.now() + START_MS;
  while (Date.now() < until && server.exitCode === null) {
    try {
      if ((await fetch(`${url}/api/config`)).ok) return;
    } catch {
      // It does not listen yet.
    }
    await pause(ASK_EVERY_MS);
  }
  throw new Error("the installation does not answer");
}
