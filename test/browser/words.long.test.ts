import { beforeAll, describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { operatorStore } from '../../src/auth/operator-store.ts'
import { browserTest, follow, hasChromium, seriousProblems } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { englishTexts } from '../support/english-texts.ts'
import { OPERATOR } from '../support/service.ts'

const PRICES = [
  'title,side,condition,price,currency,date',
  'Apple iPhone 13 128GB,sold,good,310,USD,2026-05-01',
  'Apple iPhone 13 128GB,given,good,310,USD,2026-05-01',
  'iPhone 13 Ultra 128GB,sold,good,310,USD,2026-05-01',
  'Apple iPhone 13 128GB,sold,shiny,310,USD,2026-05-01',
  'Apple iPhone 13 128GB,sold,good,lots,USD,someday',
  'Case for iPhone 13,sold,good,31,USD,2026-05-01',
].join('\n')

/** The pages that say most of what the service writes. */
const MAIN_PAGES = [
  ...['/counter?variant=apple-iphone-13-128gb-midnight&grade=Good', '/devices/apple-iphone-13', '/imports', '/service'],
  ...['/devices/apple-iphone-13/repairs'],
]

/** Every page of the dashboard. */
const PAGES = [
  ...['', '/counter', '/stock', '/appraisals', '/reports'],
  ...['/check', '/lookups', '/learned-tacs', '/devices'],
  ...[
    '/devices/apple-iphone-13/price/apple-iphone-13-128gb-midnight',
    '/settings',
    '/account',
    '/members',
    '/policy',
    '/price-rules',
  ],
  ...['/receipt', '/phone', '/keys', '/usage', '/webhooks', '/activity', '/list', '/nowhere'],
]

describe.if(hasChromium)('pages in other languages', () => {
  const dashboard = openDashboard('Sprachladen', { WEBHOOK_ALLOW_PRIVATE: 'on' }, 'full')
  const { at } = dashboard
  beforeAll(() =>
    operatorStore(dashboard.db()).setOperatorOrganization(dashboard.organizationId(), OPERATOR, Date.now()),
  )

  const call = async (page: Page, method: string, path: string, data?: object) => {
    const headers = { Origin: at(''), 'X-Requested-With': 'dashboard' }
    const response = await page.context().request.fetch(at(path), { method, headers, ...(data ? { data } : {}) })
    const text = await response.text()
    if (!response.ok()) throw new Error(`${path}: ${text}`)
    return JSON.parse(text).data
  }

  async function until<Value>(read: () => Promise<Value>, isDone: (value: Value) => boolean): Promise<Value> {
    for (;;) {
      const value = await read()
      if (isDone(value)) return value
      await Bun.sleep(100)
    }
  }

  /** A price list with rejected rows, whose check ended. */
  async function uploadPrices(page: Page): Promise<void> {
    const file = Buffer.from(PRICES)
    const upload = await call(page, 'POST', '/api/manage/uploads', {
      ...{ format: 'observations', file: 'ads.csv', bytes: file.length },
    })
    const path = `/api/manage/uploads/${upload.id}`
    await call(page, 'POST', `${path}/parts`, { at: 0, content: file.toString('base64') })
    await call(page, 'PATCH', path, { action: 'check', options: {} })
    await until(
      () => call(page, 'GET', path),
      ({ state }) => state === 'checked',
    )
  }

  /** A feed that cannot be fetched. */
  async function failFeed(page: Page): Promise<void> {
    const feed = { format: 'observations', url: 'http://127.0.0.1:1/prices.csv', schedule: '0 3 * * *' }
    await call(page, 'PUT', '/api/manage/service/feeds/market', feed)
    await call(page, 'POST', '/api/manage/service/feeds/market/run', {})
    await until(
      () => call(page, 'GET', '/api/manage/feeds'),
      (feeds) => feeds.some(({ outcome }: { outcome: string | null }) => outcome === 'failed'),
    )
  }

  browserTest('English texts are found', async () => {
    const { page } = await dashboard.signedIn({ email: 'words-en@example.test', look: { locale: 'en-US' } })
    await page.goto(at('/dashboard/settings'))
    await page.locator('main h1').waitFor()
    expect((await englishTexts(page, 'de')).length).toBeGreaterThan(5)
  })

  for (const [language, locale, pages] of [
    ['de', 'de-DE', [...MAIN_PAGES, ...PAGES]],
    ['ko', 'ko-KR', MAIN_PAGES],
  ] as const) {
    browserTest(`no page is partly English in ${language}`, async () => {
      const look = { locale, viewport: { width: 1440, height: 900 } }
      const { page } = await dashboard.signedIn({ email: `words-${language}@example.test`, look })
      await page.goto(at('/dashboard'))
      await failFeed(page)
      await uploadPrices(page)
      const found: string[] = []
      const read = async (shown: Page, name: string) => {
        await shown.locator('main h1, main h2').first().waitFor()
        await shown.waitForFunction(() => !document.querySelector('main [aria-busy="true"], main .loading'))
        found.push(...(await englishTexts(shown, language)).map((text) => `${name}: ${text}`))
      }
      for (const path of pages) {
        await follow(page, at(`/dashboard${path}`))
        await read(page, path)
      }
      await follow(page, at('/dashboard/imports'))
      await page.locator('.upload-reasons').waitFor()
      await read(page, 'rejected rows')
      expect(await seriousProblems(page)).toEqual([])

      const clerk = await dashboard.signedIn({ email: `clerk-${language}@example.test`, role: 'clerk', look })
      await clerk.page.goto(at('/dashboard'))
      for (const path of ['/policy', '/members', '/imports', '/reports']) {
        await follow(clerk.page, at(`/dashboard${path}`))
        await read(clerk.page, `${path} as a clerk`)
      }
      expect([...new Set(found)]).toEqual([])
    })
  }
})
