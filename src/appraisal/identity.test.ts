import { describe, expect, test } from 'bun:test'
import { sampleDevice } from '../../test/support/device.ts'
import { type DeviceReference, identify, type TextMatch } from './identity.ts'

const color = (value: string) => ({ name: 'color', value })
const storage = (value: string) => ({ name: 'storage', value })
const phone = sampleDevice('Test', 'Phone', {
  variants: [
    { attributes: [storage('64GB'), color('Black')] },
    { attributes: [storage('64GB'), color('Red')] },
    { attributes: [storage('128GB'), color('Black')] },
    { attributes: [storage('256GB'), color('Black')], disabled: true },
  ],
})
const other = sampleDevice('Test', 'Other')
const devices = [phone, other]
const registry = {
  findDevice: (id: string) => devices.find((device) => device.id === id),
  findVariant: (id: string) =>
    devices
      .flatMap((device) => device.variants.map((variant) => ({ device, variant })))
      .find(({ variant }) => variant.id === id),
}
const matched = (id: string | null, confidence: number) => ({
  device_match: {
    confidence,
    matched_device_id: id,
    matched_device_name: id && 'Matched',
    matched_variant_id: null,
    matched_variant_name: null,
  },
})
const found = (named: DeviceReference, text: TextMatch | null = null, lookup: Parameters<typeof identify>[3] = null) =>
  identify(named, registry, text, lookup)
const title = (
  device: typeof phone | null,
  variants = device?.variants ?? [],
  stated: TextMatch['attributes'] = [],
): TextMatch => ({
  device,
  variants,
  attributes: stated,
  confidence: 90,
  candidates: device ? [] : [{ device: other, variant: null, confidence: 30 }],
  condition: null,
  conditionWords: [],
  defectWords: [],
  wantedWords: [],
  unmatchedWords: [],
  rejection: null,
})

describe('a device', () => {
  test('is identified by the most reliable field: variant, device, text, identifier', () => {
    const [variant] = phone.variants
    expect(found({ variant_id: variant?.id }, title(phone))).toMatchObject({
      identifiedBy: 'variant_id',
      confidence: 100,
    })
    expect(found({ device_id: phone.id }, title(phone))).toMatchObject({ identifiedBy: 'device_id', confidence: 100 })
    expect(found({ text: 'x' }, title(phone))).toMatchObject({ identifiedBy: 'text', confidence: 90 })
    expect(found({}, null, matched(phone.id, 70))).toMatchObject({
      identifiedBy: 'identifier',
      confidence: 70,
      device: phone,
    })
  })

  test('that no field names is null, with candidates', () => {
    expect(found({ text: 'x' }, title(null))).toMatchObject({ device: null, identifiedBy: null, confidence: 0 })
    expect(found({ text: 'x' }, title(null)).candidates).toHaveLength(1)
    expect(found({}, null, matched('not-in-catalogue', 80)).device).toBeNull()
  })

  test('that is unknown is rejected', () => {
    expect(() => found({ variant_id: 'no-such' })).toThrow('Variant no-such was not found.')
    expect(() => found({ device_id: 'no-such' })).toThrow('Device no-such was not found.')
  })
})

describe('an attribute', () => {
  test('selects the variant, in any notation', () => {
    const { variants, unresolvedAttributes: open } = found({
      device_id: phone.id,
      attributes: { Storage: '64 gb', color: 'RED' },
    })
    expect(variants).toEqual([phone.variants[1] as (typeof phone.variants)[number]])
    expect(open).toEqual([])
  })
  test('is understood in other languages', () => {
    const { variants, contradictions } = found({
      device_id: phone.id,
      attributes: { storage: '64 Go', color: 'Rouge' },
    })
    expect(variants).toEqual([phone.variants[1] as (typeof phone.variants)[number]])
    expect(contradictions).toEqual([])
  })
  test('that is unresolved is listed, with whether the price depends on it', () => {
    expect(found({ device_id: phone.id }).unresolvedAttributes).toEqual([
      { name: 'storage', values: ['64GB', '128GB'], affectsPrice: true },
      { name: 'color', values: ['Black', 'Red'], affectsPrice: false },
    ])
  })
  test('that no variant has is a finding', () => {
    const { variants, contradictions } = found({ device_id: phone.id, attributes: { storage: '3GB' } })
    expect(variants).toHaveLength(3)
    expect(contradictions).toMatchObject([{ code: 'attribute_not_available' }])
  })
  test('that the text states and no variant has withholds the offer, unless the request gives another', () => {
    const words = title(phone, [], [storage('3GB')])
    expect(found({ text: 'x' }, words).contradictions).toEqual([
      {
        code: 'attribute_not_available',
        message: 'Phone is not available with storage "3GB". Available: 64GB, 128GB.',
        withholdsOffer: true,
      },
    ])
    expect(found({ text: 'x', attributes: { storage: '64GB' } }, words)).toMatchObject({
      contradictions: [],
      attributes: [storage('64GB')],
    })
  })
  test('that is resolved is listed while another is unresolved', () => {
    const { attributes, unresolvedAttributes } = found({ device_id: phone.id, attributes: { storage: '64GB' } })
    expect(attributes).toEqual([storage('64GB')])
    expect(unresolvedAttributes.map(({ name }) => name)).toEqual(['color'])
  })
  test('that follows from the storage is not requested, and storage is requested first', () => {
    const ram = (value: string) => ({ name: 'ram', value })
    const make = (...variants: [string, string][]) =>
      sampleDevice('Test', 'Tablet', {
        variants: variants.map(([memory, size]) => ({ attributes: [ram(memory), storage(size)] })),
      })
    const unresolvedNames = (device: typeof phone) =>
      identify({}, { ...registry, findDevice: () => device }, null, matched(device.id, 70)).unresolvedAttributes.map(
        ({ name }) => name,
      )
    expect(unresolvedNames(make(['8GB', '128GB'], ['12GB', '256GB']))).toEqual(['storage'])
    expect(unresolvedNames(make(['8GB', '128GB'], ['12GB', '128GB'], ['12GB', '256GB']))).toEqual(['storage', 'ram'])
  })
  test('may be a plain word for the only matching colour of the device', () => {
    const black = { name: 'color', value: 'black' }
    const { attributes } = found({ text: 'x' }, title(phone, phone.variants.slice(0, 3), [storage('64GB'), black]))
    expect(attributes).toEqual([storage('64GB'), color('Black')])
  })
  test('may come from the text when the device is named by its id', () => {
    expect(found({ device_id: phone.id, text: 'x' }, title(phone, phone.variants.slice(2, 3))).variants).toHaveLength(1)
  })
})

describe('a contradiction', () => {
  test('is a variant, a text or an identifier of another device', () => {
    const [variant] = phone.variants
    const { contradictions, confidence } = found(
      { variant_id: variant?.id, device_id: other.id, text: 'x' },
      title(other),
      matched(other.id, 80),
    )
    expect(contradictions.map(({ code }) => code)).toEqual([
      'variant_device_mismatch',
      'text_device_mismatch',
      'identifier_device_mismatch',
    ])
    expect(confidence).toBe(20)
  })
  test('is not a model that the identifier only suggests', () => {
    expect(found({ device_id: phone.id }, null, matched(other.id, 40)).contradictions).toEqual([])
  })
  test('is an identifier of a model that is not in the catalogue', () => {
    expect(found({ device_id: phone.id }, null, matched('elsewhere', 90)).contradictions).toHaveLength(1)
  })
})
