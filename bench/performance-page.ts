/** Writes bench/README.md (all results, with charts) and docs/performance.md (the headline figures) from the last results. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bar, barChart } from './support/bar-chart.ts'
import type { ResultTable, SubjectResult } from './support/results.ts'

const ROOT = join(import.meta.dir, '..')
export const RESULTS_FOLDER = join(import.meta.dir, 'results')

type Subject = {
  readonly heading: string
  readonly about: string
  /** Targets that docs/performance.md shows. */
  readonly headlines?: readonly string[]
}

/** In the order of the page. */
const SUBJECTS: Readonly<Record<string, Subject>> = {
  reads: {
    heading: 'Reads against peers',
    about:
      'The peers send the same bytes. Elysia, Hono and Fastify also check a key and a limit, set headers and log. "Hono, a query each" queries PostgreSQL for every response.',
    headlines: [
      '/api/devices?limit=20 against Hono, a query each',
      '/api/variants?limit=20 against bare Bun.serve',
      '/api/variants?limit=20 against Fastify on Node',
      '/api/variants?limit=20 p99',
    ],
  },
  connections: {
    heading: 'Connections and workers',
    about: 'One authenticated read of 15 kB, over one and over many connections, with one process and with two.',
  },
  pricing: {
    heading: 'Prices: reads and imports',
    about: 'Price requests, and imports of observations on both databases.',
  },
  repairs: { heading: 'Repairs', about: 'The repairs of a device, against the same peers.' },
  search: { heading: 'Search', about: 'Inside one process, with 50,000 devices.' },
  match: {
    heading: 'Titles',
    about: 'Listing titles matched to devices, one after the other on one core.',
    headlines: ['bundled catalogue: titles per second'],
  },
  risk: {
    heading: 'Lookups',
    about: 'Identifier lookups; each is stored on disk before the response.',
    headlines: ['SQLite: durable lookups per second', 'SQLite: p99', 'PostgreSQL: durable lookups per second'],
  },
  appraisals: {
    heading: 'Appraisals',
    about: 'Each is stored on disk before the response.',
    headlines: ['with an identifier: per second', 'in batches: per second'],
  },
  'pricing-compute': {
    heading: 'Repricing',
    about: 'The pricing engine alone, on one core.',
    headlines: ['observations repriced per second of one core', 'new observation to new price, p99'],
  },
  'import-titles': {
    heading: 'Imports of raw titles',
    about: 'A marketplace export with titles instead of ids.',
    headlines: ['raw titles imported per second'],
  },
  import: { heading: 'Imports of lists', about: 'Stolen-device lists and type allocation codes.' },
  watches: { heading: 'Watches', about: 'An import with a million watches.' },
  registry: { heading: 'Large catalogues', about: 'A catalogue far larger than the bundled one.' },
  start: {
    heading: 'Startup',
    about: 'From the command to the first response.',
    headlines: ['later start to ready', 'memory when ready'],
  },
  overload: {
    heading: 'Overload',
    about:
      'A flood of invalid keys, then three times the load that the service can handle; see [reliability.md](../docs/reliability.md#overload).',
  },
  'history-pages': {
    heading: 'Deep pages of a history',
    about: 'Half a million lookups and as many appraisals of one organization on SQLite.',
  },
  'loop-lag': {
    heading: 'Event-loop lag',
    about: 'How long one request blocks the event loop, on SQLite, at its first call and later.',
    headlines: ['batch of 500 appraisals', '1,000 prices uploaded'],
  },
  'long-history': {
    heading: 'Long histories',
    about: 'Pages of a million lookups over HTTP: the newest, of one identifier, and any page by cursor.',
    headlines: ['PostgreSQL: page of 100 by cursor, p99'],
  },
  revocation: { heading: 'Revocation', about: 'From revoking a key to its rejection by every process.' },
  'risk-parse': { heading: 'Identifier parser', about: 'The parser alone.' },
}

