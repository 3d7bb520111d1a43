import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import {
  browserTest,
  hasChromium,
  joinByLink,
  looksWrong,
  overflow,
  type View,
  WIDTHS,
  wrongIn,
} from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'

/** Accessibility, overflow and external requests of every page. */
export function lookTests(view: View): void {
  const width = WIDTHS[view]
  describe.if(hasChromium)('the layout of the dashboard', () => {
    const { at, newKey, newPage, newPerson, organizationId } = openDashboard('Demo shop')

    browserTest(
      `every page at ${width} is accessible, loads nothing from other hosts and does not overflow`,
      async () => {
        const headers = { Authorization: `Bearer ${await newKey('enterprise')}` }
        for (const path of ['/api/devices', '/api/variants', '/api/nothing', '/api/repairs', '/api/devices?page=2']) {
          await fetch(at(path), { headers })
        }
        const { page, offences } = await newPage({ viewport: { width, height: 900 } })
        const seen: Record<string, string[]> = {}
        const look = async (name: string) => {
          const problems = await looksWrong(page, name, view)
          if (view === 'phone') problems.push(...(await overflowUnfolded(page)))
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
          await page.goto(at(path))
          await look(name)
        }
        await page.goto(at('/docs'))
        if (view === 'desk') {
          await shortenReference(page)
          await look('reference')
        } else {
          // This page takes as long as all others together, so it is examined once, in the view of which the short suite examines only a part.
          const problems = [...(await wrongIn(page, 'reference', 'phone', 'dark')), ...(await overflowUnfolded(page))]
          if (problems.length > 0) seen.reference = problems
        }
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
      },
    )
  })
}

/** The long suite examines all endpoints; the short one a few of them. */
const shortenReference = (page: Page) =>
  page.evaluate(() => {
    for (const endpoint of [...document.querySelectorAll('section.endpoint')].slice(3)) endpoint.remove()
  })

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
