import { expect, test } from 'bun:test'
import { readText } from './reader.ts'

const presentIn = (text: string) =>
  readText(text).statements.flatMap(({ code, assertion, from, to }) =>
    assertion === 'present' ? [`${code}: ${text.normalize('NFC').slice(from, to)}`] : [],
  )

test.each([
  ['iPhone 12 64GB broken', 'broken'],
  ['PS5 (not working)', 'not working'],
  ['Defektes iPhone 12 64GB', 'Defektes'],
  ['Galaxy S21 schwarz, kaputt', 'kaputt'],
  ['PS5 kapot', 'kapot'],
  ['PS5 dead', 'dead'],
  ['Xbox Series X no funciona', 'no funciona'],
  ['iPhone 11 en panne', 'en panne'],
  ['MacBook Air M1 non funzionante', 'non funzionante'],
  ['Samsung A52 não funciona', 'não funciona'],
  ['PS4 nie działa', 'nie działa'],
  ['iPhone 12 nefunkční', 'nefunkční'],
  ['iPhone 12 nefunkčný', 'nefunkčný'],
  ['iPhone 12 ne dela', 'ne dela'],
  ['iPhone 12 ne radi', 'ne radi'],
  ['iPhone 12 neveikia', 'neveikia'],
  ['iPhone 12 nestrādā', 'nestrādā'],
  ['iPhone 12 ei tööta', 'ei tööta'],
  ['iPhone 12 ei toimi', 'ei toimi'],
  ['iPhone 12 trasig', 'trasig'],
  ['iPhone 12 ødelagt', 'ødelagt'],
  ['iPhone 12 i stykker', 'i stykker'],
  ['iPhone 12 nem működik', 'nem működik'],
  ['iPhone 12 nu funcționează', 'nu funcționează'],
  ['iPhone 12 не работи', 'не работи'],
  ['iPhone 12 не работает', 'не работает'],
  ['iPhone 12 не працює', 'не працює'],
  ['iPhone 12 δεν λειτουργεί', 'δεν λειτουργεί'],
  ['iPhone 12 çalışmıyor', 'çalışmıyor'],
  ['iPhone 12 لا يعمل', 'لا يعمل'],
  ['iPhone 12 کار نمیکند', 'کار نمیکند'],
  ['iPhone 12 לא עובד', 'לא עובד'],
  ['iPhone 12 काम नहीं करता', 'काम नहीं करता'],
  ['iPhone 12 কাজ করে না', 'কাজ করে না'],
  ['iPhone 12 坏了', '坏了'],
  ['iPhone 12 動作しない', '動作しない'],
  ['iPhone 12 고장', '고장'],
  ['iPhone 12 ใช้งานไม่ได้', 'ใช้งานไม่ได้'],
  ['iPhone 12 không hoạt động', 'không hoạt động'],
  ['iPhone 12 tidak berfungsi', 'tidak berfungsi'],
])('"%s" is a device that does not work', (text, words) => {
  expect(presentIn(text)).toEqual([`no_power: ${words}`])
})

test.each([
  'iPhone 12 64GB nicht defekt',
  'iPhone 12 64GB not broken',
  'iPhone 12 broken?',
  'iPhone 12, case is broken',
  'Xbox controller broken',
  'iPhone 12 defekt Akku',
  'PS5 HDMI defekt',
  'Ladekabel defekt',
])('"%s" is no device that does not work', (text) => {
  expect(presentIn(text).filter((statement) => statement.startsWith('no_power'))).toEqual([])
})

test.each(['iPhone 13 128GB no cracked screen', 'iPhone 13 128GB without water damage'])(
  '"%s" denies damage',
  (text) => {
    expect(presentIn(text)).toEqual([])
  },
)

test('a fault that is named explains why a device is called broken', () => {
  expect(presentIn('iPhone 12 64GB defekt, Display gerissen')).toEqual(['cracked_screen: Display gerissen'])
})

test.each([
  'iPhone 13 not locked to AT&T',
  'iPhone 13 nicht an Anbieter gebunden',
  'iPhone 12 not icloud locked',
  'iPhone 13 nije zaključan na mrežu',
  'iPhone 13 non bloccato da operatore',
  'iPhone 13 통신사 락 없음',
  'iPhone 13 inte låst till operatör',
])('"%s" denies a lock', (text) => {
  expect(presentIn(text)).toEqual([])
})

test.each(['iPhone 13 locked to AT&T', 'iPhone 13 is iCloud locked'])('"%s" states a lock', (text) => {
  expect(presentIn(text)).toHaveLength(1)
})
