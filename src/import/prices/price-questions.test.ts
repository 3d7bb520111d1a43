import { describe, expect, test } from 'bun:test'
import { fixOf } from '../../lib/rejections.ts'
import { LOCKED_DEVICE, STORAGE_MISSING, WANTED_AD } from '../../pricing/observations/subject-matcher.ts'
import { createTextSource } from '../read/byte-source-service.ts'
import { parsePriceOptions } from './price-options.ts'
import {
  assumeTerms,
  findPriceQuestions,
  OpenPriceQuestionsError,
  openQuestions,
  sureAnswers,
} from './price-questions.ts'
import { IMPLAUSIBLE_AMOUNT, NO_RATE, RATE_TOO_NEW } from './price-row.ts'
import { openPriceTable } from './price-table.ts'

type Facts = Partial<Parameters<typeof findPriceQuestions>[0]>

async function read(text: string, options: Record<string, string> = {}, file = 'list.csv', more: Facts = {}) {
  const parsed = parsePriceOptions(options)
  const { layout, blocks } = await openPriceTable(createTextSource(text), { notify: () => {} }, parsed.map)
  const { value } = await blocks.next()
  const samples = (value ?? []).flatMap((row: { cells?: object }) => row.cells ?? [])
  const facts = { file, layout, samples, options: parsed, defaultMarket: 'de', ...more }
  return { layout, questions: findPriceQuestions(facts), assumed: assumeTerms(facts), rows: samples.length }
}

