import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitUntil } from '../../../test/support/wait.ts'
import { startWriterThread } from './writer-thread.ts'

const OPTIONS = {
  pragmas: ['pragma auto_vacuum = incremental', 'pragma journal_mode = wal'],
  lockTimeoutMs: 30_000,
  maxWalPages: 1_000,
  pauseAfterWrite: { minMs: 0, share: 0 },
}

/** Descriptors of this process that point to a file. */
const openDescriptors = (file: string) =>
  readdirSync('/proc/self/fd').filter((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`) === file
    } catch {
      return false
    }
  }).length

test('a thread that starts while another connection holds the file waits for it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'di-writer-'))
  const file = join(folder, 'held.sqlite')
  const holder = new Database(file, { create: true, strict: true })
  holder.run('pragma journal_mode = wal')
  holder.run('create table number (value integer)')
  holder.run('pragma locking_mode = exclusive')
  holder.run('insert into number values (1)')
  const before = openDescriptors(file)
  const thread = startWriterThread(file, OPTIONS)
  const written = thread.write([{ sql: 'insert into number values (?)', rows: 1, columns: [Int32Array.of(2)] }])
  try {
    await Promise.race([
      written,
      waitUntil(() => openDescriptors(file) > before, { describe: 'the file to be opened' }),
    ])
    holder.close()
    expect(await written).toMatchObject({ lockHeldMs: expect.any(Number) })
  } finally {
    thread.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
