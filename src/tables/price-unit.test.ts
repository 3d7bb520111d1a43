import { expect, test } from 'bun:test'
import { unitOfLines, unitOfTitle } from './price-unit.ts'

test.each([
  ['Price (cents)', 0.01],
  ['Preis in Cent', 0.01],
  ['Giá (nghìn đồng)', 1000],
  ['買取価格(千円)', 1000],
  ['가격(만원)', 10_000],
  ['Price per piece', 1],
  ['Preis (€)', 1],
  ['Prix centre', 1],
  ['買取価格(円)', 1],
] as const)('the title %p has amounts in units of %p', (title, factor) => expect(unitOfTitle(title)).toBe(factor))

test.each([
  ['# All amounts in US cents', 0.01],
  ['Unit: cents', 0.01],
  ['Đơn vị: nghìn đồng', 1000],
  ['Đơn vị tính: nghìn', 1000],
  ['単位:万円', 10_000],
  ['Ceny w groszach', 0.01],
  ['Darmowa dostawa od 1 tys. zł', 1],
  ['Prices in euros, rounded to 50 cents', 1],
  ['5만원 이상 무료배송', 1],
  ['All prices in EUR', 1],
] as const)('the line %p says units of %p', (line, factor) => expect(unitOfLines([line])).toBe(factor))
