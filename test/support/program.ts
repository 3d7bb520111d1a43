import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { loadCommands } from '../../src/cli/commands.ts'
import { runCommand } from '../../src/cli/run.ts'
import { endWithFile } from './children.ts'
import { endWithWorker } from './end-with-worker.ts'
import { type CatalogueSize, copyFilled } from './filled-database.ts'
import { freePort } from './postgres.ts'
import { RUN_MARKER, SHARED_MARKER } from './process-markers.ts'
import { secretKeyFor } from './secret-key.ts'

/** The executable built by the test runner, which starts in half the time, or the program from source. */
export const PROGRAM = process.env.TEST_PROGRAM ?? join(import.meta.dir, '../../bin/device-intelligence')

/** Only a hang reaches this limit: a start takes less than a second on an idle machine. */
const START_LIMIT_MS = 200_000
const LAST_OUTPUT_MS = 1_000

export type Lifetime = 'file' | 'worker'

export type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string }

/** Removes settings of the machine, so that they cannot affect a test. */
function cleanEnvironment(environment: Record<string, string>): Record<string, string> {
  const run = process.env[RUN_MARKER]
  return {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '/',
    ...(run ? { [RUN_MARKER]: run } : {}),
    SECRET_KEY: secretKeyFor(environment.DATABASE_URL),
    ...environment,
  }
}

/** Runs a command of the real program. */
export async function runProgram(
  args: string[],
  environment: Record<string, string> = {},
  command = [PROGRAM],
): Promise<Ran> {
  const child = endWithFile(
    Bun.spawn([...command, ...args], {
      env: cleanEnvironment(environment),
      cwd: tmpdir(),
      stdout: 'pipe',
      stderr: 'pipe',
    }),
  )
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, stdout, stderr }
}

/**
 * Runs the same command in this process, which takes a tenth of the CPU time. Its output lacks only the progress lines.
 */
export async function runInProcess(args: string[], environment: Record<string, string> = {}): Promise<Ran> {
  const stdout = new Collector()
  const stderr = new Collector()
  const code = await runCommand(await loadCommands(args[0]), args, cleanEnvironment(environment), { stdout, stderr })
  return { code, stdout: stdout.text, stderr: stderr.text }
}

class Collector extends Writable {
  text = ''
  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.text += chunk.toString()
    done()
  }
}

export type RunningProgram = {
  readonly url: string
  readonly dataDir: string
  readonly environment: Record<string, string>
  readonly pid: number
  readonly stdout: () => string
  readonly stderr: () => string
  readonly exited: Promise<number>
  kill(signal: NodeJS.Signals): void
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number>
}

export function newDataDir(): string {
  return mkdtempSync(join(tmpdir(), 'di-process-'))
}

/** A folder with a prepared database, if the run has one, because creating the catalogue makes the first start slow. */
export function filledDataDir(size: CatalogueSize = 'full'): string {
  const dataDir = newDataDir()
  copyFilled(dataDir, size)
  return dataDir
}

/**
 * Starts the real program on a free port; resolves when it listens. Without a `DATA_DIR` it has the small catalogue. It
 * ends with the test file, or with the worker if several files share it.
 */
export async function startProgram(
  environment: Record<string, string> = {},
  command = [PROGRAM],
  lifetime: Lifetime = 'file',
): Promise<RunningProgram> {
  const dataDir = environment.DATA_DIR ?? filledDataDir('small')
  const full = { DATA_DIR: dataDir, PORT: String(await freePort()), DRAIN_S: '0', ...environment }
  const child = Bun.spawn([...command, 'serve'], {
    env: { ...cleanEnvironment(full), ...(lifetime === 'worker' ? { [SHARED_MARKER]: '1' } : {}) },
    cwd: tmpdir(),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  if (lifetime === 'file') endWithFile(child)
  else endWithWorker(child.pid)
  let stdout = ''
  let stderr = ''
  const gather = async (stream: ReadableStream<Uint8Array>, add: (text: string) => void) => {
    const decoder = new TextDecoder()
    for await (const chunk of stream) add(decoder.decode(chunk, { stream: true }))
  }
  let ready: (url: string) => void = () => {}
  const listening = new Promise<string>((resolve) => {
    ready = resolve
  })
  const gathered = Promise.all([
    gather(child.stdout, (text) => {
      stdout += text
      const url = /^listening on (https?:\S+)$/m.exec(stdout)?.[1]
      if (url) ready(url)
    }),
    gather(child.stderr, (text) => {
      stderr += text
    }),
  ])
  /** Waits for the rest of the output; limited, because a child process may keep the pipes open. */
  const lastOutput = () => Promise.race([gathered, Bun.sleep(LAST_OUTPUT_MS)])
  let started = false
  const url = await Promise.race([
    listening,
    child.exited.then(async (code) => {
      await lastOutput()
      throw new Error(`The program exited with ${code} before it listened:\n${stderr}`)
    }),
    Bun.sleep(START_LIMIT_MS).then(() => {
      if (started) return ''
      child.kill('SIGKILL')
      throw new Error(`The program did not listen within ${START_LIMIT_MS / 1000} s:\n${stderr}`)
    }),
  ])
  started = true
  return {
    url,
    dataDir,
    environment: full,
    pid: child.pid,
    stdout: () => stdout,
    stderr: () => stderr,
    exited: child.exited,
    kill: (signal) => child.kill(signal),
    async stop() {
      child.kill('SIGTERM')
      const code = await child.exited
      await lastOutput()
      return code
    },
  }
}

/** The keys of a first start by tier. They are in a file, because the output of the program is not a terminal. */
export function shownKeys(stderr: string): Record<'public' | 'paid' | 'enterprise', string> {
  const file = /(\/\S+first-keys\.txt)/.exec(stderr)?.[1]
  const keyFile = file && existsSync(file) ? readFileSync(file, 'utf8') : ''
  const key = (tier: string) => new RegExp(`^ +${tier} +(pk_\\w+)$`, 'm').exec(keyFile)?.[1] ?? ''
  return { public: key('public'), paid: key('paid'), enterprise: key('enterprise') }
}
