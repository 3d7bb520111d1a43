import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { UploadPageWire, UploadPreviewWire, UploadWire } from '../../../src/contract/uploads.ts'
import { apiPost } from '../../api.ts'
import { formatCount } from '../../format.ts'
import { useApiMutation } from '../../queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorMessage } from '../../ui/states.tsx'
import { IdentifierListOptions } from './identifier-list-options.tsx'
import { MappingCard } from './mapping-card.tsx'
import { ImportSummary, RejectionReasons, SampleRows, UnknownNames } from './preview-cards.tsx'
import { PriceListOptions } from './price-list-options.tsx'
import { UploadCheck } from './upload-check.tsx'
import { formatBytes, isFixable, listKind } from './upload-labels.ts'
import { type ColumnMapping, toColumnMapping, toMapOption, type UploadOptions } from './upload-options.ts'

const NOTHING: UploadPreviewWire = {
  ...{ counts: {}, rejected_by: {}, remarks: {}, unknown_models: [], added: [], notes: [], prices: null },
}

/** Preview of an upload: nothing is written until the user imports it. */
export function UploadReview({ uploads, upload }: { uploads: UploadPageWire; upload: UploadWire }) {
  const { t } = useTranslation('imports')
  const preview = upload.preview ?? NOTHING
  const { prices } = preview
  const recognised = toColumnMapping(prices?.columns ?? [])
  const [options, setOptions] = useState<UploadOptions>(upload.options)
  const [mapping, setMapping] = useState<ColumnMapping>(recognised)
  const change = useApiMutation()
  const isRemapped = Object.keys(recognised).some((column) => recognised[column] !== mapping[column])
  const isChanged = isRemapped || JSON.stringify(sorted(options)) !== JSON.stringify(sorted(upload.options))
  const taken = (preview.counts.rows ?? 0) - (preview.counts.rejected ?? 0)
  const effect = upload.failure === null ? (prices?.effect ?? null) : null
  const [isConfirmed, setConfirmed] = useState(false)
  const isUnconfirmed = effect?.is_large === true && !isConfirmed
  const mayImport = upload.failure === null && !isChanged && !isUnconfirmed && (taken > 0 || upload.format === 'lists')

  const assigned = parseAssigned(options.assign)
  const assign = (title: string, model: string) => {
    const { [title]: _before, ...others } = assigned
    const next = model === '' ? others : { ...others, [title]: model }
    const { assign: _option, ...rest } = options
    setOptions(Object.keys(next).length === 0 ? rest : { ...rest, assign: JSON.stringify(next) })
  }

  const check = () =>
    change.mutate(async () => {
      const said = isRemapped ? { ...options, map: toMapOption(mapping, recognised, upload.options.map) } : options
      await apiPost('/account/uploads/check', { id: upload.id, options: said })
    })
  const act = (what: 'run' | 'discard') => change.mutate(() => apiPost(`/account/uploads/${what}`, { id: upload.id }))
  return (
    <>
      <Card
        title={
          <>
            <span className="upload-name">{upload.file}</span> <Badge>{listKind(upload.format)}</Badge>
          </>
        }
        note={t('review.note', { size: formatBytes(upload.bytes) })}
      >
        {upload.failure ? (
          <p className="problem" role="alert">
            {upload.failure}
          </p>
        ) : null}
        {change.error ? <ErrorMessage error={change.error} /> : null}
        {upload.failure === null && preview.notes.length > 0 ? (
          <ul className="upload-notes">
            {preview.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        ) : null}
        {upload.failure === null ? (
          <>
            <ImportSummary preview={preview} />
            <PreviewRemarks remarks={preview.remarks} />
            {effect ? <p className={effect.is_large ? 'doubt' : undefined}>{effect.text}</p> : null}
            {effect?.is_large ? (
              <UploadCheck label={t('review.right')} checked={isConfirmed} onChange={setConfirmed} />
            ) : null}
          </>
        ) : null}
      </Card>
      {upload.failure === null ? (
        <RejectionReasons rejectedBy={preview.rejected_by} rejected={prices?.rejected ?? []} />
      ) : null}
      {prices ? <MappingCard prices={prices} mapping={mapping} change={setMapping} /> : null}
      {prices ? (
        <PriceListOptions
          {...{ prices, uploads, mapping, options }}
          change={setOptions}
          isOpen={upload.failure !== null || Object.keys(preview.rejected_by).some(isFixable)}
        />
      ) : null}
      {upload.format === 'lists' ? <IdentifierListOptions options={options} change={setOptions} /> : null}
      {upload.failure === null ? (
        <>
          <SampleRows rows={prices?.rows ?? []} />
          <UnknownNames preview={preview} assigned={assigned} assign={assign} />
        </>
      ) : null}
      <div className="upload-bar">
        <span role="status">
          {isChanged ? t('review.changed') : isUnconfirmed ? t('review.confirm') : summaryOf(upload, taken, t)}
        </span>
        <div className="upload-actions">
          <Button disabled={change.isPending} onClick={() => act('discard')}>
            {t('action.discard')}
          </Button>
          {isChanged || upload.failure !== null ? (
            <Button variant="primary" isBusy={change.isPending} onClick={check}>
              {t('action.checkAgain')}
            </Button>
          ) : null}
          <Button
            variant={mayImport ? 'primary' : 'plain'}
            isBusy={change.isPending}
            disabled={!mayImport}
            onClick={() => act('run')}
          >
            {upload.failure === null ? t('action.importRows', { count: taken }) : t('action.import')}
          </Button>
        </div>
      </div>
    </>
  )
}

function summaryOf({ failure, preview }: UploadWire, taken: number, t: TFunction<'imports'>): string {
  if (failure !== null) return t('review.cannot')
  return t('review.can', { count: preview?.counts.rows ?? 0, taken: formatCount(taken) })
}

function parseAssigned(option: string | undefined): Readonly<Record<string, string>> {
  try {
    return option ? (JSON.parse(option) as Record<string, string>) : {}
  } catch {
    return {}
  }
}

const sorted = (options: UploadOptions) => Object.entries(options).sort(([left], [right]) => (left < right ? -1 : 1))

function PreviewRemarks({ remarks }: { remarks: UploadPreviewWire['remarks'] }) {
  const told = Object.entries(remarks)
  if (told.length === 0) return null
  return <p className="muted">{told.map(([remark, rows]) => `${formatCount(rows)} × ${remark}`).join(' · ')}</p>
}
