import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { browserTest, follow, hasChromium, hasFocus, PASSWORD, wrongIn } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'

const CLEAN = '100000010000015'

describe.if(hasChromium)('a day in the shop', () => {
  const dashboard = openDashboard('Corner shop')
  const { at } = dashboard
  const box = (page: Page) => page.getByRole('combobox', { name: 'Find a device' })
  const offer = (page: Page) => page.getByRole('complementary', { name: 'Offer' })

  /** Scans the phone, says what it is, and chooses its grade with a key. */
  async function scan(page: Page): Promise<void> {
    await box(page).fill(CLEAN)
    await box(page).press('Enter')
    await page.waitForURL(/counter\?lookup=lkp_/)
    await box(page).fill('iphone 13 128gb midnight')
    await page
      .getByRole('option', { name: /iPhone 13 128GB Midnight/ })
      .first()
      .click()
    await page.getByRole('heading', { name: /iPhone 13 128GB Midnight/, level: 1 }).waitFor()
    await page.locator('h1').click()
    await page.keyboard.press('2')
    await page.getByRole('radio', { name: /Good/ }).and(page.locator(':checked')).waitFor()
    // Until then the panel may still grow or shrink under a click.
    await offer(page).getByRole('button', { name: 'Buy and print' }).and(page.locator(':enabled')).waitFor()
  }

  /** What was printed, page by page: printing ends at once, because the dialog of the printer is not part of the page. */
  const capturePrints = (page: Page) =>
    page.addInitScript(() => {
      window.print = () => {
        const root = document.documentElement
        const paper = root.dataset.print === 'label' ? '.labels-to-print' : '.sheet'
        if (!root.dataset.print) root.dataset.signatures = String(document.querySelectorAll('.sheet-sign img').length)
        const shown = [...document.querySelectorAll(paper)].map((each) => each.textContent).join(' ')
        root.dataset.printed = `${root.dataset.printed ?? ''}|${root.dataset.print ?? 'page'} ${shown}`
        window.dispatchEvent(new Event('afterprint'))
      }
    })
  const printed = (page: Page) => page.evaluate(() => document.documentElement.dataset.printed ?? '')

  async function sign(page: Page): Promise<void> {
    const pad = page.getByRole('img', { name: 'Signature of the seller' })
    await pad.scrollIntoViewIfNeeded()
    const box = await pad.boundingBox()
    if (!box) throw new Error('no place to sign')
    await page.mouse.move(box.x + 20, box.y + 40)
    await page.mouse.down()
    for (let at = 0; at < 20; at++) await page.mouse.move(box.x + 20 + at * 8, box.y + 30 + (at % 4) * 8)
    await page.mouse.up()
  }

  async function enterSeller(page: Page): Promise<void> {
    const form = page.getByRole('dialog')
    await form.getByLabel('Name').fill('Ada Example')
    await form.getByLabel('Address').fill('1 High Street, Exampleton')
    await form.getByLabel('Date of birth').fill('1990-12-31')
    await form.getByLabel('Number of the document').fill('L01X00T47')
    await form.getByRole('radio', { name: 'Transfer' }).check()
    await form.getByLabel('Payment reference').fill('R-17')
    await sign(page)
    await form
      .getByLabel('Photo of the ID')
      .setInputFiles({ name: 'id.png', mimeType: 'image/png', buffer: await page.screenshot() })
    await form.getByRole('img', { name: 'Photo of the ID' }).waitFor()
  }

  const call = async (page: Page, method: string, path: string, data?: object) => {
    const headers = { Origin: at(''), 'X-Requested-With': 'dashboard' }
    const response = await page.context().request.fetch(at(path), { method, headers, ...(data ? { data } : {}) })
    const text = await response.text()
    if (!response.ok()) throw new Error(text)
    return JSON.parse(text).data
  }

  browserTest(
    'one key buys and prints with the seller, and the same phone is recognised by the next employee',
    async () => {
      const owner = await dashboard.signedIn({ email: 'olga@example.test', role: 'owner' })
      await call(owner.page, 'PATCH', '/api/manage/settings', { seller_record: 'full' })
      const { receipt } = await call(owner.page, 'GET', '/api/manage/settings')
      const details = { ...receipt, address: '12 Market Place', label: '62x29' }
      await call(owner.page, 'PATCH', '/api/manage/settings', { receipt: details })
      const { page, offences } = await dashboard.signedIn({ email: 'anna@example.test', role: 'manager' })
      await capturePrints(page)
      await page.goto(at('/dashboard/counter'))
      await scan(page)
      await offer(page).getByRole('button', { name: 'Show to customer' }).click()
      const customer = page.getByRole('dialog')
      await customer.getByText('Our offer').waitFor()
      expect(await customer.textContent()).not.toMatch(/risk|margin|resale|profit|maximum/i)
      // The figures of the shop are behind it.
      expect(await customer.boundingBox()).toEqual({ x: 0, y: 0, ...page.viewportSize() } as never)
      expect(await wrongIn(page, 'customer-view', 'phone', 'light')).toEqual([])
      await page.keyboard.press('Escape')
      await offer(page).getByRole('button', { name: 'Buy and print' }).and(page.locator(':enabled')).waitFor()
      await page.keyboard.press('Control+Enter')
      await enterSeller(page)
      for (const view of ['phone', 'desk'] as const) expect(await wrongIn(page, 'seller', view, 'dark')).toEqual([])
      await page.keyboard.press('Control+Enter')
      await page.waitForURL(/\/dashboard\/counter$/)
      const paper = await printed(page)
      for (const text of [
        'Purchase receipt',
        'Shop copy',
        'Customer copy',
        'iPhone 13',
        'Ada Example',
        'Transfer · R-17',
      ])
        expect(paper).toContain(text)
      expect(paper).toContain('I am the owner of this device and may sell it.')
      expect(paper).toContain('Bought by anna@example.test')
      expect(paper).toContain('12 Market Place')
      expect(paper).not.toContain('TAC')
      expect(paper).toMatch(/\|label #1iPhone 13 128GB MidnightGood100000010000015$/)
      expect(paper.split('L01X00T47')).toHaveLength(2)
      await box(page).and(page.locator(':focus')).waitFor()
      const [seller] = await call(page, 'GET', '/api/sellers')
      expect(seller).toMatchObject({ name: 'Ada Example', id_number: 'L01X00T47', photo_count: 1 })
      const person = await call(page, 'GET', `/api/sellers/${seller.person_id}`)
      expect(person.purchases[0].images.map(({ kind }: { kind: string }) => kind)).toContain('signature')
      expect(person.purchases[0].images).toHaveLength(2)

      await follow(page, at('/dashboard/stock'))
      const item = page.getByRole('row', { name: /iPhone 13 128GB Midnight/ })
      await item.getByRole('link', { name: /iPhone 13 128GB Midnight/ }).waitFor()
      for (const view of ['phone', 'desk'] as const) expect(await wrongIn(page, 'stock', view, 'light')).toEqual([])
      // On a tablet the button of a row is in sight: columns with less to say make room for it.
      await page.setViewportSize({ width: 1024, height: 768 })
      const table = page.getByRole('region', { name: 'Stock' })
      expect(await table.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
      await page.setViewportSize({ width: 1440, height: 900 })
      await item.getByRole('link', { name: /iPhone 13 128GB Midnight/ }).click()
      await page
        .locator('main')
        .getByText(/anna@example\.test/)
        .first()
        .waitFor()
      await page.getByLabel('Asking price in USD').fill('219')
      await page.getByLabel('Location').fill('Shelf 3')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.locator('.label-preview').getByText('$219').waitFor()
      await page.getByText('Add a cost').first().click()
      await page.getByLabel('What for').fill('Screen')
      await page.getByLabel('Amount in USD').fill('40')
      await page.getByRole('button', { name: 'Add a cost' }).click()
      await page.getByText('Screen').waitFor()
      for (const view of ['phone', 'desk'] as const) expect(await wrongIn(page, 'stock-item', view, 'dark')).toEqual([])
      await page.getByRole('button', { name: 'Print label' }).click()
      expect(await printed(page)).toMatch(/label #1\$219iPhone 13 128GB MidnightGood100000010000015/)

      // A receipt that is printed again has the signature too.
      await page.getByRole('link', { name: 'Receipt', exact: true }).click()
      await page.getByRole('button', { name: 'Print', exact: true }).click()
      await page.waitForFunction(() => document.documentElement.dataset.signatures !== undefined)
      expect(await page.evaluate(() => document.documentElement.dataset.signatures)).toBe('2')

      const bob = await dashboard.signedIn({ email: 'bob@example.test', role: 'clerk' })
      await bob.page.goto(at('/dashboard/counter'))
      await scan(bob.page)
      await bob.page
        .getByText(/In your stock since .* bought by anna@example\.test for/)
        .first()
        .waitFor()
      expect(await wrongIn(bob.page, 'known-device', 'phone', 'dark')).toEqual([])
      expect(await wrongIn(bob.page, 'known-device', 'desk', 'light')).toEqual([])
      await offer(bob.page).getByRole('button', { name: 'Buy and print' }).click()
      const question = bob.page.getByRole('dialog')
      await question
        .getByRole('alert')
        .getByText(/in your stock since .* bought by anna@example\.test/)
        .waitFor()
      await question.getByRole('button', { name: 'Buy anyway' }).waitFor()
      await question.getByRole('button', { name: 'Cancel' }).click()
      expect(await call(page, 'GET', '/api/stock')).toHaveLength(1)

      await follow(page, at('/dashboard/list'))
      const list = `device,condition,imei\niPhone 13 128GB Midnight,Good,${CLEAN}\niPhone 12 64GB Black,Good,\n`
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles({ name: 'supplier.csv', mimeType: 'text/csv', buffer: Buffer.from(list) })
      await page.getByRole('button', { name: /^Appraise/ }).click()
      await page
        .getByRole('row', { name: /iPhone 13 128GB Midnight/ })
        .getByText('Already in your stock')
        .waitFor()

      await follow(bob.page, at('/dashboard/stock'))
      await bob.page.getByRole('button', { name: 'Sell' }).click()
      const sale = bob.page.getByRole('dialog', { name: 'What did it sell for?' })
      expect(await sale.getByLabel('Price (USD)').inputValue()).toBe('219')
      await sale.getByLabel('Where it was sold').fill('eBay')
      await sale.getByRole('button', { name: 'Record as sold' }).click()
      await bob.page.getByText('Sold for $219').waitFor()
      const [sold] = await call(page, 'GET', '/api/stock?status=sold')
      expect(sold).toMatchObject({
        sold: { price: 21_900, channel: 'eBay' },
        bought_by: { name: 'anna@example.test' },
        sold_by: { name: 'bob@example.test' },
        profit: 21_900 - 4_000 - sold.bought.price,
      })
      await follow(page, at('/dashboard/reports'))
      const anna = page.getByRole('row', { name: /anna@example\.test/ })
      await anna.waitFor()
      expect(await anna.getByRole('cell').allTextContents()).toContain('1')
      expect([...owner.offences, ...offences, ...bob.offences]).toEqual([])
    },
  )

  /** Presses the keys of a scanner at once, wherever the focus is. */
  const scanAnywhere = (page: Page, digits: string) =>
    page.evaluate((text) => {
      for (const key of [...text, 'Enter']) {
        const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
        document.activeElement?.dispatchEvent(event)
      }
    }, digits)

  /** Presses the keys as a scanner does, 10 ms apart by their own clock: a slow machine does not make them a person's. */
  async function scanIntoField(page: Page, digits: string): Promise<void> {
    const devtools = await page.context().newCDPSession(page)
    const from = Date.now() / 1_000
    const keys = [...digits].map((key) => ({ key, text: key }))
    const presses = [...keys, { key: 'Enter', text: '\r' }].map((key, at) =>
      devtools.send('Input.dispatchKeyEvent', { type: 'keyDown', ...key, timestamp: from + at / 100 }),
    )
    await Promise.all(presses)
    await devtools.detach()
  }

  browserTest(
    'a scan that no field receives is the IMEI of the device, then the next device, and never a grade',
    async () => {
      const { page, offences } = await dashboard.signedIn({ email: 'scan@example.test', role: 'owner' })
      await page.goto(at('/dashboard/counter?variant=apple-iphone-12-64gb-black&grade=Good'))
      await page.getByRole('radio', { name: /Good/ }).focus()
      const isAsked = Promise.withResolvers<void>()
      await page.route('**/api/appraisals/preview', async (route) => {
        await isAsked.promise
        await route.continue()
      })
      await scanAnywhere(page, '100000010000031')
      await page.waitForURL(/variant=apple-iphone-12-64gb-black&lookup=lkp_.*grade=Good/)
      await page.getByRole('button', { name: 'Save', exact: true }).focus()
      // An IMEI of the same model may be the second one of this phone, also before the offer for the first one is there.
      await scanAnywhere(page, '100000010000049')
      const second = page.getByRole('button', { name: 'Second IMEI of this phone' })
      await second.waitFor()
      isAsked.resolve()
      await second.click()
      await page.getByText('100000010000031 / 100000010000049').waitFor()
      await page.waitForURL(/variant=apple-iphone-12-64gb-black&lookup=lkp_.*grade=Good/)
      await scanAnywhere(page, '100000010000064')
      await page.waitForURL(/counter\?lookup=lkp_[^&]*$/)
      expect(offences).toEqual([])
    },
  )

  browserTest(
    'a scan while a page is loading is looked up when it is there, and on the stock page it is found',
    async () => {
      const { page, offences } = await dashboard.signedIn({ email: 'early@example.test', role: 'owner' })
      let load: (() => void) | undefined
      const loading = new Promise<void>((resolve) => {
        load = resolve
      })
      await page.route('**/account/session', async (route) => {
        await loading
        await route.continue()
      })
      await page.goto(at('/dashboard/stock'))
      await page.locator('.loading').first().waitFor()
      await scanAnywhere(page, '100000010000031')
      load?.()
      await page.waitForURL(/stock\?q=100000010000031$/)
      await follow(page, at('/dashboard'))
      await box(page).waitFor()
      await page.locator('h1').click()
      await scanAnywhere(page, '100000010000031')
      await page.waitForURL(/counter\?lookup=lkp_[^&]*$/)
      expect(offences).toEqual([])
    },
  )

  browserTest('a scan into the form of the seller does not buy', async () => {
    const { page } = await dashboard.signedIn({ email: 'hasty@example.test', role: 'owner' })
    await call(page, 'PATCH', '/api/manage/settings', { seller_record: 'name' })
    const before = await call(page, 'GET', '/api/stock')
    await page.goto(at('/dashboard/counter?variant=apple-iphone-12-64gb-black&grade=Good'))
    await offer(page).getByRole('button', { name: 'Buy and print' }).and(page.locator(':enabled')).click()
    const name = page.getByRole('dialog').getByLabel('Name')
    await hasFocus(name)
    await scanIntoField(page, '100000010000031')
    expect(await name.inputValue()).toBe('100000010000031')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    expect(await call(page, 'GET', '/api/stock')).toEqual(before)
  })

  browserTest('only faults of parts that the device has can be ticked', async () => {
    const { page } = await dashboard.signedIn({ email: 'faults@example.test', role: 'owner' })
    await page.goto(at('/dashboard/counter?variant=apple-iphone-12-64gb-black'))
    await page.getByRole('checkbox', { name: /Charging port/ }).waitFor()
    await page.getByRole('checkbox', { name: /Headphone jack/ }).waitFor({ state: 'detached' })
  })

  browserTest('the Tab key leads from the grade through the faults to the purchase', async () => {
    const { page } = await dashboard.signedIn({ email: 'keys@example.test', role: 'owner' })
    await page.goto(at('/dashboard/counter?variant=apple-iphone-12-64gb-black&grade=Good'))
    await offer(page).getByRole('button', { name: 'Buy and print' }).and(page.locator(':enabled')).waitFor()
    await page.getByRole('radio', { name: /Good/ }).focus()
    await page.keyboard.press('Tab')
    await hasFocus(page.getByRole('searchbox', { name: 'Find a fault' }))
    await page.getByRole('checkbox').last().focus()
    await page.keyboard.press('Tab')
    await hasFocus(offer(page).getByRole('button', { name: 'Buy and print' }))
  })

  browserTest('two clicks buy once, and going back neither buys nor prints again', async () => {
    const { page, offences } = await dashboard.signedIn({ email: 'dora@example.test', role: 'owner' })
    await call(page, 'PATCH', '/api/manage/settings', { seller_record: 'off' })
    await capturePrints(page)
    const before = await call(page, 'GET', '/api/stock')
    await page.goto(at('/dashboard/counter?variant=apple-iphone-12-64gb-white&grade=Good'))
    await offer(page).getByRole('button', { name: 'Buy and print' }).and(page.locator(':enabled')).dblclick()
    await page.waitForURL(/\/dashboard\/counter$/)
    const paper = await printed(page)
    await page.goBack()
    await page.getByRole('article', { name: 'Receipt' }).first().waitFor()
    await page.goBack()
    await page.getByRole('main').waitFor()
    expect(await printed(page)).toBe(paper)
    const [bought, ...others] = await call(page, 'GET', '/api/stock')
    expect(others).toHaveLength(before.length)
    // A purchase that was entered by mistake is undone after a question.
    await follow(page, at(`/dashboard/stock/${bought.id}`))
    await page.getByRole('link', { name: 'Correct or undo' }).click()
    await page.getByRole('button', { name: 'Undo the purchase' }).click()
    const question = page.getByRole('dialog', { name: 'Undo this purchase?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect(await call(page, 'GET', '/api/stock')).toHaveLength(before.length + 1)
    await page.getByRole('button', { name: 'Undo the purchase' }).click()
    await question.getByRole('button', { name: 'Undo the purchase' }).click()
    await page.getByRole('button', { name: 'Declined', exact: true }).waitFor()
    expect(await call(page, 'GET', '/api/stock')).toHaveLength(before.length)
    expect(offences).toEqual([])
  })

  browserTest('a session that ends during a purchase loses nothing that was entered', async () => {
    const { page, offences } = await dashboard.signedIn({ email: 'late@example.test', role: 'owner' })
    await call(page, 'PATCH', '/api/manage/settings', { seller_record: 'full' })
    await capturePrints(page)
    await page.goto(at('/dashboard/counter?variant=apple-iphone-12-64gb-black&grade=Good'))
    await page.getByLabel('Your reference').fill('Counter 2')
    await offer(page).getByRole('button', { name: 'Buy and print' }).and(page.locator(':enabled')).click()
    await enterSeller(page)
    await page.context().clearCookies()
    await page.keyboard.press('Control+Enter')
    const signIn = page.getByRole('dialog', { name: 'Sign in' })
    await signIn.getByText('Your session has ended.').waitFor()
    for (const view of ['phone', 'desk'] as const) expect(await wrongIn(page, 'ended', view, 'light')).toEqual([])
    await page.keyboard.press('Escape')
    expect(await signIn.getByLabel('Email').inputValue()).toBe('late@example.test')
    await signIn.getByLabel('Password').fill(PASSWORD)
    await signIn.getByRole('button', { name: 'Sign in', exact: true }).click()
    await signIn.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+Enter')
    await page.waitForURL(/\/dashboard\/counter$/)
    const paper = await printed(page)
    for (const text of ['Ada Example', 'Counter 2', 'Transfer · R-17']) expect(paper).toContain(text)
    const [seller] = await call(page, 'GET', '/api/sellers')
    expect(seller).toMatchObject({ name: 'Ada Example', photo_count: 1, created_by: { name: 'late@example.test' } })
    expect(offences).toEqual([])
  })

  browserTest('a saved offer that is bought later asks for the seller too', async () => {
    const owner = await dashboard.signedIn({ email: 'odin@example.test', role: 'owner' })
    await call(owner.page, 'PATCH', '/api/manage/settings', { seller_record: 'full' })
    const { page, offences } = await dashboard.signedIn({ email: 'cleo@example.test', role: 'clerk' })
    await page.goto(at('/dashboard/counter?variant=apple-iphone-12-64gb-black&grade=Good'))
    await page.getByRole('button', { name: 'Save' }).and(page.locator(':enabled')).click()
    await page.getByRole('button', { name: 'Bought', exact: true }).click()
    await enterSeller(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Record as bought' }).click()
    const receipt = page.getByRole('article', { name: 'Receipt' })
    await receipt.getByText('Ada Example').first().waitFor()
    await receipt.getByText('Purchase receipt').first().waitFor()
    // A clerk enters sellers, and does not read them again.
    await page.reload()
    await receipt.getByText('Price paid').first().waitFor()
    expect(await page.content()).not.toContain('Ada Example')
    expect(offences).toEqual([])
  })

  browserTest('a receipt is printed in the language of the shop, also if its texts load slowly', async () => {
    const shop = { organizationId: await dashboard.newOrganization('Boutique') }
    const owner = await dashboard.signedIn({ email: 'odile@example.test', role: 'owner', ...shop })
    const { receipt } = await call(owner.page, 'GET', '/api/manage/settings')
    await call(owner.page, 'PATCH', '/api/manage/settings', { receipt: { ...receipt, language: 'fr' } })
    const { page, offences } = await dashboard.signedIn({ email: 'ben@example.test', role: 'clerk', ...shop })
    await capturePrints(page)
    const isShown = Promise.withResolvers<void>()
    await page.route('**/dashboard/*.js', async (route) => {
      const response = await route.fetch()
      if ((await response.text()).includes('Reçu d’achat')) await isShown.promise
      await route.fulfill({ response })
    })
    await page.goto(at('/dashboard/counter?variant=apple-iphone-12-64gb-black&grade=Good'))
    await offer(page).getByRole('button', { name: 'Buy and print' }).and(page.locator(':enabled')).click()
    await page.getByRole('link', { name: 'Stock item 1' }).waitFor()
    isShown.resolve()
    await page.waitForURL(/\/dashboard\/counter$/)
    expect(await printed(page)).toContain('Reçu d’achat')
    expect(offences).toEqual([])
  })
})
