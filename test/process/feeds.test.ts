import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { filledDataDir, runInProcess } from '../support/program.ts'
import { storeFeeds } from '../support/stored-entries.ts'

const LIST = 'IMEI,reporting_date,status\n35693803564380,,\n35693803564381,,\n'
const TOKEN = 'a-secret-of-the-test'

type ReceivedRequest = { readonly path: string; readonly headers: Headers }

/** The server of the lists: responds by path and records the requests. */
function listServer() {
  const requests: ReceivedRequest[] = []
  let failuresLeft = 0
  let published = ''
  const server = Bun.serve({
    port: 0,
    idleTimeout: 30,
    async fetch(request): Promise<Response> {
      const { pathname: path } = new URL(request.url)
      requests.push({ path, headers: request.headers })
      const csv = (text: string, headers: Record<string, string> = {}) =>
        new Response(text, { headers: { 'Content-Type': 'text/csv', ...headers } })
      switch (path) {
        case '/tagged': {
          if (request.headers.get('if-none-match') === '"v1"') return new Response(null, { status: 304 })
          return csv(LIST, { ETag: '"v1"' })
        }
        case '/dated': {
          const since = request.headers.get('if-modified-since')
          const changed = 'Thu, 15 Jan 2026 12:00:00 GMT'
          return since === changed ? new Response(null, { status: 304 }) : csv(LIST, { 'Last-Modified': changed })
        }
        case '/own':
          return csv(published)
        case '/fails':
          return new Response('down', { status: 500 })
        case '/recovers':
          return failuresLeft-- > 0 ? new Response('down', { status: 503 }) : csv(LIST)
        case '/gone':
          return new Response('gone', { status: 404 })
        case '/slow':
          return new Response(
            new ReadableStream({
              async pull(controller) {
                controller.enqueue(new TextEncoder().encode('35693803564380,,\n'))
                await Bun.sleep(100)
              },
            }),
          )
        case '/large':
          return csv(LIST + '35693803564380,,\n'.repeat(1000))
        case '/large-and-long':
          return new Response(
            new ReadableStream({
              pull: (controller) => controller.enqueue(new TextEncoder().encode('35693803564380,,\n'.repeat(100))),
            }),
          )
        case '/elsewhere':
          return Response.redirect(`http://localhost:${server.port}/tagged`, 302)
        case '/moved':
          return new Response(null, { status: 301, headers: { Location: '/tagged' } })
        case '/circle':
          return new Response(null, { status: 302, headers: { Location: '/circle' } })
        case '/page':
          return new Response('<!doctype html><title>Sign in</title>', { headers: { 'Content-Type': 'text/html' } })
        case '/disguised':
          return csv('<!DOCTYPE html>\n<html><body>Sign in</body></html>')
        case '/guarded':
          return request.headers.get('authorization') === `Bearer ${TOKEN}`
            ? csv(LIST)
            : new Response('who are you?', { status: 401 })
        default:
          return csv('make,nonsense\n1,2\n')
      }
    },
  })
  return {
    url: (path: string) => `http://127.0.0.1:${server.port}${path}`,
    requestsTo: (path: string) => requests.filter((one) => one.path === path),
    failNext: (times: number) => {
      failuresLeft = times
    },
    /** The list at /own from now on. */
    publish: (list: string) => {
      published = list
    },
    stop: () => server.stop(true),
  }
}

/** Declares a larger Content-Length than it sends, and closes. */
function cutShort(): Promise<{ url: string; server: Server; connections: () => number }> {
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.on('error', () => {})
    socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n${LIST}`))
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      resolve({ url: `http://127.0.0.1:${port}/cut`, server, connections: () => connections })
    })
  })
}

let other: ReturnType<typeof listServer>
let cutting: Awaited<ReturnType<typeof cutShort>>
beforeAll(async () => {
  other = listServer()
  cutting = await cutShort()
})
afterAll(async () => {
  await other.stop()
  cutting.server.close()
})

/** A new database with one feed, and the commands on it. */
async function withFeed(feed: Record<string, unknown>, environment: Record<string, string> = {}) {
  const dataDir = filledDataDir('small')
  const write = (more: Record<string, unknown> = {}) =>
    storeFeeds({ url: '', dataDir }, [
      { name: 'stolen', format: 'lists', retries: 1, retry_pause_ms: 10, ...feed, ...more },
    ])
  await write()
  const settings = { DATA_DIR: dataDir, SAMPLE_DATA: 'off', ...environment }
  return {
    dataDir,
    settings,
    write,
    run: (...args: string[]) => runInProcess(['import', 'feed', 'stolen', ...args], settings),
    async status() {
      const { stdout } = await runInProcess(['status', '--json'], settings)
      return JSON.parse(stdout) as {
        imports: { state: string; failure: string | null; file: string; counts: Record<string, number> }[]
        feeds: { outcome: string; failure: string | null; failures: number; last_success_at: string | null }[]
      }
    },
    /** Temporary files that a run leaves behind. */
    left: () => (existsSync(join(dataDir, 'feeds')) ? readdirSync(join(dataDir, 'feeds')) : []),
  }
}

