import { filledDataDir, type RunningProgram, runProgram, startProgram } from '../../test/support/program.ts'

/** Starts the real program for the client and creates keys of an organization. */
export async function startService(settings: Record<string, string> = {}) {
  const program: RunningProgram = await startProgram({ LOG_LEVEL: 'error', DATA_DIR: filledDataDir(), ...settings })
  const run = async (...args: string[]) => {
    const ran = await runProgram(args, program.environment)
    if (ran.code !== 0) throw new Error(ran.stderr)
    return ran.stdout.trim()
  }
  const organization = await run('org', 'create', 'Client')
  return {
    url: program.url,
    newKey: (tier: string, ...more: string[]) =>
      run('key', 'create', '--org', organization, '--tier', tier, '--name', 'client', ...more),
    stop: program.stop,
  }
}
