import { describe, expect } from 'bun:test'
import { browserTest, hasChromium, hasCount, hasValue } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { waitUntil } from '../support/wait.ts'

describe.if(hasChromium)('devices in a real browser', () => {
  const { at, signedIn } = openDashboard('Devices')

  browserTest('an IMEI pasted into the search is offered for a check and is not in the URL', async () => {
    const { page } = await signedIn({ email: 'paster@example.test', role: 'manager' })
    await page.goto(at('/dashboard/devices'))
    await page.getByLabel('Search devices').fill('49 015420 323751 8')
    await page.getByRole('button', { name: 'Check this IMEI' }).click()
    await page.waitForURL(/dashboard\/check$/)
    await hasValue(page.getByLabel('IMEI or serial number', { exact: true }), '49 015420 323751 8')
  })

  browserTest('the search is in the URL: it can be shared, reloaded and left with the back button', async () => {
    const { page } = await signedIn({ email: 'searcher@example.test', role: 'manager' })
    await page.goto(at('/dashboard/devices'))
    await page.getByLabel('Search devices').pressSequentially('iphone 13 mini', { delay: 15 })
    // Earlier the list would still move under the pointer.
    await page.waitForURL(/search=iphone(\+|%20)13(\+|%20)mini/)
    await hasCount(page.getByRole('link', { name: /^iPhone 13( Pro| Pro Max)?$/ }), 0)
    await page.getByRole('link', { name: 'iPhone 13 mini' }).click()
    await page.getByRole('heading', { name: 'iPhone 13 mini' }).waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'iPhone 13 mini' }).waitFor()
    await page.reload()
    await hasValue(page.getByLabel('Search devices'), 'iphone 13 mini')
  })

  browserTest('the arrow keys read out the values of a chart', async () => {
    const { page, offences } = await signedIn({ email: 'reader@example.test', role: 'manager' })
    await page.goto(at('/dashboard/devices/apple-iphone-13/price/apple-iphone-13-128gb-midnight'))
    await page.getByText('simulated history').waitFor()
    await page.locator('.chart .recharts-surface').first().press('ArrowRight')
    await page.locator('.chart-tip').getByText('Week of').waitFor()
    await page.getByRole('radio', { name: 'Poor' }).check()
    await page.getByRole('figure', { name: /grade Poor/ }).waitFor()
    await hasCount(page.locator('.chart .recharts-line'), 2)
    expect(offences).toEqual([])
  })

  browserTest('a device page shows the value of the chosen configuration and its repair costs', async () => {
    const { page, offences } = await signedIn({ email: 'buyer@example.test', role: 'manager' })
    await page.goto(at('/dashboard/devices/apple-iphone-13'))
    const good = page.getByRole('row', { name: /^Good/ }).first()
    await good.waitFor()
    const small = await good.textContent()
    await page.getByRole('radio', { name: '512GB' }).check()
    await waitUntil(async () => (await good.textContent()) !== small, { describe: 'the value of 512GB' })
    await page.getByText('Display replacement').waitFor()
    await page.getByRole('button', { name: /Show all \d+ variants/ }).click()
    await hasCount(page.getByRole('link', { name: /Current price of iPhone 13/ }), 18)
    expect(offences).toEqual([])
  })

  browserTest('Ctrl K goes to a page, a device or the check of an identifier', async () => {
    const { page } = await signedIn({ email: 'quick@example.test' })
    await page.goto(at('/dashboard'))
    await page.getByRole('heading', { level: 1 }).waitFor()
    const box = page.getByRole('combobox', { name: /Search pages, devices/ })
    await page.keyboard.press('Control+k')
    await box.fill('reports')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor()
    await box.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await box.fill('iphone 13 mini')
    await page.getByRole('option', { name: /iPhone 13 mini/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'iPhone 13 mini' }).waitFor()
    await box.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await box.fill('490154203237518')
    await page.keyboard.press('Enter')
    await page.waitForURL(/dashboard\/check$/)
    const identifier = page.getByLabel('IMEI or serial number', { exact: true })
    await hasValue(identifier, '490154203237518')
    await box.waitFor({ state: 'detached' })
    // On the page itself another identifier replaces the first.
    await page.keyboard.press('Control+k')
    await box.fill('358240051111110')
    await page.keyboard.press('Enter')
    await box.waitFor({ state: 'detached' })
    await hasValue(identifier, '358240051111110')
  })

  browserTest('an identifier scanned into the search of devices opens the check page', async () => {
    const { page } = await signedIn({ email: 'device-scanner@example.test' })
    await page.goto(at('/dashboard/devices'))
    await page.getByRole('searchbox').first().focus()
    await page.keyboard.type('490154203237518', { delay: 3 })
    await page.keyboard.press('Enter')
    await page.waitForURL(/dashboard\/check$/)
    await hasValue(page.getByLabel('IMEI or serial number', { exact: true }), '490154203237518')
  })
})
