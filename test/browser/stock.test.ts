import { describe, expect } from 'bun:test'
import { browserTest, hasChromium, wrongIn } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'

describe.if(hasChromium)('the stock page', () => {
  const { at, signedIn, newKey } = openDashboard('Stock shop')

  browserTest('changes the prices of today with one button, reserves devices and sets their place', async () => {
    const key = await newKey('paid')
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    for (const variant_id of ['apple-iphone-13-128gb-midnight', 'apple-iphone-13-128gb-pink']) {
      const purchase = { price: 5_000, confirm_amount: true }
      const body = JSON.stringify({ variant_id, condition: 'Good', purchase })
      expect((await fetch(at('/api/appraisals'), { method: 'POST', headers, body })).status).toBe(200)
    }
    const { page, offences } = await signedIn({ email: 'stock@stock.example' })
    await page.goto(at('/dashboard/stock'))
    await page.getByText('Reprice today: 2 devices').waitFor()
    await page.getByText('Show devices').click()
    await page.getByRole('cell', { name: 'No price yet' }).first().waitFor()
    await page.getByLabel('Choose no. 1').check()
    expect(await wrongIn(page, 'stock-chosen', 'phone', 'dark')).toEqual([])
    expect(await wrongIn(page, 'stock-chosen', 'desk', 'light')).toEqual([])
    await page.getByRole('button', { name: 'Set location' }).click()
    await page.getByRole('dialog').getByLabel('Location').fill('Shelf 9')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('cell', { name: 'Shelf 9' }).first().waitFor()

    await page.getByRole('button', { name: 'Change 2 prices' }).click()
    await page.getByText('Reprice today: 2 devices').waitFor({ state: 'detached' })
    await page.getByLabel('Choose no. 2').check()
    await page.getByRole('button', { name: 'Reserve' }).click()
    await page.getByRole('dialog').getByLabel('Reserved for').fill('Ada')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('cell', { name: 'Reserved' }).first().waitFor()
    await page.getByLabel('Status').selectOption('reserved')
    await page.getByRole('row', { name: /Midnight/ }).waitFor({ state: 'detached' })
    await page.getByRole('row', { name: /Pink/ }).waitFor()
    await page.getByLabel('Columns of the file').selectOption('shopify')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    expect((await download).suggestedFilename()).toBe('stock-shopify.csv')
    expect(offences).toEqual([])
  })
})
