import { expect, test } from 'bun:test'
import { bundledDevices } from '../catalog/bundled-catalogue-service.ts'
import { createResolver } from '../catalog/matching/resolver.ts'
import { describeDevice } from './described-device.ts'
import { findDescribedDevice } from './described-match.ts'

const resolve = createResolver(bundledDevices())

async function deviceIn(text: string) {
  const match = await findDescribedDevice(describeDevice(text), (name) => resolve({ text: name, mayBeDefective: true }))
  return match?.device?.id ?? null
}

test.each([
  ['Hinten ist die Klappe locker, mit Hülle merkt man es kaum. Pixel 3. Nur Abholung in Köln, 30 €', 'google-pixel-3'],
  ['Schwarzer Rahmen, drei Jahre alt. Honor 9X, die Tasten gehen alle, 40 Euro bei Abholung heute', 'honor-9x'],
  ['红米K50，手机屏幕完好，拍照反光请见谅。指纹灵敏，双卡正常。700元同城面交优先，广州天河区自提', 'xiaomi-redmi-k50'],
  [
    'Nintendo 3DS XL azul. La bisagra hace clac y la pantalla de arriba baila. Cargador sí, juegos no.',
    'nintendo-3ds-xl',
  ],
] as const)('the name is found behind and before what is said of the device: "%s"', async (text, id) => {
  expect(await deviceIn(text)).toBe(id)
})

test.each([
  'Tauschen möchte ich gern, alles funktioniert. Meins: iPhone XR. Deins: Samsung Galaxy S21, gern mit Rechnung',
  'Panzerglas und Hüllen, alle neu und verpackt, je 3 Euro. Passend für iPhone 13. Versand als Brief möglich.',
])('of two devices, or of what fits a device, none is sold: "%s"', async (text) => {
  expect(await deviceIn(text)).toBeNull()
})
