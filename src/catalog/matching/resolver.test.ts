import { describe, expect, test } from 'bun:test'
import { sampleDevice } from '../../../test/support/device.ts'
import { bundledDevices } from '../bundled-catalogue-service.ts'
import type { TitleListing } from './resolution.ts'
import { createResolver } from './resolver.ts'

const bundled = bundledDevices()
const resolve = createResolver(bundled)
const said = (text: string, more: Partial<TitleListing> = {}) => resolve({ text, ...more })
const idOf = (text: string, make?: string) => said(text, { make }).device?.id ?? null

describe('a device matches only if its name accounts for every model word', () => {
  for (const [text, id] of [
    ['Galaxy Z Flip 5', 'samsung-galaxy-z-flip5'],
    ['Switch OLED', 'nintendo-switch-oled-model'],
    ['PS5 Digital', 'sony-playstation-5-digital-edition'],
    ['13 promax 256', 'apple-iphone-13-pro-max'],
    ['iPhone 6 64GB GSM+CDMA', 'apple-iphone-6'],
    ['iPhone 14+ 128GB', 'apple-iphone-14-plus'],
    ['galaxy s 23', 'samsung-galaxy-s23'],
    ['S23 Ultra 512', 'samsung-galaxy-s23-ultra'],
    ['iPhone SE 2020 64GB', 'apple-iphone-se-2nd-generation'],
    ['iPhone X/10 64GB', 'apple-iphone-x'],
    ['MacBook Air M1 8GB 256GB', 'apple-macbook-air-m1-2020'],
    ['MacBook Pro 14 M1 Pro 16GB 512GB', 'apple-macbook-pro-14-inch-2021'],
    ['Apple MacBook Air 13,3" 2020 M1', 'apple-macbook-air-m1-2020'],
    ['Apple MacBook Pro 13,3 Zoll 2020 M1 256GB', 'apple-macbook-pro-13-inch-m1-2020'],
    ['MacBook Pro 16,1 2019', 'apple-macbook-pro-16-inch-2019'],
    ['iPad mini 6 64GB', 'apple-ipad-mini-6th-generation'],
    ['ps5 konzola 825GB', 'sony-playstation-5'],
    ['아이폰13 프로 맥스 256기가 자급제', 'apple-iphone-13-pro-max'],
    ['갤럭시S23울트라 512GB', 'samsung-galaxy-s23-ultra'],
    ['Điện thoại iPhone 11 64GB cũ', 'apple-iphone-11'],
    ['iphone 13 mini 128gb kao nov, baterija 90%', 'apple-iphone-13-mini'],
    ['iPhone 12 64GB wie neu mit OVP', 'apple-iphone-12'],
    ['Parduodu iPhone 13 128GB, puikios būklės', 'apple-iphone-13'],
  ] as const) {
    test(`${text} → ${id}`, () => expect(idOf(text)).toBe(id))
  }
})

test('a part or an accessory with numbers or a layout behind the name of a device is no device', () => {
  for (const [text, rejection] of [
    ['Steam Deck 1TB SSD upgrade 2230', 'part'],
    ['ROG Ally 65W charger dock', 'accessory'],
    ['ThinkPad T480 keyboard UK backlit', 'part'],
    ['MacBook Air M1 topcase QWERTZ', 'part'],
    ['iPhone 13 insurance policy', 'service'],
  ] as const) {
    expect(said(text)).toMatchObject({ device: null, rejection })
  }
  expect(idOf('ROG Ally Z1 Extreme with 65W charger')).toBe('asus-rog-ally')
  expect(idOf('ThinkPad T480 i5 16GB 256GB keyboard UK backlit')).toBe('lenovo-thinkpad-t480')
  expect(idOf('PS5 console with slim headset')).not.toBe('sony-playstation-5-slim')
})

