import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { RUN_MARKER, SHARED_MARKER } from '../test/support/process-markers.ts'

export type Leftover = { readonly pid: number; readonly command: string; readonly isShared: boolean }

const GRACE_MS = 5_000
const POLL_MS = 50

/** The processes of a run that still exist; none where there is no /proc. */
export function findLeftovers(run: string): Leftover[] {
  return pids().flatMap((pid) => {
    const environment = readProc(pid, 'environ').split('\0')
    const command = readProc(pid, 'cmdline').split('\0').join(' ').trim()
    const isOfRun =
      environment.includes(`${RUN_MARKER}=${run}`) || command.includes(run) || workingFolder(pid).startsWith(run)
    // A process that has ended and waits for its parent has no command.
    if (!isOfRun || command === '' || pid === process.pid) return []
    return [{ pid, command, isShared: environment.includes(`${SHARED_MARKER}=1`) }]
  })
}

/** Ends the processes that a run left behind and returns those that should have ended by themselves. */
export async function endLeftovers(run: string, graceMs = GRACE_MS): Promise<readonly Leftover[]> {
  const deadline = Date.now() + graceMs
  let left = findLeftovers(run)
  while (left.some(({ isShared }) => !isShared) && Date.now() < deadline) {
    await Bun.sleep(POLL_MS)
    left = findLeftovers(run)
  }
  for (const { pid } of left) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended in the meantime.
    }
  }
  return left.filter(({ isShared }) => !isShared)
}

function pids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Boolean)
  } catch {
    return []
  }
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

function workingFolder(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}
