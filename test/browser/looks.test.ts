import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { hasChromium, joinByLink, looksWrong, newOrganization, type Scheme } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { filledDataDir, newDataDir, runProgram } from '../support/program.ts'

setDefaultTimeout(180_000)

/** Looks do not depend on the database. */
describe.if(hasChromium)('the looks of the dashboard', () => {
  const { at, program, newPage, newPerson } = openDashboard('Browser test', async () => {
    const feeds = join(newDataDir(), 'feeds.json')
    writeFileSync(feeds, JSON.stringify({ feeds: [{ name: 'market', format: 'observations', url: 'prices.csv' }] }))
    return { DATA_DIR: filledDataDir(), FEEDS_FILE: feeds }
  })

  for (const [width, schemeOfReference] of [
    [1360, 'light'],
    [390, 'dark'],
  ] as const) {
    test(`every page at ${width}, light and dark: nobody is shut out, nothing comes from elsewhere, nothing overflows`, async () => {
      const organizationId = await newOrganization(program(), 'Demo shop')
      const key = (
        await runProgram(['key', 'create', '--org', organizationId, '--tier', 'enterprise'], program().environment)
      ).stdout
      for (const path of ['/api/devices', '/api/variants', '/api/nothing', '/api/repairs', '/api/devices?page=2']) {
        await fetch(at(path), { headers: { Authorization: `Bearer ${key.trim()}` } })
      }
      const { page, offences } = await newPage({ viewport: { width, height: 844 } })
      const seen: Record<string, string[]> = {}
      const look = async (name: string, schemes?: readonly Scheme[]) => {
        const problems = await looksWrong(page, name, schemes)
        if (width < 400) problems.push(...(await sidewaysTables(page)))
        if (problems.length > 0) seen[name] = problems
      }
      await page.goto(await newPerson({ email: `look-${width}@example.test`, organizationId }))
      await page.getByLabel('Your name').waitFor()
      await look('join')
      await joinByLink(page, page.url(), 'Ada Lovelace')
      for (const identifier of ['100000010000015', '100000010000205', '100000010000023']) {
        await page.goto(at('/dashboard/check'))
        await page.getByLabel('Identifier').fill(identifier)
        await page.getByRole('button', { name: 'Check' }).click()
        await page.getByText('Why this score').waitFor()
      }
      await look('lookup')
      for (const [name, path] of Object.entries(PAGES)) {
        await page.goto(at(path))
        await page.locator('h1').waitFor()
        await look(name)
      }
      // The reference is as long as all the others together: once in each width and once in each set of colours.
      await page.goto(at('/docs'))
      await look('reference', [schemeOfReference])
      await page.goto(at('/dashboard/keys'))
      await page.getByRole('button', { name: 'New key' }).click()
      await look('key-dialog')
      await page.context().clearCookies()
      await page.goto(at('/dashboard/sign-in'))
      await page.getByLabel('Email').waitFor()
      await look('sign-in')
      expect(seen).toEqual({})
      expect(offences).toEqual([])
      await page.context().close()
    })
  }
})

/** On a phone a table becomes cards; none is to be pushed sideways. */
const sidewaysTables = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    for (const folded of document.querySelectorAll('details')) folded.open = true
    return [...document.querySelectorAll('.scroll')]
      .filter((around) => around.scrollWidth > around.clientWidth + 1)
      .map((around) => `${around.getAttribute('aria-label')} scrolls sideways`)
  })

const PAGES = {
  overview: '/dashboard',
  keys: '/dashboard/keys',
  usage: '/dashboard/usage',
  webhooks: '/dashboard/webhooks',
  devices: '/dashboard/devices',
  search: '/dashboard/devices?search=galaxy+s&make=Samsung',
  device: '/dashboard/devices/apple-iphone-13',
  repairs: '/dashboard/devices/apple-iphone-13/repairs',
  price: '/dashboard/devices/apple-iphone-13/price/apple-iphone-13-128gb-midnight',
  check: '/dashboard/check',
  lookups: '/dashboard/lookups',
  members: '/dashboard/members',
  activity: '/dashboard/activity',
  imports: '/dashboard/imports',
  account: '/dashboard/account',
  docs: '/dashboard/docs',
  missing: '/dashboard/nowhere',
} as const
