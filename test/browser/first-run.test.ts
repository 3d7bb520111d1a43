import { afterAll, beforeAll, describe, expect } from 'bun:test'
import { readFileSync } from 'node:fs'
import {
  browserTest,
  hasChromium,
  hasFocus,
  keepScreenshot,
  newPage,
  PASSWORD,
  seriousProblems,
} from '../support/browser.ts'
import { START_LIMIT_MS } from '../support/dashboard.ts'
import { newDataDir, type RunningProgram, startProgram } from '../support/program.ts'
import { waitUntil } from '../support/wait.ts'

describe.if(hasChromium)('the first run in a real browser', () => {
  let program: RunningProgram
  beforeAll(async () => {
    program = await startProgram({ DATA_DIR: newDataDir(), LOG_LEVEL: 'warn' })
  }, START_LIMIT_MS)
  afterAll(() => program?.stop(), START_LIMIT_MS)
  const at = (path: string) => `${program.url}${path}`

  browserTest('from an empty service to an owner, a key and the first response', async () => {
    for (const [width, scheme] of [
      [1440, 'light'],
      [390, 'dark'],
    ] as const) {
      const look = { viewport: { width, height: 900 }, colorScheme: scheme }
      const { page, offences } = await newPage(program.url, look)
      await page.goto(at('/'))
      await page.getByRole('heading', { name: 'Set up your service' }).waitFor()
      expect(await seriousProblems(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      await keepScreenshot(page, `first-run-${width}-${scheme}`)
      expect(offences).toEqual([])
    }
    const { page, offences } = await newPage(program.url)
    await page.goto(at('/dashboard'))
    await page.getByLabel('Setup code').fill('0000-0000-0000-0000')
    await page.getByLabel('Organization').fill('Corner repairs')
    await page.getByLabel('Your name').fill('Ada')
    await page.getByLabel('Email').fill('ada@shop.example')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Set up and sign in' }).click()
    await page.getByRole('alert').getByText('The set-up code is wrong.').waitFor()
    const code = readFileSync(`${program.dataDir}/setup-code.txt`, 'utf8').trim()
    await page.getByLabel('Setup code').fill(code.toLowerCase())
    await page.getByRole('button', { name: 'Set up and sign in' }).click()
    await page.getByRole('heading', { name: 'Appraise a device' }).waitFor()
    await page.getByText('Corner repairs').first().waitFor()
    await page.getByRole('link', { name: 'Ada Owner' }).waitFor()
    await page.getByRole('heading', { name: 'Make it yours' }).waitFor()
    expect(await page.getByText('API', { exact: false }).count()).toBe(0)
    await keepScreenshot(page, 'first-steps-1440-light')

    // The keys of the first start were made unasked: the menu of a shop has no pages for developers yet.
    const developers = page.getByRole('link', { name: 'Developers' })
    expect(await developers.count()).toBe(0)
    await page.goto(at('/dashboard/webhooks'))
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor()
    await page.goto(at('/dashboard/settings'))
    await page.getByRole('checkbox', { name: /Show “Developers” in the menu/ }).check()
    await developers.click()
    await page.getByRole('link', { name: 'API reference' }).click()
    await page.getByRole('button', { name: 'Create a public key' }).click()
    await page.getByText('This is “Quick start”').waitFor()
    // The displayed call runs unchanged, and it needs only a public key.
    const call = (await page.locator('figure.code pre').first().textContent()) ?? ''
    expect(call).toMatch(/^curl 'http/)
    const ran = Bun.spawnSync(['sh', '-c', call], { stdout: 'pipe', stderr: 'ignore' })
    expect(JSON.parse(ran.stdout.toString())).toMatchObject({ success: true })
    expect(await page.locator('figure.code').count()).toBe(1)
    await keepScreenshot(page, 'quick-start-1440-light')
    expect(await seriousProblems(page)).toEqual([])

    const stranger = await newPage(program.url)
    await stranger.page.goto(at('/'))
    await stranger.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(offences).toEqual([])
  })

  browserTest('a new key stays on the screen until it is stored, and can be restricted and changed', async () => {
    const { page, offences } = await newPage(program.url)
    await page.goto(at('/dashboard/sign-in?next=/dashboard/keys'))
    await page.getByLabel('Email').fill('ada@shop.example')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'New key' }).click()
    await hasFocus(page.locator('input'))
    await page.getByLabel('Name').fill('Till')
    await page.getByText('Rate limit and IP addresses').click()
    await page.getByRole('spinbutton', { name: 'Requests per minute' }).fill('30')
    await page.getByLabel('Allowed IP addresses').fill('nowhere')
    await keepScreenshot(page, 'key-dialog-1440-light')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('alert').getByText('is no address such as').waitFor()
    await page.getByLabel('Allowed IP addresses').fill('127.0.0.1\n10.0.0.0/8')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByTestId('secret').waitFor()
    for (let pressed = 0; pressed < 3; pressed++) await page.keyboard.press('Escape')
    const secret = (await page.getByTestId('secret').textContent()) ?? ''
    const ask = () => fetch(at('/api/devices?limit=1'), { headers: { Authorization: `Bearer ${secret}` } })
    const response = await ask()
    expect([response.status, response.headers.get('x-ratelimit-limit')]).toEqual([200, '30'])
    expect(await page.getByRole('button', { name: 'Close' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Done' }).click()

    await page.getByRole('button', { name: 'Edit Till' }).click()
    await page.getByLabel('Allowed IP addresses').fill('10.0.0.0/8')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('from 10.0.0.0/8').waitFor()
    await waitUntil(async () => (await ask()).status === 403, { describe: 'the address to be rejected' })
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      await keepScreenshot(page, `keys-bounded-${width}`)
    }
    expect(await seriousProblems(page)).toEqual([])
    expect(offences).toEqual([])
  })
})
