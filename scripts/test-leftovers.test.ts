import { expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RUN_MARKER, SHARED_MARKER } from '../test/support/process-markers.ts'
import { endLeftovers } from './test-leftovers.ts'

test.skipIf(process.platform !== 'linux')('processes that a run left behind are killed and named', async () => {
  const run = mkdtempSync(join(tmpdir(), 'di-leftovers-'))
  const marked = { PATH: process.env.PATH ?? '', [RUN_MARKER]: run }
  const start = (options: { env?: Record<string, string>; cwd?: string }) => Bun.spawn(['sleep', '600'], options)
  const byMarker = start({ env: marked })
  const byFolder = start({ cwd: run })
  const shared = start({ env: { ...marked, [SHARED_MARKER]: '1' } })
  const stranger = start({})
  const left = await endLeftovers(run, 0)
  expect(left.map(({ pid }) => pid).sort()).toEqual([byMarker.pid, byFolder.pid].sort())
  expect(left[0]?.command).toBe('sleep 600')
  for (const child of [byMarker, byFolder, shared]) {
    await child.exited
    expect(child.signalCode).toBe('SIGKILL')
  }
  expect(stranger.exitCode).toBeNull()
  stranger.kill()
  expect(await endLeftovers(run, 0)).toEqual([])
})
