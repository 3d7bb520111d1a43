import { type RunningProgram, runProgram } from './program.ts'

/** Typical daily load of a service: each kind of request at its own rate. */

export type Asked = { readonly kind: string; readonly status: number; readonly tookMs: number }

type Kind = {
  readonly name: string
  readonly everyMs: number
  ask(): Promise<Response>
}

export type MixedLoad = {
  readonly kinds: readonly string[]
  /** Sends requests until then and reports every response. */
  run(until: number, tell: (asked: Asked) => void): Promise<void>
}

/** Creates what all kinds of requests need: an organization, its keys and a signed-in person. */
export async function mixedLoad(program: RunningProgram): Promise<MixedLoad> {
  const kinds = await kindsOf(program)
  return {
    kinds: [...new Set(kinds.map(({ name }) => name))],
    async run(until, tell) {
      await Promise.all(
        kinds.map(async ({ name, everyMs, ask }) => {
          for (let due = performance.now(); due < until; ) {
            await Bun.sleep(Math.max(0, due - performance.now()))
            const from = performance.now()
            const response = await ask()
            await response.arrayBuffer()
            tell({ kind: name, status: response.status, tookMs: performance.now() - from })
            // Late requests are not caught up: the rate is that of callers, not of a benchmark.
            due = Math.max(due + everyMs, performance.now())
          }
        }),
      )
    },
  }
}

async function kindsOf(program: RunningProgram): Promise<Kind[]> {
  const run = async (...args: string[]) => (await runProgram(args, program.environment)).stdout.trim()
  const organization = await run('org', 'create', 'Mixed load')
  const key = await run('key', 'create', '--org', organization, '--tier', 'enterprise')
  const cookie = await signedIn(
    program,
    await run('user', 'create', '--email', 'owner@example.test', '--org', organization),
  )
  const get = (path: string, bearer = key) =>
    fetch(program.url + path, { headers: { Authorization: `Bearer ${bearer}` } })
  const post = (path: string, json: unknown) =>
    fetch(program.url + path, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(json),
    })
  const page = (path: string) =>
    fetch(program.url + path, {
      headers: { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin', 'X-Requested-With': 'dashboard' },
    })
  const change = (path: string, json: unknown) =>
    fetch(program.url + path, {
      method: 'POST',
      headers: {
        Cookie: cookie,
        Origin: program.url,
        'X-Requested-With': 'dashboard',
        'Content-Type': 'application/json',
      },
      body: JSON.stringify(json),
    })

  const variants = ((await (await get('/api/variants?limit=100')).json()) as Listed).data
  const below = (limit: number) => Math.floor(Math.random() * limit)
  const variant = () => variants[below(variants.length)] as Listed['data'][number]
  const imei = () => String(35_000_000_000_000 + below(1_000_000) * 7_919)
  const appraisal = () => ({ variant_id: variant().id, condition: 'Good', identifier: imei() })
  const several = <T>(many: number, one: () => T) => ({ items: Array.from({ length: many }, one) })
  const words = ['iphone 13', 'galaxy s21 ultra', 'ipad pro 12.9', 'pixel', 'apple watch', 'sm-g991', 'no such thing']
  const word = () => encodeURIComponent(words[below(words.length)] as string)
  const title = () => `${word()}%20${below(8) * 128}gb%20unlocked%20${below(10_000)}`

  const rotating = (await (
    await change('/api/manage/keys', { name: 'Rotated', tier: 'public', expires_on: null })
  ).json()) as Made
  let current = rotating.data
  /** Rotates a key without overlap. */
  async function rotate(): Promise<Response> {
    const rotated = await change(`/api/manage/keys/${current.key.id}/rotate`, { overlap_days: 0 })
    if (rotated.status !== 200) return rotated
    const before = current.secret
    current = ((await rotated.json()) as Made).data
    const refused = await get('/api/devices?limit=1', before)
    return refused.status === 401 ? get('/api/devices?limit=1', current.secret) : refused
  }

  return [
    { name: 'health', everyMs: 50, ask: () => fetch(`${program.url}/healthz`) },
    { name: 'page of devices', everyMs: 25, ask: () => get(`/api/devices?limit=20&page=${1 + below(40)}`) },
    { name: 'search', everyMs: 50, ask: () => get(`/api/devices?search=${word()}`) },
    { name: 'price', everyMs: 25, ask: () => get(`/api/pricing?variant_id=${variant().id}`) },
    { name: 'repairs', everyMs: 50, ask: () => get(`/api/repairs?variant_id=${variant().id}`) },
    { name: 'title', everyMs: 100, ask: () => get(`/api/match?text=${title()}`) },
    ...['lookup', 'lookup', 'lookup', 'lookup'].map((name) => ({
      name,
      everyMs: 50,
      ask: () => post('/api/imei', { identifier: imei() }),
    })),
    {
      name: 'batch of 100 lookups',
      everyMs: 1_000,
      ask: () =>
        post(
          '/api/imei/batch',
          several(100, () => ({ identifier: imei() })),
        ),
    },
    { name: 'appraisal', everyMs: 100, ask: () => post('/api/appraisals', appraisal()) },
    {
      name: 'batch of 20 appraisals',
      everyMs: 2_000,
      ask: () => post('/api/appraisals/batch', several(20, appraisal)),
    },
    { name: 'page of the history', everyMs: 200, ask: () => get(`/api/imei?limit=50&page=${1 + below(200)}`) },
    { name: 'usage, by a person', everyMs: 5_000, ask: () => page('/api/usage') },
    { name: 'key rotated, old one refused', everyMs: 10_000, ask: rotate },
    { name: 'export of all lookups', everyMs: 120_000, ask: () => page('/api/imei?format=csv') },
    { name: 'export of all appraisals', everyMs: 120_000, ask: () => page('/api/appraisals?format=csv') },
  ]
}

type Listed = { readonly data: readonly { readonly id: string }[] }
type Made = { readonly data: { readonly secret: string; readonly key: { readonly id: string } } }

/** The session cookie of a person who used a link from the command line. */
async function signedIn(program: RunningProgram, link: string): Promise<string> {
  const joined = await fetch(`${program.url}/account/link/use`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: program.url },
    body: JSON.stringify({ token: link.split('#').at(-1), password: 'correct horse battery' }),
  })
  if (joined.status !== 200) throw new Error(`could not join: ${await joined.text()}`)
  return joined.headers.get('set-cookie')?.split(';')[0] ?? ''
}
