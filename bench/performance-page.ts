/** Writes docs/performance.md and its charts from what the subjects found last, each on its own day. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bar, barChart } from './support/bar-chart.ts'
import type { ResultTable, SubjectResult } from './support/results.ts'

const DOCS = join(import.meta.dir, '../docs')
export const RESULTS_FOLDER = join(DOCS, 'performance')

/** What each subject is about, in the order of the page. */
const SUBJECTS: Readonly<Record<string, { readonly heading: string; readonly about: string }>> = {
  reads: {
    heading: 'Reads against peers',
    about:
      'The peers send the same bytes. Elysia, Hono and Fastify do the same job around them: key, limit, headers, log. The last asks PostgreSQL for every answer, as a first version usually does.',
  },
  connections: {
    heading: 'Connections and workers',
    about: 'One keyed read of 15 kB, asked over one connection and over many, by one process and by two.',
  },
  pricing: {
    heading: 'Prices: reads, and imports of observations',
    about: 'A price asked for, and observations brought in on both stores.',
  },
  repairs: { heading: 'Repairs', about: 'The repairs of a device, against the same peers.' },
  search: { heading: 'Search', about: 'Inside one process, over a registry of 50,000 devices.' },
  match: { heading: 'Titles', about: 'Listing titles resolved to devices, one core, a title after another.' },
  risk: { heading: 'Lookups', about: 'Identifiers checked; every one is on the disk before it is answered.' },
  appraisals: { heading: 'Appraisals', about: 'Every one is on the disk before it is answered.' },
  'pricing-compute': { heading: 'Repricing', about: 'The engine alone, on one core.' },
  'import-titles': { heading: 'Imports of raw titles', about: 'A marketplace export with titles instead of ids.' },
  import: { heading: 'Imports of lists', about: 'Lists of lost devices and type allocation codes.' },
  watches: { heading: 'Watches', about: 'An import beside a million watches.' },
  registry: { heading: 'Large registries', about: 'A registry far beyond the one on board.' },
  start: { heading: 'Starting', about: 'From the command to the first answer.' },
  overload: {
    heading: 'Overload',
    about: 'More than it is able to do; what it means is in [reliability.md](reliability.md).',
  },
  history: {
    heading: 'Deep pages of a history',
    about:
      'Half a million lookups and as many appraisals of one organization on SQLite, where a query runs in the event loop.',
  },
  turns: {
    heading: 'Turns of the event loop',
    about: 'How long one request keeps all others waiting, on SQLite, the first time after a start and later.',
  },
  'long-history': {
    heading: 'A long history',
    about:
      'Asked over HTTP one page after the other. The first deep page that a process is asked for walks through the history once and remembers where each two thousandth lookup is.',
  },
  'risk-parse': { heading: 'Identifiers read', about: 'The parser alone.' },
}

const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`

function tableText({ title, head, rows }: ResultTable): string {
  const rule = head.map((_, at) => (at === 0 ? '---' : '---:'))
  return [`**${title}**`, '', line(head), line(rule), ...rows.map(line)].join('\n')
}

/** The chart of a table, beside the page; its name in the page. */
function chartText(subject: string, at: number, table: ResultTable): string[] {
  const column = table.bars === undefined ? -1 : table.head.indexOf(table.bars)
  if (table.bars === undefined || column < 0) return []
  const bars: Bar[] = table.rows.map((row) => ({ name: row[0] ?? '', value: Number(row[column]) }))
  const file = `${subject}-${at + 1}.svg`
  writeFileSync(join(RESULTS_FOLDER, file), barChart(table.title, table.bars, bars))
  return [`![${table.title}: ${table.bars}](performance/${file})`, '']
}

function section(found: SubjectResult): string {
  const { heading, about } = SUBJECTS[found.subject] ?? { heading: found.subject, about: '' }
  const missed = found.targets.filter(({ met }) => !met).length
  const tables = found.tables.flatMap((table, at) => [...chartText(found.subject, at, table), tableText(table), ''])
  const targets = found.targets.map(({ what, measured, target, met }) =>
    line([what, measured, target, met ? 'met' : '**missed**']),
  )
  return [
    `## ${heading}`,
    '',
    about,
    '',
    ...tables,
    `\`npm run bench ${found.subject}\` on ${found.day}, ${found.machine}. ${missed === 0 ? 'Every target is met.' : `${missed} of ${found.targets.length} targets are missed.`}`,
    '',
    line(['promise', 'measured', 'target', '']),
    line(['---', '---:', '---:', '---']),
    ...targets,
    '',
  ].join('\n')
}

export async function writePerformancePage(): Promise<void> {
  const files = readdirSync(RESULTS_FOLDER).filter((file) => file.endsWith('.json'))
  const found: SubjectResult[] = await Promise.all(files.map((file) => Bun.file(join(RESULTS_FOLDER, file)).json()))
  const order = Object.keys(SUBJECTS)
  found.sort((a, b) => order.indexOf(a.subject) - order.indexOf(b.subject))
  const head = `# How fast it is

Written by \`npm run bench [subject…]\`: it measures, and puts what it found last of each subject here. The load comes from wrk on the same machine, the server has one core to itself and the load the other.
Compare ratios rather than rates: the machine is not always as fast, and a ratio within one run stays when it is not. What is missed is said.
Half a million devices and sizing: [scaling.md](scaling.md). A flood and overload: [reliability.md](reliability.md).
`
  writeFileSync(join(DOCS, 'performance.md'), `${[head, ...found.map(section)].join('\n').trimEnd()}\n`)
}
