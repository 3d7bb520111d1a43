import { describe, expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { filledDataDir, newDataDir, type Ran, runInProcess, runProgram } from '../support/program.ts'

const environment = { DATA_DIR: filledDataDir('small'), SAMPLE_DATA: 'off' }
/** With the whole catalogue, which has more makes. */
const whole = { DATA_DIR: filledDataDir(), SAMPLE_DATA: 'off' }

function file(name: string, lines: readonly string[]): string {
  const path = join(newDataDir(), name)
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

async function importedInto(into: typeof environment, ...args: string[]) {
  return figuresOf(await runInProcess(['import', 'observations', ...args, '--json'], into))
}
const imported = (...args: string[]) => importedInto(environment, ...args)

function figuresOf(ran: Ran) {
  if (ran.code !== 0) throw new Error(ran.stderr)
  return { ...JSON.parse(ran.stdout), stderr: ran.stderr }
}

const RATES = file('rates.csv', [
  'currency,day,usd',
  'EUR,2024-01-01,1.1',
  'VND,2024-10-14,0.00004',
  'GBP,2024-06-01,1.25',
])

describe('a typical price list', () => {
  test('with local dates, words and separators needs no renaming', async () => {
    for (const into of [environment, whole]) {
      expect((await runInProcess(['import', 'rates', RATES], into)).code).toBe(0)
    }
    const ads = file('oglasnik.csv', [
      'ad_id;ad_title;condition;price;date_of_publishing',
      '1;iphone 13 128gb kao nov;rabljeno;450 €;02.01.2024.',
      '2;Iphone 13 promax 256 GB;kao novo;"1.050,00 €";02.01.2024.',
      '3;maskica za iphone 13;novo;10 €;02.01.2024.',
      '4;iphone 13;rabljeno;400 €;02.01.2024.',
      '5;iphone 13 128gb ne radi;neispravno;90 €;02.01.2024.',
      '6;Nokia 9210 blue;rabljeno;20 €;02.01.2024.',
      '7;iphone 13 128gb;svemirsko;450 €;02.01.2024.',
    ])
    const figures = await importedInto(whole, ads, '--side', 'ask', '--currency', 'EUR')
    expect(figures).toMatchObject({
      rows: 7,
      observations: 4,
      devices: 2,
      rejected_by: {
        accessory: 1,
        unknown_model: 1,
        condition_unknown: 1,
      },
      // The size of one row is open.
      remarks: { size_not_stated: 1 },
      unknown_models: [{ name: 'nokia 9210 blue', count: 1 }],
    })
    // The unknown word is named, so that the operator can define it.
    expect(figures.stderr).toContain('unknown condition (svemirsko)')
    const mapped = await importedInto(
      whole,
      ads,
      '--side',
      'ask',
      '--currency',
      'EUR',
      '--condition',
      'svemirsko=Excellent',
    )
    expect(mapped.rejected_by.condition_unknown).toBeUndefined()
    expect(mapped.observations).toBe(5)
  })

  // The titles of a long list are resolved in threads, those of a short one are not.
  test('gives the same result per row whether it is long or short', async () => {
    const titles = [
      'iPhone 13 128GB midnight',
      'iPhone 13 Pro case',
      'Galaxy S23 256GB Phantom Black AT&T',
      'Nokia 9210',
      'iPhone 13',
      'JBL Charge 5 Wi-Fi',
    ]
    const row = (at: number) =>
      `${at},${titles[at % titles.length]} offer ${'x'.repeat(60)}${at},$${300 + (at % 50)},Good,2024-01-05`
    const rows = (count: number) => [
      'listing_id,title,price,condition,date',
      ...Array.from({ length: count }, (_, at) => row(at)),
    ]
    const list = (count: number) => file(`listings-${count}.csv`, rows(count))
    const options = ['--side', 'ask', '--currency', 'USD', '--dry-run', '--json']
    const read = async (path: string) =>
      figuresOf(await runProgram(['import', 'observations', path, ...options], whole))
    const short = await read(list(6))
    const long = await read(list(12_000))
    expect(short.observations).toBe(3)
    expect(long.observations).toBe(2_000 * short.observations)
    const times = (counts: Record<string, number>) =>
      Object.fromEntries(Object.entries(counts).map(([reason, count]) => [reason, 2_000 * count]))
    expect(long.rejected_by).toEqual(times(short.rejected_by))
  })

  test('with other column names is read with a mapping that a profile stores', async () => {
    const offers = file('offers.csv', [
      'branch,name_product,old_price,new_price,condition,ram,rom',
      'Apple,Apple iPhone 13,9.990.000,15000000,a_old,4,128',
      'Apple,Apple iPhone 13,12990000,15000000,a_like_new,4,128',
    ])
    const importOptions = ['--map', 'make=branch', '--side', 'ask', '--currency', 'VND', '--date', '2024-10-15']
    const figures = await imported(
      offers,
      ...importOptions,
      '--condition',
      'a_old=used,a_like_new=Excellent',
      '--profile',
      'shop-vn',
    )
    expect(figures).toMatchObject({ rows: 2, observations: 2, rejected: 0 })
    expect(await imported(offers, '--profile', 'shop-vn')).toMatchObject({ observations: 2, written: 0 })

    const unknown = await runInProcess(['import', 'observations', offers, '--profile', 'shop'], environment)
    expect(unknown).toMatchObject({ code: 1, stdout: '' })
    expect(unknown.stderr).toContain('There is no profile shop; there are: shop-vn.')
  })

  test('reports the detected columns and sample rows before anything is written', async () => {
    const list = file('cex.csv', [
      'id,title,grade,sell_price_gbp',
      'A1,"iPhone 13 128GB, Unlocked",B,310',
      'A2,iPhone 13 256GB 512GB,A,350',
      'A3,iPhone 13 128GB,A,£489.00to£629.00',
      // Ranges in a tenth of the rows would be a question.
      ...Array.from({ length: 9 }, (_, at) => `B${at},iPhone 13 128GB,B,${300 + at}`),
    ])
    const ran = await runInProcess(
      ['import', 'observations', list, '--side', 'ask', '--date', '2024-06-01', '--dry-run'],
      environment,
    )
    expect(ran.code).toBe(0)
    expect(ran.stderr).toMatch(/sell_price_gbp\s+amount/)
    expect(ran.stderr).toMatch(/currency GBP/)
    expect(ran.stderr).toMatch(/apple-iphone-13 128gb, Good, ask \$387\.50, 2024-06-01/)
    // Of several sizes the price is that of the smallest.
    expect(ran.stderr).toMatch(/apple-iphone-13 256gb, Excellent, ask \$437\.50, 2024-06-01/)
    expect(ran.stdout).toMatch(/rejected: amount is a range\s+1/)
    const low = await imported(list, '--side', 'ask', '--date', '2024-06-01', '--range', 'low', '--dry-run')
    expect(low.remarks).toEqual({ range_low_end: 1, smallest_of_sizes: 1 })
  })

  test('is matched against the bundled devices in a new database, also without writing', async () => {
    const list = file('first.csv', ['title,condition,price,currency,date', 'iPhone 13 128GB,Good,400,USD,2024-04-03'])
    const fresh = { DATA_DIR: newDataDir(), SAMPLE_DATA: 'off' }
    const preview = await importedInto(fresh, list, '--side', 'ask', '--dry-run')
    expect(preview).toMatchObject({ rows: 1, observations: 1, written: 0, rejected: 0 })
  })

  test('that does not say what its prices are asks for it in one sentence that names the options', async () => {
    const list = file('unsaid.csv', ['Modell;Preis (€);Datum', 'iPhone 13 128GB;389;2026-05-04', 'Summe;389;'])
    const asked = await runInProcess(['import', 'observations', list, '--dry-run'], environment)
    expect(asked).toMatchObject({ code: 2, stdout: '' })
    expect(asked.stderr).toContain(
      'does not say what its prices are and the condition of the devices: set --side (sold:',
    )
    expect(asked.stderr).toContain('; --condition, such as used.')
    const answers = ['--side', 'ask', '--condition', 'used', '--dry-run']
    expect(await imported(list, ...answers)).toMatchObject({ rows: 1, rejected: 0 })
  })

  test('of listings that are still up has the prices of the day it was read', async () => {
    const rows = ['title,condition,price,currency,listing_date', 'iPhone 13 128GB,Good,400,USD,2024-04-03']
    const read = await imported(file('read.csv', rows), '--side', 'ask', '--date', '2024-06-01')
    expect(read).toMatchObject({ observations: 1, rejected: 0 })
    // Without the day of reading, the day of the listing counts.
    expect(await imported(file('listed.csv', rows), '--side', 'ask')).toMatchObject({ observations: 1, rejected: 0 })
  })

  test('with ambiguous dates is rejected until the order is given', async () => {
    const list = file('us.csv', ['title,condition,price,currency,date', 'iPhone 13 128GB,Good,400,USD,03/04/2024'])
    expect((await imported(list, '--side', 'sold')).rejected_by).toEqual({
      date_ambiguous: 1,
    })
    expect(await imported(list, '--side', 'sold', '--date-order', 'mdy')).toMatchObject({ observations: 1 })
  })
})

describe('a file that is not a list is rejected with a sentence and exit code 1', () => {
  const files = [
    file('object.json', ['{"hello":"world"}']),
    file('numbers.json', ['[1,2,3]']),
    file('objects.json', ['[{"headline":"News"}]']),
    file('letters.csv', ['a,b,c', '1,2,3']),
    file('news.csv', ['date,headline,author', '2024-01-01,News,Me']),
    file('text.txt', ['just some text']),
    file('empty.csv', []),
  ]
  for (const format of ['catalogue', 'tac', 'lists', 'observations', 'rates', 'repairs', 'open-repair']) {
    test(format, async () => {
      for (const [at, path] of files.entries()) {
        const more = format === 'lists' ? ['--list', 'x'] : []
        const run = at === 0 ? runProgram : runInProcess
        const ran = await run(['import', format, path, ...more], environment)
        expect({ path, code: ran.code, stdout: ran.stdout }).toEqual({ path, code: 1, stdout: '' })
        expect(ran.stderr).toContain(path)
      }
    })
  }
  test('the files exist', () => expect(files.every((path) => existsSync(path))).toBe(true))
})
