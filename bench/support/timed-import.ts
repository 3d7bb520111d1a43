import { PROGRAM } from '../../test/support/program.ts'

export type TimedImport = {
  readonly seconds: number
  readonly cpuSeconds: number
  readonly peakMb: number
  // biome-ignore lint/suspicious/noExplicitAny: the counts of an import differ from format to format
  readonly counts: any
}

/** Runs an import with the real program and measures the whole process. */
export async function timedImport(
  format: string,
  file: string,
  environment: Record<string, string>,
  options: readonly string[] = [],
): Promise<TimedImport> {
  const startedAt = performance.now()
  const child = Bun.spawn([PROGRAM, 'import', format, file, '--json', ...options], {
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/', SAMPLE_DATA: 'off', ...environment },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (code !== 0) throw new Error(stderr)
  const usage = child.resourceUsage()
  return {
    seconds: (performance.now() - startedAt) / 1_000,
    cpuSeconds: Number(usage?.cpuTime.total ?? 0) / 1e6,
    peakMb: (usage?.maxRSS ?? 0) / 1024 / 1024,
    counts: JSON.parse(stdout),
  }
}

export function formatTimes({ seconds, cpuSeconds, peakMb }: TimedImport): string {
  return `${seconds.toFixed(1)} s, CPU ${cpuSeconds.toFixed(1)} s, ${peakMb.toFixed(0)} MB`
}
