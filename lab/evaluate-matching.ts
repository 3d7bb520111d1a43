/**
 * Evaluates the title resolver: titles matched to the right device, to a wrong one, or to none.
 *   npm run lab -- match FILE            a CSV of titles and expected device ids ("-": must be rejected), optionally makes
 *   npm run lab -- match FILE --show     prints wrong and missed titles
 *   npm run lab -- match --self          titles generated from every catalogue device must match it
 *   npm run lab -- match --look-alikes 300   catalogue names with one token changed must match the changed name or nothing
 *   npm run lab -- match --left-out 3    removes every third device from the catalogue in turn: its titles must be rejected
 *   npm run lab -- match --first-lines   first lines of advertisements by language, tuning and kept ones
 */
import { parseArgs } from 'node:util'
import { bundledDevices } from '../src/catalog/bundled-catalogue-service.ts'
import { createResolver } from '../src/catalog/matching/resolver.ts'
import { parseCsv } from '../src/import/read/csv-reader.ts'
import { readFirstLines, scoreFirstLines } from './matching/first-lines.ts'
import { lookAlikeTitles } from './matching/look-alike-titles.ts'
import { type MatchScore, parseLabelledRows, scoreMatching, summary } from './matching/match-score.ts'
import { evaluateOwnTitles, evaluateRemovedDevices } from './matching/synthetic-titles.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    show: { type: 'boolean' },
    self: { type: 'boolean' },
    'left-out': { type: 'string' },
    'look-alikes': { type: 'string' },
    'first-lines': { type: 'boolean' },
  },
})

function print(score: MatchScore): void {
  console.log(summary(score))
  if (!values.show) return
  for (const line of score.wrong) console.log(`wrong   ${line}`)
  for (const line of score.missed) console.log(`missed  ${line}`)
}

const devices = bundledDevices()
const [file] = positionals
if (values.self) print(evaluateOwnTitles(devices))
else if (values['left-out']) {
  const step = Math.max(1, Number(values['left-out']) || 1)
  const removed = devices.filter((_, index) => index % step === 0)
  print(evaluateRemovedDevices(devices, removed))
} else if (values['look-alikes']) {
  const rows = lookAlikeTitles(devices, Math.max(1, Number(values['look-alikes']) || 1))
  print(scoreMatching(rows, createResolver(devices), () => true))
} else if (values['first-lines']) {
  const ids = new Set(devices.map((device) => device.id))
  const resolve = createResolver(devices)
  const lines = readFirstLines()
  console.log('set | lines | in the catalogue | matched or asked | unknown | wrong')
  const rows = [
    ...(['tuning', 'kept'] as const).map((part) => [part, lines.filter((line) => line.part === part)] as const),
    ...Map.groupBy(lines, ({ language }) => language),
  ]
  for (const [name, chosen] of rows) {
    const { rows, inCatalogue, right, wrong, unknown } = await scoreFirstLines(chosen, resolve, (id) => ids.has(id))
    const share = ((right / Math.max(1, inCatalogue)) * 100).toFixed(1)
    console.log(`${name} | ${rows} | ${inCatalogue} | ${right} (${share} %) | ${unknown.length} | ${wrong.length}`)
    if (!values.show || name.length > 2) continue
    for (const line of wrong) console.log(`  wrong    ${line}`)
    for (const line of unknown) console.log(`  unknown  ${line}`)
  }
} else if (file) {
  const rows = parseLabelledRows(parseCsv(await Bun.file(file).text()))
  if (!rows) {
    console.error(
      'The file needs the columns "title" and "expected" (a device id, or "-" for titles that must be rejected).',
    )
    process.exit(1)
  }
  const ids = new Set(devices.map((device) => device.id))
  print(scoreMatching(rows, createResolver(devices), (id) => ids.has(id)))
} else {
  console.error('Usage: evaluate:match FILE [--show] | --self | --look-alikes COUNT | --left-out STEP | --first-lines')
  process.exit(2)
}
