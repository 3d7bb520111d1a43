import { expect, test } from 'bun:test'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { formatNumberTable } from '../../src/lib/text-table.ts'
import { mixedLoad } from '../support/mixed-load.ts'
import { freePort } from '../support/postgres.ts'
import { filledDataDir, type RunningProgram, startProgram } from '../support/program.ts'
import { spreadOf } from '../support/spread.ts'

/** `SOAK_SECONDS=1800` for the long run. */
const SECONDS = Number(process.env.SOAK_SECONDS ?? 5)
/** Caches fill until then; growth is measured afterwards. */
const WARM = 1 / 3
/** In shorter runs the heap varies between two collections by more than any leak. */
const SECONDS_THAT_TELL = 600
const LONGEST_LOG_MB = 64
/** The number of open connections and files varies by a few. */
const SPARE_DESCRIPTORS = 12
const MOST_GROWTH = 1.15

type Sample = { readonly residentMb: number; readonly descriptors: number; readonly logMb: number }

function look({ pid, dataDir }: RunningProgram): Sample {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return {
    residentMb: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    logMb: statSync(join(dataDir, 'device-intelligence.sqlite-wal')).size / 1e6,
  }
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Delay of the service's timers from its own metrics: "99.2 % below 10 ms, …". */
function lagOf(metrics: string): string {
  const of = (bound: string) =>
    Number(new RegExp(`^event_loop_lag_seconds_bucket\\{le="${bound}"\\} (\\d+)`, 'm').exec(metrics)?.[1])
  const all = of('\\+Inf')
  return ['0.01', '0.05', '0.1', '0.25']
    .map((bound) => `${((of(bound.replace('.', '\\.')) / all) * 100).toFixed(2)} % within ${Number(bound) * 1000} ms`)
    .join(', ')
}

test(
  `${SECONDS} s of mixed load: no failures, and memory, descriptors and the WAL do not grow`,
  async () => {
    const METRICS_PORT = String(await freePort())
    const program = await startProgram({
      DATA_DIR: filledDataDir(),
      RATE_LIMIT_ENTERPRISE: '10000000',
      LOG_LEVEL: 'error',
      METRICS_PORT,
    })
    const load = await mixedLoad(program)
    const times = new Map<string, number[]>(load.kinds.map((kind) => [kind, []]))
    const failed: string[] = []
    const samples: Sample[] = []
    const until = performance.now() + SECONDS * 1000
    const loading = load.run(until, ({ kind, status, tookMs }) => {
      times.get(kind)?.push(tookMs)
      if (status !== 200) failed.push(`${kind}: ${status}`)
    })
    const every = Math.max(100, Math.min(1_000, SECONDS * 10))
    while (performance.now() < until) {
      await Bun.sleep(every)
      samples.push(look(program))
    }
    await loading
    const metrics = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text()
    expect(await program.stop()).toBe(0)

    const warm = samples.slice(Math.floor(samples.length * WARM))
    // A sixth of the run at either end, since memory varies between collections.
    const first = warm.slice(0, Math.ceil(samples.length / 6))
    const last = warm.slice(-first.length)
    const row = (what: string, of: (sample: Sample) => number, digits = 0) => [
      what,
      ...[mean(first.map(of)), mean(last.map(of)), Math.max(...samples.map(of))].map((value) => value.toFixed(digits)),
    ]
    console.log(
      `${formatNumberTable(
        [`over ${SECONDS} s`, 'after a third', 'at the end', 'most'],
        [
          row('resident memory, MB', ({ residentMb }) => residentMb),
          row('open descriptors', ({ descriptors }) => descriptors),
          row('log of the store, MB', ({ logMb }) => logMb, 1),
        ],
      )}\n\n${formatNumberTable(
        ['asked', 'times', ''],
        [...times].map(([kind, took]) => [kind, String(took.length), spreadOf(took)]),
      )}\n\ntimers of the service: ${lagOf(metrics)}; ${failed.length} answers other than 200`,
    )
    expect(failed).toEqual([])
    expect([...times].filter(([, took]) => took.length === 0)).toEqual([])
    expect(Math.max(...samples.map(({ logMb }) => logMb))).toBeLessThan(LONGEST_LOG_MB)
    expect(mean(last.map(({ descriptors }) => descriptors))).toBeLessThan(
      mean(first.map(({ descriptors }) => descriptors)) + SPARE_DESCRIPTORS,
    )
    if (SECONDS >= SECONDS_THAT_TELL) {
      expect(mean(last.map(({ residentMb }) => residentMb))).toBeLessThan(
        mean(first.map(({ residentMb }) => residentMb)) * MOST_GROWTH,
      )
    }
  },
  240_000 + SECONDS * 1_500,
)
