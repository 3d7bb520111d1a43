import type en from '../../dashboard/locales/en.json'
import type { SellerEntryWire } from '../contract/sellers.ts'
import { minorUnitDigits } from '../currency/minor-units.ts'
import type { SheetTexts } from '../lib/sheet-texts.ts'

type Cell = string | number

/** The register of purchases as the authorities ask for it. The price is in units of the currency in the next column. */
const COLUMNS: readonly (readonly [keyof typeof en.sheet.register, (entry: SellerEntryWire, t: SheetTexts) => Cell])[] =
  [
    ['purchase', ({ purchase_id }) => purchase_id ?? ''],
    ['stockNumber', ({ stock_number }) => stock_number ?? ''],
    ['boughtOn', ({ bought_on }) => bought_on],
    ['device', ({ device_name }) => device_name],
    ['identifier', ({ identifier }) => identifier ?? ''],
    ['secondIdentifier', ({ second_identifier }) => second_identifier ?? ''],
    ['price', ({ price, currency }) => price / 10 ** minorUnitDigits(currency)],
    ['currency', ({ currency }) => currency],
    ['name', ({ name }) => name],
    ['vatNumber', ({ vat_number }) => vat_number ?? ''],
    ['address', ({ address }) => address ?? ''],
    ['dateOfBirth', ({ date_of_birth }) => date_of_birth ?? ''],
    ['idKind', ({ id_kind }, t) => (id_kind ? t(`codes:idKind.${id_kind}`) : '')],
    ['idNumber', ({ id_number }) => id_number ?? ''],
    ['payout', ({ payout }, t) => (payout ? t(`codes:payout.${payout.method}`) : '')],
    ['payoutReference', ({ payout }) => payout?.reference ?? ''],
    ['version', ({ version }) => version],
    ['status', ({ status }, t) => t(`codes:sellerStatus.${status}`)],
    ['recordedBy', ({ created_by }) => created_by.name],
    ['recordedAt', ({ created_at }) => created_at],
    ['endedAt', ({ ended_at }) => ended_at ?? ''],
    ['appraisal', ({ appraisal_id }) => appraisal_id],
  ]

export const registerHeader = (t: SheetTexts): string[] => COLUMNS.map(([column]) => t(`sheet:register.${column}`))

export const registerRow = (entry: SellerEntryWire, t: SheetTexts): Cell[] => COLUMNS.map(([, read]) => read(entry, t))
