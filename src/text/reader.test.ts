import { expect, test } from 'bun:test'
import { runTimeSliced } from '../lib/event-loop.ts'
import { readText, readTextInSlices } from './reader.ts'

const PRAISE = 'Very well kept phone, always carried in a leather case, comes from a smoke-free home. '
const FAULT = 'The back glass is cracked. '

const longText = (before: number, after: number) => PRAISE.repeat(before) + FAULT + PRAISE.repeat(after)
const statementsOf = (text: string) =>
  readText(text).statements.map(({ code, assertion, certainty, from, to }) => ({
    words: text.slice(from, to),
    code,
    assertion,
    certainty: certainty.toFixed(4),
  }))

test('other work gets its turn at least every 500 characters of a long text', async () => {
  const text = longText(20, 20).slice(0, 4_000)
  let turns = 0
  const pause = async () => {
    turns++
  }
  const reading = await runTimeSliced(readTextInSlices(text), pause, 0)
  expect(turns).toBeGreaterThanOrEqual(text.length / 500)
  expect(reading).toEqual(readText(text))
})

test('words mean the same wherever they stand in a long text', () => {
  const [stated] = statementsOf(longText(1, 1)).filter(({ code }) => code === 'cracked_back')
  expect(stated).toMatchObject({ assertion: 'present' })
  for (let before = 1; before <= 30; before++)
    expect(statementsOf(longText(before, 30 - before + 1))).toContainEqual(stated as never)
})

test.each(['='.repeat(600), '★'.repeat(300), '- '.repeat(400)])('a line of signs hides nothing: %p', (line) => {
  const { statements } = readText(`iPhone 12 64GB\n${line}\nscreen is cracked`)
  expect(statements).toMatchObject([{ code: 'cracked_screen', assertion: 'present' }])
})
