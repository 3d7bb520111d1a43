import { join } from 'node:path'
import { parseCsv } from '../../src/import/read/csv-reader.ts'
import { readTable } from './csv-table.ts'
import { datasetBuilder, type Launch, type PriceDataset } from './price-set.ts'

/** About the rates of their days: shares of a price need none, but the curve from the launch price is in dollars. */
const USD_PER_EUR = 1.08
const VND_PER_USD = 24_900
const KRW_PER_USD = 1_345

const STORAGE = /(?<!\d)(32|64|128|256|512)\s*g?b?\b|(?<!\d)1\s*tb\b/g
/** Broken, locked to an account, for parts, or more than the phone alone: no price of a working phone. */
const EXCLUDED_WORDS =
  /neisprav|ne radi|dijelov|razbij|puknut|puklo|napuk|slomljen|ostecen|zaklju|icloud lock|bypass|maska|maskic|kutij|kupuje|kupim|otkup|watch|\b[23] iphone/

const MODELS = ['pro max', 'pro', 'plus', 'mini', '']

/** Titles in Croatian that name one model and one storage; the ads' own word is "rabljeno", used. */
export async function croatianAds(folder: string, launches: Map<string, Launch>): Promise<PriceDataset> {
  const set = datasetBuilder('njuskalo_hr', launches)
  const [, ...rows] = parseCsv(await Bun.file(join(folder, 'njuskalo_hr/ads.csv')).text(), ';')
  for (const [id = '', title = '', , price = '', day = ''] of rows) {
    const text = title.replace(/i\s*phone?n?\b/g, 'iphone').replace(/(\d\d)(pro|plus|mini|max)/g, '$1 $2')
    const found = /iphone\s+(1[1-4])\b\s*((?:pro\s*max|pro|plus|mini)?)/.exec(text.replace(/promax/g, 'pro max'))
    const storages = new Set(
      [...text.matchAll(STORAGE)].map(([size]) => (/tb/.test(size) ? 1024 : Number.parseInt(size, 10))),
    )
    const [storageGb] = storages
    const on = /^(\d\d)\.(\d\d)\.(\d{4})/.exec(day)
    if (!found || !on || storages.size !== 1 || !storageGb || EXCLUDED_WORDS.test(text)) continue
    const kind = MODELS.find((name) => name === (found[2] ?? '').replace(/\s+/g, ' ')) ?? ''
    set.add({
      model: `iPhone ${found[1]} ${kind}`,
      storageGb,
      grade: 'used',
      usd: Number(price) * USD_PER_EUR,
      side: 'ask',
      market: 'hr',
      at: Date.parse(`${on[3]}-${on[2]}-${on[1]}`),
      listingId: id,
    })
  }
  return set.finish()
}

/** The shops' three words: as it is, like new, new. */
const SHOP_WORDS: Readonly<Record<string, string>> = { a_old: 'used', a_like_new: 'like new', a_new: 'new' }

export async function vietnameseShops(folder: string, launches: Map<string, Launch>): Promise<PriceDataset> {
  const set = datasetBuilder('shops_vn_2024', launches)
  for (const row of readTable(await Bun.file(join(folder, 'shops_vn_2024/offers.csv')).text())) {
    set.add({
      make: row.branch ?? '',
      model: (row.name_product ?? '').trim(),
      storageGb: Number(row.rom),
      grade: SHOP_WORDS[(row.condition ?? '').trim()] ?? '',
      usd: Number(row.old_price) / VND_PER_USD,
      side: 'ask',
      market: 'vn',
      at: Date.parse('2024-10-15'),
    })
  }
  return set.finish()
}

const KOREAN_EXCLUDED = /파손|부품|케이스|필름|박스만|깨짐|고장|잔상|매입|삽니다|구매|구합|교환|대여|수리|액정/
const KOREAN_KINDS = [
  ['프로맥스', 'pro max'],
  ['프로', 'pro'],
  ['미니', 'mini'],
] as const
const KOREAN_GRADES = [
  [/미개봉|새상품/, 'new'],
  [/s\s*\+?급/i, 'Excellent'],
  [/a\s*\+?급/i, 'Good'],
  [/[bc]\s*\+?급/i, 'Fair'],
] as const

/** Titles in Korean that name one model of the iPhone 13 family and one storage. */
export async function koreanAds(folder: string, launches: Map<string, Launch>): Promise<PriceDataset> {
  const set = datasetBuilder('bunjang_kr', launches)
  for (const row of readTable(await Bun.file(join(folder, 'bunjang_kr/ads.csv')).text())) {
    const title = (row.title ?? '').replace(/\s+/g, '').toLowerCase()
    const numbers = new Set([...title.matchAll(/(?<!\d)(1[1-5])(?=미니|프로|맥스|\D|$)/g)].map(([, number]) => number))
    const storages = new Set(
      [...title.matchAll(/(?<!\d)(128|256|512)(?!\d)|1테라|1tb/g)].map(([size]) => Number.parseInt(size, 10) || 1024),
    )
    const [storageGb = 0] = storages
    if (!/아이폰|iphone/.test(title) || !numbers.has('13') || numbers.size > 1 || storages.size !== 1) continue
    if (KOREAN_EXCLUDED.test(title)) continue
    const kind = KOREAN_KINDS.find(([word]) => title.includes(word))?.[1] ?? ''
    set.add({
      model: `iPhone 13 ${kind}`,
      storageGb: storageGb === 1 ? 1024 : storageGb,
      grade: KOREAN_GRADES.find(([word]) => word.test(title))?.[1] ?? 'used',
      usd: Number(row.price) / KRW_PER_USD,
      side: 'ask',
      market: 'kr',
      at: Date.parse('2024-04-04'),
      listingId: row.product_id ?? '',
    })
  }
  return set.finish()
}

const NEIGHBOUR_MODEL = /아이폰\s*(se|x[sr]?|\d{1,2}s?)\s*(프로\s*맥스|프로|미니|플러스|맥스)?/i
const KOREAN_WORDS: Readonly<Record<string, string>> = {
  프로맥스: 'pro max',
  프로: 'pro',
  미니: 'mini',
  플러스: 'plus',
  맥스: 'max',
}

/** Half of the ads of one site; its grades are the sellers' letters. */
export async function koreanNeighbours(folder: string, launches: Map<string, Launch>): Promise<PriceDataset> {
  const set = datasetBuilder('daangn_kr_half', launches)
  for (const row of readTable(await Bun.file(join(folder, 'daangn_kr_half/ads.csv')).text())) {
    const title = row.상품정보 ?? ''
    const [, number = '', word = ''] = NEIGHBOUR_MODEL.exec(title) ?? []
    const storageGb = /TB/i.test(row.용량 ?? '') ? 1024 : Number.parseInt(row.용량 ?? '', 10)
    // The source filled in sizes: only those in the title count.
    if (!title.includes(String(storageGb)) || /se/i.test(number) || KOREAN_EXCLUDED.test(title)) continue
    if (number === '' || /미개봉|새상품/.test(title)) continue
    set.add({
      model: `iPhone ${number} ${KOREAN_WORDS[word.replace(/\s+/g, '')] ?? ''}`,
      storageGb,
      grade: { S급: 'Excellent', A급: 'Good', B급: 'Fair', C급: 'Fair' }[row.등급 ?? ''] ?? 'used',
      usd: Number(row.가격) / KRW_PER_USD,
      side: 'ask',
      market: 'kr',
      at: Date.parse('2024-04-01'),
    })
  }
  return set.finish()
}
