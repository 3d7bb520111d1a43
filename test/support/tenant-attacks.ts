import { runProgram } from './program.ts'

/** One organization asks for as much as its key and its bounds allow. */
export type TenantAttack = {
  readonly name: string
  /** Beyond its own limit it is answered 429. */
  readonly isLimited?: boolean
  /** Stores what the requests need. */
  readonly prepare?: (caller: Attacker) => Promise<void>
  /** One request; `at` counts them. */
  readonly request: (caller: Attacker, at: number) => Promise<Response>
}

export type Attacker = {
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Response>
  readonly send: (method: string, path: string, json: unknown) => Promise<Response>
  readonly form: (path: string, fields: Record<string, string>, headers: Record<string, string>) => Promise<Response>
}

const WORDS = 2_000
const TEACHABLE_AT_ONCE = 200
const PURCHASES = 100
const PHOTOS = 4
const PHOTO_BYTES = 300_000
const ROWS_AT_ONCE = 60
const FILLED_ROWS = 6_000
const SELLER_SLUG = 'attacked-shop'
const TEXT_LENGTH = 4_000

const SENTENCES =
  'iPhone 13 128GB midnight, Display hat einen kleinen Kratzer, battery 84 %, screen was replaced last year, no water damage, funktioniert einwandfrei, OVP vorhanden, carte SIM libre, écran fissuré en bas à gauche, '
const NOTES = SENTENCES.repeat(10)
const text = (length: number, at: number) =>
  `${at} ${SENTENCES.repeat(Math.ceil(length / SENTENCES.length))}`.slice(0, length)
const photo = `data:image/jpeg;base64,${'A'.repeat((PHOTO_BYTES / 3) * 4 - 4)}`
const SELLER = {
  name: 'Ada Example',
  address: '1 High Street, Exampleton',
  id_kind: 'id_card',
  id_number: 'L01X00T47',
  date_of_birth: '1990-12-31',
  photos: Array.from({ length: PHOTOS }, () => ({ kind: 'id', image: photo })),
}

/** Fails if an answer is not what the preparation needs. */
async function data<T>(response: Promise<Response>): Promise<T> {
  const answer = await response
  const body = await answer.text()
  if (answer.status !== 200) throw new Error(`${answer.url}: ${answer.status} ${body.slice(0, 500)}`)
  return JSON.parse(body).data as T
}

async function newList({ send }: Attacker, name: string): Promise<string> {
  return (await data<{ id: string }>(send('POST', '/api/lists', { name, header: ['Model', 'Memo'] }))).id
}

const wideRows = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    line: from + at + 1,
    cells: [
      'iPhone 13 128GB',
      ...Array.from({ length: 8 }, (_, cell) => `${from + at} ${cell} ${NOTES}`.slice(0, 1_900)),
    ],
  }))

const rowsOf = (id: string, from: number, count: number) =>
  [`/api/lists/${id}`, { rows: wideRows(from, count), omit_rows: true }] as const

/** Lists whose rows are as wide as they may be. */
function wideList() {
  let id = ''
  return {
    id: () => id,
    prepare: async (caller: Attacker) => {
      if (id) return
      id = await newList(caller, 'Wide')
      for (let from = 0; from < FILLED_ROWS; from += ROWS_AT_ONCE)
        await data(caller.send('PATCH', ...rowsOf(id, from, ROWS_AT_ONCE)))
    },
  }
}

type SellerImages = { readonly purchases: { readonly images: { readonly id: string }[] }[] }

/** Purchases from one person, of which each has four photos. */
function photographedPurchases() {
  const ids: string[] = []
  const images: string[] = []
  return {
    ids,
    images,
    prepare: async ({ send, get }: Attacker) => {
      if (ids.length > 0) return
      await data(send('PATCH', '/api/manage/settings', { seller_record: 'full' }))
      for (let at = 0; at < PURCHASES; at++) {
        const appraisal = { variant_id: 'apple-iphone-13-128gb-midnight', condition: 'Good' }
        const { appraisal_id: id } = await data<{ appraisal_id: string }>(send('POST', '/api/appraisals', appraisal))
        const outcome = { status: 'bought', price: 5_000, confirm_amount: true, seller: SELLER }
        await data(send('POST', `/api/appraisals/${id}/outcome`, outcome))
      }
      for (const { person_id: id } of await data<{ person_id: string }[]>(get('/api/sellers?limit=100'))) ids.push(id)
      const { purchases } = await data<SellerImages>(get(`/api/sellers/${ids[0]}?limit=100`))
      for (const image of purchases.flatMap((purchase) => purchase.images))
        images.push(`/api/sellers/${ids[0]}/images/${image.id}`)
    },
  }
}

