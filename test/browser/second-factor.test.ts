import { describe, expect } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { browserTest, hasChromium, joinByLink, keepScreenshot, PASSWORD, seriousProblems } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'

const EMAIL = 'ada@shop.example'

describe.if(hasChromium)('a second factor in a real browser', () => {
  const { at, newPage, newPerson } = openDashboard('Careful shop')

  async function typePassword(page: Page) {
    await page.goto(at('/dashboard/sign-in'))
    await page.getByLabel('Email').fill(EMAIL)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }

  browserTest('an app and a passkey are added, required at sign-in, and sufficient', async () => {
    const { page, offences } = await newPage()
    await joinByLink(page, await newPerson({ email: EMAIL }), 'Ada')
    await page.goto(at('/dashboard/account'))
    await page.getByRole('button', { name: 'Add an app' }).click()
    await page.getByLabel('Your password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Continue' }).click()
    const secret = (await page.getByTestId('totp-secret').textContent()) ?? ''
    await keepScreenshot(page, 'second-factor-scan-1440')
    const code = (later = 0) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + later * 30_000 })
    await page.getByLabel('Code from the app').fill('000000')
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('alert').getByText('six digits').waitFor()
    await page.getByLabel('Code from the app').fill(code())
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByTestId('recovery-codes').waitFor()
    expect(await page.getByTestId('recovery-codes').getByRole('listitem').count()).toBe(10)
    await page.keyboard.press('Escape')
    const recovery = (await page.getByTestId('recovery-codes').getByRole('listitem').first().textContent()) ?? ''
    await page.getByRole('button', { name: 'Done' }).click()

    // Chromium's virtual authenticator confirms like a finger on the sensor.
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByLabel('Name', { exact: true }).last().fill('Laptop')
    await page.getByLabel('Your password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create passkey' }).click()
    await page.getByRole('button', { name: 'Remove Laptop' }).waitFor()
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      await keepScreenshot(page, `account-${width}`)
    }
    expect(await seriousProblems(page)).toEqual([])
    await page.setViewportSize({ width: 1440, height: 900 })

    await typePassword(page)
    await page.getByRole('button', { name: 'Use your passkey' }).click()
    await page.getByRole('heading', { name: 'Appraise a device' }).waitFor()

    await page.goto(at('/dashboard/sign-in'))
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByRole('heading', { name: 'Appraise a device' }).waitFor()

    await typePassword(page)
    await page.getByLabel('Authenticator code').fill(code(1))
    await keepScreenshot(page, 'second-step-1440')
    expect(await seriousProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Appraise a device' }).waitFor()

    await typePassword(page)
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByLabel('Recovery code').fill(recovery.toLowerCase())
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Appraise a device' }).waitFor()

    // A person without a second factor only sees where to add one.
    await page.goto(at('/dashboard/members'))
    // The box is ticked once the service has confirmed.
    await page.getByLabel('Require two-factor authentication').click()
    await page.getByRole('checkbox', { checked: true }).waitFor()
    const other = await newPage()
    await other.page.goto(await newPerson({ email: 'bob@shop.example', role: 'manager' }))
    await other.page.getByLabel('Your name').fill('Bob')
    await other.page.getByLabel('Choose a password').fill(PASSWORD)
    await other.page.getByRole('button', { name: 'Set password and sign in' }).click()
    await other.page.getByText('Careful shop requires two-factor authentication').waitFor()
    await other.page.goto(at('/dashboard/keys'))
    await other.page.getByText('Careful shop requires two-factor authentication').waitFor()
    await keepScreenshot(other.page, 'second-factor-required')
    expect(offences).toEqual([])
  })
})
