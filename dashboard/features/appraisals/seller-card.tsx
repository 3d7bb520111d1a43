import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SellerEntryWire, SellerImageWire, SellerWire } from '../../../src/contract/sellers.ts'
import { callApi, saveFile } from '../../api.ts'
import { codeTexts } from '../../codes.ts'
import { formatDay } from '../../format.ts'
import { useHasRole } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { ApiButton } from '../../ui/form.tsx'
import { Card, Fact } from '../../ui/page.tsx'
import { PhotoList } from '../../ui/photo-picker.tsx'

/** Versions per request. */
const MAX_PAGE = 100

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
  const [shown, setShown] = useState<{ readonly images: readonly SellerImageWire[]; readonly purchases: number }>()
  const [isErasing, setErasing] = useState(false)
  const { person_id: id, payout } = entry
  const show = async () => {
    const purchases = await purchasesOf(id)
    const record = purchases.find((purchase) => purchase.id === entry.id)
    const images = await imagesOf(id, record ? [record] : [])
    setShown({ images, purchases: new Set(purchases.map((purchase) => purchase.appraisal_id)).size })
    showSignature(images.find(({ kind }) => kind === 'signature')?.image ?? null)
  }
  const download = async () => {
    const purchases = await purchasesOf(id)
    const everything = { person_id: id, purchases, images: await imagesOf(id, purchases) }
    saveFile('seller.json', new Blob([JSON.stringify(everything, null, 2)], { type: 'application/json' }))
  }
  const signature = shown?.images.find(({ kind }) => kind === 'signature')
  const photos = (shown?.images ?? []).flatMap(({ kind, image }) =>
    kind === 'signature' ? [] : { image, label: t(`counter:seller.photo.${kind}`) },
  )
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
      {shown ? (
        <>
          <p className="muted">{t('seller.purchases', { count: shown.purchases })}</p>
          {signature ? <img className="signature" src={signature.image} alt={t('counter:seller.signature')} /> : null}
          <PhotoList photos={photos} />
        </>
      ) : null}
      <div className="actions card-actions">
        {shown ? null : <ApiButton send={show}>{t('seller.show')}</ApiButton>}
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

/** All versions of all purchases from a person. */
async function purchasesOf(id: string): Promise<SellerWire['purchases']> {
  const purchases: SellerWire['purchases'] = []
  for (let after: string | undefined; ; ) {
    const { data } = await callApi('GET /api/sellers/{id}', {
      params: { id },
      query: { limit: MAX_PAGE, ...(after ? { after } : {}) },
    })
    purchases.push(...data.purchases)
    after = data.purchases.at(-1)?.id
    if (data.purchases.length < MAX_PAGE) return purchases
  }
}

async function imagesOf(id: string, records: SellerWire['purchases']): Promise<SellerImageWire[]> {
  const images: SellerImageWire[] = []
  for (const imageId of new Set(records.flatMap((record) => record.images.map((image) => image.id)))) {
    const { data } = await callApi('GET /api/sellers/{id}/images/{image_id}', { params: { id, image_id: imageId } })
    images.push(data)
  }
  return images
}
