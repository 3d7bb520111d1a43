import { expect, test } from 'bun:test'
import { DEFECTS } from '../../../src/contract/device-kinds.ts'
import { groupOf, isFound, isUngradable } from './defect-groups.ts'

test('every defect is in one of three groups, and none of them is empty', () => {
  const groups = Map.groupBy(DEFECTS, ({ code }) => groupOf(code))
  expect([...groups.keys()].sort()).toEqual(['functions', 'looks', 'serious'])
  expect(groups.get('serious')?.map(({ code }) => code)).toContain('no_power')
})

test('a fault is found by the beginnings of its words, in any order and without accents', () => {
  expect(isFound('crac scr', 'Cracked screen')).toBe(true)
  expect(isFound('bat', 'Weak battery Battery health under 80 %')).toBe(true)
  expect(isFound('ecran', 'Écran fissuré')).toBe(true)
  expect(isFound('reen', 'Cracked screen')).toBe(false)
  expect(isFound('', 'Anything')).toBe(true)
})

test('a dead device has no grade, one with a broken part has', () => {
  expect(isUngradable(DEFECTS, ['cracked_screen'])).toBe(false)
  expect(isUngradable(DEFECTS, ['cracked_screen', 'no_power'])).toBe(true)
})