describe('a price list', () => {
  test('that says nothing about its prices asks for all of it, with guesses', async () => {
    const { questions, assumed } = await read('Modell;Preis\niPhone 13 128GB;389\niPhone 12 64GB;289')
    expect(questions).toEqual([
      { name: 'side', guess: null, isSure: false },
      { name: 'currency', guess: 'EUR', isSure: false },
      { name: 'condition', guess: 'used', isSure: true },
    ])
    expect(assumed).toEqual({ market: 'de', currency: 'EUR', vat: 'included' })
  })

  test.each([
    ['Modell;Zustand;Preis (€)', 'iPhone 13 128GB;gut;389', ['side']],
    ['Modell;Zustand;Preis', 'iPhone 13 128GB;gut;389 €', ['side']],
    ['Modell;Zustand;Ankaufspreis;Währung', 'iPhone 13 128GB;gut;389;EUR', []],
    ['title;condition;asking_price;currency', 'iPhone 13 128GB;good;389;EUR', []],
    ['title;condition;sold_price_usd', 'iPhone 13 128GB;good;389', []],
    ['title;status;price_usd', 'iPhone 13 128GB like new;sold;389', []],
    ['title;side;price_usd', 'iPhone 13 128GB;ask;389', ['condition']],
  ])('with the columns %s asks only for what they do not say', async (header, row, names) => {
    const { questions } = await read(`${header}\n${row}\n`)
    expect<string[]>(questions.map(({ name }) => name)).toEqual(names)
  })

  test('at the level of selling prices is read as asking prices, else it asks', async () => {
    const list = 'Modell;Zustand;Preis (€)\niPhone 13 128GB;gut;389'
    const questions = async (more: Facts) => (await read(list, {}, 'list.csv', more)).questions
    expect(await questions({ isSellingLevel: (currency) => currency === 'EUR' })).toEqual([
      { name: 'side', guess: 'ask', isSure: true },
    ])
    expect(await questions({ isSellingLevel: () => false })).toEqual([{ name: 'side', guess: null, isSure: false }])
  })

  test('asks whether the device in its name is meant, and takes it for the answer if no cell names another', async () => {
    const list = 'title,condition,asking_price,currency\nx,good,389,EUR'
    const questions = async (isSure: boolean) =>
      (await read(list, {}, 'list.csv', { deviceInName: { name: 'Apple iPhone 5s', isSure } })).questions
    expect(sureAnswers(await questions(true))).toEqual({ model: 'Apple iPhone 5s' })
    expect(sureAnswers(await questions(false))).toBeUndefined()
  })

  test('does not ask for the condition of a sheet that is named after a grade', async () => {
    const list = 'Modell;Preis (€)\niPhone 13 128GB;389'
    const asked = async (sheet: string) => (await read(list, { side: 'ask' }, 'list.xlsx', { sheet })).questions
    expect(await asked('Grade B')).toEqual([])
    expect(await asked('Apple')).toMatchObject([{ name: 'condition' }])
  })

  test('asks nothing that was answered', async () => {
    const answers = { side: 'ask', currency: 'EUR', condition: 'used' }
    expect((await read('Modell;Preis\niPhone 13 128GB;389', answers)).questions).toEqual([])
  })

  test('is guessed by the words of its name and its price column', async () => {
    expect((await read('Modell;Preis (€)\nx;1', {}, 'Ankauf Juni.csv')).questions[0]?.guess).toBe('quote')
    expect((await read('Modell;Verkaufspreis\nx;1')).questions[0]?.guess).toBe('sold')
    expect((await read('Modell;Preis netto (€)\nx;1')).assumed.vat).toBe('excluded')
  })

  test('answers what it says in other words, and stays open if one answer is missing', async () => {
    const { questions } = await read('Modell;Preis\niPhone 13 128GB;389', {}, 'shop_kr/quotes.csv')
    expect(sureAnswers(questions)).toEqual({ side: 'quote', currency: 'KRW', country: 'kr', condition: 'used' })
    expect(sureAnswers((await read('Modell;Preis\niPhone 13 128GB;389', {}, 'quotes.csv')).questions)).toBeUndefined()
  })

  test('names every open answer in one sentence', async () => {
    const { questions } = await read('Modell;Preis\niPhone 13 128GB;389')
    const error = new OpenPriceQuestionsError('list.csv', questions)
    expect(error.message).toBe(
      'list.csv does not say what its prices are, their currency, and the condition of the devices: set side (sold: what you sell for, quote: what you pay, ask: what others ask); currency, such as EUR; condition, such as used.',
    )
    expect(openQuestions(error)).toEqual(['side', 'currency', 'condition'])
  })

  test('is read by its titles where they say more than the model', async () => {
    const text =
      'model,product_name,price\niPhone 13,Apple iPhone 13 128GB Blue,389\niPhone 12,Apple iPhone 12 64GB,289'
    expect((await read(text)).layout.names.model).toBe('product_name')
    expect((await read('model,name,price\niPhone 13 128GB,Shop Number One of Town,389')).layout.names.model).toBe(
      'model',
    )
    expect((await read(text, { map: 'model=model' })).layout.names.model).toBe('model')
  })

  test('has no rows that are sums, titles or its header again', async () => {
    const text = 'Liste Juni\nModell;Zustand;Preis\niPhone 13 128GB;gut;389\nModell;Zustand;Preis\nSumme;;389\n'
    expect((await read(text)).rows).toBe(1)
  })
})

test('the reasons of rows have a fix', () => {
  for (const reason of [
    IMPLAUSIBLE_AMOUNT,
    NO_RATE,
    RATE_TOO_NEW,
    LOCKED_DEVICE,
    STORAGE_MISSING,
    WANTED_AD,
    'condition_unknown',
  ])
    expect([reason, fixOf(reason)]).not.toContain(null)
})

test('a currency that only the country of the list can tell is asked for, or follows from the country', async () => {
  const dollars = await read('title;condition;asking price\niPhone 13 128GB;good;$389')
  expect(dollars.questions).toEqual([{ name: 'currency', guess: 'USD', isSure: false }])
  const stated = await read('title;condition;asking price\niPhone 13 128GB;good;$389', {}, 'list.csv', {
    heading: 'All prices in USD',
  })
  expect(sureAnswers(stated.questions)).toEqual({ currency: 'USD' })
  const columns = ['機種名', '状態', '価格']
  const yen = await read('機種名;状態;価格\niPhone 13 128GB;good;¥45,000', { side: 'ask' }, 'list.csv', { columns })
  expect(sureAnswers(yen.questions)).toEqual({ country: 'jp' })
})
