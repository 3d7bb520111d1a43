import { describe, expect } from 'bun:test'
import { policyStore } from '../../src/appraisal/policy-store.ts'
import { browserTest, hasChromium, joinByLink, PASSWORD } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { OPERATOR } from '../support/service.ts'

const COUNTER = '/dashboard/counter?variant=apple-iphone-13-128gb-midnight&device=apple-iphone-13&grade=Good'

describe.if(hasChromium)('members in a real browser', () => {
  const { at, newPage, signedIn, db, organizationId } = openDashboard('People shop')

  browserTest('an owner invites a clerk, resets their password, makes them manager and removes them', async () => {
    const { page, offences } = await signedIn({ email: 'boss@people.example' })
    await page.goto(at('/dashboard/members'))
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByLabel('Email').fill('carl@people.example')
    expect(await page.getByRole('radio', { name: /Clerk/ }).isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Create link' }).click()
    const invitation = (await page.getByTestId('link').textContent()) ?? ''
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('row', { name: /carl@people.example/ }).waitFor()

    const carl = await newPage()
    await joinByLink(carl.page, invitation, 'Carl')
    await page.reload()
    await page.getByRole('button', { name: 'Reset carl@people.example' }).click()
    await page.getByRole('button', { name: 'Create link' }).click()
    const reset = (await page.getByTestId('link').textContent()) ?? ''
    await page.getByRole('button', { name: 'Done' }).click()
    await carl.page.goto(reset)
    await carl.page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
    await carl.page.getByLabel('Choose a password').fill('seven purple tractors')
    await carl.page.getByRole('button', { name: 'Set password and sign in' }).click()
    await carl.page.getByRole('heading', { name: 'Appraise a device' }).waitFor()
    expect(await carl.page.getByRole('link', { name: 'List', exact: true }).count()).toBe(0)

    await page.getByRole('button', { name: 'Role of carl@people.example' }).click()
    await page.getByRole('radio', { name: /Manager/ }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('row', { name: /Carl/ }).getByText('Manager').waitFor()
    await carl.page.reload()
    await carl.page.getByRole('link', { name: 'List', exact: true }).waitFor()

    await page.getByRole('button', { name: 'Role of boss@people.example' }).click()
    await page.getByRole('radio', { name: /Clerk/ }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The organization needs at least one owner.').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()

    await page.getByRole('button', { name: 'Remove carl@people.example' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('row', { name: /Carl/ }).waitFor({ state: 'detached' })
    await carl.page.reload()
    await carl.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.goto(at('/dashboard/activity'))
    await page.getByText('created a password reset link for carl@people.example').waitFor()
    expect(offences).toEqual([])
    expect(carl.offences).toEqual([])
  })

  browserTest('a clerk appraises without seeing margins, up to the limit of the policy', async () => {
    const terms = { clerk_offer_limit: 100 }
    const usd = { currency: 'USD', unitsPerUsd: 1, rate: null } as never
    await policyStore(db()).change(organizationId(), terms, OPERATOR, Date.now(), () => usd)
    await signedIn({ email: 'chief@people.example', role: 'manager' })
    const { page, offences } = await signedIn({ email: 'clerk@people.example', role: 'clerk' })
    await page.goto(at(COUNTER))
    await page.getByText('You may offer up to $1.').waitFor()
    await page.locator('.offer-amount').first().waitFor()
    for (const hidden of ['Expected profit', 'Resale plans', 'How the offer is calculated', 'Chance of a loss']) {
      expect({ hidden, count: await page.getByText(hidden).count() }).toEqual({ hidden, count: 0 })
    }
    await page.getByRole('button', { name: 'Save' }).click()
    // The question for a manager opens at once, and says what the clerk may not do alone.
    const question = page.getByRole('dialog', { name: 'Approve as a manager' })
    await question.getByText(/above your limit of \$1\.00\. A manager must approve it/).waitFor()
    await question.getByLabel('Manager’s email').fill('chief@people.example')
    await question.getByLabel('Manager’s password').fill(PASSWORD)
    await question.getByRole('button', { name: 'Approve', exact: true }).click()
    await page.getByRole('button', { name: 'Print' }).waitFor()
    await page.goto(at(COUNTER))
    await page.getByLabel('Agreed price (USD)').fill('1')
    await page.getByRole('button', { name: /^Save at \$1/ }).click()
    await page.getByRole('button', { name: 'Print' }).waitFor()
    expect(await page.getByText('How the offer is calculated').count()).toBe(0)
    await page.goto(at('/dashboard/appraisals'))
    await page
      .getByRole('link', { name: /iPhone 13/ })
      .first()
      .waitFor()
    expect(offences).toEqual([])
  })

  browserTest('one button starts and ends watching a price', async () => {
    const { page, offences } = await signedIn({ email: 'watcher@people.example', role: 'clerk' })
    await page.goto(at('/dashboard/devices/apple-iphone-13/price/apple-iphone-13-128gb-midnight'))
    await page.getByRole('button', { name: 'Watch', exact: true }).click()
    await page.getByLabel('Threshold in percent').fill('7')
    await page.getByRole('dialog').getByRole('button', { name: 'Watch', exact: true }).click()
    await page.getByRole('button', { name: 'Watching' }).click()
    await page.getByRole('button', { name: 'Stop watching' }).click()
    await page.getByRole('button', { name: 'Watch', exact: true }).waitFor()
    expect(offences).toEqual([])
  })
})
