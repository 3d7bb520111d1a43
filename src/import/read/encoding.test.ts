import { expect, test } from 'bun:test'
import { createByteSource, createTextSource } from './byte-source-service.ts'
import { decodeText } from './encoding.ts'

async function textOf(bytes: Uint8Array, chunkBytes = bytes.byteLength || 1) {
  const notes: string[] = []
  const chunks: Uint8Array[] = []
  for (let at = 0; at < bytes.byteLength; at += chunkBytes) chunks.push(bytes.subarray(at, at + chunkBytes))
  let text = ''
  for await (const piece of decodeText(
    createByteSource('file', () => chunks),
    (note) => notes.push(note),
  ))
    text += piece
  return { text, notes }
}

const SAMPLE = 'brand;name\r\nCitroën;5″ 手机 📱\r\n'

function utf16(text: string, littleEndian: boolean) {
  const bytes = new Uint8Array(2 + text.length * 2)
  const view = new DataView(bytes.buffer)
  view.setUint16(0, 0xfeff, littleEndian)
  for (let at = 0; at < text.length; at++) view.setUint16(2 + at * 2, text.charCodeAt(at), littleEndian)
  return bytes
}

for (const [encoding, bytes] of [
  ['UTF-8', new TextEncoder().encode(SAMPLE)],
  ['UTF-8 with a byte order mark', new TextEncoder().encode(`\uFEFF${SAMPLE}`)],
  ['UTF-16LE with a byte order mark', utf16(SAMPLE, true)],
  ['UTF-16BE with a byte order mark', utf16(SAMPLE, false)],
  ['UTF-16LE without a mark', utf16(SAMPLE, true).subarray(2)],
  ['UTF-16BE without a mark', utf16(SAMPLE, false).subarray(2)],
] as const) {
  for (const chunkBytes of [1, 3, 7, 4096]) {
    test(`${encoding} is decoded without loss, in chunks of ${chunkBytes}`, async () => {
      expect(await textOf(bytes, chunkBytes)).toEqual({ text: SAMPLE, notes: [] })
    })
  }
}

for (const chunkBytes of [1, 2, 5000]) {
  test(`ASCII followed by a lone 0xE9 is read as windows-1252 with a note, in chunks of ${chunkBytes}`, async () => {
    const bytes = Buffer.concat([Buffer.from('a'.repeat(5000)), Buffer.from([0x43, 0xe9, 0x80, 0x0a])])
    expect(await textOf(bytes, chunkBytes)).toEqual({
      text: `${'a'.repeat(5000)}Cé€\n`,
      notes: ['file is not UTF-8: read as windows-1252. Set the encoding if letters look wrong.'],
    })
  })
}

/** Encodes text with an encoding that the platform can only decode, by inverting its decoder. */
function encode(text: string, encoding: string): Uint8Array {
  const bytesOf = new Map<string, number[]>()
  const learn = (bytes: number[]) => {
    const letter = new TextDecoder(encoding).decode(Uint8Array.from(bytes))
    if (letter.length === 1 && letter !== '\uFFFD' && !bytesOf.has(letter)) bytesOf.set(letter, bytes)
  }
  for (let first = 0; first < 256; first++) learn([first])
  if (!encoding.startsWith('windows'))
    for (let first = 0x81; first < 255; first++) for (let next = 0x40; next < 255; next++) learn([first, next])
  return Uint8Array.from([...text].flatMap((letter) => bytesOf.get(letter) ?? []))
}

for (const [encoding, text] of [
  [
    'windows-1250',
    'Naziv;Cijena;Stanje\niPhone 13 očuvan, bez oštećenja;450 €;korišteno\niPhone 12;200;odlično, žurno',
  ],
  ['windows-1250', 'tytuł;cena;stan\niPhone 13 używany, pęknięta szybka;1200 zł;zły'],
  ['windows-1250', 'název;cena;stav\niPhone 13 použitý, v pořádku;9000 Kč;dobrý'],
  ['windows-1251', 'название;цена;состояние\nАйфон 13 128 ГБ;45000;отличное'],
  ['windows-1252', 'Titel;Preis;Zustand\niPhone 13 für Bastler;120 €;beschädigt'],
  ['windows-1252', 'titre;prix;état\niPhone 13 très bon état;400 €;bon'],
  ['windows-1257', 'pavadinimas;kaina;būklė\niPhone 13 mažai naudotas, įbrėžimų nėra, šviežias;300 €;gera'],
  ['shift_jis', 'タイトル,価格,状態\niPhone 13 128GB ブルー 美品,45000,目立った傷や汚れなし'],
  ['shift_jis', 'No,機種名,容量,IMEI,ランク,備考,仕入価格\n1,iPhone 13,128GB,,A,画面割れ,48000'],
  ['euc-kr', '상품정보,가격,상태\n아이폰 13 128기가 블루,450000,S급'],
  ['windows-1250', 'Skup telefonów;Stan A;Stan B\niPhone 13;1350 zł;1200 zł'],
  [
    'windows-1254',
    'Cihaz;Durum;Fiyat\nSamsung Galaxy S23;İyi;24.750 TL\niPhone 13;Çok iyi, çizik yok, kutulu;28.999 TL',
  ],
  ['gb18030', '型号,容量,成色,价格\n苹果 iPhone 13,128GB,95新,￥2499\n一加 11,256GB,99新,￥1799'],
  ['gb18030', '标题,价格,成色\n苹果手机 128G 蓝色 国行,2500,九成新'],
] as const) {
  test(`${encoding} is detected: ${text.slice(0, 12)}`, async () => {
    const decoded = await textOf(encode(text, encoding))
    expect(decoded.text).toBe(text)
    expect(decoded.notes).toEqual([`file is not UTF-8: read as ${encoding}. Set the encoding if letters look wrong.`])
  })
}

test('damaged UTF-8 stays UTF-8, with the bad bytes replaced and a note', async () => {
  const bytes = Buffer.concat([Buffer.from(`é${'x'.repeat(6000)}`), Buffer.from([0xff]), Buffer.from('ü')])
  const { text, notes } = await textOf(bytes, 4096)
  expect(text).toBe(`é${'x'.repeat(6000)}\uFFFDü`)
  expect(notes).toEqual(['file holds bytes that are not UTF-8: they were replaced by U+FFFD.'])
})

test('an empty file gives an empty text', async () => {
  expect(await textOf(new Uint8Array(0))).toEqual({ text: '', notes: [] })
})

for (const [format, bytes, message] of [
  ['zip', [0x50, 0x4b, 3, 4, 20, 0], 'is a zip archive'],
  ['gzip', [0x1f, 0x8b, 8, 0], 'is a gzip file'],
  ['PDF', [...Buffer.from('%PDF-1.7')], 'is a PDF'],
  ['SQLite', [...Buffer.from('SQLite format 3\0')], 'is a SQLite database'],
  ['NULs', [65, 0, 66, 0, 67, 0], 'is not a text file'],
  ['control characters', Array.from({ length: 64 }, (_, at) => (at % 8) + 1), 'is not a text file'],
] as const) {
  test(`${format} is rejected, and the error names the format`, async () => {
    expect(textOf(Uint8Array.from(bytes))).rejects.toThrow(message)
  })
}

test('a NUL far into the file is rejected too', async () => {
  await expect(textOf(Buffer.from(`${'a,b\n'.repeat(5000)}\0`), 4096)).rejects.toThrow('holds a NUL')
})

test('a text source can be read twice', async () => {
  const source = createTextSource('a')
  for (const _ of [1, 2]) for await (const piece of decodeText(source)) expect(piece).toBe('a')
})
