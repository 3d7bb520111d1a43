import { describe, expect, test } from 'bun:test'
import columnWords from '../../data/aliases/columns.json' with { type: 'json' }
import { describeDevice } from '../appraisal/described-device.ts'
import type { ListColumn } from '../contract/device-list-columns.ts'
import { LANGUAGES } from '../contract/languages.ts'
import { runTimeSliced } from '../lib/event-loop.ts'
import { readDeviceListRow, readDeviceListRowInSlices } from './device-list-row.ts'
import { createCellGetter, createRowClassifier, detectListLayout } from './list-columns.ts'

const toRows = (lines: readonly (readonly string[])[]) => lines.map((fields, at) => ({ line: at + 1, fields }))

/** The row below a header with these titles. */
function row(cells: Record<string, string>) {
  const lines = toRows([Object.keys(cells), Object.values(cells)])
  const cellOf = createCellGetter(detectListLayout(lines).columns)
  return readDeviceListRow((column) => cellOf(Object.values(cells), column))
}
const read = (cells: Partial<Record<ListColumn, string>>) => readDeviceListRow((column) => cells[column] ?? '')

test('other work gets its turn while the long remarks of a row are read', async () => {
  const remarks = Array.from({ length: 40 }, (_, at) => `kept in drawer ${at} of the shop since the holidays`)
  const cells: Partial<Record<ListColumn, string>> = { text: 'iPhone 13 128GB', notes: remarks.join('; ') }
  let turns = 0
  const pause = async () => {
    turns++
  }
  const row = await runTimeSliced(
    readDeviceListRowInSlices((column) => cells[column] ?? ''),
    pause,
    0,
  )
  expect(turns).toBeGreaterThan(1)
  expect(row).toEqual(read(cells))
})

