import { Fragment, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { UploadPageWire, UploadPreviewWire, UploadWire } from '../../../src/contract/uploads.ts'
import { callApi } from '../../api.ts'
import { failureText, noteText } from '../../error-text.ts'
import { formatCount } from '../../format.ts'
import { useMoney } from '../../money.ts'
import { useApiMutation } from '../../queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'
import { ErrorMessage } from '../../ui/states.tsx'
import { IdentifierListOptions } from './identifier-list-options.tsx'
import { MappingCard } from './mapping-card.tsx'
import { AddedVariants, ImportSummary, RejectionReasons, SampleRows, UnknownModels } from './preview-cards.tsx'
import { PriceListOptions } from './price-list-options.tsx'
import { PriceTermsCard, withGuesses } from './price-terms-card.tsx'
import { UploadCheck } from './upload-check.tsx'
import { effectTexts, formatBytes, isFixedByOptions, listKind, remarkText } from './upload-labels.ts'
import {
  bindOptions,
  type ColumnMapping,
  parsePairs,
  toColumnMapping,
  toMapOption,
  type UploadOptions,
  withPair,
} from './upload-options.ts'

const NOTHING: UploadPreviewWire = {
  counts: {},
  rejected_by: {},
  remarks: {},
  unknown_models: [],
  added: [],
  notes: [],
  prices: null,
}

/** Preview of an upload: nothing is written until the user imports it. */
export function UploadReview({ uploads, upload }: { uploads: UploadPageWire; upload: UploadWire }) {
  const { t } = useTranslation('imports')
  const money = useMoney()
  const preview = upload.preview ?? NOTHING
  const { prices } = preview
  const recognised = toColumnMapping(prices?.columns ?? [])
  const [options, setOptions] = useState<UploadOptions>(() => withGuesses(upload.options, prices))
  const [mapping, setMapping] = useState<ColumnMapping>(recognised)
  const change = useApiMutation()
  const isRemapped = Object.keys(recognised).some((column) => recognised[column] !== mapping[column])
  const isChanged = isRemapped || JSON.stringify(sorted(options)) !== JSON.stringify(sorted(upload.options))
  const taken = (preview.counts.rows ?? 0) - (preview.counts.rejected ?? 0)
  const isValid = upload.failure === null
  const notes = preview.notes.flatMap((note) => noteText(note) ?? [])
  // The file is not wrong: it waits for answers.
  const isAsked = (prices?.questions.length ?? 0) > 0
  const effect = isValid ? prices?.effect : null
  const [isConfirmed, setConfirmed] = useState(false)
  const isForTheseOnly = options['these-devices-only'] !== undefined
  const isUnconfirmed = effect?.is_large === true && !isConfirmed
  const mayImport = isValid && !isChanged && !isUnconfirmed && (taken > 0 || upload.format === 'lists')

  const params = { id: upload.id }
  const check = () =>
    change.mutate(async () => {
      const map = toMapOption(mapping, recognised, upload.options.map)
      const body = { action: 'check' as const, options: isRemapped ? { ...options, map } : options }
      await callApi('PATCH /api/manage/uploads/{id}', { params, body })
    })
  const run = () => change.mutate(() => callApi('PATCH /api/manage/uploads/{id}', { params, body: { action: 'run' } }))
  const discard = () => change.mutate(() => callApi('DELETE /api/manage/uploads/{id}', { params }))
  return (
    <>
      <Card
        title={
          <>
            <span className="breakable">{upload.file}</span> <Badge>{listKind(upload.format)}</Badge>
          </>
        }
        note={t('review.note', { size: formatBytes(upload.bytes) })}
      >
        {isValid || isAsked ? null : (
          <p className="problem" role="alert">
            {failureText(upload.failure, upload.failure_reason)}
          </p>
        )}
        <ErrorMessage error={change.error} />
        {isValid ? (
          <>
            {notes.length > 0 ? (
              <ul className="upload-notes">
                {notes.map((note) => (
                  <li key={note}>{note}</li>
                ))}
              </ul>
            ) : null}
            <ImportSummary counts={preview.counts} />
            <PreviewRemarks remarks={preview.remarks} />
            {effect ? (
              <div className={effect.is_large ? 'doubt' : undefined}>
                {effectTexts(effect, money).map(({ text, devices }) => (
                  <Fragment key={text}>
                    <p>{text}</p>
                    {devices.length > 0 ? (
                      <ul className="checks">
                        {devices.map((device) => (
                          <li key={device}>{device}</li>
                        ))}
                      </ul>
                    ) : null}
                  </Fragment>
                ))}
              </div>
            ) : null}
            {effect && (effect.others.devices > 0 || isForTheseOnly) ? (
              <UploadCheck
                label={t('options.theseDevicesOnly')}
                checked={isForTheseOnly}
                onChange={(isChecked) =>
                  bindOptions(options, setOptions)('these-devices-only').onValueChange(isChecked ? 'yes' : '')
                }
              />
            ) : null}
            {effect?.is_large ? (
              <UploadCheck label={t('review.right')} checked={isConfirmed} onChange={setConfirmed} />
            ) : null}
          </>
        ) : null}
      </Card>
      {prices ? (
        <PriceTermsCard prices={prices} uploads={uploads} mapping={mapping} options={options} change={setOptions} />
      ) : null}
      {isValid ? <RejectionReasons rejectedBy={preview.rejected_by} rejected={prices?.rejected ?? []} /> : null}
      {prices ? <MappingCard prices={prices} mapping={mapping} change={setMapping} /> : null}
      {prices ? (
        <PriceListOptions
          prices={prices}
          uploads={uploads}
          options={options}
          change={setOptions}
          isOpen={Object.keys(preview.rejected_by).some(isFixedByOptions)}
        />
      ) : null}
      {upload.format === 'lists' ? <IdentifierListOptions options={options} change={setOptions} /> : null}
      {isValid ? (
        <>
          <SampleRows rows={prices?.rows ?? []} />
          <UnknownModels
            models={preview.unknown_models}
            assigned={parsePairs(options.assign)}
            assign={(title, model) => setOptions(withPair(options, 'assign', title, model))}
          />
          <AddedVariants added={preview.added} />
        </>
      ) : null}
      <div className="upload-bar">
        <span role="status">
          {isChanged
            ? t('review.changed')
            : isUnconfirmed
              ? t('review.confirm')
              : isValid
                ? t('review.can', { count: preview.counts.rows ?? 0, taken: formatCount(taken) })
                : t('review.cannot')}
        </span>
        <div className="actions">
          <Button disabled={change.isPending} onClick={discard}>
            {t('action.discard')}
          </Button>
          {isChanged || !isValid ? (
            <Button variant="primary" isBusy={change.isPending} onClick={check}>
              {t('action.checkAgain')}
            </Button>
          ) : null}
          <Button
            variant={mayImport ? 'primary' : 'plain'}
            isBusy={change.isPending}
            disabled={!mayImport}
            onClick={run}
          >
            {isValid ? t('action.importRows', { count: taken }) : t('action.import')}
          </Button>
        </div>
      </div>
    </>
  )
}

const sorted = (options: UploadOptions) => Object.entries(options).sort(([left], [right]) => (left < right ? -1 : 1))

function PreviewRemarks({ remarks }: { remarks: UploadPreviewWire['remarks'] }) {
  const entries = Object.entries(remarks)
  if (entries.length === 0) return null
  return (
    <p className="muted">
      {entries.map(([remark, rows]) => `${formatCount(rows)} × ${remarkText(remark)}`).join(' · ')}
    </p>
  )
}
