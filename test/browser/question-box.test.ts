import { describe, expect } from 'bun:test'
import type { Route } from 'playwright-core'
import { browserTest, hasChromium } from '../support/browser.ts'
import { waitUntil } from '../support/wait.ts'
import { openQuestionBox, typingTests } from './question-box-tests.ts'

/** A TAC of the bundled list that names the iPhone 11 with 60 % confidence. */
const IPHONE_11 = '352925111234565'
const CLEAN = '100000010000015'
const PREVIEW = '**/api/appraisals/preview'

typingTests(40)

describe.if(hasChromium)('the question box', () => {
  const { at, ask, box, heading, openCounter, page } = openQuestionBox()
  const offer = () => page().getByRole('complementary', { name: 'Offer' })
  const save = () => offer().getByRole('button', { name: 'Save' })

  browserTest('takes the input of a scanner and a pasted title', async () => {
    const offences = await openCounter()
    await ask(CLEAN, 3)
    await page().waitForURL(/counter\?lookup=lkp_/)
    await page().getByText('low risk').waitFor()
    await page().goto(at('/dashboard/counter'))
    await box().focus()
    await page().keyboard.insertText(
      `iPhone 13 256GB Blue, cracked screen, battery 79 %, no Face ID, SIM-locked IMEI ${CLEAN}`,
    )
    await page().keyboard.press('Enter')
    await heading('iPhone 13 256GB Blue').waitFor()
    expect(page().url()).not.toContain(CLEAN)
    const ticked = page().locator('.defect:has(:checked)')
    const names = (await ticked.allTextContents()).map((text) => text.replace(/from your text.*/, '').trim())
    expect(names.sort()).toEqual(['Carrier lock', 'Cracked screen', 'Face or fingerprint sensor', 'Weak battery'])
    expect(offences).toEqual([])
  })

  browserTest('never accepts a suggestion for an earlier text', async () => {
    const offences = await openCounter()
    await box().pressSequentially('iphone 1', { delay: 40 })
    const first = page().getByRole('option').first()
    await page().locator('[role=option][aria-disabled=false]').first().waitFor()
    const heldRoutes: Route[] = []
    let isHolding = true
    const hold = (route: Route) => (isHolding ? void heldRoutes.push(route) : route.continue())
    await page().route(/api.(match|devices)/, hold)
    await box().pressSequentially('3')
    await page().locator('[role=option][aria-disabled=true]').first().waitFor()
    await first.dispatchEvent('click')
    await page().keyboard.press('ArrowDown')
    await page().keyboard.press('Enter')
    await waitUntil(() => heldRoutes.length > 0, { describe: 'the text to be matched' })
    expect(new URL(page().url()).search).toBe('')
    isHolding = false
    for (const route of heldRoutes) await route.continue().catch(() => {})
    await heading('iPhone 13').waitFor()
    expect(offences).toEqual([])
  })

  browserTest('keeps the buttons in their place while the offer for another grade loads', async () => {
    const offences = await openCounter()
    await ask('iPhone 13 128GB', 40)
    await page().getByText('Sample data:').waitFor()
    // The choices above the grades come with the device, after the offer.
    await page().locator('.chip[aria-pressed=true]').waitFor()
    const heldRoutes: Route[] = []
    await page().route(PREVIEW, (route) => void heldRoutes.push(route))
    const fair = page().getByRole('radio', { name: /Fair/ })
    const before = await fair.boundingBox()
    await fair.check()
    await waitUntil(() => heldRoutes.length > 0, { describe: 'the preview to be requested' })
    expect(await fair.boundingBox()).toEqual(before)
    await page().unroute(PREVIEW)
    for (const route of heldRoutes) await route.continue().catch(() => {})
    await page().locator('.is-stale').first().waitFor({ state: 'detached' })
    expect(await fair.boundingBox()).toEqual(before)
    expect(offences).toEqual([])
  })

  browserTest('has no sample-data banner once another device is to be appraised', async () => {
    const offences = await openCounter()
    await ask('iPhone 13 128GB', 40)
    const banner = page().getByText('Sample data:')
    await banner.waitFor()
    await page().getByRole('link', { name: 'Appraise another' }).click()
    await box().waitFor()
    await banner.waitFor({ state: 'detached' })
    expect(offences).toEqual([])
  })

  browserTest('reports a storage size that never existed instead of an offer', async () => {
    const offences = await openCounter()
    await ask('iPhone 13 64GB', 40)
    await page().getByText('Conflict: iPhone 13 is not available with storage "64GB".').waitFor()
    await page().getByRole('radio', { name: /Good/ }).check()
    await offer().getByText('No offer yet').waitFor()
    await page().getByRole('button', { name: '128GB' }).click()
    await offer().getByText('Buy', { exact: true }).waitFor()
    expect(offences).toEqual([])
  })

  browserTest('asks to check a mistyped number in amber, and records an unknown device that was declined', async () => {
    const offences = await openCounter()
    await ask('356938035643808', 3)
    const card = page().locator('.card', { hasText: 'Check the number' })
    await card.waitFor()
    expect(await card.locator('.ring').count()).toBe(0)
    expect(await page().getByText('critical risk').count()).toBe(0)
    await card.getByRole('button', { name: '356938035643809' }).click()
    await page().getByText('Not checked against stolen lists: no source covers this IMEI.').waitFor()
    await page().getByRole('button', { name: 'Save as declined' }).click()
    await page().waitForURL(/\/dashboard\/appraisals\/apr_/)
    await page().getByRole('article', { name: 'Receipt' }).getByText('Not bought').waitFor()
    expect(offences).toEqual([])
  })

  browserTest('keeps the confidence of an identifier when the storage is chosen', async () => {
    const offences = await openCounter()
    await ask(IPHONE_11, 3)
    await page().getByText('Matched by IMEI · 60 % confidence').waitFor()
    await page().getByRole('button', { name: '128GB' }).click()
    await heading('iPhone 11 128GB').waitFor()
    await page().getByText('Matched by IMEI · 60 % confidence').waitFor()
    expect(offences).toEqual([])
  })

  browserTest(
    'never shows the offer of another grade as current, and keeps the form when the connection is lost',
    async () => {
      const offences = await openCounter()
      await ask('iphone 13 128gb midnight', 40)
      await page().getByRole('radio', { name: /Good/ }).check()
      await save().and(page().locator(':enabled')).waitFor()
      const heldRoutes: Route[] = []
      let isLost = false
      await page().route(PREVIEW, (route) => (isLost ? route.abort() : void heldRoutes.push(route)))
      await page().getByRole('radio', { name: /Poor/ }).check()
      await offer().getByText('Updating…').waitFor()
      expect(await save().isDisabled()).toBe(true)
      expect(await offer().locator('.is-stale .offer-amount').count()).toBe(1)
      isLost = true
      // Otherwise the page finds the connection again and retries by itself.
      await page().route('**/healthz', (route) => route.abort())
      for (const route of heldRoutes) await route.abort()
      await offer().getByText('The service cannot be reached.').waitFor()
      expect(await page().getByRole('radio', { name: /Poor/ }).isChecked()).toBe(true)
      expect(await save().isDisabled()).toBe(true)
      await page().unroute(PREVIEW)
      await offer().getByRole('button', { name: 'Try again' }).click()
      await page().unroute('**/healthz')
      await save().and(page().locator(':enabled')).waitFor()
      await offer().getByText('Updating…').waitFor({ state: 'detached' })
      expect(offences).toEqual([])
    },
  )
})