describe('a row of a list', () => {
  test('is read by common column names', () => {
    const cells = {
      'stock no': 'A1',
      imei: '356938035643809',
      brand: 'Apple',
      model: 'iPhone 13',
      capacity: '128',
      colour: 'Midnight',
      grade: 'Grade B',
      faults: 'Cracked back; weak_battery',
      Qty: '3',
      'Asking price (EUR)': '210,50',
      'Battery %': '91',
      'SIM lock': 'no',
      Comments: 'none',
    }
    expect(row(cells)).toEqual({
      request: {
        reference: 'A1',
        identifier: '356938035643809',
        text: 'Apple iPhone 13\nbattery 91 %',
        attributes: { storage: '128GB', color: 'Midnight' },
        condition: 'Good',
        defects: ['cracked_back', 'weak_battery'],
        lock: 'unlocked',
      },
      questions: [],
      quantity: 3,
      askingPrice: { value: 210.5, currency: null },
    })
  })

  test('has no field for missing cells', () => {
    expect(row({ title: 'Apple iPhone 13', make: 'apple', defects: '' }).request).toEqual({ text: 'Apple iPhone 13' })
  })

  test('whose defects are "none" states that there are none', () => {
    expect(row({ title: 'iPhone 13', defects: 'none' }).request).toEqual({ text: 'iPhone 13', defects: [] })
  })

  test('of a new device is Excellent, and of a used one has no grade', () => {
    expect(row({ device: 'x', condition: 'New' }).request).toEqual({ text: 'x', condition: 'Excellent' })
    expect(row({ device: 'x', condition: 'gebraucht' })).toMatchObject({ request: { text: 'x' }, questions: [] })
  })

  test('leaves the words of its cells to the appraisal, which reads them with its text', () => {
    const title = 'iPhone 13 128GB cracked screen, battery 74 %'
    expect(row({ title, faults: 'Face ID not working; SIM-locked', notes: 'ohne Zubehör, Kratzer' })).toMatchObject({
      request: { text: expect.stringContaining(`${title}\nFace ID not working`) },
      questions: [],
    })
  })

  test('is read although words may state a fault, which becomes a question', () => {
    const row = read({
      text: 'iPhone 13',
      condition: 'so-so-ish',
      defects: 'Display gesprungen',
      notes: 'reboots randomly, mit OVP',
    })
    expect(row).toMatchObject({ request: { text: expect.stringContaining('Display gesprungen') } })
    expect(row.questions).toEqual([
      { code: 'unknown_grade', column: 'condition', words: 'so-so-ish' },
      { code: 'unread_words', column: 'notes', words: 'reboots randomly' },
    ])
    expect(read({ text: 'iPhone 13', condition: 'B, Kratzer' })).toMatchObject({
      request: { condition: 'Good' },
      questions: [],
    })
  })

  /** Statements are learned: what is read otherwise is listed with the test that fails. */
  function expectMost(share: number, misread: readonly string[], of: number): void {
    expect(1 - misread.length / of, misread.join('\n')).toBeGreaterThanOrEqual(share)
  }

  test('has no question about notes that say nothing about the price', () => {
    const notes = [
      'mit OVP',
      'ohne Karton',
      'RAS',
      'leichte Kratzer',
      'rayures légères',
      'FMI off',
      '全套配件',
      'nach Kamin',
    ]
    const misread = notes.filter((note) => read({ text: 'iPhone 13', notes: note }).questions.length > 0)
    expectMost(0.85, misread, notes.length)
  })

  test('has the fault that a note names', () => {
    const notes = [
      ['FMI on', 'activation_locked'],
      ['sprucken skärm', 'cracked_screen'],
      ['knust bagside', 'cracked_back'],
      ['startar inte', 'no_power'],
      ['Face ID fungerar inte', 'biometric_sensor'],
      ['LCD burn', 'image_errors'],
    ] as const
    const misread = notes.filter(([words, defect]) => {
      const { request } = read({ text: 'iPhone 13', notes: words })
      const codes = describeDevice(request?.text ?? '').findings.flatMap((finding) =>
        finding.field === 'defects' ? finding.codes : [],
      )
      return !codes.includes(defect)
    })
    expectMost(0.8, misread.map(String), notes.length)
  })

  test.each([
    ...['Nej', 'Hayır', 'なし', '解除済み', '无', 'N'].map((cell) => [cell, 'unlocked'] as const),
    ...['Evet', 'あり', 'Igen', 'Telia', 'T-Mobile', 'Y'].map((cell) => [cell, 'locked'] as const),
  ])('whose column of locks says %p is %s', (lock, expected) => {
    expect(read({ text: 'iPhone 13', lock })).toMatchObject({ request: { lock: expected }, questions: [] })
  })

  test.each([
    ['Unlocked', 'unlocked'],
    ['T-Mobile', 'locked'],
    ['5G', undefined],
  ])('whose column of networks says %p, as in a price list', (carrier, expected) => {
    expect(read({ text: 'iPhone 13', carrier }).request?.lock).toBe(expected as 'locked')
    expect(read({ text: 'iPhone 13', carrier, lock: 'no' }).request?.lock).toBe('unlocked')
  })

  test('that is defective without a stated fault counts as not working and is asked about', () => {
    expect(read({ text: 'iPhone 13', condition: 'defekt' })).toMatchObject({
      request: { text: 'iPhone 13\ndefekt' },
      questions: [{ code: 'fault_not_stated', column: 'condition', words: 'defekt' }],
    })
    expect(read({ text: 'iPhone 13', condition: 'defekt', notes: 'Display gesprungen' })).toMatchObject({
      request: { text: 'iPhone 13\nDisplay gesprungen' },
      questions: [],
    })
  })

  test('uses both IMEIs of a phone with two SIM cards', () => {
    for (const cell of [
      '356938035643809 / 356938035643817',
      '356938035643809/356938035643817',
      '356938035643809, 356938035643817',
      '356938035643809 356938035643817',
    ])
      expect(read({ text: 'x', identifier: cell })).toMatchObject({
        request: { identifier: '356938035643809', second_identifier: '356938035643817' },
        questions: [],
      })
    expect(read({ text: 'x', identifier: '356938035643809, 356938035643817, 490154203237518' })).toMatchObject({
      request: { identifier: '356938035643809' },
      questions: [{ code: 'several_identifiers', words: '356938035643817, 490154203237518' }],
    })
    expect(read({ text: 'x', identifier: '35-693803-564380-9' })).toMatchObject({
      request: { identifier: '35-693803-564380-9' },
      questions: [],
    })
  })

  test('is appraised without an identifier that cannot be one', () => {
    expect(read({ text: 'x', identifier: 'siehe Foto' })).toMatchObject({
      request: { text: 'x' },
      questions: [{ code: 'unreadable_identifier', words: 'siehe Foto' }],
    })
    expect(read({ text: 'x', identifier: 'n/a', serial: 'C02XG0FDJHD3' })).toMatchObject({
      request: { identifier: 'C02XG0FDJHD3' },
      questions: [],
    })
  })

  test('states its lock, battery, quantity and asking price in several ways', () => {
    for (const word of ['nein', 'simlockfrei', 'unlocked', 'frei', 'kein Simlock'])
      expect([word, read({ text: 'x', lock: word }).request?.lock]).toEqual([word, 'unlocked'])
    for (const word of ['ja', 'locked', 'SIM-locked'])
      expect([word, read({ text: 'x', lock: word }).request?.lock]).toEqual([word, 'locked'])
    expect(read({ text: 'x', lock: 'vielleicht' }).questions).toMatchObject([{ code: 'unknown_lock' }])
    expect(read({ text: 'x', lock: 'gesperrt' })).toMatchObject({
      request: { text: 'x\ngesperrt' },
      questions: [{ code: 'unknown_lock' }],
    })
    for (const battery of ['78', '78 %', '0.78'])
      expect([battery, read({ text: 'x', battery }).request?.text]).toEqual([battery, 'x\nbattery 78 %'])
    expect(read({ text: 'x', battery: 'schwach' }).request?.text).toBe('x\nbattery schwach')
    expect(read({ text: 'x', battery: 'neu?' }).questions).toMatchObject([{ code: 'unreadable_number' }])
    expect(read({ text: 'x', quantity: '5 Stk.' }).quantity).toBe(5)
    expect(read({ text: 'x', asking_price: '1.299,00 €' }).askingPrice).toEqual({ value: 1299, currency: 'EUR' })
    expect(read({ text: 'x', asking_price: 'VB', quantity: 'viele' }).questions).toMatchObject([
      { code: 'unreadable_number', column: 'quantity', words: 'viele' },
      { code: 'unreadable_number', column: 'asking_price', words: 'VB' },
    ])
  })

  test('that names no device is asked about', () => {
    expect(read({ condition: 'Good', reference: 'A4' })).toMatchObject({
      request: null,
      questions: [{ code: 'no_device' }],
    })
  })
})

