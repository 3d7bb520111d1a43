/**
 * `npm run lab -- side-by-side [--set A,B] [--split fold,future] [--boosting] [--write FILE] [--against FILE]`: one table over all sets.
 */
import { parseArgs } from 'node:util'
import { PRICING_METHOD } from '../src/pricing/model/method.ts'
import { DATASETS, type DatasetName } from './pricing/datasets.ts'
import type { Outcome } from './pricing/market-accuracy.ts'
import { findDatasetFolder, readLaunches } from './pricing/price-set.ts'
import {
  boostingError,
  confidenceBands,
  figuresOf,
  SPLITS,
  type SplitFigures,
  splitOutcomes,
} from './pricing/side-by-side.ts'

type Recorded = SplitFigures & { readonly boosting: number | null }
type Recording = { readonly method: string; readonly figures: Readonly<Record<string, Recorded>> }

const { values } = parseArgs({
  options: {
    set: { type: 'string' },
    split: { type: 'string' },
    boosting: { type: 'boolean' },
    write: { type: 'string' },
    against: { type: 'string' },
  },
})
const folder = findDatasetFolder()
if (!folder) {
  console.log('skipped: no price sets found; set SHARED_DATA to the folder that holds prices/')
  process.exit(0)
}
const last: Recording = await Bun.file(values.against ?? new URL('pricing/last-release.json', import.meta.url)).json()
const names = values.set ? (values.set.split(',') as DatasetName[]) : (Object.keys(DATASETS) as DatasetName[])
const splits = SPLITS.filter((split) => !values.split || values.split.split(',').includes(split))
const launches = await readLaunches(folder)
const percent = (share: number | null | undefined) =>
  share === null || share === undefined || !Number.isFinite(share) ? '' : (100 * share).toFixed(1)
const figures: Record<string, Recorded> = {}
const all: Outcome[] = []
console.log(
  `engine ${PRICING_METHOD}, last release ${last.method}; percent of the price\n\n| set | split | tests | error: last | now | boosting | cells: median | cells: now | bias: last | now | cover: last | now | stated | worst range |\n|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|`,
)
for (const name of names) {
  const set = await DATASETS[name](folder, launches)
  for (const split of splits) {
    const measured = splitOutcomes(set, split)
    const now = figuresOf(set, measured)
    if (now.tests < 20) continue
    const key = `${name} ${split}`
    const before = last.figures[key]
    const boosting = values.boosting ? boostingError(set, measured) : (before?.boosting ?? null)
    figures[key] = { ...now, boosting: Number.isFinite(boosting) ? boosting : null }
    const outcomes = measured.flatMap((each) => each.outcomes)
    all.push(...outcomes.slice(0, 1_500))
    const worst = now.worst ? `${now.worst.name} ${percent(now.worst.cover)} (${now.worst.tests})` : ''
    const numbers = [before?.error, now.error, boosting, now.cellMedian, now.servedInCells, before?.bias, now.bias]
    console.log(
      `| ${[name, split, now.tests, ...[...numbers, before?.cover, now.cover, now.stated].map(percent), worst].join(' | ')} |`,
    )
  }
}
const rows = Object.entries(figures)
const both = rows.filter(([key]) => last.figures[key])
const mean = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0) / Math.max(1, list.length)
const summary = (name: string, of: (row: SplitFigures) => number) => {
  const before = both.map(([key]) => of(last.figures[key] as SplitFigures))
  const now = both.map(([, row]) => of(row))
  console.log(
    `${name}: mean ${percent(mean(before))} → ${percent(mean(now))}, worst ${percent(Math.max(...before))} → ${percent(Math.max(...now))}`,
  )
}
console.log('')
summary('error', ({ error }) => error)
summary('distance of the range from 80', ({ cover }) => Math.abs(cover - 0.8))
summary('worst group, distance from 80', ({ worst }) => (worst ? Math.abs(worst.cover - 0.8) : 0))
summary('stated error off by', ({ error, stated }) => Math.abs(error - stated))
for (const split of splits) {
  const ranged = rows.filter(([key]) => key.endsWith(` ${split}`))
  const within = ranged.filter(([, { cover }]) => cover >= 0.76 && cover <= 0.84).length
  console.log(`${split}: range holds 76 to 84 % in ${within} of ${ranged.length}`)
}
const ahead = rows.filter(([, row]) => row.boosting !== null)
console.log(
  `ahead of boosting: ${ahead.filter(([, row]) => row.error <= (row.boosting as number)).length} of ${ahead.length}`,
)
console.log('\nconfidence: stated/measured error (tests)')
for (const { from, tests, stated, error } of confidenceBands(all))
  console.log(`${from}: ${percent(stated)}/${percent(error)} (${tests})`)
const rounded = (_: string, value: unknown) => (typeof value === 'number' ? Math.round(1e4 * value) / 1e4 : value)
if (values.write) {
  await Bun.write(values.write, `${JSON.stringify({ method: PRICING_METHOD, figures }, rounded, 2)}\n`)
}