// "JBL Charge 5 Wi-Fi" was matched to the Charge 5, which has no Wi-Fi and costs less.
test('a portable speaker with Wi-Fi is not the one without', () => {
  expect(idOf('JBL Charge 5')).toBe('jbl-charge-5')
  for (const text of ['JBL Charge 5 Wi-Fi', 'JBL Charge 5 WiFi black', 'Boombox 3 Wi-Fi JBL'])
    expect(idOf(text)).toBeNull()
})

describe('the stated processor distinguishes laptops of the same name', () => {
  for (const [text, id] of [
    ['ThinkPad T14 Gen 2 i5-1145G7 16GB 256GB SSD', 'lenovo-thinkpad-t14-gen-2-intel'],
    ['Lenovo T14 Gen 3 i7 16GB', 'lenovo-thinkpad-t14-gen-3-intel'],
    ['ThinkPad T14 Gen 3 Ryzen 5 Pro 6650U 16GB', 'lenovo-thinkpad-t14-gen-3-amd'],
    ['ThinkPad T14s G2 AMD', 'lenovo-thinkpad-t14s-gen-2-amd'],
    ['Lenovo X1 Carbon G10 i5', 'lenovo-thinkpad-x1-carbon-gen-10'],
    ['ThinkPad T14 Gen 5 Core Ultra 5 125U 16GB', 'lenovo-thinkpad-t14-gen-5-intel'],
    ['Dell XPS 13 9350 Core Ultra 7 16GB', 'dell-xps-13-9350'],
    ['ThinkPad T14s Gen 6 Snapdragon X Elite 32GB', 'lenovo-thinkpad-t14s-gen-6-snapdragon'],
    ['ThinkPad T14s Gen 6 Intel Core Ultra 7', null],
    ['ThinkPad T16 Gen 1 Ryzen 7 Pro 6850U', 'lenovo-thinkpad-t16-gen-1-amd'],
    ['Dell XPS 13 9310 Core i7 16GB', 'dell-xps-13-9310'],
    // A model of 2015 has the same number.
    ['Dell XPS 13 9350 i5-6200U 8GB', 'dell-xps-13-9350-2015'],
    ['ThinkPad T14 Gen 2 16GB 512GB', null],
    ['ThinkPad P14s Gen 2 Ryzen 7', 'lenovo-thinkpad-p14s-gen-2'],
    ['Lenovo X390 Yoga i5', 'lenovo-thinkpad-x390-yoga'],
  ] as const) {
    test(`${text} → ${id}`, () => expect(idOf(text)).toBe(id))
  }
})

describe('a size in the name may be stated as a size, and the year may be that of the announcement', () => {
  for (const [text, id] of [
    ['Samsung Galaxy Tab A 10.1" (2019) 32GB', 'samsung-galaxy-tab-a-10-1-2019'],
    ['Xiaomi Pad 5 Pro 12.4"', 'xiaomi-pad-5-pro-12-4'],
    ['Galaxy Tab A8 2021', 'samsung-galaxy-tab-a8'],
    ['Galaxy Tab A 10.1" 2016', 'samsung-galaxy-tab-a-10-1-2016'],
    ['Galaxy Tab S6 Lite 2022', null],
  ] as const) {
    test(`${text} → ${id}`, () => expect(idOf(text)).toBe(id))
  }
})

// "Platinum" is a color elsewhere, and "open" describes a box.
test('a model word of one line is not read as a color or condition there', () => {
  expect(idOf('DJI Mavic Pro fly more')).toBe('dji-mavic-pro')
  expect(idOf('DJI Mavic Pro Platinum')).toBe('dji-mavic-pro-platinum')
  expect(idOf('Nothing Ear open box')).toBe('nothing-ear')
  expect(idOf('Nothing Ear (open)')).toBeNull()
})

test('an included lens does not make it another camera', () => {
  expect(idOf('Sony A7 IV + 28-70mm kit')).toBe('sony-alpha-a7-iv')
  expect(idOf('Samsung S23 + 256GB')).toBe('samsung-galaxy-s23-plus')
})

