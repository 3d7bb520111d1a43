import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Cluster, canStartCluster, type SteadyLoad, startCluster, steadyLoad } from '../support/cluster.ts'
import { waitUntil } from '../support/wait.ts'

if (process.env.CI === 'true' && !canStartCluster) throw new Error('The cluster needs nginx and PgBouncer.')
if (!canStartCluster) console.warn('No nginx or PgBouncer here: the cluster is left out.')

const PER_SECOND = 200

const warningsOf = (log: string) => log.split('\n').filter((line) => /"level":"(?:warn|error)"/.test(line))

describe.if(canStartCluster)('three processes behind nginx, PgBouncer and Redis at 200 requests per second', () => {
  let cluster: Cluster
  let load: SteadyLoad
  beforeAll(async () => {
    cluster = await startCluster()
    load = steadyLoad(cluster, PER_SECOND)
  }, 120_000)
  afterAll(async () => {
    await load.stop()
    await cluster.stop()
  })

  /** Waits for that many seconds of requests, however busy the machine is. */
  async function requests(seconds: number): Promise<void> {
    const target = load.sent() + seconds * PER_SECOND
    await waitUntil(() => load.sent() >= target, { describe: `${seconds} seconds of requests` })
  }

  test('a rolling restart fails no request', async () => {
    const stopped: string[] = []
    for (const [index, program] of [...cluster.programs.entries()]) {
      await requests(1)
      expect(await program.stop()).toBe(0)
      stopped.push(program.stderr())
      await cluster.start(index)
    }
    await requests(1)
    // The log says why a request failed.
    const logs = [...stopped, ...cluster.programs.map((program) => program.stderr())].map(warningsOf)
    const failures = load.failures()
    expect({ failures, logs: failures.length === 0 ? [] : logs }).toEqual({ failures: [], logs: [] })
  }, 240_000)

  test('a killed process costs only the requests it was processing', async () => {
    cluster.programs[1]?.kill('SIGKILL')
    await cluster.programs[1]?.exited
    await requests(3)
    const inFlight = load.failures()
    expect(inFlight.length).toBeLessThan(20)
    await requests(2)
    expect(load.failures()).toEqual([])
    await cluster.start(1)
  }, 240_000)

  test('requests are served while Redis is away', async () => {
    await cluster.redis.kill()
    await requests(3)
    expect(load.failures()).toEqual([])
    await cluster.redis.start()
  }, 240_000)

  test('while PostgreSQL is away lookups are refused with 503 and reads are served; then both work again', async () => {
    await cluster.postgres.faults?.halt()
    await requests(3)
    const failures = load.failures()
    expect(failures.filter((failure) => !failure.startsWith('POST 503'))).toEqual([])
    await cluster.postgres.faults?.start()
    await waitUntil(
      async () => {
        load.failures()
        await requests(1)
        return load.failures().length === 0
      },
      { describe: 'lookups to be accepted again' },
    )
  }, 240_000)

  test('every acknowledged lookup is stored', async () => {
    const acknowledged = await load.stop()
    expect(acknowledged.length).toBeGreaterThan(100)
    const headers = { Authorization: `Bearer ${cluster.key}` }
    for (const id of acknowledged.filter((_, at) => at % 10 === 0)) {
      const response = await fetch(`${cluster.url}/api/imei/${id}`, { headers })
      expect([id, response.status]).toEqual([id, 200])
    }
  }, 240_000)
})
