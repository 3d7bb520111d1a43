import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { hasChromium, keepScreenshot, newPage, openBrowser, PASSWORD, seriousProblems } from '../support/browser.ts'
import { onBothDatabases } from '../support/databases.ts'
import { type RunningProgram, startProgram } from '../support/program.ts'

setDefaultTimeout(180_000)

describe.if(hasChromium)('the first run in a real browser', () => {
  onBothDatabases((store) => {
    let program: RunningProgram
    let browser: Browser
    beforeAll(async () => {
      const { url, dataDir } = await store.openEmpty()
      program = await startProgram({ DATA_DIR: dataDir, DATABASE_URL: url, LOG_LEVEL: 'warn' })
      browser = await openBrowser()
    })
    afterAll(async () => {
      await browser.close()
      await program.stop()
    })
    const at = (path: string) => `${program.url}${path}`

    test('from an empty service to an owner, a key and the first answer', async () => {
      for (const [width, scheme] of [
        [1440, 'light'],
        [390, 'dark'],
      ] as const) {
        const look = { viewport: { width, height: 900 }, colorScheme: scheme }
        const { page, offences } = await newPage(browser, program.url, look)
        await page.goto(at('/'))
        await page.getByRole('heading', { name: 'Set up your service' }).waitFor()
        expect(await seriousProblems(page)).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
        if (store.name === 'SQLite') await keepScreenshot(page, `first-run-${width}-${scheme}`)
        expect(offences).toEqual([])
        await page.context().close()
      }
      const { page, offences } = await newPage(browser, program.url, { viewport: { width: 1440, height: 900 } })
      await page.goto(at('/dashboard'))
      await page.getByLabel('Set-up code').fill('0000-0000-0000-0000')
      await page.getByLabel('Organization').fill('Corner repairs')
      await page.getByLabel('Email').fill('ada@shop.example')
      await page.getByLabel('Password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Set up and sign in' }).click()
      await page.getByRole('alert').getByText('The set-up code is wrong.').waitFor()
      const code = readFileSync(`${program.dataDir}/setup-code.txt`, 'utf8').trim()
      await page.getByLabel('Set-up code').fill(code.toLowerCase())
      await page.getByRole('button', { name: 'Set up and sign in' }).click()
      await page.getByRole('heading', { name: 'Corner repairs' }).waitFor()

      await page.getByRole('button', { name: 'Make a public key' }).click()
      await page.getByText('This is “Quick start”').waitFor()
      // What is shown is run as it stands, and only what a public key may do is shown.
      const call = (await page.locator('figure.code pre').first().textContent()) ?? ''
      expect(call).toMatch(/^curl 'http/)
      const ran = Bun.spawnSync(['sh', '-c', call], { stdout: 'pipe', stderr: 'ignore' })
      expect(JSON.parse(ran.stdout.toString())).toMatchObject({ success: true })
      expect(await page.locator('figure.code').count()).toBe(1)
      if (store.name === 'SQLite') await keepScreenshot(page, 'quick-start-1440-light')
      expect(await seriousProblems(page)).toEqual([])

      const stranger = await newPage(browser, program.url)
      await stranger.page.goto(at('/'))
      await stranger.page.getByRole('heading', { name: 'Sign in' }).waitFor()
      expect(offences).toEqual([])
    })

    test('a new key is kept on the screen until it is stored, and can be bounded and changed', async () => {
      const { page, offences } = await newPage(browser, program.url, { viewport: { width: 1440, height: 900 } })
      await page.goto(at('/dashboard/sign-in?next=/dashboard/keys'))
      await page.getByLabel('Email').fill('ada@shop.example')
      await page.getByLabel('Password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('button', { name: 'New key' }).click()
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
      await page.getByLabel('Name').fill('Till')
      await page.getByText('Limit and addresses').click()
      await page.getByRole('spinbutton', { name: 'Requests a minute' }).fill('30')
      await page.getByLabel('Allowed addresses').fill('nowhere')
      if (store.name === 'SQLite') await keepScreenshot(page, 'key-dialog-1440-light')
      await page.getByRole('button', { name: 'Make key' }).click()
      await page.getByRole('alert').getByText('expected an address').waitFor()
      await page.getByLabel('Allowed addresses').fill('127.0.0.1\n10.0.0.0/8')
      await page.getByRole('button', { name: 'Make key' }).click()
      await page.getByTestId('secret').waitFor()
      for (let pressed = 0; pressed < 3; pressed++) await page.keyboard.press('Escape')
      const secret = (await page.getByTestId('secret').textContent()) ?? ''
      const ask = () => fetch(at('/api/devices?limit=1'), { headers: { Authorization: `Bearer ${secret}` } })
      const answer = await ask()
      expect([answer.status, answer.headers.get('x-ratelimit-limit')]).toEqual([200, '30'])
      expect(await page.getByRole('button', { name: 'Close' }).count()).toBe(0)
      await page.getByRole('button', { name: 'I have stored it' }).click()

      await page.getByRole('button', { name: 'Change Till' }).click()
      await page.getByLabel('Allowed addresses').fill('10.0.0.0/8')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('from 10.0.0.0/8').waitFor()
      await Bun.sleep(1_000)
      expect((await ask()).status).toBe(403)
      if (store.name === 'SQLite') {
        for (const width of [1440, 390]) {
          await page.setViewportSize({ width, height: 900 })
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
          await keepScreenshot(page, `keys-bounded-${width}`)
        }
        expect(await seriousProblems(page)).toEqual([])
      }
      expect(offences).toEqual([])
      await page.context().close()
    })
  })
})