// "RAM/512GB" was read as memory, so that such titles had no storage.
test('memory and storage are each recognized by their own word, whatever is between them', () => {
  for (const text of [
    'MacBook Pro 14 M1 Pro 16GB Ram/512GB SSD',
    'MacBook Pro 14 M1 Pro 16GB RAM 512GB',
    'MacBook Pro 14 M1 Pro RAM 16GB SSD 512GB',
    'MacBook Pro 14 M1 Pro RAM 16GB/512GB',
  ]) {
    const sizes = said(text).attributes.filter(({ name }) => name === 'ram' || name === 'storage')
    expect(sizes).toEqual([
      { name: 'storage', value: '512GB' },
      { name: 'ram', value: '16GB' },
    ])
  }
})

describe('a graphics card is found under any board maker, and a computer with one is not matched to it', () => {
  for (const [text, id] of [
    ['RTX 3080', 'nvidia-geforce-rtx-3080'],
    ['RTX 3080 12GB', 'nvidia-geforce-rtx-3080-12gb'],
    ['EVGA GeForce RTX 3080 FTW3 Ultra 10GB', 'nvidia-geforce-rtx-3080'],
    ['Gigabyte RTX 3080 Ti Gaming OC 12G', 'nvidia-geforce-rtx-3080-ti'],
    ['Gigabyte RTX 4070 Ti Super Windforce 16GB', 'nvidia-geforce-rtx-4070-ti-super'],
    ['XFX Speedster MERC 319 RX 6800 XT', 'amd-radeon-rx-6800-xt'],
    ['ASUS TUF Gaming A15 RTX 3060', 'asus-tuf-gaming-a15'],
    ['ASUS TUF Gaming RTX 3060 laptop', null],
    ['Zephyrus G14 RTX 3060 12GB', null],
    ['Gaming PC i7 RTX 3070 8GB', null],
    ['RTX 3070 waterblock', null],
    ['RX 6700S', null],
  ] as const) {
    test(`${text} → ${id}`, () => expect(idOf(text)).toBe(id))
  }
})

test('an accessory named with only a model number is not matched to the device', () => {
  expect(said('Samsung SM-S918B clear case').rejection).toBe('accessory')
  expect(said('A2483 back glass').rejection).toBe('part')
  expect(idOf('Samsung SM-S918B 256GB with case')).toBe('samsung-galaxy-s23-ultra')
})

test('"only" means that nothing else is sold', () => {
  expect(said('Samsung Galaxy Tab S8 Ultra 256GB keyboard cover only').rejection).toBe('accessory')
  expect(said('MacBook Pro 14 M1 Pro 512GB nur Ladekabel').rejection).toBe('accessory')
  expect(idOf('Xbox Series X 1TB console only')).toBe('microsoft-xbox-series-x')
})

test('a console sold with a game is a console, the game alone is not', () => {
  expect(idOf('Nintendo Switch OLED Zelda Tears of the Kingdom Edition')).toBe('nintendo-switch-oled-model')
  expect(said('Zelda Tears of the Kingdom Nintendo Switch').rejection).toBe('accessory')
  expect(said('PlayStation 4 games bundle').device).toBeNull()
})

describe('an extra model word means another device', () => {
  for (const [text, make] of [
    ['iPhone 13 Ultra'],
    ['iPhone 21 Pro Max'],
    ['Galaxy S22 Lite'],
    ['Galaxy Z Fold 19'],
    ['PlayStation 5 Mini'],
    ['Nintendo Switch Pro'],
    ['Pixel 7 Ultra'],
    ['MacBook Air M9'],
    ['Moto G Power 2035'],
    ['Xiaomi 13 Civi'],
    ['iPhone 13 Hyperdrive'],
    ['iPhone 8 / 8 Plus 64GB'],
    ['Motorola Edge 77', undefined],
    ['2 Pro', 'Lava'],
    ['S23', 'Cubot'],
  ] as const) {
    test(`${make ? `[${make}] ` : ''}${text} matches no device`, () => expect(idOf(text, make)).toBeNull())
  }
})

