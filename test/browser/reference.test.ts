import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { hasChromium, joinByLink, newLink, newOrganization, newPage, openBrowser } from '../support/browser.ts'
import { type RunningProgram, startProgram } from '../support/program.ts'

setDefaultTimeout(120_000)

describe.if(hasChromium)('the reference in a real browser', () => {
  let program: RunningProgram
  let browser: Browser
  beforeAll(async () => {
    program = await startProgram({ LOG_LEVEL: 'error' })
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await program.stop()
  })

  const shownEndpoints = (page: Page) =>
    page.locator('section.endpoint:visible').evaluateAll((sections) => sections.map(({ id }) => id))

  test('a word that stands in no title finds what it is about', async () => {
    const { page, offences } = await newPage(browser, program.url)
    await page.goto(`${program.url}/docs`)
    const all = await shownEndpoints(page)
    await page.keyboard.press('/')
    await page.keyboard.type('stolen')
    const found = await shownEndpoints(page)
    expect(found).toContain('assessIdentifier')
    expect(found).not.toContain('listCategories')
    expect(found.length).toBeLessThan(all.length)
    await page.getByLabel('Search the reference').fill('mending pays')
    expect(await shownEndpoints(page)).toContain('getRepairs')
    await page.getByLabel('Search the reference').fill('qqqq')
    expect(await page.getByText('Nothing matches.', { exact: true }).isVisible()).toBe(true)
    await page.getByLabel('Search the reference').fill('')
    expect(await shownEndpoints(page)).toEqual(all)
    expect(offences).toEqual([])
  })

  test('requests are shown in the language that was chosen, and it is kept', async () => {
    const { page, offences } = await newPage(browser, program.url)
    await page.goto(`${program.url}/docs#getPricing`)
    const shown = () => page.locator('#getPricing [data-in]:visible').allTextContents()
    expect((await shown()).join()).toContain("curl 'http")
    await page.locator('#getPricing').getByRole('button', { name: 'Python' }).first().click()
    expect(await shown()).toHaveLength(1)
    expect((await shown())[0]).toContain('urllib.request.Request(')
    await page.reload()
    expect((await shown())[0]).toContain('urllib.request.Request(')
    await page.locator('#getPricing').getByRole('button', { name: 'JavaScript' }).first().click()
    expect((await shown())[0]).toContain("await service.getPricing({ variant_id: 'apple-iphone-13-128gb-midnight' })")
    expect(offences).toEqual([])
  })

  test('whoever is signed in tries it without a key, and finds the way back to the dashboard', async () => {
    const { page, offences } = await newPage(browser, program.url)
    const organization = await newOrganization(program, 'Readers')
    await joinByLink(page, await newLink(program, 'reader@example.test', organization, 'owner'), 'Reader')
    await page.goto(`${program.url}/docs`)
    const endpoint = page.locator('#assessIdentifier')
    await endpoint.getByText('Try it').click()
    await endpoint.getByPlaceholder('not needed: signed in for Readers').waitFor()
    await endpoint.getByRole('button', { name: 'Send POST request' }).click()
    await endpoint.locator('[data-answer] .status').waitFor()
    expect(await endpoint.locator('[data-answer] .status').textContent()).toBe('200')
    expect(await endpoint.locator('[data-answer] pre').textContent()).toContain('"lookup_id"')
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await page.waitForURL((url) => url.pathname === '/dashboard')
    expect(offences).toEqual([])
  })

  test('whoever is not signed in is asked for a key', async () => {
    const { page, offences } = await newPage(browser, program.url)
    await page.goto(`${program.url}/docs`)
    const endpoint = page.locator('#listDevices')
    await endpoint.getByText('Try it').click()
    await endpoint.getByRole('button', { name: 'Send GET request' }).click()
    await endpoint.locator('[data-answer] .status').waitFor()
    expect(await endpoint.locator('[data-answer] .status').textContent()).toBe('401')
    expect(offences).toEqual([])
  })
})
