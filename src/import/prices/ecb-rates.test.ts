import { expect, test } from 'bun:test'
import { parseEcbRates } from './ecb-rates.ts'

const envelope = (days: string) => `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
<gesmes:subject>Reference rates</gesmes:subject><gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender>
<Cube>${days}</Cube></gesmes:Envelope>`

test('rates per euro become US dollars per unit', () => {
  const xml = envelope(
    `<Cube time='2026-11-13'><Cube currency='USD' rate='1.25'/><Cube currency='JPY' rate='160'/></Cube>
     <Cube time="2026-11-12"><Cube currency="USD" rate="1.2"/></Cube>`,
  )
  expect(parseEcbRates(xml, 'ecb')).toEqual([
    { currency: 'EUR', day: '2026-11-13', usd: 1.25 },
    { currency: 'JPY', day: '2026-11-13', usd: 0.0078125 },
    { currency: 'EUR', day: '2026-11-12', usd: 1.2 },
  ])
})

test('XML without usable rates is rejected', () => {
  const useless = [
    '<html><body>maintenance</body></html>',
    envelope(''),
    envelope(`<Cube time='2026-11-13'><Cube currency='JPY' rate='160'/></Cube>`),
    envelope(`<Cube time='soon'><Cube currency='USD' rate='1.25'/></Cube>`),
    envelope(`<Cube time='2026-11-13'><Cube currency='USD' rate='-1'/></Cube>`),
  ]
  for (const xml of useless)
    expect(() => parseEcbRates(xml, 'ecb.xml')).toThrow('ecb.xml is XML without reference rates')
})