describe('a device of another make is never matched', () => {
  const few = createResolver([
    sampleDevice('Sonos', 'Ace', { category: 'Headphones' }),
    sampleDevice('Razer', 'Razer Phone 2'),
    sampleDevice('Motorola', 'Edge (2020)'),
    sampleDevice('Samsung', 'Galaxy Z Flip'),
    sampleDevice('Nintendo', 'Switch', { category: 'Game Console' }),
  ])
  for (const [text, make, refusal] of [
    ['OnePlus Ace', null, 'unknown_make'],
    ['Ace', 'OnePlus', 'unknown_make'],
    ['Realme 2 Pro', null, 'unknown_make'],
    ['iPhone 13', 'Samsung', 'make_mismatch'],
    ['Motorola Edge 40', null, 'unknown_model'],
    ['Galaxy Z Flip 5', null, 'unknown_model'],
    ['Switch OLED', null, 'unknown_model'],
  ] as const) {
    test(`${make ? `[${make}] ` : ''}${text}: ${refusal}`, () => {
      expect(few({ text, make })).toMatchObject({ decision: 'unknown', device: null, rejection: refusal })
    })
  }

  test('a title may name a brand together with the make that sells it', () => {
    expect(idOf('Google Fitbit Versa 3')).toBe('fitbit-versa-3')
    expect(idOf('Note 10 Pro', 'Redmi')).toBe('xiaomi-redmi-note-10-pro')
  })
})

describe('titles that sell no device are rejected with the reason', () => {
  for (const [text, refusal] of [
    ['Silicone case for iPhone 13 Pro', 'accessory'],
    ['iPhone 13 Pro silicone case', 'accessory'],
    ['maska za iphone 13', 'accessory'],
    ['Hülle für Samsung Galaxy S22', 'accessory'],
    ['아이폰13 케이스', 'accessory'],
    ['iPhone 12 LCD screen replacement', 'part'],
    ['matična ploča iphone 12', 'part'],
    ['iPhone 14 Pro Max box only', 'box'],
    ['prazna kutija iphone 14 pro', 'box'],
    ['Lot of 5 iPhone 11 64GB', 'lot'],
    ['2x iPhone 12 64GB', 'lot'],
    ['iPhone 8 64GB for parts', 'for_parts'],
    ['iPhone 11 defekt für Bastler', 'for_parts'],
    ['iPhone XR 64GB iCloud locked', 'for_parts'],
    ['WTB iPhone 13 Pro', 'wanted'],
    ['iPhone 13 screen repair service', 'service'],
    ['iPhone 14 Pro dummy phone', 'replica'],
    ['Samsung Galaxy S21 and iPhone 13', 'make_mismatch'],
    ['Samsung phone', 'not_enough_information'],
  ] as const) {
    test(`${text}: ${refusal}`, () => expect(said(text)).toMatchObject({ decision: 'unknown', rejection: refusal }))
  }

  test('included accessories do not turn a device into an accessory', () => {
    expect(idOf('iPhone 13 128GB with case and charger')).toBe('apple-iphone-13')
    expect(idOf('iphone 12 64gb + gratis maska')).toBe('apple-iphone-12')
    expect(idOf('iPhone 12 128GB cracked screen')).toBe('apple-iphone-12')
    expect(idOf('아이폰13 128기가 + 케이스 3개')).toBe('apple-iphone-13')
  })

  test('one earbud, or a part called original, is not the device', () => {
    expect(said('Sony WF-1000XM4 fone direito').rejection).toBe('part')
    expect(idOf('Sony WF-1000XM4 left and right tested')).toBe('sony-wf-1000xm4')
    expect(said('Samsung Galaxy A25 5G Display Original neu').rejection).toBe('part')
    expect(idOf('Nikon Z6 II Gehäuse')).toBe('nikon-z-6ii')
  })
})

