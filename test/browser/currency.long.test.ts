import { beforeAll, describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { authStore } from '../../src/auth/auth-store.ts'
import { DAY_MS, dayOf } from '../../src/lib/time.ts'
import { browserTest, follow, hasChromium, looksWrong, type View, WIDTHS } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { OPERATOR } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

/** Ads in the export format of a Croatian site: day-first dates, amounts with a currency sign, conditions in Croatian. */
const day = dayOf(Date.now() - 3 * DAY_MS).split('-')
const published = `${day[2]}.${day[1]}.${day[0]}.`
const ADS = [
  'ad_id;ad_title;condition;price;date_of_publishing;side',
  ...Array.from({ length: 12 }, (_, i) => `${i};iPhone 13 128GB;rabljeno;${330 + 5 * i} €;${published};ask`),
  `90;Samsung Galaxy S22 Ultra 512GB;kao novo;"1.050,00 €";${published};ask`,
].join('\n')

describe.if(hasChromium)('a shop in Croatia', () => {
  const { at, db, organizationId, signedIn } = openDashboard('Trgovina', {})
  beforeAll(() => authStore(db()).setOperatorOrganization(organizationId(), OPERATOR, Date.now()))
  const look = (view: View) => ({ viewport: { width: WIDTHS[view], height: 900 }, locale: 'hr-HR' })

  /** Amounts are loaded after the page itself. */
  const amounts = (page: Page) => page.getByText(/€\d/).first().waitFor()
  async function showsEurosOnly(page: Page, name: string) {
    let text = ''
    const hasEuros = async () => {
      text = await page.locator('main').innerText()
      return text.includes('€')
    }
    await waitUntil(hasEuros, { describe: `euros on the page ${name}` })
    expect(text, name).not.toMatch(/\$|USD|US dollar/)
  }

  browserTest('sets its market, imports its file and sees euros everywhere', async () => {
    const watched = await signedIn({ email: 'vlasnica@example.test', look: look('desk') })
    const { page } = watched
    await page.goto(at('/dashboard/settings'))
    await page.getByLabel('Market').selectOption('Croatia')
    expect(await page.getByLabel('Currency').inputValue()).toBe('EUR')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Buying policy converted' }).waitFor()
    expect(await page.locator('.plain-list').innerText()).toMatch(/Minimum profit\s+\$15\s→\s€\d+/)
    expect(await looksWrong(page, 'settings-converted', 'desk')).toEqual([])

    await page.goto(at('/dashboard/imports'))
    await page
      .getByLabel(/Drop a file here/)
      .setInputFiles({ name: 'oglasi.csv', mimeType: 'text/csv', buffer: Buffer.from(ADS) })
    await page.getByRole('heading', { name: 'What are these prices?' }).waitFor()
    expect(await page.getByLabel('Market').locator('option:checked').textContent()).toBe('Croatia')
    await page.getByRole('button', { name: /^Import 13 rows/ }).waitFor()
    await page.getByText('Amounts in EUR.').waitFor()
    await amounts(page)
    expect(await looksWrong(page, 'imports-euro', 'desk')).toEqual([])
    // The first import of a shop changes prices by much, which requires a confirmation.
    await page.getByRole('checkbox', { name: 'The price changes are right.' }).check()
    await page.getByRole('button', { name: /^Import 13 rows/ }).click()
    await page.getByText('Imported. Prices are up to date.').waitFor()

    await page.goto(at('/dashboard/devices/apple-iphone-13'))
    await page.getByText('based on observed prices of this variant').waitFor()
    await showsEurosOnly(page, 'device')
    expect(watched.offences).toEqual([])
  })

  for (const view of ['desk', 'phone'] as const) {
    browserTest(`sees euros on every page with amounts at ${WIDTHS[view]}`, async () => {
      const watched = await signedIn({ email: `prodavac-${view}@example.test`, look: look(view) })
      const { page } = watched
      await page.goto(at('/dashboard'))
      for (const [name, path] of [
        ['settings', '/dashboard/settings'],
        ['devices', '/dashboard/devices'],
        ['price', '/dashboard/devices/apple-iphone-13/price/apple-iphone-13-128gb-midnight'],
        ['repairs', '/dashboard/devices/apple-iphone-13/repairs'],
        ['counter', '/dashboard/counter?variant=apple-iphone-13-128gb-midnight'],
        ['policy', '/dashboard/policy'],
      ] as const) {
        await follow(page, at(path))
        if (name === 'settings') await page.getByLabel('Currency').waitFor()
        else if (name === 'policy') {
          await page.locator('summary', { hasText: 'Details' }).click()
          await page.getByText('Amounts are in EUR.').waitFor()
        } else await amounts(page)
        if (name !== 'settings' && name !== 'policy') await showsEurosOnly(page, name)
        // Other tests cover the other pages.
        if (name === 'settings' || name === 'price') expect(await looksWrong(page, `${name}-euro`, view)).toEqual([])
        expect(watched.offences, name).toEqual([])
      }
    })
  }
})
