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

/** The executable that the runner built for the run, which starts in half the time; the program from source without one. */
export const PROGRAM = process.env.TEST_PROGRAM ?? join(import.meta.dir, '../../bin/device-intelligence')

/** Only a hang reaches it: a start takes below a second on an idle machine. */
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
    ...environment,
  }
}

/** A command of the real program, from its first line to its exit code. */
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
 * The same command in this process, for tests that are not about the process: it takes a tenth of the processor time. Only
 * progress lines are not in its output.
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
  /** SIGTERM, and the exit code it leads to. */
  stop(): Promise<number>
}

export function newDataDir(): string {
  return mkdtempSync(join(tmpdir(), 'di-process-'))
}

/** A folder whose database has the catalogue, where one was prepared for the run: a first start takes longest. */
export function filledDataDir(size: CatalogueSize = 'full'): string {
  const dataDir = newDataDir()
  copyFilled(dataDir, size)
  return dataDir
}

/**
 * The real program serving on a free port; resolves when it listens. Without a `DATA_DIR` it has the small catalogue. It
 * ends with the test file, or with the worker when several files share it.
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
  /** Everything it wrote has arrived, unless a process of its own outlives it and keeps the pipes open. */
  const lastOutput = () => Promise.race([gathered, Bun.sleep(LAST_OUTPUT_MS)])
  let started = false
  const url = await Promise.race([
    listening,
    child.exited.then(async (code) => {
      await lastOutput()
      throw new Error(`The program ended with ${code} before it listened:\n${stderr}`)
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

/** The keys of a first start, by tier, from the file that it names because its output is not a terminal. */
export function shownKeys(stderr: string): Record<'public' | 'paid' | 'enterprise', string> {
  const file = /(\/\S+first-keys\.txt)/.exec(stderr)?.[1]
  const shown = file && existsSync(file) ? readFileSync(file, 'utf8') : ''
  const key = (tier: string) => new RegExp(`^ +${tier} +(pk_\\w+)$`, 'm').exec(shown)?.[1] ?? ''
  return { public: key('public'), paid: key('paid'), enterprise: key('enterprise') }
}
