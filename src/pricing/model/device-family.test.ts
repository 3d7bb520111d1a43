import { expect, test } from 'bun:test'
import { familyOf } from './device-family.ts'
import type { DeviceInput } from './observation.ts'

const thing = (make: string, category: string, deviceId: string, dollars = 800): DeviceInput => ({
  deviceId,
  make,
  category,
  releasedAt: 0,
  variants: [{ variantId: 'any', storageGb: null, listCents: dollars * 100 }],
})

for (const [device, family] of [
  [thing('Apple', 'Smartphone', 'apple-iphone-se', 429), 'iphone'],
  [thing('Samsung', 'Smartphone', 'samsung-galaxy-s24'), 'flagship'],
  [thing('Samsung', 'Smartphones', 'samsung-galaxy-a15-5g', 199), 'mid-range'],
  [thing('Samsung', 'Smartphone', 'samsung-galaxy-z-flip6', 1099), 'foldable'],
  [thing('Samsung', 'Smartphone', 'samsung-galaxy-z-fold-4', 1799), 'foldable'],
  [thing('Motorola', 'Smartphone', 'motorola-razr-plus-2024', 999), 'foldable'],
  [thing('OPPO', 'Smartphone', 'oppo-find-n3', 1500), 'foldable'],
  [thing('OPPO', 'Smartphone', 'oppo-find-x8', 900), 'flagship'],
  [thing('Apple', 'Tablet', 'apple-ipad-air'), 'ipad'],
  [thing('Samsung', 'Tablets', 'samsung-galaxy-tab-s9'), 'tablet'],
  [thing('Apple', 'Laptop', 'apple-macbook-air'), 'macbook'],
  [thing('Dell', 'Laptop', 'dell-xps-13'), 'laptop'],
  [thing('Apple', 'Smartwatches', 'apple-watch-se'), 'apple-watch'],
  [thing('Garmin', 'Smartwatch', 'garmin-fenix-7'), 'sports-watch'],
  [thing('Sony', 'Game Consoles', 'sony-playstation-5'), 'console'],
  [thing('NVIDIA', 'Graphics Card', 'nvidia-geforce-rtx-3080'), 'graphics-card'],
  [thing('Meta', 'VR Headset', 'meta-quest-3'), 'vr'],
  [thing('Sony', 'Headphones', 'sony-wh-1000xm5'), 'headphones'],
  [thing('Apple', 'Earbuds', 'apple-airpods-pro'), 'earbuds'],
  [thing('Acme', 'Toaster', 'acme-toaster'), 'other'],
  [thing('Acme', 'constructor', 'acme-constructor'), 'other'],
] as const) {
  test(`${device.deviceId} belongs to the family ${family}`, () => {
    expect(familyOf(device)).toBe(family)
  })
}
