import { afterAll, beforeAll, describe, expect } from 'bun:test'
import { authStore } from '../../src/auth/auth-store.ts'
import { openDatabase } from '../../src/db/database.ts'
import { browserTest, hasChromium, joinByLink, newPage as openPage, PASSWORD } from '../support/browser.ts'
import { openDashboard, START_LIMIT_MS } from '../support/dashboard.ts'
import { type Issuer, startIssuer } from '../support/issuer.ts'
import { freePort } from '../support/postgres.ts'
import { filledDataDir, type RunningProgram, startProgram } from '../support/program.ts'
import { OPERATOR } from '../support/service.ts'

describe.if(hasChromium)('signing in with a real browser', () => {
  const { at, newOrganization, newPage, newPerson, signedIn } = openDashboard('Signing in')

  browserTest('a page of another origin can change nothing, and our pages cannot be framed', async () => {
    const { page } = await signedIn({ email: 'target@example.test' })
    const evil = Bun.serve({
      port: 0,
      // Another port of the same host is the same site: the browser sends the cookie, so the service must check the origin.
      hostname: 'localhost',
      fetch: () =>
        new Response(
          `<iframe src="${at('/dashboard')}"></iframe><form method="post" enctype="text/plain" action="${at('/api/manage/keys')}"><input name='{"name":"evil","tier":"public","expires_on":null,"x":"' value='"}'></form>`,
          { headers: { 'Content-Type': 'text/html' } },
        ),
    })
    await page.goto(evil.url.href)
    expect(page.frames().some((frame) => frame !== page.mainFrame() && frame.url().startsWith(at('')))).toBe(false)
    const keysResponse = page.waitForResponse((response) => response.url().endsWith('/api/manage/keys'))
    await page.evaluate(() => document.forms[0]?.submit())
    expect((await keysResponse).status()).toBe(401)
    await page.waitForURL(at('/api/manage/keys'))
    await page.goto(evil.url.href)
    await page.evaluate(async (address) => {
      const body = JSON.stringify({ name: 'evil', tier: 'public', expires_on: null })
      await fetch(address, { method: 'POST', mode: 'no-cors', credentials: 'include', body }).catch(() => {})
    }, at('/api/manage/keys'))
    await page.goto(at('/dashboard/keys'))
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    expect(await page.getByText('evil').count()).toBe(0)
    evil.stop(true)
  })

  browserTest('signing in sets a new cookie that scripts cannot read', async () => {
    const { page } = await signedIn({ email: 'fixed@example.test', role: 'manager' })
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
  })

  browserTest('repeated wrong passwords are throttled with a message', async () => {
    const { page } = await newPage()
    await page.goto(at('/dashboard/sign-in'))
    for (let attempt = 0; attempt < 6; attempt++) {
      await page.getByLabel('Email').fill('guessed@example.test')
      await page.getByLabel('Password').fill(`wrong ${attempt}`)
      const responded = page.waitForResponse((response) => response.url().endsWith('/account/sign-in'))
      await page.getByRole('button', { name: 'Sign in' }).click()
      expect((await responded).status()).toBe(attempt < 5 ? 401 : 429)
      await page.getByRole('button', { name: 'Sign in' }).and(page.locator(':enabled')).waitFor()
    }
    await page.getByRole('alert').getByText('Too many attempts').waitFor()
  })

  browserTest('signing out leaves no data for the next person', async () => {
    const { page } = await signedIn({ email: 'first@example.test' })
    await page.goto(at('/dashboard'))
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Team' }).click()
    await page.getByText('first@example.test').first().waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    const other = await newOrganization('Next in line')
    await joinByLink(page, await newPerson({ email: 'next@example.test', organizationId: other }), 'Next')
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Team' }).click()
    await page.getByText('next@example.test').first().waitFor()
    expect(await page.content()).not.toContain('first@example.test')
  })

  browserTest('the first page load is small', async () => {
    const document = await (await fetch(at('/dashboard'))).text()
    const script = /src="([^"]+\.js)"/.exec(document)?.[1] ?? ''
    const packed = await fetch(at(script), { headers: { 'Accept-Encoding': 'br' }, decompress: false } as RequestInit)
    expect((await packed.arrayBuffer()).byteLength).toBeLessThan(150_000)
    const { page } = await newPage()
    await page.goto(at('/dashboard/sign-in'))
    await page.getByLabel('Email').fill('x')
  })

  browserTest('a page that fails to load shows an error, and the rest keeps working', async () => {
    const { page } = await signedIn({ email: 'renewed@example.test', role: 'manager' })
    await page.goto(at('/dashboard'))
    const parts = /\/dashboard\/part-\w+\.js$/
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Team' }).waitFor()
    await page.route(parts, (route) => route.abort())
    await page.getByRole('link', { name: 'Team' }).click()
    await page.getByRole('alert').getByText('This page could not be loaded').waitFor()
    await page.unroute(parts)
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('heading', { name: 'Team' }).waitFor()
  })
})

describe.if(hasChromium)('signing in with an issuer', () => {
  let program: RunningProgram
  let issuer: Issuer
  beforeAll(async () => {
    const dataDir = filledDataDir('small')
    const db = await openDatabase({ url: '', dataDir })
    const { id } = await authStore(db).createOrganization('Single sign-on', OPERATOR, Date.now())
    await db.close()
    const [port, issuerPort] = [await freePort(), await freePort()]
    const url = `http://localhost:${port}`
    issuer = await startIssuer(
      issuerPort,
      { redirectUri: `${url}/account/oidc/callback`, signedOutUri: `${url}/dashboard/sign-in` },
      { ada: { email: 'ada@shop.example', email_verified: true, name: 'Ada' } },
    )
    program = await startProgram({
      DATA_DIR: dataDir,
      PORT: String(port),
      BASE_URL: url,
      LOG_LEVEL: 'warn',
      OIDC_ISSUER: issuer.url,
      OIDC_CLIENT_ID: 'devices',
      OIDC_CLIENT_SECRET: 'test-secret',
      OIDC_DOMAINS: `shop.example=${id}`,
    })
  }, START_LIMIT_MS)
  afterAll(async () => {
    await program?.stop()
    await issuer?.stop()
  }, START_LIMIT_MS)

  browserTest('again after the session ended opens a window, and what was typed stays', async () => {
    const at = (path: string) => `${program.environment.BASE_URL}${path}`
    const { page } = await openPage(at(''))
    await page.goto(at('/account/oidc/start'))
    await page.locator('input[name=login]').fill('ada')
    await page.locator('input[name=password]').fill('any')
    await page.getByRole('button').first().click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    await page.goto(at('/dashboard/counter?variant=apple-iphone-12-64gb-black&grade=Good'))
    const reference = page.getByLabel('Your reference')
    await reference.fill('Counter 2')
    await page.evaluate(() => Object.assign(window, { isStillThere: true }))
    await page.context().clearCookies({ name: 'di_session' })
    await page.getByRole('button', { name: 'Save', exact: true }).and(page.locator(':enabled')).click()
    const dialog = page.getByRole('dialog', { name: 'Sign in' })
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      dialog.getByRole('button', { name: /^Sign in with/ }).click(),
    ])
    await dialog.waitFor({ state: 'detached' })
    expect(await reference.inputValue()).toBe('Counter 2')
    expect(await page.evaluate(() => 'isStillThere' in window)).toBe(true)
    if (!popup.isClosed()) await popup.waitForEvent('close')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL(/\/dashboard\/appraisals\//)
  })
})
