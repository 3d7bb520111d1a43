import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import {
  hasChromium,
  joinByLink,
  keepScreenshot,
  newLink,
  newOrganization,
  newPage,
  openBrowser,
  PASSWORD,
  seriousProblems,
} from '../support/browser.ts'
import { onBothDatabases } from '../support/databases.ts'
import { newDataDir, type RunningProgram, runProgram, startProgram } from '../support/program.ts'

setDefaultTimeout(180_000)

const EVIL = '<img src=x onerror="alert(1)">'

describe.if(hasChromium)('the dashboard in a real browser', () => {
  onBothDatabases((store) => {
    let program: RunningProgram
    let browser: Browser
    let organization: string
    beforeAll(async () => {
      const { url, dataDir } = await store.open()
      const feeds = join(newDataDir(), 'feeds.json')
      writeFileSync(feeds, JSON.stringify({ feeds: [{ name: 'market', format: 'observations', url: 'prices.csv' }] }))
      program = await startProgram({ DATA_DIR: dataDir, DATABASE_URL: url, LOG_LEVEL: 'warn', FEEDS_FILE: feeds })
      browser = await openBrowser()
      organization = await newOrganization(program, 'Browser test')
    })
    afterAll(async () => {
      await browser.close()
      await program.stop()
    })

    const at = (path: string) => `${program.url}${path}`
    async function signedIn(email: string, role: string, organizationId = organization) {
      const watched = await newPage(browser, program.url)
      await joinByLink(watched.page, await newLink(program, email, organizationId, role), email)
      return watched
    }
    async function makeKey(page: Page, name: string): Promise<string> {
      await page.goto(at('/dashboard/keys'))
      await page.getByRole('button', { name: 'New key' }).click()
      await page.getByLabel('Name').fill(name)
      await page.getByRole('button', { name: 'Make key' }).click()
      return (await page.getByTestId('secret').textContent()) ?? ''
    }
    const callWith = (key: string) => fetch(at('/api/devices?limit=1'), { headers: { Authorization: `Bearer ${key}` } })

    test('first owner, key, a real call with it, its usage, and its end', async () => {
      const { page, offences } = await signedIn('owner@example.test', 'owner')
      const key = await makeKey(page, 'Shop')
      // Whoever does not choose gets the key that opens least.
      expect(key).toMatch(/^pk_pub_/)
      expect((await callWith(key)).status).toBe(200)
      await page.getByRole('button', { name: 'I have stored it' }).click()
      expect(await page.content()).not.toContain(key)

      await page.goto(at('/dashboard/usage?by=key_id'))
      await page.getByRole('button', { name: 'Shop' }).waitFor()
      expect(await page.getByText('Share of the limit').count()).toBeGreaterThan(0)

      await page.goto(at('/dashboard/keys'))
      await page.getByRole('button', { name: 'Revoke Shop' }).click()
      await page.getByRole('button', { name: 'Revoke key' }).click()
      await page.getByRole('row', { name: /Shop/ }).getByText('revoked').waitFor()
      await Bun.sleep(1_000)
      expect((await callWith(key)).status).toBe(401)

      await page.goto(at('/dashboard/activity'))
      await page.getByText('revoked the key “Shop”').waitFor()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await page.goto(at('/dashboard/keys'))
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await page.getByLabel('Email').fill('owner@example.test')
      await page.getByLabel('Password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { name: 'API keys' }).waitFor()
      expect(offences).toEqual([])
      await page.context().close()
    })

    test('a member sees keys but is offered no way to change them, and the service refuses', async () => {
      const { page } = await signedIn('member@example.test', 'member')
      await page.goto(at('/dashboard/keys'))
      await page.getByRole('heading', { name: 'API keys' }).waitFor()
      expect(await page.getByRole('button', { name: 'New key' }).count()).toBe(0)
      const status = await page.evaluate(async () => {
        const headers = { 'Content-Type': 'application/json' }
        const body = JSON.stringify({ name: 'x', tier: 'public', expires_on: null })
        return (await fetch('/account/keys', { method: 'POST', headers, body })).status
      })
      expect(status).toBe(403)
      await page.context().close()
    })

    test("another organization's lookup is not there", async () => {
      const other = await newOrganization(program, 'Elsewhere')
      const theirs = await signedIn('theirs@example.test', 'owner', other)
      await theirs.page.goto(at('/dashboard/check'))
      await theirs.page.getByLabel('Identifier').fill('100000010000023')
      await theirs.page.getByRole('button', { name: 'Check' }).click()
      await theirs.page.getByText('critical risk').waitFor()
      const address = theirs.page.url()
      const mine = await signedIn('curious@example.test', 'owner')
      await mine.page.goto(address)
      await mine.page.getByText('There is no such lookup').waitFor()
      await theirs.page.reload()
      await theirs.page.getByText('critical risk').waitFor()
      await theirs.page.context().close()
      await mine.page.context().close()
    })

    test('names and searches that look like code stay text', async () => {
      const { page, offences } = await signedIn('careful@example.test', 'owner')
      await makeKey(page, EVIL)
      await page.getByRole('button', { name: 'I have stored it' }).click()
      await page.getByText(EVIL).first().waitFor()
      await page.goto(at(`/dashboard/devices?search=${encodeURIComponent(EVIL)}&make=${encodeURIComponent(EVIL)}`))
      await page.getByText('No device matches').waitFor()
      await page.goto(at(`/dashboard/lookups#${encodeURIComponent(EVIL)}`))
      await page.getByText('No lookup of this identifier').waitFor()
      await page.goto(at('/dashboard/activity'))
      await page.getByText(EVIL).first().waitFor()
      await page.goto(at(`/dashboard/sign-in?next=${encodeURIComponent('https://evil.example/')}`))
      await page.getByLabel('Email').fill('careful@example.test')
      await page.getByLabel('Password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { name: 'Browser test' }).waitFor()
      expect(page.url()).toBe(at('/dashboard'))
      expect(offences).toEqual([])
      await page.context().close()
    })

    test('a page of another site can change nothing, and ours cannot be framed', async () => {
      const { page } = await signedIn('target@example.test', 'owner')
      const evil = Bun.serve({
        port: 0,
        hostname: '127.0.0.1',
        fetch: () =>
          new Response(
            `<iframe src="${at('/dashboard')}"></iframe><form method="post" enctype="text/plain" action="${at('/account/keys')}"><input name='{"name":"evil","tier":"public","expires_on":null,"x":"' value='"}'></form>`,
            { headers: { 'Content-Type': 'text/html' } },
          ),
      })
      await page.goto(evil.url.href)
      expect(page.frames().some((frame) => frame !== page.mainFrame() && frame.url().startsWith(program.url))).toBe(
        false,
      )
      const answered = page.waitForResponse((response) => response.url().endsWith('/account/keys'))
      await page.evaluate(() => document.forms[0]?.submit())
      expect((await answered).status()).toBe(403)
      await page.waitForURL(at('/account/keys'))
      await page.goto(evil.url.href)
      await page.evaluate(async (address) => {
        const body = JSON.stringify({ name: 'evil', tier: 'public', expires_on: null })
        await fetch(address, { method: 'POST', mode: 'no-cors', credentials: 'include', body }).catch(() => {})
      }, at('/account/keys'))
      await page.goto(at('/dashboard/keys'))
      await page.getByRole('heading', { name: 'API keys' }).waitFor()
      expect(await page.getByText('evil').count()).toBe(0)
      evil.stop(true)
      await page.context().close()
    })

    test('signing in gives a new cookie that no script can read', async () => {
      const { page } = await signedIn('fixed@example.test', 'member')
      const cookieOf = async () => (await page.context().cookies()).find((cookie) => cookie.name === 'di_session')
      const before = await cookieOf()
      await page.goto(at('/dashboard/sign-in'))
      await page.getByLabel('Email').fill('fixed@example.test')
      await page.getByLabel('Password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('navigation', { name: 'Main' }).waitFor()
      const after = await cookieOf()
      expect(after?.value).not.toBe(before?.value)
      expect(after).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
      expect(await page.evaluate(() => document.cookie)).not.toContain('di_session')
      await page.context().close()
    })

    test('guessing passwords is slowed down and says so', async () => {
      const { page } = await newPage(browser, program.url)
      await page.goto(at('/dashboard/sign-in'))
      for (let attempt = 0; attempt < 6; attempt++) {
        await page.getByLabel('Email').fill('member@example.test')
        await page.getByLabel('Password').fill(`wrong ${attempt}`)
        await page.getByRole('button', { name: 'Sign in' }).click()
        await page.getByRole('alert').waitFor()
        await page.waitForFunction(() => !document.querySelector('[aria-busy=true]'))
      }
      expect(await page.getByRole('alert').textContent()).toContain('Too many attempts')
      await page.context().close()
    })

    test('an IMEI pasted into the search is offered for a check and stands in no address', async () => {
      const { page } = await signedIn('paster@example.test', 'member')
      await page.goto(at('/dashboard/devices'))
      await page.getByLabel('Search devices').fill('49 015420 323751 8')
      await page.getByRole('button', { name: 'Check this identifier' }).click()
      await page.waitForURL(/dashboard\/check$/)
      expect(await page.getByLabel('Identifier', { exact: true }).inputValue()).toBe('49 015420 323751 8')
    })

    test('searching is in the address: shared, reloaded, and gone back from', async () => {
      const { page } = await signedIn('searcher@example.test', 'member')
      await page.goto(at('/dashboard/devices'))
      await page.getByLabel('Search devices').pressSequentially('iphone 13 mini', { delay: 15 })
      await page.waitForURL(/search=iphone/)
      await page.getByRole('link', { name: 'iPhone 13 mini' }).click()
      await page.getByRole('heading', { name: 'iPhone 13 mini' }).waitFor()
      await page.goBack()
      await page.getByRole('link', { name: 'iPhone 13 mini' }).waitFor()
      await page.reload()
      expect(await page.getByLabel('Search devices').inputValue()).toBe('iphone 13 mini')
      await page.context().close()
    })

    test('a mistyped IMEI is held back, and what was probably meant is a button', async () => {
      const { page } = await signedIn('typist@example.test', 'owner')
      await page.goto(at('/dashboard/check'))
      await page.getByLabel('Identifier').fill('013554006297016')
      await page.getByRole('button', { name: 'Check', exact: true }).click()
      await page.getByText('Look at it again:').waitFor()
      await page.getByRole('button', { name: 'Check it as typed' }).click()
      await page.getByText('Check the identifier again').waitFor()
      await page.getByRole('button', { name: 'Check 013554006297015' }).click()
      await page.getByRole('heading', { name: '013554006297015' }).waitFor()
      await page.goto(at('/dashboard/check'))
      await page.getByLabel('Identifier').fill('100000010000015')
      await page.getByRole('button', { name: 'Check', exact: true }).click()
      await page.getByText('Cleared against sandbox').waitFor()
      await page.context().close()
    })

    test('the history downloads as a file that a spreadsheet can be trusted with', async () => {
      const { page } = await signedIn('exporter@example.test', 'owner')
      await page.goto(at('/dashboard/check'))
      await page.getByLabel('Identifier').fill('013554006297015')
      await page.getByRole('button', { name: 'Check' }).click()
      await page.getByText('Why this score').waitFor()
      await page.goto(at('/dashboard/lookups'))
      await page.getByRole('link', { name: '013554006297015' }).first().waitFor()
      const downloading = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Download CSV' }).click()
      const text = await Bun.file(await (await downloading).path()).text()
      expect(text).toMatch(/^lookup_id,timestamp,identifier,/)
      expect(text).toContain(',013554006297015,imei,')
      await page.context().close()
    })

    test('a dialog closes on Escape and gives the focus back', async () => {
      const { page } = await signedIn('keyboard@example.test', 'owner')
      await page.goto(at('/dashboard/keys'))
      const opener = page.getByRole('button', { name: 'New key' })
      await opener.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      expect(await opener.evaluate((button) => button === document.activeElement)).toBe(true)
      await page.context().close()
    })

    test('a chart tells its numbers to the arrow keys', async () => {
      const { page, offences } = await signedIn('reader@example.test', 'member')
      await page.goto(at('/dashboard/devices/apple-iphone-13/price/apple-iphone-13-128gb-midnight'))
      await page.locator('.chart .recharts-surface').first().focus()
      await page.keyboard.press('ArrowRight')
      await page.locator('.chart-tip').getByText('Week of').waitFor()
      await page.getByText('simulated history').waitFor()
      await page.getByRole('radio', { name: 'Poor' }).check()
      await page.getByRole('figure', { name: /grade Poor/ }).waitFor()
      expect(await page.locator('.chart .recharts-line').count()).toBe(2)
      expect(offences).toEqual([])
      await page.context().close()
    })

    test('a device page says what the chosen configuration is worth, and what mending costs', async () => {
      const { page, offences } = await signedIn('buyer@example.test', 'member')
      await page.goto(at('/dashboard/devices/apple-iphone-13'))
      const good = page.getByRole('row', { name: /^Good/ }).first()
      await good.waitFor()
      const small = await good.textContent()
      await page.getByRole('radio', { name: '512GB' }).check()
      await page.waitForFunction(
        (before) => document.querySelectorAll('.worth tbody tr')[1]?.textContent !== before,
        small,
      )
      await page.getByText('Display replacement').waitFor()
      await page.getByRole('button', { name: /Show all \d+ variants/ }).click()
      expect(await page.getByRole('link', { name: /Price today of iPhone 13/ }).count()).toBe(18)
      expect(offences).toEqual([])
      await page.context().close()
    })

    test('Ctrl K goes to a page, a device or the check of an identifier', async () => {
      const { page } = await signedIn('quick@example.test', 'owner')
      const box = page.getByRole('combobox', { name: /A page, a device/ })
      await page.keyboard.press('Control+k')
      await box.fill('usage')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Usage' }).waitFor()
      await page.keyboard.press('Control+k')
      await box.fill('iphone 13 mini')
      await page.getByRole('option', { name: /iPhone 13 mini/ }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'iPhone 13 mini' }).waitFor()
      await page.keyboard.press('Control+k')
      await box.fill('490154203237518')
      await page.keyboard.press('Enter')
      await page.waitForURL(/dashboard\/check$/)
      expect(await page.getByLabel('Identifier', { exact: true }).inputValue()).toBe('490154203237518')
      await page.context().close()
    })

    test('a pasted list is checked as a list, and a digit is checked while it is typed', async () => {
      const { page } = await signedIn('lists@example.test', 'owner')
      await page.goto(at('/dashboard/check'))
      const field = page.getByLabel('Identifier', { exact: true })
      expect(await field.evaluate((input) => input === document.activeElement)).toBe(true)
      await field.fill('49015420323751')
      await page.getByRole('button', { name: 'Complete it to 490154203237518' }).click()
      await page.getByText('The check digit fits').waitFor()
      await field.evaluate((input) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text', '100000010000015\n100000010000023\nx')
        input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      })
      await page.getByRole('button', { name: 'Check all' }).click()
      await page
        .getByRole('row', { name: /100000010000023/ })
        .getByText('critical')
        .waitFor()
      await page.context().close()
    })

    test('a page that cannot be loaded says so and leaves the rest standing', async () => {
      const { page } = await signedIn('renewed@example.test', 'member')
      const parts = /\/dashboard\/part-\w+\.js$/
      await page.route(parts, (route) => route.abort())
      await page.getByRole('link', { name: 'Members' }).click()
      await page.getByRole('alert').getByText('This page could not be shown').waitFor()
      await page.unroute(parts)
      await page.getByRole('button', { name: 'Load it again' }).click()
      await page.getByRole('heading', { name: 'Members' }).waitFor()
      await page.context().close()
    })

    test('signing out leaves nothing of one person for the next', async () => {
      const { page } = await signedIn('first@example.test', 'owner')
      await page.getByRole('link', { name: 'Members' }).click()
      await page.getByText('first@example.test').first().waitFor()
      await page.getByRole('button', { name: 'Sign out' }).click()
      const other = await newOrganization(program, 'Next in line')
      await joinByLink(page, await newLink(program, 'next@example.test', other, 'owner'), 'Next')
      await page.getByRole('link', { name: 'Members' }).click()
      await page.getByText('next@example.test').first().waitFor()
      expect(await page.content()).not.toContain('first@example.test')
      await page.context().close()
    })

    test('the first load is small and quick', async () => {
      const document = await (await fetch(at('/dashboard'))).text()
      const script = /src="([^"]+\.js)"/.exec(document)?.[1] ?? ''
      const packed = await fetch(at(script), { headers: { 'Accept-Encoding': 'br' }, decompress: false } as RequestInit)
      expect((await packed.arrayBuffer()).byteLength).toBeLessThan(150_000)
      const { page } = await newPage(browser, program.url)
      await page.goto(at('/dashboard/sign-in'))
      const started = performance.now()
      await page.goto(at('/dashboard/sign-in'))
      await page.getByLabel('Email').fill('x')
      expect(performance.now() - started).toBeLessThan(3_000)
      await page.context().close()
    })

    // Looks do not depend on the database; once is enough.
    if (store.name !== 'SQLite') return
    for (const [width, scheme, examined] of [
      [1360, 'light', true],
      [1360, 'dark', false],
      [390, 'light', false],
      [390, 'dark', true],
    ] as const) {
      test(`every page at ${width} in ${scheme}: nobody is shut out, nothing comes from elsewhere, nothing overflows`, async () => {
        const email = `look-${width}-${scheme}@example.test`
        const organizationId = await newOrganization(program, 'Demo shop')
        const key = (
          await runProgram(['key', 'create', '--org', organizationId, '--tier', 'enterprise'], program.environment)
        ).stdout
        for (const path of ['/api/devices', '/api/variants', '/api/nothing', '/api/repairs', '/api/devices?page=2']) {
          await fetch(at(path), { headers: { Authorization: `Bearer ${key.trim()}` } })
        }
        const { page, offences } = await newPage(browser, program.url, {
          viewport: { width, height: 844 },
          colorScheme: scheme,
        })
        const seen: Record<string, string[]> = {}
        const look = async (name: string) => {
          await page.waitForFunction(
            () =>
              !document.querySelector('.loading, .fading') &&
              [...document.images].every((image) => image.complete || image.loading === 'lazy'),
          )
          await keepScreenshot(page, `${name}-${width}-${scheme}`)
          // Both layouts and both sets of colours are examined once; the other two pairs are looked at.
          const problems = examined ? await seriousProblems(page) : []
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
          if (overflow > 0) problems.push(`overflows by ${overflow} px`)
          if (width < 400) problems.push(...(await sidewaysTables(page)))
          if (problems.length > 0) seen[name] = problems
        }
        await page.goto(await newLink(program, email, organizationId, 'owner'))
        await page.getByLabel('Your name').waitFor()
        await look('join')
        await joinByLink(page, page.url(), 'Ada Lovelace')
        for (const identifier of ['100000010000015', '100000010000205', '100000010000023']) {
          await page.goto(at('/dashboard/check'))
          await page.getByLabel('Identifier').fill(identifier)
          await page.getByRole('button', { name: 'Check' }).click()
          await page.getByText('Why this score').waitFor()
        }
        await look('lookup')
        for (const [name, path] of Object.entries(PAGES)) {
          await page.goto(at(path))
          await page.locator('h1').waitFor()
          await look(name)
        }
        await page.goto(at('/dashboard/keys'))
        await page.getByRole('button', { name: 'New key' }).click()
        await look('key-dialog')
        await page.context().clearCookies()
        await page.goto(at('/dashboard/sign-in'))
        await page.getByLabel('Email').waitFor()
        await look('sign-in')
        expect(seen).toEqual({})
        expect(offences).toEqual([])
        await page.context().close()
      })
    }
  })
})

/** On a phone a table becomes cards; none is to be pushed sideways. */
const sidewaysTables = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    for (const folded of document.querySelectorAll('details')) folded.open = true
    return [...document.querySelectorAll('.scroll')]
      .filter((around) => around.scrollWidth > around.clientWidth + 1)
      .map((around) => `${around.getAttribute('aria-label')} scrolls sideways`)
  })

const PAGES = {
  overview: '/dashboard',
  keys: '/dashboard/keys',
  usage: '/dashboard/usage',
  webhooks: '/dashboard/webhooks',
  devices: '/dashboard/devices',
  search: '/dashboard/devices?search=galaxy+s&make=Samsung',
  device: '/dashboard/devices/apple-iphone-13',
  repairs: '/dashboard/devices/apple-iphone-13/repairs',
  price: '/dashboard/devices/apple-iphone-13/price/apple-iphone-13-128gb-midnight',
  check: '/dashboard/check',
  lookups: '/dashboard/lookups',
  members: '/dashboard/members',
  activity: '/dashboard/activity',
  imports: '/dashboard/imports',
  account: '/dashboard/account',
  docs: '/dashboard/docs',
  missing: '/dashboard/nowhere',
  reference: '/docs',
} as const
