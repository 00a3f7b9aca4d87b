import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request as ask } from "node:http";
import { createServer } from "node:https";
import { type AddressInfo, createServer as createProbe } from "node:net";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import {
  expect,
  oneTimeAddress,
  openPage,
  test,
  virtualAuthenticator,
} from "../fixtures/console.ts";
import { consoleEnvironment } from "../fixtures/console-environment.ts";

const NAME = "console.test";

async function freePort(): Promise<number> {
  const probe = createProbe();
  probe.listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

/** As nginx does: TLS in front of the console's own listener. */
async function tlsInFront(folder: string, target: number) {
  const server = createServer(
    {
      key: readFileSync(join(folder, "key.pem")),
      cert: readFileSync(join(folder, "certificate.pem")),
    },
    (incoming, outgoing) => {
      const { method, url, headers } = incoming;
      const passed = ask(
        { host: "127.0.0.1", port: target, method, path: url, headers },
        (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(outgoing);
        },
      );
      passed.on("error", () => outgoing.writeHead(502).end());
      incoming.pipe(passed);
    },
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, port: (server.address() as AddressInfo).port };
}

test("on a name over TLS a phone logs in, enrols a passkey and comes back with it", async ({}, info) => {
  const folder = info.outputPath("tls");
  const trusted = execFileSync("../.venv/bin/python", ["fixtures/certificate.py", folder, NAME], {
    encoding: "utf8",
  }).trim();
  const target = await freePort();
  const { server, port } = await tlsInFront(folder, target);
  const origin = `https://${NAME}:${port}`;
  // Another console process on the same installation, under another name.
  const environment = consoleEnvironment({
    LIUYING_CONSOLE_PORT: String(target),
    LIUYING_CONSOLE_ORIGIN: origin,
  });
  const console_ = spawn("../.venv/bin/liuying", ["console", "serve"], {
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(console_.stdout, "data");
  const browser = await chromium.launch({
    executablePath: process.env.E2E_CHROMIUM ?? "",
    args: [
      "--no-sandbox",
      `--host-resolver-rules=MAP ${NAME} 127.0.0.1`,
      `--ignore-certificate-errors-spki-list=${trusted}`,
    ],
  });
  try {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    await virtualAuthenticator(page);
    await page.goto(`${origin}/enter#${new URL(oneTimeAddress()).hash.slice(1)}`);
    await expect(page.getByRole("heading", { level: 1, name: "总览" })).toBeVisible();
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ name: "__Host-liuying_console", secure: true });
    await openPage(page, "登录与密钥");
    await page.getByRole("button", { name: "登记这台设备" }).click();
    await page.getByLabel(/名称/).fill("域名上的手机");
    await page.getByRole("button", { name: "登记", exact: true }).click();
    await expect(page.getByText("域名上的手机")).toBeVisible();
    await context.clearCookies();
    await page.goto(`${origin}/login`);
    await page.getByRole("button", { name: "用通行密钥登录" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "总览" })).toBeVisible();
  } finally {
    await browser.close();
    console_.kill();
    server.close();
  }
});