const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`

function tableText({ title, head, rows }: ResultTable): string {
  const rule = head.map((_, at) => (at === 0 ? '---' : '---:'))
  return [`**${title}**`, '', line(head), line(rule), ...rows.map(line)].join('\n')
}

/** Draws the chart of a table and returns its image link. */
function chartText(subject: string, index: number, table: ResultTable): string[] {
  const column = table.bars === undefined ? -1 : table.head.indexOf(table.bars)
  if (table.bars === undefined || column < 0) return []
  const bars: Bar[] = table.rows.map((row) => ({ name: row[0] ?? '', value: Number(row[column]) }))
  const file = `${subject}-${index + 1}.svg`
  writeFileSync(join(RESULTS_FOLDER, file), barChart(table.title, table.bars, bars))
  return [`![${table.title}: ${table.bars}](results/${file})`, '']
}

function section(result: SubjectResult): string {
  const { heading, about } = SUBJECTS[result.subject] ?? { heading: result.subject, about: '' }
  const missed = result.targets.filter(({ met }) => !met).length
  const tables = result.tables.flatMap((table, index) => [
    ...chartText(result.subject, index, table),
    tableText(table),
    '',
  ])
  const targets = result.targets.map(({ what, measured, target, met }) =>
    line([what, measured, target, met ? 'met' : '**missed**']),
  )
  return [
    `## ${heading}`,
    '',
    about,
    '',
    ...tables,
    `\`npm run bench ${result.subject}\` on ${result.day}, ${result.machine}. ${missed === 0 ? 'Every target is met.' : `${missed} of ${result.targets.length} targets are missed.`}`,
    '',
    line(['figure', 'measured', 'target', '']),
    line(['---', '---:', '---:', '---']),
    ...targets,
    '',
  ].join('\n')
}

/** Rows of docs/performance.md. */
function headlineRows({ subject, targets }: SubjectResult): string[] {
  const { heading = subject, headlines = [] } = SUBJECTS[subject] ?? {}
  return targets
    .filter(({ what }) => headlines.includes(what))
    .map(({ what, measured, target, met }) => line([heading, what, measured, target, met ? 'met' : '**missed**']))
}

export async function writePerformancePage(): Promise<void> {
  const files = readdirSync(RESULTS_FOLDER).filter((file) => file.endsWith('.json'))
  const results: SubjectResult[] = await Promise.all(files.map((file) => Bun.file(join(RESULTS_FOLDER, file)).json()))
  const order = Object.keys(SUBJECTS)
  results.sort((a, b) => order.indexOf(a.subject) - order.indexOf(b.subject))
  const days = results.map(({ day }) => day).sort()
  const targets = results.flatMap((result) => result.targets)
  const missed = targets.filter(({ met }) => !met).length

  const all = `# Benchmarks

\`npm run bench [subject…]\` measures and writes this page and [docs/performance.md](../docs/performance.md) from the last result of each subject (\`bench/results/\`). \`bin/bun bench/SUBJECT.ts\` measures without writing. wrk produces the load on the same machine; the server has one core and the load the other.
Compare ratios rather than rates: the speed of the machine varies, ratios within one run do not.
`
  writeFileSync(join(import.meta.dir, 'README.md'), `${[all, ...results.map(section)].join('\n').trimEnd()}\n`)

  const headlines = [
    '# Performance',
    '',
    'Devices, variants, prices and repairs are served from memory. Lookups and appraisals are stored on disk before the response. `npm run bench [subject…]` measures your machine and writes this page.',
    '',
    '![Requests per second of GET /api/variants, against peers](../bench/results/reads-2.svg)',
    '',
    `Measured ${days[0] === days.at(-1) ? `on ${days[0]}` : `from ${days[0]} to ${days.at(-1)}`}, ${results[0]?.machine}; the load generator shares the machine. Ratios above 1 mean that the service is faster than the peer. ${missed} of ${targets.length} targets are missed; all of them are in [bench/README.md](../bench/README.md).`,
    '',
    line(['subject', 'figure', 'measured', 'target', '']),
    line(['---', '---', '---:', '---:', '---']),
    ...results.flatMap(headlineRows),
    '',
    'Sizing: [scaling.md](scaling.md). Floods and overload: [reliability.md](reliability.md).',
  ]
  writeFileSync(join(ROOT, 'docs/performance.md'), `${headlines.join('\n')}\n`)
}

if (import.meta.main) await writePerformancePage()
