import { findExchange } from '../../src/currency/exchange.ts'
import { createRateLookup } from '../../src/currency/rate-lookup.ts'
import { dayOf } from '../../src/lib/time.ts'

/** By the bundled rates. */
export const bundledExchange = (currency: string) => findExchange(createRateLookup([]), currency, dayOf(Date.now()))

/** Reference rates in the XML form of the European Central Bank. */
export function ecbXml(day: string, unitsPerEuro: Readonly<Record<string, number>>): string {
  const cubes = Object.entries(unitsPerEuro).map(([code, rate]) => `<Cube currency="${code}" rate="${rate}"/>`)
  return `<?xml version="1.0" encoding="UTF-8"?><gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"><gesmes:subject>Reference rates</gesmes:subject><gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender><Cube><Cube time="${day}">${cubes.join('')}</Cube></Cube></gesmes:Envelope>`
}

/** A local stand-in for the address of the rates. */
export function serveEcbRates(respond: () => Response) {
  const server = Bun.serve({ port: 0, fetch: respond })
  return { url: `http://127.0.0.1:${server.port}/eurofxref-hist-90d.xml`, stop: () => server.stop(true) }
}