describe('codes decide over names', () => {
  test('a model number, an identifier and a part number find their device alone', () => {
    expect(idOf('SM-G991B 128GB')).toBe('samsung-galaxy-s21')
    expect(idOf('iPhone14,5 128GB')).toBe('apple-iphone-13')
    expect(said('MLVC3LL/A').variant?.partNumbers).toContain('MLVC3')
  })

  test('a code may be more specific than the name but must not contradict it', () => {
    expect(idOf('Samsung Galaxy S21 SM-G998U 256GB')).toBe('samsung-galaxy-s21-ultra')
    expect(said('iPhone 12 Pro Max A2482')).toMatchObject({
      decision: 'ambiguous',
      rejection: 'conflicting_identifiers',
    })
  })
})

describe('storage, color and the rest', () => {
  test('they select the variant', () => {
    const found = said('iphone 13 128 midnight')
    expect(found.variant?.id).toBe('apple-iphone-13-128gb-midnight')
    expect(found.attributes).toContainEqual({ name: 'storage', value: '128GB' })
  })

  test('several storages: the device, no variant', () => {
    expect(said('iPhone 13 128GB 256GB 512GB Unlocked')).toMatchObject({
      decision: 'matched',
      variant: null,
      variantNote: 'several_storages',
    })
  })

  test('a storage it was never sold with: the device, no variant, and the reason', () => {
    expect(said('iPhone 13 64GB')).toMatchObject({
      decision: 'matched',
      variants: [],
      variantNote: 'storage_not_offered',
    })
  })

  test('columns of a row count like words of the title', () => {
    expect(said('iPhone 13', { make: 'Apple', storage: '128 GB', color: 'Midnight' }).variant?.id).toBe(
      'apple-iphone-13-128gb-midnight',
    )
  })

  test('carriers, locks and conditions are read', () => {
    const found = said('Apple iPhone 12 64GB Black AT&T locked, cracked')
    expect(found.attributes).toContainEqual({ name: 'carrier', value: 'AT&T' })
    expect(found.attributes).toContainEqual({ name: 'lock', value: 'locked' })
    expect(found.conditions).toEqual(['poor'])
  })

  test('abbreviations count only after a number of their line', () => {
    expect(idOf('Iphone 15 pm 256')).toBe('apple-iphone-15-pro-max')
    expect(idOf('Galaxy S24U 512')).toBe('samsung-galaxy-s24-ultra')
    expect(idOf('iPhone 15 128GB pick up 5 pm')).toBe('apple-iphone-15')
  })

  test('generations, processors and sizes are read in the forms of several languages', () => {
    expect(idOf('iPad 9e generatie 64GB')).toBe('apple-ipad-9th-generation')
    expect(idOf('Dell Latitude 7420 i5 11th gen 16gb')).toBe('dell-latitude-7420')
    expect(said('Apple Watch S6 44 space grau').attributes).toContainEqual({ name: 'size', value: '44mm' })
  })

  test('compound colors are colors', () => {
    expect(said('Beats Studio 3 Wireless mattschwarz').attributes).toContainEqual({ name: 'color', value: 'black' })
  })

  test('a number that identified the model is not an unmatched word', () => {
    expect(said('Dell XPS 13 9310 i7 16GB 512').unmatchedWords).toEqual([])
  })

  test('words without a known meaning are returned', () => {
    expect(said('iPhone 13 128GB qwertzuiop').unmatchedWords).toEqual(['qwertzuiop'])
  })
})

