import { beforeAll, describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { policyStore } from '../../src/appraisal/policy-store.ts'
import {
  browserTest,
  follow,
  hasChromium,
  hasCount,
  hasValue,
  keepScreenshot,
  looksWrong,
  WIDTHS,
} from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { bundledExchange } from '../support/ecb.ts'
import { OPERATOR } from '../support/service.ts'

const CLEAN = '100000010000015'
const LISTED = '100000010000023'

const width = WIDTHS.phone

/** From a device to an offer, a receipt and a list, on a phone; every page is also examined as it is at a desk. */
describe.if(hasChromium)('at the counter', () => {
  const dashboard = openDashboard('Corner shop')
  const { at } = dashboard
  let people = 0
  beforeAll(async () => {
    // The organization has its own labour rate, below the default.
    const change = { labour_per_hour: 3_000 }
    await policyStore(dashboard.db()).change(dashboard.organizationId(), change, OPERATOR, Date.now(), bundledExchange)
  })

  async function signedIn(role: 'owner' | 'manager' = 'owner') {
    const email = `clerk-${width}-${++people}@example.test`
    const watched = await dashboard.signedIn({ email, role, look: { viewport: { width, height: 900 } } })
    await watched.page.goto(at('/dashboard'))
    return watched
  }
  const box = (page: Page) => page.getByRole('combobox', { name: 'Find a device' })
  const offer = (page: Page) => page.getByRole('complementary', { name: 'Offer' })
  const amount = async (page: Page) => (await offer(page).locator('.offer-amount').textContent()) ?? ''
  const look = (page: Page, name: string) => looksWrong(page, name, 'phone')

  browserTest('a clean phone is bought', async () => {
    const { page, offences } = await signedIn()
    expect(await look(page, 'counter-home')).toEqual([])
    await box(page).fill(CLEAN)
    await page.getByRole('option', { name: `Check ${CLEAN}` }).click()
    await page.waitForURL(/counter\?lookup=lkp_/)
    expect(page.url()).not.toContain(CLEAN)
    await page.getByText('low risk').waitFor()
    await page.getByText(/Cleared by sandbox/i).waitFor()
    await offer(page).getByText('Identify first').waitFor()
    await box(page).fill('iphone 13 128gb midnight')
    await page.getByRole('option', { name: /iPhone 13 128GB Midnight/ }).click()
    await page.getByRole('button', { name: '128GB' }).waitFor()
    await page.getByRole('radio', { name: /Good/ }).check()
    await offer(page).getByText('Buy', { exact: true }).waitFor()
    expect(await amount(page)).toMatch(/^\$\d+$/)
    const slider = offer(page).getByRole('slider', { name: 'Pay' })
    await slider.focus()
    await page.keyboard.press('ArrowRight')
    const higher = Number((await amount(page)).slice(1)) + 1
    await offer(page)
      .getByRole('button', { name: `Save at $${higher}` })
      .waitFor()
    await page.keyboard.press('End')
    await offer(page).getByText('Expect to lose money at this price.').waitFor()
    await offer(page)
      .getByRole('button', { name: /^Reset to/ })
      .click()
    expect(await look(page, 'counter-clean')).toEqual([])
    expect(offences).toEqual([])
  })

  browserTest('a cracked phone that is worth repairing is bought for repair', async () => {
    const { page, offences } = await signedIn()
    await box(page).pressSequentially('iphone 17 pro 256gb cosmic orange', { delay: 5 })
    await page.getByRole('option', { name: /iPhone 17 Pro 256GB Cosmic Orange/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('radio', { name: /Good/ }).check()
    await offer(page).getByText('Buy', { exact: true }).waitFor()
    const whole = await amount(page)
    await page.getByRole('checkbox', { name: /Cracked back/ }).check()
    await offer(page).getByText('Buy and repair').waitFor()
    const cracked = await amount(page)
    expect(Number(cracked.replace(/\D/g, ''))).toBeLessThan(Number(whole.replace(/\D/g, '')))
    const best = page.getByRole('region', { name: 'Repair and sell' })
    await best.getByText('best').waitFor()
    expect(await look(page, 'counter-cracked')).toEqual([])
    await page.reload()
    await offer(page).getByText('Buy and repair').waitFor()
    expect(await amount(page)).toBe(cracked)
    expect(offences).toEqual([])
  })

  browserTest('a value that is only guessed is shown as a range', async () => {
    const { page, offences } = await signedIn()
    await box(page).fill('osmo pocket 3')
    await page
      .getByRole('option', { name: /Osmo Pocket 3/ })
      .first()
      .click()
    await page.getByRole('radio', { name: /Good/ }).check()
    const good = page.locator('.grade-price', { hasText: 'Good' })
    await good.getByText('No estimate', { exact: true }).waitFor()
    expect(await good.locator('.grade-price-text').textContent()).toMatch(/^\$\d+ – \$\d+$/)
    expect(await look(page, 'counter-guess')).toEqual([])
    expect(offences).toEqual([])
  })

  browserTest('a blacklisted phone is not bought', async () => {
    const { page, offences } = await signedIn()
    await box(page).fill('A2633')
    await page
      .getByRole('option', { name: /iPhone 13/ })
      .first()
      .click()
    await page.getByRole('radio', { name: /Good/ }).check()
    await page.getByLabel('IMEI or serial number').fill(LISTED)
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await offer(page).getByText('Do not buy').waitFor()
    expect(await amount(page)).toBe('$0')
    await offer(page).getByText('No offer', { exact: true }).waitFor()
    // The reason is beside the offer, above the grades.
    await page.locator('.counter-said').getByText('critical risk').waitFor()
    expect(await look(page, 'counter-listed')).toEqual([])
    await offer(page).getByRole('button', { name: 'Save as declined' }).click()
    await page.waitForURL(/\/dashboard\/appraisals\/apr_/)
    await page.getByRole('article', { name: 'Receipt' }).getByText('Not bought').waitFor()
    expect(offences).toEqual([])
  })

  browserTest('a saved appraisal is a receipt that can be verified until its code is revoked', async () => {
    const { page, offences } = await signedIn()
    const reference = `SHELF-${width}`
    await box(page).fill('iphone 13 128gb midnight')
    await page.getByRole('option', { name: /iPhone 13 128GB Midnight/ }).click()
    await page.getByRole('radio', { name: /Good/ }).check()
    await page.getByLabel('IMEI or serial number').fill(CLEAN)
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.getByText('low risk').waitFor()
    await page.getByLabel('Your reference').fill(reference)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/\/dashboard\/appraisals\/apr_/)
    // Only an address that a phone can open is printed, so the code gets one of the network.
    await page.route('**/shares', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      const response = await route.fetch()
      return route.fulfill({ response, body: (await response.text()).replace('//localhost', '//192.168.1.20') })
    })
    await page.getByRole('button', { name: 'Create code', exact: true }).click()
    const address = (await page.getByTestId('verify-address').textContent()) ?? ''
    const sheet = page.getByRole('article', { name: 'Receipt' })
    await sheet.getByRole('img', { name: /verification page/ }).waitFor()
    // The shop's copy has the full number; the customer's copy is masked.
    expect(await sheet.textContent()).toContain(CLEAN)
    await page.getByRole('radio', { name: 'Customer copy' }).check()
    await sheet.getByText('10000001•••••15').waitFor()
    expect(await sheet.textContent()).not.toContain(CLEAN)
    await sheet.getByText(/Offer valid until/).waitFor()
    expect(await look(page, 'sheet')).toEqual([])

    const pages = async () => {
      const pdf = await page.pdf({ preferCSSPageSize: true })
      const boxes = pdf.toString('latin1').matchAll(/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)
      return [...boxes].map(([, wide, high]) => [Number(wide), Number(high)].map((points) => (points / 72) * 25.4))
    }
    expect(await pages()).toEqual([[expect.closeTo(210, 0), expect.closeTo(297, 0)]])
    await page.getByRole('radio', { name: '80 mm' }).check()
    // The paper roll is cut where the receipt ends.
    const heightMm = await sheet.evaluate((element: HTMLElement) => (element.offsetHeight / 96) * 25.4)
    const [[wide = 0, high = 0] = [], ...more] = await pages()
    expect({ wide, more }).toEqual({ wide: expect.closeTo(80, 0), more: [] })
    expect(high).toBeWithin(heightMm, heightMm + 3)
    await page.getByRole('radio', { name: 'A4' }).check()
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(false)
    await keepScreenshot(page, `sheet-print-${width}`)
    await page.emulateMedia({ media: 'screen' })

    const stranger = await dashboard.newPage({ viewport: { width, height: 900 } })
    await stranger.page.goto(at(new URL(address).pathname))
    await stranger.page.getByRole('heading', { name: 'This receipt is genuine' }).waitFor()
    await stranger.page.getByText('iPhone 13 128GB Midnight').waitFor()
    expect(await stranger.page.content()).not.toContain(reference)
    expect(await look(stranger.page, 'verify')).toEqual([])
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Revoked', { exact: true }).waitFor()
    await stranger.page.reload()
    await stranger.page.getByRole('heading', { name: 'Receipt not found' }).waitFor()
    expect(stranger.offences).toEqual([])

    await follow(page, at(`/dashboard/appraisals?reference=${reference}&decision=buy`))
    await page.getByRole('link', { name: 'iPhone 13 128GB Midnight' }).waitFor()
    expect(await page.locator('tbody tr').count()).toBe(1)
    await page.getByLabel('Decision').selectOption('reject')
    await page.getByText('No appraisals match').waitFor()
    await follow(page, at('/dashboard/appraisals'))
    await page.locator('tbody tr').first().waitFor()
    expect(await look(page, 'history')).toEqual([])
    expect(offences).toEqual([])
  })

  browserTest('a list is dropped, its columns corrected, appraised and downloaded', async () => {
    const { page, offences } = await signedIn()
    await follow(page, at('/dashboard/list'))
    expect(await look(page, 'list-intake')).toEqual([])
    const rows = [
      'A1,iPhone 13 128GB Midnight,Good,,',
      `A2,iPhone 13 128GB Midnight,Good,${LISTED},`,
      'A3,iPhone 17 Pro 256GB Cosmic Orange,B,,Cracked back',
      'A4,iPhone 13 128GB Midnight,dreadful-ish,,',
      'A5,a toaster,Good,,',
    ]
    const buffer = Buffer.from(['Stock No,What,Grade,IMEI,Faults', ...rows].join('\n'))
    await page.locator('input[type=file]').setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer })
    await page.getByLabel('Field for IMEI').selectOption('')
    await page.getByLabel('Field for What').selectOption('')
    await page.getByText('No column names the device').waitFor()
    await page.getByLabel('Field for IMEI').selectOption('identifier')
    await page.getByLabel('Field for What').selectOption('text')
    expect(await look(page, 'list-columns')).toEqual([])
    await page.getByRole('button', { name: 'Appraise 5 devices' }).click()
    await page.getByText('Resale value').waitFor()
    await page.getByRole('button', { name: 'Download CSV' }).and(page.locator(':enabled')).waitFor()
    // The best profit stands first.
    expect(await page.locator('tbody tr').first().textContent()).toContain('iPhone 17 Pro')
    await page.getByRole('row', { name: /Do not buy/ }).waitFor()
    await page.getByText('Which grade is “dreadful-ish”?').waitFor()
    // An unknown value is not shown as zero.
    expect(await page.getByRole('row', { name: /a toaster/ }).textContent()).not.toContain('$')
    expect(await look(page, 'list-results')).toEqual([])
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(
      await Bun.file(await (await downloading).path()).bytes(),
    )
    expect(text).toStartWith('\uFEFFStock No,What,Grade,IMEI,Faults,Line,Error,Questions,Device,')
    expect(text.trim().split('\n')).toHaveLength(6)
    await page.getByLabel('Reason').selectOption('device_not_identified')
    await hasCount(page.locator('tbody tr'), 1)
    await page.getByLabel('Reason').selectOption('')
    await page.getByRole('button', { name: /^Buy and repair 1$/ }).click()
    await hasCount(page.locator('tbody tr'), 1)
    expect(offences).toEqual([])
  })

  browserTest('an owner changes and resets the buying policy, a member sees it', async () => {
    const { page, offences } = await signedIn()
    await follow(page, at('/dashboard/policy'))
    await page.getByRole('radio', { name: /Bold/ }).click()
    await page.getByText('Default: 12').waitFor({ state: 'attached' })
    await page.getByRole('radio', { name: /Normal/ }).click()
    await page.getByText('Default: 12').waitFor({ state: 'detached' })
    await page.getByText('Details', { exact: true }).click()
    await page.getByLabel('Target margin').fill('95')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/95: Enter 90 or less/).waitFor()
    await page.getByLabel('Target margin').fill('15.5')
    await page.getByLabel('Minimum profit').fill('20')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Default: $15').waitFor()
    expect(await look(page, 'policy')).toEqual([])
    const clerk = await signedIn('manager')
    await follow(clerk.page, at('/dashboard/policy'))
    await hasValue(clerk.page.getByLabel('Target margin'), '15.5')
    expect(await clerk.page.getByLabel('Target margin').isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Reset Target margin' }).click()
    await page.getByText('Default: 12').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Reset Minimum profit' }).click()
    await page.getByText('Default: $15').waitFor({ state: 'detached' })
    await hasValue(page.getByLabel('Target margin'), '12')
    expect(offences).toEqual([])
  })
})
