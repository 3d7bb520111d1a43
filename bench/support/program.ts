import { openSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../test/support/postgres.ts'
import { newDataDir, PROGRAM, runProgram } from '../../test/support/program.ts'
import { pinToCore } from './load.ts'

export type BenchProgram = {
  readonly url: string
  readonly pid: number
  readonly environment: Record<string, string>
  /** A new key, created by the command line while the program runs. */
  newKey(tier: 'public' | 'paid' | 'enterprise'): Promise<string>
  stop(): Promise<number>
}

/** Starts the real program in a temporary folder, by default pinned to its own core. Logs to a file, as in production. */
export async function startBenchProgram(
  settings: Record<string, string> = {},
  cores: 'own core' | 'any core' = 'own core',
): Promise<BenchProgram> {
  const dataDir = newDataDir()
  const environment = {
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    RATE_LIMIT_PUBLIC: '10000000',
    RATE_LIMIT_PAID: '10000000',
    RATE_LIMIT_ENTERPRISE: '10000000',
    ...settings,
  }
  const child = Bun.spawn([...(cores === 'own core' ? pinToCore('server') : []), PROGRAM, 'serve'], {
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/', ...environment },
    stdout: 'pipe',
    stderr: openSync(join(dataDir, 'serve.log'), 'w'),
  })
  let output = ''
  for await (const chunk of child.stdout) {
    output += new TextDecoder().decode(chunk)
    const url = /^listening on (http:\S+)$/m.exec(output)?.[1]
    if (!url) continue
    return {
      url,
      pid: child.pid,
      environment,
      async newKey(tier) {
        const organization = await runProgram(['org', 'create', 'Bench'], environment)
        const key = await runProgram(
          ['key', 'create', '--org', organization.stdout.trim(), '--tier', tier],
          environment,
        )
        if (key.code !== 0) throw new Error(`cannot create a key: ${organization.stderr}${key.stderr}`)
        return key.stdout.trim()
      },
      async stop() {
        child.kill('SIGTERM')
        return child.exited
      },
    }
  }
  throw new Error(`The program exited before it listened; see ${dataDir}/serve.log`)
}
