import { describe, expect, test } from 'bun:test'
import { bundledDevices } from '../catalog/bundled-catalogue-service.ts'
import { describeDevice, tidyName } from './described-device.ts'
import { completeRequest, type StatedFields } from './read-request.ts'

const codes = (text: string) =>
  describeDevice(text).findings.flatMap((finding) => {
    if (finding.field === 'defects') return finding.codes.slice(0, 1)
    return finding.field === 'lock' && finding.lock === 'locked' ? ['carrier_locked'] : []
  })

/** What a learned reader gets wrong is listed with the test that fails. */
function expectMostly(share: number, misread: readonly string[], texts: number): void {
  expect(1 - misread.length / texts, misread.join('\n')).toBeGreaterThanOrEqual(share)
}

const PLAIN_FAULTS: readonly (readonly [text: string, name: string, codes: readonly string[]])[] = [
  ['iPhone 13 128GB cracked screen', 'iPhone 13 128GB', ['cracked_screen']],
  ['iPhone 13 ohne OVP und Zubehör', 'iPhone 13', ['missing_accessories']],
  ['iPhone 13, no box or charger', 'iPhone 13', ['missing_accessories']],
  ['iPhone 13 mit Vodafone-Sperre', 'iPhone 13 mit', ['carrier_locked']],
  ['iPhone 13 opérateur Orange uniquement', 'iPhone 13 opérateur', ['carrier_locked']],
  ['iPhone 13 unlocked to AT&T', 'iPhone 13', ['carrier_locked']],
  ['MacBook Air M1 touche E cassée', 'MacBook Air M1', ['keyboard_or_trackpad']],
  ['MacBook Air M1 keys A and S not working', 'MacBook Air M1', ['keyboard_or_trackpad']],
  ['AirPods Pro 2, no case', 'AirPods Pro 2', ['missing_earbud']],
  ['Samsung S20 câmera traseira com vidro quebrado', 'Samsung S20', ['camera']],
  ['PS5, manette avec drift', 'PS5', ['stick_drift']],
  ['Switch OLED, left joycon drifts like crazy', 'Switch OLED', ['stick_drift']],
  ['iPhone 13 cracked and dead', 'iPhone 13 and', ['cracked_screen', 'no_power']],
  ['iPhone 13 fan loose and noisy', 'iPhone 13', ['fan']],
  ['iPhone 12 very small crack', 'iPhone 12', ['cracked_screen']],
  ['iPhone 12 iškilusi baterija', 'iPhone 12', ['weak_battery']],
  ['ايفون 12 الشاشة مكسورة والبطارية 78', 'ايفون 12', ['weak_battery', 'cracked_screen']],
  ['iPhone 12 ekran kırık, şarj soketi arızalı', 'iPhone 12', ['cracked_screen', 'charging_port']],
  ['iPhone 11 mất Face ID, pin 78%', 'iPhone 11', ['weak_battery', 'biometric_sensor']],
  ['iPhone 15 battery 77, unlocked', 'iPhone 15', ['weak_battery']],
  ['iPhone 13 128GB, screen is cracked, battery 79 %', 'iPhone 13 128GB', ['weak_battery', 'cracked_screen']],
  ['iphone 13 no face id', 'iphone 13', ['biometric_sensor']],
  ['iPhone 13 Face ID not working', 'iPhone 13', ['biometric_sensor']],
  ['iPhone 13 128GB SIM-locked', 'iPhone 13 128GB', ['carrier_locked']],
  ['Galaxy S21 256GB locked to Vodafone', 'Galaxy S21 256GB', ['carrier_locked']],
  ['iphone 13 does not turn on', 'iphone 13', ['no_power']],
  ["Pixel 6 won't turn on, water damage", 'Pixel 6', ['no_power', 'water_damage']],
  ['iphone 12 icloud locked', 'iphone 12', ['activation_locked']],
  ['iPhone 12 64GB Display gesprungen Akku 78%', 'iPhone 12 64GB', ['weak_battery', 'cracked_screen']],
  ['iPhone 11 back glass cracked', 'iPhone 11', ['cracked_back']],
  ['iPhone 13 battery health 78', 'iPhone 13', ['weak_battery']],
  ['아이폰 13 배터리 효율 78', '아이폰 13', ['weak_battery']],
  ['iPhone 13 battery max capacity 76%', 'iPhone 13', ['weak_battery']],
  ['iPhone 13 no camera', 'iPhone 13', ['camera']],
  ['아이폰 13 물에 빠짐', '아이폰 13', ['water_damage']],
  ['iPhone 13 Gehäuse verbogen', 'iPhone 13', ['cracked_back']],
  ['iPhone 13 camera blurry', 'iPhone 13', ['camera']],
  ['iPhone 13 display has stripes', 'iPhone 13', ['cracked_screen']],
  ['iPhone 13 mute switch broken', 'iPhone 13', ['buttons']],
  ['iPhone 13 batería al 76%', 'iPhone 13', ['weak_battery']],
  ['iPhone 13 батарея 76%', 'iPhone 13', ['weak_battery']],
  ['ไอโฟน 13 จอแตก', 'ไอโฟน 13', ['cracked_screen']],
  ['ايفون 13 شاشة مكسورة', 'ايفون 13', ['cracked_screen']],
  ['אייפון 13 לא נדלק', 'אייפון 13', ['no_power']],
  ['आईफोन 13 बैटरी 75%', 'आईफोन 13', ['weak_battery']],
  ['苹果 13 屏幕碎', '苹果 13', ['cracked_screen']],
  ['苹果 13 有锁', '苹果 13', ['carrier_locked']],
  ['iPhone 13 nėra Face ID', 'iPhone 13', ['biometric_sensor']],
  ['iPhone 13 only wireless charging works', 'iPhone 13', ['charging_port']],
  ["iPhone 13, people can't hear me", 'iPhone 13', ['speaker_or_microphone']],
  ['RTX 4070 Super artifacting', 'RTX 4070 Super', ['image_errors']],
  ['AirPods Pro 2 left earbud dead', 'AirPods Pro 2', ['missing_earbud']],
  ['iPhone 12 64GB pixels dead', 'iPhone 12 64GB', ['cracked_screen']],
  ['iPhone 13 128GB Rahmen verbeult', 'iPhone 13 128GB', ['cracked_back']],
  ['iPhone 11 bulging battery', 'iPhone 11', ['weak_battery']],
  ['iPhone XR Akku aufgebläht', 'iPhone XR', ['weak_battery']],
  ['iPhone 13 battery maximum capacity at 71 percent', 'iPhone 13', ['weak_battery']],
  ['DJI Mini 3 Pro gimbal broken', 'DJI Mini 3 Pro', ['gimbal']],
  ['Canon EOS R6 shutter error', 'Canon EOS R6', ['shutter']],
  ['PS5 nie czyta płyt', 'PS5', ['disc_drive']],
  ['GTX 1080 Ti HDMI port broken', 'GTX 1080 Ti', ['ports']],
  ['Sony A7 III sensor scratched', 'Sony A7 III', ['image_sensor']],
  ['MacBook Air M1 uszkodzona matryca', 'MacBook Air M1', ['image_sensor']],
  ['iPhone XR bloqueado na Vodafone', 'iPhone XR', ['carrier_locked']],
  ['RTX 4090 12VHPWR connector melted', 'RTX 4090', ['ports']],
  ['PS4 Pro Lüfter extrem laut', 'PS4 Pro', ['fan']],
  ['PS5 leest geen schijven meer', 'PS5', ['disc_drive']],
  ['iPhone 13 não liga, ecrã partido', 'iPhone 13', ['no_power', 'cracked_screen']],
  ['iPhone 13 prasklý displej, nenabíjí', 'iPhone 13', ['cracked_screen', 'charging_port']],
]

