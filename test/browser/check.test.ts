import { describe, expect } from 'bun:test'
import { imeiWithCheckDigit } from '../../src/identifier/imei.ts'
import { browserTest, hasChromium, hasFocus } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'

describe.if(hasChromium)('checking identifiers in a real browser', () => {
  const { at, newOrganization, signedIn } = openDashboard('Checking')

  browserTest("another organization's lookup is not found", async () => {
    const other = await newOrganization('Elsewhere')
    const theirs = await signedIn({ email: 'theirs@example.test', organizationId: other })
    await theirs.page.goto(at('/dashboard/check'))
    await theirs.page.getByLabel('IMEI or serial number').fill('100000010000023')
    await theirs.page.getByRole('button', { name: 'Check' }).click()
    await theirs.page.getByText('critical risk').waitFor()
    const address = theirs.page.url()
    const mine = await signedIn({ email: 'curious@example.test' })
    await mine.page.goto(address)
    await mine.page.getByText('Lookup not found').waitFor()
    await theirs.page.reload()
    await theirs.page.getByText('critical risk').waitFor()
  })

  browserTest('a mistyped IMEI asks for confirmation and suggests the probable one', async () => {
    const { page } = await signedIn({ email: 'typist@example.test' })
    await page.goto(at('/dashboard/check'))
    await page.getByLabel('IMEI or serial number').fill('013554006297016')
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.getByText('Compare it with the device').waitFor()
    await page.getByRole('button', { name: 'Check anyway' }).click()
    await page.getByText('Check the IMEI: it is probably mistyped').waitFor()
    await page.getByRole('button', { name: 'Check 013554006297015' }).click()
    await page.getByRole('heading', { name: '013554006297015' }).waitFor()
    await page.goto(at('/dashboard/check'))
    await page.getByLabel('IMEI or serial number').fill('100000010000015')
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.getByText('Cleared by sandbox').waitFor()
  })

  browserTest('without a source "Not checked" stands instead of a score', async () => {
    const { page } = await signedIn({ email: 'unchecked@example.test' })
    await page.goto(at('/dashboard/check'))
    await page.getByLabel('IMEI or serial number', { exact: true }).fill('356938035643809')
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.getByText('Risk factors').waitFor()
    const verdict = await page.locator('.verdict').innerText()
    expect(verdict).toMatch(/^Not checked\s/)
    expect(verdict).not.toContain('of 100')
  })

  browserTest('the history downloads as a CSV file that is safe to open in a spreadsheet', async () => {
    const { page } = await signedIn({ email: 'exporter@example.test' })
    await page.goto(at('/dashboard/check'))
    await page.getByLabel('IMEI or serial number').fill('013554006297015')
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('Risk factors').waitFor()
    await page.goto(at('/dashboard/lookups'))
    await page.getByRole('link', { name: '013554006297015' }).first().waitFor()
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    const text = await Bun.file(await (await downloading).path()).text()
    expect(text).toMatch(/^lookup_id,timestamp,identifier,/)
    expect(text).toContain(',013554006297015,imei,')
  })

  browserTest('a pasted list is checked as a list, and a digit is checked while it is typed', async () => {
    const { page } = await signedIn({ email: 'pasted-lists@example.test' })
    await page.goto(at('/dashboard/check'))
    const field = page.getByLabel('IMEI or serial number', { exact: true })
    await hasFocus(field)
    await field.fill('49015420323751')
    await page.getByRole('button', { name: 'Use 490154203237518' }).click()
    await page.getByText('Check digit is valid').waitFor()
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
  })

  browserTest('a pasted table teaches the model of an IMEI, and the page of learned models undoes it', async () => {
    const { page } = await signedIn({ email: 'learned-models@example.test' })
    await page.goto(at('/dashboard/check'))
    await page.getByLabel('IMEI or serial number', { exact: true }).evaluate(
      (input, text) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text', text)
        input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      },
      `${imeiWithCheckDigit('35990191000001')}\tGalaxy S21 128GB\n${imeiWithCheckDigit('35990192000001')}`,
    )
    await page.getByRole('button', { name: 'Check all' }).click()
    await page.getByRole('row', { name: /35990192/ }).waitFor()
    await page.goto(at('/dashboard/lookups'))
    await page.getByRole('link', { name: 'Learned models' }).click()
    const row = page.getByRole('row', { name: /35990191/ })
    await row.getByRole('link', { name: 'Galaxy S21' }).waitFor()
    await row.getByRole('button', { name: 'Undo' }).click()
    await row.waitFor({ state: 'detached' })
  })
})
