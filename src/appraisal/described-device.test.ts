import { describe, expect, test } from 'bun:test'
import { bundledDevices } from '../catalog/bundled-catalogue-service.ts'
import { describeDevice } from './described-device.ts'

const codes = (text: string) =>
  describeDevice(text).findings.flatMap((finding) => {
    if (finding.field === 'defects') return finding.codes.slice(0, 1)
    return finding.field === 'lock' && finding.lock === 'locked' ? ['carrier_locked'] : []
  })

describe('the words of a text', () => {
  test.each([
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
  ])('of "%s" name "%s" with %p', (text, name, found) => {
    expect(describeDevice(text)).toMatchObject({ name })
    expect<string[]>(codes(text).sort()).toEqual([...found].sort())
  })

  test('that negate a defect or describe something else are no finding', () => {
    for (const text of [
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
    ])
      expect({ text, codes: codes(text) }).toEqual({ text, codes: [] })
  })

  test('that change the price but fit no field are named', () => {
    for (const text of [
      'iPhone 13 replaced screen',
      'iPhone 13 password forgotten',
      'iPhone 13 engraved',
      '아이폰 13 잠금폰',
      'iPhone 13 Display getauscht',
      'iPhone 13 camera replaced',
      'PS5 HDMI port replaced',
      'iPhone 13 not paid off',
      'MacBook Air M1 cycle count 1200',
      'iPhone 13 keistas ekranas',
      // No list has the word after the part.
      'iPhone 13 display has specks',
      'iPhone 13 camera whirring',
      "iPhone 13 can't update",
      'iPhone 13 charges only at an angle',
      'iPhone 13 restarts',
      'iPhone 13 se apaga solo',
      'iPhone 13 icloud account',
      'iPhone 13 needs attention',
    ])
      expect({ text, unread: describeDevice(text).unreadWords.length }).toEqual({ text, unread: 1 })
  })

  test('beside a fault that no list has are left out of shorter names, and named', () => {
    const { findings, shortened } = describeDevice('Canon EOS R5 hot shoe broken, 45 MP')
    expect(findings).toEqual([{ field: 'defects', words: 'broken', codes: ['no_power'], subject: 'shoe' }])
    expect(shortened.at(-1)).toEqual({
      name: 'Canon EOS R5 , 45 MP',
      findings: [],
      unreadWords: [{ words: 'hot shoe broken', withholdsOffer: false }],
    })
    expect(describeDevice('Galaxy S21 Ultra broken').shortened).toEqual([])
    expect(describeDevice('Canon EOS R5 hot shoe').shortened).toEqual([])
  })

  test('that say that something is not recognised do not mean a dead device', () => {
    const { findings, unreadWords } = describeDevice('iPad Air 4 no reconoce el lápiz')
    expect(findings).toEqual([])
    expect(unreadWords).toEqual([{ words: 'no reconoce el', withholdsOffer: false }])
  })

  test('for a weak part that is not named are named', () => {
    expect(describeDevice('iPhone 13, a bit blurry').unreadWords).not.toEqual([])
  })

  test('are returned if they were recognised', () => {
    expect(describeDevice('iPhone 13 cracked screen battery 79 %').findings).toEqual([
      { field: 'battery_health', words: 'battery 79 %', percent: 79 },
      { field: 'defects', words: 'battery 79 %', codes: ['weak_battery'] },
      { field: 'defects', words: 'cracked screen', codes: ['cracked_screen'] },
    ])
  })

  test.each([
    ['iPhone 13 10/10', 'Excellent'],
    ['iPhone 13 8,5 von 10', 'Good'],
    ['iPhone 13 condition 6/10', 'Fair'],
    ['iPhone 13 3 out of 10', 'Poor'],
  ] as const)('with points out of ten state a grade: "%s" is %s', (text, condition) => {
    expect(describeDevice(text).findings).toMatchObject([{ field: 'condition', condition }])
  })

  test('do not state a grade with two models', () => {
    expect(describeDevice('iPhone 8/10').findings).toEqual([])
  })

  test('say nothing about a part that was never replaced, and a new battery is no fault', () => {
    for (const text of ['iPhone 13 screen never replaced', 'iPhone 13 battery replaced'])
      expect(describeDevice(text)).toMatchObject({ findings: [], unreadWords: [] })
  })

  test('never put an identifier into the name', () => {
    expect(describeDevice('iPhone 13 256GB IMEI: 356938035643809')).toEqual({
      name: 'iPhone 13 256GB',
      findings: [],
      unreadWords: [],
      identifier: '356938035643809',
      hasStatements: false,
      shortened: [],
    })
    expect(describeDevice('iPhone 13 IMEI 356938035643808 blue')).toMatchObject({
      name: 'iPhone 13 blue',
      identifier: null,
    })
    expect(describeDevice('MacBook Air M1 S/N C02XXXXXJHD3').name).toBe('MacBook Air M1')
  })
})

test('names, colors and sizes of the catalogue state nothing about a device', () => {
  const texts = bundledDevices().flatMap(({ make, name, variants }) =>
    variants.map(({ attributes }) => `${make} ${name} ${attributes.map(({ value }) => value).join(' ')}`),
  )
  const stated = texts.filter((text) => {
    const { findings, unreadWords } = describeDevice(text)
    return findings.length > 0 || unreadWords.length > 0
  })
  expect(stated).toEqual([])
})
