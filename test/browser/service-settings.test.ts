import { afterAll, beforeAll, describe, expect } from 'bun:test'
import { operatorStore } from '../../src/auth/operator-store.ts'
import { browserTest, hasChromium, keepScreenshot, looksWrong, seriousProblems } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { OPERATOR } from '../support/service.ts'

const SECRET = 'Bearer top-secret-token'

describe.if(hasChromium)('service settings in the dashboard', () => {
  const registry = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) =>
      request.headers.get('authorization') === SECRET
        ? Response.json({ imei: new URL(request.url).pathname.slice(1), status: 'ok' })
        : new Response('no', { status: 401 }),
  })
  afterAll(() => registry.stop(true))
  // A separate program: the settings apply to the whole service.
  const dashboard = openDashboard('Operator shop', { LOG_LEVEL: 'warn', LOOKUP_RETENTION_DAYS: '90' })
  beforeAll(() =>
    operatorStore(dashboard.db()).setOperatorOrganization(dashboard.organizationId(), OPERATOR, Date.now()),
  )

  browserTest(
    'the operator turns sample data off, adds and tests a source, pauses a feed and starts a backup',
    async () => {
      const { page, offences } = await dashboard.signedIn({ email: 'operator@example.test' })
      await page.goto(dashboard.at('/dashboard'))
      await page.getByRole('link', { name: 'Server' }).click()
      const card = (title: string) =>
        page.locator('.card', { has: page.getByRole('heading', { name: title, exact: true }) })

      const general = card('General')
      await general.getByText('Set by the variable LOOKUP_RETENTION_DAYS').waitFor()
      expect(await general.getByLabel('Retention of lookups and appraisals, in days').isDisabled()).toBe(true)
      await general.getByLabel('Sample data').selectOption('off')
      await general
        .locator('form', { has: page.getByLabel('Sample data') })
        .getByRole('button', { name: 'Save' })
        .click()
      await general.getByRole('button', { name: 'Use the default (on)' }).waitFor()

      await page.getByRole('button', { name: 'New organization' }).click()
      const newOrganization = page.getByRole('dialog')
      await newOrganization.getByLabel('Name').fill('Second shop')
      await newOrganization.getByLabel('Email of its first owner').fill('second@example.test')
      await newOrganization.getByRole('button', { name: 'Create and invite' }).click()
      expect(await page.getByTestId('link').textContent()).toContain('/dashboard/join#')
      await page.getByRole('button', { name: 'Done' }).click()
      await page.getByRole('button', { name: 'Edit Second shop' }).click()
      await page.getByRole('dialog').getByLabel('Tier').selectOption('paid')
      await page.getByRole('dialog').getByLabel('Requests per minute').fill('90')
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
      await page
        .getByRole('row', { name: /Second shop paid 90/ })
        .first()
        .waitFor()

      await page.getByRole('button', { name: 'Remove Second shop' }).click()
      const removal = page.getByRole('dialog', { name: 'Remove Second shop?' })
      const confirm = removal.getByRole('button', { name: 'Remove for good' })
      await removal.getByLabel('Type “Second shop” to confirm').fill('Second')
      expect(await confirm.isDisabled()).toBe(true)
      await removal.getByLabel('Type “Second shop” to confirm').fill('Second shop')
      expect(await seriousProblems(page)).toEqual([])
      await confirm.click()
      await page
        .getByRole('row', { name: /Second shop being removed/ })
        .first()
        .waitFor()
      expect(await page.getByRole('button', { name: /Remove (Second|Operator) shop/ }).count()).toBe(0)

      await page.getByRole('link', { name: 'Activity of all' }).click()
      await page.getByText('created the organization “Second shop”').waitFor()
      await page.getByLabel('Organization').selectOption({ label: 'Operator shop' })
      await page.getByText('created the organization “Second shop”').waitFor({ state: 'hidden' })
      await page.getByText('created the organization “Operator shop”').waitFor()
      expect(await looksWrong(page, 'all-activity', 'desk')).toEqual([])
      await page.getByRole('link', { name: 'Server' }).first().click()

      await page.getByRole('button', { name: 'Add source' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('JSON (advanced)').check()
      await dialog.getByLabel('Definition').fill(
        JSON.stringify({
          name: 'corner-registry',
          speaks_for: ['blacklist'],
          request: { url: `http://127.0.0.1:${registry.port}/{identifier}` },
          answer: { identifier: 'imei', facts: { blacklist: { path: 'status', words: { ok: 'clean' } } } },
        }),
      )
      await dialog.getByLabel('Form', { exact: true }).check()
      expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('corner-registry')
      await dialog.getByLabel('Header with the secret').fill('Authorization')
      await dialog.getByLabel('Secret', { exact: true }).fill(SECRET)
      await dialog.getByLabel('Area it covers').fill('LT')
      await dialog.getByLabel('IMEI or serial number', { exact: true }).fill('356938035643809')
      await dialog.getByRole('button', { name: 'Test' }).click()
      await dialog.getByText('Responded').waitFor()
      await dialog.getByRole('button', { name: 'Save' }).click()
      const row = page.getByRole('row', { name: /corner-registry/ })
      await row.getByText('Blacklist').waitFor()
      await row.getByRole('button', { name: 'Edit' }).click()
      expect(await dialog.getByLabel('Area it covers').inputValue()).toBe('LT')
      await dialog.getByRole('button', { name: 'Cancel' }).click()

      await page.getByRole('button', { name: 'Add feed' }).click()
      await dialog.getByLabel('Name').fill('supplier')
      await dialog.getByLabel('Address').fill('https://supplier.example/prices.csv')
      await dialog.getByRole('button', { name: 'Add feed' }).click()
      const feed = page.getByRole('row', { name: /supplier/ })
      await feed.getByRole('button', { name: 'Pause' }).click()
      await feed.getByText('Paused').waitFor()
      await feed.getByRole('button', { name: 'Edit' }).click()
      await dialog.getByLabel('Address').fill('https://supplier.example/offers.csv')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await feed.getByText('offers.csv').waitFor()
      await card('E-mail').getByText('SMTP_URL', { exact: true }).waitFor()

      await card('Backup').getByRole('button', { name: 'Back up now' }).click()
      await card('Backup')
        .getByText(/^Last backup/)
        .waitFor()
      await card('Base URL').getByText('Links work on the machine of the service only.').waitFor()
      expect(await looksWrong(page, 'service-settings', 'desk')).toEqual([])
      await keepScreenshot(page, 'service-settings-1440-light')
      expect(await page.content()).not.toContain('top-secret')
      expect(offences).toEqual([])
    },
  )
})