describe('doubt', () => {
  test('a letter after the number, or another make before the line, is another device', () => {
    for (const text of ['OPPO Find X2x', 'realme X50x 5G', 'Honor Galaxy S7', 'Lava Galaxy M07']) {
      expect([text, resolve({ text }).device]).toEqual([text, null])
    }
    expect(idOf('Google Pixel 7 128GB NOT 7a')).toBe('google-pixel-7')
  })

  test('a laptop that was sold with several processors is ambiguous without one', () => {
    for (const text of ['Lenovo ThinkPad T14 Gen 3', 'ThinkPad T14 G3 16GB 512GB']) {
      const { decision, device, candidates } = resolve({ text })
      expect([decision, device]).toEqual(['ambiguous', null])
      expect(candidates.map((candidate) => candidate.device.id).sort()).toEqual([
        'lenovo-thinkpad-t14-gen-3-amd',
        'lenovo-thinkpad-t14-gen-3-intel',
      ])
    }
  })

  test('a title that fits several devices is ambiguous and lists them', () => {
    const found = said('iPhone SE 64GB')
    expect(found.decision).toBe('ambiguous')
    expect(found.candidates.map(({ device }) => device.id)).toContain('apple-iphone-se-3rd-generation')
  })

  test('a title without a year does not match a name with one', () => {
    const few = createResolver([sampleDevice('Motorola', 'Moto G Play (2024)', { releasedOn: '2024-02-08' })])
    expect(few({ text: 'Moto G Play 64GB' }).decision).toBe('ambiguous')
    expect(few({ text: 'Moto G Play 2024' }).decision).toBe('matched')
    expect(few({ text: 'Moto G Play 2021' }).rejection).toBe('unknown_model')
  })

  test('a typing error lowers the confidence and is not corrected in a word with a digit or between two models', () => {
    expect(said('iphnoe 13 128gb').confidence).toBeLessThan(said('iphone 13 128gb').confidence)
    expect(idOf('iphnoe 13 128gb')).toBe('apple-iphone-13')
    expect(idOf('iPhone 13 Pro Mxa')).toBeNull()
    expect(idOf('Galaxy S23 ulta')).toBeNull()
  })

  test('the 5G and non-5G versions of a phone are two devices', () => {
    const undecided = said('Samsung Galaxy A51 128GB')
    expect(undecided.decision).toBe('ambiguous')
    expect(undecided.candidates.map(({ device }) => device.id)).toEqual(['samsung-galaxy-a51', 'samsung-galaxy-a51-5g'])
    expect(idOf('Samsung Galaxy A51 4G 128GB')).toBe('samsung-galaxy-a51')
    expect(idOf('Samsung Galaxy A51 256GB')).toBe('samsung-galaxy-a51')
    expect(idOf('Samsung Galaxy A51 5G 128GB')).toBe('samsung-galaxy-a51-5g')
    expect(idOf('Samsung Galaxy S21 5G 128GB')).toBe('samsung-galaxy-s21')
  })
})

describe('a model word away from the name counts only if it describes nothing else', () => {
  for (const [text, id] of [
    ['iPhone 14 128GB pro case included', 'apple-iphone-14'],
    ['iPhone 14 128GB mini tripod', 'apple-iphone-14'],
    ['Galaxy S23 256GB ultra rare colour', 'samsung-galaxy-s23'],
    ['iPhone 13 128GB Pro', 'apple-iphone-13-pro'],
    ['iPhone 13 128GB Pro Max, blue', 'apple-iphone-13-pro-max'],
  ] as const) {
    test(`${text} → ${id}`, () => expect(idOf(text)).toBe(id))
  }

  test('if both readings are possible, both devices are candidates', () => {
    const { decision, candidates } = said('iPhone 13 128GB pro refurbished')
    expect(decision).toBe('ambiguous')
    expect(candidates.map(({ device }) => device.id).sort()).toEqual(['apple-iphone-13', 'apple-iphone-13-pro'])
  })
})

test('wallets, straps, games and wanted ads are not devices', () => {
  expect(said('iPhone 13 leather wallet').rejection).toBe('accessory')
  expect(said('Apple Watch Series 7 watch strap').rejection).toBe('accessory')
  expect(idOf('PS5 Ghost of Yotei')).toBeNull()
  expect(idOf('PS5 Unheard Of Title')).toBeNull()
  expect(said('Looking to buy iPhone 13').rejection).toBe('wanted')
})

