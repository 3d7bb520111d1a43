import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { browserTest, hasChromium } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'

describe.if(hasChromium)('the reference in a real browser', () => {
  const { at, newPage, signedIn } = openDashboard('Readers')

  const shownEndpoints = (page: Page) =>
    page.locator('section.endpoint:visible').evaluateAll((sections) => sections.map(({ id }) => id))

  browserTest('the search finds endpoints by words that are not in their title', async () => {
    const { page, offences } = await newPage()
    await page.goto(at('/docs'))
    const all = await shownEndpoints(page)
    await page.keyboard.press('/')
    await page.keyboard.type('stolen')
    await page.locator('#listCategories').waitFor({ state: 'hidden' })
    const found = await shownEndpoints(page)
    expect(found).toContain('assessIdentifier')
    expect(found.length).toBeLessThan(all.length)
    await page.getByLabel('Search the reference').fill('repair pays')
    await page.locator('#getRepairs').waitFor()
    await page.getByLabel('Search the reference').fill('qqqq')
    await page.getByText('Nothing matches.', { exact: true }).waitFor()
    await page.getByLabel('Search the reference').fill('')
    await page.locator('#listCategories').waitFor()
    expect(await shownEndpoints(page)).toEqual(all)
    expect(offences).toEqual([])
  })

  browserTest('a signed-in user tries an endpoint without a key and returns to the dashboard', async () => {
    const { page, offences } = await signedIn({ email: 'of-reference@example.test' })
    await page.goto(at('/docs'))
    const endpoint = page.locator('#assessIdentifier')
    await endpoint.getByText('Try it').click()
    await endpoint.getByPlaceholder('not needed: signed in to Readers').waitFor()
    await endpoint.getByRole('button', { name: 'Send POST request' }).click()
    await endpoint.locator('[data-response] .status').waitFor()
    expect(await endpoint.locator('[data-response] .status').textContent()).toBe('200')
    expect(await endpoint.locator('[data-response] pre').textContent()).toContain('"lookup_id"')
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
    await page.waitForURL((url) => url.pathname === '/dashboard')
    expect(offences).toEqual([])
  })
})
