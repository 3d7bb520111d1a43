import { expect, test } from 'bun:test'
import { openApiJson } from '../src/contract/openapi.ts'

/** Words that readers of the public texts stumbled over. */
const UNCLEAR_WORDS = /\b(?:mend(?:s|ed|ing)?|reckon\w*|dear(?:er|est)|on board|whoever|for want of|put up with)\b/gi

test('the OpenAPI document is written in plain English', () => {
  expect(openApiJson({ baseUrl: 'http://127.0.0.1:3000', version: '0.1.0' }).match(UNCLEAR_WORDS) ?? []).toEqual([])
})