test('plain faults are read: nine of ten exactly', () => {
  const misread = PLAIN_FAULTS.flatMap(([text, , found]) => {
    const read = codes(text).sort().join(', ')
    return read === [...found].sort().join(', ') ? [] : `${text}: ${read || 'nothing'}`
  })
  expectMostly(0.9, misread, PLAIN_FAULTS.length)
})

test('the name is what is left: nine of ten', () => {
  const misread = PLAIN_FAULTS.flatMap(([text, name]) =>
    describeDevice(text).names.some((each) => each.startsWith(name))
      ? []
      : `${text}: ${describeDevice(text).names.join(' | ')}`,
  )
  expectMostly(0.9, misread, PLAIN_FAULTS.length)
})

const NO_FAULTS = [
  'iPhone 13 128GB no cracked screen',
  'iPhone 13 battery 86 %',
  'iPhone 13 nėra įskilimų',
  '아이폰 13 무잔상 액정 무기스',
  'iPhone 13 icloud clean, water resistant, no lowballers',
  'iPhone 13 without water damage',
  'iPhone 13 cracked screen protector',
  'iPhone 13 simlockfrei',
  'iPhone 13 no sim lock',
  'iPhone 13 with Face ID',
  'iPhone 13 Face ID black',
  'iPhone 13 great camera Vilnius',
  'Galaxy S21 Ultra 256GB Phantom Black unlocked',
  'iPhone 13 screen never replaced',
  'iPhone 13 battery replaced',
  'iPhone 13 128GB all parts original, no service has been done',
  'iPhone 12 defektų neturi',
]

