import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { detectFault, detectPart, parseDifficulty, parseMinutes, secondsToMinutes } from './guide-phrases.ts'

describe('times', () => {
  test.each([
    ['45 minutes', 45],
    ['30 minutes - 1 hour', 45],
    ['30 - 40 minutes', 35],
    ['1 - 2 hours', 90],
    ['1 hour 30 minutes', 90],
    ['1 hour 15 minutes – 2 hours', 98],
    ['10 minutes to 20 minutes', 15],
    ['1.5 hours', 90],
    ['2 hours', 120],
    ['1 h', 60],
    ['1 day', 1440],
    ['', null],
    ['No estimate', null],
    ['5', null],
    ['0 minutes', null],
    ['99999 hours', null],
  ] as const)('%p is %p minutes', (text, minutes) => {
    expect(parseMinutes(text)).toBe(minutes)
  })

  test('seconds are the middle of the given range', () => {
    expect(secondsToMinutes(1800, 2400)).toBe(35)
    expect(secondsToMinutes(null, 3600)).toBe(60)
    expect(secondsToMinutes(900, null)).toBe(15)
    expect(secondsToMinutes(null, null)).toBeNull()
    expect(secondsToMinutes(0, 0)).toBeNull()
  })

  test('any text gives null or a whole number of minutes', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const minutes = parseMinutes(text)
        expect(minutes === null || (Number.isInteger(minutes) && minutes >= 1)).toBe(true)
      }),
    )
  })
})

test.each([
  ['Very easy', 'very_easy'],
  ['Easy', 'easy'],
  ['Moderate', 'moderate'],
  ['Difficult', 'difficult'],
  ['Very difficult', 'very_difficult'],
  ['very_difficult', 'very_difficult'],
  ['Impossible', null],
] as const)('the difficulty %p is %p', (text, difficulty) => {
  expect(parseDifficulty(text)).toBe(difficulty)
})

describe('the repaired part', () => {
  test.each([
    ['Battery', 'battery'],
    ['Battery Connector', 'battery'],
    ['Display Assembly', 'screen'],
    ['Front Panel', 'screen'],
    ['LCD and Digitizer', 'screen'],
    ['Rear Glass', 'back-cover'],
    ['Rear Case', 'back-cover'],
    ['Rear Camera', 'camera'],
    ['Camera Lens', 'camera'],
    ['Lightning Connector Assembly', 'charging-port'],
    ['USB-C Port', 'charging-port'],
    ['Charging Port', 'charging-port'],
    ['MagSafe DC-In Board', 'charging-port'],
    ['Headphone Jack', 'headphone-jack'],
    ['Trackpad', 'trackpad'],
    ['Keyboard', 'keyboard'],
    ['Fan', 'fan'],
    ['Heat Sink', 'fan'],
    ['SSD', 'storage'],
    ['Logic Board', 'board'],
    ['Power Button', 'buttons'],
    ['Joystick', 'stick'],
    ['Optical Drive', 'optical-drive'],
    ['HDMI Port', 'hdmi-port'],
    ['Digital Crown', 'crown'],
    ['Taptic Engine', null],
  ] as const)('%p is %p', (text, kind) => {
    expect(detectFault(text)).toBe(kind)
  })

  test('a part is adhesive, of the kind it repairs, or other', () => {
    expect(detectPart('Battery Adhesive Strips')).toBe('adhesive')
    expect(detectPart('iPhone 13 Battery')).toBe('battery')
    expect(detectPart('Foam pad')).toBe('other')
  })
})
