import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Client } from '@modelcontextprotocol/client'
import { CONDITION_GRADES } from '../../src/contract/conditions.ts'
import { DEFECTS } from '../../src/contract/defects.ts'
import type { Tier } from '../../src/contract/tiers.ts'
import { FACTORS } from '../../src/risk/risk-factors.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { callTool, connectOverHttp } from '../support/mcp.ts'
import { startService, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

const VARIANT = 'apple-iphone-13-128gb-midnight'
const STOLEN = '100000010000023'

const NEEDED: Readonly<Record<string, Tier>> = {
  match_device: 'public',
  search_devices: 'public',
  get_device: 'public',
  price_device: 'paid',
  price_devices: 'paid',
  price_history: 'paid',
  repair_options: 'paid',
  check_identifier: 'enterprise',
  appraise_device: 'paid',
  list_appraisals: 'paid',
  list_lookups: 'enterprise',
  create_watch: 'enterprise',
  list_watches: 'enterprise',
  end_watch: 'enterprise',
  list_events: 'enterprise',
}

onDatabaseOfSuite((store) => {
  let service: TestService
  const clients: Client[] = []
  const connect = async (...args: Parameters<typeof connectOverHttp>) => {
    const client = await connectOverHttp(...args)
    clients.push(client)
    return client
  }
  beforeAll(async () => {
    service = await startService(await store.open())
  })
  afterAll(async () => {
    for (const client of clients) await client.close()
    await service.stop()
  })

  test('a web page of another origin is rejected before its key is checked; our own pages are not', async () => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const send = (origin: string, key: string) => service.ask('/mcp', { key, json: list, headers: { Origin: origin } })
    const rejected = await send('https://evil.example', 'pk_pub_wrong')
    expect([rejected.status, rejected.body.error.code]).toEqual([403, 'FORBIDDEN'])
    expect((await send('null', service.keys.public)).status).toBe(403)
    expect((await send(new URL(service.url).origin, service.keys.public)).status).not.toBe(403)
  })

  for (const era of ['legacy', 'auto'] as const) {
    test(`the official client (${era}) lists every tool with the arguments of the contract`, async () => {
      const client = await connect(service.url, service.keys.enterprise, era)
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(NEEDED).sort())
      for (const { inputSchema, description } of tools) {
        expect(inputSchema.type).toBe('object')
        expect(description).not.toContain('UNAVAILABLE')
      }
      const appraise = tools.find(({ name }) => name === 'appraise_device')!
      const { condition, defects } = appraise.inputSchema.properties as Record<string, Record<string, unknown>>
      expect(condition?.enum).toEqual(CONDITION_GRADES.map(({ name }) => name))
      expect(defects?.items).toEqual({ type: 'string', enum: DEFECTS.map(({ code }) => code) })
    })
  }

  test('a tool above the tier of the key is listed as unavailable with the tier it needs, and rejects calls', async () => {
    const client = await connect(service.url, service.keys.public)
    const { tools } = await client.listTools()
    for (const { name, description } of tools) {
      const isAvailable = NEEDED[name] === 'public'
      expect(description?.startsWith('UNAVAILABLE with this key: it needs the')).toBe(!isAvailable)
    }
    const forbidden = await callTool(client, 'price_device', { variant_id: VARIANT })
    expect(forbidden.isError).toBe(true)
    expect(forbidden.text).toMatch(/^FORBIDDEN: .*Paid tier.* Do not try again with this key/)
  })

  test("a device in a person's words becomes a variant, prices and an appraisal", async () => {
    const client = await connect(service.url, service.keys.enterprise)
    const { data: match } = await callTool(client, 'match_device', { text: 'iphone 13 128gb midnight unlocked' })
    expect(match).toMatchObject({ decision: 'matched', device_id: 'apple-iphone-13', variant_id: VARIANT })
    expect(match.confidence).toBeGreaterThan(80)

    const { data: priced } = await callTool(client, 'price_device', { variant_id: match.variant_id })
    const { body } = await service.ask(`/api/pricing?variant_id=${VARIANT}`, { tier: 'paid' })
    const { historical, ...resale } = body.data.resale
    expect(historical.length).toBeGreaterThan(0)
    expect(priced.resale).toEqual(resale)
    expect(priced).toMatchObject({ currency: 'USD', market_confidence: body.data.market_confidence })
    expect(['market', 'estimate', 'sample']).toContain(priced.buyback.source)

    const args = { variant_id: match.variant_id, condition: 'Good', defects: ['cracked_back'] }
    const { data: appraised } = await callTool(client, 'appraise_device', args)
    const record = await service.ask(`/api/appraisals/${appraised.appraisal_id}`, { tier: 'paid' })
    expect(record.body.data.offer).toMatchObject({
      decision: appraised.decision,
      max_offer: appraised.max_offer,
      recommended_offer: appraised.recommended_offer,
    })
    expect(appraised).toMatchObject({ condition: 'Good', defects: ['cracked_back'], risk: null })
    expect(appraised.reasons.at(-1).running_total).toBe(appraised.recommended_offer)
  })

  test('a listed identifier is refused, and the lookup is stored', async () => {
    const client = await connect(service.url, service.keys.enterprise)
    const { data } = await callTool(client, 'check_identifier', { identifier: STOLEN })
    expect(data).toMatchObject({ blacklist_status: 'blacklisted', recommendation: 'reject', risk_level: 'critical' })
    expect(data.risk_factors[0]).toMatchObject({ code: 'reported_lost_stolen', points: 90 })
    const history = await service.ask(`/api/imei?identifier=${STOLEN}`, { tier: 'enterprise' })
    expect(history.body.data.map((lookup: { lookup_id: string }) => lookup.lookup_id)).toContain(data.lookup_id)
  })

  test('search, repairs and history are short and name their source', async () => {
    const client = await connect(service.url, service.keys.paid)
    const { data: found } = await callTool(client, 'search_devices', { search: 'iphone 13', limit: 2 })
    expect(found.devices).toHaveLength(2)
    expect(found.total).toBeGreaterThan(2)
    expect(found.devices[0].id).toBe('apple-iphone-13')

    const { data: device } = await callTool(client, 'get_device', { device_id: 'apple-iphone-13' })
    expect(device).toMatchObject({ name: 'iPhone 13', make: 'Apple', category: 'Smartphone' })
    expect(device.variants.find(({ id }: { id: string }) => id === VARIANT)).toMatchObject({
      attributes: { storage: '128GB', color: 'Midnight' },
      disabled: false,
    })

    const { data: repairs } = await callTool(client, 'repair_options', { device_id: 'apple-iphone-13' })
    expect(repairs).toMatchObject({ device_name: 'iPhone 13', source: 'repairsite' })
    expect(repairs.repairs.length).toBeGreaterThan(2)

    const args = { variant_id: VARIANT, condition: 'Good', pricing_type: 'resale' }
    const { data: history } = await callTool(client, 'price_history', args)
    expect(history.points.length).toBeGreaterThan(3)
    expect(history.points.every(({ condition }: { condition: string }) => condition === 'Good')).toBe(true)
    expect(history).toMatchObject({ pricing_type: 'resale', source: 'sample', currency: 'USD' })
  })

  describe('an error says what to do next', () => {
    for (const [why, name, args, says] of [
      ['an unknown id', 'price_device', { variant_id: 'no-such' }, /^NOT_FOUND: .* Take the id from/],
      ['a misspelt id', 'get_device', { device_id: 'apple-iphon-13' }, /Did you mean apple-iphone-13,/],
      ['an id that is a path', 'get_device', { device_id: '../imei' }, /^VALIDATION_ERROR: device_id was "\.\.\/imei"/],
      ['a missing argument', 'price_device', {}, /^VALIDATION_ERROR: variant_id is missing; expected the id/],
      [
        'an unknown grade',
        'appraise_device',
        { text: 'iphone 13', condition: 'Great' },
        /^VALIDATION_ERROR: condition was "Great"; expected one of Excellent, Good, Fair, Poor\. Correct that/,
      ],
      [
        'a number instead of text',
        'check_identifier',
        { identifier: 1 },
        /^VALIDATION_ERROR: identifier was 1; expected/,
      ],
      ['a currency without a rate', 'price_device', { variant_id: VARIANT, currency: 'XTS' }, /^VALIDATION_ERROR: /],
      ['neither device nor variant', 'repair_options', {}, /^VALIDATION_ERROR: device_id is missing/],
      [
        'an unknown grade in the history',
        'price_history',
        { variant_id: VARIANT, condition: 'Great' },
        /^VALIDATION_ERROR: condition was "Great"; expected one of Excellent, Good, Fair, Poor\. Correct/,
      ],
      [
        'a number beyond the limit',
        'search_devices',
        { limit: 50 },
        /^VALIDATION_ERROR: limit was 50; expected a whole number from 1 to 20\. Correct/,
      ],
      ['an unknown watch', 'end_watch', { watch_id: 'wat_none' }, /^NOT_FOUND: .* Take the id from list_watches\.$/],
    ] as const) {
      test(why, async () => {
        const client = await connect(service.url, service.keys.enterprise)
        const { isError, text } = await callTool(client, name, args)
        expect(isError).toBe(true)
        expect(text).toMatch(says)
        // A model has tools, not endpoints.
        expect(text).not.toContain('/api/')
        expect(text).not.toMatch(/expected (Invalid|Too)/)
      })
    }
  })

  describe('questions that people ask are answered by one call', () => {
    const panel: readonly (readonly [question: string, tool: string, args: Record<string, unknown>, answer: RegExp])[] =
      [
        [
          'Which phone is this?',
          'match_device',
          { text: 'iphone 13 128gb midnight' },
          /"variant_id":"apple-iphone-13-128gb-midnight"/,
        ],
        ['And A2633?', 'match_device', { text: 'A2633' }, /"device_id":"apple-iphone-13"/],
        ['Which S21?', 'match_device', { text: 'samsung galaxy s21 or s22' }, /"reason":"multiple_models"/],
        ['What is a toaster worth?', 'match_device', { text: 'two-slot toaster' }, /"device_id":null/],
        [
          'Which Apple phones are there?',
          'search_devices',
          { make: 'Apple', category: 'Smartphone' },
          /"make":"Apple"/,
        ],
        ['Newest iPhones?', 'search_devices', { search: 'iphone', limit: 3 }, /"total":\d\d/],
        ['Second page of them?', 'search_devices', { search: 'iphone', limit: 3, page: 2 }, /"devices":\[\{/],
        ['Nothing by that name?', 'search_devices', { search: 'zzzzqqqq' }, /"devices":\[\]/],
        ['Colours of the iPhone 13?', 'get_device', { device_id: 'apple-iphone-13' }, /"color":"Midnight"/],
        ['When was it released?', 'get_device', { device_id: 'apple-iphone-13' }, /"release_date":"2021-09/],
        ['What is it worth?', 'price_device', { variant_id: VARIANT }, /"resale":\{.*"Good":\d+/],
        ['What do dealers pay?', 'price_device', { variant_id: VARIANT, pricing_type: 'buyback' }, /"buyback":\{/],
        ['Locked to a carrier?', 'price_device', { variant_id: VARIANT, lock: 'locked' }, /"lock":"locked"/],
        ['In Britain?', 'price_device', { variant_id: VARIANT, market: 'gb' }, /"code":"gb"/],
        ['How sure is that?', 'price_device', { variant_id: VARIANT }, /"market_confidence":\d+/],
        [
          'Two at once?',
          'price_devices',
          { variant_ids: [VARIANT, 'apple-iphone-13-256gb-midnight'] },
          /"condition":"Good","prices":\[/,
        ],
        ['In poor condition?', 'price_devices', { variant_ids: [VARIANT], condition: 'Poor' }, /"condition":"Poor"/],
        ['How did the price develop?', 'price_history', { variant_id: VARIANT, condition: 'Good' }, /"points":\[\{/],
        ['In the last month?', 'price_history', { variant_id: VARIANT, history_days: 30 }, /"source":"sample"/],
        ['What does a new screen cost?', 'repair_options', { device_id: 'apple-iphone-13' }, /"parts_max":\d+/],
        ['Does a repair pay?', 'repair_options', { variant_id: VARIANT }, /"repair_roi_indicator":/],
        ['Is it stolen?', 'check_identifier', { identifier: STOLEN }, /"blacklist_status":"blacklisted"/],
        [
          'Did I mistype the number?',
          'check_identifier',
          { identifier: '356938035643808' },
          /"recommendation":"recheck_identifier"/,
        ],
        ['What may I offer?', 'appraise_device', { variant_id: VARIANT, condition: 'Good' }, /"max_offer":[1-9]/],
        [
          'With a cracked screen?',
          'appraise_device',
          { text: 'iphone 13 128gb midnight cracked screen' },
          /"defects":\["cracked_screen"\]/,
        ],
        ['If it is stolen?', 'appraise_device', { identifier: STOLEN, condition: 'Good' }, /"decision":"reject"/],
        [
          'Of no known colour?',
          'appraise_device',
          { device_id: 'apple-iphone-13', attributes: { storage: '128GB' }, condition: 'Fair' },
          /"condition":"Fair"/,
        ],
        ['What did we appraise?', 'list_appraisals', { limit: 2 }, /"has_next":true/],
        ['What did we check?', 'list_lookups', { identifier: STOLEN }, /"blacklist_status":"blacklisted"/],
        ['What happened lately?', 'list_events', { limit: 1 }, /"next_after":/],
      ]
    for (const [question, tool, args, answer] of panel) {
      test(question, async () => {
        const client = await connect(service.url, service.keys.enterprise)
        const { isError, text } = await callTool(client, tool, args)
        expect([isError, text]).toEqual([false, expect.stringMatching(answer)])
      })
    }
  })

  test('no text of the tool list names an endpoint, which a model cannot call', async () => {
    const client = await connect(service.url, service.keys.enterprise)
    expect(JSON.stringify(await client.listTools())).not.toContain('/api/')
  })

  test('the server declares that its lists never change', async () => {
    const client = await connect(service.url, service.keys.public)
    const none = { listChanged: false }
    expect(client.getServerCapabilities()).toEqual({ tools: none, resources: none, prompts: none })
  })

  test('many variants are priced in one call, each with a price or a reason', async () => {
    const client = await connect(service.url, service.keys.paid)
    const { data } = await callTool(client, 'price_devices', { variant_ids: [VARIANT, 'no-such'], condition: 'Fair' })
    expect(data).toMatchObject({
      condition: 'Fair',
      prices: [
        { variant_id: VARIANT, resale: expect.any(Number), source: 'sample', currency: 'USD' },
        { variant_id: 'no-such', error: expect.stringContaining('was not found') },
      ],
    })
  })

  test('watches are created, listed and ended; history and events are listed', async () => {
    const { keys } = await service.newOrganization('Watching')
    const client = await connect(service.url, keys.enterprise)
    const { data: watch } = await callTool(client, 'create_watch', { variant_id: VARIANT, reference: 'till' })
    expect(watch).toMatchObject({ kind: 'variant', variant_id: VARIANT })
    expect((await callTool(client, 'list_watches', { reference: 'till' })).data.watches).toEqual([watch])
    expect((await callTool(client, 'end_watch', { watch_id: watch.id })).data.id).toBe(watch.id)
    expect((await callTool(client, 'list_watches', {})).data.watches).toEqual([])
    await callTool(client, 'check_identifier', { identifier: STOLEN })
    await callTool(client, 'appraise_device', { variant_id: VARIANT, condition: 'Good', reference: 'a-1' })
    const { data: lookups } = await callTool(client, 'list_lookups', { identifier: STOLEN })
    expect(lookups).toMatchObject({ total: 1, lookups: [{ identifier: STOLEN, blacklist_status: 'blacklisted' }] })
    const { data: appraisals } = await callTool(client, 'list_appraisals', { reference: 'a-1' })
    expect(appraisals).toMatchObject({
      total: 1,
      appraisals: [{ variant_id: VARIANT, reference: 'a-1', outcome: null }],
    })
    await waitUntil(async () => (await callTool(client, 'list_events', {})).data.events.length > 0, {
      describe: 'events',
    })
    expect((await callTool(client, 'list_events', { type: 'appraisal.created' })).data.events).toHaveLength(1)
  })

  test('without an authorization server there is no OAuth metadata that could promise one', async () => {
    const response = await fetch(`${service.url}/mcp`, { method: 'POST', body: '{}' })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).not.toContain('resource_metadata')
    for (const path of ['', '/mcp']) {
      expect((await fetch(`${service.url}/.well-known/oauth-protected-resource${path}`)).status).toBe(404)
    }
  })

  test('the list of tools is at most 12 kB for every tier: a model reads it before it does anything', async () => {
    for (const tier of ['public', 'paid', 'enterprise'] as const) {
      const client = await connect(service.url, service.keys[tier])
      expect(JSON.stringify(await client.listTools()).length).toBeLessThanOrEqual(12_000)
    }
  })

  test('resources explain the terms, and the prompt asks for missing details', async () => {
    const client = await connect(service.url, service.keys.public)
    const contents = { grades: CONDITION_GRADES, defects: DEFECTS, factors: FACTORS }
    const { resources } = await client.listResources()
    expect(resources.map(({ name }) => name)).toEqual(Object.keys(contents))
    for (const { name, uri } of resources) {
      const [read] = (await client.readResource({ uri })).contents as { text: string }[]
      expect(JSON.parse(read?.text ?? '')).toEqual(JSON.parse(JSON.stringify(contents[name as keyof typeof contents])))
    }
    const { prompts } = await client.listPrompts()
    expect(prompts.map(({ title }) => title)).toEqual(['Appraise what I have'])
    const prompt = { name: 'appraise_what_i_have', arguments: { device: 'a blue phone', identifier: STOLEN } }
    const { messages } = await client.getPrompt(prompt)
    expect(JSON.stringify(messages)).toContain('a blue phone')
    expect(JSON.stringify(messages)).toContain(STOLEN)
  })

  test('a message without a valid key is 401 in the envelope of the API', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
    for (const key of ['', 'Bearer pk_paid_nonsense']) {
      const response = await fetch(`${service.url}/mcp`, {
        method: 'POST',
        headers: key ? { ...headers, Authorization: key } : headers,
        body: JSON.stringify(message),
      })
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toStartWith('Bearer')
      expect((await response.json()).error.code).toBe('UNAUTHORIZED')
    }
    expect((await fetch(`${service.url}/mcp`)).status).toBe(405)
  })

  test('a message counts once, is logged, and the request of its tool is logged with the same id', async () => {
    const { keys, organizationId } = await service.newOrganization('Counted')
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'match_device', arguments: { text: 'iphone 13' } },
    }
    const post = (sent: unknown) =>
      fetch(`${service.url}/mcp`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          Authorization: `Bearer ${keys.public}`,
          'X-Request-Id': 'mcp-counted',
        },
        body: JSON.stringify(sent),
      })
    const remaining = (response: Response) => Number(response.headers.get('x-ratelimit-remaining'))
    const first = await post(body)
    expect(first.headers.get('x-request-id')).toBe('mcp-counted')
    expect(await first.text()).toContain('apple-iphone-13')
    const left = remaining(first)
    expect(remaining(await post({ ...body, id: 2 }))).toBe(left - 1)
    // An old client may send a batch of messages: each of them counts.
    expect(
      remaining(
        await post([
          { ...body, id: 3 },
          { ...body, id: 4 },
          { ...body, id: 5 },
        ]),
      ),
    ).toBe(left - 4)
    const isLogged = (route: string) =>
      service
        .logged()
        .split('\n')
        .filter((line) => line.includes('mcp-counted') && line.includes(organizationId))
        .some((line) => line.includes(`"route":"${route}"`))
    await waitUntil(() => isLogged('/mcp') && isLogged('/api/match'), { describe: 'both routes in the log' })
  })

  test('beyond the limit of the key every message is rejected', async () => {
    await using limited = await startService(await store.open(), { RATE_LIMIT_PUBLIC: '2' })
    const ask = () =>
      fetch(`${limited.url}/mcp`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          Authorization: `Bearer ${limited.keys.public}`,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      })
    const statuses = [(await ask()).status, (await ask()).status]
    const third = await ask()
    expect([...statuses, third.status]).toEqual([200, 200, 429])
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('a client that knows only the base URL finds the description', async () => {
    const root = await fetch(service.url, { redirect: 'manual' })
    expect(root.headers.get('link')).toContain('</openapi.json>; rel="service-desc"')
    expect(root.headers.get('link')).toContain('</llms.txt>; rel="describedby"')
    const page = await (await fetch(`${service.url}/`)).text()
    expect(page).toContain('<link rel="service-desc" href="/openapi.json">')
    const llms = await fetch(`${service.url}/llms.txt`)
    expect(llms.headers.get('content-type')).toStartWith('text/markdown')
    const text = await llms.text()
    expect(text).toStartWith('# Device Intelligence\n')
    expect(text).toContain(`${service.url}/mcp`)
    expect(text).toContain('[POST /api/imei]')
  })
})
