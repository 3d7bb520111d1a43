/** Parsers of setting values, which throw `InvalidSetting`. */
import { parseRedisAddress } from './auth/rate-limit/redis-address.ts'
import { parseHostList } from './lib/postgres-hosts.ts'
import { findMarket, nearestMarkets } from './pricing/country-market.ts'

/** Its message names the expected form. */
export class InvalidSetting extends Error {}

export const text = (value: string) => value
/** Empty, or long enough not to be guessed. */
export const secret =
  (minLength: number) =>
  (value: string): string => {
    if (value !== '' && value.length < minLength) throw new InvalidSetting(`at least ${minLength} characters`)
    return value
  }
/** HTTP headers as `name=value`, percent-encoded, separated by commas. */
export function headers(value: string): Readonly<Record<string, string>> {
  const pairs = value.split(',').filter((pair) => pair.trim() !== '')
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      const name = pair.slice(0, at).trim()
      const text = decodeHeader(pair.slice(at + 1).trim())
      if (at < 0 || !/^[\w!#$%&'*+.^`|~-]+$/.test(name) || text === null || /[\r\n\0]/.test(text))
        throw new InvalidSetting('headers as name=value separated by commas, with %20 for a blank')
      return [name, text]
    }),
  )
}
function decodeHeader(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
export const wholeNumber =
  (min: number, max: number) =>
  (value: string): number => {
    const number = Number(value)
    if (!/^\d{1,15}$/.test(value) || number < min || number > max) {
      throw new InvalidSetting(`a whole number from ${min} to ${max}`)
    }
    return number
  }
export const oneOf =
  <T extends string>(words: readonly T[]) =>
  (value: string): T => {
    const word = words.find((candidate) => candidate === value)
    if (!word) throw new InvalidSetting(`one of ${words.join(', ')}`)
    return word
  }
export const parseOnOff = (value: string): boolean =>
  oneOf(['on', 'off', 'true', 'false', '1', '0'])(value).match(/^(on|true|1)$/) !== null
export const address = (schemes: readonly string[], example: string) => (value: string) => {
  if (value === '') return ''
  if (!URL.canParse(value) || !schemes.includes(new URL(value).protocol))
    throw new InvalidSetting(`an address such as ${example}`)
  return value.replace(/\/+$/, '')
}
export function databaseAddress(value: string): string {
  if (value !== '' && !parseHostList(value))
    throw new InvalidSetting(
      'an address such as postgres://user:password@host/database, or postgres://user:password@host1,host2/database for a primary and its standbys',
    )
  return value.replace(/\/+$/, '')
}
export function redisAddress(value: string): string {
  if (value !== '' && !parseRedisAddress(value))
    throw new InvalidSetting(
      'an address such as redis://host:6379, redis://host1,host2 or redis+sentinel://sentinel1,sentinel2/NAME',
    )
  return value
}
/** Parses an amount in dollars to cents. */
export const dollars =
  (max: number) =>
  (value: string): number => {
    if (!/^\d{1,9}(\.\d{1,2})?$/.test(value) || Number(value) > max) {
      throw new InvalidSetting(`an amount in US dollars from 0 to ${max}, such as 60 or 47.50`)
    }
    return Math.round(Number(value) * 100)
  }
export const origins = (value: string): readonly string[] =>
  value
    .split(',')
    .map((origin) => origin.trim())
    .filter(Boolean)
    .map((origin) => {
      if (origin === '*') return origin
      if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
        throw new InvalidSetting('origins such as https://shop.example, separated by commas, or *')
      }
      return origin
    })

export const pairs =
  <Parsed>(expected: string, parse: (value: string) => Parsed | undefined) =>
  (value: string): Parsed => {
    const parsed = parse(value)
    if (parsed === undefined) throw new InvalidSetting(expected)
    return parsed
  }

/** Parses a country code to the code of its market. */
export function market(value: string): string {
  const knownMarket = findMarket(value)
  if (knownMarket) return knownMarket.code
  const nearest = nearestMarkets(value).map(({ code, name }) => `${code} (${name})`)
  throw new InvalidSetting(
    `a country code such as us, gb or hr, or eu${nearest.length ? `; near it are ${nearest.join(', ')}` : ''}`,
  )
}
