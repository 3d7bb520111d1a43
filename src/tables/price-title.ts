/** What the title of a price column says beside "price": its currency and what it includes. Titles as `columnKey` writes them. */
import { meaningOfSign } from './amount.ts'

export const PRICE_QUALIFIERS: ReadonlySet<string> = new Set(
  'in netto brutto net gross ttc ht inkl exkl incl excl escl including excluding inclusive exclusive inc ex zzgl ohne mit zonder without uden utan fara plus hors taxe taxes esclusa inclusa mwst ust vat tax iva pvm btw moms dph pdv tva alv sis mva kdv dahil afa su be con sin senza bez per pro je piece pc pcs ea each stk stuck stuks stuk st styck szt sztuke sztuka sztuki pezzo pz unidad unidade ud un kus ks db darab adet za al por par unite 0 %'.split(
    ' ',
  ),
)

/** `unit price eur excl vat` without its currency and VAT is `unit price`. */
export const withoutQualifiers = (key: string) =>
  key
    .split(' ')
    .filter((word) => !PRICE_QUALIFIERS.has(word) && meaningOfSign(word) === undefined)
    .join(' ')

/** The sign or code of a currency; empty if the title names none. The first word is one only alone or as a sign: `EUR`, `€/ud`. */
export function currencySignOf(key: string): string {
  const words = key.split(/[ /]+/)
  return (
    words.findLast((word, at) => (at > 0 || words.length === 1 || /\p{Sc}/u.test(word)) && meaningOfSign(word)) ?? ''
  )
}
