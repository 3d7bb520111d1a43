import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import {
  browserTest,
  follow,
  hasChromium,
  joinByLink,
  keepScreenshot,
  looksWrong,
  overflow,
  WIDTHS,
  wrongIn,
} from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'

const width = WIDTHS.phone

/** Accessibility, overflow and external requests of every page, on a phone and at a desk. */
describe.if(hasChromium)('the layout of the dashboard', () => {
  const { at, newKey, newPage, newPerson, organizationId } = openDashboard('Demo shop')

  browserTest('every page is accessible, loads nothing from other hosts and does not overflow', async () => {
    const headers = { Authorization: `Bearer ${await newKey('enterprise')}` }
    for (const path of ['/api/devices', '/api/variants', '/api/nothing', '/api/repairs', '/api/devices?page=2']) {
      await fetch(at(path), { headers })
    }
    const { page, offences } = await newPage({ viewport: { width, height: 900 } })
    const seen: Record<string, string[]> = {}
    const look = async (name: string) => {
      const problems = await looksWrong(page, name, 'phone')
      problems.push(...(await overflowUnfolded(page)))
      if (problems.length > 0) seen[name] = problems
    }
    await page.goto(await newPerson({ email: `look-${width}@example.test`, organizationId: organizationId() }))
    await page.getByLabel('Your name').waitFor()
    await look('join')
    await joinByLink(page, page.url(), 'Ada Lovelace')
    for (const identifier of ['100000010000015', '100000010000205', '100000010000023']) {
      await page.goto(at('/dashboard/check'))
      await page.getByLabel('IMEI or serial number').fill(identifier)
      await page.getByRole('button', { name: 'Check' }).click()
      await page.getByText('Risk factors').waitFor()
    }
    await look('lookup')
    for (const [name, path] of Object.entries(PAGES)) {
      await follow(page, at(path))
      await look(name)
    }
    await page.goto(at('/docs'))
    const problems = await referenceProblems(page)
    if (problems.length > 0) seen.reference = problems
    await page.goto(at('/dashboard/keys'))
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByRole('dialog').waitFor()
    await look('key-dialog')
    await page.context().clearCookies()
    await page.goto(at('/dashboard/sign-in'))
    await page.getByLabel('Email').waitFor()
    await look('sign-in')
    expect(seen).toEqual({})
    expect(offences).toEqual([])
  })
})

/** Overflow of the whole page, and the accessibility of what differs in it. */
async function referenceProblems(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' })
  await keepScreenshot(page, `reference-${WIDTHS.phone}-dark`)
  const problems = [...(await overflow(page)), ...(await overflowUnfolded(page))]
  await page.setViewportSize({ width: WIDTHS.desk, height: 900 })
  problems.push(...(await overflow(page)))
  await removeRepetitions(page)
  problems.push(...(await wrongIn(page, 'reference', 'desk', 'light')))
  problems.push(...(await wrongIn(page, 'reference', 'phone', 'dark')))
  await page.emulateMedia({ colorScheme: 'light' })
  return problems
}

/**
 * The reference has 48,000 elements, most of which differ from others only in their words. Of elements with the same tags,
 * classes and attributes down from the body two remain, one for each colour of a row. Ids are compared before.
 */
async function removeRepetitions(page: Page): Promise<void> {
  const repeatedIds = await page.evaluate(() => {
    const ids = Array.from(document.querySelectorAll('[id]'), ({ id }) => id)
    const paths = new Map<Element, string>()
    for (const element of document.querySelectorAll('body, body *')) {
      const hasText = [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
      )
      const own = [element.tagName, element.className, ...element.getAttributeNames(), hasText].join(' ')
      const above = element.parentElement && paths.get(element.parentElement)
      paths.set(element, `${above ?? ''}>${own}`)
    }
    const counts = new Map<string, number>()
    const isKnown = (element: Element) => (counts.get(paths.get(element) ?? '') ?? 0) >= 2
    function visit(element: Element): void {
      // Never a label without its field.
      const isBlock = element.matches('section, div, details, table, tr, li, p, pre')
      if (isBlock && isKnown(element) && [...element.querySelectorAll('*')].every(isKnown)) {
        element.remove()
        return
      }
      const path = paths.get(element) ?? ''
      counts.set(path, (counts.get(path) ?? 0) + 1)
      for (const child of [...element.children]) visit(child)
    }
    visit(document.body)
    return ids.filter((id, at) => ids.indexOf(id) !== at)
  })
  expect(repeatedIds).toEqual([])
}

async function overflowUnfolded(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    for (const folded of document.querySelectorAll('details')) folded.open = true
  })
  return overflow(page)
}

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
  learned: '/dashboard/learned-tacs',
  members: '/dashboard/members',
  activity: '/dashboard/activity',
  imports: '/dashboard/imports',
  account: '/dashboard/account',
  docs: '/dashboard/docs',
  missing: '/dashboard/nowhere',
} as const
