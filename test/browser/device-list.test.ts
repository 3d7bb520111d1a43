import { describe, expect } from 'bun:test'
import { browserTest, hasChromium, hasValue, wrongIn } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'

const FILE = [
  'Modell;Zustand;Preis',
  'iPhone 13 128GB Midnight;Katzenspuren;60',
  'iPhone 13 128GB Midnight;gut;60',
  'Telefon von Oma;gut;10',
].join('\n')

describe.if(hasChromium)('a list in the dashboard', () => {
  const { at, signedIn } = openDashboard('List shop')

  browserTest('is corrected in the page, teaches a word, and is opened again by a colleague', async () => {
    const { page, offences } = await signedIn({ email: 'lists@example.test' })
    const upload = async () => {
      await page.goto(at('/dashboard/list'))
      const file = { name: 'north.csv', mimeType: 'text/csv', buffer: Buffer.from(FILE) }
      await page.locator('input[type=file]').setInputFiles(file)
    }
    await upload()
    await page.getByLabel('Supplier').fill('Wholesale North')
    await page.getByRole('button', { name: 'Appraise 3 devices' }).click()
    await page.getByRole('heading', { name: 'north.csv' }).waitFor()
    await page.getByText('Which grade is “Katzenspuren”?').waitFor()
    await page.getByLabel('Meaning of “Katzenspuren”').selectOption('Fair')
    await page.getByText('Which grade is “Katzenspuren”?').waitFor({ state: 'detached' })
    const grade = page.getByLabel('Grade of line 2')
    expect(await grade.inputValue()).toBe('Fair')

    await page.getByRole('button', { name: 'Correct line 4' }).click()
    const dialog = page.getByRole('dialog', { name: 'Correct line 4' })
    await dialog.getByRole('combobox', { name: 'Device' }).fill('galaxy s23 256gb')
    await dialog.locator('[role=option]').first().click()
    await dialog.getByRole('button', { name: 'Cracked back' }).click()
    expect(await wrongIn(page, 'list-row-dialog', 'phone', 'dark')).toEqual([])
    await dialog.getByRole('button', { name: 'Save and appraise' }).click()
    await page.getByRole('row', { name: /Galaxy S23/ }).waitFor()

    await page.getByLabel('Budget in USD').fill('100')
    await page.getByText(/Best choice: 2 devices for \$70, expected profit/).waitFor()
    await page.getByLabel('State').selectOption('offered')
    expect(await wrongIn(page, 'list-opened', 'phone', 'light')).toEqual([])
    expect(await wrongIn(page, 'list-opened', 'desk', 'dark')).toEqual([])

    await upload()
    await hasValue(page.getByLabel('Supplier'), 'Wholesale North')
    await page.getByRole('button', { name: 'Appraise 3 devices' }).click()
    await page.getByText(/This file was already added as “north.csv”/).waitFor()

    // The next list of the supplier shows what changed, and is downloaded from the service.
    await page.goto(at('/dashboard/list'))
    const next = FILE.replace('gut;60', 'gut;55').replace('Telefon von Oma', 'iPhone 12 64GB')
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'north-2.csv', mimeType: 'text/csv', buffer: Buffer.from(next) })
    // The supplier of a list with the same columns is filled in.
    await hasValue(page.getByLabel('Supplier'), 'Wholesale North')
    await page.getByRole('button', { name: 'Appraise 3 devices' }).click()
    await page.getByRole('heading', { name: 'north-2.csv' }).waitFor()
    await page.getByRole('button', { name: 'Price changed 1' }).waitFor()
    for (const kind of ['New 1', 'Gone 1']) await page.getByRole('button', { name: kind }).waitFor()
    expect(await wrongIn(page, 'list-compared', 'phone', 'light')).toEqual([])
    expect(await wrongIn(page, 'list-compared', 'desk', 'dark')).toEqual([])
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download Excel' }).click()
    expect((await download).suggestedFilename()).toBe('north-2-appraised.xlsx')

    // Cells are corrected in place: what is typed is saved when the field is left.
    await page.getByLabel('Asking price of line 3').fill('55,50')
    await page.getByLabel('Asking price of line 3').press('Enter')
    await hasValue(page.getByLabel('Asking price of line 3'), '55.50')
    await page.getByRole('button', { name: 'Defects of line 3' }).click()
    const faults = page.getByRole('dialog', { name: 'Defects of line 3' })
    await faults.getByRole('button', { name: 'Cracked back' }).click()
    await faults.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Defects of line 3' }).getByText('Cracked back').waitFor()
    await hasValue(page.getByLabel('Asking price of line 3'), '55.50')
    await page.getByLabel('IMEI or serial number of line 3').fill('356938035643809')
    await page.getByLabel('IMEI or serial number of line 3').press('Enter')
    await hasValue(page.getByLabel('IMEI or serial number of line 3'), '356938035643809')
    await page.getByRole('button', { name: 'Device of line 2' }).click()
    const device = page.getByRole('dialog', { name: 'Device of line 2' })
    await device.getByRole('combobox', { name: 'Device' }).fill('galaxy s23 256gb')
    await device.locator('[role=option]').first().click()
    await page.getByRole('row', { name: /Galaxy S23/ }).waitFor()

    const colleague = await signedIn({ email: 'colleague@example.test', role: 'manager' })
    await colleague.page.goto(at('/dashboard/list'))
    await colleague.page.getByRole('link', { name: 'north.csv' }).click()
    await colleague.page.getByRole('row', { name: /Galaxy S23/ }).waitFor()
    expect(await colleague.page.getByLabel('State').inputValue()).toBe('offered')
    expect([...offences, ...colleague.offences]).toEqual([])
  })

  browserTest('of many rows has only those in sight on the page, also after a filter', async () => {
    const { page, offences } = await signedIn({
      email: 'many@example.test',
      look: { viewport: { width: 1440, height: 900 } },
    })
    await page.goto(at('/dashboard/list'))
    const lines = Array.from(
      { length: 200 },
      (_, at) => `iPhone 13 ${at % 2 ? 128 : 256}GB;gut;${at % 3 ? 50 + at : 'auf Anfrage'}`,
    )
    const file = {
      name: 'many.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['Modell;Zustand;Preis', ...lines].join('\n')),
    }
    await page.locator('input[type=file]').setInputFiles(file)
    // A file without rows is said to be one; it is no reason to start anew.
    const empty = { name: 'empty.xlsx', mimeType: 'application/octet-stream', buffer: Buffer.from('') }
    await page.getByRole('button', { name: 'New list' }).click()
    await page.locator('input[type=file]').setInputFiles(empty)
    await page.getByText('“empty.xlsx” has no rows.').waitFor()
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByRole('button', { name: 'Appraise 200 devices' }).click()
    await page.getByRole('heading', { name: 'many.csv' }).waitFor()
    const table = page.getByRole('region', { name: 'Appraised devices' })
    const rows = table.locator('tbody tr:not(.lot-spacer)')
    await table.locator('table[aria-rowcount="201"]').waitFor()
    expect(await rows.count()).toBeLessThan(100)
    await table.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await table.locator('tr[aria-rowindex="201"]').waitFor()
    await page.getByRole('button', { name: /^Question/ }).click()
    // The device stays in sight, with the question beside it.
    await table
      .locator('tr[aria-rowindex="2"]')
      .getByText(/iPhone 13/)
      .first()
      .waitFor()
    await table.getByText('Asking price is not a number: “auf Anfrage”').first().waitFor()
    expect(await wrongIn(page, 'list-many', 'desk', 'light')).toEqual([])
    expect(await wrongIn(page, 'list-many', 'phone', 'dark')).toEqual([])
    expect(offences).toEqual([])
  })
})
