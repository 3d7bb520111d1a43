import { afterAll, expect, test } from 'bun:test'
import { filledDataDir, type RunningProgram, runProgram, shownKeys, startProgram } from '../support/program.ts'
import { waitUntil } from '../support/wait.ts'

const SLUG = 'corner-shop'
const FORM = 'application/x-www-form-urlencoded'
const ANSWERS = {
  d: 'apple-iphone-13',
  storage: '128GB',
  condition: 'Good',
  lang: 'en',
  q_power: 'yes',
  q_screen: 'yes',
  q_body: 'yes',
  q_works: 'yes',
  q_account: 'yes',
}
const LIMIT_MS = 240_000

const running = new Set<RunningProgram>()
afterAll(async () => {
  for (const program of running) await program.stop()
}, LIMIT_MS)

const start = async (dataDir: string): Promise<RunningProgram> => {
  const program = await startProgram({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' })
  running.add(program)
  return program
}
const post = ({ url }: RunningProgram, path: string, form: Record<string, string>) =>
  fetch(`${url}/sell/${SLUG}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': FORM },
    body: new URLSearchParams(form),
    redirect: 'manual',
  })

test(
  'a price that was shown can be kept after the program was killed, and what was kept is there after the next kill',
  async () => {
    const dataDir = filledDataDir('small')
    const first = await start(dataDir)
    const key = shownKeys(first.stderr()).enterprise
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const settings = JSON.stringify({ enabled: true, slug: SLUG, max_price: 10_000_000 })
    const changed = await runProgram(
      ['api', 'PATCH', '/api/manage/settings', `trade_in:=${settings}`],
      first.environment,
    )
    expect([changed.code, changed.stderr]).toEqual([0, ''])
    const html = await (await post(first, '/price', ANSWERS)).text()
    const token = /name="token" value="([^"]+)"/.exec(html)?.[1] ?? ''
    const price = /class="price">([^<]*)/.exec(html)?.[1] ?? ''
    expect([token.length > 10, price.length > 1]).toEqual([true, true])
    first.kill('SIGKILL')
    await first.exited
    running.delete(first)

    const second = await start(dataDir)
    const form = { token, name: 'Ada', contact: 'ada@example.com', consent: 'yes', lang: 'en' }
    // A form that is sent at once is asked again.
    let kept = await post(second, '/keep', form)
    await waitUntil(
      async () => {
        if (kept.status === 303) return true
        kept = await post(second, '/keep', form)
        return kept.status === 303
      },
      { describe: 'the page with the number', everyMs: 500 },
    )
    const location = kept.headers.get('Location') ?? ''
    second.kill('SIGKILL')
    await second.exited
    running.delete(second)

    const third = await start(dataDir)
    const page = await fetch(`${third.url}${location}`)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain(price)
    // The same button once more leads to the same number, and there is one quote.
    const again = await post(third, '/keep', form)
    expect([again.status, again.headers.get('Location')]).toEqual([303, location])
    const { data } = await (await fetch(`${third.url}/api/quotes`, { headers })).json()
    expect(data.map(({ state }: { state: string }) => state)).toEqual(['open'])
  },
  LIMIT_MS,
)