test('a list of sizes states no size', () => {
  for (const text of ['iPhone 6 16/32/64/128GB', 'iPhone 6S 16/32/64/128GB', 'iPhone 7 16/32/64/128GB']) {
    const { variant, variantNote, attributes } = said(text)
    expect({ variant, variantNote, attributes }).toEqual({
      variant: null,
      variantNote: 'several_storages',
      attributes: [],
    })
  }
})

test('a single candidate is a match or has a reason', () => {
  expect(idOf('Galaxy A52s 128')).toBe('samsung-galaxy-a52s-5g')
  expect(idOf('Galaxy A52s 4G 128GB')).toBeNull()
  // Two years of it had this storage.
  expect(said('Samsung Galaxy A8 32GB')).toMatchObject({ decision: 'ambiguous' })
  expect(said('Samsung Galaxy A8+ 32GB')).toMatchObject({ decision: 'ambiguous', rejection: 'incomplete_name' })
  // Sold with 4G and with 5G.
  expect(said('Galaxy A52 128GB')).toMatchObject({ decision: 'ambiguous', rejection: 'incomplete_name' })
  expect(said('Galaxy A52 LTE 128GB').device?.id).toBe('samsung-galaxy-a52')
  for (const { make, name } of bundled) {
    const found = said(`${make} ${name.replace(/ 5G\b|\s*\([^)]*\)/g, '')}`)
    if (found.decision === 'ambiguous' && found.candidates.length === 1) expect(found.rejection).not.toBeNull()
  }
})

describe('names in other scripts', () => {
  for (const [text, id] of [
    ['ايفون ١٤ برو ماكس ٢٥٦', 'apple-iphone-14-pro-max'],
    ['ไอโฟน14โปรแม็กซ์ 256', 'apple-iphone-14-pro-max'],
    ['אייפון 13 פרו 128', 'apple-iphone-13-pro'],
    ['आईफोन 13 प्रो 128GB', 'apple-iphone-13-pro'],
    ['苹果13mini 128G', 'apple-iphone-13-mini'],
    ['самсунг галакси с23 ультра', 'samsung-galaxy-s23-ultra'],
    ['Ксиоми Поко Х3 НФС 6/64', 'xiaomi-poco-x3'],
    ['آیفون ۱۳ پرومکس سیرابلو', 'apple-iphone-13-pro-max'],
    ['سامسونگ اس ۱۰ ای', 'samsung-galaxy-s10e'],
    ['پلی استیشن ۴ اسلیم ۱ ترا', 'sony-playstation-4-slim'],
    ['لابتوب ديل لاتيتيود 5490', 'dell-latitude-5490'],
    ['আইফোন ৬এস চমৎকার অবস্থা', 'apple-iphone-6s'],
    ['ওয়ানপ্লাস নর্ড সিই ২', 'oneplus-nord-ce-2-5g'],
    ['कैनन EOS R10 बिकाऊ', 'canon-eos-r10'],
    ['गूगल पिक्सल 6a चारकोल', 'google-pixel-6a'],
    ['Λάπτοπ Dell Latitude 7490', 'dell-latitude-7490'],
    ['레노버 씽크패드 T490', 'lenovo-thinkpad-t490'],
    ['小米13T 一台', 'xiaomi-13t'],
    ['Nintendo Switch 有機ELモデル ホワイト', 'nintendo-switch-oled-model'],
    ['【美品】Pixel 7a チャコール', 'google-pixel-7a'],
    ['סורפס פרו 7 עם מקלדת', 'microsoft-surface-pro-7'],
    ['PS5 CFI-1200A 動作確認済み', 'sony-playstation-5'],
  ] as const) {
    test(`${text} → ${id}`, () => expect(idOf(text)).toBe(id))
  }
})