describe('the layout of a list', () => {
  test('is found below titles, and sums, titles and repeated headers are not rows', () => {
    const lines = toRows([
      ['Bestandsliste Juni', '', '', ''],
      ['Stand: 12.06.2026'],
      ['Pos.', 'Gerät', 'Zustand', 'Preis (€)'],
      ['1', 'iPhone 13 128GB', 'gut', '300'],
      ['', 'iPhone X', '', ''],
      ['Samsung', '', '', ''],
      ['Pos.', 'Gerät', 'Zustand', 'Preis (€)'],
      ['2', 'Galaxy S21', 'B', '200'],
      ['3', '', 'B', '100'],
      ['', 'iPhone 13 128GB with a small crack in the corner', '', ''],
      ['Summe', '', '', '600,00 €'],
      ['', '', '', '600'],
      ['Alle Preise verstehen sich netto zuzüglich Umsatzsteuer.'],
    ])
    const layout = detectListLayout(lines)
    expect(layout).toMatchObject({ firstRow: 3, columns: ['reference', 'text', 'condition', 'asking_price'] })
    const kindOf = createRowClassifier(layout, layout.columns)
    expect(lines.slice(3).map(({ fields }) => kindOf(fields))).toEqual([
      ...(['row', 'row', 'title', 'header', 'row', 'row'] as const),
      ...(['row', 'sum', 'sum', 'title'] as const),
    ])
  })

  test.each([...LANGUAGES])('is recognised by column names in %s', (language) => {
    const words: Partial<Record<string, string>> = columnWords[language as 'en']
    const english: Partial<Record<string, string>> = columnWords.en
    const fields = [
      'model',
      'condition',
      'storage',
      'defects',
      'quantity',
      'amount',
      'battery',
      'notes',
      'lock',
      'imei',
    ]
    const header = fields.map((field) => (words[field] ?? english[field] ?? '').split(', ')[0] ?? '')
    expect(detectListLayout(toRows([header])).columns).toEqual([
      ...(['text', 'condition', 'storage', 'defects', 'quantity', 'asking_price'] as const),
      ...(['battery', 'notes', 'lock', 'identifier'] as const),
    ])
    for (const field of fields) expect([field, words[field] ?? english[field]]).not.toContain(undefined)
  })

  test('has the price in a column that also names currency and VAT, and the grades in the only column of grades', () => {
    const lines = toRows([
      ['Model', 'state', 'Total price EUR', 'Unit price EUR (excl. VAT)'],
      ['iPhone 13 128GB', 'VERY_GOOD', '500', '250'],
    ])
    const { columns, header } = detectListLayout(lines)
    expect(columns).toEqual(['text', 'condition', null, 'asking_price'])
    expect(createCellGetter(columns, header)(lines[1]?.fields ?? [], 'currency')).toBe('EUR')
  })

  test('has the device in the only column whose name resembles one and whose cells are words', () => {
    const columnsOf = (...header: string[]) =>
      detectListLayout(toRows([header, ['7', 'iPhone 13 128GB', '35 693803 564380 9', 'A']])).columns
    expect(columnsOf('Lp', 'Nazwa urządzenia', 'Numer IMEI', 'Stan')).toEqual([
      'reference',
      'text',
      'identifier',
      'condition',
    ])
    expect(columnsOf('Pos', 'Modle', 'IMEI-Nr. Gerät', 'Zustand')).toEqual([
      'reference',
      'text',
      'identifier',
      'condition',
    ])
    // A name of the device is not its number, and of two possible columns neither is taken.
    expect(columnsOf('Device nummber', 'Misc', 'IMEI', 'Grade')[0]).not.toBe('text')
    const two = [
      ['Modell A', 'Modell B', 'Zustand'],
      ['iPhone 13', 'Galaxy S22', 'B'],
    ]
    expect(detectListLayout(toRows(two)).columns).toEqual([null, null, 'condition'])
  })

  test('without a header is guessed from its cells', () => {
    const lines = toRows([
      ['35 693803 564380 9', 'iPhone 13 128GB'],
      ['35 693803 564381 7', 'Galaxy S23'],
    ])
    expect(detectListLayout(lines)).toMatchObject({ hasHeader: false, firstRow: 0, columns: ['identifier', 'text'] })
  })
})

