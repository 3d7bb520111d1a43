import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { browserTest, hasChromium, wrongIn } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'

const CLEAN = '100000010000015'

describe.if(hasChromium)('a day in the shop', () => {
  const dashboard = openDashboard('Corner shop')
  const { at } = dashboard
  const box = (page: Page) => page.getByRole('combobox', { name: 'Find a device' })
  const offer = (page: Page) => page.getByRole('complementary', { name: 'Offer' })

  /** Scans the phone, says what it is, and chooses its grade with a key. */
  async function scan(page: Page): Promise<void> {
    await box(page).fill(CLEAN)
    await box(page).press('Enter')
    await page.waitForURL(/counter\?lookup=lkp_/)
    await box(page).fill('iphone 13 128gb midnight')
    await page
      .getByRole('option', { name: /iPhone 13 128GB Midnight/ })
      .first()
      .click()
    await page.getByRole('heading', { name: /iPhone 13 128GB Midnight/, level: 1 }).waitFor()
    await page.locator('h1').click()
    await page.keyboard.press('2')
    await page.getByRole('radio', { name: /Good/ }).and(page.locator(':checked')).waitFor()
  }

  browserTest('one key buys and prints, and the same phone is recognised by the next employee', async () => {
    const { page, offences } = await dashboard.signedIn({ email: 'anna@example.test', role: 'manager' })
    await page.addInitScript(() => {
      // The dialog of the printer is not part of the page: printing ends at once.
      window.print = () => {
        document.documentElement.dataset.printed = document.querySelector('.sheet')?.textContent ?? ''
        window.dispatchEvent(new Event('afterprint'))
      }
    })
    await page.goto(at('/dashboard/counter'))
    await scan(page)
    await offer(page).getByRole('button', { name: 'Show to customer' }).click()
    const customer = page.getByRole('dialog')
    await customer.getByText('Our offer').waitFor()
    expect(await customer.textContent()).not.toMatch(/risk|margin|resale|profit|maximum/i)
    expect(await wrongIn(page, 'customer-view', 'phone', 'light')).toEqual([])
    await page.keyboard.press('Escape')
    await offer(page).getByRole('button', { name: 'Buy and print' }).and(page.locator(':enabled')).waitFor()
    await page.keyboard.press('Control+Enter')
    await page.waitForURL(/\/dashboard\/counter$/)
    await page.waitForFunction(() => document.documentElement.dataset.printed?.includes('iPhone 13'))
    await box(page).and(page.locator(':focus')).waitFor()

    await page.goto(at('/dashboard/stock'))
    const item = page.getByRole('row', { name: /iPhone 13 128GB Midnight/ })
    await item.getByText('anna@example.test').waitFor()
    await item.getByRole('button', { name: 'Change' }).click()
    await page.getByLabel('Asking price in USD').fill('219')
    await page.getByLabel('Location').fill('Shelf 3')
    await page.getByRole('button', { name: 'Save' }).click()
    await item.getByText('Shelf 3').waitFor()
    await item.getByText('$219').waitFor()
    for (const view of ['phone', 'desk'] as const) expect(await wrongIn(page, 'stock', view, 'light')).toEqual([])

    const bob = await dashboard.signedIn({ email: 'bob@example.test', role: 'clerk' })
    await bob.page.goto(at('/dashboard/counter'))
    await scan(bob.page)
    await bob.page
      .getByText(/In your stock since .* bought by anna@example\.test for/)
      .first()
      .waitFor()
    expect(await offer(bob.page).getByRole('button', { name: 'Buy and print' }).count()).toBe(0)
    expect(await wrongIn(bob.page, 'known-device', 'phone', 'dark')).toEqual([])
    expect(await wrongIn(bob.page, 'known-device', 'desk', 'light')).toEqual([])
    expect([...offences, ...bob.offences]).toEqual([])
  })
})
