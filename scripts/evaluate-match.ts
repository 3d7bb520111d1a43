/**
 * The judge of the resolver: how many titles become the right device, the wrong one, or none.
 *   npm run evaluate:match -- FILE            a CSV of titles and expected device ids ("-": must be refused), optionally makes
 *   npm run evaluate:match -- FILE --show     with the titles that went wrong or were missed
 *   npm run evaluate:match -- --self          titles made of every device of the catalogue must find it and no other
 *   npm run evaluate:match -- --left-out 3    every third device taken out of the catalogue in turn: its titles must be refused
 */
import { parseArgs } from 'node:util'
import { devicesOnBoard } from '../src/catalog/onboard.ts'
import { parseRows } from '../src/import/read/csv.ts'
import { openResolver } from '../src/resolver/resolver.ts'
import { judgeLeftOut, judgeSelf } from './judge/made-titles.ts'
import { type Judged, judgeMatching, labelledOf, summary } from './judge/matching.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { show: { type: 'boolean' }, self: { type: 'boolean' }, 'left-out': { type: 'string' } },
})

function print(judged: Judged): void {
  console.log(summary(judged))
  if (!values.show) return
  for (const line of judged.wrong) console.log(`wrong   ${line}`)
  for (const line of judged.missed) console.log(`missed  ${line}`)
}

const devices = devicesOnBoard()
const [file] = positionals
if (values.self) print(judgeSelf(devices))
else if (values['left-out']) {
  const step = Math.max(1, Number(values['left-out']) || 1)
  const chosen = devices.filter((_, at) => at % step === 0)
  print(judgeLeftOut(devices, chosen))
} else if (file) {
  const rows = labelledOf(parseRows(await Bun.file(file).text()))
  if (!rows) {
    console.error('The file needs the columns "title" and "expected" (a device id, or "-" for what must be refused).')
    process.exit(1)
  }
  const ids = new Set(devices.map((device) => device.id))
  print(judgeMatching(rows, openResolver(devices), (id) => ids.has(id)))
} else {
  console.error('Usage: evaluate:match FILE [--show] | --self | --left-out STEP')
  process.exit(2)
}