describe('what a supplier writes', () => {
  const phone = { text: 'iPhone 13 128GB' }

  test('in the remarks or beside the grade is a defect there too', () => {
    for (const words of ['Displaybruch', 'pantalla rota', 'įskilęs ekranas', 'écran cassé']) {
      expect(read({ ...phone, condition: 'Good', notes: words }).request?.defects).toEqual(['cracked_screen'])
    }
    expect(read({ ...phone, condition: 'B, Displaybruch' }).request?.defects).toEqual(['cracked_screen'])
  })

  test('in a column with an unknown name is read if it states faults', () => {
    expect(row({ Modell: 'iPhone 13', 'Technik-Check': 'Displaybruch' }).request?.defects).toEqual(['cracked_screen'])
  })

  test('as an IMEI that a spreadsheet rounded is asked about, never read as another number', () => {
    expect(read({ ...phone, identifier: '3.56938E+14' })).toMatchObject({
      request: { text: 'iPhone 13 128GB' },
      questions: [{ code: 'unreadable_identifier', column: 'identifier', words: '3.56938E+14' }],
    })
    expect(read({ ...phone, identifier: '3.56938035643809E+14' }).request?.identifier).toBe('356938035643809')
  })

  test('with a word before the battery is its health', () => {
    expect(read({ ...phone, battery: 'Akku 87' })).toMatchObject({
      request: { text: 'iPhone 13 128GB\nbattery 87 %' },
      questions: [],
    })
  })

  test('in a column of unlocked devices means the opposite of a lock', () => {
    const lockIn = (title: string, cell: string) => {
      const lines = toRows([
        ['Modèle', title],
        ['iPhone 13', cell],
      ])
      const cellOf = createCellGetter(detectListLayout(lines).columns, lines[0]?.fields)
      return readDeviceListRow((column) => cellOf(['iPhone 13', cell], column)).request?.lock
    }
    expect(lockIn('Désimlocké', 'Oui')).toBe('unlocked')
    expect(lockIn('Désimlocké', 'Non')).toBe('locked')
    expect(lockIn('Simlock', 'Oui')).toBe('locked')
  })
})

test.each([
  [['번호', '모델', '매입가'], '합계'],
  [['番号', '機種名', '買取価格'], '合計'],
  [['编号', '型号', '回收价'], '总计'],
] as const)('a sum below %p is left out', (titles, word) => {
  const sum = [word, '', '1,530,000']
  const layout = detectListLayout(toRows([[...titles], sum]))
  expect(createRowClassifier(layout, layout.columns)(sum)).toBe('sum')
})
