import { beforeAll, describe, expect } from 'bun:test'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { browserTest, hasChromium } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'

/** Runs in the page or worker: calls the client. */
const USE = `
const service = new client.DeviceIntelligence({ url: URL_OF_SERVICE, key: KEY })
const ids = []
for await (const { id } of service.listDevices({ make: 'Google', category: 'Smartwatch', limit: 2 })) ids.push(id)
const missing = await service.getDevice('google-pixel-wach').catch((error) => error.name)
return { ids, missing }
`

describe.if(hasChromium)('the client in a browser', () => {
  const { at, newKey, newPage } = openDashboard('Pages', { CORS_ORIGINS: '*' }, 'full')
  let source: string
  let use: string

  beforeAll(async () => {
    const built = await Bun.build({
      entrypoints: [join(import.meta.dir, '../../client/src/index.ts')],
      target: 'browser',
    })
    source = (await built.outputs[0]?.text()) ?? ''
    const key = await newKey('public')
    use = USE.replace('URL_OF_SERVICE', JSON.stringify(at(''))).replace('KEY', JSON.stringify(key))
  })

  async function pageOfAnotherOrigin(): Promise<Page> {
    const { page } = await newPage()
    await page.goto(at('/healthz').replace('localhost', '127.0.0.1'))
    return page
  }

  browserTest('works on a page', async () => {
    const page = await pageOfAnotherOrigin()
    const result = await page.evaluate(
      async ([source, use]) => {
        const module = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))
        const client = await import(module)
        return new Function('client', `return (async () => {${use}})()`)(client)
      },
      [source, use] as const,
    )
    expect(result.ids.length).toBeGreaterThan(2)
    expect(result.missing).toBe('NotFoundError')
  })

  browserTest('works in a worker', async () => {
    const page = await pageOfAnotherOrigin()
    const result = await page.evaluate(
      async ([source, use]) => {
        const module = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))
        const script = `import * as client from '${module}'; postMessage(await (async () => {${use}})())`
        const worker = new Worker(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })), {
          type: 'module',
        })
        return new Promise<{ ids: string[]; missing: string }>((resolve, reject) => {
          worker.onmessage = ({ data }) => resolve(data)
          worker.onerror = ({ message }) => reject(new Error(message))
        })
      },
      [source, use] as const,
    )
    expect(result.ids.length).toBeGreaterThan(2)
    expect(result.missing).toBe('NotFoundError')
  })
})
