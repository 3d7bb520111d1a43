import { describe, expect } from 'bun:test'
import { readFileSync } from 'node:fs'
import { prepareZXingModule, writeBarcode } from 'zxing-wasm/writer'
import { browserTest, hasChromium, hasValue, wrongIn } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'

const IMEI = '352099001761481'
const SECOND_IMEI = '490154203237518'
const SERIAL = 'F17XK2ABCD'
const EAN = '0194252707388'

const wasmBinary = readFileSync(new URL(import.meta.resolve('zxing-wasm/writer/zxing_writer.wasm'))).buffer
prepareZXingModule({ overrides: { wasmBinary: wasmBinary as ArrayBuffer } })

type Code = readonly [format: 'Code128' | 'EAN13' | 'QRCode', text: string]

async function picture([format, text]: Code): Promise<string> {
  const { image, error } = await writeBarcode(text, { format, scale: 3, addQuietZones: true })
  if (!image) throw new Error(error)
  return `data:image/png;base64,${Buffer.from(await image.arrayBuffer()).toString('base64')}`
}

describe.if(hasChromium)('the scanner', () => {
  const dashboard = openDashboard('Scanner shop')

  browserTest('reads labels from the camera and from a photo if the browser has no barcode detector', async () => {
    const { page, offences } = await dashboard.signedIn({
      email: 'scanner@example.test',
      look: { viewport: { width: 390, height: 844 } },
    })
    // A camera that shows a label: frames are drawn on a canvas whose stream replaces that of the camera.
    await page.addInitScript(() => {
      Reflect.deleteProperty(window, 'BarcodeDetector')
      const canvas = document.createElement('canvas')
      canvas.width = 1280
      canvas.height = 720
      const context = canvas.getContext('2d') as CanvasRenderingContext2D
      const label: HTMLImageElement[] = []
      setInterval(() => {
        context.fillStyle = 'white'
        context.fillRect(0, 0, canvas.width, canvas.height)
        let top = 40
        for (const image of label) {
          context.drawImage(image, 80, top)
          top += image.height + 40
        }
      }, 50)
      Object.assign(window, {
        async showLabel(pictures: string[]) {
          const images = pictures.map((src) => Object.assign(new Image(), { src }))
          await Promise.all(images.map((image) => image.decode()))
          label.splice(0, label.length, ...images)
        },
        canvas,
      })
      navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(20)
    })
    const show = async (...codes: Code[]) => {
      const pictures = await Promise.all(codes.map(picture))
      await page.evaluate(
        (label) => (window as unknown as { showLabel(label: string[]): Promise<void> }).showLabel(label),
        pictures,
      )
    }
    await page.goto(dashboard.at('/dashboard/check'))
    const identifier = page.getByLabel('IMEI or serial number')
    const scan = page.getByRole('button', { name: 'Scan' })
    await scan.waitFor()

    // The IMEI of a box label takes precedence over the product code and the serial number.
    await show(['EAN13', EAN], ['Code128', SERIAL], ['Code128', IMEI])
    await scan.click()
    await hasValue(identifier, IMEI)

    await show(['QRCode', `IMEI:${SECOND_IMEI}`])
    await scan.click()
    await hasValue(identifier, SECOND_IMEI)

    // Without an IMEI the person chooses.
    await show(['EAN13', EAN], ['Code128', SERIAL])
    await scan.click()
    await page.getByRole('button', { name: EAN }).waitFor()
    expect(await wrongIn(page, 'scan-choice', 'phone', 'light')).toEqual([])
    await page.getByRole('button', { name: SERIAL }).click()
    await hasValue(identifier, SERIAL)

    await show()
    await scan.click()
    const photo = Buffer.from((await picture(['Code128', IMEI])).split(',')[1] ?? '', 'base64')
    await page.locator('input[type=file]').setInputFiles({ name: 'label.png', mimeType: 'image/png', buffer: photo })
    await hasValue(identifier, IMEI)
    expect(offences).toEqual([])
  })
})
