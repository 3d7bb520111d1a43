import { afterAll, describe, expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import type { EventWire } from '../../src/contract/events.ts'
import { importText } from '../support/import.ts'
import { filledDataDir, type RunningProgram, runInProcess, startProgram } from '../support/program.ts'
import { waitUntil } from '../support/wait.ts'

const SOLD = '356938035643809'

type Delivery = {
  readonly id: string
  readonly body: string
  readonly headers: Record<string, string>
  readonly path: string
}

/** A receiver that responds with the given status. */
const deliveries: Delivery[] = []
let answers: (path: string) => Response | Promise<Response> = () => new Response('taken')
const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { pathname: path } = new URL(request.url)
    const headers = Object.fromEntries(request.headers)
    deliveries.push({ id: headers['webhook-id'] ?? '', body: await request.text(), headers, path })
    return answers(path)
  },
})
const running: RunningProgram[] = []
afterAll(async () => {
  receiver.stop(true)
  for (const program of running) program.kill('SIGKILL')
})

const PRIVATE = { WEBHOOK_ALLOW_PRIVATE: 'on', SAMPLE_DATA: 'off' }

const until = (condition: () => boolean) => waitUntil(condition, { describe: 'deliveries' })

async function start(environment: Record<string, string>): Promise<RunningProgram> {
  const program = await startProgram(environment)
  running.push(program)
  return program
}

/** An organization with an endpoint, and the actions of its members. */
async function organization(environment: Record<string, string>, path: string) {
  const runCommand = async (...args: string[]) => {
    const ran = await runInProcess(args, environment)
    if (ran.code !== 0) throw new Error(ran.stderr)
    return ran.stdout.trim()
  }
  const id = await runCommand('org', 'create', 'Shop')
  const key = await runCommand('key', 'create', '--org', id, '--tier', 'enterprise')
  const call = (...args: string[]) => runCommand('api', ...args, '--org', id)
  const url = `http://127.0.0.1:${receiver.port}${path}`
  const { webhook, secret } = JSON.parse(
    await call('POST', '/api/manage/webhooks', `url=${url}`, 'types:=["identifier.status_changed"]'),
  )
  return { id, key, call, webhookId: webhook.id as string, secret: secret as string }
}

const watch = (url: string, key: string, reference: string) =>
  fetch(`${url}/api/watches`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ identifier: SOLD, reference }),
  })

const listed = (dataDir: string, status: string) =>
  importText({ url: '', dataDir }, 'lists', 'stolen.csv', `imei,reporting_date,status\n${SOLD},20260301,${status}\n`)

