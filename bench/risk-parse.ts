/** Identifiers parsed per second on one core, by kind. The target is for plain IMEIs, the most frequent kind. */

import { isInvalidIdentifier } from '../src/identifier/identifier.ts'
import { parseIdentifier } from '../src/identifier/identifier-parser.ts'
import { imeiWithCheckDigit } from '../src/identifier/imei.ts'
import { formatNumberTable } from '../src/lib/text-table.ts'
import { median } from './support/load.ts'
import { reportTargets } from './support/targets.ts'

const COUNT = 200_000
const ROUNDS = 10
const key = (at: number) => String(35_000_000_000_000 + at * 7_919_131).slice(0, 14)
const kinds: Record<string, (at: number) => string> = {
  'IMEI, bare': (at) => imeiWithCheckDigit(key(at)),
  'IMEI, dashes': (at) => imeiWithCheckDigit(key(at)).replace(/^(.{2})(.{6})(.{6})/, '$1-$2-$3-'),
  IMEISV: (at) => `${key(at)}01`,
  'MEID, hexadecimal': (at) => (0xa1000000000000 + at * 7919).toString(16).toUpperCase(),
  'MEID, decimal': (at) => `2701131776${String(at).padStart(8, '0')}`,
  'ESN, hexadecimal': (at) => (0x82000000 + at * 13).toString(16).toUpperCase(),
  'serial number': (at) => `C8QH6T${String(at).padStart(6, '0')}`,
}

const rows: [name: string, perSecond: number][] = []
for (const [name, create] of Object.entries(kinds)) {
  const texts = Array.from({ length: COUNT }, (_, at) => create(at))
  let invalid = 0
  const rates = Array.from({ length: ROUNDS }, () => {
    const startUsage = process.cpuUsage()
    for (const text of texts) if (isInvalidIdentifier(parseIdentifier(text))) invalid++
    const { user, system } = process.cpuUsage(startUsage)
    // Processor time, which other load on the machine hardly disturbs.
    return (COUNT / (user + system)) * 1e6
  })
  if (invalid > 0) throw new Error(`${name}: ${invalid} not parsed`)
  rows.push([name, median(rates)])
}
const millions = (perSecond: number) => (perSecond / 1e6).toFixed(2)
console.log(
  formatNumberTable(
    ['identifier', 'million per second'],
    rows.map(([name, perSecond]) => [name, millions(perSecond)]),
  ),
)
console.log('')
const [, imeisPerSecond] = rows[0] ?? ['', 0]
reportTargets([
  {
    what: 'IMEIs parsed per second',
    measured: `${millions(imeisPerSecond)} million`,
    target: '≥ 2 million',
    met: imeisPerSecond >= 2e6,
  },
])