describe('a complete name survives the ordinary words beside it', () => {
  for (const [text, id] of [
    ['Xbox Series X seminovo', 'microsoft-xbox-series-x'],
    ['AirPods 2 σε καλή κατάσταση', 'apple-airpods-2nd-generation'],
    ['xiaomi redmi 9c для дитини', 'xiaomi-redmi-9c'],
    ['Nintendo Switch Lite türkis', 'nintendo-switch-lite'],
    ['PlayStation 5 ar diskdzini, 2 pultis', 'sony-playstation-5'],
    ['DJI Mini 3 drons', 'dji-mini-3'],
    ['Лаптоп HP ProBook 450 G7', 'hp-probook-450-g7'],
    ['Galaxy S9+ от САЩ', 'samsung-galaxy-s9-plus'],
    ['vecmāmiņas telefons Huawei P20 Pro', 'huawei-p20-pro'],
  ] as const) {
    test(`${text} → ${id}`, () => expect(idOf(text)).toBe(id))
  }

  for (const text of [
    'iPhone 13 чехол',
    'iPhone 13 ケース',
    'Etui iPhone 13',
    'θήκη για iPhone 13',
    'iPhone 13 কভার',
    'قاب آیفون ۱۳',
  ])
    test(`${text} is an accessory`, () => expect(idOf(text)).toBeNull())
})

describe('of two devices one is sold', () => {
  for (const [text, id] of [
    ['Tausche iPhone 13 128 blau gegen Samsung S23', 'apple-iphone-13'],
    ['Garmin nie, Apple Watch Ultra 2', 'apple-watch-ultra-2'],
    ['Oculus... sorry, Steam Deck 512GB LCD', 'valve-steam-deck'],
    ['Huawei Nova 9 bez Google', 'huawei-nova-9'],
  ] as const) {
    test(`${text} → ${id}`, () => expect(idOf(text)).toBe(id))
  }
})

test('the letter of a PlayStation code states the disc drive, and other regions of a code are the same console', () => {
  expect(idOf('CFI-1216A')).toBe('sony-playstation-5')
  expect(idOf('PlayStation 5 CFI-1116B')).toBe('sony-playstation-5-digital-edition')
  expect(idOf('CUH-7216B')).toBe('sony-playstation-4-pro')
})

test('words before a model code do not throw, whatever phrases they form', () => {
  expect(idOf('Ear pads for Sony WH-1000XM3')).toBeNull()
  expect(said('Ear pads for Sony WH-1000XM3').rejection).toBe('accessory')
  expect(said('screen protector tempered glass for SM-G991B').rejection).toBe('accessory')
})

test('a title that offers one model or another is rejected', () => {
  expect(said('iPhone 13 Pro or 13 Pro Max, make offer').rejection).toBe('multiple_models')
  expect(idOf('iPhone 12 oder 12 Pro 128GB')).toBeNull()
})

test('hostile text does not throw', () => {
  for (const text of [
    '',
    ' ',
    '\u0000',
    '((((',
    '+'.repeat(5000),
    'ﷺ'.repeat(300),
    '\ud800',
    'iphone '.repeat(900),
    '__proto__ constructor 13',
  ]) {
    expect(resolve({ text }).decision).not.toBe('matched')
  }
})

test('the graphics chip in a title chooses the variant of a laptop; without it the variant stays open', () => {
  const { variant, attributes } = said('Lenovo Legion 5 RTX 4060 16GB 512GB')
  expect(variant?.id).toBe('lenovo-legion-5-rtx-4060-16gb-512gb')
  expect(attributes).toContainEqual({ name: 'graphics', value: 'RTX 4060' })
  expect(said('MSI Katana GF66 rtx3050ti 16GB 512GB').variant?.id).toBe('msi-katana-gf66-rtx-3050-ti-16gb-512gb')
  const open = said('Lenovo Legion 5 16GB 512GB')
  expect(open.device?.id).toBe('lenovo-legion-5')
  expect(open.variant).toBeNull()
  // A chip it was never sold with is another laptop, or a mistake.
  expect(said('Lenovo Legion 5 RTX 4090 16GB 512GB').variants).toEqual([])
})
