import { expect, test } from 'bun:test'
import { maskIdentifier } from './identifier-mask.ts'

test('only the TAC and the last two characters are visible', () => {
  expect(maskIdentifier('013554006297015')).toBe('01355400•••••15')
  expect(maskIdentifier('35-209900-176148-23')).toBe('35209900••••••23')
  expect(maskIdentifier('AF0123450ABCDE')).toBe('AF012345••••DE')
  expect(maskIdentifier('C8QH6T96DPNG')).toBe('••••••••••NG')
  expect(maskIdentifier('DEADBEEF')).toBe('••••••EF')
  expect(maskIdentifier('293608736500703710')).toBe('••••••••••••••••10')
  expect(maskIdentifier('1234')).toBe('••••')
})
