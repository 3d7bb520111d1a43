import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEFAULT_RECEIPT_DETAILS } from '../../src/contract/receipt-details.ts'
import { luhnDigit } from '../../src/identifier/check-digit.ts'
import { DAY_MS, dayOf } from '../../src/lib/time.ts'
import { runProgram } from '../../test/support/program.ts'

const TAC = '35123456'
const withCheckDigit = (digits: string) => digits + luhnDigit(digits)
const SCANNED_DEVICE = 'apple-iphone-15-pro'
/** An invented number whose TAC is imported as that of the device, and which an imported list clears. */
export const SCANNED_IMEI = withCheckDigit(`${TAC}004217`)

/** Invented prices in dollars of a Good device, and the same for what a shop paid. */
const DEVICES = [
  { variant: 'apple-iphone-15-pro-256gb-blue-titanium', resale: 640 },
  { variant: 'apple-iphone-13-128gb-midnight', resale: 300 },
  { variant: 'apple-iphone-14-128gb-midnight', resale: 395 },
  { variant: 'apple-iphone-12-64gb-black', resale: 190 },
  { variant: 'samsung-galaxy-s23-128gb-phantom-black', resale: 330 },
  { variant: 'google-pixel-8-128gb-obsidian', resale: 310 },
] as const
const GRADES = { Excellent: 1.1, Good: 1, Fair: 0.86, Poor: 0.6 } as const

export type Call = (method: string, path: string, body?: object) => Promise<unknown>

async function run(args: string[], environment: Record<string, string>): Promise<void> {
  const { code, stderr } = await runProgram(args, environment)
  if (code !== 0) throw new Error(stderr)
}

/** Imports prices and the model of the scanned phone, as an operator would. */
export async function importShopData(folder: string, environment: Record<string, string>, now: number): Promise<void> {
  const rows = DEVICES.flatMap(({ variant, resale }) =>
    Array.from({ length: 60 }, (_, at) => {
      const [grade, share] = Object.entries(GRADES)[at % 4] as [string, number]
      const side = at % 3 === 0 ? 'quote' : 'sold'
      const amount = resale * share * (side === 'quote' ? 0.72 : 1) * (1 + ((at * 7) % 11) / 100 - 0.05)
      const day = dayOf(now - ((at * 3) % 170) * DAY_MS)
      return `shop,${side},${variant},${grade},${amount.toFixed(2)},USD,${day},${variant}-${at}`
    }),
  )
  const prices = join(folder, 'prices.csv')
  writeFileSync(prices, ['source,side,variant_id,condition,amount,currency,date,listing_id', ...rows].join('\n'))
  await run(['import', 'observations', prices], environment)
  const tacs = join(folder, 'tacs.csv')
  writeFileSync(tacs, `tac,make,model,device_id,confidence\n${TAC},Apple,iPhone 15 Pro,${SCANNED_DEVICE},95\n`)
  await run(['import', 'tac', tacs], environment)
  const stolen = join(folder, 'stolen.csv')
  const listed = Array.from({ length: 2_000 }, (_, at) => `${withCheckDigit(`${TAC}${900_000 + at}`)},20260102,`)
  writeFileSync(stolen, ['imei,reporting_date,status', ...listed].join('\n'))
  await run(['import', 'lists', stolen, '--clears', '--area', 'US', '--max-age-days', '7'], environment)
}

/** The shop on its receipts, and half a year of purchases and sales. */
export async function recordDeals(call: Call, now: number): Promise<void> {
  await call('PATCH', '/api/manage/settings', {
    receipt: { ...DEFAULT_RECEIPT_DETAILS, address: '1 High Street, Exampleton' },
  })
  for (let at = 0; at < 34; at++) {
    const { variant, resale } = DEVICES[at % DEVICES.length] ?? DEVICES[0]
    const condition = Object.keys(GRADES)[(at * 5) % 3] as keyof typeof GRADES
    const boughtAgo = 168 - at * 5
    const price = Math.round(resale * GRADES[condition] * (0.68 + ((at * 3) % 7) / 100)) * 100
    const appraised = (await call('POST', '/api/appraisals', {
      variant_id: variant,
      condition,
      purchase: { price, date: dayOf(now - boughtAgo * DAY_MS) },
    })) as { appraisal_id: string }
    const soldAgo = boughtAgo - 9 - ((at * 7) % 20)
    if (soldAgo < 0 || at % 7 === 6) {
      const asked = {
        asking_price: Math.round(resale * GRADES[condition] * 1.04) * 100,
        location: `Shelf ${1 + (at % 3)}`,
      }
      await call('PATCH', `/api/stock/${appraised.appraisal_id}`, asked)
      continue
    }
    await call('POST', `/api/appraisals/${appraised.appraisal_id}/outcome`, {
      status: 'sold',
      price: Math.round(resale * GRADES[condition] * (0.96 + ((at * 5) % 9) / 100)) * 100,
      date: dayOf(now - soldAgo * DAY_MS),
      channel: at % 3 === 0 ? 'Counter' : 'Online shop',
    })
  }
}
