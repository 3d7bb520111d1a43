import { afterAll, expect, test } from 'bun:test'
import { startPostgres } from '../support/postgres.ts'
import { filledDataDir, type RunningProgram, runProgram, startProgram } from '../support/program.ts'
import { waitUntil } from '../support/wait.ts'

/** Ids of received events, in order. */
const received: string[] = []
let release: Promise<void> = Promise.resolve()
const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    received.push(request.headers.get('webhook-id') ?? '')
    await request.arrayBuffer()
    await release
    return new Response('ok')
  },
})
const running: RunningProgram[] = []
afterAll(async () => {
  receiver.stop(true)
  for (const program of running) program.kill('SIGKILL')
})

const postgres = process.env.NO_POSTGRES ? undefined : await startPostgres()

for (const database of ['SQLite', ...(postgres ? ['PostgreSQL'] : [])]) {
  test(`three processes on one ${database} deliver every event: once while none is killed, and those of a killed process too`, async () => {
    received.length = 0
    const environment: Record<string, string> = {
      DATA_DIR: filledDataDir('small'),
      WEBHOOK_ALLOW_PRIVATE: 'on',
      SECRET_KEY: 'shared by three processes',
      ...(database === 'PostgreSQL' && postgres
        ? { DATABASE_URL: await postgres.createDatabase(process.env.FILLED_POSTGRES_SMALL) }
        : {}),
    }
    const programs: RunningProgram[] = []
    for (let count = 0; count < 3; count++) programs.push(await startProgram(environment))
    running.push(...programs)
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await runProgram(args, environment)
      if (code !== 0) throw new Error(stderr)
      return stdout.trim()
    }
    const organization = await run('org', 'create', 'Shop')
    const key = await run('key', 'create', '--org', organization, '--tier', 'enterprise')
    const url = `http://127.0.0.1:${receiver.port}/`
    await run(
      ...['api', 'POST', '/api/manage/webhooks', `url=${url}`, 'types:=["appraisal.created"]', '--org', organization],
    )
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const appraise = async (program: RunningProgram) => {
      const body = JSON.stringify({ variant_id: 'apple-iphone-13-128gb-midnight', condition: 'Good' })
      const send = () => fetch(`${program.url}/api/appraisals`, { method: 'POST', headers, body })
      await waitUntil(async () => (await send()).status === 200, { describe: 'an appraisal', everyMs: 100 })
    }
    const [first, second, third] = programs as [RunningProgram, RunningProgram, RunningProgram]
    for (const program of [first, second, third, first, second, third]) await appraise(program)
    await waitUntil(() => received.length >= 6, { describe: 'six deliveries' })
    expect(new Set(received).size).toBe(received.length)
    // The first process to start queues events and is killed while it waits for responses.
    const pendingResponses = Promise.withResolvers<void>()
    release = pendingResponses.promise
    for (const program of [first, second, third, second, third]) await appraise(program)
    await waitUntil(() => received.length >= 7, { describe: 'a delivery without a response' })
    first.kill('SIGKILL')
    await first.exited
    pendingResponses.resolve()
    for (const program of [second, third, second, third]) await appraise(program)
    await waitUntil(() => new Set(received).size >= 15, { describe: 'all deliveries' })
    const response = await fetch(`${second.url}/api/events?type=appraisal.created&limit=100`, { headers })
    const { data } = (await response.json()) as { data: { id: string }[] }
    expect(data.map(({ id }) => id).filter((id) => !received.includes(id))).toEqual([])
    for (const program of [second, third]) expect(await program.stop()).toBe(0)
  })
}
