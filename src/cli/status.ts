import { sql } from 'kysely'
import { baseUrlOf } from '../config.ts'
import { type ImportRun, newestRuns } from '../import/run-store.ts'
import { VERSION } from '../version.ts'
import { type Command, readArguments, table } from './command.ts'

const SHOWN_IMPORTS = 5
const COUNTED = ['organization', 'api_key', 'device', 'variant', 'tac'] as const

export const status: Command = {
  name: 'status',
  usage: '[--json]',
  help: 'Say whether the service answers, which store it uses, what is in it and what was imported last.',
  async run(args, context) {
    const { values } = readArguments(
      args,
      { json: { type: 'boolean' } },
      { least: 0, most: 0, usage: 'status [--json]' },
    )
    const store = await context.openStore()
    const counts: Record<string, number> = {}
    for (const name of COUNTED) {
      const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(
        store.query,
      )
      counts[name] = Number(rows[0]?.count ?? 0)
    }
    const url = baseUrlOf(context.config)
    const state = {
      version: VERSION,
      url,
      serving: await answers(`${url}/readyz`),
      store: store.dialect,
      dataDir: store.dialect === 'sqlite' ? context.config.dataDir : null,
      ...counts,
    }
    const imports = await newestRuns(store, SHOWN_IMPORTS)
    if (values.json) context.print(JSON.stringify({ ...state, imports: imports.map(presentRun) }))
    else {
      const rows = Object.entries(state).map(([name, value]) => [name.replaceAll('_', ' '), String(value ?? '-')])
      context.print(table(['WHAT', 'NOW'], rows))
      if (imports.length > 0) {
        context.print(`\n${table(['IMPORT', 'STARTED', 'TOOK', 'STATE', 'FILE', 'RESULT'], imports.map(runCells))}`)
      }
    }
    return 0
  },
}

function presentRun(run: ImportRun) {
  return {
    format: run.format,
    file: run.file,
    started_at: new Date(run.startedAt).toISOString(),
    finished_at: run.finishedAt === null ? null : new Date(run.finishedAt).toISOString(),
    state: run.state,
    figures: run.figures,
    failure: run.failure,
  }
}

function runCells(run: ImportRun): string[] {
  const started = `${new Date(run.startedAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const took = run.finishedAt === null ? '-' : `${((run.finishedAt - run.startedAt) / 1000).toFixed(1)} s`
  const { rows = 0, rejected = 0 } = run.figures
  const counted = `${rows.toLocaleString('en')} rows, ${rejected.toLocaleString('en')} rejected`
  const result = run.state === 'done' ? counted : (run.failure ?? '-')
  return [run.format, started, took, run.state, run.file, result]
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok
  } catch {
    return false
  }
}
