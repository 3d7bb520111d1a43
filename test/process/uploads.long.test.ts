import { afterEach, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { openDatabase } from '../../src/db/database.ts'
import { uploadStore } from '../../src/import/uploads/upload-store.ts'
import { filledDataDir, type RunningProgram, runProgram, startProgram } from '../support/program.ts'
import { waitUntil } from '../support/wait.ts'

const running: RunningProgram[] = []
afterEach(async () => {
  for (const program of running.splice(0)) await program.stop()
})

async function start(dataDir: string): Promise<RunningProgram> {
  const program = await startProgram({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' })
  running.push(program)
  return program
}

/** Rows are written in batches of 20,000: an import is frozen while the first is written. */
const ROWS = 21_000
/** Enough rows for a stop to arrive while they are written. */
const ROWS_TO_STOP = 41_000
/** A running import reads only now and then whether a person stopped it. */
const ROWS_TO_CANCEL = 61_000

const prices = (rows: number) =>
  [
    'source,side,make,model,storage,condition,amount,currency,date,listing_id',
    ...Array.from(
      { length: rows },
      (_, i) => `shop,sold,Apple,iPhone 13,128GB,Good,${300 + (i % 90)},USD,2026-07-0${1 + (i % 9)},l${i}`,
    ),
  ].join('\n')
const PRICES = prices(ROWS)

/** The first owner of a new service, with a browser session. */
async function owner(program: RunningProgram) {
  const created = await runProgram(['org', 'create', 'Importing'], program.environment)
  const organization = created.stdout.trim()
  await runProgram(
    ['api', 'PATCH', `/api/manage/organizations/${organization}`, 'runs_service:=true'],
    program.environment,
  )
  const args = ['user', 'create', '--email', 'ada@example.test', '--org', organization, '--role', 'owner']
  const link = (await runProgram(args, { ...program.environment, BASE_URL: program.url })).stdout.trim()
  let cookie = ''
  async function ask(at: RunningProgram, path: string, body?: unknown, method = 'POST') {
    const response = await fetch(`${at.url}${path}`, {
      ...(body === undefined ? {} : { method, body: JSON.stringify(body) }),
      headers: {
        Cookie: cookie,
        Origin: at.url,
        'X-Requested-With': 'dashboard',
        'Content-Type': 'application/json',
      },
    })
    const set = response.headers.get('set-cookie')
    if (set) cookie = set.split(';')[0] ?? ''
    const result = await response.json()
    if (!response.ok) throw new Error(JSON.stringify(result))
    return result.data
  }
  const token = new URL(link).hash.slice(1)
  await ask(program, '/account/link/use', { token, name: 'Ada', password: 'correct horse battery' })
  return { ask }
}

type Owner = Awaited<ReturnType<typeof owner>>

const PART = 700_000

async function checked(program: RunningProgram, { ask }: Owner, text: string): Promise<string> {
  const { id } = await ask(program, '/api/manage/uploads', {
    format: 'observations',
    file: 'sold.csv',
    bytes: text.length,
  })
  for (let at = 0; at < text.length; at += PART) {
    const content = Buffer.from(text.slice(at, at + PART)).toString('base64')
    await ask(program, `/api/manage/uploads/${id}/parts`, { at, content })
  }
  await ask(program, `/api/manage/uploads/${id}`, { action: 'check', options: {} }, 'PATCH')
  expect(await until(program, { ask }, id, ({ state }) => state === 'checked')).toMatchObject({ failure: null })
  return id
}

async function until(
  program: RunningProgram,
  { ask }: Owner,
  id: string,
  isSo: (upload: { state: string }) => boolean,
) {
  return waitUntil(
    async () => {
      const upload = await ask(program, `/api/manage/uploads/${id}`)
      return isSo(upload) ? upload : undefined
    },
    // The dashboard polls no more often; an address may send ten requests a second.
    { describe: 'the upload', everyMs: 150 },
  )
}

/** Bytes are deleted right after the end is recorded. */
const noContentIn = (dataDir: string) =>
  waitUntil(async () => (await contentIn(dataDir)).length === 0, { describe: 'the bytes to be deleted' })

/** Polls the database: the service allows an address ten requests a second, and the rows would be written by then. */
async function firstRowsWritten(dataDir: string): Promise<void> {
  const db = await openDatabase({ url: '', dataDir })
  const first = db.query.selectFrom('observation').select('listing_id').limit(1)
  await waitUntil(() => first.executeTakeFirst(), { describe: 'the first observations', everyMs: 2 })
  await db.close()
}

/** Freezes the processes of a running import as soon as its first rows are written, and returns them. */
async function frozenImport(program: RunningProgram): Promise<number[]> {
  await firstRowsWritten(program.dataDir)
  const children = childrenOf(program.pid)
  for (const child of children) process.kill(child, 'SIGSTOP')
  return children
}

/** The child processes of a process, according to the kernel. */
function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(pid)
      } catch {
        return false
      }
    })
    .map(Number)
}

