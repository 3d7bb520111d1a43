/** One keyed read of the real program beside a bare server that sends the same bytes, in alternating rounds. */

import { figureTable } from '../../src/text/text-table.ts'
import { load, loadGenerator, median, type Round, WARM_UP_SECONDS } from './load.ts'
import { bareBun } from './peers.ts'

export type Compared = {
  /** Our rate as a share of the bare server's, the middle of the rounds. */
  readonly rateRatio: number
  /** The same by processor time per request, which others on the machine disturb less. */
  readonly cpuRatio: number
}

export async function againstBare(
  program: { readonly url: string; readonly pid: number },
  key: string,
  path: string,
  { rounds: count, seconds }: { rounds: number; seconds: number },
): Promise<Compared> {
  const wrk = await loadGenerator()
  const headers = { Authorization: `Bearer ${key}`, 'Accept-Encoding': 'identity' }
  const answer = await fetch(program.url + path, { headers })
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  const bytes = await answer.bytes()
  const bare = await bareBun(bytes)
  const ours = { url: program.url + path, pid: program.pid, key }
  for (const server of [ours, bare]) await load(wrk, { ...server, seconds: WARM_UP_SECONDS })
  const rounds: { mine: Round; theirs: Round }[] = []
  for (let round = 0; round < count; round++) {
    const mine = await load(wrk, { ...ours, seconds })
    rounds.push({ mine, theirs: await load(wrk, { ...bare, seconds }) })
  }
  bare.stop()
  const middle = (of: (round: { mine: Round; theirs: Round }) => number) => median(rounds.map(of))
  console.log(`GET ${path}: ${bytes.length} bytes, ${count} rounds of ${seconds} s`)
  console.log(
    figureTable(
      ['server', 'per second', 'p99 ms', 'CPU µs'],
      (['mine', 'theirs'] as const).map((side) => [
        side === 'mine' ? 'ours' : 'bare Bun.serve',
        middle((round) => round[side].perSecond).toFixed(0),
        middle((round) => round[side].p99Ms).toFixed(2),
        middle((round) => round[side].cpuMicros).toFixed(1),
      ]),
    ),
  )
  return {
    rateRatio: middle(({ mine, theirs }) => mine.perSecond / theirs.perSecond),
    cpuRatio: middle(({ mine, theirs }) => theirs.cpuMicros / mine.cpuMicros),
  }
}
