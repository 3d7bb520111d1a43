import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SellerEntryWire, SellerWire } from '../../../src/contract/sellers.ts'
import { callApi, saveFile } from '../../api.ts'
import { codeTexts } from '../../codes.ts'
import { formatDay } from '../../format.ts'
import { useHasRole } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { ApiButton } from '../../ui/form.tsx'
import { Card, Fact } from '../../ui/page.tsx'
import { PhotoList } from '../../ui/photo-picker.tsx'

/** Who sold the device, for owners and managers. Signature and photos are fetched when asked for. */
export function SellerCard({
  entry,
  showSignature,
}: {
  entry: SellerEntryWire
  showSignature: (image: string | null) => void
}) {
  const { t } = useTranslation(['appraisals', 'counter'])
  const texts = codeTexts()
  const mayErase = useHasRole('owner')
  const [person, setPerson] = useState<SellerWire | null>(null)
  const [isErasing, setErasing] = useState(false)
  const { person_id: id, payout } = entry
  const find = async () => (await callApi('GET /api/sellers/{id}', { params: { id } })).data
  const show = async () => {
    const found = await find()
    setPerson(found)
    showSignature(purchaseOf(found, entry)?.signature ?? null)
  }
  const download = async () =>
    saveFile('seller.json', new Blob([JSON.stringify(await find(), null, 2)], { type: 'application/json' }))
  const purchase = person && purchaseOf(person, entry)
  return (
    <Card title={t('seller.title')} note={t('seller.note')}>
      <dl className="facts">
        <Fact name={t('counter:seller.name')}>{entry.name}</Fact>
        {entry.address ? <Fact name={t('counter:seller.address')}>{entry.address}</Fact> : null}
        {entry.date_of_birth ? (
          <Fact name={t('counter:seller.dateOfBirth')}>{formatDay(entry.date_of_birth)}</Fact>
        ) : null}
        {entry.id_number ? (
          <Fact name={entry.id_kind ? texts.idKind(entry.id_kind) : t('counter:seller.idKind')}>{entry.id_number}</Fact>
        ) : null}
        {payout ? (
          <Fact name={t('counter:seller.payout')}>
            {[texts.payout(payout.method), payout.reference].filter(Boolean).join(' · ')}
          </Fact>
        ) : null}
      </dl>
      {person ? (
        <>
          <p className="muted">{t('seller.purchases', { count: person.purchases.length })}</p>
          {purchase?.signature ? (
            <img className="signature" src={purchase.signature} alt={t('counter:seller.signature')} />
          ) : null}
          <PhotoList
            photos={(purchase?.photos ?? []).map(({ kind, image }) => ({
              image,
              label: t(`counter:seller.photo.${kind}`),
            }))}
          />
        </>
      ) : null}
      <div className="actions card-actions">
        {person ? null : <ApiButton send={show}>{t('seller.show')}</ApiButton>}
        <ApiButton send={download}>{t('seller.download')}</ApiButton>
        {mayErase ? (
          <Button variant="danger" onClick={() => setErasing(true)}>
            {t('seller.erase')}
          </Button>
        ) : null}
      </div>
      {isErasing ? (
        <FormDialog
          title={t('seller.erase')}
          action={t('seller.erase')}
          isDangerous
          send={() => callApi('DELETE /api/sellers/{id}', { params: { id } })}
          close={() => setErasing(false)}
        >
          <p>{t('seller.eraseQuestion')}</p>
        </FormDialog>
      ) : null}
    </Card>
  )
}

/** What is stored about one of the purchases from a person. */
export const purchaseOf = ({ purchases }: SellerWire, { appraisal_id: id }: SellerEntryWire) =>
  purchases.find((each) => each.appraisal_id === id)
