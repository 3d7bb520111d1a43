import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { browserTest, hasChromium, keepScreenshot, newPage, seriousProblems, wrongIn } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { waitUntil } from '../support/wait.ts'

const PHONE = { viewport: { width: 390, height: 844 } } as const

describe.if(hasChromium)('the trade-in page', () => {
  const dashboard = openDashboard('Corner Shop', { TRUST_PROXY: 'off' })
  const SLUG = 'corner-shop'

  async function switchOn(domains: readonly string[] = []) {
    const key = { tier: 'enterprise', name: 'Owner', expiresAt: null, rights: ['manage'] } as const
    const { authStore } = await import('../../src/auth/auth-store.ts')
    const { OPERATOR } = await import('../support/service.ts')
    const store = authStore(dashboard.db())
    const { secret } = await store.createKey(dashboard.organizationId(), key, OPERATOR, Date.now())
    const response = await fetch(dashboard.at('/api/manage/settings'), {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ trade_in: { enabled: true, slug: SLUG, max_price: 10_000_000, domains } }),
    })
    expect(response.status).toBe(200)
  }

  /** From the price to the number; a form that was filled in too fast is sent again. */
  async function keep(page: Page, contact: string): Promise<string> {
    await page.locator('#name').fill('Ada')
    await page.locator('#contact').fill(contact)
    await waitUntil(
      async () => {
        if (page.url().includes('/q/')) return true
        await page.locator('input[name=consent]').check()
        await page.locator('form[action$="/keep"] button').click()
        return page.url().includes('/q/')
      },
      { describe: 'the page with the number', everyMs: 500 },
    )
    return (await page.locator('.number').textContent()) ?? ''
  }

  const answer = async (page: Page) => {
    await page.locator('label.choice', { hasText: '128GB' }).click()
    for (const topic of ['power', 'screen', 'body', 'works', 'account'])
      await page.locator(`input[name=q_${topic}][value=yes]`).check()
    await page.locator('input[name=condition][value=Good]').check()
    await page.locator('main form button').click()
  }

  browserTest('leads to a number on a phone, in German and without JavaScript', async () => {
    await switchOn()
    const { page, offences } = await dashboard.newPage({ ...PHONE, locale: 'de-DE', javaScriptEnabled: false })
    await page.goto(dashboard.at(`/sell/${SLUG}`))
    await page.getByRole('heading', { name: 'Gerät verkaufen' }).waitFor()
    await page.locator('#q').fill('iphnoe 13')
    await page.getByRole('button', { name: 'Suchen' }).click()
    await page.locator('#devices a[href*="d=apple-iphone-13&"]').click()
    await answer(page)
    await page.getByText('So viel zahlen wir bis').waitFor()
    await keepScreenshot(page, 'trade-in-price')
    expect(await keep(page, 'ada@example.com')).toMatch(/^Q-/)
    await page.getByRole('button', { name: 'Angebot stornieren' }).click()
    await page.getByText('Dieses Angebot ist storniert.').waitFor()
    expect(offences).toEqual([])
  })

  browserTest('leads to a quote that the counter opens, in English', async () => {
    await switchOn()
    const { page, offences } = await dashboard.newPage({ ...PHONE, locale: 'en-GB' })
    await page.goto(dashboard.at(`/sell/${SLUG}`))
    expect(await seriousProblems(page)).toEqual([])
    await page.locator('#q').pressSequentially('iphone 13')
    await page.locator('#devices a[href*="d=apple-iphone-13&"]').click()
    expect(await seriousProblems(page)).toEqual([])
    await answer(page)
    await page.getByText('We pay this until').waitFor()
    expect(await seriousProblems(page)).toEqual([])
    const number = await keep(page, 'bea@example.com')
    expect(await seriousProblems(page)).toEqual([])
    expect(offences).toEqual([])

    const counter = await dashboard.signedIn({ email: 'clerk@corner.example', role: 'clerk' })
    await counter.page.goto(dashboard.at('/dashboard/counter'))
    await counter.page.locator('.question input').fill(number.toLowerCase())
    await counter.page.keyboard.press('Enter')
    await counter.page.getByText(`Quote ${number}`).waitFor()
    await counter.page.getByText('The customer said').waitFor()
    await counter.page.locator('input[name=grade][value=Good]').check()
    await counter.page.getByText('As described').waitFor()
    // The purchase ends the quote, and the report counts it.
    await counter.page.getByRole('button', { name: 'Buy and print' }).click()
    await counter.page.getByRole('button', { name: 'Print' }).waitFor()
    const owner = await dashboard.signedIn({ email: 'owner@corner.example' })
    await owner.page.goto(dashboard.at('/dashboard/trade-in'))
    await owner.page
      .getByRole('row', { name: new RegExp(number) })
      .getByText('bought', { exact: false })
      .waitFor()
    await owner.page.getByText('The last 30 days').waitFor()
    expect(await wrongIn(owner.page, 'trade-in-settings', 'phone', 'dark')).toEqual([])
    expect([...counter.offences, ...owner.offences]).toEqual([])
  })

  browserTest('is shown in the website of the shop, as high as its content', async () => {
    const website = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () =>
        new Response(
          `<!doctype html><title>Shop</title><h1>Our shop</h1><script src="${dashboard.at(`/sell/${SLUG}/embed.js`)}"></script>`,
          { headers: { 'Content-Type': 'text/html' } },
        ),
    })
    try {
      const origin = `http://127.0.0.1:${website.port}`
      await switchOn([origin])
      const { page } = await newPage(origin, PHONE)
      await page.goto(origin)
      const frame = page.frameLocator('iframe')
      await frame.locator('#q').waitFor()
      await waitUntil(
        async () => {
          const own = await page.locator('iframe').evaluate((element) => element.clientHeight)
          const inside = await frame.locator('html').evaluate((element) => (element as HTMLElement).offsetHeight)
          return own >= inside && own !== 700
        },
        { describe: 'a frame as high as the page' },
      )
    } finally {
      website.stop(true)
    }
  })
})
