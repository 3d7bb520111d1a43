import { describe, expect } from 'bun:test'
import { browserTest, hasChromium, wrongIn } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'

describe.if(hasChromium)('price rules in the dashboard', () => {
  const { at, signedIn } = openDashboard('Rules shop')

  browserTest('an owner limits the offer for a model, and the counter shows the rule as a step', async () => {
    const { page, offences } = await signedIn({ email: 'rules@example.test' })
    await page.goto(at('/dashboard/price-rules'))
    await page.getByRole('button', { name: 'Add rule' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add price rule' })
    await dialog.getByLabel('Highest offer in USD').fill('60')
    await dialog.getByRole('combobox', { name: 'Devices' }).fill('iphone 13')
    await dialog
      .getByRole('option', { name: /iPhone 13 / })
      .first()
      .click()
    await dialog.getByRole('button', { name: 'Good' }).click()
    await dialog.getByLabel('Name').fill('Too many in stock')
    expect(await wrongIn(page, 'price-rule-dialog', 'phone', 'light')).toEqual([])
    await dialog.getByRole('button', { name: 'Save rule' }).click()
    const row = page.getByRole('row', { name: /Never over \$60/ })
    await row.getByText('Too many in stock').waitFor()
    expect(await row.textContent()).toMatch(/iPhone 13.*Good.*Always.*Active/)
    expect(await wrongIn(page, 'price-rules', 'desk', 'dark')).toEqual([])

    await page.goto(at('/dashboard/counter'))
    await page.getByRole('combobox', { name: 'Find a device' }).fill('iphone 13 128gb midnight')
    await page.keyboard.press('Enter')
    await page.getByRole('radio', { name: /Good/ }).check()
    await page.getByText('Price rule "Too many in stock": at most $60.00').first().waitFor({ state: 'attached' })

    await page.goto(at('/dashboard/price-rules'))
    await row.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No price rules yet').waitFor()
    expect(offences).toEqual([])
  })
})
