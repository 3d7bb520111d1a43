import { expect, test } from 'bun:test'
import { isInvalidIdentifier } from '../identifier/identifier.ts'
import { parseIdentifier } from '../identifier/identifier-parser.ts'
import { confirmedModels, learnableTac, OPERATOR, type TacConfirmation } from './tac-confirmation.ts'

const TAC = '35693803'
const by = (
  organizationId: string,
  units = 1,
  deviceId = 'acme-one',
  independentGroup = organizationId,
): TacConfirmation => ({
  organizationId,
  independentGroup,
  deviceId,
  make: 'Acme',
  name: deviceId,
  units,
})
const confidenceOf = (rows: readonly TacConfirmation[], organizationId = 'a') =>
  confirmedModels(TAC, rows, organizationId).map(({ entry }) => [entry.deviceId, entry.confidence])

test("two units of one's own organization must agree, and more raise the confidence", () => {
  expect(confidenceOf([by('a')])).toEqual([])
  expect(confidenceOf([by('a', 2)])).toEqual([['acme-one', 90]])
  expect(confidenceOf([by('a', 20)])).toEqual([['acme-one', 95]])
})

test('one other organization is not enough; two or the operator are', () => {
  expect(confidenceOf([by('b', 20)])).toEqual([])
  expect(confidenceOf([by('b'), by('c')])).toEqual([['acme-one', 80]])
  expect(confidenceOf([by('b'), by('c'), by('d')])).toEqual([['acme-one', 90]])
  expect(confidenceOf([by(OPERATOR)])).toEqual([['acme-one', 90]])
})

test('organizations of one group count once', () => {
  expect(confidenceOf([by('b', 20, 'acme-one', 'b'), by('c', 20, 'acme-one', 'b')])).toEqual([])
  expect(confidenceOf([by('b', 1, 'acme-one', 'b'), by('c', 1, 'acme-one', 'b'), by('d')])).toEqual([['acme-one', 80]])
})

test('organizations that disagree leave both models', () => {
  const rows = [by('b'), by('c'), by('b', 1, 'acme-two'), by('d', 1, 'acme-two')]
  expect(confidenceOf(rows).map(([deviceId]) => deviceId)).toEqual(['acme-one', 'acme-two'])
})

test('serial numbers, test ranges, samples and wrong check digits confirm nothing', () => {
  const tacOf = (text: string) => {
    const identifier = parseIdentifier(text)
    if (isInvalidIdentifier(identifier)) throw new Error(identifier.expected)
    return learnableTac(identifier)
  }
  expect(tacOf('356938035643809')).toBe(TAC)
  for (const text of ['356938035643801', '001001123456789', '000000000000000', 'C8QH6T96DPNG', '3569380356']) {
    expect(tacOf(text)).toBeNull()
  }
})
