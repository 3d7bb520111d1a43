import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { hasChromium, openBrowser } from '../support/browser.ts'
import { type RunningProgram, runProgram, startProgram } from '../support/program.ts'

/** What a page or a worker does with the client; it runs there, not here. */
const USE = `
const service = new client.DeviceIntelligence({ url: URL_OF_SERVICE, key: KEY })
const ids = []
for await (const { id } of service.listDevices({ make: 'Google', category: 'Smartwatch', limit: 2 })) ids.push(id)
const missing = await service.getDevice('google-pixel-wach').catch((error) => error.name)
return { ids, missing }
`

if (hasChromium) {
  describe('the client in a browser', () => {
    let program: RunningProgram
    let browser: Browser
    let page: Page
    let source: string
    let use: string

    beforeAll(async () => {
      program = await startProgram({ CORS_ORIGINS: '*', LOG_LEVEL: 'error' })
      const organization = (await runProgram(['org', 'create', 'Pages'], program.environment)).stdout.trim()
      const create = ['key', 'create', '--org', organization, '--tier', 'public']
      const key = (await runProgram(create, program.environment)).stdout.trim()
      const built = await Bun.build({
        entrypoints: [join(import.meta.dir, '../../client/src/index.ts')],
        target: 'browser',
      })
      source = (await built.outputs[0]?.text()) ?? ''
      use = USE.replace('URL_OF_SERVICE', JSON.stringify(program.url)).replace('KEY', JSON.stringify(key))
      browser = await openBrowser()
      page = await browser.newPage()
      // A page of another origin than the service's.
      await page.goto(`${program.url.replace('127.0.0.1', 'localhost')}/healthz`)
    })
    afterAll(async () => {
      await browser.close()
      await program.stop()
    })

    test('works on a page', async () => {
      const told = await page.evaluate(
        async ([source, use]) => {
          const module = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))
          const client = await import(module)
          return new Function('client', `return (async () => {${use}})()`)(client)
        },
        [source, use] as const,
      )
      expect(told.ids.length).toBeGreaterThan(2)
      expect(told.missing).toBe('NotFoundError')
    })

    test('works in a worker', async () => {
      const told = await page.evaluate(
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
      expect(told.ids.length).toBeGreaterThan(2)
      expect(told.missing).toBe('NotFoundError')
    })
  })
}
