import { sql } from 'kysely'
import { baseUrlOf } from '../config.ts'
import { VERSION } from '../version.ts'
import { type Command, readArguments, table } from './command.ts'

const COUNTED = ['organization', 'api_key', 'device', 'variant', 'tac'] as const

export const status: Command = {
  name: 'status',
  usage: '[--json]',
  help: 'Say whether the service answers, which store it uses and what is in it.',
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
    if (values.json) context.print(JSON.stringify(state))
    else {
      const rows = Object.entries(state).map(([name, value]) => [name.replaceAll('_', ' '), String(value ?? '-')])
      context.print(table(['WHAT', 'NOW'], rows))
    }
    return 0
  },
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok
  } catch {
    return false
  }
}
