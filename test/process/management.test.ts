import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { DeviceIntelligence, NotFoundError, UnauthorizedError } from '../../client/src/index.ts'
import { filledDataDir, type RunningProgram, runProgram, startProgram } from '../support/program.ts'
import { waitUntil } from '../support/wait.ts'

const PYTHON_CLIENT = join(import.meta.dir, '../../client/python')
const python = ['/usr/bin/python3', 'python3'].find(
  (name) => Bun.which(name) && Bun.spawnSync([name, '-c', 'import httpx']).exitCode === 0,
)
const VARIANT = 'apple-iphone-13-128gb-midnight'
const today = new Date().toISOString().slice(0, 10)
const PRICES = `variant_id,price,currency,condition,date,side,listing_id
${VARIANT},410.00,USD,Good,${today},sold,a-1
${VARIANT},420.00,USD,Good,${today},sold,a-2
`

describe('an organization is created, used and removed by key only', () => {
  let program: RunningProgram
  let operatorKey: string
  const received: string[] = []
  const receiver = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      received.push(((await request.json()) as { type: string }).type)
      return new Response('ok')
    },
  })

  beforeAll(async () => {
    program = await startProgram({ LOG_LEVEL: 'error', DATA_DIR: filledDataDir('small'), WEBHOOK_ALLOW_PRIVATE: 'on' })
    const organization = (await runProgram(['org', 'create', 'Operator'], program.environment)).stdout.trim()
    const create = ['key', 'create', '--org', organization, '--tier', 'enterprise', '--may', 'operate']
    operatorKey = (await runProgram(create, program.environment)).stdout.trim()
  })
  afterAll(async () => {
    await program.stop()
    await receiver.stop(true)
  })

  const clientOf = (key: string) => new DeviceIntelligence({ url: program.url, key })

  test('with the TypeScript and the Python client', async () => {
    const operator = clientOf(operatorKey)
    const { id, name } = await operator.createOrganization({ name: 'Corner Shop', tier: 'paid', market: 'us' })
    const of = { organization_id: id }
    const changed = await operator.changeOrganization(id, {
      limit_per_minute: 6000,
      quota: { monthly_requests: 1_000_000, is_hard: true },
    })
    expect(changed).toMatchObject({ tier: 'paid', limit_per_minute: 6000, quota: { is_hard: true } })
    expect(await operator.getOrganization(id)).toEqual(changed)

    const { link = '' } = await operator.createInvitation({ email: 'owner@shop.example', role: 'owner' }, { query: of })
    const join = await fetch(`${program.url}/account/link/use`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: program.url },
      body: JSON.stringify({ token: new URL(link).hash.slice(1), name: 'Ada', password: 'correct horse battery 9' }),
    })
    expect(join.status).toBe(200)
    const members = await operator.listMembers(of)
    expect(members.map(({ email, role }) => `${email} ${role}`)).toEqual(['owner@shop.example owner'])
    const other = await operator.createInvitation({ email: 'wrong@shop.example', role: 'owner' }, { query: of })
    expect(other.link).toContain('#')
    const [open] = await operator.listInvitations(of)
    expect(open?.id).toBe(other.id)
    await operator.withdrawInvitation(other.id, of)
    expect(await operator.listInvitations(of)).toEqual([])

    // The customer's own key manages the rest, and sees no other organization.
    const { secret: customerKey = '' } = await operator.createKey(
      { name: 'Back office', tier: 'paid', rights: ['manage'] },
      { query: of },
    )
    const customer = clientOf(customerKey)
    const { policy: ownPolicy } = await customer.changeSettings({ policy: { target_margin_percent: 33 } })
    expect({ own: ownPolicy?.own, margin: ownPolicy?.policy.target_margin_percent }).toEqual({
      own: ['target_margin_percent'],
      margin: 33,
    })
    const hook = { url: `http://127.0.0.1:${receiver.port}/hook`, types: ['appraisal.created' as const] }
    const { webhook } = await customer.createWebhook(hook)
    const { secret: shopKey = '' } = await customer.createKey({ name: 'Web shop', tier: 'paid' })
    expect(customer.listKeys({ organization_id: 'org_other' })).rejects.toBeInstanceOf(NotFoundError)

    // Prices are shared by all organizations: the operator imports them.
    const upload = await operator.createUpload({ format: 'observations', file: 'deals.csv', bytes: PRICES.length })
    const content = Buffer.from(PRICES).toString('base64')
    expect(await operator.sendUploadPart(upload.id, { at: 0, content })).toEqual({ received: PRICES.length })
    await operator.changeUpload(upload.id, { action: 'check', options: { source: 'erp' } })
    const reaches = (state: string) =>
      waitUntil(async () => (await operator.getUpload(upload.id)).state === state, { describe: state })
    await reaches('checked')
    expect((await operator.getUpload(upload.id)).failure).toBeNull()
    await operator.changeUpload(upload.id, { action: 'run' })
    await reaches('ended')
    const { run } = await operator.getUpload(upload.id)
    expect(run).toMatchObject({ state: 'done', counts: { rows: 2, written: 2 } })
    const runs = await operator.listImports()
    expect(runs[0]?.id).toBe(run?.id ?? '')

    // The customer works.
    const shop = clientOf(shopKey)
    const appraisal = await shop.appraiseDevice({ variant_id: VARIANT, condition: 'Good' })
    expect(appraisal.policy?.target_margin_percent).toBe(33)
    await waitUntil(() => received.includes('appraisal.created'), { describe: 'the webhook' })
    if (python) {
      const script = `
import os
import device_intelligence as di
with di.DeviceIntelligence(os.environ["SERVICE_URL"], os.environ["SERVICE_KEY"]) as client:
    print([key["name"] for key in client.list_keys()])
    print(client.get_settings()["policy"]["policy"]["target_margin_percent"])
    key = client.create_key({"name": "From Python", "tier": "public"})
    client.change_key(key["key"]["id"], {"limit_per_minute": 5})
    client.revoke_key(key["key"]["id"])
    try:
        print([each["name"] for each in client.list_organizations()])
    except di.ForbiddenError as error:
        print(error.code)
`
      const ran = await runProgram(
        ['-c', script],
        { SERVICE_URL: program.url, SERVICE_KEY: customerKey, PYTHONPATH: PYTHON_CLIENT, PYTHONDONTWRITEBYTECODE: '1' },
        [python],
      )
      expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' })
      expect(ran.stdout).toMatch(/^\['Web shop', 'Back office'\]\n33(\.0)?\nFORBIDDEN\n$/)
    }
    const actors = new Set<string>()
    for await (const { who } of customer.listAuditEntries()) actors.add(who.replace(/ \(key_\w+\)/, ''))
    expect([...actors]).toContain('API key Back office')

    // And leaves.
    expect(await operator.undoImport(run?.id ?? '')).toMatchObject({ observations: 2 })
    await customer.removeWebhook(webhook.id)
    expect(operator.removeOrganization(id, { confirm: 'Another name' })).rejects.toThrow(name)
    await operator.removeOrganization(id, { confirm: name })
    await waitUntil(
      () =>
        shop.listMakes().then(
          () => false,
          (error) => error instanceof UnauthorizedError,
        ),
      {
        describe: 'the end of access',
      },
    )
  }, 240_000)
})
