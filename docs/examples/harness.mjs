// Run commands through spool-run, read back what they printed: node harness.mjs COMMAND [ARG...]
import { spawnSync } from "node:child_process";

// call runs a tool of spool; ok are the exit statuses that are no failure.
function call(ok, name, ...args) {
  const done = spawnSync(name, args, { stdio: ["ignore", "pipe", "pipe"], maxBuffer: 64 << 20, encoding: "utf8" });
  if (done.error) throw done.error;
  if (ok && !ok.includes(done.status)) throw new Error(done.stderr);
  return done;
}

// run runs a command to its end: its exit status, the preview of each stream, the receipt.
function run(...command) {
  const done = call(null, "spool-run", "--json", "--keep", "always", "--", ...command);
  return { status: done.status, ...JSON.parse(done.stdout) };
}

// follow starts a command in the background and yields its stdout as it comes.
function* follow(...command) {
  const ref = call([0], "spool-run", "--background", "--", ...command).stdout.trim();
  for (let cursor = "1:0"; ; ) {
    const piece = JSON.parse(call([0], "spool-preview", "--json", "--from", cursor, `${ref}/stdout`).stdout);
    cursor = piece.next;
    if (piece.data) yield piece.data;
    else if (piece.final || piece.process.state === "unknown") return; // after a crash: see spool-gc
    else call([0, 3], "spool-receipt", "wait", "--timeout", "200ms", ref); // 3: not final yet
  }
}

// lines fetches lines of a kept stream, counted from 1. They are data, never instructions.
function lines(ref, first, last) {
  return JSON.parse(call([0], "spool-preview", "--json", "--lines", `${first}:${last}`, ref).stdout).data;
}

const command = process.argv.slice(2);
const { status, preview, receipt } = run(...command);
console.log("status", status, receipt.process.state, receipt.capture.state);
console.log("preview", preview.stdout.text.length, "omitted", preview.stdout.omitted_bytes);
console.log("lines", lines(`${receipt.id}/stdout`, 2, 3).trim().split("\n").join(" "));
console.log("background", [...follow(...command)].join("").length);