describe('a feed that is fetched', () => {
  test('is imported and recorded like any list, and not again until it changes', async () => {
    const feed = await withFeed({ url: other.url('/tagged'), options: { list: 'police' } })
    const first = await feed.run('--json')
    expect(first).toMatchObject({ code: 0 })
    expect(JSON.parse(first.stdout)).toMatchObject({ feed: 'stolen', outcome: 'imported', rows: 2, entries: 2 })
    expect(feed.left()).toEqual([])
    expect(await feed.status()).toMatchObject({
      imports: [{ state: 'done', file: 'feed stolen', counts: { rows: 2, entries: 2 } }],
      feeds: [{ name: 'stolen', outcome: 'imported', failures: 0, failure: null }],
    })

    const second = await feed.run()
    expect(second).toMatchObject({ code: 0, stdout: 'Unchanged since the last import.\n' })
    expect(other.requestsTo('/tagged').at(-1)?.headers.get('if-none-match')).toBe('"v1"')
    const status = await feed.status()
    expect(status.imports).toHaveLength(1)
    expect(status.feeds).toMatchObject([{ outcome: 'unchanged', failures: 0 }])

    // Under another name it is another list, even from the same address.
    await feed.write({ options: { list: 'insurers' } })
    expect(JSON.parse((await feed.run('--json')).stdout)).toMatchObject({ outcome: 'imported', entries: 2 })
    expect(other.requestsTo('/tagged').at(-1)?.headers.get('if-none-match')).toBeNull()
    expect(JSON.parse((await feed.run('--json', '--force')).stdout)).toMatchObject({ outcome: 'imported' })
  })

  test('is requested by date if it has no ETag', async () => {
    const feed = await withFeed({ url: other.url('/dated') })
    expect((await feed.run()).code).toBe(0)
    expect((await feed.run()).stdout).toBe('Unchanged since the last import.\n')
  })

  test('that clears and shrank by more than one percent waits for a confirmation', async () => {
    const options = { clears: true, area: 'DE', 'max-age-days': 7 }
    const feed = await withFeed({ url: other.url('/own'), options })
    const rows = Array.from({ length: 100 }, (_, at) => `${35693803564000 + at},,\n`)
    other.publish(`IMEI,reporting_date,status\n${rows.join('')}`)
    expect((await feed.run()).code).toBe(0)
    other.publish(`IMEI,reporting_date,status\n${rows.slice(2).join('')}`)
    const rejected = await feed.run()
    expect(rejected).toMatchObject({ code: 1, stdout: '' })
    expect(rejected.stderr).toContain('by more than 1 %')
    expect(await feed.status()).toMatchObject({ feeds: [{ outcome: 'failed' }] })
    expect((await feed.run('--force')).code).toBe(1)
    const accepted = await feed.run('--accept-shrink', '--json')
    expect(JSON.parse(accepted.stdout)).toMatchObject({ outcome: 'imported', entries: 98, cleared: 2 })
  })

  test('sends its secret and shows it nowhere', async () => {
    const feed = await withFeed({ url: other.url('/guarded'), headers: { Authorization: `Bearer ${TOKEN}` } })
    expect(await feed.run()).toMatchObject({ code: 0 })
    const shown = await runInProcess(['status', '--json'], feed.settings)
    expect(JSON.parse(shown.stdout).feeds).toMatchObject([{ name: 'stolen', outcome: 'imported' }])
    expect(shown.stdout + shown.stderr).not.toContain(TOKEN)
  })

  test('is read with a saved profile', async () => {
    const ads = 'naziv;cijena\nApple iPhone 13 128GB;389 €\n'
    const feed = await withFeed({ format: 'observations', url: other.url('/own'), profile: 'oglasi' })
    const path = join(feed.dataDir, 'ads.csv')
    writeFileSync(path, ads)
    other.publish(ads)
    const unsaved = await feed.run()
    expect(unsaved).toMatchObject({ code: 1 })
    expect(unsaved.stderr).toContain('There is no profile oglasi')
    const rates = join(feed.dataDir, 'rates.csv')
    writeFileSync(rates, 'currency,day,usd\nEUR,2026-01-15,1.09\n')
    expect((await runInProcess(['import', 'rates', rates], feed.settings)).code).toBe(0)
    const options = '--map=title=naziv,price=cijena --side=ask --currency=EUR --date=2026-01-15 --condition=Good'
    const saving = ['import', 'observations', path, ...options.split(' '), '--profile=oglasi']
    expect(await runInProcess(saving, feed.settings)).toMatchObject({ code: 0 })
    other.publish(ads.replace('389', '379'))
    const run = await feed.run('--json')
    expect(JSON.parse(run.stdout)).toMatchObject({ outcome: 'imported', rows: 1, rejected: 0 })
  })

  test('that redirects on its own host is followed', async () => {
    expect(await (await withFeed({ url: other.url('/moved') })).run()).toMatchObject({ code: 0 })
  })

  test('is retried after a temporary failure', async () => {
    other.failNext(1)
    const { code, stderr } = await (await withFeed({ url: other.url('/recovers') })).run()
    expect(code).toBe(0)
    expect(stderr).toContain('The feed stolen responded with status 503. Trying again in')
  })

  test('writes nothing in a dry run', async () => {
    const feed = await withFeed({ url: other.url('/tagged') })
    expect((await feed.run('--dry-run')).code).toBe(0)
    expect(await feed.status()).toMatchObject({ imports: [], feeds: [{ outcome: null }] })
  })
})

