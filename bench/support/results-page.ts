/** Writes bench/README.md from the last result of each subject. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bar, barChart } from './bar-chart.ts'
import type { ResultTable, SubjectResult } from './results.ts'

const BENCH = join(import.meta.dir, '..')
export const RESULTS_FOLDER = join(BENCH, 'results')

/** In the order of the page. `headlines` are the figures of its first table. */
const SUBJECTS: Readonly<Record<string, { heading: string; about: string; headlines?: readonly string[] }>> = {
  reads: {
    heading: 'Reads against peers',
    about:
      'The peers send the same bytes. Elysia, Hono and Fastify also check a key and a limit, set headers and log. "Hono, a query each" queries PostgreSQL for every response.',
    headlines: [
      '/api/devices?limit=20 against Hono, middlewares',
      '/api/variants?limit=20 against Hono, middlewares',
      '/api/variants?limit=20 against Elysia',
    ],
  },
  lookups: {
    heading: 'Lookups',
    about: 'Identifier lookups, each stored on disk before the response, with a million listed identifiers.',
    headlines: ['SQLite: durable lookups per second', 'PostgreSQL: durable lookups per second'],
  },
  prices: {
    heading: 'Prices and appraisals',
    about: 'Price requests against the same peers, appraisals stored before the response, and the price pass.',
    headlines: [
      'appraisals with an identifier: per second',
      'appraisals in batches: per second',
      'observations repriced per second of one core',
      'new observation to new price, p99',
    ],
  },
  registry: {
    heading: 'Registry',
    about: 'Start time and memory with the bundled catalogue and with 500,000 devices; search and changes.',
    headlines: ['bundled catalogue: later start to ready', 'bundled catalogue: memory when ready'],
  },
  import: {
    heading: 'Imports',
    about: 'Catalogue rows, observations and raw titles; reads and lookups meanwhile; the title matcher alone.',
    headlines: ['bundled catalogue: titles per second', 'raw titles imported per second'],
  },
  overload: {
    heading: 'Overload',
    about:
      'A flood of invalid keys, then three times the load that the service can handle; see [reliability.md](../docs/reliability.md#overload).',
  },
  webhooks: {
    heading: 'Webhooks',
    about: '200,000 due deliveries of one organization beside the lookups of another.',
  },
  tenants: {
    heading: 'Tenants',
    about:
      'Identifier checks of one organization beside the largest requests of another; see [reliability.md](../docs/reliability.md#one-organization-beside-another).',
  },
  restarts: {
    heading: 'Restarts',
    about: 'PostgreSQL behind PgBouncer, and a rolling restart of two processes behind nginx.',
  },
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

/** Rows of the first table. */
function headlineRows({ subject, targets }: SubjectResult): string[] {
  const { heading = subject, headlines = [] } = SUBJECTS[subject] ?? {}
  return targets
    .filter(({ what }) => headlines.includes(what))
    .map(({ what, measured, target, met }) => line([heading, what, measured, target, met ? 'met' : '**missed**']))
}

export async function writeResultsPage(): Promise<void> {
  const files = readdirSync(RESULTS_FOLDER).filter((file) => file.endsWith('.json'))
  const results: SubjectResult[] = await Promise.all(files.map((file) => Bun.file(join(RESULTS_FOLDER, file)).json()))
  const order = Object.keys(SUBJECTS)
  results.sort((a, b) => order.indexOf(a.subject) - order.indexOf(b.subject))
  const targets = results.flatMap((result) => result.targets)
  const missed = targets.filter(({ met }) => !met).length
  const top = `# Benchmarks

\`npm run bench [subject…]\` measures your machine and writes this page from the last result of each subject (\`bench/results/\`); \`bin/bun bench/SUBJECT.ts\` measures without writing. Subjects: ${order.map((subject) => `\`${subject}\``).join(', ')}. wrk produces the load on the same machine; the server has one core and the load the other.
Compare ratios rather than rates: the speed of the machine varies, ratios within one run do not. A ratio above 1 means that the service is faster than the peer. ${missed} of ${targets.length} targets are missed.
`
  const head = [line(['subject', 'figure', 'measured', 'target', '']), line(['---', '---', '---:', '---:', '---'])]
  const headlines = [...head, ...results.flatMap(headlineRows), ''].join('\n')
  writeFileSync(join(BENCH, 'README.md'), `${[top, headlines, ...results.map(section)].join('\n').trimEnd()}\n`)
}

if (import.meta.main) await writeResultsPage()
