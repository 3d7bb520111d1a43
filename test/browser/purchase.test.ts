import { describe, expect } from 'bun:test'
import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { browserTest, hasChromium, PASSWORD, wrongIn } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'

/** With SCREENSHOTS=1 pictures of the pages are saved. */
async function picture(page: Page, name: string): Promise<void> {
  if (!process.env.SCREENSHOTS) return
  mkdirSync('/tmp/screenshots', { recursive: true })
  for (const [width, height] of [
    [390, 844],
    [820, 1180],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.screenshot({ path: `/tmp/screenshots/${name}-${width}.png`, fullPage: true })
  }
}

describe.if(hasChromium)('a purchase', () => {
  const dashboard = openDashboard('Purchasing shop')
  const { at } = dashboard
  const look = { viewport: { width: 1440, height: 900 } }
  const offer = (page: Page) => page.getByRole('complementary', { name: 'Offer' })

  /** The counter with a graded device. */
  async function open(page: Page, variant = 'apple-iphone-13-128gb-midnight'): Promise<void> {
    await page.goto(at(`/dashboard/counter?variant=${variant}&grade=Good`))
    await offer(page)
      .getByRole('button', { name: /^(?:Buy|Save)/ })
      .and(page.locator(':enabled'))
      .first()
      .waitFor()
  }
  const withoutPrinter = (page: Page) =>
    page.addInitScript(() => {
      window.print = () => window.dispatchEvent(new Event('afterprint'))
    })

  browserTest('of several devices of one seller is one purchase with one total', async () => {
    const organizationId = await dashboard.newOrganization('Several devices')
    const { page } = await dashboard.signedIn({ email: 'several@example.test', role: 'manager', organizationId, look })
    await withoutPrinter(page)
    for (let count = 1; count <= 2; count++) {
      await open(page)
      await offer(page).getByRole('button', { name: 'Another device from this seller' }).click()
      await page
        .getByRole('heading', { name: count === 1 ? 'This seller: 1 device' : 'This seller: 2 devices' })
        .waitFor()
      expect(page.url()).toEndWith('/dashboard/counter')
    }
    await picture(page, 'cart')
    // A reload loses nothing.
    await open(page)
    await page.getByRole('heading', { name: 'This seller: 2 devices' }).waitFor()
    await picture(page, 'offer-with-cart')
    await offer(page)
      .getByRole('button', { name: /^Buy 3 devices · / })
      .click()
    await page.waitForURL(/\/dashboard\/(?:purchases\/P-|counter$)/)
    await page.waitForURL(/\/dashboard\/counter$/)
    expect(await page.getByRole('heading', { name: /^This seller/ }).count()).toBe(0)
    const purchases = await page.evaluate(async () =>
      (await fetch('/api/purchases', { headers: { 'X-Requested-With': 'dashboard' } })).json(),
    )
    expect(purchases.data).toHaveLength(1)
    const [{ purchase_id: id, lines, total }] = purchases.data
    expect(lines).toHaveLength(3)
    expect(total).toBe(lines.reduce((sum: number, line: { price: number }) => sum + line.price, 0))
    await page.goto(at(`/dashboard/purchases/${id}`))
    await page.getByRole('heading', { name: `Purchase ${id}`, level: 1 }).waitFor()
    expect(await page.locator('.sheet').count()).toBe(2)
    await picture(page, 'purchase')
    expect(await wrongIn(page, 'purchase', 'phone', 'light')).toEqual([])
    expect(await wrongIn(page, 'purchase', 'desk', 'dark')).toEqual([])
  })

  browserTest('above the maximum is refused to a clerk, and made with the credentials of a manager', async () => {
    const organizationId = await dashboard.newOrganization('Overpaying')
    const manager = 'approver@example.test'
    await dashboard.signedIn({ email: manager, role: 'manager', organizationId, look })
    const { page } = await dashboard.signedIn({ email: 'till@example.test', role: 'clerk', organizationId, look })
    await withoutPrinter(page)
    await open(page)
    await page.getByLabel(/^Agreed price/).fill('250')
    await offer(page).getByRole('button', { name: 'Buy and print' }).click()
    const asked = page.getByRole('dialog')
    const confirm = asked.getByRole('button', { name: 'Buy anyway' })
    const approve = asked.getByRole('heading', { name: 'Approve as a manager' })
    await confirm.or(approve).first().waitFor()
    if (await confirm.isVisible()) await confirm.click()
    await approve.waitFor()
    await picture(page, 'approval')
    await asked.getByLabel('Manager’s email').fill(manager)
    await asked.getByLabel('Manager’s password').fill('not the password')
    await asked.getByRole('button', { name: 'Approve' }).click()
    await asked.getByRole('alert').waitFor()
    await asked.getByLabel('Manager’s password').fill(PASSWORD)
    await asked.getByRole('button', { name: 'Approve' }).click()
    await page.waitForURL(/\/dashboard\/counter$/)
    const { data } = await page.evaluate(async () =>
      (await fetch('/api/stock', { headers: { 'X-Requested-With': 'dashboard' } })).json(),
    )
    expect(data.map(({ bought }: { bought: { price: number } }) => bought.price)).toEqual([25_000])
  })

  browserTest('of a device that comes in several sizes waits for its size', async () => {
    const organizationId = await dashboard.newOrganization('Sizes')
    const { page } = await dashboard.signedIn({ email: 'sizes@example.test', role: 'manager', organizationId, look })
    await withoutPrinter(page)
    await page.goto(at('/dashboard/counter?device=apple-iphone-13&grade=Good'))
    const buy = offer(page).getByRole('button', { name: 'Buy and print' })
    await buy.waitFor()
    expect(await buy.isDisabled()).toBe(true)
    await offer(page).getByText('Choose the storage to buy the device.').waitFor()
    await picture(page, 'storage-needed')
    await page.getByRole('button', { name: '256GB', exact: true }).click()
    await buy.and(page.locator(':enabled')).click()
    await page.waitForURL(/\/dashboard\/counter$/)
    const { data } = await page.evaluate(async () =>
      (await fetch('/api/stock', { headers: { 'X-Requested-With': 'dashboard' } })).json(),
    )
    expect(data.map(({ device_name: name }: { device_name: string }) => name)).toEqual(['iPhone 13 256GB'])
  })
})
