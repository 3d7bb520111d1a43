import { expect, test } from 'bun:test'
import { httpStatusError, isHtmlPage, resolveRedirect, retryDelayMs } from './feed-response.ts'

for (const [status, retriable] of [
  [500, true],
  [503, true],
  [429, true],
  [408, true],
  [404, false],
  [401, false],
  [204, false],
] as const) {
  test(`a request is ${retriable ? '' : 'not '}retried after ${status}`, () => {
    expect(httpStatusError('prices', status, null)).toMatchObject({
      message: `The feed prices responded with status ${status}.`,
      retriable,
    })
  })
}

test('retry delays double, follow Retry-After and are at most five minutes', () => {
  expect([1, 2, 3].map((retry) => retryDelayMs(retry, 1_000, 0))).toEqual([1_000, 2_000, 4_000])
  expect(retryDelayMs(1, 1_000, httpStatusError('prices', 503, '30').pauseMs)).toBe(30_000)
  expect(retryDelayMs(1, 1_000, httpStatusError('prices', 503, 'Wed, 21 Oct 2026 07:28:00 GMT').pauseMs)).toBe(1_000)
  expect(retryDelayMs(9, 60_000, 0)).toBe(300_000)
})

test('a redirect is followed on the same host, and from http to https', () => {
  const next = (from: string, to: string | null) => resolveRedirect('prices', from, to)
  expect(next('https://a.example/x/y', '../z?q=1')).toBe('https://a.example/z?q=1')
  expect(next('http://a.example/x', 'https://a.example/x')).toBe('https://a.example/x')
  for (const elsewhere of [
    'https://b.example/x',
    '//b.example/x',
    'https://a.example:8443/x',
    'https://a.example.evil/x',
  ]) {
    expect(() => next('https://a.example/x', elsewhere)).toThrow('redirects to another host')
  }
  expect(() => next('https://a.example/x', 'http://a.example/x')).toThrow('redirects from https to http')
  expect(() => next('https://a.example/x', 'file:///etc/passwd')).toThrow('redirects from https to file')
  expect(() => next('http://a.example/x', 'file:///etc/passwd')).toThrow('redirects to another host')
  expect(() => next('https://a.example/x', null)).toThrow('redirects to nowhere')
})

test('a web page is detected by its type or its first bytes', () => {
  expect(isHtmlPage('text/html; charset=utf-8', 'imei\n1')).toBe(true)
  expect(isHtmlPage('text/csv', '\n<!DOCTYPE html><html>')).toBe(true)
  expect(isHtmlPage(null, '<html lang="en">')).toBe(true)
  expect(isHtmlPage('text/csv', 'imei,reporting_date,status')).toBe(false)
  expect(isHtmlPage(null, '[{"html": "<html>"}]')).toBe(false)
})
