import { describe, expect } from 'bun:test'
import { browserTest, hasChromium } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { waitUntil } from '../support/wait.ts'

describe.if(hasChromium)('the reference in a real browser', () => {
  const { at, newPage } = openDashboard('More readers')

  browserTest('code samples are shown in the chosen language, which is remembered', async () => {
    const { page, offences } = await newPage()
    await page.goto(at('/docs#getPricing'))
    const shown = (text: string) =>
      waitUntil(
        async () => {
          const samples = await page.locator('#getPricing [data-in]:visible').allTextContents()
          return samples.length === 1 && samples[0]?.includes(text)
        },
        { describe: `one sample, with ${text}` },
      )
    await shown("curl 'http")
    await page.locator('#getPricing').getByRole('button', { name: 'Python' }).first().click()
    await shown('urllib.request.Request(')
    await page.reload()
    await shown('urllib.request.Request(')
    await page.locator('#getPricing').getByRole('button', { name: 'JavaScript' }).first().click()
    await shown("await service.getPricing({ variant_id: 'apple-iphone-13-128gb-midnight' })")
    expect(offences).toEqual([])
  })

  browserTest('a visitor who is not signed in is asked for a key', async () => {
    const { page, offences } = await newPage()
    await page.goto(at('/docs'))
    const endpoint = page.locator('#listDevices')
    await endpoint.getByText('Try it').click()
    await endpoint.getByRole('button', { name: 'Send GET request' }).click()
    await endpoint.locator('[data-response] .status').waitFor()
    expect(await endpoint.locator('[data-response] .status').textContent()).toBe('401')
    expect(offences).toEqual([])
  })
})