test('words that deny a fault or describe something else state none', () => {
  const misread = NO_FAULTS.flatMap((text) => (codes(text).length === 0 ? [] : `${text}: ${codes(text).join(', ')}`))
  expectMostly(0.9, misread, NO_FAULTS.length)
})

describe('exact facts', () => {
  test('the health of the battery is read, and below 80 % it is weak', () => {
    const { findings } = describeDevice('iPhone 13 battery 79 %')
    expect(findings).toEqual([
      { field: 'battery_health', words: 'battery 79 %', percent: 79 },
      { field: 'defects', words: 'battery 79 %', codes: ['weak_battery'] },
    ])
  })

  test.each([
    ['iPhone 13 10/10', 'Excellent'],
    ['iPhone 13 8,5 von 10', 'Good'],
    ['iPhone 13 condition 6/10', 'Fair'],
    ['iPhone 13 3 out of 10', 'Poor'],
  ] as const)('points of ten state a grade: "%s" is %s', (text, condition) => {
    expect(describeDevice(text).findings).toMatchObject([{ field: 'condition', condition }])
  })

  test('two models are no points', () => {
    expect(describeDevice('iPhone 8/10').findings).toEqual([])
  })

  test('an identifier is never part of the name', () => {
    expect(describeDevice('iPhone 13 256GB IMEI: 356938035643809')).toMatchObject({
      names: ['iPhone 13 256GB'],
      findings: [],
      unreadWords: [],
      identifier: '356938035643809',
    })
    expect(describeDevice('iPhone 13 IMEI 356938035643808 blue')).toMatchObject({
      names: ['iPhone 13 blue'],
      identifier: null,
    })
    expect(describeDevice('MacBook Air M1 S/N C02XXXXXJHD3').names[0]).toBe('MacBook Air M1')
  })
})

test('names, colors and sizes of the catalogue state nothing about the device: 999 of 1,000', () => {
  const texts = bundledDevices().flatMap((device) =>
    device.variants.slice(0, 1).map(({ attributes }) => ({
      device,
      text: `${device.make} ${device.name} ${attributes.map(({ value }) => value).join(' ')}`,
    })),
  )
  const stated = texts.flatMap(({ device, text }) => {
    const { request, reading } = completeRequest<StatedFields>({}, describeDevice(text), null, device)
    const states = [...(request.defects ?? []), request.condition ?? '', request.lock ?? ''].filter(Boolean)
    return states.length + reading.unreadWords.length === 0 ? [] : [`${text}: ${states.join(', ')}`]
  })
  expectMostly(0.999, stated, texts.length)
})

test('the plus of a name stays, the plus before what comes along goes', () => {
  expect(tidyName('Samsung Galaxy Note 10+')).toBe('Samsung Galaxy Note 10+')
  expect(tidyName('iPhone 13 + ')).toBe('iPhone 13')
})

test('a short title is also looked up without the heading before it and without the clause behind it', () => {
  expect(describeDevice('Магазин «СмартПлюс»: Samsung A54 8/256').names).toContain('Samsung A54 8/256')
  expect(describeDevice('Realme C55, мне нужен iPhone').names).toContain('Realme C55')
  expect(describeDevice('iPhone 13, iPhone 14').names).not.toContain('iPhone 13')
})
