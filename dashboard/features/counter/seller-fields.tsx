import { useTranslation } from 'react-i18next'
import {
  ID_KINDS,
  PAYOUT_METHODS,
  PHOTO_KINDS,
  type SellerInputWire,
  type SellerRecordMode,
} from '../../../src/contract/sellers.ts'
import { codeTexts } from '../../codes.ts'
import { localDay } from '../../local-day.ts'
import type { ErrorAt } from '../../ui/dialog.tsx'
import { bindFields, SegmentedControl, SelectField, TextField } from '../../ui/field.tsx'
import { PhotoButton, PhotoList } from '../../ui/photo-picker.tsx'
import { SignaturePad } from '../../ui/signature-pad.tsx'

const MAX_PHOTOS = 4

type PayoutMethod = (typeof PAYOUT_METHODS)[number]
type Photo = NonNullable<SellerInputWire['photos']>[number]

/** What is entered about a seller. It is kept in memory only, never in the storage of the browser. */
export type SellerEntries = {
  readonly name: string
  readonly address: string
  readonly id_kind: (typeof ID_KINDS)[number]
  readonly id_number: string
  readonly date_of_birth: string
  readonly signature: string | null
  readonly photos: readonly Photo[]
  readonly method: PayoutMethod
  readonly reference: string
}

export const EMPTY_SELLER: SellerEntries = {
  name: '',
  address: '',
  id_kind: 'id_card',
  id_number: '',
  date_of_birth: '',
  signature: null,
  photos: [],
  method: 'cash',
  reference: '',
}

/** The seller as the service takes it: fields that are empty are not sent. */
export function toSeller(entries: SellerEntries, mode: SellerRecordMode): SellerInputWire | undefined {
  if (mode === 'off') return undefined
  const { name, address, id_kind, id_number, date_of_birth, signature, photos, method, reference } = entries
  const payout = { method, ...(reference.trim() ? { reference: reference.trim() } : {}) }
  if (mode === 'name') return { name, payout }
  return {
    name,
    payout,
    ...(address.trim() ? { address } : {}),
    ...(id_number.trim() ? { id_kind, id_number } : {}),
    ...(date_of_birth ? { date_of_birth } : {}),
    ...(signature ? { signature } : {}),
    ...(photos.length > 0 ? { photos: [...photos] } : {}),
  }
}

/** The person who sells the device, as far as the organization records it. */
export function SellerFields({
  mode,
  entries,
  change,
  errorAt,
}: {
  mode: 'name' | 'full'
  entries: SellerEntries
  change: (entries: SellerEntries) => void
  errorAt: ErrorAt
}) {
  const { t } = useTranslation('counter')
  const texts = codeTexts()
  const bind = bindFields(entries, change)
  const set = (changed: Partial<SellerEntries>) => change({ ...entries, ...changed })
  const payout = (
    <>
      <div className="field">
        <span className="field-head">{t('seller.payout')}</span>
        <SegmentedControl
          label={t('seller.payout')}
          options={PAYOUT_METHODS.map((method) => ({ value: method, text: texts.payout(method) }))}
          chosen={entries.method}
          choose={(method) => set({ method })}
        />
      </div>
      <TextField label={t('seller.reference')} maxLength={100} autoComplete="off" {...bind('reference')} />
    </>
  )
  const name = (
    <TextField
      label={t('seller.name')}
      error={errorAt('purchase.seller.name')}
      required
      maxLength={200}
      autoComplete="off"
      {...bind('name')}
    />
  )
  if (mode === 'name') {
    return (
      <div className="stack seller">
        {name}
        {payout}
      </div>
    )
  }
  return (
    <div className="seller seller-full">
      <div className="stack">
        {name}
        <TextField label={t('seller.address')} required maxLength={300} autoComplete="off" {...bind('address')} />
        <TextField
          label={t('seller.dateOfBirth')}
          type="date"
          min="1900-01-01"
          max={localDay()}
          {...bind('date_of_birth')}
        />
        <SelectField
          label={t('seller.idKind')}
          value={entries.id_kind}
          options={ID_KINDS.map((kind) => [kind, texts.idKind(kind)] as const)}
          onValueChange={(kind) => set({ id_kind: kind })}
        />
        <TextField label={t('seller.idNumber')} required maxLength={60} autoComplete="off" {...bind('id_number')} />
      </div>
      <div className="stack">
        {payout}
        <div className="field">
          <span className="field-head">{t('seller.photos')}</span>
          <div className="actions">
            {PHOTO_KINDS.map((kind) => (
              <PhotoButton
                key={kind}
                label={t(`seller.photo.${kind}`)}
                isDisabled={entries.photos.length >= MAX_PHOTOS}
                add={(image) => set({ photos: [...entries.photos, { kind, image }] })}
              />
            ))}
          </div>
          <PhotoList
            photos={entries.photos.map(({ kind, image }) => ({ image, label: t(`seller.photo.${kind}`) }))}
            remove={(index) => set({ photos: entries.photos.filter((_, each) => each !== index) })}
          />
        </div>
        <SignaturePad
          label={t('seller.signature')}
          value={entries.signature}
          change={(signature) => set({ signature })}
        />
      </div>
    </div>
  )
}
