import { afterAll, beforeAll, describe, expect } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { browserTest, hasChromium, keepScreenshot, newPage, PASSWORD, seriousProblems } from '../support/browser.ts'
import { START_LIMIT_MS } from '../support/dashboard.ts'
import { CLIENT, listingsOf, startMarketplace } from '../support/marketplace.ts'
import { filledDataDir, type RunningProgram, startProgram } from '../support/program.ts'

const UNUSABLE = { itemId: 'v1|case|0', title: 'Apple iPhone 13 case', price: '9.00' }

describe.if(hasChromium)('from set-up to an offer on the prices of a marketplace', () => {
  const market = startMarketplace([...listingsOf('Apple iPhone 13 128GB Midnight Unlocked', 30, 29_000), UNUSABLE])
  let program: RunningProgram
  beforeAll(async () => {
    program = await startProgram({ DATA_DIR: filledDataDir('small'), LOG_LEVEL: 'warn' })
  }, START_LIMIT_MS)
  afterAll(async () => {
    await program?.stop()
    market.stop()
  }, START_LIMIT_MS)

  async function openOffer(page: Page): Promise<void> {
    await page.goto(`${program.url}/dashboard/counter`)
    await page.getByRole('combobox', { name: 'Find a device' }).fill('iphone 13 128gb midnight')
    await page
      .getByRole('option', { name: /iPhone 13 128GB Midnight/ })
      .first()
      .click()
    await page.getByRole('heading', { name: /iPhone 13 128GB Midnight/, level: 1 }).waitFor()
    await page.getByRole('radio', { name: /Good/ }).first().check()
  }

  browserTest(
    'a marketplace is connected from the hint at the counter, tested, and gives the prices of the offer',
    async () => {
      const { page, offences } = await newPage(program.url)
      await page.goto(`${program.url}/dashboard`)
      await page.getByLabel('Setup code').fill(readFileSync(`${program.dataDir}/setup-code.txt`, 'utf8').trim())
      await page.getByLabel('Organization').fill('Corner repairs')
      await page.getByLabel('Your name').fill('Ada')
      await page.getByLabel('Email').fill('ada@shop.example')
      await page.getByLabel('Password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Set up and sign in' }).click()
      await page.getByRole('heading', { name: 'Appraise a device' }).waitFor()

      // The device that was appraised is asked about first.
      await openOffer(page)
      const offer = page.getByRole('complementary', { name: 'Offer' })
      await offer.getByRole('button', { name: 'Save', exact: true }).click()
      await page.waitForURL(/appraisals\/apr_/)
      await openOffer(page)
      await offer.getByText('Prices: sample.').waitFor()
      await keepScreenshot(page, 'marketplace-hint')
      await offer.getByRole('link', { name: 'Connect a marketplace' }).click()

      await page.getByText('No marketplace connected').waitFor()
      await page.getByRole('button', { name: 'Connect marketplace' }).click()
      const dialog = page.getByRole('dialog')
      expect(await dialog.getByLabel('Marketplace').inputValue()).toBe('US')
      await dialog.getByLabel('Marketplace').selectOption('US')
      await dialog.getByLabel('Client ID').fill(CLIENT.id)
      await dialog.getByLabel('Client secret').fill('a wrong one')
      await dialog.getByText('Budget and address').click()
      await dialog.getByLabel('Requests per day').fill('20')
      await dialog.getByLabel('Address').fill(market.url)
      await dialog.getByRole('button', { name: 'Test' }).click()
      await dialog.getByText('rejected the client id or the client secret').waitFor()
      await dialog.getByLabel('Client secret').fill(CLIENT.secret)
      await dialog.getByRole('button', { name: 'Test' }).click()
      await dialog.getByText('Results: 30. Usable among the first 20: 20.').waitFor()
      await dialog.getByText('Apple iPhone 13 128GB · Used').first().waitFor()
      await dialog.getByLabel('Device').fill('iPhone 13 case')
      await dialog.getByRole('button', { name: 'Test' }).click()
      await dialog.getByText('Left out: an accessory, not a device').waitFor()
      for (const width of [390, 1440]) {
        await page.setViewportSize({ width, height: 900 })
        expect(await dialog.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
        await keepScreenshot(page, `marketplace-dialog-${width}`)
      }
      expect(await seriousProblems(page)).toEqual([])
      await dialog.getByRole('button', { name: 'Connect and fetch prices' }).click()

      const row = page.getByRole('row', { name: /eBay United States/ })
      await row.getByText('Running').waitFor()
      await row.getByText('Imported').waitFor({ timeout: 150_000 })
      await row.getByText(/listings of 20 devices/).waitFor()
      await row.getByText('20 of 20').waitFor()
      await page.getByText('Sellers, pictures and links are never stored.').waitFor()
      expect(await seriousProblems(page)).toEqual([])
      for (const width of [1440, 820, 390]) {
        await page.setViewportSize({ width, height: 900 })
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
        await row.scrollIntoViewIfNeeded()
        await keepScreenshot(page, `marketplaces-${width}`)
      }
      await page.setViewportSize({ width: 1440, height: 900 })

      await openOffer(page)
      await offer.getByText(/\$\d/).first().waitFor()
      expect(await offer.getByText('Prices: sample.').count()).toBe(0)
      // It stays for two seconds on a page that had sample data when it was last seen.
      await page.getByText('Sample data').waitFor({ state: 'detached' })
      await keepScreenshot(page, 'marketplace-offer')
      expect(offences).toEqual([])
    },
  )
})