describe('a webhook', () => {
  test('is sent again under the same id after a kill, verified, in order, and replayed', async () => {
    const environment = { ...PRIVATE, DATA_DIR: filledDataDir('small') }
    const program = await start(environment)
    const { key, call, webhookId, secret } = await organization(environment, '/kill')
    const mine = () => deliveries.filter(({ path }) => path === '/kill')
    await watch(program.url, key, 'sale-1')
    // Accepts the connection and does not respond until the service is killed.
    let hold = true
    answers = (path) => (path === '/kill' && hold ? new Promise(() => {}) : new Response('taken'))
    expect((await listed(environment.DATA_DIR, 'pending')).code).toBe(0)
    expect((await listed(environment.DATA_DIR, 'blacklist')).code).toBe(0)
    await until(() => mine().length > 0)
    expect(mine()).toHaveLength(1)
    program.kill('SIGKILL')
    await program.exited
    hold = false
    const again = await start(environment)
    await until(() => mine().length >= 3)
    const [first, second, third] = mine().map(({ id }) => id)
    expect(second).toBe(first as string)
    expect(mine()).toHaveLength(3)
    for (const { body, headers } of mine()) {
      const event = new Webhook(secret).verify(body, headers) as EventWire
      expect(event).toMatchObject({
        type: 'identifier.status_changed',
        data: { reference: 'sale-1', identifier: SOLD },
      })
      expect(event.id).toBe(headers['webhook-id'] ?? '')
    }
    const changes = mine().map(({ body }) => JSON.parse(body).data.change)
    expect(changes).toEqual(['listed', 'listed', 'changed'])
    const read = await fetch(`${again.url}/api/events?type=identifier.status_changed`, {
      headers: { Authorization: `Bearer ${key}` },
    })
    const { data } = (await read.json()) as { data: EventWire[] }
    expect(data.map((event) => JSON.stringify(event))).toEqual([mine()[1]?.body ?? '', mine()[2]?.body ?? ''])

    const shown = () => call('GET', `/api/manage/webhooks/${webhookId}/deliveries`).then(JSON.parse)
    expect(await shown()).toMatchObject([
      { event_id: third, state: 'delivered', status: 200, response: 'taken', attempts: 1 },
      { event_id: first, state: 'delivered', status: 200 },
    ])
    const { secret: rotated } = JSON.parse(
      await call('POST', `/api/manage/webhooks/${webhookId}/rotate`, 'overlap_hours:=24'),
    )
    await call('POST', `/api/manage/webhooks/${webhookId}/resend`, `event_id=${third}`)
    await until(() => mine().length >= 4)
    const last = mine()[3]
    expect(last?.id).toBe(third as string)
    for (const either of [secret, rotated]) new Webhook(either).verify(last?.body ?? '', last?.headers ?? {})
    expect(await again.stop()).toBe(0)
  })

  test('that fails or is redirected is kept and retried, and delays no other endpoint', async () => {
    const environment = { ...PRIVATE, DATA_DIR: filledDataDir('small') }
    const program = await start(environment)
    const failing = await organization(environment, '/failing')
    const moved = await organization(environment, '/moved')
    const fine = await organization(environment, '/fine')
    answers = (path) => {
      if (path === '/failing') return new Response('broken', { status: 500 })
      if (path === '/moved') return Response.redirect(`http://127.0.0.1:${receiver.port}/elsewhere`)
      return new Response('taken')
    }
    for (const { key } of [failing, moved, fine]) await watch(program.url, key, 'sale')
    expect((await listed(environment.DATA_DIR, '')).code).toBe(0)
    const at = (path: string) => deliveries.filter((each) => each.path === path)
    await until(() => at('/fine').length > 0 && at('/failing').length > 1 && at('/moved').length > 1)
    expect(at('/fine')).toHaveLength(1)
    expect(new Set(at('/failing').map(({ id }) => id)).size).toBe(1)
    expect(at('/failing').length).toBeGreaterThan(1)
    expect(at('/elsewhere')).toEqual([])
    const [delivery] = JSON.parse(await failing.call('GET', `/api/manage/webhooks/${failing.webhookId}/deliveries`))
    expect(delivery).toMatchObject({ state: 'pending', status: 500, response: 'broken' })
    // 410 Gone: disabled at once, with a notification.
    answers = (path) => (path === '/failing' ? new Response('gone', { status: 410 }) : new Response('taken'))
    await failing.call('POST', `/api/manage/webhooks/${failing.webhookId}/resend`, `event_id=${delivery.event_id}`)
    const state = async () => JSON.parse(await failing.call('GET', '/api/manage/webhooks'))[0]
    await waitUntil(async () => (await state()).disabled_at !== null, { describe: 'the endpoint to be disabled' })
    expect((await state()).disabled_reason).toContain('410')
    const notice = await fetch(`${program.url}/api/events?type=webhook.disabled`, {
      headers: { Authorization: `Bearer ${failing.key}` },
    })
    expect(((await notice.json()) as { data: EventWire[] }).data).toMatchObject([
      { data: { webhook_id: failing.webhookId } },
    ])
    await program.stop()
  })

  test('never calls a private address unless allowed, whatever its name resolves to', async () => {
    const environment = { DATA_DIR: filledDataDir('small'), SAMPLE_DATA: 'off' }
    const org = (await runInProcess(['org', 'create', 'Shop'], environment)).stdout.trim()
    for (const url of ['http://127.0.0.1/', 'https://127.0.0.1/', 'https://localhost/', 'https://[::1]/']) {
      const rejected = await runInProcess(
        ['api', 'POST', '/api/manage/webhooks', `url=${url}`, 'types:=[]', '--org', org],
        environment,
      )
      expect(rejected).toMatchObject({ code: 1, stdout: '' })
    }
    // Created while it was allowed, or a name that resolves there later: checked again at every call.
    const { key, call, webhookId } = await organization({ ...environment, WEBHOOK_ALLOW_PRIVATE: 'on' }, '/private')
    const program = await start(environment)
    await watch(program.url, key, 'sale')
    expect((await listed(environment.DATA_DIR, '')).code).toBe(0)
    const delivery = await waitUntil(
      async () => {
        const [latest] = JSON.parse(await call('GET', `/api/manage/webhooks/${webhookId}/deliveries`))
        return latest?.attempts > 0 ? latest : undefined
      },
      { describe: 'the first attempt' },
    )
    expect(delivery).toMatchObject({ state: 'pending', status: null })
    expect(delivery.response).toContain('does not resolve to a public address')
    expect(deliveries.filter(({ path }) => path === '/private')).toEqual([])
    await program.stop()
  })
})
