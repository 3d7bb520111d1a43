import { beforeAll, describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { authStore } from '../../src/auth/auth-store.ts'
import { browserTest, follow, hasChromium, hasFocus, looksWrong, type Watched, WIDTHS } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { OPERATOR } from '../support/service.ts'

/** A typical export: two price columns, its own words for conditions, models that do not exist. */
const TITLES = [
  'Apple iPhone 13 128GB Midnight',
  'iPhone 12 64GB',
  'Samsung Galaxy S22 128GB',
  'iPhone 13 Ultra 128GB',
  'Google Pixel 7 128GB',
]
const ROWS = Array.from({ length: 60 }, (_, i) => [
  `"${TITLES[i % TITLES.length]}"`,
  i % 9 === 8 ? 'someday' : `2026-0${1 + (i % 6)}-1${i % 9}`,
  ['very nice', 'Good', 'a bit worn'][i % 3],
  `$${180 + i * 3}`,
  'x',
])
const PRICES = [['ad_title', 'posted_at', 'grade', 'btr', 'seller'], ...ROWS].map((row) => row.join(',')).join('\n')

/** On a phone; every page is also examined as it is at a desk. */
describe.if(hasChromium)('imports in the dashboard', () => {
  const width = WIDTHS.phone
  const look = { viewport: { width, height: 900 } }
  // A separate program: imported lists and prices are shared by all organizations.
  const { at, db, newOrganization, organizationId, signedIn } = openDashboard('Importing', {})
  beforeAll(() => authStore(db()).setOperatorOrganization(organizationId(), OPERATOR, Date.now()))

  const choose = (page: Page, name: string, text: string) =>
    page.getByLabel(/Drop a file here/).setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
  const figure = (page: Page, name: string) =>
    page.locator('.figures div', { hasText: name }).locator('dd').first().textContent()

  async function looksRight({ page, offences }: Watched, name: string) {
    expect(await looksWrong(page, name, 'phone'), name).toEqual([])
    expect(offences, name).toEqual([])
  }

  browserTest('a price list is imported, from the file to its rejected rows', async () => {
    const name = `at-${width}`
    const watched = await signedIn({ email: `${name}@example.test`, look })
    const { page } = watched
    await page.goto(at('/dashboard/imports'))
    await page.getByRole('heading', { name: 'Import a list' }).waitFor()
    await looksRight(watched, 'uploads-choose')

    await choose(page, `ads-${name}.csv`, PRICES)
    // The column "btr" is the price by its cells; what the amounts are stays a question.
    await page.getByRole('heading', { name: 'What are these prices?' }).waitFor()
    expect(await page.getByRole('button', { name: 'Import', exact: true }).isDisabled()).toBe(true)
    await looksRight(watched, 'uploads-asked')
    await page.getByLabel('Price type').selectOption('What others ask')
    await page.getByLabel('Currency', { exact: true }).selectOption('USD')
    await page.getByText('Options changed').waitFor()
    await page.getByRole('button', { name: 'Check again' }).press('Enter')

    await page.getByLabel('Grade for very nice').waitFor()
    // The pressed button is removed; the focus moves within the panel, not to the top of the page.
    await hasFocus(page.locator('.upload-place'))
    await page.getByLabel('Grade for very nice').selectOption('Excellent')
    await page.getByLabel('Grade for a bit worn').selectOption('Fair')
    await page.getByLabel('Save options as').fill(`ads-${name}`)
    await page.getByRole('button', { name: 'Check again' }).click()
    await page.getByRole('button', { name: /^Import 44 rows/ }).waitFor()
    expect(await figure(page, 'Rejected')).toBe('16')
    await page.getByText('iphone 13 ultra 128gb').first().waitFor()
    await looksRight(watched, 'uploads-checked')

    // The list moves prices by more than 10 % on average.
    await page.getByText(/^Moves prices by/).waitFor()
    expect(await page.getByRole('button', { name: /^Import 44 rows/ }).isDisabled()).toBe(true)
    await page.getByLabel('The price changes are right.').check()
    await page.getByRole('button', { name: /^Import 44 rows/ }).click()
    await page.getByText('Imported. Prices are up to date.').waitFor()
    expect(await figure(page, 'Imported')).toBe('44')
    await looksRight(watched, 'uploads-imported')
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download rejected rows' }).click()
    const lines = (await Bun.file((await (await downloading).path()) ?? '').text()).trim().split('\n')
    expect(lines).toHaveLength(1 + 16)
    expect(lines[0]).toBe('Line,Reason,Detail,ad_title,posted_at,grade,btr,seller')
    expect(lines[1]).toStartWith('5,unknown model,')

    await page.getByRole('button', { name: `Undo the import of ads-${name}.csv` }).click()
    await page.getByRole('button', { name: 'Undo import' }).click()
    await page
      .getByText(/^Undone /)
      .first()
      .waitFor()

    await page.getByRole('button', { name: 'Import another' }).click()
    await page.getByLabel('Saved options').selectOption(`ads-${name}`)
    await choose(page, 'again.csv', PRICES)
    await page.getByRole('button', { name: /^Import 44 rows/ }).waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('heading', { name: 'Import a list' }).waitFor()
    await follow(page, at('/dashboard/activity'))
    await page.getByText(new RegExp(`imported \\d+ rows from “ads-${name}.csv”`)).waitFor()
  })

  browserTest('an identifier list is imported and clears identifiers only if the operator chooses so', async () => {
    const watched = await signedIn({ email: 'lists@example.test', look })
    const { page } = watched
    await page.goto(at('/dashboard/imports'))
    await page.getByLabel('Type', { exact: true }).selectOption('IMEI list')
    const dropped = await page.evaluateHandle(() => {
      const transfer = new DataTransfer()
      transfer.items.add(
        new File(['imei,reporting_date,status\n35693803564380,20260102,\nhello world,,\n'], 'police.csv'),
      )
      return transfer
    })
    await page.locator('.drop').dispatchEvent('drop', { dataTransfer: dropped })
    await page.getByText('Reports only: devices that are not on the list stay unverified.').waitFor()
    await page.getByLabel('List name').fill('police')
    await page.getByText('IMEIs not on this list are not blocked.').click()
    await page.getByLabel('Region', { exact: true }).fill('LT')
    await page.getByLabel('Valid for (days)').fill('7')
    await page.getByRole('button', { name: 'Check again' }).click()
    await page.getByText('has invalid rows (1 of 2), and it clears devices that are not on it').waitFor()
    await page.getByText('Import even if the list is much smaller').click()
    await page.getByRole('button', { name: 'Check again' }).click()
    await page.getByText('It clears what is not on it, for LT and for 7 days from now.').waitFor()
    await looksRight(watched, 'uploads-list')
    await page.getByRole('button', { name: 'Import 1 row' }).click()
    await page.getByText('Imported.', { exact: true }).waitFor()
    await follow(page, at('/dashboard/activity'))
    await page.getByText('imported the stolen list “police”: 1 entry, clears LT, 7 days').waitFor()
  })

  browserTest('an import without a result offers its rejected rows', async () => {
    const { page } = await signedIn({ email: 'no-result@example.test', look })
    await page.goto(at('/dashboard/imports'))
    await page.getByLabel('Type', { exact: true }).selectOption('IMEI list')
    await choose(page, 'unreadable.csv', 'imei,reporting_date,status\nhello world,,\n')
    await page.getByLabel('List name').fill('unreadable')
    await page.getByLabel('Kind', { exact: true }).selectOption('Stolen')
    await page.getByRole('button', { name: 'Check again' }).click()
    await page.getByRole('button', { name: 'Import 0 rows' }).click()
    await page.getByRole('button', { name: 'Rejected rows of unreadable.csv' }).waitFor()
  })

  browserTest('an owner of another organization sees the imports but cannot import', async () => {
    const tenant = await newOrganization('Tenant')
    const watched = await signedIn({ email: 'tenant@example.test', organizationId: tenant, look })
    const { page } = watched
    await page.goto(at('/dashboard/imports'))
    await page.getByText('Only the organization that runs this service can import lists').waitFor()
    await page.getByRole('heading', { name: 'Import history' }).waitFor()
    expect(await page.getByLabel(/Drop a file here/).count()).toBe(0)
    expect(await page.getByText('ads-').count()).toBe(0)
    await looksRight(watched, 'uploads-tenant')
  })
})
