import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { browserTest, COLOUR_RULES, follow, hasChromium, hasValue, looksWrong, wrongIn } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { waitUntil } from '../support/wait.ts'

const PHONE = 'apple-iphone-13-128gb-midnight'
const SCANNED_IPHONE_13 = '351044631234567'

/** No serious accessibility problem at either width, in light and dark. */
async function expectGoodLooks(page: Page, name: string): Promise<void> {
  const problems = [
    ...(await wrongIn(page, name, 'phone', 'dark')),
    ...(await wrongIn(page, name, 'phone', 'light', COLOUR_RULES)),
    ...(await wrongIn(page, name, 'desk', 'dark', COLOUR_RULES)),
    ...(await wrongIn(page, name, 'desk', 'light')),
  ]
  expect(problems).toEqual([])
}

async function downloadedText(page: Page, button: string): Promise<string> {
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: button }).click()
  return Bun.file(await (await downloading).path()).text()
}

describe.if(hasChromium)('deals of a shop', () => {
  const dashboard = openDashboard('Day shop', { SAMPLE_DATA: 'off' })
  const { at } = dashboard
  const resaleOf = (page: Page) =>
    page.evaluate(async (variant) => {
      const response = await fetch(`/api/pricing?variant_id=${variant}`, {
        headers: { 'X-Requested-With': 'dashboard' },
      })
      const text = await response.text()
      if (!response.ok) throw new Error(text)
      return JSON.parse(text).data.resale.current.Good as number
    }, PHONE)

  browserTest('only an offer that advises to buy has a prominent button for the purchase', async () => {
    const look = { viewport: { width: 1440, height: 900 } }
    const organizationId = await dashboard.newOrganization('Button shop')
    const { page } = await dashboard.signedIn({ email: 'buttons@example.test', role: 'owner', organizationId, look })
    const saved = [
      { reference: 'advised', variant_id: PHONE, condition: 'Good' },
      { reference: 'inspected', text: 'iPhone 13 128GB Midnight, poor condition', condition: 'Excellent' },
      { reference: 'rejected', variant_id: PHONE, condition: 'Good', defects: ['activation_locked'] },
      { reference: 'unknown', text: 'Unheard Of Phone 77', condition: 'Good' },
    ]
    const headers = {
      'X-Requested-With': 'dashboard',
      'Sec-Fetch-Site': 'same-origin',
      Origin: new URL(at('/')).origin,
    }
    const decisions: string[] = []
    for (const data of saved) {
      const response = await page.context().request.post(at('/api/appraisals'), { data, headers })
      decisions.push((await response.json()).data.offer.decision)
    }
    expect(decisions).toEqual(['buy', 'inspect', 'reject', 'identify'])
    await page.goto(at('/dashboard/appraisals'))
    const isProminent = (reference: string) =>
      page
        .getByRole('row')
        .filter({ hasText: reference })
        .evaluate((row) => {
          const [bought, declined] = [...row.querySelectorAll('button')].map((one) => getComputedStyle(one))
          return bought?.backgroundColor !== declined?.backgroundColor
        })
    await page.getByRole('row').filter({ hasText: 'unknown' }).first().waitFor()
    const prominent = []
    for (const { reference } of saved) prominent.push(await isProminent(reference))
    expect(prominent).toEqual([true, false, false, false])
  })

  browserTest('a price in the wrong unit is asked about, and recorded only when it is sent again', async () => {
    const organizationId = await dashboard.newOrganization('Unit shop')
    const { page } = await dashboard.signedIn({ email: 'units@example.test', role: 'owner', organizationId })
    const headers = {
      'X-Requested-With': 'dashboard',
      'Sec-Fetch-Site': 'same-origin',
      Origin: new URL(at('/')).origin,
    }
    const request = { data: { variant_id: PHONE, condition: 'Good' }, headers }
    const saved = await (await page.context().request.post(at('/api/appraisals'), request)).json()
    await page.goto(at(`/dashboard/appraisals/${saved.data.appraisal_id}`))
    await page.getByRole('button', { name: 'Bought', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'What did you pay?' })
    const question = dialog.getByText('This price is far from what such a device costs.')
    await dialog.getByLabel('Price (USD)').fill('15050')
    await dialog.getByRole('button', { name: 'Record as bought' }).click()
    await question.waitFor()
    // Another amount is another question.
    await dialog.getByLabel('Price (USD)').fill('1.50')
    await question.waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: 'Record as bought' }).click()
    await question.waitFor()
    await dialog.getByRole('button', { name: 'Record as bought' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('$1.50').first().waitFor()
  })

  browserTest('a typed-in phone is appraised, bought and sold; the price moves and the report adds up', async () => {
    const look = { viewport: { width: 1440, height: 900 } }
    const { page, offences } = await dashboard.signedIn({ email: 'day@example.test', role: 'owner', look })
    await page.goto(at('/dashboard/counter'))
    await page.getByRole('combobox', { name: 'Find a device' }).fill('iphone 13 128gb midnight')
    await page.getByRole('option', { name: /iPhone 13 128GB Midnight/ }).click()
    await page.getByRole('radio', { name: /Good/ }).check()
    const before = await resaleOf(page)
    await page.getByRole('button', { name: /^Save/ }).click()

    await page.getByRole('button', { name: 'Bought', exact: true }).waitFor()
    await expectGoodLooks(page, 'outcome-open')
    await page.getByRole('button', { name: 'Bought', exact: true }).press('Enter')
    const bought = page.getByRole('dialog', { name: 'What did you pay?' })
    expect(await bought.getByLabel('Price (USD)').inputValue()).toMatch(/^\d+/)
    await bought.getByLabel('Price (USD)').fill('150.50')
    await expectGoodLooks(page, 'outcome-bought-dialog')
    await page.keyboard.press('Enter')
    await page.getByText('$150.50').first().waitFor()

    await page.getByRole('button', { name: 'Sold', exact: true }).click()
    const sold = page.getByRole('dialog', { name: 'What did it sell for?' })
    await sold.getByLabel('Price (USD)').fill('so much')
    await page.keyboard.press('Enter')
    await sold.getByText('Enter an amount such as 120.50.').waitFor()
    await sold.getByLabel('Price (USD)').fill('265,75')
    await page.keyboard.press('Enter')
    await page.getByText('Profit before costs').waitFor()
    await page.getByText('$115.25').waitFor()
    await expectGoodLooks(page, 'outcome-sold')
    await waitUntil(async () => (await resaleOf(page)) > before, { describe: 'a higher resale price after the sale' })

    await follow(page, at('/dashboard/appraisals?outcome=sold'))
    await page.getByRole('cell', { name: /Sold/ }).waitFor()
    await hasValue(page.getByLabel('Outcome'), 'sold')
    await expectGoodLooks(page, 'history-outcomes')
    await follow(page, at('/dashboard/appraisals?outcome=open'))
    await page.getByText('No appraisals match').waitFor()

    await follow(page, at('/dashboard/reports'))
    await page.getByText('1 sale: too few to judge').first().waitFor()
    const figures = page.locator('.figures')
    for (const text of ['$150.50', '$265.75', '$115.25', '43.4 % of sales']) await figures.getByText(text).waitFor()
    await expectGoodLooks(page, 'report')
    const csv = await downloadedText(page, 'Download CSV')
    expect(csv).toContain('150.5')
    expect(csv).toContain('115.25')

    await follow(page, at('/dashboard/imports'))
    const deals = page.getByRole('region').or(page.locator('section')).filter({ hasText: 'Prices you paid and got' })
    await deals.getByText('2 prices').waitFor()
    await deals.getByRole('button', { name: 'Leave out of our prices' }).click()
    await waitUntil(async () => (await resaleOf(page)) === before, { describe: 'the price without the deals' })
    await deals.getByRole('button', { name: 'Count in our prices' }).waitFor()
    expect(offences).toEqual([])
  })

  browserTest(
    'in German, a scanned phone is appraised, bought and sold; the price moves and the report adds up',
    async () => {
      const organizationId = await dashboard.newOrganization('Tagesladen')
      const look = { locale: 'de-DE', viewport: { width: 1440, height: 900 } }
      const person = { email: 'tag@example.test', organizationId, look } as const
      const { page, offences } = await dashboard.signedIn(person)
      await page.goto(at('/dashboard/counter'))
      await page.context().request.patch(at('/api/manage/settings'), {
        data: { currency: 'EUR' },
        headers: { Origin: new URL(at('/')).origin, 'X-Requested-With': 'dashboard' },
      })
      await page.reload()
      // A scanner types the digits and Enter within milliseconds.
      await page.getByRole('combobox', { name: 'Gerät suchen' }).focus()
      await page.keyboard.type(SCANNED_IPHONE_13, { delay: 3 })
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: '128GB' }).click()
      await page.getByLabel('Farbe').selectOption({ label: 'Midnight' })
      await page.getByRole('radio', { name: /^Gut/ }).check()
      const before = await resaleOf(page)
      await page.getByRole('complementary', { name: 'Angebot' }).getByRole('button', { name: 'Speichern' }).click()

      await page.getByRole('button', { name: 'Angekauft', exact: true }).click()
      await page.getByRole('dialog', { name: 'Was haben Sie bezahlt?' }).getByLabel('Preis (EUR)').fill('150,50')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Verkauft', exact: true }).click()
      const sold = page.getByRole('dialog', { name: 'Zu welchem Preis wurde es verkauft?' })
      await sold.getByLabel('Preis (EUR)').fill('245,75')
      await page.keyboard.press('Enter')
      await page.getByText('95,25\u00a0€').first().waitFor()
      await waitUntil(async () => (await resaleOf(page)) > before, { describe: 'a higher resale price after the sale' })

      await follow(page, at('/dashboard/reports'))
      const figures = page.locator('.figures')
      for (const text of ['150,50\u00a0€', '245,75\u00a0€', '95,25\u00a0€']) await figures.getByText(text).waitFor()
      expect(await looksWrong(page, 'report-german', 'desk')).toEqual([])
      const csv = await downloadedText(page, 'CSV herunterladen')
      expect(csv).toContain(';245,75;EUR;95,25;')
      expect(offences).toEqual([])
    },
  )

  browserTest('a filter of the appraisals starts at the first page', async () => {
    const { page } = await dashboard.signedIn({ email: 'filters@example.test', role: 'owner' })
    await page.goto(at('/dashboard/appraisals?after=a-late-page'))
    await page.getByLabel('Decision').selectOption('Buy')
    await page.waitForURL(/decision=buy/)
    expect(new URL(page.url()).search).toBe('?decision=buy')
  })

  browserTest('outcomes are imported from a file, each row applied or rejected with a reason', async () => {
    const { page } = await dashboard.signedIn({ email: 'files@example.test', role: 'owner' })
    await page.goto(at('/dashboard/appraisals'))
    const id = await page.evaluate(async (variant) => {
      const response = await fetch('/api/appraisals', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Requested-With': 'dashboard' },
        body: JSON.stringify({ variant_id: variant, condition: 'Good' }),
      })
      return (await response.json()).data.appraisal_id as string
    }, PHONE)
    await page.getByRole('button', { name: 'Import outcomes' }).click()
    const file = `appraisal id;status;price;currency;date\n${id};bought;99,50;USD;2026-01-31\napr_0;sold;5;USD;\n`
    await page
      .getByRole('dialog')
      .locator('input[type=file]')
      .setInputFiles({ name: 'outcomes.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
    await page.getByText('1 row applied, 1 rejected.').waitFor()
    await page.getByText('Appraisal apr_0 was not found.').waitFor()
    await follow(page, at(`/dashboard/appraisals/${id}`))
    await page.getByText('$99.50').first().waitFor()
  })
})
