import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'

/** Results of one round of load against one server. */
export type LoadRound = {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** NaN if the load has its own script. */
  readonly p999Ms: number
  /** Processor time of the server per request: hardly disturbed by other load on the machine. */
  readonly cpuMicros: number
  readonly failures: number
}

/** Load before the measurement, so that the server has compiled its code. */
export const WARM_UP_SECONDS = 4

/** A response that takes longer is a failure. */
const RESPONSE_TIMEOUT_SECONDS = 30

const PERCENTILES = join(import.meta.dir, 'percentiles.lua')

const taskset = cpus().length > 1 ? Bun.which('taskset') : null

/** Command prefix that pins a process to one core: the server to the first, the load to the last. */
export function pinToCore(role: 'server' | 'load'): string[] {
  return taskset ? [taskset, '-c', role === 'server' ? '0' : String(cpus().length - 1)] : []
}

/** Path of wrk; installs it from the Debian package if possible. */
export async function loadGenerator(): Promise<string> {
  const existing = Bun.which('wrk')
  if (existing) return existing
  const apt = Bun.which('apt-get')
  if (apt && process.getuid?.() === 0) {
    console.error('Installing wrk (once)…')
    const install = Bun.spawn([apt, 'install', '-y', '--no-install-recommends', 'wrk'], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdout: 'ignore',
      stderr: 'ignore',
    })
    await install.exited
  }
  const installed = Bun.which('wrk')
  if (installed) return installed
  console.error('The load generator wrk is needed: install it with your package manager (Debian: apt install wrk).')
  process.exit(1)
}

export type Load = {
  readonly url: string
  /** The server's process, or several. */
  readonly pid: number | readonly number[]
  readonly key?: string
  readonly seconds: number
  readonly script?: string
  readonly connections?: number
}

/** Closed-loop load: each of 64 connections (by default) sends its next request when it has a response. */
export async function load(
  wrk: string,
  { url, pid, key, seconds, script, connections = 64 }: Load,
): Promise<LoadRound> {
  const totalCpuSeconds = () => [pid].flat().reduce((sum, serverPid) => sum + cpuSeconds(serverPid), 0)
  const cpuBefore = totalCpuSeconds()
  const headers = key ? ['-H', `Authorization: Bearer ${key}`] : []
  // By default wrk counts every response after two seconds as an error: 64 batches of 50 appraisals take as long on a busy machine.
  const limits = ['--timeout', `${RESPONSE_TIMEOUT_SECONDS}s`]
  const options = ['-t1', `-c${connections}`, `-d${seconds}s`, ...limits, '--latency', '-s', script ?? PERCENTILES]
  const run = Bun.spawn([...pinToCore('load'), wrk, ...options, ...headers, url], { stdout: 'pipe', stderr: 'inherit' })
  const text = await new Response(run.stdout).text()
  const spent = totalCpuSeconds() - cpuBefore
  const count = (pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? 0)
  const requests = count(/(\d+) requests in/)
  const socketErrors = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(text)
  return {
    perSecond: count(/Requests\/sec:\s+([\d.]+)/),
    p50Ms: milliseconds(/^\s+50%\s+([\d.]+)(us|ms|s)$/m.exec(text)),
    p99Ms: milliseconds(/^\s+99%\s+([\d.]+)(us|ms|s)$/m.exec(text)),
    p999Ms: milliseconds(/^permille 999: ([\d.]+) (us)$/m.exec(text)),
    cpuMicros: (spent / requests) * 1e6,
    failures:
      count(/Non-2xx or 3xx responses: (\d+)/) + (socketErrors?.slice(1).reduce((sum, n) => sum + Number(n), 0) ?? 0),
  }
}

function milliseconds(match: RegExpExecArray | null): number {
  if (!match) return Number.NaN
  return Number(match[1]) * (match[2] === 'us' ? 0.001 : match[2] === 's' ? 1000 : 1)
}

/** Processor time of a process so far. Linux counts it in hundredths of a second. */
export function cpuSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return Number.NaN
  }
}

/** Resident memory of a process in MB, now and at its peak. */
export function residentMemoryMb(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const readField = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024
  return { now: readField('VmRSS'), peak: readField('VmHWM') }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
