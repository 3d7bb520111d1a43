import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { browserTest, hasChromium, hasFocus, joinByLink, PASSWORD } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { waitUntil } from '../support/wait.ts'

const EVIL = '<img src=x onerror="alert(1)">'

describe.if(hasChromium)('keys in a real browser', () => {
  const { at, newPage, newPerson, signedIn } = openDashboard('Browser test')
  async function makeKey(page: Page, name: string): Promise<string> {
    await page.goto(at('/dashboard/keys'))
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name').fill(name)
    await page.getByRole('button', { name: 'Create key' }).click()
    return (await page.getByTestId('secret').textContent()) ?? ''
  }
  const callWith = (key: string) => fetch(at('/api/devices?limit=1'), { headers: { Authorization: `Bearer ${key}` } })

  browserTest('the first owner creates a key, calls the API with it, sees its usage and revokes it', async () => {
    const { page, offences } = await newPage()
    await joinByLink(page, await newPerson({ email: 'owner@example.test' }), 'Owner')
    const key = await makeKey(page, 'Shop')
    // The default is the lowest tier.
    expect(key).toMatch(/^pk_pub_/)
    expect((await callWith(key)).status).toBe(200)
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByTestId('secret').waitFor({ state: 'detached' })
    expect(await page.content()).not.toContain(key)

    await page.goto(at('/dashboard/usage?by=key_id'))
    await page.getByRole('button', { name: 'Shop' }).waitFor()
    await page.getByText('Rate limit usage').first().waitFor()

    await page.goto(at('/dashboard/keys'))
    await page.getByRole('button', { name: 'Revoke Shop' }).click()
    await page.getByRole('button', { name: 'Revoke key' }).click()
    await page.getByRole('row', { name: /Shop/ }).getByText('revoked').waitFor()
    await waitUntil(async () => (await callWith(key)).status === 401, { describe: 'the revoked key to be rejected' })

    await page.goto(at('/dashboard/activity'))
    await page.getByText('revoked the key “Shop”').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.goto(at('/dashboard/keys'))
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByLabel('Email').fill('owner@example.test')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    expect(offences).toEqual([])
  })

  browserTest('a member sees keys without controls to change them, and the service rejects changes', async () => {
    const { page } = await signedIn({ email: 'member@example.test', role: 'manager' })
    await page.goto(at('/dashboard/keys'))
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    expect(await page.getByRole('button', { name: 'New key' }).count()).toBe(0)
    const status = await page.evaluate(async () => {
      const headers = { 'Content-Type': 'application/json', 'X-Requested-With': 'dashboard' }
      const body = JSON.stringify({ name: 'x', tier: 'public', expires_on: null })
      return (await fetch('/api/manage/keys', { method: 'POST', headers, body })).status
    })
    expect(status).toBe(403)
  })

  browserTest('names and searches that contain markup are shown as text', async () => {
    const { page, offences } = await signedIn({ email: 'careful@example.test' })
    await makeKey(page, EVIL)
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText(EVIL).first().waitFor()
    await page.goto(at(`/dashboard/devices?search=${encodeURIComponent(EVIL)}&make=${encodeURIComponent(EVIL)}`))
    await page.getByText('No devices match').waitFor()
    await page.goto(at(`/dashboard/lookups#${encodeURIComponent(EVIL)}`))
    await page.getByText('No lookups of this IMEI').waitFor()
    await page.goto(at('/dashboard/activity'))
    await page.getByText(EVIL).first().waitFor()
    await page.goto(at(`/dashboard/sign-in?next=${encodeURIComponent('https://evil.example/')}`))
    await page.getByLabel('Email').fill('careful@example.test')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Appraise a device' }).waitFor()
    expect(page.url()).toBe(at('/dashboard'))
    expect(offences).toEqual([])
  })

  browserTest('the table of keys shows in full who created a key', async () => {
    const email = 'purchasing.department@a-long-company-name.example'
    const { page } = await signedIn({ email })
    await makeKey(page, 'Back office')
    await page.getByRole('button', { name: 'Done' }).click()
    const creator = page.getByRole('row', { name: /Back office/ }).getByText(email)
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await creator.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
    }
  })

  browserTest('a dialog closes on Escape and restores the focus', async () => {
    const { page } = await signedIn({ email: 'keyboard@example.test' })
    await page.goto(at('/dashboard/keys'))
    const opener = page.getByRole('button', { name: 'New key' })
    await opener.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await hasFocus(opener)
  })
})
