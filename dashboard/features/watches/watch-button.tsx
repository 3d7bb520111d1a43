import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DEFAULT_THRESHOLD_PERCENT, type WatchWire } from '../../../src/contract/watches.ts'
import { dayOf } from '../../../src/lib/time.ts'
import { callApi } from '../../api.ts'
import { formatDay } from '../../format.ts'
import { useOperation } from '../../queries.ts'
import { useHasTier } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'

type WatchSubject =
  | { readonly variant_id: string }
  | { readonly identifier: string; readonly identifier_type: WatchWire['identifier_type'] }

/** Watches a price or an identifier, or ends the watch. */
export function WatchButton({ subject }: { subject: WatchSubject }) {
  const { t } = useTranslation('watches')
  const mayWatch = useHasTier('enterprise')
  const [isOpen, setOpen] = useState(false)
  const watches = useOperation('GET /api/watches', mayWatch ? { query: { limit: 100 } } : null).data?.data ?? []
  const watch = watches.find((each) =>
    'variant_id' in subject ? each.variant_id === subject.variant_id : each.identifier === subject.identifier,
  )
  if (!mayWatch) return null
  const close = () => setOpen(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t(watch ? 'watching' : 'watch')}</Button>
      {isOpen && watch ? <EndWatchDialog watch={watch} close={close} /> : null}
      {isOpen && !watch ? <CreateWatchDialog subject={subject} close={close} /> : null}
    </>
  )
}

function CreateWatchDialog({ subject, close }: { subject: WatchSubject; close: () => void }) {
  const { t } = useTranslation(['watches', 'common'])
  const isPrice = 'variant_id' in subject
  const [threshold, setThreshold] = useState(String(DEFAULT_THRESHOLD_PERCENT))
  const [until, setUntil] = useState('')
  const [reference, setReference] = useState('')
  const send = () =>
    callApi('POST /api/watches', {
      body: {
        ...subject,
        threshold_percent: isPrice ? Number(threshold) : null,
        until: until || null,
        reference: reference.trim() || null,
      },
    })
  return (
    <FormDialog title={t(isPrice ? 'price.title' : 'identifier.title')} action={t('watch')} send={send} close={close}>
      {(errorAt) => (
        <>
          <p>{t(isPrice ? 'price.help' : 'identifier.help')}</p>
          {isPrice ? (
            <TextField
              label={t('threshold')}
              type="number"
              min={1}
              max={90}
              required
              error={errorAt('threshold_percent')}
              value={threshold}
              onValueChange={setThreshold}
            />
          ) : null}
          <TextField
            label={t('until')}
            hint={t(isPrice ? 'optional' : 'untilHint')}
            type="date"
            min={dayOf(Date.now())}
            error={errorAt('until')}
            value={until}
            onValueChange={setUntil}
          />
          <TextField
            label={t('reference')}
            hint={t('referenceHint')}
            maxLength={100}
            error={errorAt('reference')}
            value={reference}
            onValueChange={setReference}
          />
        </>
      )}
    </FormDialog>
  )
}

function EndWatchDialog({ watch, close }: { watch: WatchWire; close: () => void }) {
  const { t } = useTranslation('watches')
  const send = () => callApi('DELETE /api/watches/{id}', { params: { id: watch.id } })
  return (
    <FormDialog
      title={t('end.title')}
      action={t('end.stop')}
      cancel={t('end.keep')}
      isDangerous
      send={send}
      close={close}
    >
      <p>{t('end.since', { day: formatDay(watch.created_at) })}</p>
      {watch.reference ? <p>{t('end.reference', { reference: watch.reference })}</p> : null}
      {watch.until ? <p>{t('end.until', { day: formatDay(watch.until) })}</p> : null}
    </FormDialog>
  )
}