export function tenantAttacks({ textsInBatch = 50 } = {}): readonly TenantAttack[] {
  const list = wideList()
  const purchases = photographedPurchases()
  let growing = ''
  const words = async (caller: Attacker) => {
    const id = await newList(caller, 'Words')
    for (let from = 0; from < WORDS; from += TEACHABLE_AT_ONCE) {
      const taught = Array.from({ length: TEACHABLE_AT_ONCE }, (_, at) => ({
        word: `kratzer display ${from + at} battery screen`,
        condition: 'Fair',
      }))
      await data(caller.send('PATCH', `/api/lists/${id}`, { words: taught }))
    }
  }
  return [
    {
      name: `batches of ${textsInBatch} texts of 4,000 characters`,
      request: ({ send }, at) =>
        send('POST', '/api/appraisals/batch', {
          items: Array.from({ length: textsInBatch }, (_, of) => ({ text: text(TEXT_LENGTH, at * 100 + of) })),
        }),
    },
    {
      name: 'single texts of 4,000 characters',
      request: ({ send }, at) => send('POST', '/api/appraisals', { text: text(TEXT_LENGTH, at) }),
    },
    {
      name: 'previews of texts of 4,000 characters',
      request: ({ send }, at) =>
        send('POST', '/api/appraisals/preview', { lookup_id: null, text: text(TEXT_LENGTH, at) }),
    },
    {
      name: `2,000 taught words, batches of ${textsInBatch} texts of 300 characters`,
      prepare: words,
      request: ({ send }, at) =>
        send('POST', '/api/appraisals/batch', {
          items: Array.from({ length: textsInBatch }, (_, of) => ({ text: text(300, at * 100 + of) })),
        }),
    },
    {
      name: '1,000 identifier checks in a request',
      request: ({ send }, at) =>
        send('POST', '/api/imei/batch', {
          items: Array.from({ length: 1_000 }, (_, of) => ({
            identifier: String(35_000_000_000_000 + at * 1_000 + of),
          })),
        }),
    },
    {
      name: 'lists that grow by rows of 16 kB',
      prepare: async (caller) => {
        growing = await newList(caller, 'Growing')
      },
      request: ({ send }, at) => send('PATCH', ...rowsOf(growing, at * ROWS_AT_ONCE, ROWS_AT_ONCE)),
    },
    {
      name: 'pages of 500 rows of 16 kB',
      prepare: list.prepare,
      request: ({ get }) => get(`/api/lists/${list.id()}?limit=500`),
    },
    {
      name: 'CSV of 6,000 rows of 16 kB',
      prepare: list.prepare,
      request: ({ get }) => get(`/api/lists/${list.id()}?format=csv`),
    },
    {
      name: 'XLSX of 6,000 rows of 16 kB',
      prepare: list.prepare,
      request: ({ get }) => get(`/api/lists/${list.id()}?format=xlsx`),
    },
    {
      name: 'comparisons of two lists of 6,000 rows of 16 kB',
      prepare: list.prepare,
      request: ({ get }) => get(`/api/lists/${list.id()}?limit=1&compare=${growing}`),
    },
    {
      name: 'pages of 100 seller records',
      prepare: purchases.prepare,
      request: ({ get }) => get('/api/sellers?limit=100'),
    },
    {
      name: 'all that is stored about a seller of 100 devices',
      prepare: purchases.prepare,
      request: ({ get }, at) => get(`/api/sellers/${purchases.ids[at % purchases.ids.length]}?limit=100`),
    },
    {
      name: 'photos of 300 kB',
      prepare: purchases.prepare,
      request: ({ get }, at) => get(purchases.images[at % purchases.images.length] ?? ''),
    },
    {
      name: 'register of sellers as CSV',
      prepare: purchases.prepare,
      request: ({ get }) => get('/api/sellers?format=csv'),
    },
    { name: 'deal report', request: ({ get }) => get('/api/reports/deals') },
    { name: 'history of identifier checks as CSV', request: ({ get }) => get('/api/imei?format=csv') },
    { name: 'history of appraisals, 100 a page', request: ({ get }) => get('/api/appraisals?limit=100') },
    {
      name: 'titles that match nothing',
      request: ({ get }, at) => get(`/api/match?text=${encodeURIComponent(text(200, at))}`),
    },
    {
      name: 'public trade-in page from many addresses',
      isLimited: true,
      prepare: async ({ send }) => {
        const tradeIn = { enabled: true, slug: SELLER_SLUG, max_price: 10_000_000 }
        await data(send('PATCH', '/api/manage/settings', { trade_in: tradeIn }))
      },
      request: ({ form }, at) => {
        const answers = { d: 'apple-iphone-13', storage: '128GB', condition: 'Good', lang: 'en' }
        const questions = { q_power: 'yes', q_screen: 'yes', q_body: 'yes', q_works: 'yes', q_account: 'yes' }
        const headers = { 'X-Forwarded-For': `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}` }
        return form(`/sell/${SELLER_SLUG}/price`, { ...answers, ...questions }, headers)
      },
    },
  ]
}

export function attacker(url: string, key: string): Attacker {
  const headers = { Authorization: `Bearer ${key}` }
  return {
    get: (path, more = {}) => fetch(url + path, { headers: { ...headers, ...more } }),
    send: (method, path, json) =>
      fetch(url + path, {
        method,
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify(json),
      }),
    form: (path, fields, more) =>
      fetch(url + path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...more },
        body: new URLSearchParams(fields),
        redirect: 'manual',
      }),
  }
}

/** Two organizations: a key of the first that may do everything, and a key of the second that only checks identifiers. */
export async function twoTenants(environment: Record<string, string>): Promise<{ attacker: string; other: string }> {
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runProgram(args, environment)
    if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
    return stdout.trim()
  }
  const key = async (name: string, ...more: string[]) =>
    run('key', 'create', '--org', await run('org', 'create', name), '--tier', 'enterprise', ...more)
  return { attacker: await key('Attacker', '--may', 'manage'), other: await key('Other') }
}

/** Sends requests, that many at once, until there were enough; returns how many responses had which status. */
export async function attackUntil(
  { request }: TenantAttack,
  caller: Attacker,
  {
    atOnce,
    requests = Number.POSITIVE_INFINITY,
    isOver = () => false,
  }: { readonly atOnce: number; readonly requests?: number; readonly isOver?: () => boolean },
): Promise<Map<number, number>> {
  const statuses = new Map<number, number>()
  let at = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (at < requests && !isOver()) {
        const response = await request(caller, at++)
        // Read as it arrives: a file is larger than this process should hold.
        for await (const _ of response.body ?? []);
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      }
    }),
  )
  return statuses
}
