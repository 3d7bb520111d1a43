import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import type { ImportRunWire } from '../../../src/contract/imports.ts'
import type { UploadWire } from '../../../src/contract/uploads.ts'
import { callApi } from '../../api.ts'
import { failureText } from '../../error-text.ts'
import { currentLanguage } from '../../i18n.ts'
import { operationQuery, queryClient, useApiMutation } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DownloadButton } from '../../ui/download-button.tsx'
import { Card } from '../../ui/page.tsx'
import { ErrorMessage, QueryView } from '../../ui/states.tsx'
import { ImportSummary, RejectionReasons } from './preview-cards.tsx'
import { HeldTerms } from './price-terms-card.tsx'
import { RetryButton } from './retry-button.tsx'
import { UploadForm } from './upload-form.tsx'
import { listKind } from './upload-labels.ts'
import { UploadReview } from './upload-review.tsx'

const POLL_INTERVAL_MS = 600
/** Older uploads are shown only in the import history. */
const OLD_MS = 3_600_000

const isInProgress = (upload: UploadWire | null | undefined) =>
  upload?.state === 'checking' || upload?.state === 'running'

/** Upload, preview and import of a list. */
export function UploadPanel() {
  const { runs_service: isOperator } = useSession()
  return isOperator ? <OwnUploads /> : <OperatorOnly />
}

function OwnUploads() {
  const result = useQuery({
    ...operationQuery('GET /api/manage/uploads', {}),
    refetchInterval: ({ state }) => (isInProgress(state.data?.data.current) ? POLL_INTERVAL_MS : false),
  })
  const state = result.data?.data.current?.state
  const run = result.data?.data.current?.run
  const runState = run && `${run.id} ${run.state}`
  // The finished import appears in the import history.
  useEffect(() => {
    if (runState) void queryClient.invalidateQueries({ queryKey: ['GET /api/manage/imports'] })
  }, [runState])
  const place = useRef<HTMLDivElement>(null)
  // Keeps keyboard focus here when the pressed button disappears with its step.
  useEffect(() => {
    if (state && document.activeElement === document.body) place.current?.focus({ preventScroll: true })
  }, [state])
  // Uploads that ended before the page was opened are in the import history.
  const [closed, setClosed] = useState<string>()
  const [first] = useState(Date.now)
  return (
    <QueryView query={result} skeletonLines={3}>
      {(uploads) => {
        const { current } = uploads
        if (uploads.max_bytes === 0) return <OperatorOnly />
        const isOver = current?.state === 'ended'
        const isOld = isOver && Date.parse(current.created_at) < first - OLD_MS
        if (!current || isOld || (isOver && !current.run) || current.id === closed) {
          const lost = isOld || current?.id === closed ? null : current
          return <UploadForm uploads={uploads} lost={lost} />
        }
        if (current.state === 'receiving') {
          return current.received === current.bytes ? (
            <UploadReceived upload={current} />
          ) : (
            <UploadForm uploads={uploads} lost={null} />
          )
        }
        return (
          <div ref={place} tabIndex={-1} className="upload-place">
            <Steps state={current.state} />
            {isInProgress(current) ? <UploadProgress upload={current} /> : null}
            {current.state === 'checked' ? (
              <UploadReview
                key={`${current.id} ${JSON.stringify(current.options)}`}
                uploads={uploads}
                upload={current}
              />
            ) : null}
            {current.state === 'ended' ? (
              <UploadOutcome upload={current} another={() => setClosed(current.id)} />
            ) : null}
          </div>
        )
      }}
    </QueryView>
  )
}

function OperatorOnly() {
  const { t } = useTranslation('imports')
  const { organization } = useSession()
  return (
    <Card>
      <p>
        <Trans t={t} i18nKey="upload.operatorOnly" components={{ strong: <strong /> }} />
      </p>
      <p className="muted">
        <Trans
          t={t}
          i18nKey="upload.operatorRuns"
          values={{ id: organization?.id }}
          components={{ code: <code className="breakable" /> }}
        />
      </p>
    </Card>
  )
}

