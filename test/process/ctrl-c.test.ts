import { Database as BunDatabase } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { sqlitePath } from '../../src/db/database.ts'
import { endWithFile } from '../support/children.ts'
import { newDataDir, PROGRAM, runInProcess, runProgram, shownKeys, startProgram } from '../support/program.ts'
import { waitUntil } from '../support/wait.ts'

const folder = newDataDir()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A folder with a database of some megabytes, so that a copy takes its time. */
async function largeDatabase(name: string, megabytes: number): Promise<string> {
  const dataDir = join(folder, name)
  mkdirSync(dataDir)
  // As processes of their own: what this one opened may still count as in use.
  expect((await runProgram(['org', 'create', 'Shop'], { DATA_DIR: dataDir })).code).toBe(0)
  const connection = new BunDatabase(sqlitePath(dataDir))
  const insert = connection.query('insert into setting (name, value) values (?, ?)')
  for (let at = 0; at < megabytes; at++) insert.run(`filler ${at}`, 'x'.repeat(1_000_000))
  insert.finalize()
  connection.close()
  return dataDir
}

/** Runs a command until something is there, and sends Ctrl-C. */
async function interrupt(args: string[], DATA_DIR: string, isThere: () => boolean) {
  const child = endWithFile(
    Bun.spawn([PROGRAM, ...args], {
      env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/', DATA_DIR },
      stdout: 'pipe',
      stderr: 'pipe',
    }),
  )
  await Promise.race([waitUntil(isThere, { describe: 'the work', everyMs: 1 }), child.exited])
  child.kill('SIGINT')
  const [stderr, code] = await Promise.all([new Response(child.stderr).text(), child.exited])
  return { code, stderr }
}

const namesIn = (path: string) => (existsSync(path) ? readdirSync(path).sort() : [])

test('Ctrl-C ends a backup with a sentence and leaves no part of it', async () => {
  const dataDir = await largeDatabase('backup', 20)
  const target = join(folder, 'copies')
  mkdirSync(target)
  const file = join(target, 'copy.sqlite')
  const stopped = await interrupt(['backup', '--rate', '2', file], dataDir, () => namesIn(target).length > 0)
  expect(stopped).toEqual({ code: 130, stderr: expect.stringContaining('Stopped. No backup was made.') })
  expect(namesIn(target)).toEqual([])
})

test('Ctrl-C ends a restore with a sentence, and the database stays as it was', async () => {
  const dataDir = await largeDatabase('restore', 200)
  const copy = join(folder, 'restore.sqlite')
  expect((await runProgram(['backup', '--rate', '100000', copy], { DATA_DIR: dataDir })).code).toBe(0)
  const working = () => namesIn(dataDir).find((name) => name.startsWith('restoring'))
  const stopped = await interrupt(
    ['restore', '--replace', copy],
    dataDir,
    () => namesIn(join(dataDir, working() ?? 'none')).length > 0,
  )
  expect(stopped).toEqual({ code: 130, stderr: expect.stringContaining('Stopped. Nothing was restored.') })
  expect(namesIn(dataDir).filter((name) => /restoring|replaced/.test(name))).toEqual([])
  expect((await runInProcess(['org', 'list'], { DATA_DIR: dataDir })).stdout).toContain('Shop')
})

test('Ctrl-C ends a move with a sentence, and the move can be repeated', async () => {
  const dataDir = await largeDatabase('move', 100)
  const to = join(folder, 'moved')
  const stopped = await interrupt(['move', '--to', to], dataDir, () => existsSync(`${sqlitePath(to)}-wal`))
  expect(stopped).toEqual({ code: 130, stderr: expect.stringContaining('Stopped. The move is not complete') })
  expect((await runInProcess(['org', 'list'], { DATA_DIR: dataDir })).stdout).toContain('Shop')
  expect((await runInProcess(['move', '--to', to], { DATA_DIR: dataDir })).code).toBe(0)
  expect((await runInProcess(['org', 'list'], { DATA_DIR: to })).stdout).toContain('Shop')
})

test('a second Ctrl-C ends the service at once, without waiting for a request', async () => {
  const program = await startProgram({ LOG_LEVEL: 'info' })
  const key = shownKeys(program.stderr()).enterprise
  const socket = connect(Number(new URL(program.url).port), '127.0.0.1')
  await new Promise((resolve) => socket.once('connect', resolve))
  // A body that never ends.
  socket.write(
    `POST /api/imei HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
  )
  socket.on('error', () => {})
  program.kill('SIGINT')
  await waitUntil(() => program.stderr().includes('"stopping"'), { describe: 'the first Ctrl-C' })
  let code: number | undefined
  void program.exited.then((exitCode) => {
    code = exitCode
  })
  // Those right after the first are taken for the same.
  await waitUntil(() => (code === undefined ? void program.kill('SIGINT') : true), {
    describe: 'the end',
    everyMs: 100,
  })
  expect(code).toBe(130)
  socket.destroy()
})

test('a database that a restore had put aside when it was killed is not replaced by an empty one', async () => {
  const dataDir = join(folder, 'killed')
  mkdirSync(join(dataDir, 'restoring.part-999999999'), { recursive: true })
  writeFileSync(`${sqlitePath(dataDir)}.replaced-20260101T000000Z`, 'the database before')
  const started = await runInProcess(['org', 'create', 'Shop'], { DATA_DIR: dataDir })
  expect(started.code).toBe(1)
  expect(started.stderr).toContain('A restore is running or was interrupted')
  expect(existsSync(sqlitePath(dataDir))).toBe(false)
})
