// A film sent by the console's page in Chromium, whose tab, connection and server are killed again
// and again: what arrives must be the film, byte for byte.
//
//   node bench/web/upload-tabs.mjs [GIGABYTES] [KILLS OF EACH]
import { execFileSync, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  createReadStream,
  existsSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { CHROMIUM, CHROMIUM_ARGUMENTS, chromium, REPOSITORY } from "./dependencies.mjs";
import { freePort } from "./installation.mjs";

const [gigabytes = "5", kills = "20"] = process.argv.slice(2);
const SIZE = Math.round(Number(gigabytes) * 1e9);
const BLOCK = 1024 * 1024;
const PATIENCE_MS = 300_000;
const OFFLINE_MS = 1000;
const PROGRAM = join(REPOSITORY, ".venv", "bin", "liuying");

function makeFilm(target) {
  const file = openSync(target, "w");
  const hash = createHash("sha256");
  for (let left = SIZE; left > 0; left -= BLOCK) {
    const block = randomBytes(Math.min(BLOCK, left));
    hash.update(block);
    writeSync(file, block);
  }
  closeSync(file);
  return hash.digest("hex");
}

async function hashOf(path) {
  const hash = createHash("sha256");
  for await (const block of createReadStream(path)) hash.update(block);
  return hash.digest("hex");
}

async function until(isSo, what) {
  const end = Date.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`${what} never was`);
    await pause(100);
  }
}

/** The console as a process on a port that stays the same. */
class Console {
  constructor(folder, port) {
    this.url = `http://localhost:${port}`;
    this.environment = {
      ...process.env,
      LIUYING_DATA_DIR: folder,
      LIUYING_CONSOLE_PORT: String(port),
      LIUYING_TRUSTED_PROXIES: "127.0.0.0/8",
    };
  }

  run(...command) {
    return execFileSync(PROGRAM, command, { env: this.environment, encoding: "utf8" });
  }

  async start() {
    this.process = spawn(PROGRAM, ["console", "serve"], { env: this.environment, stdio: "ignore" });
    await until(
      () => fetch(`${this.url}/login`).then(
        () => true,
        () => false,
      ),
      "the console",
    );
  }

  async kill() {
    const ended = new Promise((resolve) => this.process.once("exit", resolve));
    this.process.kill("SIGKILL");
    await ended;
  }
}

/** The upload as the server has it; null while it cannot say. */
async function uploadOf(context, url) {
  try {
    const answer = await context.request.get(`${url}/api/uploads`, {
      headers: { "x-background": "1" },
    });
    return (await answer.json()).rescont.data[0] ?? null;
  } catch {
    return null;
  }
}

/** Chooses the film in a new tab, or goes on with one that stands still. */
async function send(context, url, film, old) {
  await old?.close().catch(() => {});
  const page = await context.newPage();
  await page.goto(`${url}/uploads`);
  await page.locator('input[type="file"]').first().setInputFiles(film);
  return page;
}

async function main() {
  const folder = mkdtempSync(join(tmpdir(), "liuying-upload-tabs-"));
  const film = join(folder, "film.mp4");
  const wanted = makeFilm(film);
  const desk = new Console(join(folder, "data"), await freePort());
  desk.run("migrate");
  await desk.start();
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_ARGUMENTS });
  try {
    const context = await browser.newContext();
    const first = await context.newPage();
    await first.goto(JSON.parse(desk.run("console", "--json")).url);
    await first.getByRole("heading", { level: 1, name: "总览" }).waitFor();
    await first.close();
    const faults = Array.from({ length: Number(kills) }, () => ["tab", "connection", "server"]).flat();
    const began = Date.now();
    let page = await send(context, desk.url, film);
    for (const [number, fault] of faults.entries()) {
      const from = (SIZE * (number + 0.3 + 0.4 * Math.random())) / (faults.length + 1);
      await until(async () => {
        const upload = await uploadOf(context, desk.url);
        const goOn = page.getByRole("button", { name: /^继续/ }).first();
        if (await goOn.isVisible()) await goOn.click();
        return upload !== null && upload.received >= from;
      }, `byte ${from}`);
      if (fault === "tab") page = await send(context, desk.url, film, page);
      else if (fault === "connection") {
        await context.setOffline(true);
        await pause(OFFLINE_MS);
        await context.setOffline(false);
      } else {
        await desk.kill();
        await desk.start();
      }
    }
    const arrived = join(folder, "data", "inbox", wanted);
    await until(async () => {
      const goOn = page.getByRole("button", { name: /^继续/ }).first();
      if (await goOn.isVisible()) await goOn.click();
      return existsSync(arrived);
    }, "the whole film");
    const seconds = (Date.now() - began) / 1000;
    if ((await hashOf(arrived)) !== wanted) throw new Error("what arrived is not what was sent");
    console.log(
      `${(SIZE / 1e9).toFixed(2)} GB; tab, connection and server killed ${kills} times each: identical, ${seconds.toFixed(0)} s`,
    );
  } finally {
    await browser.close();
    await desk.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