/** Uploads whose bytes are stored. */
async function contentIn(dataDir: string): Promise<string[]> {
  const db = await openDatabase({ url: '', dataDir })
  const uploads = await uploadStore(db).withContent()
  await db.close()
  return uploads.map(({ id }) => id)
}

test('an import whose process is killed is recorded as interrupted; importing the same file again completes it', async () => {
  const dataDir = filledDataDir('small')
  const program = await start(dataDir)
  const ada = await owner(program)
  const id = await checked(program, ada, PRICES)
  await ada.ask(program, `/api/manage/uploads/${id}`, { action: 'run' }, 'PATCH')
  for (const child of await frozenImport(program)) process.kill(child, 'SIGKILL')
  const cut = await until(program, ada, id, ({ state }) => state === 'ended')
  expect(cut).toMatchObject({ failure: expect.stringMatching(/^Interrupted/), run: { state: 'failed' } })
  await noContentIn(dataDir)
  const again = await checked(program, ada, PRICES)
  await ada.ask(program, `/api/manage/uploads/${again}`, { action: 'run' }, 'PATCH')
  const done = await until(program, ada, again, ({ state }) => state === 'ended')
  expect(done.run).toMatchObject({ state: 'done', counts: { rows: ROWS, observations: ROWS } })
  await running.pop()?.stop()
  const db = await openDatabase({ url: '', dataDir })
  const { held } = await db.query
    .selectFrom('observation')
    .select((select) => select.fn.countAll<number>().as('held'))
    .executeTakeFirstOrThrow()
  await db.close()
  // Rows that the first import wrote exist once.
  expect(held).toBe(ROWS)
})

test('an import that outlives its killed service is recorded with its result, even if the service restarts meanwhile', async () => {
  const dataDir = filledDataDir('small')
  const program = await start(dataDir)
  const ada = await owner(program)
  const id = await checked(program, ada, PRICES)
  await ada.ask(program, `/api/manage/uploads/${id}`, { action: 'run' }, 'PATCH')
  const frozen = await frozenImport(program)
  program.kill('SIGKILL')
  await program.exited
  for (const child of frozen) process.kill(child, 'SIGCONT')
  running.pop()
  const next = await start(dataDir)
  const done = await until(next, ada, id, ({ state }) => state === 'ended')
  expect(done).toMatchObject({
    failure: null,
    run: { state: 'done', counts: { rows: ROWS, observations: ROWS } },
  })
  await noContentIn(dataDir)
})

test('a service that is stopped stops the import, and the next start finishes it', async () => {
  const dataDir = filledDataDir('small')
  const program = await start(dataDir)
  const ada = await owner(program)
  const id = await checked(program, ada, prices(ROWS_TO_STOP))
  await ada.ask(program, `/api/manage/uploads/${id}`, { action: 'run' }, 'PATCH')
  await firstRowsWritten(dataDir)
  expect(await running.pop()?.stop()).toBe(0)
  const db = await openDatabase({ url: '', dataDir })
  expect(await uploadStore(db).find(id)).toMatchObject({ state: 'running', failure: null })
  await db.close()
  const next = await start(dataDir)
  const done = await until(next, ada, id, ({ state }) => state === 'ended')
  expect(done).toMatchObject({
    failure: null,
    run: { state: 'done', counts: { rows: ROWS_TO_STOP, observations: ROWS_TO_STOP } },
  })
  await noContentIn(dataDir)
})

test('a person stops an import, and a pending upload is still there after a restart', async () => {
  const dataDir = filledDataDir('small')
  const program = await start(dataDir)
  const ada = await owner(program)
  const id = await checked(program, ada, prices(ROWS_TO_CANCEL))
  await ada.ask(program, `/api/manage/uploads/${id}`, { action: 'run' }, 'PATCH')
  await firstRowsWritten(dataDir)
  await ada.ask(program, `/api/manage/uploads/${id}`, { action: 'stop' }, 'PATCH')
  const stopped = await until(program, ada, id, ({ state }) => state === 'ended')
  expect(stopped.failure).toMatch(/^Stopped after/)
  const waiting = await checked(program, ada, PRICES.slice(0, 500))
  expect(await contentIn(dataDir)).toEqual([waiting])
  await running.pop()?.stop()
  const next = await start(dataDir)
  expect(await ada.ask(next, `/api/manage/uploads/${waiting}`)).toMatchObject({ state: 'checked', failure: null })
  expect(await contentIn(dataDir)).toEqual([waiting])
})