/** A complete upload that still waits for its preview because another one is running. */
function UploadReceived({ upload }: { upload: UploadWire }) {
  const { t } = useTranslation('imports')
  const change = useApiMutation()
  const params = { id: upload.id }
  const check = () =>
    change.mutate(() => callApi('PATCH /api/manage/uploads/{id}', { params, body: { action: 'check', options: {} } }))
  const discard = () => change.mutate(() => callApi('DELETE /api/manage/uploads/{id}', { params }))
  return (
    <Card title={<span className="breakable">{upload.file}</span>} note={t('upload.received')}>
      <ErrorMessage error={change.error} />
      <div className="actions">
        <Button variant="primary" isBusy={change.isPending} onClick={check}>
          {t('action.preview')}
        </Button>
        <Button disabled={change.isPending} onClick={discard}>
          {t('action.discard')}
        </Button>
      </div>
    </Card>
  )
}

const STEPS = ['upload.choose', 'action.preview', 'action.import'] as const

function Steps({ state }: { state: UploadWire['state'] }) {
  const { t } = useTranslation('imports')
  const at = state === 'running' || state === 'ended' ? 2 : 1
  return (
    <ol className="upload-steps" aria-label={t('upload.steps')}>
      {STEPS.map((step, i) => (
        <li key={step} aria-current={i === at ? 'step' : undefined} className={i < at ? 'upload-past' : undefined}>
          {t(step)}
        </li>
      ))}
    </ol>
  )
}

function UploadProgress({ upload }: { upload: UploadWire }) {
  const { t } = useTranslation('imports')
  const change = useApiMutation()
  const { rows, percent, note } = upload.progress
  const isRun = upload.state === 'running'
  return (
    <Card title={t(isRun ? 'upload.importing' : 'upload.checking', { file: upload.file })}>
      <div className="list-progress">
        <progress max={100} value={percent ?? undefined} aria-label={t('summary.read')} />
        <span role="status">{rows > 0 ? t('rows', { count: rows }) : t('upload.starting')}</span>
        <Button
          isBusy={change.isPending}
          onClick={() =>
            change.mutate(() =>
              callApi('PATCH /api/manage/uploads/{id}', { params: { id: upload.id }, body: { action: 'stop' } }),
            )
          }
        >
          {t('action.stop')}
        </Button>
      </div>
      {note && currentLanguage() === 'en' ? <p className="muted">{note}</p> : null}
      {isRun ? <p className="note">{t('upload.continues')}</p> : null}
      <ErrorMessage error={change.error} />
    </Card>
  )
}

/** What each column was taken for, and what held for all rows. */
function ReadColumns({ summary }: { summary: NonNullable<ImportRunWire['summary']> }) {
  const { t } = useTranslation('imports')
  return (
    <>
      <ul className="muted">
        {summary.columns.map(({ name, field }) => (
          <li key={name}>
            <span className="breakable">{name}</span>: {field === null ? '–' : t(`field.${field}` as 'field.source')}
          </li>
        ))}
      </ul>
      <HeldTerms terms={summary.terms} />
    </>
  )
}

function UploadOutcome({ upload, another }: { upload: UploadWire; another: () => void }) {
  const { t } = useTranslation('imports')
  const { run } = upload
  const isDone = run?.state === 'done'
  return (
    <>
      <Card
        title={
          <>
            <span className="breakable">{upload.file}</span>{' '}
            <Badge tone={isDone ? 'good' : 'bad'}>{t(isDone ? 'state.imported' : 'state.unfinished')}</Badge>
          </>
        }
        note={listKind(upload.format)}
        action={
          <div className="actions">
            {run?.has_report && upload.format === 'observations' ? <RetryButton runId={run.id} /> : null}
            {run?.has_report ? (
              <DownloadButton
                route="GET /api/manage/imports/{id}/rejected"
                request={{ params: { id: run.id }, query: { language: currentLanguage() } }}
              >
                {t('action.downloadRejected')}
              </DownloadButton>
            ) : null}
            <Button variant="primary" onClick={another}>
              {t('action.another')}
            </Button>
          </div>
        }
      >
        {upload.failure ? (
          <p className="problem" role="alert">
            {failureText(upload.failure, upload.failure_reason)}
          </p>
        ) : (
          <p role="status">{t(upload.format === 'observations' ? 'upload.importedPrices' : 'upload.imported')}</p>
        )}
        {isDone ? <ImportSummary counts={run.counts} done /> : null}
        {isDone && run.summary ? <ReadColumns summary={run.summary} /> : null}
      </Card>
      <RejectionReasons rejectedBy={run?.rejected_by ?? {}} />
    </>
  )
}
