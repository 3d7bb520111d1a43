import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { browserTest, hasChromium } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'

const LATENCY_MS = 150

/** Files of a worker share a program, so email addresses must differ. */
let people = 0

/** The counter behind a slow network, and its question box. */
export function openQuestionBox() {
  const dashboard = openDashboard('Question box')
  const { at } = dashboard
  let page: Page
  const box = () => page.getByRole('combobox', { name: 'Find a device' })
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })

  async function openCounter(): Promise<string[]> {
    const watched = await dashboard.signedIn({ email: `typist-${++people}@example.test` })
    page = watched.page
    await page.goto(at('/dashboard/counter'))
    await box().waitFor()
    const network = await page.context().newCDPSession(page)
    await network.send('Network.enable')
    const unlimited = { offline: false, downloadThroughput: -1, uploadThroughput: -1 }
    await network.send('Network.emulateNetworkConditions', { ...unlimited, latency: LATENCY_MS })
    return watched.offences
  }
  async function ask(text: string, delay: number): Promise<void> {
    await page.evaluate(() => history.pushState(null, '', '/dashboard/counter'))
    await box().pressSequentially(text, { delay })
    await page.keyboard.press('Enter')
  }
  return { at, ask, box, heading, openCounter, page: () => page }
}

/** Typing speed in milliseconds per key. */
export function typingTests(delay: number): void {
  describe.if(hasChromium)('the question box', () => {
    const { ask, heading, openCounter, page } = openQuestionBox()

    browserTest(`reads the text as typed on Enter, at ${delay} ms a key`, async () => {
      const offences = await openCounter()
      await ask('iphone 13', delay)
      await heading('iPhone 13').waitFor()
      await page().getByText('Matched by name · 96 % confidence').waitFor()
      await ask('galaxy s21 ultra 256', delay)
      await heading('Galaxy S21 Ultra 256GB').waitFor()
      await page().locator('.chip[aria-pressed=true]', { hasText: '256GB' }).waitFor()
      await ask('iphone 13 schwarz 128 gb', delay)
      await heading('iPhone 13 128GB Midnight').waitFor()
      expect(offences).toEqual([])
    })
  })
}
