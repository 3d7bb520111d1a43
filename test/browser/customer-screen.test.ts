import { describe, expect } from 'bun:test'
import { browserTest, hasChromium, wrongIn } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'

const COUNTER =
  '/dashboard/counter?variant=apple-iphone-13-128gb-midnight&device=apple-iphone-13&grade=Good&defects=cracked_back'

describe.if(hasChromium)('the screen of the customer', () => {
  const { at, signedIn } = openDashboard('Screen shop')

  browserTest(
    'shows device, condition and offer as the counter changes them, nothing of the margin, and thanks',
    async () => {
      const { page, offences } = await signedIn({ email: 'screen@screen.example' })
      await page.goto(at(COUNTER))
      await page.locator('.offer-amount').first().waitFor()
      const opened = page.context().waitForEvent('page')
      await page.getByRole('button', { name: 'Customer screen in a second window' }).click()
      const screen = await opened
      await screen.getByRole('heading', { name: /iPhone 13 128GB/ }).waitFor()
      await screen.getByText('Screen shop').waitFor()
      await screen.getByText('Good · Cracked back').waitFor()
      const amount = await screen.locator('.customer-amount').textContent()
      expect(await page.locator('.offer-amount').first().textContent()).toBe(amount)
      for (const hidden of [/maximum/i, /profit/i, /margin/i, /resale/i, /risk/i])
        expect({ hidden, count: await screen.getByText(hidden).count() }).toEqual({ hidden, count: 0 })
      expect(await wrongIn(screen, 'customer-screen', 'desk', 'light')).toEqual([])
      expect(await wrongIn(screen, 'customer-screen', 'phone', 'dark')).toEqual([])
      await page.locator('input[name=grade][value=Fair]').check()
      await screen.getByText('Fair · Cracked back').waitFor()
      // A screen that is loaded again asks for what is shown.
      await screen.reload()
      await screen.getByText('Fair · Cracked back').waitFor()
      await page.getByRole('button', { name: 'Buy and print' }).click()
      await screen.getByRole('heading', { name: 'Thank you!' }).waitFor()
      expect(offences).toEqual([])
    },
  )
})
