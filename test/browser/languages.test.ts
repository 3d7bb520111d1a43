import { describe, expect } from 'bun:test'
import { browserTest, hasChromium, keepScreenshot, looksWrong } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'

describe.if(hasChromium)('in other languages', () => {
  const dashboard = openDashboard('Eckladen')
  const { at } = dashboard

  browserTest('a phone is appraised, saved and printed in German, with German numbers', async () => {
    const look = { locale: 'de-DE', viewport: { width: 1440, height: 900 } }
    const { page, offences } = await dashboard.signedIn({ email: 'verkauf@example.test', look })
    await page.goto(at('/dashboard/settings'))
    await page.context().request.patch(at('/api/manage/settings'), {
      data: { currency: 'EUR' },
      headers: { Origin: at('').replace(/\/$/, ''), 'X-Requested-With': 'dashboard' },
    })
    await page.goto(at('/dashboard/counter'))
    await page.getByRole('heading', { name: 'Gerät bewerten' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    await page.getByRole('combobox', { name: 'Gerät suchen' }).fill('iphone 13 128gb midnight')
    await page.getByRole('option', { name: /iPhone 13 128GB Midnight/ }).click()
    await page.getByRole('radio', { name: /^Gut/ }).check()
    await page.getByRole('checkbox', { name: /Displaybruch/ }).check()
    const offer = page.getByRole('complementary', { name: 'Angebot' })
    await offer.getByText('Verlustrisiko').waitFor()
    await page.waitForFunction(() => !document.querySelector('.is-stale'))
    expect(await offer.locator('.offer-amount').textContent()).toMatch(/^[\d.]+(?:,\d\d)?\u00a0€$/)
    expect(await looksWrong(page, 'counter-german', 'desk')).toEqual([])
    await keepScreenshot(page, 'counter-german-1440')
    await page.setViewportSize({ width: 390, height: 900 })
    await keepScreenshot(page, 'counter-german-390')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByLabel('Ihre Referenz').fill('LAGER-1')
    await offer.getByRole('button', { name: 'Speichern' }).click()
    await page.waitForURL(/\/dashboard\/appraisals\/apr_/)
    const receipt = page.getByRole('article', { name: 'Beleg' })
    await receipt.getByText('Displaybruch').waitFor()
    await receipt.getByText('Datum, Unterschrift Verkäufer').waitFor()
    await receipt.getByText(/Angebot gültig bis \d+\. /).waitFor()
    expect(await looksWrong(page, 'receipt-german', 'desk')).toEqual([])
    await keepScreenshot(page, 'receipt-german-1440')

    await page.getByRole('button', { name: 'Code erstellen', exact: true }).click()
    const address = (await page.getByTestId('verify-address').textContent()) ?? ''
    const path = new URL(address).pathname
    const reader = await dashboard.newPage({ locale: 'pl-PL' })
    await reader.page.goto(at(path))
    await reader.page.getByRole('heading', { name: 'To potwierdzenie jest autentyczne' }).waitFor()

    await page.goto(at('/dashboard/appraisals'))
    await page.getByRole('columnheader', { name: 'Zustand' }).waitFor()
    expect(await looksWrong(page, 'history-german', 'desk')).toEqual([])
    await keepScreenshot(page, 'history-german-1440')
    expect(offences).toEqual([])
  })

  browserTest('a person sets their language, and receipts use that of the organization', async () => {
    const { page, offences } = await dashboard.signedIn({
      email: 'language-owner@example.test',
      look: { locale: 'en-US' },
    })
    await page.goto(at('/dashboard/account'))
    await page.getByRole('main').getByLabel('Language').selectOption('fr')
    await page.getByRole('navigation', { name: 'Principal' }).getByText('Appareils').waitFor()
    await page.goto(at('/dashboard/receipt'))
    await page.getByRole('heading', { name: 'Reçu', level: 1 }).waitFor()
    await page.getByRole('main').getByLabel('Langue').selectOption('lt')
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await page.getByRole('button', { name: 'Enregistrer' }).click()
    await saved
    await page.goto(at('/dashboard/appraisals'))
    await page.locator('tbody a').first().click()
    await page.getByRole('button', { name: 'Imprimer' }).waitFor()
    await page.getByRole('article', { name: 'Kvitas' }).getByText('Data, pardavėjo parašas').waitFor()
    // Before sign-in, the browser remembers the language.
    await page.getByRole('button', { name: 'Se déconnecter' }).click()
    await page.getByRole('heading', { name: 'Se connecter' }).waitFor()
    expect(offences).toEqual([])
  })
})