describe('an incomplete list is not imported', () => {
  const failing = [
    ['status 500', () => other.url('/fails'), {}, 'The feed stolen responded with status 500.', 2],
    ['status 404', () => other.url('/gone'), {}, 'The feed stolen responded with status 404.', 1],
    [
      'a slow response',
      () => other.url('/slow'),
      { timeout_ms: 400 },
      'The list of stolen did not come within 0.4 s.',
      2,
    ],
    ['a Content-Length over the limit', () => other.url('/large'), { max_bytes: 2048 }, 'larger than 2,048 bytes.', 1],
    ['a body over the limit', () => other.url('/large-and-long'), { max_bytes: 2048 }, 'larger than 2,048 bytes.', 1],
    ['a redirect to another host', () => other.url('/elsewhere'), {}, 'redirects to another host, localhost:', 1],
    ['a redirect to itself', () => other.url('/circle'), {}, 'redirects in circles.', 6],
    ['a web page', () => other.url('/page'), {}, 'returned a web page instead of a list.', 1],
    [
      'a web page with the media type of a list',
      () => other.url('/disguised'),
      {},
      'returned a web page instead of a list.',
      1,
    ],
    ['a list of another format', () => other.url('/other'), {}, 'stolen has no column imei', 1],
  ] as const
  for (const [what, url, more, sentence, tries] of failing) {
    test(what, async () => {
      const feed = await withFeed({ url: url(), ...more })
      const path = new URL(url()).pathname
      const before = other.requestsTo(path).length
      const tagged = other.requestsTo('/tagged').length
      const { code, stdout, stderr } = await feed.run()
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toContain(sentence)
      expect(other.requestsTo(path).length - before).toBe(tries)
      expect(other.requestsTo('/tagged').length).toBe(tagged)
      expect(await feed.status()).toMatchObject({
        imports: [{ state: 'failed', failure: expect.stringContaining(sentence), file: 'feed stolen' }],
        feeds: [{ outcome: 'failed', failures: 1, failure: expect.stringContaining(sentence), last_success_at: null }],
      })
      expect(feed.left()).toEqual([])
    })
  }

  test('a connection closed early', async () => {
    const feed = await withFeed({ url: cutting.url })
    const { code, stderr } = await feed.run()
    expect(code).toBe(1)
    expect(stderr).toContain('The download of stolen was interrupted.')
    expect(cutting.connections()).toBe(2)
    expect((await feed.status()).imports).toMatchObject([{ state: 'failed' }])
  })

  test('an unreachable server', async () => {
    const { code, stderr } = await (await withFeed({ url: 'http://127.0.0.1:1/list?key=abc', retries: 0 })).run()
    expect(code).toBe(1)
    expect(stderr).toContain('The address of stolen cannot be reached.')
    expect(stderr).not.toContain('abc')
  })
})

describe('the command line', () => {
  test('finds feeds by name', async () => {
    const feed = await withFeed({ url: other.url('/tagged') })
    expect(await runInProcess(['import', 'feed', 'stolne'], feed.settings)).toMatchObject({
      code: 1,
      stderr: 'There is no feed "stolne"; the feeds are: stolen.\n',
    })
    await storeFeeds({ url: '', dataDir: feed.dataDir }, [])
    expect(await runInProcess(['import', 'feed', 'stolen'], feed.settings)).toMatchObject({
      code: 1,
      stderr: 'There are no feeds. Add one in the service settings of the dashboard.\n',
    })
    expect((await runInProcess(['import', 'feed'], feed.settings)).code).toBe(2)
  })

  test('lists feeds with their schedule', async () => {
    const feed = await withFeed({ url: other.url('/tagged'), schedule: '30 3 1 1 *' })
    await feed.run()
    const { stdout } = await runInProcess(['status'], feed.settings)
    expect(stdout).toMatch(/^FEED +FORMAT +SCHEDULE +LAST RUN +OUTCOME +NEXT RUN +LAST FAILURE$/m)
    expect(stdout).toMatch(
      /^stolen +lists +30 3 1 1 \* +\d{4}-\d\d-\d\d \d\d:\d\d UTC +imported +\d{4}-01-01 03:30 UTC +-$/m,
    )
  })
})
