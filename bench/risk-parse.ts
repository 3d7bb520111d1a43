/** How many identifiers a second one core reads: `bin/bun bench/risk-parse.ts`. Target: 2,000,000. */
import { isUnreadable } from '../src/risk/identifier/identifier.ts'
import { fullImei } from '../src/risk/identifier/imei.ts'
import { readIdentifier } from '../src/risk/identifier/read.ts'

const COUNT = 200_000
const ROUNDS = 10
const key = (at: number) => String(35_000_000_000_000 + at * 7_919_131).slice(0, 14)
const kinds: Record<string, (at: number) => string> = {
  'IMEI, bare': (at) => fullImei(key(at)),
  'IMEI, dashes': (at) => fullImei(key(at)).replace(/^(.{2})(.{6})(.{6})/, '$1-$2-$3-'),
  IMEISV: (at) => `${key(at)}01`,
  'MEID, hexadecimal': (at) => (0xa1000000000000 + at * 7919).toString(16).toUpperCase(),
  'MEID, decimal': (at) => `2701131776${String(at).padStart(8, '0')}`,
  'ESN, hexadecimal': (at) => (0x82000000 + at * 13).toString(16).toUpperCase(),
  'serial number': (at) => `C8QH6T${String(at).padStart(6, '0')}`,
}

for (const [name, make] of Object.entries(kinds)) {
  const texts = Array.from({ length: COUNT }, (_, at) => make(at))
  let unread = 0
  const rates: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now()
    for (const text of texts) if (isUnreadable(readIdentifier(text))) unread++
    rates.push((COUNT / (performance.now() - startedAt)) * 1000)
  }
  if (unread > 0) throw new Error(`${name}: ${unread} not read`)
  rates.sort((left, right) => left - right)
  console.log(
    `${name.padEnd(18)} ${Math.round(rates[ROUNDS / 2] ?? 0).toLocaleString('en')} per second (median of ${ROUNDS})`,
  )
}
